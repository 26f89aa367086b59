package store

import (
	"regexp"
	"strings"
	"testing"
)

// TestChartQueriesUseIndexes asks SQLite how it would run every statement that
// the charts have run, and refuses any that reads a whole table.
func TestChartQueriesUseIndexes(t *testing.T) {
	db := openCharts(t)
	p := insertPodcast(t, db, "chart_1")
	run := func(tx *Tx) error {
		for _, f := range []func() error{
			func() error { _, err := tx.Chart("chart_1"); return err },
			func() error { _, err := tx.ChartAt(p.chart.Row); return err },
			func() error { _, err := tx.ChartsTitled("create a podcast", 5); return err },
			func() error { _, err := tx.Step("x"); return err },
			func() error { _, err := tx.StepAt(p.pilot.Row); return err },
			func() error { _, err := tx.StepsTitled("x", 5); return err },
			func() error { _, err := tx.ChartSteps(p.chart.Row); return err },
			func() error { _, err := tx.StepTitled(p.chart.Row, "x", 0); return err },
			func() error { _, err := tx.SubChart(p.script.Row); return err },
			func() error { _, _, err := tx.StepsBelow(p.script.Row); return err },
			func() error { _, err := tx.Facts(p.chart.Row); return err },
			func() error { _, err := tx.InactiveCharts([]int64{p.sub.Row}); return err },
			func() error { _, _, err := tx.ActiveCharts(10, 0); return err },
			func() error { _, err := tx.ChartStates([]int64{p.chart.Row}); return err },
			func() error { _, err := tx.Beat("x"); return err },
			func() error { _, err := tx.BeatsTitled("x", 5); return err },
			func() error { _, _, err := tx.Beats(BeatFilter{Chart: p.chart.Row, Limit: 5}); return err },
			func() error { _, err := tx.ChartSubtree([]int64{p.chart.Row}); return err },
			func() error { _, err := tx.chartViews(p.rows()); return err },
			func() error { _, err := tx.Candidates(Charts, "podcast"); return err },
			func() error { _, err := tx.Candidates(Steps, "pilot"); return err },
			func() error { _, err := tx.RecentNodes(Steps, 5); return err },
		} {
			if err := f(); err != nil {
				return err
			}
		}
		return nil
	}
	reading(t, db, run)
	// What is walked by design: the list itself, lists handed in as JSON,
	// results of subqueries, and newest-first reads that end at their limit.
	bounded := regexp.MustCompile(`^SCAN ((j|taken|tree|t|above|a|inside|i|n|w)( |$)|\(subquery|.* VIRTUAL TABLE )`)
	statements := make([]string, 0, len(db.readerStatements.ready))
	for query := range db.readerStatements.ready {
		statements = append(statements, query)
	}
	if len(statements) < 25 {
		t.Fatalf("only %d statements were seen", len(statements))
	}
	for _, query := range statements {
		rows, err := db.reader.Query("EXPLAIN QUERY PLAN "+query, make([]any, parameters(query))...)
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		for rows.Next() {
			var id, parent, unused int
			var detail string
			if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(detail, "SCAN ") && !bounded.MatchString(detail) {
				t.Errorf("%s\nreads a whole table: %s", query, detail)
			}
		}
		rows.Close()
	}
}

// parameters counts the arguments of a statement.
func parameters(query string) int {
	if n := strings.Count(query, "?1"); n > 0 {
		most := 1
		for i, number := range []string{"?2", "?3"} {
			if strings.Contains(query, number) {
				most = i + 2
			}
		}
		return most
	}
	return strings.Count(query, "?")
}
