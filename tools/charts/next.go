package charts

import (
	"cmp"
	"slices"

	"toolkit/store/graph"
)

// NextSteps returns the steps that can be worked on, the one due first first. Of a step
// with open steps of its own it is these.
func NextSteps(tx graph.Rows) ([]graph.OpenStep, error) {
	open, err := tx.OpenSteps()
	return filterAndSortReadySteps(open), err
}

// NextStepOfEachMasterChart returns the next step of each master chart that has an open one, by the
// row of the chart.
func NextStepOfEachMasterChart(tx graph.Rows) (map[int64]graph.PlacedStep, error) {
	open, err := NextSteps(tx)
	if err != nil {
		return nil, err
	}
	first := map[int64]bool{}
	open = slices.DeleteFunc(open, func(s graph.OpenStep) bool {
		later := first[s.Root]
		first[s.Root] = true
		return later
	})
	placed, err := tx.DescribeOpenSteps(open)
	next := make(map[int64]graph.PlacedStep, len(placed))
	for i, s := range placed {
		next[open[i].Root] = s
	}
	return next, err
}

// findNextStep returns the step of a chart, or of a chart below it, that is due first; nil: none is
// open, or the chart is closed.
func findNextStep(tx graph.Rows, c *graph.Chart) (*graph.PlacedStep, error) {
	if len(c.Steps) == 0 { // so no chart stands below
		return nil, nil
	}
	open, err := tx.OpenStepsOf(c.Row)
	if err != nil {
		return nil, err
	}
	return loadFirstStep(tx, filterAndSortReadySteps(open))
}

// loadFirstStep reads the first of some steps; nil: there is none.
func loadFirstStep(tx graph.Rows, steps []graph.OpenStep) (*graph.PlacedStep, error) {
	if len(steps) == 0 {
		return nil, nil
	}
	placed, err := tx.DescribeOpenSteps(steps[:1])
	if err != nil || len(placed) == 0 {
		return nil, err
	}
	return &placed[0], nil
}

// filterAndSortReadySteps returns those of some open steps that can be worked on, the one due first first.
func filterAndSortReadySteps(open []graph.OpenStep) []graph.OpenStep {
	next := slices.DeleteFunc(open, func(s graph.OpenStep) bool { return !s.Whole })
	slices.SortFunc(next, func(a, b graph.OpenStep) int {
		return cmp.Or(CompareDue(a.DueDate, b.DueDate), cmp.Compare(a.Row, b.Row))
	})
	return next
}
