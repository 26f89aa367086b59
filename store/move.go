package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"toolkit/store/internal/postgres"
	"toolkit/store/internal/query"
)

// Destination is a database that everything of another one is copied to, table by
// table. A table that was copied stays, so that a copy that was cut short goes on.
// Until Finish nothing refers to anything and nothing is derived.
type Destination struct {
	*Inspection // of what it holds so far
	tables      []Table
}

// movingMark is the comment on a schema that is being filled.
const movingMark = "toolkit move: unfinished"

// NewDestination opens a database to be filled: a new file, one that an earlier copy
// was about to fill, or the schema of a space of PostgreSQL.
func NewDestination(ctx context.Context, path string) (d *Destination, err error) {
	d = &Destination{Inspection: &Inspection{path: path}}
	if d.tables, err = tablesOfSchema(ctx); err != nil {
		return nil, err
	}
	if address, space := testAddress(path); IsPostgres(address) {
		if err := checkSpace(space); err != nil {
			return nil, err
		}
		d.server = newServer(address, space)
		if err = d.openServer(ctx, address); err != nil {
			err = d.server.describe(err)
		}
	} else if err = d.openFile(ctx); err != nil {
		err = describeOpen(path, err)
	}
	if err != nil {
		d.Close() //nolint:errcheck // the first error is the one to report
		return nil, err
	}
	return d, nil
}

func (d *Destination) openFile(ctx context.Context) (err error) {
	if d.path, err = preparePath(d.path, nil); err != nil {
		return err
	}
	if d.pool, err = openEmpty(ctx, d.path, NewestSchema()); err != nil {
		return err
	}
	d.conn, err = d.pool.Conn(ctx)
	return err
}

func (d *Destination) openServer(ctx context.Context, address string) error {
	config, err := d.server.config(address)
	if err != nil {
		return err
	}
	config.RuntimeParams["idle_in_transaction_session_timeout"] = "0" // a large table takes its time
	d.pool = stdlib.OpenDB(*config)
	if err := d.server.prepare(ctx, d.pool); err != nil && !errors.Is(err, errUnfinished) {
		return err
	}
	d.pool.SetMaxOpenConns(0)
	d.conn, err = d.pool.Conn(ctx)
	return err
}

// Begin takes the checks away that hold between tables.
func (d *Destination) Begin(ctx context.Context) error {
	if d.server == nil {
		_, err := dropTriggers(ctx, d.conn)
		return err
	}
	if _, err := d.conn.ExecContext(ctx, `COMMENT ON SCHEMA `+quoteName(d.server.schema)+` IS '`+movingMark+`'`); err != nil {
		return err
	}
	statements, err := query.All(rawReader{ctx, d.conn}, query.Column[string], `SELECT format('ALTER TABLE %I DROP CONSTRAINT %I', c.relname, k.conname)
		FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid WHERE k.contype = 'f' AND k.connamespace = current_schema()::regnamespace`)
	if err != nil {
		return err
	}
	return d.run(ctx, append(d.userTriggers(`DISABLE`), statements...))
}

// userTriggers are the statements that switch the triggers of every table.
func (d *Destination) userTriggers(to string) (statements []string) {
	for _, t := range d.tables {
		if !t.View {
			statements = append(statements, `ALTER TABLE `+t.Name+` `+to+` TRIGGER USER`)
		}
	}
	return statements
}

func (d *Destination) run(ctx context.Context, statements []string) error {
	for _, statement := range statements {
		if _, err := d.conn.ExecContext(ctx, statement); err != nil {
			return classify(err)
		}
	}
	return nil
}

// Tables are the tables to be filled, in order.
func (d *Destination) Tables() []Table {
	return slices.DeleteFunc(slices.Clone(d.tables), func(t Table) bool { return t.Virtual })
}

