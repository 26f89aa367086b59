package graph

import (
	"strings"

	"toolkit/store/internal/query"
)

// ChartHead is what a published chart begins with.
type ChartHead struct {
	ChartID        string `json:"chartId"`
	DesiredOutcome string `json:"desiredOutcome"`
	CurrentReality string `json:"currentReality"`
	DueDate        string `json:"dueDate"`
}

// ChartProgress is how far a chart is, as it is published: between 0 and 1, rounded half
// up to two decimals.
type ChartProgress struct {
	Progress         float64 `json:"progress"`
	CompletedActions int     `json:"completedActions"`
	TotalActions     int     `json:"totalActions"`
}

// Head is the head of a chart whose facts were read.
func (c *Chart) Head() ChartHead { return ChartHead{c.ID, c.Outcome, c.Reality(), c.DueDate} }

// Progress is how far a chart is whose steps were read.
func (c *Chart) Progress() ChartProgress { return NewProgress(c.CountCompletedSteps(), len(c.Steps)) }

// NewProgress is the progress of a chart with so many steps, 0 without steps.
func NewProgress(completed, total int) ChartProgress {
	p := ChartProgress{CompletedActions: completed, TotalActions: total}
	if total > 0 {
		p.Progress = float64((200*completed+total)/(2*total)) / 100
	}
	return p
}

// Reality is the current reality in one string.
func (c *Chart) Reality() string { return JoinFacts(c.Facts) }

// CountCompletedSteps counts the completed steps.
func (c *Chart) CountCompletedSteps() int {
	n := 0
	for _, s := range c.Steps {
		if s.Completed {
			n++
		}
	}
	return n
}

// StepTitles are the titles of the steps, in order.
func (c *Chart) StepTitles() []string {
	titles := make([]string, len(c.Steps))
	for i, s := range c.Steps {
		titles[i] = s.Title
	}
	return titles
}

// JoinFacts returns how the facts of a current reality are shown as one string.
func JoinFacts(facts []string) string { return strings.Join(facts, "; ") }

// ReadChartsWithSteps describes the charts of the given rows with their facts and steps, in
// their order, with one query for all charts, one for all facts and one for all steps.
func (tx Rows) ReadChartsWithSteps(rows []int64) ([]*Chart, error) {
	list := query.List(rows)
	charts, err := tx.charts(chartColumns+`JOIN json_each(?) j ON j.value = c.entity_id ORDER BY j.key`, list)
	if err != nil {
		return nil, err
	}
	facts, err := tx.ObservationsOf(rows)
	if err != nil {
		return nil, err
	}
	steps, err := tx.steps(stepColumns+`JOIN json_each(?) j ON j.value = s.chart_id ORDER BY s.chart_id, s.number, s.entity_id`, list)
	if err != nil {
		return nil, err
	}
	of := map[int64][]Step{}
	for _, s := range steps {
		of[s.Chart] = append(of[s.Chart], *s)
	}
	for _, c := range charts {
		c.Facts, c.Steps = facts[c.Row], of[c.Row]
	}
	return charts, nil
}

// ReadChartWithSteps describes one chart, or returns nil.
func (tx Rows) ReadChartWithSteps(row int64) (*Chart, error) {
	states, err := tx.ReadChartsWithSteps([]int64{row})
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
				WHERE s.completed_at IS NULL OR `+hasOpenStepCondition("c.entity_id")+`
			ORDER BY 2 DESC, 3, 1 LIMIT ? OFFSET ?)
		SELECT id FROM tree`, `WITH RECURSIVE tree(id, place) AS (
			SELECT entity_id, ARRAY[0, entity_id] FROM charts WHERE parent_step_id IS NULL AND status = 'active'
			UNION ALL
			SELECT c.entity_id, t.place || ARRAY[s.number, c.entity_id] FROM tree t
				JOIN steps s ON s.chart_id = t.id
				JOIN charts c ON c.parent_step_id = s.entity_id AND c.status = 'active'
				WHERE s.completed_at IS NULL OR `+hasOpenStepCondition("c.entity_id")+`)
		SELECT id FROM tree ORDER BY place LIMIT ? OFFSET ?`), limit+1, offset)
	if more = len(rows) > limit; more {
		rows = rows[:limit]
	}
	return rows, more, err
}
