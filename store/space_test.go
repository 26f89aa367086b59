package store

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

func TestASpaceIsADatabaseOfItsOwnBesideTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "toolkit.db")
	add := func(tx *Tx) error { return tx.sql().Exec(`INSERT INTO hook_sweeps(client, at) VALUES('codex', 1)`) }
	for space, folder := range map[string]string{"": "", "anna": "spaces/anna", "b_2": "spaces/b_2"} {
		db, err := Open(t.Context(), Options{Path: path, Space: space})
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if want := filepath.Join(filepath.Dir(path), folder, "toolkit.db"); db.Path() != want {
			t.Errorf("%q is %s, want %s", space, db.Path(), want)
		}
		must(t, db.Write(t.Context(), add)) // the row is in none of the others
	}
	for _, name := range []string{"Anna", "../anna", "anna/b", "1a", "a b", "_a", strings.Repeat("a", 41), "a\n"} {
		var refused *OpenError
		if db, err := Open(t.Context(), Options{Path: path, Space: name}); !errors.As(err, &refused) || ValidSpace(name) {
			t.Errorf("%q is a space: %v, %v", name, db, err)
		}
	}
}
