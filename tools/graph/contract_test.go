package graph

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"toolkit/internal/toolstest"
	"toolkit/store/graph"
	"toolkit/tools"
)

func TestEveryToolPassesTheChecklist(t *testing.T) {
	for _, compat := range []bool{false, true} {
		toolstest.Checklist(t, func() *toolstest.Bench { return openBench(t, "", compat).Bench })
	}
}

func TestDescriptionsAreCompactAndGiveAnExample(t *testing.T) {
	for _, d := range newBench(t).Registry.All() {
		if n := utf8.RuneCountInString(d.Description); n < 150 || n > 360 {
			t.Errorf("%s: %d characters", d.Name, n)
		}
		if !strings.Contains(d.Description, "Example: ") || !strings.Contains(d.Description, "Use it ") {
			t.Errorf("%s: %s", d.Name, d.Description)
		}
	}
}

// part is the optional input that reads have in common.
const part = `"entityTypes":{"items":{"type":"string"},"type":"array"},"includeObservations":{"type":"boolean"},"limit":{"maximum":1000,"minimum":1,"type":"integer"},"observationLimit":{"minimum":1,"type":"integer"},"offset":{"minimum":0,"type":"integer"}`

// schemas are the documented inputs, without descriptions, plus the optional
// ones of reads.
var schemas = map[string]string{
	"create_entities":     `{"properties":{"entities":{"items":{"properties":{"entityType":{"type":"string"},"name":{"type":"string"},"observations":{"items":{"type":"string"},"type":"array"}},"required":["name","entityType","observations"],"type":"object"},"type":"array"}},"required":["entities"],"type":"object"}`,
	"create_relations":    `{"properties":{"relations":{"items":{"properties":{"from":{"type":"string"},"relationType":{"type":"string"},"to":{"type":"string"}},"required":["from","to","relationType"],"type":"object"},"type":"array"}},"required":["relations"],"type":"object"}`,
	"add_observations":    `{"properties":{"observations":{"items":{"properties":{"contents":{"items":{"type":"string"},"type":"array"},"entityName":{"type":"string"}},"required":["entityName","contents"],"type":"object"},"type":"array"}},"required":["observations"],"type":"object"}`,
	"delete_entities":     `{"properties":{"entityNames":{"items":{"type":"string"},"type":"array"}},"required":["entityNames"],"type":"object"}`,
	"delete_observations": `{"properties":{"deletions":{"items":{"properties":{"entityName":{"type":"string"},"observations":{"items":{"type":"string"},"type":"array"}},"required":["entityName","observations"],"type":"object"},"type":"array"}},"required":["deletions"],"type":"object"}`,
	"delete_relations":    `{"properties":{"relations":{"items":{"properties":{"from":{"type":"string"},"relationType":{"type":"string"},"to":{"type":"string"}},"required":["from","to","relationType"],"type":"object"},"type":"array"}},"required":["relations"],"type":"object"}`,
	"search_nodes":        `{"properties":{` + part + `,"query":{"type":"string"}},"required":["query"],"type":"object"}`,
	"open_nodes":          `{"properties":{"names":{"items":{"type":"string"},"type":"array"},` + part + `},"required":["names"],"type":"object"}`,
	"read_graph":          `{"properties":{` + part + `},"type":"object"}`,
}

func TestInputSchemasAreTheDocumentedOnes(t *testing.T) {
	registry := newBench(t).Registry
	if n := len(registry.All()); n != len(schemas) {
		t.Fatalf("%d tools, want %d", n, len(schemas))
	}
	for tool, want := range schemas {
		toolstest.SameInput(t, registry, tool, want)
	}
}

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
		r := b.Accepted(step.tool, step.in)
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