// Fill gives a table the rows of another database in place of its own, all or none.
func (d *Destination) Fill(ctx context.Context, t Table, from *Inspection, progress func()) error {
	if err := d.run(ctx, []string{`BEGIN`, `DELETE FROM ` + quoteName(t.Name)}); err != nil {
		return err
	}
	insert := d.insertRows
	if d.server != nil {
		insert = d.copyRows
	}
	if err := insert(ctx, t, from, progress); err != nil {
		return errors.Join(fmt.Errorf("%s: %w", t.Name, classify(err)), d.run(context.WithoutCancel(ctx), []string{`ROLLBACK`}))
	}
	return d.run(ctx, []string{`COMMIT`})
}

func (d *Destination) insertRows(ctx context.Context, t Table, from *Inspection, progress func()) error {
	st, err := d.conn.PrepareContext(ctx, t.insertion())
	if err != nil {
		return err
	}
	defer st.Close() //nolint:errcheck // the connection ends it too
	return from.eachIntactRow(ctx, t, func(values []any) error {
		progress()
		_, err := st.ExecContext(ctx, values...)
		return err
	})
}

// copyRows uses COPY, which takes rows as fast as they come.
func (d *Destination) copyRows(ctx context.Context, t Table, from *Inspection, progress func()) error {
	next, stop := iter.Pull2(func(yield func([]any, error) bool) {
		err := from.eachIntactRow(ctx, t, func(values []any) error {
			row := make([]any, len(values))
			for i, v := range values {
				if text, ok := v.(string); ok {
					v = postgres.EncodeText(text)
				}
				row[i] = v
			}
			if !yield(row, nil) {
				return errStopped
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStopped) {
			yield(nil, err)
		}
	})
	defer stop()
	return d.conn.Raw(func(driver any) error {
		_, err := driver.(*stdlib.Conn).Conn().CopyFrom(ctx, pgx.Identifier{t.Name}, t.Columns, pgx.CopyFromFunc(func() ([]any, error) {
			row, err, more := next()
			if !more {
				return nil, nil
			}
			progress()
			return row, err
		}))
		return err
	})
}

var errStopped = errors.New("no more rows are wanted")

// eachIntactRow is EachRow of a table that has to be read whole.
func (i *Inspection) eachIntactRow(ctx context.Context, t Table, f func([]any) error) error {
	err := i.EachRow(ctx, t, f)
	if IsUnreadable(err) {
		err = fmt.Errorf("table %s: %w; save what can be read with 'toolkit export --all'", t.Name, err)
	}
	return err
}

// Finish brings the checks back, which the rows must pass, and keeps numbers that were
// given from being given again.
func (d *Destination) Finish(ctx context.Context, last map[string]int64) error {
	if d.server == nil {
		return d.finishFile(ctx, last)
	}
	if err := d.run(ctx, slices.Concat([]string{`BEGIN`}, d.userTriggers(`ENABLE`), postgres.References(), []string{`COMMIT`})); err != nil {
		return errors.Join(fmt.Errorf("the rows contradict each other: %w", err), d.run(context.WithoutCancel(ctx), []string{`ROLLBACK`}))
	}
	return d.restoreSequences(ctx, last)
}

// restoreSequences sets all that numbers rows behind the greatest number given.
func (d *Destination) restoreSequences(ctx context.Context, last map[string]int64) error {
	type sequence struct{ name, table, column string }
	sequences, err := query.All(rawReader{ctx, d.conn}, func(scan query.Scan) (s sequence, err error) {
		err = scan(&s.name, &s.table, &s.column)
		return s, err
	}, `SELECT s.relname, t.relname, a.attname FROM pg_class s JOIN pg_depend d ON d.objid = s.oid AND d.deptype = 'i' JOIN pg_class t ON t.oid = d.refobjid
		JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = d.refobjsubid WHERE s.relkind = 'S' AND s.relnamespace = current_schema()::regnamespace`)
	if err != nil {
		return classify(err)
	}
	for _, s := range sequences {
		_, err := d.conn.ExecContext(ctx, fmt.Sprintf(`SELECT setval('%s', greatest(n, 1), n > 0) FROM (SELECT greatest(%d, coalesce(max(%s), 0)) AS n FROM %s) m`,
			s.name, last[s.table], s.column, quoteName(s.table)))
		if err != nil {
			return classify(err)
		}
	}
	return nil
}

func (d *Destination) finishFile(ctx context.Context, last map[string]int64) error {
	fresh, err := openFresh(ctx)
	if err != nil {
		return err
	}
	defer fresh.Close() //nolint:errcheck // it is in memory
	declared, err := triggersOf(ctx, fresh)
	if err != nil {
		return err
	}
	there, err := triggersOf(ctx, d.conn)
	if err != nil {
		return err
	}
	for _, t := range declared {
		if !slices.Contains(there, t) {
			if err := d.run(ctx, []string{t.declared}); err != nil {
				return err
			}
		}
	}
	for table, n := range last {
		if err := setSequence(ctx, d.conn, table, n); err != nil {
			return err
		}
	}
	return requireReferences(ctx, d.conn)
}

// Derive runs f on the filled database, which makes its full-text indexes, and lets it
// be opened from then on.
func (d *Destination) Derive(ctx context.Context, f func(context.Context, *DB) error) error {
	if d.server == nil {
		db, err := Open(ctx, Options{Path: d.path})
		if err != nil {
			return err
		}
		return errors.Join(f(ctx, db), db.Close())
	}
	db := d.server.database(d.path, d.pool, d.pool)
	if err := f(ctx, db); err != nil {
		return err
	}
	return d.run(ctx, []string{`COMMENT ON SCHEMA ` + quoteName(d.server.schema) + ` IS NULL`})
}

// Unfinished reports whether an earlier copy to the database was cut short.
func (d *Destination) Unfinished(ctx context.Context) (unfinished bool, err error) {
	if d.server == nil {
		return true, nil // its file has a name of its own until it is finished
	}
	return d.server.unfinished(ctx, d.conn)
}

// OpenFile opens the bytes of a file that the database knows, with their size. Without
// them the error is fs.ErrNotExist.
func (i *Inspection) OpenFile(ctx context.Context, sha256 string) (*os.File, int64, error) {
	if i.server == nil {
		return OpenStoredFile(i.path, sha256)
	}
	var bytes []byte
	err := i.conn.QueryRowContext(ctx, `SELECT bytes FROM blob_bytes WHERE sha256 = $1`, sha256).Scan(&bytes)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, 0, fs.ErrNotExist
	}
	if err != nil {
		return nil, 0, classify(err)
	}
	file, err := unnamedFile(os.TempDir(), bytes)
	return file, int64(len(bytes)), err
}

// StoreFile keeps the bytes of a file in PostgreSQL.
func (d *Destination) StoreFile(ctx context.Context, sha256 string, bytes []byte) error {
	_, err := d.conn.ExecContext(ctx, `INSERT INTO blob_bytes(sha256, bytes) VALUES($1, $2) ON CONFLICT (sha256) DO UPDATE SET bytes = excluded.bytes`, sha256, bytes)
	return classify(err)
}

// OnServer reports whether files and keys lie in the database itself.
func (i *Inspection) OnServer() bool { return i.server != nil }

// Key reads a key that lies in the database; nil: there is none.
func (i *Inspection) Key(ctx context.Context, name string) (key []byte, err error) {
	err = i.conn.QueryRowContext(ctx, `SELECT key FROM keys WHERE name = $1`, name).Scan(&key)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return key, classify(err)
}

// StoreKey keeps a key in PostgreSQL.
func (d *Destination) StoreKey(ctx context.Context, name string, key []byte) error {
	_, err := d.conn.ExecContext(ctx, `INSERT INTO keys(name, key) VALUES($1, $2) ON CONFLICT (name) DO UPDATE SET key = excluded.key`, name, key)
	return classify(err)
}
