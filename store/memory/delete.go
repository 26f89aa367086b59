package memory

import (
	"slices"

	"toolkit/store"
	"toolkit/store/internal/query"
)

// DeleteDialogue removes rows of dialogue, and their ids from the sources of insights,
// which are returned.
func (tx Rows) DeleteDialogue(ids []int64) (insights []int64, err error) {
	list := query.List(ids)
	if insights, err = tx.sql.IDs(`SELECT DISTINCT insight_id FROM l2_sources WHERE l0_id IN (SELECT value FROM json_each(?)) ORDER BY insight_id`, list); err != nil {
		return nil, err
	}
	if err := tx.deleteFromIndex(SourceDialogue, list); err != nil {
		return nil, err
	}
	if err := tx.deleteExtractedInsights(list); err != nil {
		return nil, err
	}
	sources := query.List(insights)
	tx.sql.Touch(store.TopicDialogue, store.TopicInsights)
	return insights, tx.sql.ExecAll([]string{
		// The title of a session may say what it began with.
		`UPDATE capture_sessions SET title = '' WHERE session_id IN (SELECT d.session_id FROM json_each(?1) j JOIN l0_raw d ON d.id = j.value)`,
		`DELETE FROM l0_raw WHERE id IN (SELECT value FROM json_each(?1))`,
		`UPDATE l2_insights SET source_ids = (SELECT json_group_array(CAST(s.value AS BIGINT)) FROM json_each(l2_insights.source_ids) s WHERE CAST(s.value AS BIGINT) NOT IN (SELECT value FROM json_each(?1)))
			WHERE id IN (SELECT value FROM json_each(?2))`,
		`DELETE FROM l2_sources WHERE l0_id IN (SELECT value FROM json_each(?1)) AND insight_id IN (SELECT value FROM json_each(?2))`,
	}, list, sources)
}

// deleteExtractedInsights removes the insights that were extracted from rows of dialogue
// and nothing else: these are what was said. Of a history with others these stay;
// what came before the newest does not count again.
func (tx Rows) deleteExtractedInsights(dialogue any) error {
	rows, err := tx.sql.IDs(`SELECT DISTINCT i.id FROM json_each(?1) j JOIN l2_sources o ON o.l0_id = j.value JOIN l2_insights i ON i.id = o.insight_id
		WHERE `+extractedKind+` IS NOT NULL
			AND NOT EXISTS (SELECT 1 FROM l2_sources s JOIN l0_raw d ON d.id = s.l0_id WHERE s.insight_id = i.id AND d.id NOT IN (SELECT value FROM json_each(?1)))`, dialogue)
	if err != nil || len(rows) == 0 {
		return err
	}
	if err := tx.deleteFromIndex(SourceInsight, query.List(rows)); err != nil {
		return err
	}
	for _, row := range rows {
		err := tx.sql.ExecAll([]string{
			`UPDATE l2_insights SET superseded_by = n.superseded_by, reason = 'what replaced it was forgotten', deleted_at = iif(n.superseded_by IS NULL, coalesce(l2_insights.deleted_at, ?2), l2_insights.deleted_at)
				FROM (SELECT superseded_by FROM l2_insights WHERE id = ?1) n WHERE l2_insights.superseded_by = ?1`,
			`UPDATE l2_insights SET root_id = (SELECT min(id) FROM l2_insights WHERE root_id = ?1 AND id <> ?1) WHERE root_id = ?1 AND id <> ?1 AND ?2 <> 0`,
			`DELETE FROM l2_insights WHERE id = ?1 AND ?2 <> 0`,
		}, row, tx.sql.Now())
		if err != nil {
			return err
		}
	}
	return nil
}

// DeleteInsightHistories removes insights with their history, by its first row.
func (tx Rows) DeleteInsightHistories(roots []int64) error {
	list := query.List(roots)
	rows, err := tx.sql.IDs(`SELECT id FROM l2_insights WHERE root_id IN (SELECT value FROM json_each(?))`, list)
	if err != nil {
		return err
	}
	if err := tx.deleteFromIndex(SourceInsight, query.List(rows)); err != nil {
		return err
	}
	tx.sql.Touch(store.TopicInsights)
	return tx.sql.ExecAll([]string{
		`UPDATE l2_insights SET superseded_by = NULL WHERE root_id IN (SELECT value FROM json_each(?))`,
		`DELETE FROM l2_insights WHERE root_id IN (SELECT value FROM json_each(?))`,
	}, list)
}

// DeleteEpisodes removes episodes.
func (tx Rows) DeleteEpisodes(ids []int64) error {
	tx.sql.Touch(store.TopicEpisodes)
	if err := tx.deleteFromIndex(SourceEpisode, query.List(ids)); err != nil {
		return err
	}
	return tx.sql.Exec(`DELETE FROM episode_memory WHERE id IN (SELECT value FROM json_each(?))`, query.List(ids))
}

// deleteFromIndex removes what search knows of rows, and tells the indexes of all
// processes.
func (tx Rows) deleteFromIndex(source Source, rows any) error {
	const chosen = `source = ?1 AND row_id IN (SELECT value FROM json_each(?2))`
	following := []string{
		`INSERT INTO memory_forgotten(seq, memory_id, source) SELECT s.seq + row_number() OVER (ORDER BY r.id), r.id, r.source
			FROM memory_rows r JOIN sqlite_sequence s ON s.name = 'memory_vectors' WHERE r.` + chosen,
		`UPDATE sqlite_sequence SET seq = max(seq, (SELECT coalesce(max(seq), 0) FROM memory_forgotten)) WHERE name = 'memory_vectors'`,
		// No row gets the number of a forgotten one, whose vector may just be made.
		`INSERT INTO sqlite_sequence(name, seq) SELECT 'memory_rows', max((SELECT coalesce(max(id), 0) FROM memory_rows), coalesce((SELECT max(seq) FROM sqlite_sequence WHERE name = 'memory_rows'), 0))`,
		`DELETE FROM sqlite_sequence WHERE name = 'memory_rows' AND rowid < (SELECT max(rowid) FROM sqlite_sequence WHERE name = 'memory_rows')`,
	}
	if !tx.sql.SQLite() { // its numbers come from the sequence of memory_vectors
		following = []string{`INSERT INTO memory_forgotten(memory_id, source) SELECT r.id, r.source FROM memory_rows r WHERE r.` + chosen + ` ORDER BY r.id`}
	}
	return tx.sql.ExecAll(slices.Concat([]string{
		`DELETE FROM ` + tablesOf[source].words + ` WHERE rowid IN (SELECT id FROM memory_rows WHERE ` + chosen + `)`,
		`UPDATE memory_statistics SET rows = rows - (SELECT count(*) FROM memory_rows WHERE ` + chosen + `),
			words = words - (SELECT coalesce(sum(CASE terms WHEN '' THEN 0 ELSE length(terms) - length(replace(terms, ' ', '')) + 1 END), 0) FROM memory_rows WHERE ` + chosen + `) WHERE source = ?1`,
	}, following, []string{`DELETE FROM memory_rows WHERE ` + chosen}), string(source), rows)
}
