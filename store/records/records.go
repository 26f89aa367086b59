// Package records keeps payloads as they were submitted, the records made of them with
// what each is found by, their vectors, the files that records hold, and where records
// come from: archives that were read and banks that are connected.
package records

import (
	"encoding/json"

	"toolkit/store"
	"toolkit/store/internal/query"
)

// Rows are what a transaction sees of all this.
type Rows struct{ sql *query.Tx }

// In returns the rows of a transaction.
func In(tx *store.Tx) Rows { return Rows{(*query.Tx)(tx)} }

// Record is what retrieve_records shows. Times are unix milliseconds.
type Record struct {
	Seq        int64 // row id
	ID         string
	Type       string
	Properties json.RawMessage // object
	FileURLs   []string
	Embedding  json.RawMessage // array of numbers, or nil
	Entity     int64           // row of the entity the record itself is; 0: none
	CreatedAt  int64
	UpdatedAt  int64
}

// Index is under what a record can be found.
type Index struct {
	Types  []string // folded types it answers to
	Values []int64  // hashes of path and value
	Words  string   // searchable text
}

// Insert adds a record with its index and returns its row id.
func (tx Rows) Insert(r Record, index Index) (int64, error) {
	seq, err := tx.sql.Insert(`INSERT INTO records(id, type, properties, file_urls, embedding, entity, created_at, updated_at) VALUES(?, ?, ?, ?, ?, ?, ?, ?)`,
		r.ID, r.Type, string(r.Properties), query.List(r.FileURLs), query.NullIfEmpty(r.Embedding), query.NullIfZero(r.Entity), r.CreatedAt, r.UpdatedAt)
	if err != nil {
		return 0, err
	}
	tx.sql.Touch(store.TopicPayloads)
	r.Seq = seq
	return seq, tx.indexRecord(r, index)
}

// SetEntity says which entity a record itself is.
func (tx Rows) SetEntity(record, entity int64) error {
	return tx.sql.Exec(`UPDATE records SET entity = ? WHERE seq = ?`, entity, record)
}

// Update replaces a record's contents; what it was is kept, see
// History. before is the index it had. Its
// vectors are outdated until it is embedded again.
func (tx Rows) Update(r Record, before, after Index) error {
	err := tx.sql.Exec(`UPDATE records SET type = ?, properties = ?, file_urls = ?, embedding = ?, updated_at = ? WHERE seq = ?`,
		r.Type, string(r.Properties), query.List(r.FileURLs), query.NullIfEmpty(r.Embedding), r.UpdatedAt, r.Seq)
	if err != nil {
		return err
	}
	tx.sql.Touch(store.TopicPayloads)
	if err := tx.outdateRecord(r.Seq); err != nil {
		return err
	}
	if err := tx.unindexRecord(r.Seq, before); err != nil {
		return err
	}
	return tx.indexRecord(r, after)
}

// PreviousVersion is what a record was until ReplacedAt.
type PreviousVersion struct {
	ReplacedAt int64
	Type       string
	Properties json.RawMessage
	FileURLs   []string
}

// History returns what a record was before its updates, newest first.
func (tx Rows) History(record int64, limit int) ([]PreviousVersion, error) {
	return query.Select(tx.sql, func(v *PreviousVersion) []any {
		return []any{&v.ReplacedAt, &v.Type, query.FromJSON(&v.Properties), query.FromJSON(&v.FileURLs)}
	}, `SELECT replaced_at, type, properties, file_urls FROM record_history WHERE record = ? ORDER BY seq DESC LIMIT ?`, record, limit)
}

// Delete removes a record, the payload behind it and its index. Its
// observations must be gone: see DeleteObservationsOfRecord.
func (tx Rows) Delete(r Record, index Index) error {
	tx.sql.Touch(store.TopicPayloads)
	if err := tx.unindexRecord(r.Seq, index); err != nil {
		return err
	}
	if err := tx.emptyRecordVectors(r.Seq); err != nil {
		return err
	}
	if err := tx.sql.Exec(`DELETE FROM payloads WHERE id = ?`, r.ID); err != nil {
		return err
	}
	return tx.sql.Exec(`DELETE FROM records WHERE seq = ?`, r.Seq)
}

func (tx Rows) indexRecord(r Record, index Index) error {
	if err := tx.sql.Exec(`INSERT INTO record_types(key, created_at, id, record) SELECT DISTINCT value, ?2, ?3, ?4 FROM json_each(?1)`, query.List(index.Types), r.CreatedAt, r.ID, r.Seq); err != nil {
		return err
	}
	if err := tx.sql.Exec(`INSERT OR IGNORE INTO record_values(key, record) SELECT value, ?2 FROM json_each(?1)`, query.List(index.Values), r.Seq); err != nil {
		return err
	}
	return tx.sql.AddWords("record_words", r.Seq, r.Type, index.Words)
}

