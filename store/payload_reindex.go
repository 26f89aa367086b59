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

// PayloadWords are the full-text indexes whose terms the payloads family
// derives.
func PayloadWords() []string { return []string{"record_words", "snapshot_words"} }

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

// SnapshotsAfter returns up to limit snapshots after an entity's row, in order.
func (tx *Tx) SnapshotsAfter(entity int64, limit int) ([]Snapshot, error) {
	list := []Snapshot{}
	err := tx.each(func(scan func(...any) error) error {
		var s Snapshot
		var state string
		err := scan(&s.Entity, &s.Type, &state, &s.Count, &s.LastObservedAt, &s.FirstCreatedAt, &s.LastCreatedAt)
		s.State = []byte(state)
		list = append(list, s)
		return err
	}, `SELECT entity, type, state, observation_count, last_observed_at, first_created_at, last_created_at
		FROM snapshots WHERE entity > ? ORDER BY entity LIMIT ?`, entity, limit)
	return list, err
}

// IndexSnapshotAgain enters a snapshot into the emptied index.
func (tx *Tx) IndexSnapshotAgain(entity int64, index SnapshotIndex) error {
	if err := tx.exec(`UPDATE truth_entities SET name = ?2, name_key = ?3 WHERE seq = ?1 AND (name <> ?2 OR name_key <> ?3)`, entity, index.Name, index.NameKey); err != nil {
		return err
	}
	return tx.reindexSnapshot(entity, nil, &index)
}
