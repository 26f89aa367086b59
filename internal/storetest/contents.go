// Package storetest compares whole databases in tests. Only tests import it.
package storetest

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"
	"net/url"
	"path/filepath"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver of PostgreSQL
	_ "modernc.org/sqlite"             // the driver of files

	_ "toolkit/internal/testenv" // temporary folders lie in memory
	"toolkit/store"
	"toolkit/store/localfile"
)

// minTables is fewer than any database of toolkit has; a comparison of less
// would say nothing.
const minTables = 30

// FingerprintTables stand for all that the database at a path holds, as committed: a
// fingerprint of each table and full-text index, by its name, and under
// "sequences" the greatest ids that tables have ever given.
func FingerprintTables(t testing.TB, path string) map[string]string {
	t.Helper()
	i, err := store.OpenInspection(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer i.Close()
	tables, err := i.Tables(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	contents := map[string]string{}
	for _, table := range tables {
		switch {
		case table.View:
			continue
		case table.Virtual:
			contents[table.Name], err = hashIndexTerms(t.Context(), path, table.Name)
		default:
			contents[table.Name], err = i.Fingerprint(t.Context(), table)
		}
		if err != nil {
			t.Fatalf("%s: %v", table.Name, err)
		}
	}
	if localfile.Redirect != nil {
		return contents // a number that a refused write took is not given again there
	}
	last, err := i.Sequences(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	contents["sequences"] = fmt.Sprint(last)
	return contents
}

// hashIndexTerms hashes every place of every term in a full-text index.
func hashIndexTerms(ctx context.Context, path, table string) (string, error) {
	driver, address, setup := "sqlite", "", `CREATE VIRTUAL TABLE temp.places USING fts5vocab('main', '`+table+`', 'instance')`
	statement := `SELECT concat_ws(' ', doc, col, "offset", term) FROM temp.places ORDER BY doc, col, "offset", term`
	if localfile.Redirect != nil {
		var space string
		address, space = localfile.Redirect(path)
		driver, setup = "pgx", `SET search_path = toolkit_`+space
		statement = `SELECT concat_ws(' ', rowid, terms::text) FROM ` + table + ` ORDER BY rowid`
	} else {
		abs, err := filepath.Abs(path)
		if err != nil {
			return "", err
		}
		query := url.Values{"mode": {"rw"}, "_pragma": {"busy_timeout(5000)", "temp_store(2)"}}
		address = (&url.URL{Scheme: "file", Path: filepath.ToSlash(abs), RawQuery: query.Encode()}).String()
	}
	pool, err := sql.Open(driver, address)
	if err != nil {
		return "", err
	}
	defer pool.Close() //nolint:errcheck // it was only read
	pool.SetMaxOpenConns(1)
	if _, err := pool.ExecContext(ctx, setup); err != nil {
		return "", err
	}
	rows, err := pool.QueryContext(ctx, statement)
	if err != nil {
		return "", err
	}
	defer rows.Close() //nolint:errcheck // Err tells
	sum := sha256.New()
	for rows.Next() {
		var place string
		if err := rows.Scan(&place); err != nil {
			return "", err
		}
		fmt.Fprintf(sum, "%q\n", place)
	}
	return hex.EncodeToString(sum.Sum(nil)), rows.Err()
}

// RequireSameContents requires that two databases, or one before and after, hold the
// same, and names the tables that differ.
func RequireSameContents(t testing.TB, got, want map[string]string) {
	t.Helper()
	for table, sum := range want {
		if got[table] != sum {
			t.Errorf("%s is not as it was", table)
		}
	}
	if len(got) != len(want) || len(want) < minTables {
		t.Errorf("%d tables, want %d, and at least %d", len(got), len(want), minTables)
	}
}
