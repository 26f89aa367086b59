package nodes

import "toolkit/store/internal/query"

// MasterCharts returns a page of the rows of master charts, newest first, and
// how many there are in all.
func (tx Rows) MasterCharts(limit, offset int) (rows []int64, total int, err error) {
	if err := tx.sql.Row(`SELECT count(*) FROM charts WHERE parent_step_id IS NULL`).Scan(&total); err != nil {
		return nil, 0, err
	}
	rows, err = tx.sql.IDs(`SELECT entity_id FROM charts WHERE parent_step_id IS NULL ORDER BY entity_id DESC LIMIT ? OFFSET ?`, limit, offset)
	return rows, total, err
}

// ChartsBelow returns the rows of the given charts and of all charts that detail
// a step inside them, completed ones too, nearest to the top first. At most limit are
// returned; more says that there are others.
func (tx Rows) ChartsBelow(roots []int64, limit int) (rows []int64, more bool, err error) {
	rows, err = tx.sql.IDs(`WITH RECURSIVE tree(id, depth) AS (
			SELECT value, 0 FROM json_each(?1)
			UNION
			SELECT c.entity_id, t.depth + 1 FROM tree t
				JOIN steps s ON s.chart_id = t.id
				JOIN charts c ON c.parent_step_id = s.entity_id
			ORDER BY 2 LIMIT ?2)
		SELECT id FROM tree`, query.List(roots), limit+1)
	if more = len(rows) > limit; more {
		rows = rows[:limit]
	}
	return rows, more, err
}
