package store

import (
	"path/filepath"
	"testing"
)

// What it costs to see that the database is in its place, alone and as a part of
// reads and writes.
func BenchmarkInPlace(b *testing.B) {
	db, err := Open(b.Context(), Options{Path: filepath.Join(b.TempDir(), "toolkit.db")})
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	for name, f := range map[string]func() error{
		"check": func() error { return db.inPlace.check(b.Context()) },
		"read":  func() error { return db.Read(b.Context(), func(*Tx) error { return nil }) },
		"write": func() error {
			return db.Write(b.Context(), func(tx *Tx) error { tx.sql().Touch(TopicGraph); return nil })
		},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := f(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
