package store_test

import (
	"regexp"
	"slices"
	"testing"

	"toolkit/internal/storetest"
	"toolkit/store"
	"toolkit/store/entities"
	"toolkit/store/graph"
	"toolkit/store/internal/plantest"
	"toolkit/store/memory"
)

// The page must stay quick however much there is: its queries walk indexes, and
// tables only where the newest rows are read up to a limit or everything is
// counted.
func TestQueriesOfTheViewUseIndexes(t *testing.T) {
	db := storetest.Open(t)
	storetest.Read(t, db, func(tx *store.Tx) error {
		rows := graph.In(tx)
		for _, f := range []func() error{
			func() error { _, err := rows.CountMasterCharts(); return err },
			func() error { _, err := rows.MasterCharts(graph.ChartActive, 10, 0); return err },
			func() error { _, err := rows.MasterCharts(graph.ChartCompleted, 10, 0); return err },
			func() error { _, err := rows.OpenSteps(); return err },
			func() error { _, err := rows.OpenStepsOf(1); return err },
			func() error { _, err := rows.DescribeOpenSteps([]graph.OpenStep{{Row: 1, Root: 1}}); return err },
			func() error { _, err := rows.CountBeats([]int64{1}); return err },
			func() error { _, _, err := rows.ChartsBelow([]int64{1}, 10); return err },
			func() error { _, err := memory.In(tx).EpisodesBefore(0, 10); return err },
			func() error { _, err := entities.In(tx).DocumentedNames([]string{"x"}); return err },
			func() error { _, err := tx.DocumentedTypes(10); return err },
			func() error { _, err := rows.ListNewestLinkedNodes(10); return err },
			func() error { _, err := rows.Nodes([]int64{1}); return err },
			func() error { _, err := rows.EdgesAmong([]int64{1}, 10); return err },
			func() error { _, _, err := rows.CountNeighbours(1); return err },
			func() error { _, err := rows.Neighbours(1, 1, 10, 0); return err },
			func() error { _, err := tx.EntityTypeCounts(10); return err },
		} {
			if err := f(); err != nil {
				return err
			}
		}
		return nil
	})
	// What is walked by design: lists handed in, results of subqueries, the next steps and the newest
	// rows up to a limit, and types, which are counted in their index.
	walked := []string{
		"SCAN CONSTANT ROW", "SCAN r", "SCAN t", "SCAN tree", "SCAN n", "SCAN (subquery-1)", "SCAN (subquery-3)",
		"SCAN a VIRTUAL TABLE INDEX 1:", "SCAN j VIRTUAL TABLE INDEX 1:", "SCAN json_each VIRTUAL TABLE INDEX 1:",
		"SCAN entities USING COVERING INDEX entities_type", "SCAN snapshots USING COVERING INDEX snapshots_type",
	}
	newest := regexp.MustCompile(`^SELECT (id|from_id, to_id) FROM (entities|relations) ORDER BY id DESC LIMIT \?$`)
	plantest.RequireNoFullScans(t, db, plantest.RequireRecordedQueries(t, db, "", 11), func(query, detail string) bool {
		return slices.Contains(walked, detail) || newest.MatchString(query)
	})
}
