package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"strings"

	"github.com/jackc/pgx/v5/stdlib"

	"toolkit/store/internal/elsewhere"
	"toolkit/store/internal/postgres"
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

// numberedTables are the tables that never give a number again, in SQLite's words.
func numberedTables(ctx context.Context) (map[string]bool, error) {
	fresh, err := openFresh(ctx)
	if err != nil {
		return nil, err
	}
	defer fresh.Close() //nolint:errcheck // it is in memory
	tables := map[string]bool{}
	err = eachRow(ctx, fresh, func(scan func(...any) error) error {
		var name string
		err := scan(&name)
		tables[name] = true
		return err
	}, `SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'`)
	for _, name := range bookkeeping {
		delete(tables, name)
	}
	return tables, err
}

// lastNumbers are the greatest numbers that tables have ever given, of those that gave
// any.
func lastNumbers(ctx context.Context, on execer) (map[string]int64, error) {
	tables, err := numberedTables(ctx)
	if err != nil {
		return nil, err
	}
	last := map[string]int64{}
	for name := range tables {
		sequence := numberSequence(name)
		var n int64
		var called bool
		if err := on.QueryRowContext(ctx, `SELECT last_value, is_called FROM `+quoteName(sequence)).Scan(&n, &called); err != nil {
			return nil, err
		}
		if called {
			last[name] = n
		}
	}
	return last, nil
}

// eachPlainRow calls f with the values of every row of a table, in the order of its key.
func (i *Inspection) eachPlainRow(ctx context.Context, t Table, f func(values []any) error) error {
	values, targets := scanTargets(len(t.Columns))
	return eachRow(ctx, i.conn, func(scan func(...any) error) error {
		if err := scan(targets...); err != nil {
			return err
		}
		dialect.Given(targets)
		return f(values)
	}, `SELECT `+quoteNames(t.Columns)+` FROM `+quoteName(t.Name)+` ORDER BY `+quoteNames(t.orderedBy()))
}

var dialect postgres.Dialect

// plainFingerprint is the fingerprint of a table of PostgreSQL, the same as that of a
// table of SQLite that holds the same; of a full-text index its own.
func plainFingerprint(ctx context.Context, on querier, t Table) (string, error) {
	query, width := `SELECT `+quoteNames(t.Columns)+` FROM `+quoteName(t.Name)+` ORDER BY `+quoteNames(t.orderedBy()), len(t.Columns)
	if t.Virtual {
		query, width = `SELECT rowid, terms::text FROM `+quoteName(t.Name)+` ORDER BY rowid`, 2
	}
	sum := sha256.New()
	values, targets := scanTargets(width)
	err := eachRow(ctx, on, func(scan func(...any) error) error {
		if err := scan(targets...); err != nil {
			return err
		}
		dialect.Given(targets)
		for _, v := range values {
			if err := hashValue(sum, v); err != nil {
				return err
			}
		}
		return nil
	}, query)
	return hex.EncodeToString(sum.Sum(nil)), err
}

func (i *Inspection) serverFingerprints(ctx context.Context, tables []Table) (map[string]string, error) {
	sums := map[string]string{}
	for _, t := range tables {
		if t.View {
			continue
		}
		var err error
		if sums[t.Name], err = plainFingerprint(ctx, i.conn, t); err != nil {
			return nil, fmt.Errorf("%s: %w", t.Name, classify(err))
		}
	}
	return sums, nil
}

// placeOf is where a path leads in a test that keeps its files elsewhere.
func placeOf(path string) (address, space string) {
	if elsewhere.Of != nil && !IsPostgres(path) {
		return elsewhere.Of(path)
	}
	return cutSpace(path, "")
}

// numberSequence is the name that PostgreSQL gives to what numbers the rows of a table.
func numberSequence(table string) string {
	key := "id"
	for _, name := range seqTables {
		if table == name {
			key = "seq"
		}
	}
	return table + "_" + key + "_seq"
}

// seqTables are the tables whose rows are numbered by a column seq.
var seqTables = strings.Fields(`entity_changes memory_vectors memory_forgotten records record_vectors record_history truth_entities truth_observations pocket_datasets pocket_predictions`)
