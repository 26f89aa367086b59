package graph

import (
	"strings"

	"toolkit/store/internal/query"
)

// ChartState is a chart with the facts of its current reality and its steps in
// order.
type ChartState struct {
	Chart
	Facts []string
	Steps []StepState
}

// StepState is what a ChartState tells of a step.
type StepState struct {
	ID        string
	Title     string
	DueDate   string
	Completed bool
	// CompletedAt is in RFC 3339, empty while the step is open.
	CompletedAt string
}

// Reality is the current reality in one string.
func (c *ChartState) Reality() string { return JoinFacts(c.Facts) }

// Completed counts the completed steps.
func (c *ChartState) Completed() int {
	n := 0
	for _, s := range c.Steps {
		if s.Completed {
			n++
		}
	}
	return n
}

// Titles are the titles of the steps, in order.
func (c *ChartState) Titles() []string {
	titles := make([]string, len(c.Steps))
	for i, s := range c.Steps {
		titles[i] = s.Title
	}
	return titles
}

// JoinFacts is how the facts of a current reality are shown as one string.
func JoinFacts(facts []string) string { return strings.Join(facts, "; ") }

// ChartStates describes the charts of the given rows, in their order, with one
// query for all charts, one for all facts and one for all steps.
func (tx Rows) ChartStates(rows []int64) ([]*ChartState, error) {
	list := query.List(rows)
	states := make([]*ChartState, 0, len(rows))
	at := make(map[int64]*ChartState, len(rows))
	err := tx.sql.Each(func(scan query.Scan) error {
		c, err := scanChart(scan)
		state := &ChartState{Chart: *c}
		states, at[c.Row] = append(states, state), state
		return err
	}, chartColumns+`JOIN json_each(?) j ON j.value = c.entity_id ORDER BY j.key`, list)
	if err != nil {
		return nil, err
	}
	facts, err := tx.ObservationsOf(rows)
	if err != nil {
		return nil, err
	}
	for row, state := range at {
		state.Facts = facts[row]
	}
	err = tx.sql.Each(func(scan query.Scan) error {
		var row int64
		var s StepState
		err := scan(&row, &s.ID, &s.Title, &s.DueDate, &s.Completed, &s.CompletedAt)
		if state := at[row]; state != nil {
			state.Steps = append(state.Steps, s)
		}
		return err
	}, `SELECT s.chart_id, e.name, e.title, s.due_date, s.completed_at IS NOT NULL, coalesce(s.completed_at, '')
		FROM json_each(?) j JOIN steps s ON s.chart_id = j.value JOIN entities e ON e.id = s.entity_id
		ORDER BY s.chart_id, s.number, s.entity_id`, list)
	return states, err
}

// ChartStateAt describes one chart, or returns nil.
func (tx Rows) ChartStateAt(row int64) (*ChartState, error) {
	states, err := tx.ChartStates([]int64{row})
	if err != nil || len(states) == 0 {
		return nil, err
	}
	return states[0], nil
}

// ActiveCharts returns a page of the rows of active charts in tree order: the
// master charts by creation, each followed by its descendants by step number.
// Below a closed chart nothing is active, below a completed step what is still
// open. One row more than limit tells that
// the list goes on.
func (tx Rows) ActiveCharts(limit, offset int) (rows []int64, more bool, err error) {
	// The queue of the recursion always yields the deepest chart first, and
	// charts of one depth in it share their parent: a walk in depth, which ends
	// with the page.
	rows, err = tx.sql.IDs(tx.sql.ForEngine(`WITH RECURSIVE tree(id, depth, number) AS (
			SELECT entity_id, 0, 0 FROM charts WHERE parent_step_id IS NULL AND status = 'active'
			UNION ALL
			SELECT c.entity_id, t.depth + 1, s.number FROM tree t
				JOIN steps s ON s.chart_id = t.id
				JOIN charts c ON c.parent_step_id = s.entity_id AND c.status = 'active'
				WHERE s.completed_at IS NULL OR `+openBelow("c.entity_id")+`
			ORDER BY 2 DESC, 3, 1 LIMIT ? OFFSET ?)
		SELECT id FROM tree`, `WITH RECURSIVE tree(id, place) AS (
			SELECT entity_id, ARRAY[0, entity_id] FROM charts WHERE parent_step_id IS NULL AND status = 'active'
			UNION ALL
			SELECT c.entity_id, t.place || ARRAY[s.number, c.entity_id] FROM tree t
				JOIN steps s ON s.chart_id = t.id
				JOIN charts c ON c.parent_step_id = s.entity_id AND c.status = 'active'
				WHERE s.completed_at IS NULL OR `+openBelow("c.entity_id")+`)
		SELECT id FROM tree ORDER BY place LIMIT ? OFFSET ?`), limit+1, offset)
	if more = len(rows) > limit; more {
		rows = rows[:limit]
	}
	return rows, more, err
}
