package store

import (
	"context"
	"fmt"
	"os"

	"github.com/jackc/pgx/v5/stdlib"

	"toolkit/internal/testdb"
	"toolkit/store/internal/postgres"
	"toolkit/store/internal/query"
)

// inspectPostgres opens a space of a server for inspection, as of one moment.
func inspectPostgres(ctx context.Context, address, space string) (*Inspection, error) {
	s := newServer(address, space)
	config, err := s.config(address)
	if err != nil {
		return nil, err
	}
	i := &Inspection{path: s.name, server: s, pool: stdlib.OpenDB(*config)}
	if err := i.openServer(ctx); err != nil {
		i.Close() //nolint:errcheck // the first error is the one to report
		return nil, s.describe(err)
	}
	return i, nil
}

func (i *Inspection) openServer(ctx context.Context) (err error) {
	if i.conn, err = i.pool.Conn(ctx); err != nil {
		return err
	}
	if version, err := i.server.version(ctx, i.conn); err != nil || version == 0 {
		if err == nil {
			err = &OpenError{Message: fmt.Sprintf("%s holds nothing of toolkit yet; 'toolkit move' brings a database there, or 'toolkit serve' makes a new one", i.path), Err: os.ErrNotExist}
		}
		return err
	}
	_, err = i.conn.ExecContext(ctx, `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`)
	return err
}

// tablesOfSchema are the tables of the newest schema, as SQLite has them: the same that
// a database of PostgreSQL has, in the same order.
func tablesOfSchema(ctx context.Context) ([]Table, error) {
	fresh, err := openFresh(ctx)
	if err != nil {
		return nil, err
	}
	defer fresh.Close() //nolint:errcheck // it is in memory
	return readCatalog(ctx, fresh)
}

// lastNumbers are the greatest numbers that tables have ever given, of those that never
// give one again and gave any.
func lastNumbers(ctx context.Context, on rowQuerier) (map[string]int64, error) {
	fresh, err := openFresh(ctx)
	if err != nil {
		return nil, err
	}
	defer fresh.Close() //nolint:errcheck // it is in memory
	tables, err := query.Select(rawReader{ctx, fresh}, query.Column[string], `SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'
		AND name NOT IN (SELECT value FROM json_each(?))`, query.List(bookkeeping))
	if err != nil {
		return nil, err
	}
	last := map[string]int64{}
	for _, name := range tables {
		var n int64
		var called bool
		if err := on.QueryRowContext(ctx, `SELECT last_value, is_called FROM `+quoteName(postgres.Sequence(name))).Scan(&n, &called); err != nil {
			return nil, err
		}
		if called {
			last[name] = n
		}
	}
	return last, nil
}

// testAddress is where a path leads in a test that keeps its files in another database.
func testAddress(path string) (address, space string) {
	if testdb.Redirect != nil && !IsPostgres(path) {
		return testdb.Redirect(path)
	}
	return cutSpace(path, "")
}
