package store

import (
	"context"
	"slices"
	"strings"

	"toolkit/store/internal/query"
)

// Table is a table of the schema as it is in a file.
type Table struct {
	Name    string
	Columns []string // in order; generated ones left out
	Key     []string // primary key columns in order; nil: none
	Counts  bool     // ids are never used again
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

// readCatalog lists the tables of a file in the order of their creation:
// ordinary ones, which hold everything that is remembered, and virtual ones,
// which are derived. What SQLite, versions and full-text indexes keep for
// themselves is left out.
func readCatalog(ctx context.Context, db query.Connection) ([]Table, error) {
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
		tables = append(tables, Table{Name: name, Counts: strings.Contains(declared, "AUTOINCREMENT"), RowID: kind == "table" && !withoutRowID, Virtual: kind == "virtual",
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

func readColumns(ctx context.Context, db query.Connection, t *Table) error {
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
	on  query.Connection
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

func quoteNames(names []string) string { return joinPrefixedNames(names, "") }

// joinPrefixedNames lists names with what stands before each.
func joinPrefixedNames(names []string, prefix string) string {
	parts := make([]string, len(names))
	for i, name := range names {
		parts[i] = prefix + quoteName(name)
	}
	return strings.Join(parts, ", ")
}

// RebuildWordIndexes empties the full-text indexes of graph and memory and fills them
// again from the rows. Indexes of terms that rules derive are filled by their family.
func (tx *Tx) RebuildWordIndexes() error {
	for _, w := range wordIndexes {
		if w.columns == "" {
			continue
		}
		if err := tx.sql().ClearWordIndex(w.table); err != nil {
			return err
		}
		if err := tx.sql().FillWordIndex(w.table, w.columns, w.rows); err != nil {
			return err
		}
	}
	return nil
}

// wordIndexes are the full-text indexes, with the topic of what they index, the columns
// that are indexed, unless a rule derives what is, and the rows that should be in them, by
// their id.
var wordIndexes = []struct {
	table   string
	topic   Topic
	columns string
	rows    string
}{
	{"entity_words", TopicGraph, `id, name, type, title, body`, `entities`},
	{"observation_words", TopicGraph, `id, content`, `observations`},
	{"memory_words_l0", TopicDialogue, `id, terms, day, source_terms`, `(SELECT * FROM memory_rows WHERE source = 'l0') r`},
	{"memory_words_l2", TopicInsights, `id, terms, day, source_terms`, `(SELECT * FROM memory_rows WHERE source = 'l2') r`},
	{"memory_words_episode", TopicEpisodes, `id, terms, day, source_terms`, `(SELECT * FROM memory_rows WHERE source = 'episode') r`},
	{"record_words", TopicPayloads, ``, `(SELECT seq AS id FROM records) r`},
	{"snapshot_words", TopicPayloads, ``, `(SELECT s.entity AS id FROM snapshots s JOIN truth_entities e ON e.seq = s.entity WHERE e.name <> '') r`},
}

// MarkReindexed lets every process know that what searches find may have changed,
// though no row did.
func (tx *Tx) MarkReindexed() { tx.sql().Touch(TopicGraph, TopicCharts, TopicPayloads) }
