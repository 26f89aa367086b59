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
	return reindex(ctx, db, func(tx *store.Tx) { tx.MarkReindexed() })
}

// Derive fills the indexes of a database that was just loaded, and leaves every
// row as it was loaded.
func Derive(ctx context.Context, db *store.DB) error {
	return reindex(ctx, db, func(*store.Tx) {})
}

func reindex(ctx context.Context, db *store.DB, done func(*store.Tx)) error {
	err := db.Write(ctx, func(tx *store.Tx) error {
		done(tx)
		if err := tx.RebuildWords(); err != nil {
			return err
		}
		return entities.Reindex(tx)
	})
	if err != nil {
		return fmt.Errorf("deriving the indexes again: %w", err)
	}
	return nil
}
