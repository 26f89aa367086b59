package store

import (
	"encoding/json"
	"errors"

	"toolkit/store/internal/query"
)

// TruthEntity is something documents speak of. The entities of the knowledge
// graph are other rows, see NewEntity.
type TruthEntity struct {
	Seq        int64 // row id
	ID         string
	Type       string
	Name       string // for people; empty while nothing is observed of it
	Root       int64  // row of the entity that holds its observations: Seq unless merged
	MergedInto int64  // row it was merged into; 0: none
	CreatedAt  int64
}

const truthColumns = `e.seq, e.id, e.type, e.name, e.root, coalesce(e.merged_into, 0), e.created_at`

func scanTruth(scan func(...any) error) (TruthEntity, error) {
	var e TruthEntity
	err := scan(&e.Seq, &e.ID, &e.Type, &e.Name, &e.Root, &e.MergedInto, &e.CreatedAt)
	return e, err
}

// EnsureTruthEntity returns the entity of an id and adds it when there is none.
func (tx *Tx) EnsureTruthEntity(id, entityType string) (TruthEntity, error) {
	e, known, err := tx.TruthEntityByID(id)
	if err != nil || known {
		return e, err
	}
	now := tx.now()
	seq, err := tx.insert(`INSERT INTO truth_entities(id, type, name, name_key, created_at) VALUES(?, ?, '', '', ?)`, id, entityType, now)
	if err != nil {
		return TruthEntity{}, err
	}
	tx.touch(TopicPayloads)
	return TruthEntity{Seq: seq, ID: id, Type: entityType, Root: seq, CreatedAt: now},
		tx.exec(`UPDATE truth_entities SET root = seq WHERE seq = ?`, seq)
}

// TruthEntityByID returns an entity, and false when none has the id.
func (tx *Tx) TruthEntityByID(id string) (TruthEntity, bool, error) {
	e, err := scanTruth(tx.row(`SELECT `+truthColumns+` FROM truth_entities e WHERE e.id = ?`, id).Scan)
	known, err := query.Found(err)
	return e, known, err
}

// TruthEntityByRow returns the entity of a row.
func (tx *Tx) TruthEntityByRow(seq int64) (TruthEntity, error) {
	return scanTruth(tx.row(`SELECT `+truthColumns+` FROM truth_entities e WHERE e.seq = ?`, seq).Scan)
}

// NextTruthEntities returns up to limit unmerged entities after a row, in row
// order.
func (tx *Tx) NextTruthEntities(after int64, limit int) ([]TruthEntity, error) {
	var list []TruthEntity
	err := tx.each(func(scan func(...any) error) error {
		e, err := scanTruth(scan)
		list = append(list, e)
		return err
	}, `SELECT `+truthColumns+` FROM truth_entities e WHERE e.seq > ? AND e.root = e.seq ORDER BY e.seq LIMIT ?`, after, limit)
	return list, err
}

// CountTruthEntities counts the entities that were not merged into others.
func (tx *Tx) CountTruthEntities() (n int, err error) {
	err = tx.row(`SELECT count(*) FROM truth_entities WHERE root = seq`).Scan(&n)
	return n, err
}

// MoveTruthEntity makes into the holder of everything that entity and those
// merged into it hold; into 0 undoes that. Snapshots are left to the caller.
func (tx *Tx) MoveTruthEntity(entity, into int64) error {
	tx.touch(TopicPayloads)
	e, err := tx.TruthEntityByRow(entity)
	if err != nil {
		return err
	}
	root := entity
	var parent, at any
	if into != 0 {
		target, err := tx.TruthEntityByRow(into)
		if err != nil {
			return err
		}
		root, parent, at = target.Root, into, tx.now()
	}
	if err := tx.exec(`UPDATE truth_entities SET merged_into = ?2, merged_at = ?3 WHERE seq = ?1`, entity, parent, at); err != nil {
		return err
	}
	group, err := tx.ids(`WITH RECURSIVE part(seq) AS (SELECT ?1 UNION SELECT e.seq FROM truth_entities e JOIN part ON e.merged_into = part.seq) SELECT seq FROM part`, entity)
	if err != nil {
		return err
	}
	list := query.List(group)
	for _, statement := range []string{
		`UPDATE truth_observations SET entity = ?2 WHERE entity = ?3 AND origin IN (SELECT value FROM json_each(?1))`,
		`UPDATE typed_relationships SET source_root = ?2 WHERE source_root = ?3 AND source IN (SELECT value FROM json_each(?1))`,
		`UPDATE typed_relationships SET target_root = ?2 WHERE target_root = ?3 AND target IN (SELECT value FROM json_each(?1))`,
		`UPDATE truth_entities SET root = ?2 WHERE root = ?3 AND seq IN (SELECT value FROM json_each(?1))`,
	} {
		if err := tx.exec(statement, list, root, e.Root); err != nil {
			return err
		}
	}
	return nil
}

