package graph

import (
	"strings"

	"toolkit/store/internal/query"
)

// maxTreeCharts bounds the charts that are walked to find out what is next.
const maxTreeCharts = 20_000

// walkActive walks the active charts below some, those of completed steps too: what is
// open there is still to be done.
const walkActive = `
		UNION
		SELECT t.root, c.entity_id FROM tree t
			JOIN steps s ON s.chart_id = t.id
			JOIN charts c ON c.parent_step_id = s.entity_id AND c.status = 'active'
		LIMIT ?1) `

// activeTree walks all of them, and treeOfChart one chart with those below it.
const (
	activeTree  = `WITH RECURSIVE tree(root, id) AS (SELECT entity_id, entity_id FROM charts WHERE parent_step_id IS NULL AND status = 'active'` + walkActive
	treeOfChart = `WITH RECURSIVE tree(root, id) AS (SELECT entity_id, entity_id FROM charts WHERE entity_id = ?2 AND status = 'active'` + walkActive
)

// adaptWalkToEngine returns a walk without a bound on PostgreSQL, which knows one only for results.
func (tx Rows) adaptWalkToEngine(walk string) string {
	return tx.sql.ForEngine(walk, strings.Replace(walk, "LIMIT ?1", "", 1))
}

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
	return tx.sql.IDs(tx.adaptWalkToEngine(activeTree)+`SELECT t.root FROM tree t LEFT JOIN steps s ON s.chart_id = t.id AND s.completed_at IS NULL
		GROUP BY t.root ORDER BY min(nullif(s.due_date, '')) IS NULL, min(nullif(s.due_date, '')), t.root DESC LIMIT ?2 OFFSET ?3`, maxTreeCharts, limit, offset)
}

// OpenStep is an open step of an active chart, as far as its place in the order of what is
// due needs it.
type OpenStep struct {
	Row, Root int64 // Root is the chart that was walked from
	DueDate   string
	Whole     bool // no active chart has an open step of it: it can be worked on itself
}

// OpenSteps returns the open steps of all active charts, in no order.
func (tx Rows) OpenSteps() ([]OpenStep, error) {
	return tx.openSteps(tx.adaptWalkToEngine(activeTree), maxTreeCharts)
}

// OpenStepsOf returns the open steps of an active chart and of those below it.
func (tx Rows) OpenStepsOf(chart int64) ([]OpenStep, error) {
	return tx.openSteps(tx.adaptWalkToEngine(treeOfChart), maxTreeCharts, chart)
}

func (tx Rows) openSteps(walk string, args ...any) ([]OpenStep, error) {
	return query.Select(tx.sql, func(s *OpenStep) []any { return []any{&s.Row, &s.Root, &s.DueDate, &s.Whole} }, walk+`SELECT s.entity_id, t.root, s.due_date, NOT EXISTS (
			SELECT 1 FROM charts c JOIN steps x ON x.chart_id = c.entity_id AND x.completed_at IS NULL WHERE c.parent_step_id = s.entity_id AND c.status = 'active')
		FROM tree t CROSS JOIN steps s ON s.chart_id = t.id AND s.completed_at IS NULL`, args...)
}

// PlacedStep is a step with the charts that it is in.
type PlacedStep struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	DueDate string `json:"due_date"`
	Chart   string `json:"chart"`   // id of the chart that owns it
	Root    string `json:"root"`    // id of the chart that was walked from
	Outcome string `json:"outcome"` // that this chart is for
}

// DescribeOpenSteps reads steps, in their order.
func (tx Rows) DescribeOpenSteps(steps []OpenStep) ([]PlacedStep, error) {
	rows, roots := make([]int64, len(steps)), make([]int64, len(steps))
	for i, s := range steps {
		rows[i], roots[i] = s.Row, s.Root
	}
	charts, err := tx.charts(chartColumns+`JOIN json_each(?) j ON j.value = c.entity_id`, query.List(roots))
	if err != nil {
		return nil, err
	}
	root := map[int64]*Chart{}
	for _, c := range charts {
		root[c.Row] = c
	}
	var place int
	placed := []PlacedStep{}
	err = query.EachRow(tx.sql, func(s *PlacedStep) []any { return []any{&place, &s.ID, &s.Title, &s.DueDate, &s.Chart} }, func(s PlacedStep) error {
		s.Root, s.Outcome = root[roots[place]].ID, root[roots[place]].Outcome
		placed = append(placed, s)
		return nil
	}, `SELECT j.key, e.name, e.title, s.due_date, o.name FROM json_each(?) j CROSS JOIN steps s ON s.entity_id = j.value
		CROSS JOIN entities e ON e.id = j.value CROSS JOIN entities o ON o.id = s.chart_id ORDER BY j.key`, query.List(rows))
	return placed, err
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
