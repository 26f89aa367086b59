package payloads

import (
	"fmt"

	"toolkit/store"
)

// Reindex derives again under what records and entities are found, from the
// records and snapshots as they are.
func Reindex(tx *store.Tx) error {
	if err := tx.ClearPayloadIndex(); err != nil {
		return err
	}
	if err := eachRow(tx.RecordsAfter, func(r store.Record) (int64, error) { return r.Seq, reindexRecord(tx, r) }); err != nil {
		return err
	}
	return eachRow(tx.SnapshotsAfter, func(s store.Snapshot) (int64, error) { return s.Entity, reindexSnapshot(tx, s) })
}

// eachRow does something with every row, a page at a time; do returns the row it was.
func eachRow[T any](next func(after int64, limit int) ([]T, error), do func(T) (int64, error)) error {
	for after := int64(0); ; {
		page, err := next(after, rebuildBatch)
		if err != nil {
			return err
		}
		for _, one := range page {
			if after, err = do(one); err != nil {
				return fmt.Errorf("row %d: %w", after, err)
			}
		}
		if len(page) < rebuildBatch {
			return nil
		}
	}
}

func reindexRecord(tx *store.Tx, r store.Record) error {
	properties, err := decodeObject(r.Properties)
	if err != nil {
		return err
	}
	index, err := indexWithText(tx, r, properties)
	if err != nil {
		return err
	}
	return tx.IndexRecordAgain(r, index)
}

func reindexSnapshot(tx *store.Tx, s store.Snapshot) error {
	state, err := parseState(s.State)
	if err != nil {
		return err
	}
	index, err := indexOf(s.Type, state)
	if err != nil {
		return err
	}
	return tx.IndexSnapshotAgain(s.Entity, *index)
}
