package graph

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"toolkit/store"
	"toolkit/tools"
)

func TestEveryToolPassesTheChecklist(t *testing.T) {
	for _, compat := range []bool{false, true} {
		registry := openBench(t, filepath.Join(t.TempDir(), "list.db"), compat).registry
		checks, err := tools.Verify(t.Context(), registry, func() (tools.ServerOptions, func(), error) {
			return openBench(t, filepath.Join(t.TempDir(), "fresh.db"), compat).options(), func() {}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range checks {
			if !c.OK {
				t.Errorf("%s: %s: %s", c.Tool, c.Line, c.Problem)
			}
		}
		if len(checks) < 9*20 {
			t.Errorf("only %d checks", len(checks))
		}
	}
}

func TestDescriptionsAreCompactAndGiveAnExample(t *testing.T) {
	for _, d := range newBench(t).registry.All() {
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
	all := newBench(t).registry.All()
	if len(all) != len(schemas) {
		t.Fatalf("%d tools, want %d", len(all), len(schemas))
	}
	for _, d := range all {
		raw, err := d.InputSchema()
		if err != nil {
			t.Fatal(err)
		}
		var got, want any
		if err := json.Unmarshal(raw, &got); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(schemas[d.Name]), &want); err != nil {
			t.Fatal(err)
		}
		same(t, d.Name, undescribed(got), want)
	}
}

// undescribed removes descriptions and what allows further keys.
func undescribed(schema any) any {
	switch s := schema.(type) {
	case map[string]any:
		for key, inner := range s {
			if _, text := inner.(string); (key == "description" && text) || key == "additionalProperties" {
				delete(s, key)
				continue
			}
			s[key] = undescribed(inner)
		}
	case []any:
		for i := range s {
			s[i] = undescribed(s[i])
		}
	}
	return schema
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
		r := b.respond(step.tool, step.in)
		if r.IsError {
			t.Fatal(r.Text)
		}
		var structured map[string]any
		if err := json.Unmarshal(r.Structured, &structured); err != nil {
			t.Fatal(err)
		}
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

// hintsOf runs a handler past the pipeline, which would drop suggestions that
// cannot be called.
func hintsOf[In, Out any](t *testing.T, b *bench, tool tools.Tool[In, Out], in any) *tools.Hints {
	t.Helper()
	raw, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	var typed In
	if err := json.Unmarshal(raw, &typed); err != nil {
		t.Fatal(err)
	}
	result, err := tool.Handle(t.Context(), typed)
	if err == nil {
		return result.Hints
	}
	refused, ok := err.(*tools.Error)
	if !ok {
		t.Fatal(err)
	}
	if refused.Hints == nil {
		return &tools.Hints{} // the pipeline supplies some
	}
	return refused.Hints
}

func TestSuggestedActionsCanBeCalled(t *testing.T) {
	b := newBench(t)
	f := b.family
	_, _, _, beat := b.chart()
	var all []*tools.Hints
	note := func(h *tools.Hints) { all = append(all, h) }
	entity := func(name string, observations ...string) args {
		return args{"name": name, "entityType": "person", "observations": append([]string{}, observations...)}
	}
	add := func(name, content string) args {
		return args{"observations": []args{{"entityName": name, "contents": []string{content}}}}
	}
	relation := func(from, kind, to string) args {
		return args{"relations": []args{{"from": from, "to": to, "relationType": kind}}}
	}
	note(hintsOf(t, b, f.createEntities(), args{"entities": []args{entity("Ada", "tea"), entity("Bo")}}))
	note(hintsOf(t, b, f.createEntities(), args{"entities": []args{entity("Cy", strings.Repeat("long ", largeRead))}}))
	note(hintsOf(t, b, f.createEntities(), args{"entities": []args{}}))
	note(hintsOf(t, b, f.createEntities(), args{"entities": []args{entity("Ada", "x"), entity("Di")}}))
	note(hintsOf(t, b, f.createRelations(), relation("Ada", "knows", "Bo")))
	note(hintsOf(t, b, f.createRelations(), relation("Ada", "knows", "Bo")))
	note(hintsOf(t, b, f.createRelations(), relation("Adda", "knows", "Bo")))
	note(hintsOf(t, b, f.createRelations(), relation("zzz", "knows", "Bo")))
	note(hintsOf(t, b, f.addObservations(), add("Ada", "new")))
	note(hintsOf(t, b, f.addObservations(), add("chart_1", "Has a studio")))
	note(hintsOf(t, b, f.addObservations(), add("chart_1", "Ready to launch")))
	note(hintsOf(t, b, f.readGraph(), args{}))
	note(hintsOf(t, b, f.readGraph(), args{"limit": 2, "entityTypes": []string{"person"}}))
	note(hintsOf(t, b, f.readGraph(), args{"entityTypes": []string{"nope"}}))
	note(hintsOf(t, b, f.searchNodes(), args{"query": "a", "limit": 1}))
	note(hintsOf(t, b, f.searchNodes(), args{"query": "Addda"}))
	note(hintsOf(t, b, f.searchNodes(), args{"query": "qqq"}))
	note(hintsOf(t, b, f.searchNodes(), args{"query": " "}))
	note(hintsOf(t, b, f.openNodes(), args{"names": []string{"Ada", "Boo", "qqq"}, "limit": 1}))
	note(hintsOf(t, b, f.deleteRelations(), relation(beat.Name, store.RelationDocuments, "chart_1")))
	note(hintsOf(t, b, f.deleteRelations(), relation("Ada", "hates", "Bo")))
	note(hintsOf(t, b, f.deleteRelations(), relation("Ada", "knows", "Bo")))
	note(hintsOf(t, b, f.deleteObservations(), args{"deletions": []args{{"entityName": "Ada", "observations": []string{"tea"}}}}))
	note(hintsOf(t, b, f.deleteObservations(), args{"deletions": []args{{"entityName": "chart_1", "observations": []string{"tea"}}}}))
	note(hintsOf(t, b, f.deleteEntities(), args{"entityNames": []string{"chart_1", "nobody"}}))
	used := map[string]bool{}
	for _, h := range all {
		for _, a := range h.SuggestedNextActions {
			used[a.Action] = true
			checkAction(t, b.registry, a)
		}
	}
	if len(used) < 7 {
		t.Errorf("only %v are suggested", used)
	}
}

// checkAction decides that an action is a tool and its data fit the tool's
// input, what is required apart.
func checkAction(t *testing.T, registry *tools.Registry, a tools.Action) {
	t.Helper()
	d := registry.Get(a.Action)
	if d == nil {
		t.Errorf("%s is no tool", a.Action)
		return
	}
	raw, err := d.InputSchema()
	if err != nil {
		t.Fatal(err)
	}
	var schema map[string]any
	if err := json.Unmarshal(raw, &schema); err != nil {
		t.Fatal(err)
	}
	encoded, err := json.Marshal(a.Data)
	if err != nil {
		t.Fatal(err)
	}
	var data any
	if err := json.Unmarshal(encoded, &data); err != nil {
		t.Fatal(err)
	}
	if data != nil {
		checkKeys(t, a.Action, schema, data)
	}
}

func checkKeys(t *testing.T, at string, schema map[string]any, value any) {
	t.Helper()
	switch v := value.(type) {
	case map[string]any:
		properties, _ := schema["properties"].(map[string]any)
		for key, inner := range v {
			p, ok := properties[key].(map[string]any)
			if !ok {
				t.Errorf("%s has no input %s", at, key)
				continue
			}
			checkKeys(t, at+"."+key, p, inner)
		}
	case []any:
		items, ok := schema["items"].(map[string]any)
		if !ok {
			t.Errorf("%s is no list", at)
			return
		}
		for _, inner := range v {
			checkKeys(t, at, items, inner)
		}
	default:
		types := map[string][]string{"string": {"string"}, "boolean": {"bool"}, "integer": {"float64"}}
		kind, _ := schema["type"].(string)
		if !slices.Contains(types[kind], typeName(v)) {
			t.Errorf("%s is a %s, not a %s", at, kind, typeName(v))
		}
	}
}

func typeName(v any) string {
	switch v.(type) {
	case string:
		return "string"
	case bool:
		return "bool"
	case float64:
		return "float64"
	}
	return "?"
}
