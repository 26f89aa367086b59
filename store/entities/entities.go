// Package entities keeps what records say of the world: entities, the observations of
// them, the snapshots that these amount to, and relationships between entities.
package entities

import (
	"encoding/json"

	"toolkit/store"
	"toolkit/store/internal/query"
)

// Rows are what a transaction sees of all this.
type Rows struct{ sql *query.Tx }

// In returns the rows of a transaction.
func In(tx *store.Tx) Rows { return Rows{(*query.Tx)(tx)} }

// Entity is something documents speak of. The entities of the knowledge
// graph are other rows, see NewEntity.
type Entity struct {
	Seq        int64 // row id
	ID         string
	Type       string
	Name       string // for people; empty while nothing is observed of it
	Root       int64  // row of the entity that holds its observations: Seq unless merged
	MergedInto int64  // row it was merged into; 0: none
	CreatedAt  int64
}

const entityColumns = `e.seq, e.id, e.type, e.name, e.root, coalesce(e.merged_into, 0), e.created_at`

func (e *Entity) fields() []any {
	return []any{&e.Seq, &e.ID, &e.Type, &e.Name, &e.Root, &e.MergedInto, &e.CreatedAt}
}

// EnsureEntity returns the entity of an id and adds it when there is none.
func (tx Rows) EnsureEntity(id, entityType string) (Entity, error) {
	e, known, err := tx.ByID(id)
	if err != nil || known {
		return e, err
	}
	return tx.InsertEntity(id, entityType)
}

// InsertEntity adds the entity of an id that there is none of. Its row is given, because it is its
// own root.
func (tx Rows) InsertEntity(id, entityType string) (Entity, error) {
	now := tx.sql.Now()
	tx.sql.Touch(store.TopicPayloads)
	seq, err := tx.sql.NextNumber("truth_entities")
	if err != nil {
		return Entity{}, err
	}
	err = tx.sql.Exec(`INSERT INTO truth_entities(seq, id, type, name, name_key, root, created_at) VALUES(?1, ?2, ?3, '', '', ?1, ?4)`, seq, id, entityType, now)
	return Entity{Seq: seq, ID: id, Type: entityType, Root: seq, CreatedAt: now}, err
}

// ByID returns an entity, and false when none has the id.
func (tx Rows) ByID(id string) (Entity, bool, error) {
	return query.Find(tx.sql, (*Entity).fields, `SELECT `+entityColumns+` FROM truth_entities e WHERE e.id = ?`, id)
}

// ByRow returns the entity of a row.
func (tx Rows) ByRow(seq int64) (Entity, error) {
	return query.Read(tx.sql, (*Entity).fields, `SELECT `+entityColumns+` FROM truth_entities e WHERE e.seq = ?`, seq)
}

// ByRows returns the entities of some rows that there are, in that order.
func (tx Rows) ByRows(rows []int64) ([]Entity, error) {
	return query.Select(tx.sql, (*Entity).fields, `SELECT `+entityColumns+` FROM json_each(?) j CROSS JOIN truth_entities e ON e.seq = j.value ORDER BY j.key`, query.List(rows))
}

// NextEntities returns up to limit unmerged entities after a row, in row
// order.
func (tx Rows) NextEntities(after int64, limit int) ([]Entity, error) {
	return query.Select(tx.sql, (*Entity).fields, `SELECT `+entityColumns+` FROM truth_entities e WHERE e.seq > ? AND e.root = e.seq ORDER BY e.seq LIMIT ?`, after, limit)
}

// CountEntities counts the entities that were not merged into others.
func (tx Rows) CountEntities() (int, error) {
	return query.Value[int](tx.sql, `SELECT count(*) FROM truth_entities WHERE root = seq`)
}

