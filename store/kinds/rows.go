// Package kinds finds what is remembered across families, by its kind and id, by its
// text, and by what hangs together, so that it can be forgotten; and by its words, so
// that it can be recalled.
package kinds

import (
	"toolkit/store"
	"toolkit/store/internal/query"
)

// Rows are what a transaction sees of all this.
type Rows struct{ sql *query.Tx }

// In returns the rows of a transaction.
func In(tx *store.Tx) Rows { return Rows{(*query.Tx)(tx)} }