func (tx Rows) unindexRecord(record int64, index Index) error {
	if err := tx.sql.Exec(`DELETE FROM record_types WHERE record = ?`, record); err != nil {
		return err
	}
	if err := tx.sql.Exec(`DELETE FROM record_values WHERE record = ?2 AND key IN (SELECT value FROM json_each(?1))`, query.List(index.Values), record); err != nil {
		return err
	}
	return tx.sql.Exec(`DELETE FROM record_words WHERE rowid = ?`, record)
}

const recordColumns = `r.seq, r.id, r.type, r.properties, r.file_urls, r.embedding, coalesce(r.entity, 0), r.created_at, r.updated_at`

// ByID returns a record, and false when there is none of this id.
func (tx Rows) ByID(id string) (Record, bool, error) {
	return query.Find(tx.sql, (*Record).fields, `SELECT `+recordColumns+` FROM records r WHERE r.id = ?`, id)
}

// ByRow returns the record of a row.
func (tx Rows) ByRow(seq int64) (Record, error) {
	return query.Read(tx.sql, (*Record).fields, `SELECT `+recordColumns+` FROM records r WHERE r.seq = ?`, seq)
}

func (r *Record) fields() []any {
	return []any{&r.Seq, &r.ID, &r.Type, query.FromJSON(&r.Properties), query.FromJSON(&r.FileURLs), query.FromJSON(&r.Embedding), &r.Entity, &r.CreatedAt, &r.UpdatedAt}
}

// ClearIndex empties everything under which records and entities are
// found. InsertRecordIndex and InsertSnapshotIndex fill it.
func (tx Rows) ClearIndex() error {
	if err := tx.sql.ExecAll([]string{`DELETE FROM record_types`, `DELETE FROM record_values`, `DELETE FROM snapshot_values`, `DELETE FROM timeline_events`}); err != nil {
		return err
	}
	for _, table := range []string{"record_words", "snapshot_words"} {
		if err := tx.sql.ClearWordIndex(table); err != nil {
			return err
		}
	}
	return nil
}

// ListAfter returns up to limit records after a row, in order.
func (tx Rows) ListAfter(row int64, limit int) ([]Record, error) {
	return query.Select(tx.sql, (*Record).fields, `SELECT `+recordColumns+` FROM records r WHERE r.seq > ? ORDER BY r.seq LIMIT ?`, row, limit)
}

// InsertRecordIndex enters a record into the emptied index.
func (tx Rows) InsertRecordIndex(r Record, index Index) error { return tx.indexRecord(r, index) }

// Payload is an envelope as it was submitted. Times are unix milliseconds.
type Payload struct {
	ID               string // UUID, also the id of the record that shows it
	ContentID        string
	SubmissionID     string
	Capability       string
	Body             json.RawMessage
	SourceRefs       []string
	ExtractedAt      int64
	ExtractorVersion string
	AgentID          string
	ClientRequestID  string
	CreatedAt        int64
}

// InsertPayload stores a payload unless one of the same content id is there.
// It returns the payload that stands, and whether it is the new one.
func (tx Rows) InsertPayload(p Payload) (Payload, bool, error) {
	n, err := tx.sql.ExecAndCountRows(`INSERT INTO payloads(id, content_id, submission_id, capability, body, source_refs, extracted_at, extractor_version, agent_id, client_request_id, created_at)
		VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(content_id) DO NOTHING`,
		p.ID, p.ContentID, p.SubmissionID, p.Capability, string(p.Body), query.List(p.SourceRefs), p.ExtractedAt, p.ExtractorVersion, p.AgentID, p.ClientRequestID, p.CreatedAt)
	if err != nil {
		return Payload{}, false, err
	}
	if n > 0 {
		tx.sql.Touch(store.TopicPayloads)
		return p, true, nil
	}
	p, _, err = tx.findPayload(`content_id`, p.ContentID)
	return p, false, err
}

// PayloadByID returns the payload of a record, and false when the record is
// none or does not exist.
func (tx Rows) PayloadByID(id string) (Payload, bool, error) { return tx.findPayload(`id`, id) }

func (tx Rows) findPayload(column, value string) (Payload, bool, error) {
	return query.Find(tx.sql, func(p *Payload) []any {
		return []any{&p.ID, &p.ContentID, &p.SubmissionID, &p.Capability, query.FromJSON(&p.Body), query.FromJSON(&p.SourceRefs), &p.ExtractedAt, &p.ExtractorVersion, &p.AgentID, &p.ClientRequestID, &p.CreatedAt}
	}, `SELECT id, content_id, submission_id, capability, body, source_refs, extracted_at, extractor_version, agent_id, client_request_id, created_at
		FROM payloads WHERE `+column+` = ?`, value)
}
