// Package entities keeps what records say of the world: entities, the observations of
// them, the snapshots that these amount to, and relationships between entities.
package entities

import (
	"toolkit/store"
	"toolkit/store/internal/query"
)

// Rows are what a transaction sees of all this.
type Rows struct{ sql *query.Tx }

// In returns the rows of a transaction.
func In(tx *store.Tx) Rows { return Rows{(*query.Tx)(tx)} }
