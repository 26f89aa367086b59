package store_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"toolkit/internal/storetest"
	"toolkit/store"
	"toolkit/store/entities"
	"toolkit/store/graph"
	"toolkit/store/internal/plantest"
	"toolkit/store/memory"
	"toolkit/store/sessions"
)

// A day is looked into through indexes, whatever is chosen. Only steps have none in the
// order of their completion.
func TestQueriesOfTheTimelineUseIndexes(t *testing.T) {
	db := storetest.Open(t)
	day := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	storetest.Read(t, db, func(tx *store.Tx) error {
		sessionRows, documents := sessions.In(tx), entities.In(tx)
		var queries []func() error
		for _, c := range []sessions.TurnFilter{{}, {Project: 1}, {Speakers: []string{"Ada"}}, {Project: sessions.NoProject, Speakers: []string{"Ada"}}} {
			queries = append(queries,
				func() error { _, err := sessionRows.LastTurnTime(c, day); return err },
				func() error { _, _, err := sessionRows.FindSessionSpans(c, day, day); return err },
				func() error { _, err := sessionRows.LastInsightTime(c, day); return err },
				func() error { _, _, err := sessionRows.FindInsights(c, day, day); return err },
				func() error { _, err := sessionRows.ListInsights(c, 1, false, 10); return err })
		}
		for _, about := range [][]int64{nil, {1}} {
			queries = append(queries,
				func() error { _, err := documents.LastArrivalTime(about, 1); return err },
				func() error { _, _, err := documents.FindArrivals(about, 0, 1); return err },
				func() error { _, _, err := documents.FindCorrections(about, 0, 1); return err })
		}
		queries = append(queries,
			func() error { _, err := sessionRows.FindSessionNames([]string{"a"}); return err },
			func() error { _, err := sessionRows.SourcesOfInsights([]int64{1}); return err },
			func() error { _, err := sessionRows.InsightsOfSessions([]string{"a"}, 5); return err },
			func() error { _, err := documents.LastCorrectionTime(1); return err },
			func() error { _, err := documents.ListArrivals([]int64{1}); return err },
			func() error { _, err := documents.ListCorrections([]int64{1}); return err },
			func() error { _, err := memory.In(tx).Speakers("", 5); return err },
			func() error { _, err := graph.In(tx).StepsCompletedBefore(day, 5); return err },
			func() error { _, err := graph.In(tx).CompletedSteps([]int64{1}); return err })
		for _, f := range queries {
			if err := f(); err != nil {
				return err
			}
		}
		return nil
	})
	// What is walked by design: lists handed in, one row of constants, the names found of
	// speakers, the few rows of a day, projects that were joined, and the newest insights up
	// to a limit with those that were found among them.
	walked := regexp.MustCompile(`^SCAN ((j|json_each) VIRTUAL TABLE INDEX 1:|CONSTANT ROW|\(subquery-[17]\)|found|few|part|up|newest|o|placed|l2_insights USING INDEX l2_insights_time)$`)
	plantest.RequireNoFullScans(t, db, plantest.RequireRecordedQueries(t, db, "", 22), func(query, detail string) bool {
		return walked.MatchString(detail) || strings.Contains(query, "unixepoch(completed_at)") && detail == "SCAN steps"
	})
}
