package memory

import (
	"slices"

	"toolkit/store"
	"toolkit/store/internal/query"
)

// Indexed is a row of memory as search sees it. Terms are separated by
// blanks.
type Indexed struct {
	ID          int64 // its own, across sources
	Source      Source
	RowID       int64  // id of the Row
	SessionID   string // empty: stands alone
	Position    int    // in its session: of neighbours it differs by one
	Speaker     string
	Created     int64 // unix milliseconds
	Retired     bool
	Terms       string
	Day         string
	SourceTerms string
	Permitted   bool // by the filter of a search
}

// IndexRow enters a row into the full-text index of its source and returns
// its id there. ID and Position are assigned. A row that is indexed already
// keeps its terms, which never change; only whether it is retired is noted, and
// known is true.
func (tx Rows) IndexRow(m Indexed, words int) (id int64, known bool, err error) {
	id, known, err = query.Find(tx.sql, query.Column[int64], `SELECT id FROM memory_rows WHERE source = ? AND row_id = ?`, string(m.Source), m.RowID)
	if err != nil {
		return 0, false, err
	}
	if known {
		return id, true, tx.setRetired(id, m.Retired)
	}
	id, err = tx.sql.Insert(tx.sql.ForEngine(`INSERT INTO memory_rows(id, source, row_id, session, position, speaker, created, retired, terms, day, source_terms)
		VALUES(1 + max(coalesce((SELECT max(id) FROM memory_rows), 0), coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'memory_rows'), 0)),
			?1, ?2, nullif(?3, ''), coalesce((SELECT max(position) FROM memory_rows WHERE source = ?1 AND session = ?3), 0) + 1, ?4, ?5, ?6, ?7, ?8, ?9)`,
		`INSERT INTO memory_rows(source, row_id, session, position, speaker, created, retired, terms, day, source_terms)
		VALUES(?1, ?2, nullif(?3, ''), coalesce((SELECT max(position) FROM memory_rows WHERE source = ?1 AND session = ?3), 0) + 1, ?4, ?5, ?6, ?7, ?8, ?9)`),
		string(m.Source), m.RowID, m.SessionID, m.Speaker, m.Created, m.Retired, m.Terms, m.Day, m.SourceTerms)
	if err != nil {
		return 0, false, err
	}
	if err := tx.sql.AddWords(tablesOf[m.Source].words, id, m.Terms, m.Day, m.SourceTerms); err != nil {
		return 0, false, err
	}
	return id, false, tx.sql.Exec(`UPDATE memory_statistics SET rows = rows + 1, words = words + ? WHERE source = ?`, words, string(m.Source))
}

// setRetired notes whether a row is retired. Its vectors move to the end of
// the change feed, so that every process takes the change in.
func (tx Rows) setRetired(id int64, retired bool) error {
	n, err := tx.sql.ExecAndCountRows(`UPDATE memory_rows SET retired = ?2 WHERE id = ?1 AND retired <> ?2`, id, retired)
	if err != nil || n == 0 {
		return err
	}
	return tx.sql.Exec(`INSERT OR REPLACE INTO memory_vectors(space, memory_id, source, vector)
		SELECT space, memory_id, source, vector FROM memory_vectors WHERE memory_id = ?`, id)
}

// maxMergedPages bounds the pages of an index that one MergeWordIndexes rewrites.
const maxMergedPages = 200

// MergeWordIndexes brings parts of the full-text indexes of dialogue and insights together.
// Every transaction adds a part, and every word of a search is looked for in each.
// Parts of one size become one; what is left of the work is done the next time.
func (tx Rows) MergeWordIndexes() error {
	if !tx.sql.SQLite() {
		return nil // its index is one
	}
	for _, words := range []string{"memory_words_l0", "memory_words_l2"} {
		insertion := `INSERT INTO ` + words + `(` + words + `, rank) VALUES(?, ?)`
		if err := tx.sql.Exec(insertion, "usermerge", 2); err != nil {
			return err
		}
		if err := tx.sql.Exec(insertion, "merge", maxMergedPages); err != nil {
			return err
		}
	}
	return nil
}

// InsightsFrom returns the ids of insights that name a dialogue row as a source.
func (tx Rows) InsightsFrom(dialogue int64) ([]int64, error) {
	return tx.sql.IDs(`SELECT DISTINCT insight_id FROM l2_sources WHERE l0_id = ? ORDER BY insight_id`, dialogue)
}

// ReplaceSourceTerms gives an indexed insight other terms of its sources.
func (tx Rows) ReplaceSourceTerms(insight int64, terms string) error {
	var id int64
	var body, day string
	found, err := query.RowFound(tx.sql.Row(`SELECT id, terms, day FROM memory_rows WHERE source = 'l2' AND row_id = ?`, insight).Scan(&id, &body, &day))
	if err != nil || !found {
		return err
	}
	if err := tx.sql.Exec(`UPDATE memory_rows SET source_terms = ? WHERE id = ?`, terms, id); err != nil {
		return err
	}
	return tx.sql.PutWords("memory_words_l2", id, body, day, terms)
}

