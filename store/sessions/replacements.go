package sessions

import "toolkit/store/internal/query"

// Replacement is what became of what was learned from a row of dialogue.
type Replacement struct {
	Content string // of the insight that stands in its place; "" when it was deleted
	Reason  string // why it was deleted
}

// FindReplacements returns what now stands in the place of insights from rows of dialogue where
// that does not come from the same row, and of which insights were deleted.
func (tx Rows) FindReplacements(dialogue []int64) (map[int64]Replacement, error) {
	later := map[int64]Replacement{}
	err := tx.sql.Each(func(scan query.Scan) error {
		var id int64
		var now Replacement
		err := scan(&id, &now.Content, &now.Reason)
		later[id] = now
		return err
	}, `WITH learned(said, insight) AS (
			SELECT s.l0_id, s.insight_id FROM json_each(?1) j CROSS JOIN l2_sources s ON s.l0_id = j.value)
		SELECT l.said, iif(n.deleted_at IS NULL, n.content, ''), n.reason FROM learned l CROSS JOIN l2_insights i ON i.id = l.insight AND (i.superseded_by IS NOT NULL OR i.deleted_at IS NOT NULL)
			CROSS JOIN l2_insights n ON n.root_id = i.root_id AND n.superseded_by IS NULL
		WHERE n.deleted_at IS NOT NULL OR NOT EXISTS (SELECT 1 FROM json_each(n.source_ids) WHERE CAST(value AS BIGINT) = l.said) ORDER BY n.deleted_at IS NULL, n.id`, query.List(dialogue))
	return later, err
}
