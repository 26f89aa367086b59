package memory

import (
	"cmp"

	"toolkit/store/internal/query"
)

// Sources are the searchable kinds of memory.
var Sources = []Source{SourceDialogue, SourceInsight, SourceEpisode}

// ListUnindexed returns up to limit ids of rows of a source that search does
// not know, in order.
func (tx Rows) ListUnindexed(source Source, limit int) ([]int64, error) {
	return tx.sql.IDs(`SELECT t.id FROM `+tablesOf[source].rows+` t
		WHERE NOT EXISTS (SELECT 1 FROM memory_rows r WHERE r.source = ?1 AND r.row_id = t.id) ORDER BY t.id LIMIT ?2`, string(source), limit)
}

// ListOrphaned returns up to limit ids of indexed rows of a source whose row
// is gone.
func (tx Rows) ListOrphaned(source Source, limit int) ([]int64, error) {
	return tx.sql.IDs(`SELECT r.id FROM memory_rows r
		WHERE r.source = ?1 AND NOT EXISTS (SELECT 1 FROM `+tablesOf[source].rows+` t WHERE t.id = r.row_id) ORDER BY r.id LIMIT ?2`, string(source), limit)
}

// IndexedAfter returns up to limit indexed rows of a source after an id.
func (tx Rows) IndexedAfter(source Source, after int64, limit int) ([]Indexed, error) {
	return query.Select(tx.sql, func(m *Indexed) []any {
		return []any{&m.Source, &m.ID, &m.RowID, &m.SessionID, &m.Position, &m.Speaker, &m.Created, &m.Retired, &m.Terms, &m.Day, &m.SourceTerms}
	}, `SELECT source, id, row_id, coalesce(session, ''), position, speaker, created, retired, terms, day, source_terms
		FROM memory_rows WHERE id > ?2 AND source = ?1 ORDER BY id LIMIT ?3`, string(source), after, limit)
}

// EachVocabularyTerm calls f with the terms of a source's full-text index from one on and
// below another, "" for no bound, each with its column (body, day, sources) and
// how many rows hold it there. It reads what is stored of every such row.
func (tx Rows) EachVocabularyTerm(source Source, from, below string, f func(term, column string, rows int)) error {
	return tx.sql.Each(func(scan query.Scan) error {
		var term, column string
		var rows int
		err := scan(&term, &column, &rows)
		f(term, column, rows)
		return err
	}, `SELECT term, col, doc FROM `+tablesOf[source].vocabulary+` WHERE term >= ? AND term < ?`, from, cmp.Or(below, "\U0010ffff"))
}

// FindIndexMismatches returns up to limit ids of indexed rows that are missing in the
// full-text index of their source, and of entries there without a row.
func (tx Rows) FindIndexMismatches(source Source, limit int) ([]int64, error) {
	words := tablesOf[source].words
	words = tx.sql.ForEngine(words+`_docsize`, `(SELECT rowid AS id FROM `+words+`)`)
	return tx.sql.IDs(`SELECT id FROM (
			SELECT r.id FROM memory_rows r WHERE r.source = ?1 AND NOT EXISTS (SELECT 1 FROM `+words+` d WHERE d.id = r.id)
			UNION ALL
			SELECT d.id FROM `+words+` d WHERE NOT EXISTS (SELECT 1 FROM memory_rows r WHERE r.id = d.id AND r.source = ?1)
		) ORDER BY id LIMIT ?2`, string(source), limit)
}

// RowsOf returns rows of a source by their own ids, in that order; those
// that do not exist are left out.
func (tx Rows) RowsOf(source Source, ids []int64) ([]Row, error) {
	switch source {
	case SourceDialogue:
		return toRows(tx.DialoguesByID(ids))
	case SourceInsight:
		return toRows(tx.InsightsByID(ids))
	}
	return toRows(query.Select(tx.sql, (*Episode).fields, `SELECT e.id, e.query, e.reward, e.reflection, e.created_at
		FROM json_each(?) j JOIN episode_memory e ON e.id = j.value ORDER BY j.key`, query.List(ids)))
}

// toRows returns rows of a source as search takes them.
func toRows[T interface{ Row() Row }](list []T, err error) ([]Row, error) {
	rows := make([]Row, len(list))
	for i, r := range list {
		rows[i] = r.Row()
	}
	return rows, err
}

// ResetWordIndex empties the full-text index of a source and forgets indexed
// rows whose row is gone. Reindex fills it again.
func (tx Rows) ResetWordIndex(source Source) error {
	if err := tx.sql.ClearWordIndex(tablesOf[source].words); err != nil {
		return err
	}
	if err := tx.sql.Exec(`DELETE FROM memory_rows WHERE source = ? AND row_id NOT IN (SELECT id FROM `+tablesOf[source].rows+`)`, string(source)); err != nil {
		return err
	}
	return tx.sql.Exec(`INSERT INTO memory_statistics(source, rows, words) VALUES(?, 0, 0) ON CONFLICT(source) DO UPDATE SET rows = 0, words = 0`, string(source))
}

// Reindex writes what search knows of an indexed row, by its ID, anew.
func (tx Rows) Reindex(m Indexed, words int) error {
	if err := tx.setRetired(m.ID, m.Retired); err != nil {
		return err
	}
	if err := tx.sql.Exec(`UPDATE memory_rows SET speaker = ?2, created = ?3, terms = ?4, day = ?5, source_terms = ?6 WHERE id = ?1`,
		m.ID, m.Speaker, m.Created, m.Terms, m.Day, m.SourceTerms); err != nil {
		return err
	}
	if err := tx.sql.AddWords(tablesOf[m.Source].words, m.ID, m.Terms, m.Day, m.SourceTerms); err != nil {
		return err
	}
	return tx.sql.Exec(`UPDATE memory_statistics SET rows = rows + 1, words = words + ? WHERE source = ?`, words, string(m.Source))
}

// ForgetVectors deletes the vectors of indexed rows in a model's space, so
// that they are embedded again.
func (tx Rows) ForgetVectors(model string, ids []int64) error {
	return tx.sql.Exec(`DELETE FROM memory_vectors WHERE space = (SELECT id FROM memory_spaces WHERE model = ?1)
		AND memory_id IN (SELECT value FROM json_each(?2))`, model, query.List(ids))
}
