package charts

import (
	"context"
	"time"

	"toolkit/internal/language"
	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/tools"
)

// maxDueCharts bounds the charts that are looked through for what is due.
const maxDueCharts = 1000

// DueStep is an open step with a due day.
type DueStep struct {
	graph.Step
	Chart *graph.Chart
	Due   time.Time
}

// ListOpenDatedSteps returns the open steps of charts that have a due day; one without a time is a day of the place.
func ListOpenDatedSteps(charts []*graph.Chart, place *time.Location) (list []DueStep) {
	for _, c := range charts {
		for _, s := range c.Steps {
			if due, ok := ParseDueDateIn(s.DueDate, place); ok && !s.Completed {
				list = append(list, DueStep{s, c, due})
			}
		}
	}
	return list
}

// ListDue lists the open steps of active charts that a question asks for.
func ListDue(_ context.Context, tx *store.Tx, q *tools.Question, asked language.DueQuestion) (list []tools.DueItem, err error) {
	if asked.Invoices {
		return nil, nil
	}
	rows, _, err := graph.In(tx).ActiveCharts(maxDueCharts, 0)
	if err != nil {
		return nil, err
	}
	states, err := graph.In(tx).ReadChartsWithSteps(rows)
	if err != nil {
		return nil, err
	}
	for _, s := range ListOpenDatedSteps(states, q.Now.Location()) {
		if asked.AsksForDay(s.Due) {
			list = append(list, tools.DueItem{Due: s.Due, Candidate: tools.Candidate{
				Kind: string(graph.KindStep), ID: s.ID, Text: s.Title + "\nof: " + s.Chart.Outcome, At: s.Chart.Updated, Note: tools.DescribeDueDay(s.Due, q.Now),
				Place: tools.Place{Chart: s.Chart.ID, Step: s.ID}, Tool: statusName, Arguments: map[string]any{"chartId": s.Chart.ID},
			}})
		}
	}
	return list, nil
}
