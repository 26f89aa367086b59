package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"toolkit/store/internal/postgres"
)

// Destination is a database that everything of another one is copied to, table by
// table. A table that was copied stays, so that a copy that was cut short goes on.
// Until Finish nothing refers to anything and nothing is derived.
type Destination struct {
	path   string
	server *server // nil: a file of SQLite
	pool   *sql.DB
	conn   *sql.Conn
	tables []Table
}

// movingMark is the comment on a schema that is being filled.
const movingMark = "toolkit move: unfinished"

// NewDestination opens a database to be filled: a new file, one that an earlier copy
// was about to fill, or the schema of a space of PostgreSQL.
func NewDestination(ctx context.Context, path string) (d *Destination, err error) {
	d = &Destination{path: path}
	if d.tables, err = tablesOfSchema(ctx); err != nil {
		return nil, err
	}
	if address, space := placeOf(path); IsPostgres(address) {
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
	if d.pool, err = sql.Open("sqlite", plainDSN(d.path, false)); err != nil {
		return err
	}
	if d.conn, err = d.pool.Conn(ctx); err != nil {
		return err
	}
	if _, err := d.conn.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id=%d", applicationID)); err != nil {
		return err
	}
	return migrate(ctx, d.pool)
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
	if d.conn, err = d.pool.Conn(ctx); err != nil {
		return err
	}
	return nil
}

// Begin takes the checks away that hold between tables.
func (d *Destination) Begin(ctx context.Context) error {
	if d.server == nil {
		return d.eachTrigger(ctx, d.conn, func(name, _ string) error {
			_, err := d.conn.ExecContext(ctx, `DROP TRIGGER `+quoteName(name))
			return err
		})
	}
	if _, err := d.conn.ExecContext(ctx, `COMMENT ON SCHEMA `+quoteName(d.server.schema)+` IS '`+movingMark+`'`); err != nil {
		return err
	}
	return d.alter(ctx, func(table string) string { return `ALTER TABLE ` + table + ` DISABLE TRIGGER USER` }, `SELECT format('ALTER TABLE %I DROP CONSTRAINT %I', c.relname, k.conname)
		FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid WHERE k.contype = 'f' AND k.connamespace = current_schema()::regnamespace`)
}

// alter runs a statement for every table, and those that a query gives.
func (d *Destination) alter(ctx context.Context, each func(table string) string, query string) error {
	var statements []string
	for _, t := range d.tables {
		if !t.View {
			statements = append(statements, each(t.Name))
		}
	}
	if query != "" {
		err := eachRow(ctx, d.conn, func(scan func(...any) error) error {
			var statement string
			err := scan(&statement)
			statements = append(statements, statement)
			return err
		}, query)
		if err != nil {
			return err
		}
	}
	return d.run(ctx, statements)
}

func (d *Destination) run(ctx context.Context, statements []string) error {
	for _, statement := range statements {
		if _, err := d.conn.ExecContext(ctx, statement); err != nil {
			return classify(err)
		}
	}
	return nil
}

func (d *Destination) eachTrigger(ctx context.Context, of querier, f func(name, declared string) error) error {
	found := map[string]string{}
	var order []string
	err := eachRow(ctx, of, func(scan func(...any) error) error {
		var name, declared string
		err := scan(&name, &declared)
		found[name], order = declared, append(order, name)
		return err
	}, `SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY rowid`)
	for _, name := range order {
		err = errors.Join(err, f(name, found[name]))
	}
	return err
}

// Tables are the tables to be filled, in order.
func (d *Destination) Tables() []Table {
	return slices.DeleteFunc(slices.Clone(d.tables), func(t Table) bool { return t.Virtual })
}

// Fingerprint stands for all that a table holds, see Inspection.Fingerprint.
func (d *Destination) Fingerprint(ctx context.Context, t Table) (string, error) {
	return fingerprintOf(ctx, d.conn, d.server, t)
}

// Fingerprint stands for all that a table holds: tables with the same contents have the
// same, in a file and in PostgreSQL.
func (i *Inspection) Fingerprint(ctx context.Context, t Table) (string, error) {
	return fingerprintOf(ctx, i.conn, i.server, t)
}

