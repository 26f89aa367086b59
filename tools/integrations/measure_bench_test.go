package integrations

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"toolkit/tools"
)

// million makes up a million calls of many users over 30 days, or all within
// the last hour.
func million(b *testing.B, over time.Duration) *measured {
	b.Helper()
	const n = 1_000_000
	m := newMeasured(b, map[string]string{"TOOLKIT_ANALYTICS_EVENTS": "2000000"})
	random := rand.New(rand.NewPCG(7, 8))
	names := []string{"search_nodes", "retrieve_records", "hybrid_search", "find_entities", "submit_payload"}
	calls := make([]tools.CallRecord, 0, 4000)
	for i := range n {
		at := monday.Add(-over + time.Duration(int64(over)/n*int64(i)))
		c := done(at, names[random.IntN(len(names))], time.Duration(random.ExpFloat64()*20_000)*time.Microsecond)
		c.UserID = fmt.Sprint("user", random.IntN(5000))
		if calls = append(calls, c); len(calls) == cap(calls) {
			m.record(calls...)
			calls = calls[:0]
		}
	}
	m.record(calls...)
	return m
}

func BenchmarkAMillionSamples(b *testing.B) {
	for _, over := range []time.Duration{time.Hour, 30 * aDay} {
		b.Run(over.String(), func(b *testing.B) { benchmarkSamples(b, over) })
	}
}

func benchmarkSamples(b *testing.B, over time.Duration) {
	m := million(b, over)
	step := "1h"
	if over > time.Hour {
		step = "1d"
	}
	for _, in := range []args{
		{"metric_name": "toolkit_tool_duration_ms", "aggregation": "p95", "step": "99w"},
		{"metric_name": "toolkit_tool_duration_ms", "aggregation": "p95", "step": step},
		{"metric_name": "toolkit_tool_duration_ms", "aggregation": "avg", "step": step},
		{"metric_name": "neotoma_mcp_error_rate", "step": step},
	} {
		in["time_range"] = between(monday.Add(-over), monday)
		b.Run(fmt.Sprint(in["metric_name"], " ", in["aggregation"], " ", in["step"]), func(b *testing.B) {
			for b.Loop() {
				m.metrics(in)
			}
		})
	}
}

func BenchmarkAMillionEvents(b *testing.B) {
	m := million(b, 30*aDay)
	for _, metric := range analyticsCatalog {
		b.Run(metric.name, func(b *testing.B) {
			for b.Loop() {
				m.analytics(args{"metric_type": metric.kind, "metric_name": metric.name})
			}
		})
	}
	b.Run("daily_active_users of a cohort", func(b *testing.B) {
		for b.Loop() {
			m.analytics(args{"metric_type": "usage", "metric_name": "daily_active_users", "cohort": "2026"})
		}
	})
}
