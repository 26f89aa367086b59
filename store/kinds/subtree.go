package kinds

import "toolkit/store/internal/query"

// FindInside returns entities and everything that lives inside them, by their rows: a
// chart's steps, sub-charts and beats, a step's sub-chart, a beat's sub-beats.
func (tx Rows) FindInside(entities []int64) ([]int64, error) {
	return tx.sql.IDs(tx.sql.ForEngine(`WITH RECURSIVE inside(id) AS (
			SELECT value FROM json_each(?)
			UNION SELECT s.entity_id FROM inside i JOIN steps s ON s.chart_id = i.id
			UNION SELECT c.entity_id FROM inside i JOIN charts c ON c.parent_step_id = i.id
			UNION SELECT b.entity_id FROM inside i JOIN beats b ON b.chart_id = i.id
			UNION SELECT b.entity_id FROM inside i JOIN beats b ON b.parent_beat_id = i.id)
		SELECT id FROM inside`, `WITH RECURSIVE inside(id) AS (
			SELECT value FROM json_each(?)
			UNION SELECT b.id FROM inside i CROSS JOIN LATERAL (SELECT entity_id FROM steps WHERE chart_id = i.id
				UNION ALL SELECT entity_id FROM charts WHERE parent_step_id = i.id
				UNION ALL SELECT entity_id FROM beats WHERE chart_id = i.id
				UNION ALL SELECT entity_id FROM beats WHERE parent_beat_id = i.id) AS b(id))
		SELECT id FROM inside`), query.List(entities))
}

// listInside is the list of named entities and all that lives inside them.
func (tx Rows) listInside(names []string) (any, error) {
	rows, err := tx.sql.IDs(`SELECT id FROM entities WHERE name IN (SELECT value FROM json_each(?)) ORDER BY name`, query.List(names))
	if err != nil {
		return nil, err
	}
	inside, err := tx.FindInside(rows)
	return query.List(inside), err
}
