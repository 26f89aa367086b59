package store

import (
	"fmt"
	"path/filepath"
	"testing"

	"toolkit/internal/testdb"
)

func BenchmarkOpenNewDatabase(b *testing.B) {
	defer func(template func(string) bool) { testdb.NewFile = template }(testdb.NewFile)
	testdb.NewFile = nil // tests copy a database that is made once
	folder := b.TempDir()
	for i := 0; b.Loop(); i++ {
		db, err := Open(b.Context(), Options{Path: filepath.Join(folder, fmt.Sprint(i), "toolkit.db")})
		if err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		if err := db.Close(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}