// suggested runs a handler past the pipeline, which would drop suggestions of
// tools that are not there, and checks what its hints suggest.
func suggested[In, Out any](t *testing.T, b *bench, tool tools.Tool[In, Out], in any) []tools.Action {
	t.Helper()
	raw, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	var typed In
	toolstest.Decode(t, raw, &typed)
	result, err := tool.Handle(t.Context(), typed)
	hints := result.Hints
	if err != nil {
		refused, ok := err.(*tools.Error)
		if !ok {
			t.Fatal(err)
		}
		if hints = refused.Hints; hints == nil {
			return nil // the pipeline supplies some
		}
	}
	toolstest.Suggestions(t, b.Registry, tool.Name, hints)
	return hints.SuggestedNextActions
}

func TestSuggestedActionsCanBeCalled(t *testing.T) {
	b := newBench(t)
	f := b.family
	_, _, _, beat := b.chart()
	used := map[string]bool{}
	note := func(actions []tools.Action) {
		for _, a := range actions {
			used[a.Action] = true
		}
	}
	entity := func(name string, observations ...string) args {
		return args{"name": name, "entityType": "person", "observations": append([]string{}, observations...)}
	}
	add := func(name, content string) args {
		return args{"observations": []args{{"entityName": name, "contents": []string{content}}}}
	}
	relation := func(from, kind, to string) args {
		return args{"relations": []args{{"from": from, "to": to, "relationType": kind}}}
	}
	note(suggested(t, b, f.createEntities(), args{"entities": []args{entity("Ada", "tea"), entity("Bo")}}))
	note(suggested(t, b, f.createEntities(), args{"entities": []args{entity("Cy", strings.Repeat("long ", largeResultTokens))}}))
	note(suggested(t, b, f.createEntities(), args{"entities": []args{}}))
	note(suggested(t, b, f.createEntities(), args{"entities": []args{entity("Ada", "x"), entity("Di")}}))
	note(suggested(t, b, f.createRelations(), relation("Ada", "knows", "Bo")))
	note(suggested(t, b, f.createRelations(), relation("Ada", "knows", "Bo")))
	note(suggested(t, b, f.createRelations(), relation("Adda", "knows", "Bo")))
	note(suggested(t, b, f.createRelations(), relation("zzz", "knows", "Bo")))
	note(suggested(t, b, f.addObservations(), add("Ada", "new")))
	note(suggested(t, b, f.addObservations(), add("chart_1", "Has a studio")))
	note(suggested(t, b, f.addObservations(), add("chart_1", "Ready to launch")))
	note(suggested(t, b, f.readGraph(), args{}))
	note(suggested(t, b, f.readGraph(), args{"limit": 2, "entityTypes": []string{"person"}}))
	note(suggested(t, b, f.readGraph(), args{"entityTypes": []string{"nope"}}))
	note(suggested(t, b, f.searchNodes(), args{"query": "a", "limit": 1}))
	note(suggested(t, b, f.searchNodes(), args{"query": "Addda"}))
	note(suggested(t, b, f.searchNodes(), args{"query": "qqq"}))
	note(suggested(t, b, f.searchNodes(), args{"query": " "}))
	note(suggested(t, b, f.openNodes(), args{"names": []string{"Ada", "Boo", "qqq"}, "limit": 1}))
	note(suggested(t, b, f.deleteRelations(), relation(beat.Name, graph.RelationDocuments, "chart_1")))
	note(suggested(t, b, f.deleteRelations(), relation("Ada", "hates", "Bo")))
	note(suggested(t, b, f.deleteRelations(), relation("Ada", "knows", "Bo")))
	note(suggested(t, b, f.deleteObservations(), args{"deletions": []args{{"entityName": "Ada", "observations": []string{"tea"}}}}))
	note(suggested(t, b, f.deleteObservations(), args{"deletions": []args{{"entityName": "chart_1", "observations": []string{"tea"}}}}))
	note(suggested(t, b, f.deleteEntities(), args{"entityNames": []string{"chart_1", "nobody"}}))
	if len(used) < 7 {
		t.Errorf("only %v are suggested", used)
	}
}
