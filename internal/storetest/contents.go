// Package storetest compares whole databases in tests. Only tests import it.
package storetest

import (
	"fmt"
	"testing"

	"toolkit/internal/testdb"
	"toolkit/store"
)

// leastTables is fewer than any database of toolkit has; a comparison of less
// would say nothing.
const leastTables = 30

// Contents stand for all that the database at a path holds, as committed: a
// fingerprint of each table and full-text index, by its name, and under
// "sequences" the greatest ids that tables have ever given.
func Contents(t testing.TB, path string) map[string]string {
	t.Helper()
	i, err := store.Inspect(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer i.Close()
	contents, err := i.Fingerprints(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if testdb.Redirect != nil {
		return contents // a number that a refused write took is not given again there
	}
	last, err := i.Sequences(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	contents["sequences"] = fmt.Sprint(last)
	return contents
}

// SameContents requires that two databases, or one before and after, hold the
// same, and names the tables that differ.
func SameContents(t testing.TB, got, want map[string]string) {
	t.Helper()
	for table, sum := range want {
		if got[table] != sum {
			t.Errorf("%s is not as it was", table)
		}
	}
	if len(got) != len(want) || len(want) < leastTables {
		t.Errorf("%d tables, want %d, and at least %d", len(got), len(want), leastTables)
	}
}
