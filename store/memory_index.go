package store

import (
	"fmt"

	"toolkit/store/internal/query"
)

// IndexedMemory is a row of memory as search sees it. Terms are separated by
// blanks.
type IndexedMemory struct {
	ID          int64 // its own, across sources
	Source      MemorySource
	RowID       int64  // id of the MemoryRow
	SessionID   string // empty: stands alone
	Position    int    // 1, 2, … within the session
	Speaker     string
	Created     int64 // unix milliseconds
	Retired     bool
	Terms       string
	Day         string
	SourceTerms string
	Permitted   bool // by the filter of a search
}

// IndexMemory enters a row into the full-text index of its source and returns
// its id there. ID and Position are assigned. A row that is indexed already
// keeps its terms, which never change; only whether it is retired is noted, and
// known is true.
func (tx *Tx) IndexMemory(m IndexedMemory, words int) (id int64, known bool, err error) {
	id, err = tx.indexedID(m.Source, m.RowID)
	if err != nil {
		return 0, false, err
	}
	if id != 0 {
		return id, true, tx.retireMemory(id, m.Retired)
	}
	id, err = tx.insert(`INSERT INTO memory_rows(source, row_id, session, position, speaker, created, retired, terms, day, source_terms)
		VALUES(?1, ?2, nullif(?3, ''), coalesce((SELECT max(position) FROM memory_rows WHERE source = ?1 AND session = ?3), 0) + 1, ?4, ?5, ?6, ?7, ?8, ?9)`,
		string(m.Source), m.RowID, m.SessionID, m.Speaker, m.Created, m.Retired, m.Terms, m.Day, m.SourceTerms)
	if err != nil {
		return 0, false, err
	}
	insert, err := wordsInsertion(m.Source)
	if err != nil {
		return 0, false, err
	}
	if err := tx.exec(insert, id, m.Terms, m.Day, m.SourceTerms); err != nil {
		return 0, false, err
	}
	return id, false, tx.exec(`UPDATE memory_statistics SET rows = rows + 1, words = words + ? WHERE source = ?`, words, string(m.Source))
}

func (tx *Tx) indexedID(source MemorySource, rowID int64) (id int64, err error) {
	_, err = query.Found(tx.row(`SELECT id FROM memory_rows WHERE source = ? AND row_id = ?`, string(source), rowID).Scan(&id))
	return id, err
}

// retireMemory notes whether a row is retired. Its vectors move to the end of
// the change feed, so that every process takes the change in.
func (tx *Tx) retireMemory(id int64, retired bool) error {
	n, err := tx.change(`UPDATE memory_rows SET retired = ?2 WHERE id = ?1 AND retired <> ?2`, id, retired)
	if err != nil || n == 0 {
		return err
	}
	return tx.exec(`INSERT OR REPLACE INTO memory_vectors(space, memory_id, source, vector)
		SELECT space, memory_id, source, vector FROM memory_vectors WHERE memory_id = ?`, id)
}

// wordsInsertion is the statement that enters terms into a source's full-text
// index. Table names cannot be parameters.
func wordsInsertion(source MemorySource) (string, error) {
	switch source {
	case SourceDialogue:
		return `INSERT INTO memory_words_l0(rowid, body, day, sources) VALUES(?, ?, ?, ?)`, nil
	case SourceInsight:
		return `INSERT INTO memory_words_l2(rowid, body, day, sources) VALUES(?, ?, ?, ?)`, nil
	case SourceEpisode:
		return `INSERT INTO memory_words_episode(rowid, body, day, sources) VALUES(?, ?, ?, ?)`, nil
	}
	return "", fmt.Errorf("there is no memory %q to index", source)
}

// InsightsFrom returns the ids of insights that name a dialogue row as a source.
func (tx *Tx) InsightsFrom(dialogue int64) ([]int64, error) {
	return tx.ids(`SELECT DISTINCT insight_id FROM l2_sources WHERE l0_id = ? ORDER BY insight_id`, dialogue)
}

// ReplaceSourceTerms gives an indexed insight other terms of its sources.
func (tx *Tx) ReplaceSourceTerms(insight int64, terms string) error {
	var id int64
	var body, day string
	found, err := query.Found(tx.row(`SELECT id, terms, day FROM memory_rows WHERE source = 'l2' AND row_id = ?`, insight).Scan(&id, &body, &day))
	if err != nil || !found {
		return err
	}
	if err := tx.exec(`UPDATE memory_rows SET source_terms = ? WHERE id = ?`, terms, id); err != nil {
		return err
	}
	return tx.exec(`INSERT OR REPLACE INTO memory_words_l2(rowid, body, day, sources) VALUES(?, ?, ?, ?)`, id, body, day, terms)
}