// SetMergedInto makes into the holder of everything that entity and those
// merged into it hold; into 0 undoes that. Snapshots are left to the caller.
func (tx Rows) SetMergedInto(entity, into int64) error {
	tx.sql.Touch(store.TopicPayloads)
	e, err := tx.ByRow(entity)
	if err != nil {
		return err
	}
	root := entity
	var parent, at any
	if into != 0 {
		target, err := tx.ByRow(into)
		if err != nil {
			return err
		}
		root, parent, at = target.Root, into, tx.sql.Now()
	}
	if err := tx.sql.Exec(`UPDATE truth_entities SET merged_into = ?2, merged_at = ?3 WHERE seq = ?1`, entity, parent, at); err != nil {
		return err
	}
	group, err := tx.sql.IDs(`WITH RECURSIVE part(seq) AS (SELECT ?1 UNION SELECT e.seq FROM truth_entities e JOIN part ON e.merged_into = part.seq) SELECT seq FROM part`, entity)
	if err != nil {
		return err
	}
	return tx.sql.ExecAll([]string{
		`UPDATE truth_observations SET entity = ?2 WHERE entity = ?3 AND origin IN (SELECT value FROM json_each(?1))`,
		`UPDATE typed_relationships SET source_root = ?2 WHERE source_root = ?3 AND source IN (SELECT value FROM json_each(?1))`,
		`UPDATE typed_relationships SET target_root = ?2 WHERE target_root = ?3 AND target IN (SELECT value FROM json_each(?1))`,
		`UPDATE truth_entities SET root = ?2 WHERE root = ?3 AND seq IN (SELECT value FROM json_each(?1))`,
	}, query.List(group), root, e.Root)
}

// MergedIDs returns the ids of the entities whose observations an entity holds,
// without itself, sorted.
func (tx Rows) MergedIDs(root int64) ([]string, error) {
	return tx.sql.Texts(`SELECT id FROM truth_entities WHERE root = ?1 AND seq <> ?1 ORDER BY id LIMIT 1000`, root)
}

// Observation is what one source said about an entity. Times are unix
// milliseconds.
type Observation struct {
	Seq              int64 // ingest order
	ID               string
	Entity           int64 // row of the entity whose snapshot it counts for
	Origin           int64 // row of the entity it was made for
	Record           int64 // row of the record it comes from
	Source           string
	ObservedAt       int64
	CreatedAt        int64
	SpecificityScore float64
	SourcePriority   int
	Digest           string
	Request          string
	Fields           json.RawMessage
	Withdraws        string // id of the observation it takes back; empty: none

	RecordID string // id of Record; read only
	OriginID string // id of Origin; read only
}

