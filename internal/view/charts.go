package view

import (
	"context"

	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/tools"
	"toolkit/tools/charts"
)

const (
	// chartsPage is how many master charts a page shows.
	chartsPage = 20
	// maxCharts bounds the charts of one page, those below the masters included.
	maxCharts = 400
	// nextShown is how many open steps are shown over all charts.
	nextShown = 10
	// maxFacts and maxBeats bound what is shown of one chart.
	maxFacts = 100
	maxBeats = 100
)

type chartsPageOutput struct {
	Charts []chart  `json:"charts"`
	Roots  []string `json:"roots"` // ids of the charts to show, in order
	Total  int      `json:"total"` // master charts of the status that is shown
	Offset int      `json:"offset"`
	Counts counts   `json:"counts"`
	More   bool     `json:"more"` // charts deep down were left out
}

// counts is how many master charts there are of each status.
type counts struct {
	Active   int `json:"active"`
	Done     int `json:"done"`
	Archived int `json:"archived"` // given up
}

// statuses of charts as the page names them.
var statuses = map[string]string{"": graph.ChartActive, "active": graph.ChartActive, "done": graph.ChartCompleted, "archived": graph.ChartAbandoned}

type chart struct {
	ID          string   `json:"id"`
	Outcome     string   `json:"outcome"`
	Reality     []string `json:"reality"`
	HiddenFacts int      `json:"hidden_facts"`
	DueDate     string   `json:"due_date"`
	Level       int      `json:"level"`
	ParentStep  string   `json:"parent_step"` // id of the step it details; its own id when it is that step
	ParentChart string   `json:"parent_chart"`
	Created     string   `json:"created"`
	Updated     string   `json:"updated"`
	Completed   int      `json:"completed"`
	Progress    float64  `json:"progress"`
	Status      string   `json:"status"` // active, completed or abandoned
	ClosedAt    string   `json:"closed_at,omitempty"`
	Beats       int      `json:"beats"`
	Steps       []step   `json:"steps"`
}

type step struct {
	ID        string `json:"id"`
	Title     string `json:"title"`
	DueDate   string `json:"due_date"`
	Completed bool   `json:"completed"`
	// CompletedAt is empty while the step is open.
	CompletedAt string `json:"completed_at,omitempty"`
	// Notes are what was observed of its progress.
	Notes []string `json:"notes,omitempty"`
}

// listCharts returns a page of master charts of a status with everything below them, or,
// with id, one chart with everything below it.
func (s *Server) listCharts(ctx context.Context, q *query) (any, error) {
	limit, offset := q.readLimitAndOffset(chartsPage, 100)
	id, status := q.values.Get("id"), statuses[q.values.Get("show")]
	if status == "" {
		q.reject("show must be active, done or archived.")
	}
	out := chartsPageOutput{Charts: []chart{}, Roots: []string{}, Offset: offset}
	err := s.readIfQueryIsValid(ctx, q, func(tx *store.Tx) error {
		n, err := graph.In(tx).CountMasterCharts()
		if err != nil {
			return err
		}
		out.Total, out.Counts = n[status], counts{n[graph.ChartActive], n[graph.ChartCompleted], n[graph.ChartAbandoned]}
		var roots []int64
		if id != "" {
			roots, err = findChartRow(graph.In(tx), id)
		} else {
			roots, err = graph.In(tx).MasterCharts(status, limit, offset)
		}
		if err != nil {
			return err
		}
		rows, more, err := graph.In(tx).ChartsBelow(roots, maxCharts)
		if err != nil {
			return err
		}
		out.More = more
		beats, err := graph.In(tx).CountBeats(rows)
		if err != nil {
			return err
		}
		states, err := graph.In(tx).ReadChartsWithSteps(rows)
		if err != nil {
			return err
		}
		notes, err := stepNotes(graph.In(tx), states)
		for i, c := range states {
			out.Charts = append(out.Charts, describeChart(c, beats[c.Row], notes))
			if i < len(roots) { // those nearest to the top come first
				out.Roots = append(out.Roots, c.ID)
			}
		}
		return err
	})
	return out, err
}

// stepNotes are what was observed of the steps of charts, by their rows.
func stepNotes(tx graph.Rows, charts []*graph.Chart) (map[int64][]string, error) {
	var rows []int64
	for _, c := range charts {
		for _, s := range c.Steps {
			rows = append(rows, s.Row)
		}
	}
	return tx.ProgressNotes(rows)
}

func findChartRow(tx graph.Rows, chartID string) ([]int64, error) {
	c, err := tx.Chart(chartID)
	if err != nil {
		return nil, err
	}
	if c == nil {
		return nil, notFound("There is no such chart any more.")
	}
	return []int64{c.Row}, nil
}

func describeChart(c *graph.Chart, beats int, notes map[int64][]string) chart {
	facts := c.Facts[:min(len(c.Facts), maxFacts)]
	steps := make([]step, len(c.Steps))
	for i, s := range c.Steps {
		steps[i] = step{s.ID, s.Title, s.DueDate, s.Completed, s.CompletedAt, notes[s.Row]}
	}
	return chart{
		ID: c.ID, Outcome: c.Outcome, Reality: tools.OrEmpty(facts), HiddenFacts: len(c.Facts) - len(facts), DueDate: c.DueDate, Level: c.Level,
		ParentStep: c.ParentStep, ParentChart: c.ParentChart, Created: timestamp(c.Created), Updated: timestamp(c.Updated),
		Status: c.Status, ClosedAt: c.ClosedAt, Beats: beats, Completed: c.CountCompletedSteps(), Progress: c.Progress().Progress,
		Steps: steps,
	}
}

// listNextSteps returns the open steps that can be worked on, the one due first first.
func (s *Server) listNextSteps(ctx context.Context, q *query) (any, error) {
	limit := int(q.readNumber("limit", nextShown, 1, pageMax))
	var list []graph.PlacedStep
	total := 0
	err := s.readIfQueryIsValid(ctx, q, func(tx *store.Tx) error {
		next, err := charts.NextSteps(graph.In(tx))
		if err != nil {
			return err
		}
		total = len(next)
		list, err = graph.In(tx).DescribeOpenSteps(next[:min(limit, total)])
		return err
	})
	return map[string]any{"steps": tools.OrEmpty(list), "total": total}, err
}

// listBeats returns the narrative beats of a chart.
func (s *Server) listBeats(ctx context.Context, q *query) (any, error) {
	return s.callTool(ctx, q, "list_narrative_beats", arguments{"parentChartId": q.readRequiredText("id"), "limit": maxBeats})
}
