// Package pockets keeps what was measured and forecast of pockets: outlets, readings,
// the sustainability ledger, attention, moment quality and sealed predictions, each
// with the data set it came from.
package pockets

import (
	"toolkit/store"
	"toolkit/store/internal/query"
)

// Rows are what a transaction sees of all this.
type Rows struct{ sql *query.Tx }

// In returns the rows of a transaction.
func In(tx *store.Tx) Rows { return Rows{(*query.Tx)(tx)} }
