package storetest

import (
	"path/filepath"
	"testing"

	"toolkit/store"
)

// Open opens a new database, or the one of a path.
func Open(t testing.TB, path ...string) *store.DB {
	t.Helper()
	if path == nil {
		path = []string{filepath.Join(t.TempDir(), "toolkit.db")}
	}
	db, err := store.Open(t.Context(), store.Options{Path: path[0]})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// Read runs f in a transaction that must succeed.
func Read(t testing.TB, db *store.DB, f func(*store.Tx) error) {
	t.Helper()
	if err := db.Read(t.Context(), f); err != nil {
		t.Fatal(err)
	}
}

// Write runs f in a transaction that must be kept.
func Write(t testing.TB, db *store.DB, f func(*store.Tx) error) {
	t.Helper()
	if err := db.Write(t.Context(), f); err != nil {
		t.Fatal(err)
	}
}

// ReadValue returns what f reads in a transaction that must succeed.
func ReadValue[Value any](t testing.TB, db *store.DB, f func(*store.Tx) (Value, error)) Value {
	t.Helper()
	value, err := store.ReadValue(t.Context(), db, f)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// WriteValue returns what f makes in a transaction that must be kept.
func WriteValue[Value any](t testing.TB, db *store.DB, f func(*store.Tx) (Value, error)) Value {
	t.Helper()
	value, err := store.WriteValue(t.Context(), db, f)
	if err != nil {
		t.Fatal(err)
	}
	return value
}
