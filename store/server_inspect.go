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

// lastNumbers are the greatest numbers that tables have ever given, of those that never
// give one again and gave any.
func lastNumbers(ctx context.Context, on query.Connection) (map[string]int64, error) {
	fresh, err := newSchema()
	if err != nil {
		return nil, err
	}
	last := map[string]int64{}
	for _, t := range fresh.tables {
		if !t.Counts {
			continue
		}
		var n int64
		var called bool
		if err := on.QueryRowContext(ctx, `SELECT last_value, is_called FROM `+quoteName(postgres.Sequence(t.Name))).Scan(&n, &called); err != nil {
			return nil, err
		}
		if called {
			last[t.Name] = n
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
