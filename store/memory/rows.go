// Package memory keeps dialogue, insights, episodes, working and stale memory,
// golden queries and judgements, and the index by which dialogue, insights and
// episodes are searched: their words and their vectors.
package memory

import (
	"toolkit/store"
	"toolkit/store/internal/query"
)

// Rows are what a transaction sees of all this.
type Rows struct{ sql *query.Tx }

// In returns the rows of a transaction.
func In(tx *store.Tx) Rows { return Rows{(*query.Tx)(tx)} }
