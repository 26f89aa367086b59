// Package plantest shows tests how SQLite runs the statements of the store. Only tests
// below store import it.
package plantest

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"toolkit/store"
	"toolkit/store/internal/query"
	"toolkit/store/localfile"
)

// ExplainPlan returns how SQLite would run a statement.
func ExplainPlan(t testing.TB, db *store.DB, statement string) []string {
	t.Helper()
	var details []string
	readSQLite(t, db, func(tx *store.Tx) error {
		return (*query.Tx)(tx).Each(func(scan func(...any) error) error {
			var id, parent, unused int
			var detail string
			err := scan(&id, &parent, &unused, &detail)
			details = append(details, detail)
			return err
		}, explain+statement, make([]any, countParameters(statement))...)
	})
	return details
}

// readSQLite runs f in a transaction, and skips a test that runs on PostgreSQL.
func readSQLite(t testing.TB, db *store.DB, f func(*store.Tx) error) {
	t.Helper()
	if localfile.Redirect != nil {
		t.Skip("of SQLite: its plans")
	}
	if err := db.Read(t.Context(), f); err != nil {
		t.Fatal(err)
	}
}

const explain = "EXPLAIN QUERY PLAN "

var numbered = regexp.MustCompile(`\?(\d+)`)

// countParameters counts the arguments of a statement, numbered or not.
func countParameters(query string) int {
	highest := 0
	for _, found := range numbered.FindAllStringSubmatch(query, -1) {
		n, _ := strconv.Atoi(found[1])
		highest = max(highest, n)
	}
	if highest == 0 {
		return strings.Count(query, "?")
	}
	return highest
}

// RequireRecordedQueries returns the queries that reads have made so far, of those with a part.
func RequireRecordedQueries(t testing.TB, db *store.DB, part string, minimum int) []string {
	t.Helper()
	var queries []string
	readSQLite(t, db, func(tx *store.Tx) error {
		queries = slices.DeleteFunc((*query.Tx)(tx).SeenQueries(), func(q string) bool { return !strings.Contains(q, part) || strings.HasPrefix(q, explain) })
		return nil
	})
	if len(queries) < minimum {
		t.Fatalf("only %d statements were seen", len(queries))
	}
	return queries
}

// RequireNoFullScans requires that queries read whole tables only where that is by
// design.
func RequireNoFullScans(t testing.TB, db *store.DB, queries []string, byDesign func(query, detail string) bool) {
	t.Helper()
	for _, query := range queries {
		for _, detail := range ExplainPlan(t, db, query) {
			if strings.HasPrefix(detail, "SCAN ") && !byDesign(query, detail) {
				t.Errorf("%s\nreads a whole table: %s", query, detail)
			}
		}
	}
}