// MergedIDs returns the ids of the entities whose observations an entity holds,
// without itself, sorted.
func (tx *Tx) MergedIDs(root int64) ([]string, error) {
	ids := []string{}
	err := tx.each(func(scan func(...any) error) error {
		var id string
		err := scan(&id)
		ids = append(ids, id)
		return err
	}, `SELECT id FROM truth_entities WHERE root = ?1 AND seq <> ?1 ORDER BY id LIMIT 1000`, root)
	return ids, err
}

// TruthObservation is what one source said about an entity. Times are unix
// milliseconds.
type TruthObservation struct {
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

// InsertTruthObservation adds an observation and returns its row id, which is
// its place in ingest order.
func (tx *Tx) InsertTruthObservation(o TruthObservation) (int64, error) {
	tx.touch(TopicPayloads)
	return tx.insert(`INSERT INTO truth_observations(id, entity, origin, record, source, observed_at, created_at, specificity_score, source_priority, digest, request, fields, withdraws)
		VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		o.ID, o.Entity, o.Origin, o.Record, o.Source, o.ObservedAt, o.CreatedAt, o.SpecificityScore, o.SourcePriority, o.Digest, o.Request, string(o.Fields), o.Withdraws)
}

const observationColumns = `o.seq, o.id, o.entity, o.origin, o.record, o.source, o.observed_at, o.created_at, o.specificity_score, o.source_priority, o.digest, o.request, o.fields, o.withdraws`

func observationFields(o *TruthObservation, fields *string) []any {
	return []any{&o.Seq, &o.ID, &o.Entity, &o.Origin, &o.Record, &o.Source, &o.ObservedAt, &o.CreatedAt, &o.SpecificityScore, &o.SourcePriority, &o.Digest, &o.Request, fields, &o.Withdraws}
}

// ObservationWindow selects observations by time; both bounds are inclusive.
type ObservationWindow struct {
	ObservedUntil int64
	CreatedUntil  int64
}

// EachTruthObservation calls f for the observations of an entity in a window,
// newest first, until f returns false.
func (tx *Tx) EachTruthObservation(entity int64, w ObservationWindow, f func(TruthObservation) (bool, error)) error {
	err := tx.each(func(scan func(...any) error) error {
		var o TruthObservation
		var fields string
		if err := scan(observationFields(&o, &fields)...); err != nil {
			return err
		}
		o.Fields = json.RawMessage(fields)
		more, err := f(o)
		if err == nil && !more {
			return query.ErrEnded
		}
		return err
	}, `SELECT `+observationColumns+` FROM truth_observations o WHERE o.entity = ? AND o.observed_at <= ? AND o.created_at <= ? ORDER BY o.observed_at DESC, o.seq DESC`,
		entity, w.ObservedUntil, w.CreatedUntil)
	if errors.Is(err, query.ErrEnded) {
		return nil
	}
	return err
}

// ObservationTotals are counts and bounds over observations.
type ObservationTotals struct {
	Count           int
	FirstObservedAt int64
	LastObservedAt  int64
	FirstCreatedAt  int64
	LastCreatedAt   int64
}

// TotalTruthObservations summarises the observations of an entity in a window.
func (tx *Tx) TotalTruthObservations(entity int64, w ObservationWindow) (t ObservationTotals, err error) {
	err = tx.row(`SELECT count(*), coalesce(min(observed_at), 0), coalesce(max(observed_at), 0), coalesce(min(created_at), 0), coalesce(max(created_at), 0)
		FROM truth_observations WHERE entity = ? AND observed_at <= ? AND created_at <= ?`, entity, w.ObservedUntil, w.CreatedUntil).
		Scan(&t.Count, &t.FirstObservedAt, &t.LastObservedAt, &t.FirstCreatedAt, &t.LastCreatedAt)
	return t, err
}

// TruthObservations lists the observations of an entity, newest first.
func (tx *Tx) TruthObservations(entity int64, limit, offset int) ([]TruthObservation, error) {
	return tx.observationsWhere(`o.seq IN (SELECT seq FROM truth_observations WHERE entity = ? ORDER BY observed_at DESC, seq DESC LIMIT ? OFFSET ?)`, entity, limit, offset)
}

// TruthObservationsByID returns the observations that have one of the ids,
// newest first.
func (tx *Tx) TruthObservationsByID(ids []string) ([]TruthObservation, error) {
	return tx.observationsWhere(`o.id IN (SELECT value FROM json_each(?))`, query.List(ids))
}

// TruthObservationsFrom returns the observations of an entity that have at least
// a priority above 0, newest first.
func (tx *Tx) TruthObservationsFrom(entity int64, priority int) ([]TruthObservation, error) {
	return tx.observationsWhere(`o.entity = ? AND o.source_priority >= ? AND o.source_priority > 0`, entity, priority)
}

// RecordObservations returns what a record said about an entity, newest first.
func (tx *Tx) RecordObservations(record, origin int64) ([]TruthObservation, error) {
	return tx.observationsWhere(`o.record = ? AND o.origin = ?`, record, origin)
}

// RecordEntities returns the entities a record speaks of, in row order.
func (tx *Tx) RecordEntities(record int64) ([]TruthEntity, error) {
	var list []TruthEntity
	err := tx.each(func(scan func(...any) error) error {
		e, err := scanTruth(scan)
		list = append(list, e)
		return err
	}, `SELECT `+truthColumns+` FROM truth_entities e WHERE e.seq IN (SELECT origin FROM truth_observations WHERE record = ?) ORDER BY e.seq`, record)
	return list, err
}

// CorrectedAmong returns those of some records whose own entities somebody corrected.
func (tx *Tx) CorrectedAmong(records []int64) ([]int64, error) {
	return tx.ids(`SELECT r.seq FROM json_each(?) j JOIN records r ON r.seq = j.value JOIN truth_entities e ON e.seq = r.entity
		WHERE EXISTS (SELECT 1 FROM truth_observations o WHERE o.entity = e.root AND o.source_priority > 0 AND o.source = 'correction')
		ORDER BY j.key`, query.List(records))
}

func (tx *Tx) observationsWhere(condition string, args ...any) ([]TruthObservation, error) {
	var list []TruthObservation
	err := tx.each(func(scan func(...any) error) error {
		var o TruthObservation
		var fields string
		err := scan(append(observationFields(&o, &fields), &o.RecordID, &o.OriginID)...)
		o.Fields = json.RawMessage(fields)
		list = append(list, o)
		return err
	}, `SELECT `+observationColumns+`, r.id, e.id FROM truth_observations o JOIN records r ON r.seq = o.record JOIN truth_entities e ON e.seq = o.origin
		WHERE `+condition+` ORDER BY o.observed_at DESC, o.seq DESC`, args...)
	return list, err
}

// RetractObservations removes what a record said. It adds the rows of the entities
// whose snapshots that counted for to roots, and of those it was said of to origins.
func (tx *Tx) RetractObservations(record int64, roots, origins map[int64]bool) error {
	tx.touch(TopicPayloads)
	return tx.each(func(scan func(...any) error) error {
		var root, origin int64
		err := scan(&root, &origin)
		roots[root], origins[origin] = true, true
		return err
	}, `DELETE FROM truth_observations WHERE record = ? RETURNING entity, origin`, record)
}
