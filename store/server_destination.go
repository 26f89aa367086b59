package store

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"toolkit/store/internal/postgres"
	"toolkit/store/internal/query"
)

// maxQueuedBytes is about how much of a table is sent to PostgreSQL at once.
const maxQueuedBytes = 1 << 20

// connectToServer makes the space if it is not there and begins the transaction, in which no
// other can write to it. Failures are *OpenError.
func (d *Destination) connectToServer(ctx context.Context) error {
	address, space := splitSpace(d.path, "")
	if err := checkSpaceName(space); err != nil {
		return err
	}
	d.server = newServer(address, space)
	if err := d.beginWithoutConstraints(ctx, address); err != nil {
		return d.server.describeOpenError(err)
	}
	return nil
}

func (d *Destination) beginWithoutConstraints(ctx context.Context, address string) error {
	config, err := d.server.connectionConfig(address)
	if err != nil {
		return err
	}
	config.RuntimeParams["idle_in_transaction_session_timeout"] = "0" // a source may be slow
	d.pool = stdlib.OpenDB(*config)
	if err := d.server.checkAndMigrate(ctx, d.pool); err != nil {
		return err
	}
	if d.conn, err = d.pool.Conn(ctx); err != nil {
		return err
	}
	if d.tables, err = d.Tables(ctx); err != nil {
		return err
	}
	if err := d.executeStatements(ctx, d.server.beginWriteStatements()); err != nil {
		return err
	}
	constraints, err := query.Select(rawReader{ctx, d.conn}, query.Column[string], `SELECT format('ALTER TABLE %I DROP CONSTRAINT %I', c.relname, k.conname)
		FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid WHERE k.contype = 'f' AND k.connamespace = current_schema()::regnamespace`)
	if err != nil {
		return err
	}
	return d.executeStatements(ctx, append(d.triggerStatements(`DISABLE`), constraints...)...)
}

// triggerStatements returns the statements that switch the triggers of every table.
func (d *Destination) triggerStatements(to string) (statements []string) {
	for _, t := range d.tables {
		if !t.View {
			statements = append(statements, `ALTER TABLE `+t.Name+` `+to+` TRIGGER USER`)
		}
	}
	return statements
}

func (d *Destination) queueRow(ctx context.Context, t *filledTable, values []any) error {
	row := slices.Clone(values)
	for i, v := range row {
		t.queuedBytes += 16
		switch v := v.(type) {
		case string:
			row[i] = postgres.EncodeText(v)
			t.queuedBytes += len(v)
		case []byte:
			t.queuedBytes += len(v)
		}
	}
	t.queued = append(t.queued, row)
	if t.queuedBytes < maxQueuedBytes {
		return nil
	}
	return d.copyQueuedRows(ctx, t)
}

// copyQueuedRows uses COPY, which takes rows as fast as they come.
func (d *Destination) copyQueuedRows(ctx context.Context, t *filledTable) error {
	err := d.conn.Raw(func(driver any) error {
		_, err := driver.(*stdlib.Conn).Conn().CopyFrom(ctx, pgx.Identifier{t.Name}, t.Columns, pgx.CopyFromRows(t.queued))
		return err
	})
	t.queued, t.queuedBytes = nil, 0
	if err != nil {
		return fmt.Errorf("%s: %w", t.Name, classifyError(err))
	}
	return nil
}

func (d *Destination) insertBlobBytes(ctx context.Context, hash string, in io.Reader) error {
	bytes, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	_, err = d.conn.ExecContext(ctx, `INSERT INTO blob_bytes(sha256, bytes) VALUES($1, $2) ON CONFLICT (sha256) DO UPDATE SET bytes = excluded.bytes`, hash, bytes)
	return classifyError(err)
}

func (d *Destination) restoreConstraintsAndCommit(ctx context.Context, derive func(*Tx) error) error {
	if err := d.executeStatements(ctx, slices.Concat(d.triggerStatements(`ENABLE`), postgres.ForeignKeyStatements())...); err != nil {
		return fmt.Errorf("the rows contradict each other: %w", err)
	}
	if err := d.restoreSequences(ctx); err != nil {
		return err
	}
	rows := query.Database{Clock: time.Now, Dialect: &postgres.Dialect{}}
	tx := batchedTx(ctx, d.conn, &rows)
	if err := derive((*Tx)(tx)); err != nil {
		return err
	}
	last, err := tx.PendingStatements()
	if err != nil {
		return err
	}
	return classifyError(sendBatch(ctx, d.conn, rows.Dialect, append(last, commit), nil))
}

// restoreSequences sets all that numbers rows behind the greatest number given.
func (d *Destination) restoreSequences(ctx context.Context) error {
	for _, t := range d.tables {
		if !t.isNumbered() {
			continue
		}
		err := d.executeStatements(ctx, fmt.Sprintf(`SELECT setval(pg_get_serial_sequence('%[1]s', '%[2]s'), greatest(n, 1), n > 0) FROM (SELECT greatest(%[3]d, coalesce(max(%[2]s), 0)) AS n FROM %[1]s) m`,
			t.Name, t.Key[0], d.lastIDs[t.Name]))
		if err != nil {
			return err
		}
	}
	return nil
}