// MemoryVector is the vector of an indexed row in one vector space, in a form of
// the caller's choosing.
type MemoryVector struct {
	Seq      int64 // place in the change feed
	MemoryID int64 // IndexedMemory.ID
	Vector   []byte
}

// InsertMemoryVectors stores vectors of rows of any source in the vector space
// of a model. Vector nil means that a row has nothing to embed. A row that has a
// vector there keeps it: texts never change, so it is the same.
func (tx *Tx) InsertMemoryVectors(model string, vectors []MemoryVector) error {
	if len(vectors) == 0 {
		return nil
	}
	if err := tx.exec(`INSERT OR IGNORE INTO memory_spaces(model) VALUES(?)`, model); err != nil {
		return err
	}
	for _, v := range vectors {
		var blob any // a nil slice would be stored as an empty one
		if v.Vector != nil {
			blob = v.Vector
		}
		if err := tx.exec(`INSERT INTO memory_vectors(space, memory_id, source, vector)
			SELECT (SELECT id FROM memory_spaces WHERE model = ?1), id, source, ?3 FROM memory_rows WHERE id = ?2
			ON CONFLICT(memory_id, space) DO NOTHING`, model, v.MemoryID, blob); err != nil {
			return err
		}
	}
	return nil
}

// MemoryVectorChanges returns up to limit rows of a source whose vector in a
// model's space came, or that were retired or forgotten, after a place in the change feed,
// in order. Rows of the other kind (retired or not) and forgotten ones come with a
// nil vector.
func (tx *Tx) MemoryVectorChanges(model string, source MemorySource, retired bool, after int64, limit int) ([]MemoryVector, error) {
	list := []MemoryVector{}
	err := tx.each(func(scan func(...any) error) error {
		var v MemoryVector
		err := scan(&v.Seq, &v.MemoryID, &v.Vector)
		list = append(list, v)
		return err
	}, `SELECT v.seq, v.memory_id, CASE WHEN r.retired = ?3 THEN v.vector END
		FROM memory_vectors v JOIN memory_rows r ON r.id = v.memory_id
		WHERE v.space = (SELECT id FROM memory_spaces WHERE model = ?1) AND v.source = ?2 AND v.seq > ?4
		UNION ALL SELECT f.seq, f.memory_id, NULL FROM memory_forgotten f WHERE f.source = ?2 AND f.seq > ?4
		ORDER BY 1 LIMIT ?5`, model, string(source), retired, after, limit)
	return list, err
}

// MemoryVectors returns the vectors of indexed rows in a model's space, nil for
// those with nothing to embed; rows that are not embedded yet are left out.
func (tx *Tx) MemoryVectors(model string, ids []int64) (map[int64][]byte, error) {
	vectors := make(map[int64][]byte, len(ids))
	err := tx.each(func(scan func(...any) error) error {
		var id int64
		var vector []byte
		err := scan(&id, &vector)
		vectors[id] = vector
		return err
	}, `SELECT v.memory_id, v.vector FROM json_each(?2) j CROSS JOIN memory_vectors v ON v.memory_id = j.value
			AND v.space = (SELECT id FROM memory_spaces WHERE model = ?1)`, model, query.List(ids))
	return vectors, err
}

// UnembeddedMemory returns up to limit ids of indexed rows after the given one
// that have no vector in a model's space yet, in order.
func (tx *Tx) UnembeddedMemory(model string, after int64, limit int) ([]int64, error) {
	return tx.ids(`SELECT r.id FROM memory_rows r
		WHERE r.id > ?2 AND NOT EXISTS (SELECT 1 FROM memory_vectors v
			WHERE v.memory_id = r.id AND v.space = (SELECT id FROM memory_spaces WHERE model = ?1))
		ORDER BY r.id LIMIT ?3`, model, after, limit)
}

// LastMemory is the greatest id of an indexed row, 0 when there is none.
func (tx *Tx) LastMemory() (id int64, err error) {
	err = tx.row(`SELECT coalesce(max(id), 0) FROM memory_rows`).Scan(&id)
	return id, err
}

// CountUnembedded is how many indexed rows have no vector in a model's space.
func (tx *Tx) CountUnembedded(model string) (count int, err error) {
	err = tx.row(`SELECT (SELECT count(*) FROM memory_rows)
		- (SELECT count(*) FROM memory_vectors WHERE space = (SELECT id FROM memory_spaces WHERE model = ?))`, model).Scan(&count)
	return count, err
}

// DropMemoryVectors deletes the vectors of every other model and returns how
// many there were.
func (tx *Tx) DropMemoryVectors(except string) (int64, error) {
	return tx.change(`DELETE FROM memory_vectors WHERE space IN (SELECT id FROM memory_spaces WHERE model <> ?)`, except)
}
