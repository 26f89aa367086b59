package graph

import (
	"strings"
	"testing"

	"toolkit/store"
	"toolkit/store/graph"
)

func TestObservationsAndNodesTakeTitlesOfChartsAndSteps(t *testing.T) {
	b := newBench(t)
	chart, step, _, _ := b.chart()
	for title, id := range map[string]string{"create a PODCAST": chart.ID, step.Title: step.ID} {
		same(t, "open "+title, b.names("open_nodes", args{"names": []string{title, id}}), []string{id})
		added := b.text("add_observations", args{"observations": []args{{"entityName": title, "contents": []string{"A studio is free"}}}})
		same(t, "add to "+title, added, `[{"entityName":"`+id+`","addedObservations":["A studio is free"]}]`)
		deleted := b.text("delete_observations", args{"deletions": []args{{"entityName": title, "observations": []string{"A studio is free"}}}})
		if !strings.Contains(deleted, `"deleted":[{"entityName":"`+id+`"`) {
			t.Errorf("delete from %s: %s", title, deleted)
		}
	}
}

func TestATitleStepsBackBehindTheNameOfAnEntityAndIsRefusedWhereTwoHaveIt(t *testing.T) {
	b := newBench(t)
	b.chart()
	b.create(NewEntity{Name: "Create a podcast"})
	same(t, "the name of an entity", b.names("open_nodes", args{"names": []string{"Create a podcast"}}), []string{"Create a podcast"})
	b.write(func(tx *store.Tx) error {
		for _, id := range []string{"chart_7", "chart_8"} {
			if _, err := graph.In(tx).InsertChart(graph.Chart{ID: id, Outcome: "Create a garden"}); err != nil {
				return err
			}
		}
		return nil
	})
	e := b.refuse("add_observations", args{"observations": []args{{"entityName": "Create a garden", "contents": []string{"It is wet"}}}})
	same(t, "a title of two charts", e.Details["candidates"], []any{"chart_7", "chart_8"})
}

func TestTheOfficialServerKnowsNoTitles(t *testing.T) {
	b := openBench(t, "", true)
	b.chart()
	same(t, "opened", b.names("open_nodes", args{"names": []string{"Create a podcast"}}), []string{})
}
