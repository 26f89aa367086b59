package store

// ClearPayloadIndex empties everything under which records and entities are
// found. IndexRecordAgain and IndexSnapshotAgain fill it.
func (tx *Tx) ClearPayloadIndex() error {
	for _, table := range []string{"record_types", "record_values", "snapshot_values", "timeline_events"} {
		if err := tx.exec(`DELETE FROM ` + table); err != nil {
			return err
		}
	}
	for _, table := range PayloadWords() {
		if err := tx.emptyWords(table); err != nil {
			return err
		}
	}
	return nil
}

// RecordsAfter returns up to limit records after a row, in order.
func (tx *Tx) RecordsAfter(row int64, limit int) ([]Record, error) {
	list := []Record{}
	err := tx.each(func(scan func(...any) error) error {
		r, err := scanRecord(scan)
		list = append(list, r)
		return err
	}, `SELECT `+recordColumns+` FROM records r WHERE r.seq > ? ORDER BY r.seq LIMIT ?`, row, limit)
	return list, err
}

// IndexRecordAgain enters a record into the emptied index.
func (tx *Tx) IndexRecordAgain(r Record, index RecordIndex) error { return tx.indexRecord(r, index) }
