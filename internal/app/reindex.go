package app

import (
	"context"
	"fmt"

	"toolkit/store"
	"toolkit/tools/entities"
)

// Reindex derives every full-text index again from the rows, in one
// transaction. What is remembered stays as it is.
func Reindex(ctx context.Context, db *store.DB) error {
	return db.Write(ctx, func(tx *store.Tx) error {
		tx.MarkReindexed()
		return DeriveIndexes(tx)
	})
}

// DeriveIndexes fills the indexes of a database that was just loaded, and leaves every
// row as it was loaded.
func DeriveIndexes(tx *store.Tx) error {
	err := tx.RebuildWordIndexes()
	if err == nil {
		err = entities.Reindex(tx)
	}
	if err != nil {
		return fmt.Errorf("deriving the indexes again: %w", err)
	}
	return nil
}
