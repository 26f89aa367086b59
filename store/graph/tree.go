package graph

import (
	"strings"

	"toolkit/store/internal/query"
)

// maxTreeCharts bounds the charts that are walked to find out what is next.
const maxTreeCharts = 20_000

// activeTree walks the active charts: masters, and below them the charts of steps
// that are open.
const activeTree = `WITH RECURSIVE tree(root, id) AS (
		SELECT entity_id, entity_id FROM charts WHERE parent_step_id IS NULL AND status = 'active'
		UNION
		SELECT t.root, c.entity_id FROM tree t
			JOIN steps s ON s.chart_id = t.id AND s.completed_at IS NULL
			JOIN charts c ON c.parent_step_id = s.entity_id AND c.status = 'active'
		LIMIT ?1) `

// allActiveTree walks them without a bound, which PostgreSQL knows only for results.
var allActiveTree = strings.Replace(activeTree, "LIMIT ?1", "", 1)

// CountMasterCharts counts the master charts by their status.
func (tx Rows) CountMasterCharts() (map[string]int, error) {
	return query.Map[string, int](tx.sql, `SELECT status, count(*) FROM charts WHERE parent_step_id IS NULL GROUP BY status`)
}

// MasterCharts returns a page of the rows of master charts of a status. Active ones
// come by what is next: first the one whose open step is due first, at any depth, and
// last those without one. Others come the last closed first.
func (tx Rows) MasterCharts(status string, limit, offset int) ([]int64, error) {
	if status != ChartActive {
		return tx.sql.IDs(`SELECT entity_id FROM charts WHERE parent_step_id IS NULL AND status = ? ORDER BY closed_at DESC, entity_id DESC LIMIT ? OFFSET ?`, status, limit, offset)
	}
	return tx.sql.IDs(tx.sql.ForEngine(activeTree, allActiveTree)+`SELECT t.root FROM tree t LEFT JOIN steps s ON s.chart_id = t.id AND s.completed_at IS NULL
		GROUP BY t.root ORDER BY min(nullif(s.due_date, '')) IS NULL, min(nullif(s.due_date, '')), t.root DESC LIMIT ?2 OFFSET ?3`, maxTreeCharts, limit, offset)
}

// NextStep is an open step with nothing open inside it, and the charts it is in.
type NextStep struct {
	ID, Title, DueDate string
	Chart              string // id of the chart that owns it
	Root, Outcome      string // id and desired outcome of the master chart
}

// NextSteps returns the open steps of active charts that can be worked on, the one
// due first first, and how many there are.
func (tx Rows) NextSteps(limit int) (list []NextStep, total int, err error) {
	const open = ` FROM tree t CROSS JOIN steps s ON s.chart_id = t.id AND s.completed_at IS NULL
		WHERE NOT EXISTS (SELECT 1 FROM charts c JOIN steps x ON x.chart_id = c.entity_id AND x.completed_at IS NULL WHERE c.parent_step_id = s.entity_id)`
	if err := tx.sql.Row(tx.sql.ForEngine(activeTree, allActiveTree)+`SELECT count(*)`+open, maxTreeCharts).Scan(&total); err != nil {
		return nil, 0, err
	}
	list, err = query.Some(tx.sql, func(scan query.Scan) (n NextStep, err error) {
		err = scan(&n.ID, &n.Title, &n.DueDate, &n.Chart, &n.Root, &n.Outcome)
		return n, err
	}, tx.sql.ForEngine(activeTree, allActiveTree)+`, next(step, root, due, chart) AS MATERIALIZED (SELECT s.entity_id, t.root, s.due_date, s.chart_id`+open+` ORDER BY s.due_date = '', s.due_date, s.entity_id LIMIT ?2)
		SELECT e.name, e.title, n.due, o.name, r.name, r.title FROM next n
			CROSS JOIN entities e ON e.id = n.step CROSS JOIN entities o ON o.id = n.chart CROSS JOIN entities r ON r.id = n.root
		ORDER BY n.due = '', n.due, n.step`, maxTreeCharts, limit)
	return list, total, err
}

// CountBeats counts the beats of charts; those without one are left out.
func (tx Rows) CountBeats(charts []int64) (map[int64]int, error) {
	return query.Map[int64, int](tx.sql, `SELECT b.chart_id, count(*) FROM json_each(?) j JOIN beats b ON b.chart_id = j.value GROUP BY b.chart_id`, query.List(charts))
}

// ChartsBelow returns the rows of the given charts and of all charts that detail
// a step inside them, completed ones too, nearest to the top first. At most limit are
// returned; more says that there are others.
func (tx Rows) ChartsBelow(roots []int64, limit int) (rows []int64, more bool, err error) {
	const tree = `WITH RECURSIVE tree(id, depth) AS (
			SELECT value, 0 FROM json_each(?1)
			UNION
			SELECT c.entity_id, t.depth + 1 FROM tree t
				JOIN steps s ON s.chart_id = t.id
				JOIN charts c ON c.parent_step_id = s.entity_id`
	rows, err = tx.sql.IDs(tree+tx.sql.ForEngine(` ORDER BY 2 LIMIT ?2) SELECT id FROM tree`, `) SELECT id FROM tree LIMIT ?2`), query.List(roots), limit+1)
	if more = len(rows) > limit; more {
		rows = rows[:limit]
	}
	return rows, more, err
}
