package entities

import "toolkit/store/internal/query"

// SnapshotsAfter returns up to limit snapshots after an entity's row, in order.
func (tx Rows) SnapshotsAfter(entity int64, limit int) ([]Snapshot, error) {
	return query.All(tx.sql, func(scan query.Scan) (s Snapshot, err error) {
		var state string
		err = scan(&s.Entity, &s.Type, &state, &s.Count, &s.LastObservedAt, &s.FirstCreatedAt, &s.LastCreatedAt)
		s.State = []byte(state)
		return s, err
	}, `SELECT entity, type, state, observation_count, last_observed_at, first_created_at, last_created_at
		FROM snapshots WHERE entity > ? ORDER BY entity LIMIT ?`, entity, limit)
}

// IndexSnapshotAgain enters a snapshot into the emptied index.
func (tx Rows) IndexSnapshotAgain(entity int64, index SnapshotIndex) error {
	if err := tx.sql.Exec(`UPDATE truth_entities SET name = ?2, name_key = ?3 WHERE seq = ?1 AND (name <> ?2 OR name_key <> ?3)`, entity, index.Name, index.NameKey); err != nil {
		return err
	}
	return tx.reindexSnapshot(entity, nil, &index)
}
