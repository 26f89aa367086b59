package entities

import (
	"fmt"

	"toolkit/store"
	"toolkit/store/entities"
	"toolkit/store/records"
)

// Reindex derives again under what records and entities are found, from the
// records and snapshots as they are.
func Reindex(tx *store.Tx) error {
	rows := records.In(tx)
	if err := rows.ClearIndex(); err != nil {
		return err
	}
	if err := eachRow(rows.After, func(r records.Record) (int64, error) { return r.Seq, reindexRecord(rows, r) }); err != nil {
		return err
	}
	return eachRow(entities.In(tx).SnapshotsAfter, func(s entities.Snapshot) (int64, error) { return s.Entity, reindexSnapshot(entities.In(tx), s) })
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

func reindexRecord(tx records.Rows, r records.Record) error {
	properties, err := decodeObject(r.Properties)
	if err != nil {
		return err
	}
	index, err := indexWithText(tx, r, properties)
	if err != nil {
		return err
	}
	return tx.IndexAgain(r, index)
}

func reindexSnapshot(tx entities.Rows, s entities.Snapshot) error {
	state, err := parseState(s.State)
	if err != nil {
		return err
	}
	return tx.IndexSnapshotAgain(s.Entity, *indexSnapshot(s.Type, state))
}
