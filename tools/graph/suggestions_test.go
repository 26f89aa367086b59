package graph

import (
	"slices"
	"strings"
	"testing"

	"toolkit/internal/toolstest"
	"toolkit/tools"
)

// What a result suggests can be called as it stands, and names what there is.
func TestSuggestedCallsCanBeMade(t *testing.T) {
	for name, c := range map[string]struct {
		tool string
		in   args
	}{
		"a deletion from an unknown name":     {"delete_observations", args{"deletions": []args{{"entityName": "Ducatto", "observations": []string{"x"}}}}},
		"a deletion from a strange name":      {"delete_observations", args{"deletions": []args{{"entityName": "Zanzibar", "observations": []string{"x"}}}}},
		"a deletion of an unknown name":       {"delete_entities", args{"entityNames": []string{"Ducatto"}}},
		"a relation from an unknown name":     {"delete_relations", args{"relations": []args{{"from": "Ducatto", "to": "Ada", "relationType": "is of"}}}},
		"an addition to an unknown name":      {"add_observations", args{"observations": []args{{"entityName": "Zanzibar", "contents": []string{"x"}}}}},
		"a new name":                          {"create_entities", args{"entities": []args{{"name": "Orchard", "entityType": "project", "observations": []string{}}}}},
		"two new names":                       {"create_entities", args{"entities": []args{{"name": "Bo", "entityType": "person", "observations": []string{}}, {"name": "Cy", "entityType": "person", "observations": []string{}}}}},
		"nearly the name of another":          {"create_entities", args{"entities": []args{{"name": "ducato", "entityType": "van", "observations": []string{}}, {"name": "DUCATO", "entityType": "van", "observations": []string{}}}}},
		"a name that exists":                  {"create_entities", args{"entities": []args{{"name": "Ada", "entityType": "person", "observations": []string{"x"}}}}},
		"a name that exists, and no new fact": {"create_entities", args{"entities": []args{{"name": "Ada", "entityType": "person", "observations": []string{}}}}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.create(NewEntity{Name: "Ducato", EntityType: "van"}, NewEntity{Name: "Ada", EntityType: "person"})
			hints := b.CallAllowingRefusal(c.tool, c.in).Hints
			if len(hints.SuggestedNextActions) == 0 {
				t.Error("nothing is suggested")
			}
			for _, next := range hints.SuggestedNextActions {
				if next.Data != nil {
					checkSuggestion(t, b, next)
				}
			}
		})
	}
}

// checkSuggestion makes a suggested call: it is accepted, opens only what there is, and relates
// nothing to itself.
func checkSuggestion(t *testing.T, b *bench, next tools.Action) {
	t.Helper()
	tool := strings.ReplaceAll(next.Action, "-", "_")
	r := b.CallAllowingRefusal(tool, next.Data)
	if r.IsError {
		t.Errorf("%s %v is refused: %s", tool, next.Data, r.Text)
	}
	if tool != "open_nodes" {
		return
	}
	var opened Graph
	toolstest.Decode(t, []byte(r.Text), &opened)
	names := next.Data["names"].([]string)
	for _, name := range names {
		if !slices.ContainsFunc(opened.Entities, func(e Entity) bool { return e.Name == name }) {
			t.Errorf("there is no %q to open", name)
		}
	}
}

func TestADeletionNamesTheObservationThatIsNearest(t *testing.T) {
	for wanted, meant := range map[string]string{
		"drinks TEA without sugar":   "Drinks tea without sugar",
		"Drinks tea without sugar  ": "Drinks tea without sugar",
		"Drinks tea, without sugar":  "Drinks tea without sugar",
		"is allergic to nuts":        "",
	} {
		b := newBench(t)
		b.create(NewEntity{Name: "Ada", Observations: []string{"Lives in Lisbon", "Drinks tea without sugar", "Drinks coffee"}})
		in := args{"deletions": []args{{"entityName": "Ada", "observations": []string{wanted}}}}
		hints := toolstest.EncodeJSON(b.CallAllowingRefusal("delete_observations", in).Hints)
		if is := strings.Contains(hints, "perhaps meant"); is != (meant != "") || !strings.Contains(hints, meant) {
			t.Errorf("%q: %s", wanted, hints)
		}
		same(t, "what is left", len(b.graph("open_nodes", args{"names": []string{"Ada"}}).Entities[0].Observations), 3)
	}
}
