package entities

import (
	"database/sql"
	"encoding/json"

	"toolkit/store/internal/query"
)

// What is looked at of one day: rows, of which the items of a file are most and no
// documents of their own; and of what is said about some entities.
const (
	MaxRowsPerDay = 5000
	maxArrivals   = 50_000
	maxMentions   = 5000
)

// The type of the records that stand for corrections.
const correctionType = "correction"

// mentioningRecords are the records that speak of the entities of list ?1.
const mentioningRecords = `SELECT few.record FROM (SELECT record FROM truth_observations WHERE entity IN (SELECT value FROM json_each(?1)) ORDER BY observed_at DESC, seq DESC LIMIT ?2) few`

// isDocument is the condition that a record r is one: no item of a file and no correction.
const isDocument = `NOT EXISTS (SELECT 1 FROM record_parts x WHERE x.part = r.seq) AND r.type <> '` + correctionType + `'`

// LastArrivalTime returns the last moment before another at which a document may have come
// in, one that speaks of some entities if there are any; 0 when none did. Times are unix
// milliseconds.
func (tx Rows) LastArrivalTime(about []int64, until int64) (int64, error) {
	if len(about) == 0 {
		return tx.readTime(`SELECT max(created_at) FROM records WHERE created_at < ?`, until)
	}
	return tx.readTime(`SELECT max(r.created_at) FROM records r WHERE r.seq IN (`+mentioningRecords+`) AND r.created_at < ?3 AND `+isDocument, query.List(about), maxMentions, until)
}

// FindArrivals returns the rows of the documents that came in from one moment until before
// another, the last one first. Cut: there are more than these.
func (tx Rows) FindArrivals(about []int64, from, until int64) (rows []int64, cut bool, err error) {
	order := ` ORDER BY r.created_at DESC, r.id LIMIT `
	if len(about) == 0 {
		rows, err = tx.sql.IDs(`SELECT r.seq FROM (SELECT seq FROM records WHERE created_at >= ?1 AND created_at < ?2 ORDER BY created_at DESC, id LIMIT ?3) few
			CROSS JOIN records r ON r.seq = few.seq WHERE `+isDocument+order+`?4`, from, until, maxArrivals, MaxRowsPerDay+1)
	} else {
		rows, err = tx.sql.IDs(`SELECT r.seq FROM records r WHERE r.seq IN (`+mentioningRecords+`) AND r.created_at >= ?3 AND r.created_at < ?4 AND `+isDocument+order+`?5`,
			query.List(about), maxMentions, from, until, MaxRowsPerDay+1)
	}
	return rows[:min(len(rows), MaxRowsPerDay)], len(rows) > MaxRowsPerDay, err
}

// Arrival is a document that came in, with the entity that it is or speaks of first.
type Arrival struct {
	Type   string // of the entity that it is, else of its record
	At     int64
	File   string // name of its first file; empty: it has none
	Entity Entity // the zero Entity: it speaks of none
}

// ListArrivals returns documents in the order of the given rows.
func (tx Rows) ListArrivals(rows []int64) ([]Arrival, error) {
	return query.Select(tx.sql, func(a *Arrival) []any {
		return []any{&a.Type, &a.At, &a.File, &a.Entity.ID, &a.Entity.Type, &a.Entity.Name}
	}, `SELECT coalesce(iif(r.entity IS NULL, NULL, t.type), r.type), r.created_at, coalesce((SELECT b.name FROM record_blobs f JOIN blobs b ON b.sha256 = f.sha256 WHERE f.record = r.seq LIMIT 1), ''),
			coalesce(t.id, ''), coalesce(t.type, ''), coalesce(t.name, '')
		FROM json_each(?) j CROSS JOIN records r ON r.seq = j.value
		LEFT JOIN truth_entities e ON e.seq = coalesce(r.entity, (SELECT o.origin FROM truth_observations o WHERE o.record = r.seq ORDER BY o.origin LIMIT 1))
		LEFT JOIN truth_entities t ON t.seq = e.root ORDER BY j.key`, query.List(rows))
}

// Correction is a field that somebody set right, or whose correction was taken back.
type Correction struct {
	Entity    Entity // the zero Entity: it is gone
	Field     string
	Value     json.RawMessage // nil when withdrawn
	Reason    string
	Withdrawn bool
	At        int64
}

// LastCorrectionTime is LastArrivalTime for corrections, of whatever entity.
func (tx Rows) LastCorrectionTime(until int64) (int64, error) {
	return tx.readTime(`SELECT max(created_at) FROM record_types WHERE key = '`+correctionType+`' AND created_at < ?`, until)
}

// FindCorrections returns FindArrivals for corrections.
func (tx Rows) FindCorrections(about []int64, from, until int64) (rows []int64, cut bool, err error) {
	rows, err = tx.sql.IDs(`SELECT r.seq FROM (SELECT record, created_at, id FROM record_types WHERE key = '`+correctionType+`' AND created_at >= ?1 AND created_at < ?2 ORDER BY created_at DESC, id LIMIT ?3) few
		CROSS JOIN records r ON r.seq = few.record
		WHERE r.type = '`+correctionType+`' AND r.properties ->> '$.field' IS NOT NULL
			AND (?4 = '[]' OR EXISTS (SELECT 1 FROM truth_entities e WHERE e.id = r.properties ->> '$.entity_id' AND e.root IN (SELECT value FROM json_each(?4))))
		ORDER BY few.created_at DESC, few.id`, from, until, MaxRowsPerDay+1, query.List(about))
	return rows[:min(len(rows), MaxRowsPerDay)], len(rows) > MaxRowsPerDay, err
}

// ListCorrections returns corrections in the order of the given rows.
func (tx Rows) ListCorrections(rows []int64) ([]Correction, error) {
	return query.Select(tx.sql, func(c *Correction) []any {
		return []any{&c.At, &c.Field, query.FromJSON(&c.Value), &c.Reason, &c.Withdrawn, &c.Entity.ID, &c.Entity.Type, &c.Entity.Name}
	}, `SELECT r.created_at, r.properties ->> '$.field', r.properties -> '$.value', coalesce(r.properties ->> '$.reason', ''), coalesce(r.properties ->> '$.withdrawn', '0'),
			coalesce(t.id, ''), coalesce(t.type, ''), coalesce(t.name, '')
		FROM json_each(?) j CROSS JOIN records r ON r.seq = j.value
		LEFT JOIN truth_entities e ON e.id = r.properties ->> '$.entity_id' LEFT JOIN truth_entities t ON t.seq = e.root ORDER BY j.key`, query.List(rows))
}

func (tx Rows) readTime(statement string, args ...any) (int64, error) {
	var at sql.NullInt64
	err := tx.sql.Row(statement, args...).Scan(&at)
	return at.Int64, err
}
