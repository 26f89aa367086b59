package app

import (
	"encoding/json"
	"strings"
	"testing"

	"toolkit/internal/toolstest"
	"toolkit/tools"
)

// boundsOf is what the test below reads of a schema.
type boundsOf struct {
	Type        string
	Description string
	Enum        []any
	MaxLength   int
	MaxItems    int
	Properties  map[string]boundsOf
	Items       *boundsOf
}

// check reports every text, list and object without a bound. Those of an object of any fields
// hold for the whole of it: that it has one is tested with the calls below.
func (s boundsOf) check(t *testing.T, path string) {
	t.Helper()
	switch {
	case s.Description == tools.ExampleField:
	case s.Type == "string" && len(s.Enum) == 0 && (s.MaxLength < 1 || s.MaxLength > 1<<20):
		t.Errorf("%s: a text of at most %d characters", path, s.MaxLength)
	case s.Type == "array" && (s.MaxItems < 1 || s.MaxItems > 4096 || s.Items == nil):
		t.Errorf("%s: a list of at most %d items", path, s.MaxItems)
	case s.Type == "":
		t.Errorf("%s: a value of no type", path)
	}
	for name, p := range s.Properties {
		p.check(t, path+"."+name)
	}
	if s.Items != nil {
		s.Items.check(t, path+"[]")
	}
}

func TestEveryArgumentIsBounded(t *testing.T) {
	registry := allTools(t)
	for _, d := range registry.All() {
		raw, err := d.InputSchema()
		if err != nil {
			t.Fatal(err)
		}
		var s boundsOf
		toolstest.Decode(t, raw, &s)
		s.check(t, d.Name)
	}
}

// storeUnbounded calls a tool as versions without bounds let clients call it.
func storeUnbounded(t *testing.T, a *App, tool string, arguments any) {
	t.Helper()
	if _, err := a.Server.Pipeline.FindServedTool(tool).Handle(t.Context(), json.RawMessage(toolstest.EncodeJSON(arguments))); err != nil {
		t.Fatal(err)
	}
}

func TestOverlongStoredValuesCanBeFoundOpenedAndDeleted(t *testing.T) {
	a := openApp(t, 0)
	name, session := strings.Repeat("harbour ", 9000)+"wall", strings.Repeat("s", 9000)
	other, relation := strings.Repeat("pier ", 9000)+"end", strings.Repeat("r", 9000)
	storeUnbounded(t, a, "create_entities", map[string]any{"entities": []any{
		map[string]any{"name": name, "entityType": "place", "observations": []string{"built of granite"}},
		map[string]any{"name": other, "entityType": "place", "observations": []string{}},
	}})
	edge := map[string]any{"from": name, "to": other, "relationType": relation}
	storeUnbounded(t, a, "create_relations", map[string]any{"relations": []any{edge}})
	storeUnbounded(t, a, "store_raw_dialogue", map[string]any{"session_id": session, "speaker": "user", "content": "the lighthouse is white", "metadata": map[string]any{}})
	for _, c := range []struct {
		tool      string
		arguments map[string]any
		want      string
	}{
		{"search_nodes", map[string]any{"query": "granite"}, name},
		{"open_nodes", map[string]any{"names": []string{name}}, "built of granite"},
		{"hybrid_search", map[string]any{"query_text": "lighthouse", "session_id": session, "source_types": []string{"l0"}}, "white"},
		{"recall", map[string]any{"query": "What colour is the lighthouse?", "session_id": session}, "white"},
		{"forget", map[string]any{"items": []string{"session:" + session}}, "dialogue:1"},
		{"add_observations", map[string]any{"observations": []any{map[string]any{"entityName": name, "contents": []string{"wet"}}}}, "wet"},
		{"delete_observations", map[string]any{"deletions": []any{map[string]any{"entityName": name, "observations": []string{"wet"}}}}, "deleted"},
		{"delete_relations", map[string]any{"relations": []any{edge}}, "Relations deleted"},
		{"delete_entities", map[string]any{"entityNames": []string{name, other}}, "Entities deleted"},
	} {
		r := respond(t, a, c.tool, c.arguments)
		if r.IsError || !strings.Contains(r.Text, c.want) {
			t.Errorf("%s: %.300s", c.tool, r.Text)
		}
	}
	if r := respond(t, a, "open_nodes", map[string]any{"names": []string{name}}); strings.Contains(r.Text, "granite") {
		t.Errorf("it is still there: %.200s", r.Text)
	}
}
