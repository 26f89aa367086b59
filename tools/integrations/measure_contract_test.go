package integrations

import (
	"testing"
	"time"
)

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
		for _, a := range m.CallAllowingRefusal(c.tool, c.in).Suggested {
			suggested++
			if r := m.CallAllowingRefusal(a.Action, a.Data); r.IsError {
				t.Errorf("%v: the suggested call of %s with %v fails: %s", c.in, a.Action, a.Data, r.Text)
			}
		}
	}
	if suggested < 12 {
		t.Errorf("only %d suggestions were seen", suggested)
	}
}
