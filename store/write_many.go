package store

import (
	"context"
	"slices"
	"time"
)

const (
	// maxRowsPerWrite is how many rows are written while others wait for the lock, a tenth of
	// a second on a slow machine.
	maxRowsPerWrite = 1000

	// turnPause is how long the lock is left to others after that: those who wait for it
	// look for it every busyPause.
	turnPause = 5 * busyPause
)

// WriteMany runs f as [DB.Write] does for at most 1000 rows at a time and lets others
// write in between. When it fails, the parts before stay written.
func WriteMany[T any](ctx context.Context, db *DB, rows []T, f func(tx *Tx, part []T) error) error {
	first := true
	for part := range slices.Chunk(rows, maxRowsPerWrite) {
		if !first {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(turnPause):
			}
		}
		first = false
		if err := db.Write(ctx, func(tx *Tx) error { return f(tx, part) }); err != nil {
			return err
		}
	}
	return nil
}
