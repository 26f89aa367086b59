package graph

import (
	"context"
	"strings"
	"testing"
	"time"

	"toolkit/internal/toolstest"
	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/tools"
)

func TestCompatibilityTakesWhatTheOfficialServerTakes(t *testing.T) {
	long := strings.Repeat("n", 1001)
	for name, c := range map[string]struct {
		tool  string
		in    args
		field string // that is refused without compatibility
	}{
		"a long name":         {"create_entities", args{"entities": []args{{"name": long, "entityType": "x", "observations": []string{}}}}, "entities[0].name"},
		"a long type":         {"create_entities", args{"entities": []args{{"name": "B", "entityType": long, "observations": []string{}}}}, "entities[0].entityType"},
		"a blank observation": {"create_entities", args{"entities": []args{{"name": "C", "entityType": "x", "observations": []string{"", " "}}}}, "entities[0].observations[0]"},
		"a blank addition":    {"add_observations", args{"observations": []args{{"entityName": "A", "contents": []string{" "}}}}, "observations[0].contents[0]"},
		"a blank type":        {"create_entities", args{"entities": []args{{"name": "D", "entityType": "", "observations": []string{}}}}, "entities[0].entityType"},
		"a blank relation":    {"create_relations", args{"relations": []args{{"from": "A", "to": "A", "relationType": ""}}}, "relations[0].relationType"},
		"a long relation":     {"create_relations", args{"relations": []args{{"from": "A", "to": "A", "relationType": long}}}, "relations[0].relationType"},
	} {
		t.Run(name, func(t *testing.T) {
			b := openBench(t, "", false)
			b.create(NewEntity{Name: "A", EntityType: "x"})
			if e := b.refuse(c.tool, c.in); e.Details["field"] != c.field {
				t.Errorf("without compatibility: %+v, want the field %s", e, c.field)
			}
			b = openBench(t, "", true)
			b.create(NewEntity{Name: "A", EntityType: "x"})
			if text := b.text(c.tool, c.in); text == "[]" {
				t.Errorf("in compatibility nothing was added")
			}
			b.text("read_graph", nil)
		})
	}
}

func TestADeletionOfAnotherNameSaysWhatMayBeMeant(t *testing.T) {
	b := newBench(t)
	chart, step, _, _ := b.chart()
	b.Call("create_entities", args{"entities": []args{{"name": "Mr Vogt", "entityType": "person", "observations": []string{"drinks tea"}}}})
	for name, meant := range map[string]string{chart.Outcome: chart.ID, step.Title: step.ID, "mr vogt": "Mr Vogt"} {
		for tool, in := range map[string]args{
			"delete_entities":     {"entityNames": []string{name}},
			"delete_observations": {"deletions": []args{{"entityName": name, "observations": []string{"drinks tea"}}}},
		} {
			if tool == "delete_observations" && meant != "Mr Vogt" {
				continue // it takes titles
			}
			warnings := b.CallAllowingRefusal(tool, in).Hints.Warnings
			if len(warnings) != 1 || !strings.Contains(warnings[0].Message, `perhaps meant: "`+meant+`"`) {
				t.Errorf("%s %q: %+v", tool, name, warnings)
			}
		}
	}
	same(t, "nobody is like it", len(b.CallAllowingRefusal("delete_entities", args{"entityNames": []string{"Zanzibar"}}).Hints.Warnings), 0)
}

// One name however its accents are encoded: what a client gives under either spelling is stored,
// and either finds it.
func TestANameInAnotherEncodingOfItsAccentsLosesNothing(t *testing.T) {
	const composed, apart = "Caf\u00e9 Zo\u00eb", "Cafe\u0301 Zoe\u0308"
	b := openBench(t, "", true)
	b.create(NewEntity{Name: composed, Observations: []string{"opens at 8"}})
	answer := b.CallAllowingRefusal("create_entities", CreateEntitiesInput{Entities: []NewEntity{{Name: apart, EntityType: "place", Observations: []string{"has a terrace"}}}})
	if len(answer.Hints.Warnings) == 0 || !strings.Contains(answer.Hints.Warnings[len(answer.Hints.Warnings)-1].Message, "writes its accents otherwise") {
		t.Errorf("nothing is said of the joined entity: %+v", answer.Hints.Warnings)
	}
	b.create(NewEntity{Name: composed, Observations: []string{"is skipped"}})
	want := []Entity{{Name: composed, EntityType: "thing", Observations: []string{"opens at 8", "has a terrace"}}}
	for _, spelling := range []string{composed, apart} {
		same(t, "opened", b.graph("open_nodes", args{"names": []string{spelling}}).Entities, want)
		same(t, "found", b.graph("search_nodes", args{"query": spelling}).Entities, want)
	}
	b.create(NewEntity{Name: "Zo\u00eb", Observations: []string{"one"}}, NewEntity{Name: "Zoe\u0308", Observations: []string{"two"}})
	same(t, "twice in a batch", b.graph("open_nodes", args{"names": []string{"Zo\u00eb"}}).Entities[0].Observations, []string{"one", "two"})
}

