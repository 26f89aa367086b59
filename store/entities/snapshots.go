package entities

import (
	"encoding/json"

	"toolkit/store"
	"toolkit/store/internal/query"
)

// Snapshot is what the observations of an entity amount to. State belongs to
// the reducer; the store keeps it.
type Snapshot struct {
	Entity         int64
	Type           string
	State          json.RawMessage
	Count          int
	LastObservedAt int64
	FirstCreatedAt int64
	LastCreatedAt  int64
}

// SnapshotIndex is under what an entity can be found.
type SnapshotIndex struct {
	Name    string // for people
	NameKey string // folded
	Words   string
	Values  []int64 // hashes of path and value
	Events  []Event // dated fields, sorted by field
}

// Event is a dated field of a snapshot.
type Event struct {
	Field string `json:"field"`
	At    int64  `json:"at"` // unix milliseconds
}

// SetMergePolicy registers how a field is reduced. Snapshots follow at the next
// rebuild.
func (tx Rows) SetMergePolicy(entityType, field, strategy string) error {
	tx.sql.Touch(store.TopicPayloads)
	return tx.sql.Exec(`INSERT INTO merge_policies(entity_type, field, strategy) VALUES(?, ?, ?) ON CONFLICT(entity_type, field) DO UPDATE SET strategy = excluded.strategy`, entityType, field, strategy)
}

// SnapshotOf returns the snapshot of an entity, and false when nothing is
// observed of it.
func (tx Rows) SnapshotOf(entity int64) (Snapshot, bool, error) {
	return query.Find(tx.sql, (*Snapshot).fields, `SELECT `+snapshotColumns+` FROM snapshots WHERE entity = ?`, entity)
}

const snapshotColumns = `entity, type, state, observation_count, last_observed_at, first_created_at, last_created_at`

func (s *Snapshot) fields() []any {
	return []any{&s.Entity, &s.Type, query.FromJSON(&s.State), &s.Count, &s.LastObservedAt, &s.FirstCreatedAt, &s.LastCreatedAt}
}

// SnapshotWithPolicies returns the snapshot of an entity as SnapshotOf does, and the strategies of
// its type by field: every write wants both. Fields that are not named take the last write.
func (tx Rows) SnapshotWithPolicies(entity int64, entityType string) (s Snapshot, known bool, policies map[string]string, err error) {
	s.Entity = entity
	var state, strategies string
	err = tx.sql.Row(`SELECT s.entity IS NOT NULL, coalesce(s.type, ''), coalesce(s.state, ''), coalesce(s.observation_count, 0), coalesce(s.last_observed_at, 0),
			coalesce(s.first_created_at, 0), coalesce(s.last_created_at, 0), p.strategies
		FROM (SELECT json_group_object(field, strategy) AS strategies FROM merge_policies WHERE entity_type = ?2) p LEFT JOIN snapshots s ON s.entity = ?1`, entity, entityType).
		Scan(&known, &s.Type, &state, &s.Count, &s.LastObservedAt, &s.FirstCreatedAt, &s.LastCreatedAt, &strategies)
	if err != nil {
		return s, false, nil, err
	}
	s.State = json.RawMessage(state)
	return s, known, policies, json.Unmarshal([]byte(strategies), &policies)
}

// SaveSnapshot stores a snapshot; before is the index the entity had, nil for
// none, and after the one it gets, nil when it stays as it was.
func (tx Rows) SaveSnapshot(s Snapshot, before, after *SnapshotIndex) error {
	tx.sql.Touch(store.TopicPayloads)
	err := tx.sql.Exec(`INSERT INTO snapshots(entity, type, state, observation_count, last_observed_at, first_created_at, last_created_at) VALUES(?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT(entity) DO UPDATE SET type = excluded.type, state = excluded.state, observation_count = excluded.observation_count,
			last_observed_at = excluded.last_observed_at, first_created_at = excluded.first_created_at, last_created_at = excluded.last_created_at`,
		s.Entity, s.Type, string(s.State), s.Count, s.LastObservedAt, s.FirstCreatedAt, s.LastCreatedAt)
	if err != nil || after == nil {
		return err
	}
	return tx.updateSnapshotIndex(s.Entity, before, after)
}

