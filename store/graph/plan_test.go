package graph

import (
	"regexp"
	"testing"

	"toolkit/internal/storetest"
	"toolkit/store"
	"toolkit/store/internal/plantest"
	"toolkit/store/kinds"
)

// TestChartQueriesUseIndexes asks SQLite how it would run every statement that
// the charts have run, and refuses any that reads a whole table.
func TestChartQueriesUseIndexes(t *testing.T) {
	db := openCharts(t)
	p := insertPodcast(t, db, "chart_1")
	run := func(tx *store.Tx) error {
		for _, f := range []func() error{
			func() error { _, err := In(tx).Chart("chart_1"); return err },
			func() error { _, err := In(tx).ChartAt(p.chart.Row); return err },
			func() error { _, err := In(tx).ChartsByTitle("create a podcast", 5); return err },
			func() error { _, err := In(tx).Step("x"); return err },
			func() error { _, err := In(tx).StepAt(p.pilot.Row); return err },
			func() error { _, err := In(tx).StepsByTitle("x", 5); return err },
			func() error { _, err := In(tx).StepByTitle(p.chart.Row, "x", 0); return err },
			func() error { _, err := In(tx).SubChart(p.script.Row); return err },
			func() error { _, _, err := In(tx).CountStepsBelow(p.script.Row); return err },
			func() error { _, err := In(tx).Facts(p.chart.Row); return err },
			func() error { _, err := In(tx).FindInactiveCharts([]int64{p.sub.Row}); return err },
			func() error { _, _, err := In(tx).ActiveCharts(10, 0); return err },
			func() error { _, err := In(tx).ReadChartsWithSteps([]int64{p.chart.Row}); return err },
			func() error { _, err := In(tx).StepDetails(p.chart.Row); return err },
			func() error { _, _, err := In(tx).ListOpenStepsBelow(p.script.Row, 5); return err },
			func() error { _, err := In(tx).StepsDetailedBy([]int64{p.sub.Row}); return err },
			func() error { _, err := In(tx).StepsOf([]int64{p.script.Row}); return err },
			func() error { _, err := In(tx).Beat("x"); return err },
			func() error { _, err := In(tx).BeatsByTitle("x", 5); return err },
			func() error { _, _, err := In(tx).Beats(BeatFilter{Chart: p.chart.Row, Limit: 5}); return err },
			func() error { _, err := kinds.In(tx).FindEntitiesInside([]int64{p.chart.Row}); return err },
			func() error { _, err := In(tx).ReadEntities(p.rows(), NoLimit); return err },
			func() error { _, err := In(tx).Titles(Charts); return err },
			func() error { _, err := In(tx).Titles(Steps); return err },
		} {
			if err := f(); err != nil {
				return err
			}
		}
		return nil
	}
	storetest.Read(t, db, run)
	// What is walked by design: the list itself, lists handed in as JSON,
	// results of subqueries, and newest-first reads that end at their limit.
	bounded := regexp.MustCompile(`^SCAN ((j|taken|tree|t|above|a|below|b|inside|i|n|w)( |$)|CONSTANT ROW$|\(subquery|.* VIRTUAL TABLE )`)
	plantest.RequireNoFullScans(t, db, plantest.RequireRecordedQueries(t, db, "", 25), func(_, detail string) bool { return bounded.MatchString(detail) })
}