// A relation without an end stands in every read. The hints name what is missing, but where the
// official server's rules hold, by which it is nothing to mention.
func TestARelationWithoutAnEndIsShown(t *testing.T) {
	for _, compat := range []bool{false, true} {
		b := openBench(t, "", compat)
		b.create(NewEntity{Name: "Ada"})
		lone := Relation{"Ada", "Ghost Corp", "works_at"}
		b.write(func(tx *store.Tx) error {
			return graph.In(tx).InsertDanglingRelation(graph.Relation{From: lone.From, To: lone.To, Type: lone.RelationType})
		})
		for tool, in := range map[string]args{"read_graph": {}, "open_nodes": {"names": []string{"Ada"}}, "search_nodes": {"query": "ada"}} {
			same(t, tool, b.graph(tool, in).Relations, []Relation{lone})
			answer := b.CallAllowingRefusal(tool, in)
			if compat {
				same(t, "warnings in compatibility", len(answer.Hints.Warnings), 0)
				continue
			}
			if w := answer.Hints.Warnings; len(w) != 1 || !strings.Contains(w[0].Message, `"Ghost Corp"`) {
				t.Errorf("%s: %+v", tool, w)
			}
			for _, next := range answer.Hints.SuggestedNextActions {
				if next.Tool == "open_nodes" {
					t.Errorf("%s proposes to open what is not there: %+v", tool, next)
				}
			}
		}
	}
}

// What is served in compatibility describes itself as it is there.
func TestDescriptionsInCompatibilityAreTrueThere(t *testing.T) {
	for _, d := range New(Deps{MemoryCompat: true}).Tools {
		for _, untrue := range []string{"by meaning", "Returns what was deleted", "refuses the whole batch", "both must exist"} {
			if strings.Contains(d.Description, untrue) {
				t.Errorf("%s: %q is not so in compatibility", d.Name, untrue)
			}
		}
	}
}

// The words were searched: a look for what is near in meaning that fails or takes its time costs
// what it would find, not the search.
func TestALookForMeaningNeitherFailsNorDelaysASearch(t *testing.T) {
	b := newBench(t)
	wholeTime := time.Duration(b.Options.TimeoutFactor) * tools.Fast.Timeout()
	slow := func(ctx context.Context, _ string) (map[int64]float64, bool, error) {
		if end, is := ctx.Deadline(); !is || time.Until(end) > wholeTime/nearShare {
			t.Errorf("the look for meaning may take until %v, the whole call %v", end, wholeTime)
		}
		return nil, false, context.DeadlineExceeded
	}
	pending := func(context.Context, string) (map[int64]float64, bool, error) { return nil, false, nil }
	for name, nearest := range map[string]func(context.Context, string) (map[int64]float64, bool, error){"slow": slow, "pending": pending} {
		b.family.Nearest = nearest
		b.BuildPipeline(New(b.family.Deps))
		answer := b.CallAllowingRefusal("search_nodes", args{"query": "who is allergic to nuts?"})
		if answer.IsError || len(answer.Hints.Warnings) != 1 || !strings.Contains(answer.Hints.Warnings[0].Message, "compared in meaning") {
			t.Errorf("%s: error %v, %+v", name, answer.IsError, answer.Hints)
		}
	}
}

func TestWhatIsNearInMeaningComesWithAllItsObservationsUnlessALimitIsGiven(t *testing.T) {
	b := newBench(t)
	b.create(NewEntity{Name: "House", Observations: []string{"a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8"}})
	var id int64
	b.write(func(tx *store.Tx) error {
		refs, err := graph.In(tx).EntityRefs([]string{"House"})
		id = refs["House"].ID
		return err
	})
	b.family.Nearest = func(context.Context, string) (map[int64]float64, bool, error) {
		return map[int64]float64{id: 0.9}, false, nil
	}
	b.BuildPipeline(New(b.family.Deps))
	for limit, want := range map[int]int{0: 8, 7: 7, 2: 2} {
		in := args{"query": "what does the new roof cost"}
		if limit > 0 {
			in["observationLimit"] = limit
		}
		entities := b.graph("search_nodes", in).Entities
		if len(entities) != 1 || len(entities[0].Observations) != want {
			t.Errorf("limit %d: %+v, want %d observations", limit, entities, want)
		}
	}
	hints := toolstest.EncodeJSON(b.CallAllowingRefusal("search_nodes", args{"query": "what does the new roof cost"}).Hints)
	if !strings.Contains(hints, "not all was compared in meaning") {
		t.Errorf("what was not compared is not told: %s", hints)
	}
}