// InsertObservation adds an observation and returns its row id, which is
// its place in ingest order.
func (tx Rows) InsertObservation(o Observation) (int64, error) {
	tx.sql.Touch(store.TopicPayloads)
	return tx.sql.Insert(`INSERT INTO truth_observations(id, entity, origin, record, source, observed_at, created_at, specificity_score, source_priority, digest, request, fields, withdraws)
		VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		o.ID, o.Entity, o.Origin, o.Record, o.Source, o.ObservedAt, o.CreatedAt, o.SpecificityScore, o.SourcePriority, o.Digest, o.Request, string(o.Fields), o.Withdraws)
}

const observationColumns = `o.seq, o.id, o.entity, o.origin, o.record, o.source, o.observed_at, o.created_at, o.specificity_score, o.source_priority, o.digest, o.request, o.fields, o.withdraws`

func (o *Observation) fields() []any {
	return []any{&o.Seq, &o.ID, &o.Entity, &o.Origin, &o.Record, &o.Source, &o.ObservedAt, &o.CreatedAt, &o.SpecificityScore, &o.SourcePriority, &o.Digest, &o.Request, query.FromJSON(&o.Fields), &o.Withdraws}
}

// ObservationWindow selects observations by time; both bounds are inclusive.
type ObservationWindow struct {
	ObservedUntil int64
	CreatedUntil  int64
}

// EachObservation calls f for the observations of an entity in a window,
// newest first.
func (tx Rows) EachObservation(entity int64, w ObservationWindow, f func(Observation) error) error {
	return query.EachRow(tx.sql, (*Observation).fields, f, `SELECT `+observationColumns+` FROM truth_observations o WHERE o.entity = ? AND o.observed_at <= ? AND o.created_at <= ? ORDER BY o.observed_at DESC, o.seq DESC`,
		entity, w.ObservedUntil, w.CreatedUntil)
}

// ObservationTotals are counts and bounds over observations.
type ObservationTotals struct {
	Count           int
	FirstObservedAt int64
	LastObservedAt  int64
	FirstCreatedAt  int64
	LastCreatedAt   int64
}

// SummarizeObservations summarises the observations of an entity in a window.
func (tx Rows) SummarizeObservations(entity int64, w ObservationWindow) (ObservationTotals, error) {
	return query.Read(tx.sql, func(t *ObservationTotals) []any {
		return []any{&t.Count, &t.FirstObservedAt, &t.LastObservedAt, &t.FirstCreatedAt, &t.LastCreatedAt}
	}, `SELECT count(*), coalesce(min(observed_at), 0), coalesce(max(observed_at), 0), coalesce(min(created_at), 0), coalesce(max(created_at), 0)
		FROM truth_observations WHERE entity = ? AND observed_at <= ? AND created_at <= ?`, entity, w.ObservedUntil, w.CreatedUntil)
}

// Observations lists the observations of an entity, newest first.
func (tx Rows) Observations(entity int64, limit, offset int) ([]Observation, error) {
	return tx.observationsWhere(`o.seq IN (SELECT seq FROM truth_observations WHERE entity = ? ORDER BY observed_at DESC, seq DESC LIMIT ? OFFSET ?)`, entity, limit, offset)
}

// ObservationsByID returns the observations that have one of the ids,
// newest first.
func (tx Rows) ObservationsByID(ids []string) ([]Observation, error) {
	return tx.observationsWhere(`o.id IN (SELECT value FROM json_each(?))`, query.List(ids))
}

// ObservationsWithPriority returns the observations of an entity that have at least
// a priority above 0, newest first.
func (tx Rows) ObservationsWithPriority(entity int64, priority int) ([]Observation, error) {
	return tx.observationsWhere(`o.entity = ? AND o.source_priority >= ? AND o.source_priority > 0`, entity, priority)
}

// ObservationsOfRecord returns what a record said about an entity, newest first.
func (tx Rows) ObservationsOfRecord(record, origin int64) ([]Observation, error) {
	return tx.observationsWhere(`o.record = ? AND o.origin = ?`, record, origin)
}

// EntitiesOfRecord returns the entities a record speaks of, in row order.
func (tx Rows) EntitiesOfRecord(record int64) ([]Entity, error) {
	return query.Select(tx.sql, (*Entity).fields, `SELECT `+entityColumns+` FROM truth_entities e WHERE e.seq IN (SELECT origin FROM truth_observations WHERE record = ?) ORDER BY e.seq`, record)
}

// FilterCorrectedRecords returns those of some records whose own entities somebody corrected.
func (tx Rows) FilterCorrectedRecords(records []int64) ([]int64, error) {
	return tx.sql.IDs(`SELECT r.seq FROM json_each(?) j JOIN records r ON r.seq = j.value JOIN truth_entities e ON e.seq = r.entity
		WHERE EXISTS (SELECT 1 FROM truth_observations o WHERE o.entity = e.root AND o.source_priority > 0 AND o.source = 'correction')
		ORDER BY j.key`, query.List(records))
}

func (tx Rows) observationsWhere(condition string, args ...any) ([]Observation, error) {
	return query.Select(tx.sql, func(o *Observation) []any { return append(o.fields(), &o.RecordID, &o.OriginID) }, `SELECT `+observationColumns+`, r.id, e.id
		FROM truth_observations o JOIN records r ON r.seq = o.record JOIN truth_entities e ON e.seq = o.origin
		WHERE `+condition+` ORDER BY o.observed_at DESC, o.seq DESC`, args...)
}

// DeleteObservationsOfRecord removes what a record said. It adds the rows of the entities
// whose snapshots that counted for to roots, and of those it was said of to origins.
func (tx Rows) DeleteObservationsOfRecord(record int64, roots, origins map[int64]bool) error {
	tx.sql.Touch(store.TopicPayloads)
	return tx.sql.Each(func(scan query.Scan) error {
		var root, origin int64
		err := scan(&root, &origin)
		roots[root], origins[origin] = true, true
		return err
	}, `DELETE FROM truth_observations WHERE record = ? RETURNING entity, origin`, record)
}

// DocumentedName is what an entity of the payload store is called.
type DocumentedName struct{ Type, Name string }

// DocumentedNames returns type and name by entity id; unknown ids are absent. An
// entity that was merged goes by the name of the one it is part of.
func (tx Rows) DocumentedNames(ids []string) (map[string]DocumentedName, error) {
	names := make(map[string]DocumentedName, len(ids))
	err := tx.sql.Each(func(scan query.Scan) error {
		var id string
		var n DocumentedName
		err := scan(&id, &n.Type, &n.Name)
		names[id] = n
		return err
	}, `SELECT e.id, r.type, r.name FROM json_each(?1) j JOIN truth_entities e ON e.id = j.value JOIN truth_entities r ON r.seq = e.root`, query.List(ids))
	return names, err
}
