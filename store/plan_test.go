package store

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// plan is how SQLite would run a query.
func plan(t *testing.T, db *DB, query string) []string {
	t.Helper()
	rows, err := db.reader.Query("EXPLAIN QUERY PLAN "+query, make([]any, parameters(query))...)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	var details []string
	for rows.Next() {
		var id, parent, unused int
		var detail string
		if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
			t.Fatal(err)
		}
		details = append(details, detail)
	}
	return details
}

var numbered = regexp.MustCompile(`\?(\d+)`)

// parameters counts the arguments of a statement, numbered or not.
func parameters(query string) int {
	most := 0
	for _, found := range numbered.FindAllStringSubmatch(query, -1) {
		n, _ := strconv.Atoi(found[1])
		most = max(most, n)
	}
	if most == 0 {
		return strings.Count(query, "?")
	}
	return most
}

// queriesRead are the queries that reads have made so far, of those with a part.
func queriesRead(t *testing.T, db *DB, part string, least int) []string {
	t.Helper()
	var queries []string
	reading(t, db, func(tx *Tx) error {
		queries = slices.DeleteFunc(tx.sql().Met(), func(query string) bool { return !strings.Contains(query, part) })
		return nil
	})
	if len(queries) < least {
		t.Fatalf("only %d statements were seen", len(queries))
	}
	return queries
}

// noTableIsWalked requires that queries read whole tables only where that is by
// design.
func noTableIsWalked(t *testing.T, db *DB, queries []string, byDesign func(query, detail string) bool) {
	t.Helper()
	for _, query := range queries {
		for _, detail := range plan(t, db, query) {
			if strings.HasPrefix(detail, "SCAN ") && !byDesign(query, detail) {
				t.Errorf("%s\nreads a whole table: %s", query, detail)
			}
		}
	}
}
