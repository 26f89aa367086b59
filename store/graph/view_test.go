package graph

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"toolkit/internal/storetest"
	"toolkit/store"
	"toolkit/store/internal/plantest"
)

func TestSampleTakesTheEndsOfNewRelationsAndThenNewEntities(t *testing.T) {
	db := storetest.Open(t)
	ids := make([]int64, 10)
	storetest.Write(t, db, func(tx *store.Tx) (err error) {
		for i := range ids {
			if ids[i], err = In(tx).InsertEntity(NewEntity{Name: fmt.Sprint("e", i), Type: "t"}); err != nil {
				return err
			}
		}
		for _, r := range [][2]int{{0, 1}, {2, 3}, {2, 4}} {
			if _, err := In(tx).InsertRelation(ids[r[0]], ids[r[1]], "knows", false, nil, nil); err != nil {
				return err
			}
		}
		return nil
	})
	storetest.Read(t, db, func(tx *store.Tx) error {
		rows := In(tx)
		for limit, want := range map[int][]int64{
			2: {ids[2], ids[4]},
			4: {ids[2], ids[4], ids[3], ids[9]}, // no room for both ends of the oldest relation
			7: {ids[2], ids[4], ids[3], ids[0], ids[1], ids[9], ids[8]},
		} {
			got, err := rows.ListNewestLinkedNodes(limit)
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("limit %d: %v, want %v, %v", limit, got, want, err)
			}
		}
		edges, err := rows.EdgesAmong(ids[:4], 10)
		if err != nil || len(edges) != 2 {
			t.Errorf("edges among the first four: %v, %v", edges, err)
		}
		nodes, err := rows.Nodes([]int64{ids[2], 999, ids[9]})
		if err != nil || len(nodes) != 2 || nodes[0].Degree != 2 || nodes[1].Degree != 0 {
			t.Errorf("%+v, %v", nodes, err)
		}
		return nil
	})
}

func TestEdgesAmongDoesNotScanHubRelations(t *testing.T) {
	edges := plantest.ExplainPlan(t, storetest.Open(t), edgesQuery)
	if !slices.ContainsFunc(edges, func(d string) bool { return strings.Contains(d, "(from_id=? AND to_id=?)") }) {
		t.Errorf("a hub is walked: %v", edges)
	}
}
