// Package graph keeps the graph: entities with their observations, relations, and
// charts, steps and beats, which are entities too. A chart, step or beat shows itself
// in the graph by what its own tables say, so they are read and written together.
// Searching a part of a text goes by an index in memory that follows the changes of
// every process; searching words by full-text indexes.
package graph

import (
	"toolkit/store"
	"toolkit/store/internal/query"
)

// Rows are what a transaction sees of all this.
type Rows struct{ sql *query.Tx }

// In returns the rows of a transaction.
func In(tx *store.Tx) Rows { return Rows{(*query.Tx)(tx)} }
