package integrations

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"toolkit/tools"
)

var measureNames = []string{metricsName, analyticsName}

func TestTheToolsOfMeasurementPassTheVerificationChecklist(t *testing.T) {
	m := newMeasured(t, nil)
	for _, name := range measureNames {
		if m.registry.Get(name) == nil {
			t.Fatalf("%s is not served", name)
		}
	}
	checks, err := tools.Verify(context.Background(), m.registry, func() (tools.ServerOptions, func(), error) {
		return newMeasured(t, nil).options(), func() {}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range checks {
		if !c.OK && (c.Tool == metricsName || c.Tool == analyticsName) {
			t.Errorf("%s: %s: %s", c.Tool, c.Line, c.Problem)
		}
	}
}

// documentedMeasures are the input schemas of the source document.
var documentedMeasures = map[string]string{
	metricsName:   `{"type":"object","properties":{"metric_name":{"type":"string","minLength":1,"maxLength":200},"time_range":{"type":"object","properties":{"start":{"type":"string"},"end":{"type":"string"}},"required":["start","end"]},"aggregation":{"type":"string","enum":["avg","p50","p95","p99","sum","count","max","min"]},"labels":{"type":"object","additionalProperties":{"type":"string"}},"step":{"type":"string","maxLength":40}},"required":["metric_name"]}`,
	analyticsName: `{"type":"object","properties":{"metric_type":{"type":"string","enum":["activation","retention","usage","funnel","cohort"]},"metric_name":{"type":"string","maxLength":200},"time_range":{"type":"object","properties":{"start":{"type":"string"},"end":{"type":"string"}},"required":["start","end"]},"cohort":{"type":"string","maxLength":40},"filters":{"type":"object"}},"required":["metric_type"]}`,
}

func TestInputSchemasOfMeasurementAreTheDocumentedOnes(t *testing.T) {
	m := newMeasured(t, nil)
	for name, want := range documentedMeasures {
		raw, err := m.registry.Get(name).InputSchema()
		if err != nil {
			t.Fatal(err)
		}
		var got, expected measuredArgs
		for text, to := range map[string]*measuredArgs{string(raw): &got, want: &expected} {
			if err := json.Unmarshal([]byte(text), to); err != nil {
				t.Fatal(err)
			}
		}
		withoutDescriptions(got)
		if !reflect.DeepEqual(got, expected) {
			text, _ := json.Marshal(got)
			t.Errorf("%s: the schema is\n%s\nthe documentation has\n%s", name, text, want)
		}
	}
}

// withoutDescriptions removes what is in our own words, and the usual openness.
func withoutDescriptions(schema measuredArgs) {
	delete(schema, "description")
	if schema["additionalProperties"] == true || schema["additionalProperties"] == false {
		delete(schema, "additionalProperties")
	}
	if extra, ok := schema["additionalProperties"].(measuredArgs); ok && len(extra) == 0 {
		delete(schema, "additionalProperties")
	}
	properties, _ := schema["properties"].(measuredArgs)
	for _, inner := range properties {
		withoutDescriptions(inner.(measuredArgs))
	}
}

func TestResultsOfMeasurementHaveTheDocumentedKeys(t *testing.T) {
	m := newMeasured(t, nil)
	for name, want := range map[string]string{
		metricsName:   "[metric_name values aggregation time_range metadata]",
		analyticsName: "[metric_type metric_name value time_range numerator denominator source metadata]",
	} {
		raw, err := m.registry.Get(name).OutputSchema()
		if err != nil {
			t.Fatal(err)
		}
		var schema struct {
			Required   []string
			Properties map[string]json.RawMessage
		}
		if err := json.Unmarshal(raw, &schema); err != nil {
			t.Fatal(err)
		}
		wantSame(t, name+"'s required keys", schema.Required, want)
		if v, ok := schema.Properties["value"]; ok && (!strings.Contains(string(v), `"number"`) || !strings.Contains(string(v), `"array"`)) {
			t.Errorf("value is described as %s", v)
		}
	}
}

func TestEverySuggestionOfMeasurementIsCallable(t *testing.T) {
	m := newMeasured(t, nil)
	m.record(done(monday.Add(-time.Minute), "search_nodes", time.Millisecond), done(monday.Add(-time.Minute), "submit_payload", time.Millisecond))
	empty := between(monday.Add(-48*time.Hour), monday.Add(-24*time.Hour))
	calls := []struct {
		tool string
		in   measuredArgs
	}{
		{metricsName, measuredArgs{"metric_name": "toolkit_tool_duration_ms"}},
		{metricsName, measuredArgs{"metric_name": "neotoma_mcp_error_rate"}},
		{metricsName, measuredArgs{"metric_name": "neotoma_search_duration_ms", "time_range": empty}},
		{metricsName, measuredArgs{"metric_name": "neotoma_search"}},
		{analyticsName, measuredArgs{"metric_type": "activation"}},
		{analyticsName, measuredArgs{"metric_type": "retention"}},
		{analyticsName, measuredArgs{"metric_type": "usage"}},
		{analyticsName, measuredArgs{"metric_type": "funnel"}},
		{analyticsName, measuredArgs{"metric_type": "cohort"}},
		{analyticsName, measuredArgs{"metric_type": "activation", "time_range": empty}},
		{analyticsName, measuredArgs{"metric_type": "activation", "metric_name": "day_1_retention"}},
		{analyticsName, measuredArgs{"metric_type": "usage", "metric_name": "nothing"}},
	}
	suggested := 0
	for _, c := range calls {
		for _, a := range m.respond(c.tool, c.in).Hints.SuggestedNextActions {
			d := m.registry.Get(a.Action)
			if d == nil {
				t.Fatalf("%s suggests %s, which is no tool", c.tool, a.Action)
			}
			if r := m.respond(d.Name, a.Data); r.IsError {
				t.Errorf("%v: the suggested call of %s with %v fails: %s", c.in, a.Action, a.Data, r.Text)
			}
			suggested++
		}
	}
	if suggested < 12 {
		t.Errorf("only %d suggestions were seen", suggested)
	}
}
