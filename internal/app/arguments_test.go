package app

import (
	"encoding/json"
	"slices"
	"testing"

	"toolkit/internal/toolstest"
	"toolkit/tools"
)

// schemaNode is what the tests read of a schema.
type schemaNode struct {
	Type       any                   `json:"type"`
	Enum       []any                 `json:"enum"`
	Properties map[string]schemaNode `json:"properties"`
	Items      *schemaNode           `json:"items"`
	Required   []string              `json:"required"`
}

func inputOf(t *testing.T, d *tools.Definition) schemaNode {
	t.Helper()
	raw, err := d.InputSchema()
	if err != nil {
		t.Fatal(err)
	}
	var s schemaNode
	if err := json.Unmarshal(raw, &s); err != nil {
		t.Fatalf("%s: %v", d.Name, err)
	}
	return s
}

func TestOtherNamesOfArgumentsAreRefusedWithTheNameToUse(t *testing.T) {
	a := openApp(t, 0)
	for _, c := range []struct{ tool, arguments, use string }{
		{"find_entities", `{"query":"Acme"}`, "text"},
		{"find_entities", `{"entity_type":"vendor"}`, "type"},
		{"find_entities", `{"filters":{"a":1}}`, "fields"},
		{"retrieve_records", `{"text":"tea"}`, "search"},
		{"retrieve_records", `{"top_k":3}`, "limit"},
		{"retrieve_records", `{"filter":{"a":"b"}}`, "properties"},
		{"hybrid_search", `{"query_text":"tea","limit":3}`, "top_k"},
		{"hybrid_search", `{"query":"tea"}`, "query_text"},
		{"hybrid_search", `{"query_text":"tea","since":"2026-01-01"}`, "created_after"},
		{"hybrid_search", `{"query_text":"tea","until":"2026-01-01"}`, "created_before"},
		{"hybrid_search", `{"query_text":"tea","semantic":0.2}`, "weights.semantic"},
		{"hybrid_search", `{"query_text":"tea","weights":{"Semantic":0.2,"keyword":0.8}}`, "weights.semantic"},
		{"search_nodes", `{"search_query":"tea"}`, "query"},
		{"search_nodes", `{"query":"tea","max_results":3}`, "limit"},
		{"search_nodes", `{"query":"tea","types":["person"]}`, "entityTypes"},
		{"open_nodes", `{"name":"Ada"}`, "names"},
		{"read_graph", `{"page":2}`, "offset"},
		{"list_timeline_events", `{"since":"2026-01-01"}`, "from"},
		{"list_timeline_events", `{"end_date":"2026-01-01"}`, "to"},
		{"list_timeline_events", `{"entity":"ent_1"}`, "entity_id"},
		{"get_entity_snapshot", `{"entity_id":"ent_1","as_of":"2026-01-01T00:00:00Z"}`, "at"},
		{"get_field_provenance", `{"entity_id":"ent_1","name":"total"}`, "field"},
		{"get_pocket_predictions", `{"from":"3d"}`, "since"},
		{"get_pocket_predictions", `{"pocket":"cluny"}`, "pocket_id"},
		{"get_pocket_sustainability", `{"pocket_id":"cluny","days":3}`, "window_days"},
		{"get_technical_metrics", `{"metric_name":"x","start":"2026-01-01"}`, "time_range.start"},
		{"list_relationships", `{"entity_id":"ent_1","type":"PART_OF"}`, "relationship_type"},
		{"list_narrative_beats", `{"chart_id":"chart_1"}`, "parentChartId"},
		{"get_chart_progress", `{"id":"chart_1"}`, "chartId"},
		{"list_active_charts", `{"limt":3}`, "limit"},
		{"add_action_step", `{"parentChartId":"c","actionStepTitle":"Write it","currentReality":"nothing is there","due":"2027-01-01T00:00:00Z"}`, "dueDate"},
		{"create_entities", `{"entities":[{"name":"Ada","type":"person","observations":[]}]}`, "entities[0].entityType"},
		{"create_relations", `{"relations":[{"source":"Ada","to":"Orchard","relationType":"leads"}]}`, "relations[0].from"},
		{"add_observations", `{"observations":[{"name":"Ada","contents":[]}]}`, "observations[0].entityName"},
		{"store_raw_dialogue", `{"session_id":"s","content":"hello","role":"user"}`, "speaker"},
		{"remember", `{"content":"Ada likes tea"}`, "text"},
	} {
		r := respond(t, a, c.tool, json.RawMessage(c.arguments))
		if r.Err == nil || r.Err.Details["use"] == nil || !slices.Equal(r.Err.Details["use"].([]string), []string{c.use}) {
			t.Errorf("%s %s: want %s, got %s", c.tool, c.arguments, c.use, r.Text)
		}
	}
}

// Clients add arguments of their own: they never keep a call from working.
func TestAForeignArgumentIsNeverRefused(t *testing.T) {
	a := openApp(t, 0)
	foreign := map[string]any{}
	for _, name := range []string{
		"wait_for_previous", "toolCallId", "tool", "chatInput", "action", "task_progress", "_meta", "explanation", "reasoning", "thought", "rationale",
		"request_id", "call_id", "trace_id", "user", "agent", "client", "model", "temperature", "timeout", "verbose", "debug", "dry_run", "language", "locale",
		"context", "conversation_id", "thread_id", "tenant", "workspace", "project", "version", "stream", "confirm", "instructions", "purpose", "input", "extra",
		"config", "options", "cache", "retry", "timezone", "colour",
	} {
		foreign[name] = "x"
	}
	for _, d := range a.Server.Pipeline.ListVisibleTools() {
		arguments := map[string]any{}
		toolstest.Decode(t, d.Examples()[0].Params, &arguments)
		for name, value := range foreign {
			if _, own := inputOf(t, d).Properties[name]; !own {
				arguments[name] = value
			}
		}
		if r := respond(t, a, d.Name, arguments); r.IsError && r.Err.Details["use"] != nil {
			t.Errorf("%s: %s", d.Name, r.Err.Message)
		}
	}
}
