package storetest

import (
	"database/sql"
	"testing"

	_ "modernc.org/sqlite" // the driver

	"toolkit/store"
)

// DescribeSchemaByPartKind describes the schema of a new file, a line for each part: columns with
// their types, keys, the names of indexes, and references.
func DescribeSchemaByPartKind(t testing.TB, path string) map[string][]string {
	t.Helper()
	load, err := openNewDatabaseFile(t, path)
	if err != nil {
		t.Fatal(err)
	}
	defer load.Close() //nolint:errcheck // it is only read
	lists := map[string][]string{}
	const tables = `(SELECT l.name AS tbl FROM pragma_table_list l WHERE l.schema = 'main' AND l.type = 'table' AND l.name NOT LIKE 'sqlite\_%' ESCAPE '\' AND l.name <> 'goose_db_version') t`
	for part, query := range map[string]string{
		"columns":    `SELECT tbl || '.' || c.name || ' ' || c.type FROM ` + tables + ` JOIN pragma_table_info(t.tbl) c`,
		"keys":       `SELECT tbl || ' ' || group_concat(c.name, ' ' ORDER BY c.pk) FROM ` + tables + ` JOIN pragma_table_info(t.tbl) c WHERE c.pk > 0 GROUP BY tbl`,
		"indexes":    `SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL`,
		"references": `SELECT tbl || '.' || f."from" || ' ' || f."table" || ' ' || f.on_delete FROM ` + tables + ` JOIN pragma_foreign_key_list(t.tbl) f`,
	} {
		rows, err := load.Query(query)
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			var line string
			if err := rows.Scan(&line); err != nil {
				t.Fatal(err)
			}
			lists[part] = append(lists[part], line)
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
	}
	return lists
}

// openNewDatabaseFile returns a new file whatever the engine of the tests is.
func openNewDatabaseFile(t testing.TB, path string) (*sql.DB, error) {
	t.Helper()
	load, err := store.NewDestination(t.Context(), path, store.NewestSchema())
	if err != nil {
		return nil, err
	}
	if err := load.Close(); err != nil {
		return nil, err
	}
	return sql.Open("sqlite", path)
}
