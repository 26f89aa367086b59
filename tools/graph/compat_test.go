package graph

import (
	"strings"
	"testing"
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
			warnings := b.Respond(tool, in).Hints.Warnings
			if len(warnings) != 1 || !strings.Contains(warnings[0].Message, `perhaps meant: "`+meant+`"`) {
				t.Errorf("%s %q: %+v", tool, name, warnings)
			}
		}
	}
	same(t, "nobody is like it", len(b.Respond("delete_entities", args{"entityNames": []string{"Zanzibar"}}).Hints.Warnings), 0)
}
