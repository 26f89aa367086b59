package store

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"toolkit/store/internal/query"
)

// Table is a table of the schema as it is in a file.
type Table struct {
	Name    string
	Columns []string // in order; generated ones left out
	Key     []string // primary key columns in order; nil: none
	RowID   bool     // rows have a rowid, by which they can be sought
	ByText  bool     // and a key that is another, whose order PostgreSQL has too
	Virtual bool     // a full-text index or a view of one: derived, never copied
	View    bool     // a view of a full-text index, without contents of its own
}

// isNumbered reports whether rows are known by a number.
func (t Table) isNumbered() bool { return t.RowID && !t.ByText && len(t.Key) == 1 }

// bookkeeping lists tables that belong to the file rather than to its contents:
// which versions it had, what of a forgetting is still to do in it, what
// Litestream, which copies it, keeps in it.
var bookkeeping = []string{"goose_db_version", "forgetting", "_litestream_seq", "_litestream_lock"}

// querier is what reading the schema needs, a pool or a connection.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// execer can also change what it reads.
type execer interface {
	querier
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// readCatalog lists the tables of a file in the order of their creation:
// ordinary ones, which hold everything that is remembered, and virtual ones,
// which are derived. What SQLite, versions and full-text indexes keep for
// themselves is left out.
func readCatalog(ctx context.Context, db querier) ([]Table, error) {
	var tables []Table
	err := rawReader{ctx, db}.Each(func(scan query.Scan) error {
		var name, kind, declared string
		var withoutRowID bool
		if err := scan(&name, &kind, &withoutRowID, &declared); err != nil {
			return err
		}
		if (kind != "table" && kind != "virtual") || slices.Contains(bookkeeping, name) || strings.HasPrefix(name, "sqlite_") {
			return nil
		}
		tables = append(tables, Table{Name: name, RowID: kind == "table" && !withoutRowID, Virtual: kind == "virtual",
			View: kind == "virtual" && strings.Contains(strings.ToLower(declared), "using fts5vocab")})
		return nil
	}, `SELECT l.name, l.type, l.wr, m.sql FROM pragma_table_list l JOIN sqlite_master m ON m.type = 'table' AND m.name = l.name
		WHERE l.schema = 'main' ORDER BY m.rowid`)
	if err != nil {
		return nil, err
	}
	for i := range tables {
		if err := readColumns(ctx, db, &tables[i]); err != nil {
			return nil, err
		}
	}
	return tables, nil
}

func readColumns(ctx context.Context, db querier, t *Table) error {
	keys := map[int]string{}
	err := rawReader{ctx, db}.Each(func(scan query.Scan) error {
		var name, declared string
		var key, hidden int
		if err := scan(&name, &declared, &key, &hidden); err != nil || hidden != 0 {
			return err
		}
		t.Columns = append(t.Columns, name)
		if key > 0 {
			keys[key] = name
			t.ByText = t.RowID && declared != "INTEGER"
		}
		return nil
	}, `SELECT name, type, pk, hidden FROM pragma_table_xinfo(?) ORDER BY cid`, t.Name)
	for i := 1; i <= len(keys); i++ {
		t.Key = append(t.Key, keys[i])
	}
	return err
}

// rawReader asks a pool or a connection in the words of its engine; see query.Reader.
type rawReader struct {
	ctx context.Context
	on  querier
}

// Each calls f for every row of a query.
func (r rawReader) Each(f func(query.Scan) error, statement string, args ...any) error {
	rows, err := r.on.QueryContext(r.ctx, statement, args...)
	if err != nil {
		return err
	}
	defer rows.Close() //nolint:errcheck // rows.Err tells
	for rows.Next() {
		if err := f(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// quoteName makes a name of the schema safe inside a statement.
func quoteName(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

func quoteNames(names []string) string { return quoteEach(names, "", "") }

// quoteEach lists names with what stands before and after each.
func quoteEach(names []string, before, after string) string {
	parts := make([]string, len(names))
	for i, name := range names {
		parts[i] = before + quoteName(name) + after
	}
	return strings.Join(parts, ", ")
}

// wordTables are the full-text indexes that hold columns of rows, each with the
// columns of its rows. Indexes of terms that rules derive are filled by
// their family.
var wordTables = []wordTable{
	{"entity_words", `id, name, type, title, body`, `entities`},
	{"observation_words", `id, content`, `observations`},
	{"memory_words_l0", `id, terms, day, source_terms`, `(SELECT * FROM memory_rows WHERE source = 'l0') r`},
	{"memory_words_l2", `id, terms, day, source_terms`, `(SELECT * FROM memory_rows WHERE source = 'l2') r`},
	{"memory_words_episode", `id, terms, day, source_terms`, `(SELECT * FROM memory_rows WHERE source = 'episode') r`},
}

type wordTable struct{ name, columns, rows string }

// RebuildWords empties the full-text indexes of graph and memory and fills them
// again from the rows.
func (tx *Tx) RebuildWords() error {
	for _, t := range wordTables {
		if err := tx.sql().EmptyWords(t.name); err != nil {
			return err
		}
		if err := tx.sql().FillWords(t.name, t.columns, t.rows); err != nil {
			return err
		}
	}
	return nil
}

// MarkReindexed lets every process know that what searches find may have changed,
// though no row did.
func (tx *Tx) MarkReindexed() { tx.sql().Touch(TopicGraph, TopicCharts, TopicPayloads) }
