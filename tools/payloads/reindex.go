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
	for after := int64(0); ; {
		page, err := tx.RecordsAfter(after, rebuildBatch)
		if err != nil {
			return err
		}
		for _, r := range page {
			after = r.Seq
			properties, err := decodeObject(r.Properties)
			if err != nil {
				return fmt.Errorf("record %s: %w", r.ID, err)
			}
			index := recordIndex(r.Type, properties)
			text, err := tx.RecordText(r.Seq)
			if err != nil {
				return fmt.Errorf("record %s: %w", r.ID, err)
			}
			if text != "" {
				index.Words += "\n" + text
			}
			if err := tx.IndexRecordAgain(r, index); err != nil {
				return fmt.Errorf("record %s: %w", r.ID, err)
			}
		}
		if len(page) < rebuildBatch {
			break
		}
	}
	return reindexSnapshots(tx)
}

func reindexSnapshots(tx *store.Tx) error {
	for after := int64(0); ; {
		page, err := tx.SnapshotsAfter(after, rebuildBatch)
		if err != nil {
			return err
		}
		for _, s := range page {
			after = s.Entity
			state, err := parseState(s.State)
			if err != nil {
				return fmt.Errorf("entity row %d: %w", s.Entity, err)
			}
			index, err := indexOf(s.Type, state)
			if err != nil {
				return fmt.Errorf("entity row %d: %w", s.Entity, err)
			}
			if err := tx.IndexSnapshotAgain(s.Entity, *index); err != nil {
				return fmt.Errorf("entity row %d: %w", s.Entity, err)
			}
		}
		if len(page) < rebuildBatch {
			return nil
		}
	}
}
