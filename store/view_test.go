package store

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestSampleTakesTheEndsOfNewRelationsAndThenNewEntities(t *testing.T) {
	db := openGraph(t)
	ids := make([]int64, 10)
	err := db.Write(t.Context(), func(tx *Tx) (err error) {
		for i := range ids {
			if ids[i], err = tx.InsertEntity(NewEntity{Name: fmt.Sprint("e", i), Type: "t"}); err != nil {
				return err
			}
		}
		for _, r := range [][2]int{{0, 1}, {2, 3}, {2, 4}} {
			if _, err := tx.InsertRelation(ids[r[0]], ids[r[1]], "knows", false, nil, nil); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	reading(t, db, func(tx *Tx) error {
		for limit, want := range map[int][]int64{
			2: {ids[2], ids[4]},
			4: {ids[2], ids[4], ids[3], ids[9]}, // no room for both ends of the oldest relation
			7: {ids[2], ids[4], ids[3], ids[0], ids[1], ids[9], ids[8]},
		} {
			got, err := tx.SampleNodes(limit)
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("limit %d: %v, want %v, %v", limit, got, want, err)
			}
		}
		edges, err := tx.EdgesAmong(ids[:4], 10)
		if err != nil || len(edges) != 2 {
			t.Errorf("edges among the first four: %v, %v", edges, err)
		}
		nodes, err := tx.Nodes([]int64{ids[2], 999, ids[9]})
		if err != nil || len(nodes) != 2 || nodes[0].Degree != 2 || nodes[1].Degree != 0 {
			t.Errorf("%+v, %v", nodes, err)
		}
		return nil
	})
}

// The page must stay quick however much there is: its queries walk indexes, and
// tables only where the newest rows are read up to a limit or everything is
// counted.
func TestQueriesOfTheViewUseIndexes(t *testing.T) {
	db := openGraph(t)
	reading(t, db, func(tx *Tx) error {
		for _, f := range []func() error{
			func() error { _, _, err := tx.MasterCharts(10, 0); return err },
			func() error { _, _, err := tx.ChartsBelow([]int64{1}, 10); return err },
			func() error { _, err := tx.InsightsBefore(0, false, 10); return err },
			func() error { _, err := tx.EpisodesBefore(0, 10); return err },
			func() error { _, err := tx.DocumentedNames([]string{"x"}); return err },
			func() error { _, err := tx.DocumentedTypes(10); return err },
			func() error { _, err := tx.SampleNodes(10); return err },
			func() error { _, err := tx.Nodes([]int64{1}); return err },
			func() error { _, err := tx.EdgesAmong([]int64{1}, 10); return err },
			func() error { _, _, err := tx.CountNeighbours(1); return err },
			func() error { _, err := tx.Neighbours(1, 1, 10, 0); return err },
			func() error { _, err := tx.EntityTypeCounts(10); return err },
		} {
			if err := f(); err != nil {
				return err
			}
		}
		return nil
	})
	// What is walked by design: lists handed in, results of subqueries, the newest
	// rows up to a limit, and types, which are counted in their index.
	walked := []string{
		"SCAN CONSTANT ROW", "SCAN r", "SCAN t", "SCAN tree", "SCAN (subquery-1)", "SCAN (subquery-3)",
		"SCAN a VIRTUAL TABLE INDEX 1:", "SCAN j VIRTUAL TABLE INDEX 1:", "SCAN json_each VIRTUAL TABLE INDEX 1:",
		"SCAN entities USING COVERING INDEX entities_type", "SCAN snapshots USING COVERING INDEX snapshots_type",
	}
	newest := regexp.MustCompile(`^SELECT (id|from_id, to_id) FROM (entities|relations) ORDER BY id DESC LIMIT \?$`)
	noTableIsWalked(t, db, queriesRead(t, db, "", 12), func(query, detail string) bool {
		return slices.Contains(walked, detail) || newest.MatchString(query)
	})
	edges := plan(t, db, edgesQuery)
	if !slices.ContainsFunc(edges, func(d string) bool { return strings.Contains(d, "(from_id=? AND to_id=?)") }) {
		t.Errorf("a hub is walked: %v", edges)
	}
}
