package view

import (
	"context"

	"toolkit/store"
	"toolkit/store/nodes"
)

const (
	// chartsPage is how many master charts a page shows.
	chartsPage = 20
	// mostCharts bounds the charts of one page, those below the masters included.
	mostCharts = 400
	// mostFacts and mostBeats bound what is shown of one chart.
	mostFacts = 100
	mostBeats = 100
)

type chartsPageOutput struct {
	Charts []chart  `json:"charts"`
	Roots  []string `json:"roots"` // ids of the charts to show, in order
	Total  int      `json:"total"` // master charts there are
	Offset int      `json:"offset"`
	More   bool     `json:"more"` // charts deep down were left out
}

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
	Steps       []step   `json:"steps"`
}

type step struct {
	ID        string `json:"id"`
	Title     string `json:"title"`
	DueDate   string `json:"due_date"`
	Completed bool   `json:"completed"`
}

// charts returns a page of master charts with everything below them, or, with
// id, one chart with everything below it.
func (s *Server) charts(ctx context.Context, q *query) (any, error) {
	limit, offset := q.page(chartsPage, 100)
	id := q.values.Get("id")
	out := chartsPageOutput{Charts: []chart{}, Roots: []string{}, Offset: offset}
	err := s.read(ctx, q, func(tx *store.Tx) error {
		roots, total, err := nodes.In(tx).MasterCharts(limit, offset)
		out.Total = total
		if id != "" && err == nil {
			roots, err = rowOf(nodes.In(tx), id)
		}
		if err != nil {
			return err
		}
		rows, more, err := nodes.In(tx).ChartsBelow(roots, mostCharts)
		if err != nil {
			return err
		}
		out.More = more
		states, err := nodes.In(tx).ChartStates(rows)
		for i, c := range states {
			out.Charts = append(out.Charts, describeChart(c))
			if i < len(roots) { // those nearest to the top come first
				out.Roots = append(out.Roots, c.ID)
			}
		}
		return err
	})
	return out, err
}

func rowOf(tx nodes.Rows, chartID string) ([]int64, error) {
	c, err := tx.Chart(chartID)
	if err != nil {
		return nil, err
	}
	if c == nil {
		return nil, notFound("There is no such chart any more.")
	}
	return []int64{c.Row}, nil
}

func describeChart(c *nodes.ChartState) chart {
	facts := c.Facts[:min(len(c.Facts), mostFacts)]
	done := c.Completed()
	described := chart{
		ID: c.ID, Outcome: c.Outcome, Reality: orEmpty(facts), HiddenFacts: len(c.Facts) - len(facts), DueDate: c.DueDate, Level: c.Level,
		ParentStep: c.ParentStep, ParentChart: c.ParentChart, Created: timestamp(c.Created), Updated: timestamp(c.Updated),
		Completed: done, Progress: nodes.Progress(done, len(c.Steps)), Steps: make([]step, len(c.Steps)),
	}
	for i, s := range c.Steps {
		described.Steps[i] = step(s)
	}
	return described
}

// beats returns the narrative beats of a chart.
func (s *Server) beats(ctx context.Context, q *query) (any, error) {
	return s.call(ctx, q, "list_narrative_beats", arguments{"parentChartId": q.required("id"), "limit": mostBeats})
}
