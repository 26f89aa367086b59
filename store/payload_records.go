package store

import (
	"database/sql"
	"encoding/json"

	"toolkit/store/internal/query"
)

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

// RecordIndex is under what a record can be found.
type RecordIndex struct {
	Types  []string // folded types it answers to
	Values []int64  // hashes of path and value
	Words  string   // searchable text
}

// InsertRecord adds a record with its index and returns its row id.
func (tx *Tx) InsertRecord(r Record, index RecordIndex) (int64, error) {
	seq, err := tx.insert(`INSERT INTO records(id, type, properties, file_urls, embedding, entity, created_at, updated_at) VALUES(?, ?, ?, ?, ?, ?, ?, ?)`,
		r.ID, r.Type, string(r.Properties), query.List(r.FileURLs), query.JSON(r.Embedding), query.Number(r.Entity), r.CreatedAt, r.UpdatedAt)
	if err != nil {
		return 0, err
	}
	tx.touch(TopicPayloads)
	r.Seq = seq
	return seq, tx.indexRecord(r, index)
}

// SetRecordEntity says which entity a record itself is.
func (tx *Tx) SetRecordEntity(record, entity int64) error {
	return tx.exec(`UPDATE records SET entity = ? WHERE seq = ?`, entity, record)
}

// UpdateRecord replaces a record's contents; what it was is kept, see
// RecordHistory. before is the index it had. Its
// vectors are outdated until it is embedded again.
func (tx *Tx) UpdateRecord(r Record, before, after RecordIndex) error {
	err := tx.exec(`UPDATE records SET type = ?, properties = ?, file_urls = ?, embedding = ?, updated_at = ? WHERE seq = ?`,
		r.Type, string(r.Properties), query.List(r.FileURLs), query.JSON(r.Embedding), r.UpdatedAt, r.Seq)
	if err != nil {
		return err
	}
	tx.touch(TopicPayloads)
	if err := tx.outdateRecord(r.Seq); err != nil {
		return err
	}
	if err := tx.unindexRecord(r.Seq, before); err != nil {
		return err
	}
	return tx.indexRecord(r, after)
}

// FormerRecord is what a record was until ReplacedAt.
type FormerRecord struct {
	ReplacedAt int64
	Type       string
	Properties json.RawMessage
	FileURLs   []string
}

// RecordHistory returns what a record was before its updates, newest first.
func (tx *Tx) RecordHistory(record int64, limit int) ([]FormerRecord, error) {
	var list []FormerRecord
	err := tx.each(func(scan func(...any) error) error {
		var f FormerRecord
		var properties, urls string
		if err := scan(&f.ReplacedAt, &f.Type, &properties, &urls); err != nil {
			return err
		}
		f.Properties = json.RawMessage(properties)
		list = append(list, f)
		return json.Unmarshal([]byte(urls), &list[len(list)-1].FileURLs)
	}, `SELECT replaced_at, type, properties, file_urls FROM record_history WHERE record = ? ORDER BY seq DESC LIMIT ?`, record, limit)
	return list, err
}

// DeleteRecord removes a record, the payload behind it and its index. Its
// observations must be gone: see RetractObservations.
func (tx *Tx) DeleteRecord(r Record, index RecordIndex) error {
	tx.touch(TopicPayloads)
	if err := tx.unindexRecord(r.Seq, index); err != nil {
		return err
	}
	if err := tx.emptyRecordVectors(r.Seq); err != nil {
		return err
	}
	if err := tx.exec(`DELETE FROM payloads WHERE id = ?`, r.ID); err != nil {
		return err
	}
	return tx.exec(`DELETE FROM records WHERE seq = ?`, r.Seq)
}

func (tx *Tx) indexRecord(r Record, index RecordIndex) error {
	if err := tx.exec(`INSERT INTO record_types(key, created_at, id, record) SELECT DISTINCT value, ?2, ?3, ?4 FROM json_each(?1)`, query.List(index.Types), r.CreatedAt, r.ID, r.Seq); err != nil {
		return err
	}
	if err := tx.exec(`INSERT OR IGNORE INTO record_values(key, record) SELECT value, ?2 FROM json_each(?1)`, query.List(index.Values), r.Seq); err != nil {
		return err
	}
	return tx.exec(`INSERT INTO record_words(rowid, type, words) VALUES(?, ?, ?)`, r.Seq, r.Type, index.Words)
}

func (tx *Tx) unindexRecord(record int64, index RecordIndex) error {
	if err := tx.exec(`DELETE FROM record_types WHERE record = ?`, record); err != nil {
		return err
	}
	if err := tx.exec(`DELETE FROM record_values WHERE record = ?2 AND key IN (SELECT value FROM json_each(?1))`, query.List(index.Values), record); err != nil {
		return err
	}
	return tx.exec(`DELETE FROM record_words WHERE rowid = ?`, record)
}

const recordColumns = `r.seq, r.id, r.type, r.properties, r.file_urls, r.embedding, r.entity, r.created_at, r.updated_at`

// RecordByID returns a record, and false when there is none of this id.
func (tx *Tx) RecordByID(id string) (Record, bool, error) {
	r, err := scanRecord(tx.row(`SELECT `+recordColumns+` FROM records r WHERE r.id = ?`, id).Scan)
	known, err := query.Found(err)
	return r, known, err
}

// RecordByRow returns the record of a row.
func (tx *Tx) RecordByRow(seq int64) (Record, error) {
	return scanRecord(tx.row(`SELECT `+recordColumns+` FROM records r WHERE r.seq = ?`, seq).Scan)
}

func scanRecord(scan func(...any) error) (Record, error) {
	var r Record
	var properties, urls string
	var embedding sql.NullString
	var entity sql.NullInt64
	if err := scan(&r.Seq, &r.ID, &r.Type, &properties, &urls, &embedding, &entity, &r.CreatedAt, &r.UpdatedAt); err != nil {
		return Record{}, err
	}
	r.Properties, r.Entity = json.RawMessage(properties), entity.Int64
	if embedding.Valid {
		r.Embedding = json.RawMessage(embedding.String)
	}
	return r, json.Unmarshal([]byte(urls), &r.FileURLs)
}