// InsertVectors stores vectors of rows of any source in the vector space
// of a model. Vector nil means that a row has nothing to embed. A row that has a
// vector there keeps it: texts never change, so it is the same.
func (tx Rows) InsertVectors(model string, list []store.Vector) error {
	if len(list) == 0 {
		return nil
	}
	if err := tx.sql.Exec(`INSERT OR IGNORE INTO memory_spaces(model) VALUES(?)`, model); err != nil {
		return err
	}
	for _, v := range list {
		if err := tx.sql.Exec(`INSERT INTO memory_vectors(space, memory_id, source, vector)
			SELECT (SELECT id FROM memory_spaces WHERE model = ?1), id, source, ?3 FROM memory_rows WHERE id = ?2
			ON CONFLICT(memory_id, space) DO NOTHING`, model, v.ID, query.NullIfNil(v.Vector)); err != nil {
			return err
		}
	}
	return nil
}

// VectorChanges returns up to limit rows of a source whose vector in a
// model's space came, or that were retired or forgotten, after a place in the change feed,
// in order. Rows of the other kind (retired or not) and forgotten ones come with a
// nil vector.
func (tx Rows) VectorChanges(model string, source Source, retired bool, after int64, limit int) ([]store.Vector, error) {
	return query.Select(tx.sql, func(v *store.Vector) []any { return []any{&v.Seq, &v.ID, &v.Vector} }, `SELECT v.seq, v.memory_id, CASE WHEN r.retired = ?3 THEN v.vector END
		FROM memory_vectors v JOIN memory_rows r ON r.id = v.memory_id
		WHERE v.space = (SELECT id FROM memory_spaces WHERE model = ?1) AND v.source = ?2 AND v.seq > ?4
		UNION ALL SELECT f.seq, f.memory_id, NULL FROM memory_forgotten f WHERE f.source = ?2 AND f.seq > ?4
		ORDER BY 1 LIMIT ?5`, model, string(source), retired, after, limit)
}

// Vectors returns the vectors of indexed rows in a model's space, nil for
// those with nothing to embed; rows that are not embedded yet are left out.
func (tx Rows) Vectors(model string, ids []int64) (map[int64][]byte, error) {
	return query.Map[int64, []byte](tx.sql, `SELECT v.memory_id, v.vector FROM json_each(?2) j CROSS JOIN memory_vectors v ON v.memory_id = j.value
			AND v.space = (SELECT id FROM memory_spaces WHERE model = ?1)`, model, query.List(ids))
}

// VectorsOf returns the vectors of rows of a source in a model's space, by the ids of
// the rows; those that are not embedded yet are left out.
func (tx Rows) VectorsOf(source Source, model string, rows []int64) (map[int64][]byte, error) {
	return query.Map[int64, []byte](tx.sql, `SELECT r.row_id, v.vector FROM json_each(?2) j CROSS JOIN memory_rows r ON r.source = ?3 AND r.row_id = j.value
			CROSS JOIN memory_vectors v ON v.memory_id = r.id AND v.space = (SELECT id FROM memory_spaces WHERE model = ?1)`, model, query.List(rows), string(source))
}

// ListUnembedded returns up to limit indexed rows after the given one that have no vector
// in a model's space yet, in order; all up to last have. Texts never change: there are no
// versions.
func (tx Rows) ListUnembedded(model string, after int64, limit int) (list []store.Unembedded, last int64, err error) {
	ids, err := tx.sql.IDs(`SELECT r.id FROM memory_rows r
		WHERE r.id > ?2 AND NOT EXISTS (SELECT 1 FROM memory_vectors v
			WHERE v.memory_id = r.id AND v.space = (SELECT id FROM memory_spaces WHERE model = ?1))
		ORDER BY r.id LIMIT ?3`, model, after, limit)
	if err != nil {
		return nil, 0, err
	}
	if len(ids) == 0 {
		last, err = query.Value[int64](tx.sql, `SELECT coalesce(max(id), 0) FROM memory_rows`)
		return nil, last, err
	}
	for batch := range slices.Chunk(ids, query.UnembeddedBatch) {
		rows, err := tx.RowsAt(batch)
		if err != nil {
			return nil, 0, err
		}
		for _, id := range batch {
			list = append(list, query.NewUnembedded(id, 0, rows[id].EmbeddedText()))
		}
	}
	return list, ids[len(ids)-1], nil
}

// CountUnembedded returns how many indexed rows have no vector in a model's space.
func (tx Rows) CountUnembedded(model string) (int, error) {
	return query.Value[int](tx.sql, `SELECT (SELECT count(*) FROM memory_rows)
		- (SELECT count(*) FROM memory_vectors WHERE space = (SELECT id FROM memory_spaces WHERE model = ?))`, model)
}

// DeleteVectors deletes the vectors of every other model and returns how
// many there were.
func (tx Rows) DeleteVectors(except string) (int64, error) {
	return tx.sql.ExecAndCountRows(`DELETE FROM memory_vectors WHERE space IN (SELECT id FROM memory_spaces WHERE model <> ?)`, except)
}