// DeleteSnapshot removes the snapshot of an entity that holds no observations any
// more. A merged entity keeps its name, so that it can be looked up; one of
// which nothing is observed loses it.
func (tx Rows) DeleteSnapshot(entity int64, before *SnapshotIndex, keepName bool) error {
	tx.sql.Touch(store.TopicPayloads)
	after := &SnapshotIndex{}
	if keepName && before != nil {
		after.Name, after.NameKey = before.Name, before.NameKey
	}
	if err := tx.updateSnapshotIndex(entity, before, after); err != nil {
		return err
	}
	if err := tx.sql.Exec(`DELETE FROM snapshot_words WHERE rowid = ?`, entity); err != nil {
		return err
	}
	return tx.sql.Exec(`DELETE FROM snapshots WHERE entity = ?`, entity)
}

func (tx Rows) updateSnapshotIndex(entity int64, before, after *SnapshotIndex) error {
	if before == nil {
		before = &SnapshotIndex{}
	}
	if before.Name != after.Name || before.NameKey != after.NameKey {
		if err := tx.sql.Exec(`UPDATE truth_entities SET name = ?, name_key = ? WHERE seq = ?`, after.Name, after.NameKey, entity); err != nil {
			return err
		}
	}
	gone, come := keysNotIn(before.Values, after.Values), keysNotIn(after.Values, before.Values)
	if len(gone) > 0 {
		if err := tx.sql.Exec(`DELETE FROM snapshot_values WHERE entity = ?2 AND key IN (SELECT value FROM json_each(?1))`, query.List(gone), entity); err != nil {
			return err
		}
	}
	if len(come) > 0 {
		if err := tx.sql.Exec(`INSERT OR IGNORE INTO snapshot_values(key, entity) SELECT value, ?2 FROM json_each(?1)`, query.List(come), entity); err != nil {
			return err
		}
	}
	if before.Words != after.Words || before.Name != after.Name {
		if err := tx.sql.PutWords("snapshot_words", entity, after.Name, after.Words); err != nil {
			return err
		}
	}
	return tx.replaceEvents(entity, before.Events, after.Events)
}

func (tx Rows) replaceEvents(entity int64, before, after []Event) error {
	if len(before) > 0 {
		if err := tx.sql.Exec(`DELETE FROM timeline_events WHERE entity = ?`, entity); err != nil {
			return err
		}
	}
	for _, e := range after {
		if err := tx.sql.Exec(`INSERT INTO timeline_events(entity, field, at) VALUES(?, ?, ?)`, entity, e.Field, e.At); err != nil {
			return err
		}
	}
	return nil
}

// keysNotIn are the keys of one list that another lacks, each once.
func keysNotIn(keys, from []int64) []int64 {
	seen := make(map[int64]bool, len(from))
	for _, key := range from {
		seen[key] = true
	}
	missing := []int64{}
	for _, key := range keys {
		if !seen[key] {
			seen[key] = true
			missing = append(missing, key)
		}
	}
	return missing
}

// SnapshotsAfter returns up to limit snapshots after an entity's row, in order.
func (tx Rows) SnapshotsAfter(entity int64, limit int) ([]Snapshot, error) {
	return query.Select(tx.sql, (*Snapshot).fields, `SELECT `+snapshotColumns+` FROM snapshots WHERE entity > ? ORDER BY entity LIMIT ?`, entity, limit)
}

// InsertSnapshotIndex enters a snapshot into the emptied index.
func (tx Rows) InsertSnapshotIndex(entity int64, index SnapshotIndex) error {
	if err := tx.sql.Exec(`UPDATE truth_entities SET name = ?2, name_key = ?3 WHERE seq = ?1 AND (name <> ?2 OR name_key <> ?3)`, entity, index.Name, index.NameKey); err != nil {
		return err
	}
	return tx.updateSnapshotIndex(entity, nil, &index)
}
