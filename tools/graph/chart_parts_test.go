package graph

import (
	"strings"
	"testing"

	"toolkit/internal/reality"
	"toolkit/internal/toolstest"
	"toolkit/store"
	"toolkit/store/graph"
)

func TestAChartGoesWithAllThatLivesInIt(t *testing.T) {
	b := newBench(t)
	_, _, sub, beat := b.chart()
	b.create(NewEntity{Name: "Ada"})
	b.relate(Relation{"Ada", "chart_1", "owns"})
	if got := b.names("search_nodes", args{"query": "scripts"}); len(got) == 0 {
		t.Fatal("the sub-chart's step is not found")
	}
	got := b.text("delete_entities", args{"entityNames": []string{sub.ID}})
	if want := `{"success":true,"message":"Entities deleted successfully","deleted":["chart_1_action_2"],"alsoDeleted":["chart_1_action_2_action_1"]}`; got != want {
		t.Errorf("got %s", got)
	}
	chart := b.graph("open_nodes", args{"names": []string{"chart_1"}}).Entities[0]
	if shown := strings.Join(chart.Observations, "|"); !strings.Contains(shown, "0 of 1") {
		t.Errorf("the parent still counts the step: %s", shown)
	}
	if got := b.names("search_nodes", args{"query": "of 1 actions complete", "limit": 1}); len(got) != 1 || got[0] != "chart_1" {
		t.Errorf("the parent is not found by what it shows now: %q", got)
	}
	got = b.text("delete_entities", args{"entityNames": []string{"chart_1", "chart_1_action_1"}})
	if want := `{"success":true,"message":"Entities deleted successfully","deleted":["chart_1","chart_1_action_1"],"alsoDeleted":["` + beat.Name + `"]}`; got != want {
		t.Errorf("got %s", got)
	}
	same(t, "what is left", b.graph("read_graph", nil), Graph{Entities: []Entity{{Name: "Ada", EntityType: "thing", Observations: []string{}}}, Relations: []Relation{}})
	same(t, "search", b.names("search_nodes", args{"query": "podcast"}), []string{})
}

// twoSteps adds chart_1 with an open step, chart_1_action_1, and one that is
// complete with a complete sub-chart, chart_1_action_2.
func (b *bench) twoSteps() {
	b.T.Helper()
	b.write(func(tx *store.Tx) error {
		rows := graph.In(tx)
		chart, err := rows.InsertChart(graph.Chart{ID: "chart_1", Outcome: "Create a podcast", Facts: []string{"Have a desk"}})
		if err != nil {
			return err
		}
		if _, err := rows.InsertStep(chart, "Site online", ""); err != nil {
			return err
		}
		pilot, err := rows.InsertStep(chart, "Pilot recorded", "")
		if err != nil {
			return err
		}
		sub, err := rows.InsertChart(graph.Chart{ID: "chart_1_action_2_sub", Outcome: "Pilot recorded", Level: 1, ParentStepRow: pilot.Row})
		if err != nil {
			return err
		}
		script, err := rows.InsertStep(sub, "Script written", "")
		if err != nil {
			return err
		}
		for _, s := range []*graph.Step{script, pilot} {
			if err := rows.CompleteStep(s, "2026-01-01T00:00:00Z"); err != nil {
				return err
			}
			if _, err := rows.AppendFacts(s.Chart, []string{reality.FormatCompletedFact(s.Title)}); err != nil {
				return err
			}
			if _, err := reality.ReconcileParentFacts(rows, s.Chart); err != nil {
				return err
			}
		}
		return nil
	})
}

func (b *bench) facts(name string) (facts []string) {
	b.T.Helper()
	b.write(func(tx *store.Tx) error {
		row, _, err := graph.In(tx).EntityID(name)
		if err != nil {
			return err
		}
		facts, err = graph.In(tx).Facts(row)
		return err
	})
	return facts
}

func TestADeletedStepTakesItsFactsAlong(t *testing.T) {
	b := newBench(t)
	b.twoSteps()
	same(t, "before", b.facts("chart_1"), []string{"Have a desk", "All action steps complete: Pilot recorded", "Completed: Pilot recorded"})
	b.Call("delete_entities", args{"entityNames": []string{"chart_1_action_2_sub_action_1"}})
	same(t, "without the step below", b.facts("chart_1"), []string{"Have a desk", "Completed: Pilot recorded"})
	r := b.CallAllowingRefusal("delete_entities", args{"entityNames": []string{"chart_1_action_2"}})
	same(t, "without the step", b.facts("chart_1"), []string{"Have a desk"})
	toolstest.RequireContains(t, "the hints", r.Hints.Warnings[len(r.Hints.Warnings)-1].Message, "Completed: Pilot recorded")
}

func TestDeletingSubChartWithdrawsItsFacts(t *testing.T) {
	b := newBench(t)
	b.twoSteps()
	b.Call("delete_entities", args{"entityNames": []string{"chart_1_action_2_sub"}})
	same(t, "without the sub-chart", b.facts("chart_1"), []string{"Have a desk", "Completed: Pilot recorded"})
}

func TestNamesOfPartsInOtherServersMeanTheChart(t *testing.T) {
	b := newBench(t)
	b.twoSteps()
	b.create(NewEntity{Name: "Ada", EntityType: "person", Observations: []string{}})
	same(t, "open_nodes, each once", b.names("open_nodes", args{"names": []string{"chart_1_desired_outcome", "chart_1_current_reality", "chart_1_chart", "chart_1"}}), []string{"chart_1"})
	b.Call("add_observations", args{"observations": []args{{"entityName": "chart_1_current_reality", "contents": []string{"Sponsor signed"}}}})
	toolstest.RequireContains(t, "the facts", strings.Join(b.facts("chart_1"), "; "), "Sponsor signed")
	b.Call("delete_observations", args{"deletions": []args{{"entityName": "chart_1_current_reality", "observations": []string{"Sponsor signed"}}}})
	b.relate(Relation{From: "Ada", To: "chart_1_desired_outcome", RelationType: "wants"})
	same(t, "found from the chart", len(b.graph("open_nodes", args{"names": []string{"Ada"}}).Relations), 1)
	b.Call("delete_relations", args{"relations": []Relation{{From: "Ada", To: "chart_1_chart", RelationType: "wants"}}})
	same(t, "gone", len(b.graph("open_nodes", args{"names": []string{"Ada"}}).Relations), 0)

	e := b.refuse("delete_entities", args{"entityNames": []string{"chart_1_current_reality"}})
	toolstest.RequireContains(t, "the refusal", e.Message, "delete_observations")
	out := b.Call("delete_entities", args{"entityNames": []string{"chart_1_chart", "chart_1_desired_outcome", "chart_1_current_reality", "chart_2_chart"}})
	same(t, "deleted", []any{out["deleted"], out["notFound"]}, []any{[]any{"chart_1_chart", "chart_1_desired_outcome", "chart_1_current_reality"}, []any{"chart_2_chart"}})
	same(t, "left", b.names("read_graph", args{}), []string{"Ada"})
}

func TestEntityNameWinsOverChartPart(t *testing.T) {
	b := newBench(t)
	b.twoSteps()
	b.write(func(tx *store.Tx) error { // as an import brings it
		_, err := graph.In(tx).InsertEntity(graph.NewEntity{Name: "chart_1_chart", Type: "note"})
		return err
	})
	same(t, "opened", b.names("open_nodes", args{"names": []string{"chart_1_chart"}}), []string{"chart_1_chart"})
}
