package records

import (
	"fmt"
	"testing"

	"toolkit/internal/storetest"
	"toolkit/store"
)

// BenchmarkAWordInEveryRecord reports what a search for a word that all of 100,000
// records have costs beside one for a word of a single record.
func BenchmarkAWordInEveryRecord(b *testing.B) {
	db := storetest.Open(b)
	storetest.Write(b, db, func(tx *store.Tx) error {
		for i := range 100_000 {
			r := Record{ID: fmt.Sprintf("r%06d", i), Type: "invoice", Properties: []byte(`{}`), CreatedAt: int64(i), UpdatedAt: int64(i)}
			if _, err := In(tx).Insert(r, Index{Words: fmt.Sprintf("vendor number%d pays by the end of the month", i)}); err != nil {
				return err
			}
		}
		return nil
	})
	for _, word := range []string{"number77", "vendor"} {
		b.Run(word, func(b *testing.B) {
			for b.Loop() {
				storetest.Read(b, db, func(tx *store.Tx) error {
					list, _, err := In(tx).Search([]string{word}, Filter{}, 10)
					if len(list) == 0 {
						b.Fatalf("%q is in no record", word)
					}
					return err
				})
			}
		})
	}
}
