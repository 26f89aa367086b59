package records

import (
	"toolkit/store"
	"toolkit/store/internal/query"
)

var vectors = query.VectorTable{Name: "record_vectors", Key: "record", Spaces: "record_spaces"}

// EnsureSpace makes the vector space of a model known, so that records
// which change from now on are marked as pending in it.
func (tx Rows) EnsureSpace(model string) error { return tx.ensureVectorSpace(model, true) }

func (tx Rows) ensureVectorSpace(model string, embeds bool) error {
	return tx.sql.Exec(`INSERT OR IGNORE INTO record_spaces(model, embeds) VALUES(?, ?)`, model, embeds)
}

// HasSpace says whether the vector space of a model is known.
func (tx Rows) HasSpace(model string) (bool, error) {
	return query.Value[bool](tx.sql, `SELECT EXISTS (SELECT 1 FROM record_spaces WHERE model = ?)`, model)
}

func (tx Rows) putVector(model string, record int64, vector []byte) error {
	return tx.sql.Exec(`INSERT OR REPLACE INTO record_vectors(space, record, vector) VALUES((SELECT id FROM record_spaces WHERE model = ?1), ?2, ?3)`, model, record, query.NullIfNil(vector))
}

// ReplaceSuppliedVector gives a record the vector that came with it, in a space of
// its own; it takes the place of one in another such space. Vector nil means
// that none comes with it any more.
func (tx Rows) ReplaceSuppliedVector(space string, record int64, vector []byte) error {
	// What leaves a space stays as an empty row: see the migration.
	if err := tx.sql.Exec(`INSERT OR REPLACE INTO record_vectors(space, record) SELECT v.space, v.record FROM record_vectors v JOIN record_spaces s ON s.id = v.space
		WHERE v.record = ? AND s.embeds = 0 AND v.vector IS NOT NULL`, record); err != nil || vector == nil {
		return err
	}
	if err := tx.ensureVectorSpace(space, false); err != nil {
		return err
	}
	return tx.putVector(space, record, vector)
}

// outdateRecord marks a record that changed as pending in the space of every
// model, also in those that have not embedded it yet.
func (tx Rows) outdateRecord(record int64) error {
	return tx.sql.Exec(`INSERT OR REPLACE INTO record_vectors(space, record, pending) SELECT id, ?, 1 FROM record_spaces WHERE embeds = 1`, record)
}

// emptyRecordVectors takes the vectors of a deleted record and of its passages away.
func (tx Rows) emptyRecordVectors(record int64) error {
	return tx.sql.Exec(`INSERT OR REPLACE INTO record_vectors(space, record) SELECT space, record FROM record_vectors WHERE record = ? OR record BETWEEN ? AND ?`,
		record, passageID(record+1, 0)+1, passageID(record, 0))
}

// versionedRecord is a record with what tells its text from a later one; see InsertVectors.
type versionedRecord struct {
	Record
	version int64
}

func (r *versionedRecord) fields() []any { return append(r.Record.fields(), &r.version) }

// ListUnembedded returns up to limit records that have no vector in the space
// of a model, with the texts that textOf makes of them: those that changed, or
// else those after the given row. last is the row up to which all others have
// one. Of the records themselves, which may be long, one at a time is in memory.
func (tx Rows) ListUnembedded(model string, after int64, limit int, textOf func(Record) (string, error)) (list []store.Unembedded, last int64, err error) {
	add := func(r versionedRecord) error {
		text, err := textOf(r.Record)
		list = append(list, query.NewUnembedded(r.Seq, r.version, text))
		return err
	}
	err = query.EachRow(tx.sql, (*versionedRecord).fields, add, `SELECT `+recordColumns+`, v.seq FROM record_vectors v CROSS JOIN records r ON r.seq = v.record
		WHERE v.space = (SELECT id FROM record_spaces WHERE model = ?1) AND v.pending = 1 ORDER BY v.record LIMIT ?2`, model, limit)
	if err != nil || len(list) > 0 {
		return list, after, err
	}
	err = query.EachRow(tx.sql, (*versionedRecord).fields, add, `SELECT `+recordColumns+`, 0 FROM records r
		WHERE r.seq > ?2 AND NOT EXISTS (SELECT 1 FROM record_vectors v WHERE v.record = r.seq AND v.space = (SELECT id FROM record_spaces WHERE model = ?1))
		ORDER BY r.seq LIMIT ?3`, model, after, limit)
	if err != nil {
		return nil, 0, err
	}
	if len(list) > 0 {
		return list, list[len(list)-1].ID, nil
	}
	last, err = query.Value[int64](tx.sql, `SELECT coalesce(max(seq), 0) FROM records`)
	return list, last, err
}

// InsertVectors stores vectors of records that were pending, but for those of records
// that are gone or have changed again since that version.
func (tx Rows) InsertVectors(model string, list []store.Vector) error {
	for _, v := range list {
		if err := tx.sql.Exec(`INSERT OR REPLACE INTO record_vectors(space, record, vector) SELECT s.id, r.seq, ?4 FROM record_spaces s, records r
			WHERE s.model = ?1 AND r.seq = ?2 AND coalesce((SELECT v.seq FROM record_vectors v WHERE v.record = r.seq AND v.space = s.id), 0) = ?3`, model, v.ID, v.Version, query.NullIfNil(v.Vector)); err != nil {
			return err
		}
	}
	return nil
}

// ListVectorChanges returns up to limit vectors in the space of a model that came or went
// after a place in the feed, in order.
func (tx Rows) ListVectorChanges(model string, after int64, limit int) ([]store.Vector, error) {
	return vectors.ListChanges(tx.sql, model, after, limit)
}

// Vectors returns the vectors of records in the space of a model; those
// that have none are left out.
func (tx Rows) Vectors(model string, records []int64) (map[int64][]byte, error) {
	return query.Map[int64, []byte](tx.sql, `SELECT v.record, v.vector FROM json_each(?2) j CROSS JOIN record_vectors v ON v.record = j.value
			AND v.space = (SELECT id FROM record_spaces WHERE model = ?1) WHERE v.vector IS NOT NULL`, model, query.List(records))
}

// CountUnembedded returns how many records have no vector in the space of a
// model.
func (tx Rows) CountUnembedded(model string) (int, error) {
	return query.Value[int](tx.sql, `SELECT count(*) FROM records r WHERE NOT EXISTS (SELECT 1 FROM record_vectors v
		WHERE v.record = r.seq AND v.pending = 0 AND v.space = (SELECT id FROM record_spaces WHERE model = ?))`, model)
}

// DeleteVectors deletes the vectors of every other model and returns how
// many there were. Those that came with records stay.
func (tx Rows) DeleteVectors(except string) (int64, error) {
	return tx.sql.ExecAndCountRows(`DELETE FROM record_vectors WHERE space IN (SELECT id FROM record_spaces WHERE model <> ? AND embeds = 1)`, except)
}
