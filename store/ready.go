package store

import (
	"context"
	"errors"
	"fmt"
)

// errRollback undoes a transaction that was only to find out whether one can be had.
var errRollback = errors.New("nothing was to be written")

// CheckReady tells why the database cannot serve calls now: it cannot be read or
// written, its file was replaced, or a newer program has moved its schema on. It
// takes the write lock for a moment and writes nothing, so a full disk shows only
// with the first write.
func (db *DB) CheckReady(ctx context.Context) error {
	newest := NewestSchema()
	err := db.Write(ctx, func(tx *Tx) error {
		var version int64
		if err := tx.sql().Row(`SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied`).Scan(&version); err != nil {
			return err
		}
		if version != newest {
			return fmt.Errorf("the database has schema %d and this program knows %d: start the newer program", version, newest)
		}
		return errRollback
	})
	if errors.Is(err, errRollback) {
		return nil
	}
	return err
}
