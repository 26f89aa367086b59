package store

import (
	"path/filepath"
	"testing"
)

func TestReadFirstKeepsNoStatementPrepared(t *testing.T) {
	path := filepath.Join(t.TempDir(), "toolkit.db")
	for _, readFirst := range []bool{false, true} {
		db, err := Open(t.Context(), Options{Path: path, ReadFirst: readFirst})
		if err != nil {
			t.Fatal(err)
		}
		seen := 0
		err = db.Read(t.Context(), func(tx *Tx) error {
			_, err := tx.SizeBytes()
			seen = len(tx.sql().SeenQueries())
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil || (seen == 0) != readFirst {
			t.Errorf("read first %v: %d statements are kept, %v", readFirst, seen, err)
		}
	}
}