func fingerprintOf(ctx context.Context, conn *sql.Conn, s *server, t Table) (sum string, err error) {
	if s != nil {
		sum, err = plainFingerprint(ctx, conn, t)
	} else {
		sum, err = fingerprint(ctx, conn, t)
	}
	return sum, classify(err)
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
	st, err := d.conn.PrepareContext(ctx, `INSERT INTO `+quoteName(t.Name)+`(`+quoteNames(t.Columns)+`) VALUES(?`+strings.Repeat(", ?", len(t.Columns)-1)+`)`)
	if err != nil {
		return err
	}
	defer st.Close() //nolint:errcheck // the connection ends it too
	return from.eachSound(ctx, t, func(values []any) error {
		progress()
		_, err := st.ExecContext(ctx, values...)
		return err
	})
}

// copyRows uses COPY, which takes rows as fast as they come.
func (d *Destination) copyRows(ctx context.Context, t Table, from *Inspection, progress func()) error {
	next, stop := iter.Pull2(func(yield func([]any, error) bool) {
		err := from.eachSound(ctx, t, func(values []any) error {
			row := make([]any, len(values))
			for i, v := range values {
				if text, ok := v.(string); ok {
					v = postgres.Keep(text)
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

// eachSound is EachRow of a table that can be read whole.
func (i *Inspection) eachSound(ctx context.Context, t Table, f func([]any) error) error {
	gaps, err := i.EachRow(ctx, t, f)
	if err == nil && len(gaps) > 0 {
		err = fmt.Errorf("%w: %s; save what can be read with 'toolkit export --all'", ErrDamaged, gaps[0])
	}
	return err
}

// Finish brings the checks back, which the rows must pass, and keeps numbers that were
// given from being given again.
func (d *Destination) Finish(ctx context.Context, last map[string]int64) error {
	if d.server == nil {
		return d.finishFile(ctx, last)
	}
	statements := []string{`BEGIN`}
	for _, t := range d.tables {
		if !t.View {
			statements = append(statements, `ALTER TABLE `+t.Name+` ENABLE TRIGGER USER`)
		}
	}
	statements = append(append(statements, postgres.References()...), `COMMIT`)
	if err := d.run(ctx, statements); err != nil {
		return errors.Join(fmt.Errorf("the rows contradict each other: %w", err), d.run(context.WithoutCancel(ctx), []string{`ROLLBACK`}))
	}
	return d.keepNumbers(ctx, last)
}

// keepNumbers sets all that numbers rows behind the greatest number given.
func (d *Destination) keepNumbers(ctx context.Context, last map[string]int64) error {
	type sequence struct{ name, table, column string }
	var sequences []sequence
	err := eachRow(ctx, d.conn, func(scan func(...any) error) error {
		var s sequence
		err := scan(&s.name, &s.table, &s.column)
		sequences = append(sequences, s)
		return err
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
	declared := map[string]string{}
	if err := d.eachTrigger(ctx, fresh, func(name, sql string) error { declared[name] = sql; return nil }); err != nil {
		return err
	}
	if err := d.eachTrigger(ctx, d.conn, func(name, _ string) error { delete(declared, name); return nil }); err != nil {
		return err
	}
	if err := d.run(ctx, slices.Sorted(maps.Values(declared))); err != nil {
		return err
	}
	for table, n := range last {
		for _, statement := range []string{`DELETE FROM sqlite_sequence WHERE name = ?1 AND ?2 = ?2`, `INSERT INTO sqlite_sequence(name, seq) VALUES(?1, ?2)`} {
			if _, err := d.conn.ExecContext(ctx, statement, table, n); err != nil {
				return classify(err)
			}
		}
	}
	faults, err := foreignKeyFaults(ctx, d.conn, 1)
	if err == nil && len(faults) > 0 {
		err = fmt.Errorf("the rows contradict each other: %s", faults[0])
	}
	return err
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

// Remembered is how many rows the database has beyond those of a new one.
func (d *Destination) Remembered(ctx context.Context) (int, error) {
	return (&Inspection{path: d.path, server: d.server, pool: d.pool, conn: d.conn}).Remembered(ctx)
}

// Close ends the connections.
func (d *Destination) Close() error {
	return (&Inspection{pool: d.pool, conn: d.conn}).Close()
}

// OpenFile opens the bytes of a file that the database knows, with their size. Without
// them the error is fs.ErrNotExist.
func (i *Inspection) OpenFile(ctx context.Context, sha256 string) (*os.File, int64, error) {
	if i.server == nil {
		return OpenKept(i.path, sha256)
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
func (d *Destination) OnServer() bool { return d.server != nil }

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
