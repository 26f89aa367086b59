package graph

import (
	"testing"

	"toolkit/internal/toolstest"
)

func TestResultsHaveTheOfficialShapes(t *testing.T) {
	b := newBench(t)
	for _, step := range []struct {
		tool string
		in   any
		keys []string
		text string // first byte of the text: an array or an object
	}{
		{"create_entities", exampleEntities.Params, []string{"entities"}, "["},
		{"create_relations", exampleRelations.Params, []string{"relations"}, "["},
		{"add_observations", args{"observations": []args{{"entityName": "Ada", "contents": []string{"x"}}}}, []string{"results"}, "["},
		{"search_nodes", args{"query": "a"}, []string{"entities", "relations"}, "{"},
		{"open_nodes", args{"names": []string{"Ada"}}, []string{"entities", "relations"}, "{"},
		{"read_graph", nil, []string{"entities", "relations"}, "{"},
		{"delete_observations", args{"deletions": []args{}}, []string{"success", "message"}, "{"},
		{"delete_relations", args{"relations": []args{}}, []string{"success", "message"}, "{"},
		{"delete_entities", args{"entityNames": []string{}}, []string{"success", "message"}, "{"},
	} {
		r := b.CallAccepted(step.tool, step.in)
		var structured args
		toolstest.Decode(t, r.Structured, &structured)
		for _, key := range append(step.keys, "agentHints") {
			if _, ok := structured[key]; !ok {
				t.Errorf("%s: %s is missing in %s", step.tool, key, r.Structured)
			}
		}
		if r.Text[:1] != step.text {
			t.Errorf("%s: the text is %s", step.tool, r.Text)
		}
	}
}
