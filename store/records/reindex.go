package records

import (
	"toolkit/store"
	"toolkit/store/internal/query"
)

// ClearIndex empties everything under which records and entities are
// found. IndexAgain and IndexSnapshotAgain fill it.
func (tx Rows) ClearIndex() error {
	if err := tx.sql.ExecAll([]string{`DELETE FROM record_types`, `DELETE FROM record_values`, `DELETE FROM snapshot_values`, `DELETE FROM timeline_events`}); err != nil {
		return err
	}
	for _, table := range store.PayloadWords() {
		if err := tx.sql.EmptyWords(table); err != nil {
			return err
		}
	}
	return nil
}

// After returns up to limit records after a row, in order.
func (tx Rows) After(row int64, limit int) ([]Record, error) {
	return query.All(tx.sql, scanRecord, `SELECT `+recordColumns+` FROM records r WHERE r.seq > ? ORDER BY r.seq LIMIT ?`, row, limit)
}

// IndexAgain enters a record into the emptied index.
func (tx Rows) IndexAgain(r Record, index Index) error { return tx.indexRecord(r, index) }
