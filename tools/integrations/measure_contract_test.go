package integrations

import (
	"strings"
	"testing"
	"time"

	"toolkit/internal/toolstest"
)

func TestTheToolsOfMeasurementPassTheVerificationChecklist(t *testing.T) {
	toolstest.Checklist(t, func() *toolstest.Bench { return newMeasured(t, nil).Bench }, metricsName, analyticsName)
}

// documentedMeasures are the input schemas of the source document, without the
// additionalProperties of labels, over which Gemini refuses the whole list of
// tools; the arguments are held to it all the same.
var documentedMeasures = map[string]string{
	metricsName:   `{"type":"object","properties":{"metric_name":{"type":"string","minLength":1,"maxLength":200},"time_range":{"type":"object","properties":{"start":{"type":"string"},"end":{"type":"string"}},"required":["start","end"]},"aggregation":{"type":"string","enum":["avg","p50","p95","p99","sum","count","max","min"]},"labels":{"type":"object"},"step":{"type":"string","maxLength":40}},"required":["metric_name"]}`,
	analyticsName: `{"type":"object","properties":{"metric_type":{"type":"string","enum":["activation","retention","usage","funnel","cohort"]},"metric_name":{"type":"string","maxLength":200},"time_range":{"type":"object","properties":{"start":{"type":"string"},"end":{"type":"string"}},"required":["start","end"]},"cohort":{"type":"string","maxLength":40},"filters":{"type":"object"}},"required":["metric_type"]}`,
}

func TestInputSchemasOfMeasurementAreTheDocumentedOnes(t *testing.T) {
	m := newMeasured(t, nil)
	for name, want := range documentedMeasures {
		toolstest.SameInput(t, m.Registry, name, want)
	}
}

func TestResultsOfMeasurementHaveTheDocumentedKeys(t *testing.T) {
	m := newMeasured(t, nil)
	for name, want := range map[string]string{
		metricsName:   "[metric_name values aggregation time_range metadata]",
		analyticsName: "[metric_type metric_name value time_range numerator denominator source metadata]",
	} {
		schema := toolstest.Output(t, m.Registry, name)
		same(t, name+"'s required keys", schema.Required, want)
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
		in   args
	}{
		{metricsName, args{"metric_name": "toolkit_tool_duration_ms"}},
		{metricsName, args{"metric_name": "neotoma_mcp_error_rate"}},
		{metricsName, args{"metric_name": "neotoma_search_duration_ms", "time_range": empty}},
		{metricsName, args{"metric_name": "neotoma_search"}},
		{analyticsName, args{"metric_type": "activation"}},
		{analyticsName, args{"metric_type": "retention"}},
		{analyticsName, args{"metric_type": "usage"}},
		{analyticsName, args{"metric_type": "funnel"}},
		{analyticsName, args{"metric_type": "cohort"}},
		{analyticsName, args{"metric_type": "activation", "time_range": empty}},
		{analyticsName, args{"metric_type": "activation", "metric_name": "day_1_retention"}},
		{analyticsName, args{"metric_type": "usage", "metric_name": "nothing"}},
	}
	suggested := 0
	for _, c := range calls {
		suggested += m.Suggestions(c.tool, c.in)
		for _, a := range m.Respond(c.tool, c.in).Suggested {
			if r := m.Respond(a.Action, a.Data); r.IsError {
				t.Errorf("%v: the suggested call of %s with %v fails: %s", c.in, a.Action, a.Data, r.Text)
			}
		}
	}
	if suggested < 12 {
		t.Errorf("only %d suggestions were seen", suggested)
	}
}
