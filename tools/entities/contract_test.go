package entities

import (
	"strings"
	"testing"

	"toolkit/internal/toolstest"
)

// TestEveryToolPassesTheVerificationChecklist also runs every example on a
// database of its own and compares the result.
func TestEveryToolPassesTheVerificationChecklist(t *testing.T) {
	if n := len(newBench(t).Registry.All()); n != 19 {
		t.Fatalf("the family has %d tools, want 19", n)
	}
	toolstest.Checklist(t, func() *toolstest.Bench { return newBench(t).Bench })
}

// documented are the input schemas of the source document, without
// descriptions; additive optional inputs are listed in additions.
var documented = map[string]string{
	"submit_payload":       `{"type":"object","properties":{"capability_id":{"type":"string","minLength":1},"body":{"type":"object"},"provenance":{"type":"object","properties":{"source_refs":{"type":"array","items":{"type":"string"}},"extracted_at":{"type":"string","minLength":1},"extractor_version":{"type":"string","minLength":1},"agent_id":{"type":"string"}},"required":["source_refs","extracted_at","extractor_version"]},"client_request_id":{"type":"string"}},"required":["capability_id","body","provenance"]}`,
	"update_record":        `{"type":"object","properties":{"id":{"type":"string","minLength":1},"type":{"type":"string","maxLength":200},"properties":{"type":"object"},"file_urls":{"type":"array","items":{"type":"string"}},"embedding":{"type":"array","items":{"type":"number"}}},"required":["id"]}`,
	"retrieve_records":     `{"type":"object","properties":{"type":{"type":"string","maxLength":200},"properties":{"type":"object"},"limit":{"type":"integer","minimum":1,"maximum":1000},"search":{"type":"array","items":{"type":"string"}},"search_mode":{"type":"string","enum":["semantic","keyword","both"]},"similarity_threshold":{"type":"number","minimum":0,"maximum":1},"query_embedding":{"type":"array","items":{"type":"number"}}}}`,
	"delete_record":        `{"type":"object","properties":{"id":{"type":"string","minLength":1}},"required":["id"]}`,
	"get_entity_snapshot":  `{"type":"object","properties":{"entity_id":{"type":"string","pattern":"^ent_[A-Za-z0-9_-]+$"},"at":{"type":"string"}},"required":["entity_id"]}`,
	"list_observations":    `{"type":"object","properties":{"entity_id":{"type":"string","pattern":"^ent_[A-Za-z0-9_-]+$"},"limit":{"type":"integer","minimum":1,"maximum":1000},"offset":{"type":"integer","minimum":0}},"required":["entity_id"]}`,
	"get_field_provenance": `{"type":"object","properties":{"entity_id":{"type":"string","pattern":"^ent_[A-Za-z0-9_-]+$"},"field":{"type":"string","minLength":1}},"required":["entity_id","field"]}`,
	"create_relationship":  `{"type":"object","properties":{"relationship_type":{"type":"string","enum":["PART_OF","CORRECTS","REFERS_TO","SETTLES","DUPLICATE_OF","DEPENDS_ON","SUPERSEDES"]},"source_entity_id":{"type":"string","pattern":"^ent_[A-Za-z0-9_-]+$"},"target_entity_id":{"type":"string","pattern":"^ent_[A-Za-z0-9_-]+$"},"metadata":{"type":"object"}},"required":["relationship_type","source_entity_id","target_entity_id"]}`,
	"list_relationships":   `{"type":"object","properties":{"entity_id":{"type":"string","pattern":"^ent_[A-Za-z0-9_-]+$"},"direction":{"type":"string","enum":["inbound","outbound","both"]},"relationship_type":{"type":"string"},"limit":{"type":"integer","minimum":1,"maximum":1000},"offset":{"type":"integer","minimum":0}},"required":["entity_id"]}`,
	"upload_file":          `{"type":"object","properties":{"file_path":{"type":"string","minLength":1,"maxLength":4096},"record_id":{"type":"string"},"bucket":{"type":"string"},"properties":{"type":"string"}},"required":["file_path"]}`,
	"get_file_url":         `{"type":"object","properties":{"file_path":{"type":"string","minLength":1,"maxLength":4096},"expires_in":{"type":"integer","minimum":1,"maximum":604800}},"required":["file_path"]}`,
}

var additions = map[string][]string{"get_entity_snapshot": {"at_ingested"}, "retrieve_records": {"history"}}

func TestInputSchemasEqualTheDocumentation(t *testing.T) {
	b := newBench(t)
	for name, want := range documented {
		toolstest.SameInput(t, b.Registry, name, want, additions[name]...)
	}
}

func TestResultsHaveTheDocumentedKeys(t *testing.T) {
	b := newBench(t)
	keys := map[string][]string{
		"submit_payload":       {"payload_id", "payload_content_id", "payload_submission_id", "created", "message", "entities"},
		"store_record":         {"id", "type", "properties", "file_urls", "created_at", "updated_at"},
		"update_record":        {"id", "type", "properties", "file_urls", "created_at", "updated_at"},
		"retrieve_records":     {"records", "total", "search_mode_used", "embedding_model"},
		"delete_record":        {"success", "deleted_id"},
		"get_entity_snapshot":  {"entity_id", "entity_type", "schema_version", "snapshot", "provenance", "computed_at", "observation_count", "last_observation_at"},
		"list_observations":    {"observations", "total", "limit", "offset"},
		"get_field_provenance": {"field", "value", "source_observation", "source_record", "observed_at", "observation_ids"},
		"create_relationship":  {"id", "relationship_type", "source_entity_id", "target_entity_id", "created_at"},
		"upload_file":          {"file_url", "file_size", "content_type", "created", "entities"},
		"get_file_url":         {"signed_url", "expires_at", "content_type", "file_size"},
		"list_relationships":   {"relationships", "total", "limit", "offset"},
	}
	for name, want := range keys {
		same(t, name+"'s required keys", toolstest.Output(t, b.Registry, name).Required, want)
	}
	value := toolstest.Output(t, b.Registry, provenanceName).Properties["value"]
	var schema struct{ Type []string }
	if toolstest.Decode(t, value, &schema); len(schema.Type) == 0 {
		t.Errorf("the type of value is %s", value)
	}
}

// TestEverySuggestionIsCallable walks the results of all examples and of common
// refusals.
func TestEverySuggestionIsCallable(t *testing.T) {
	b := newBench(t)
	suggested := 0
	for _, d := range b.Registry.All() {
		for _, e := range d.Examples() {
			one := newBench(t)
			for _, step := range e.Setup {
				one.Call(step.Tool, step.Params)
			}
			suggested += one.Suggestions(d.Name, e.Params)
		}
	}
	for _, call := range []struct {
		tool string
		in   args
	}{
		{submitName, submit("nothing", "2025-01-01", args{"a": 1})}, {updateName, args{"id": "x", "type": "y"}}, {snapshotName, args{"entity_id": "ent_x"}},
		{findName, args{"name": "nobody"}}, {retrieveName, args{"type": "nothing"}}, {timelineName, args{}},
	} {
		suggested += b.Suggestions(call.tool, call.in)
	}
	if suggested < 30 {
		t.Errorf("only %d suggestions were seen", suggested)
	}
}

func TestDescriptionsStayShort(t *testing.T) {
	for _, d := range newBench(t).Registry.All() {
		if n := len(d.Description); n > 360 {
			t.Errorf("%s has a description of %d characters", d.Name, n)
		}
		if !strings.Contains(d.Description, "Example:") || !strings.Contains(d.Description, "Returns") {
			t.Errorf("%s does not say what it returns, with an example", d.Name)
		}
	}
}
