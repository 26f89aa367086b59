package integrations

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"toolkit/tools"
)

// sameCalls makes up calls of several tools over some hours, in random order of
// length and end.
func sameCalls(n int, from time.Time, over time.Duration) []tools.CallRecord {
	random := rand.New(rand.NewPCG(1, 2))
	names := []string{"search_nodes", "retrieve_records", "submit_payload", "read_graph"}
	calls := make([]tools.CallRecord, n)
	for i := range calls {
		c := done(from.Add(time.Duration(int64(over)/int64(n)*int64(i))).Truncate(time.Millisecond), names[random.IntN(len(names))], time.Duration(random.ExpFloat64()*20_000)*time.Microsecond)
		if random.IntN(10) == 0 {
			c.Kind, c.Code = tools.Business, "ENTITY_NOT_FOUND"
		}
		calls[i] = c
	}
	return calls
}

// plainly aggregates as the documentation says, without any index.
func plainly(calls []tools.CallRecord, keep func(tools.CallRecord) bool, from, to time.Time, step time.Duration, aggregate func(ms []float64) float64) map[string]float64 {
	buckets := map[string][]float64{}
	for _, c := range calls {
		if !keep(c) || c.Started.Before(from) || c.Started.After(to) {
			continue
		}
		start := from.Add(c.Started.Sub(from) / step * step)
		if start.Equal(to) {
			start = start.Add(-step)
		}
		key := start.Format(time.RFC3339Nano)
		buckets[key] = append(buckets[key], float64(c.Duration.Microseconds())/1000)
	}
	want := map[string]float64{}
	for key, values := range buckets {
		slices.Sort(values)
		want[key] = aggregate(values)
	}
	return want
}

func sum(values []float64) (s float64) {
	for _, v := range values {
		s += v
	}
	return s
}

func rank(percent int) func([]float64) float64 {
	return func(sorted []float64) float64 { return sorted[(len(sorted)*percent+99)/100-1] }
}

func TestEveryAggregationEqualsAPlainComputation(t *testing.T) {
	m := newMeasured(t, nil)
	calls := sameCalls(9000, monday.Add(-5*time.Hour), 5*time.Hour)
	m.record(calls...)
	aggregations := map[string]func([]float64) float64{
		"avg": func(v []float64) float64 { return sum(v) / float64(len(v)) }, "sum": sum,
		"count": func(v []float64) float64 { return float64(len(v)) },
		"max":   func(v []float64) float64 { return v[len(v)-1] }, "min": func(v []float64) float64 { return v[0] },
		"p50": rank(50), "p95": rank(95), "p99": rank(99),
	}
	windows := []struct {
		from, to time.Time
		step     string
		length   time.Duration
	}{
		{monday.Add(-5 * time.Hour), monday, "1h", time.Hour},
		{monday.Add(-3*time.Hour - 17*time.Minute - 123*time.Millisecond), monday.Add(-11 * time.Minute), "7m", 7 * time.Minute},
		{monday.Add(-10 * time.Hour), monday.Add(time.Hour), "1d", 24 * time.Hour},
		{monday.Add(-2 * time.Minute), monday, "1s", time.Second},
	}
	for name, aggregate := range aggregations {
		for _, w := range windows {
			for _, status := range []string{"", "success", "error"} {
				in := args{"metric_name": "neotoma_search_duration_ms", "aggregation": name, "step": w.step, "time_range": between(w.from, w.to)}
				if status != "" {
					in["labels"] = args{"status": status}
				}
				want := plainly(calls, func(c tools.CallRecord) bool {
					return (c.Tool == "search_nodes" || c.Tool == "retrieve_records") && (status == "" || (status == "error") == (c.Kind != ""))
				}, w.from, w.to, w.length, aggregate)
				got := m.metrics(in).Values
				if len(got) != len(want) {
					t.Fatalf("%s %s %s: %d buckets, want %d", name, w.step, status, len(got), len(want))
				}
				for _, v := range got {
					if expected, ok := want[v.Timestamp]; !ok || math.Abs(v.Value-expected) > 1e-6*math.Max(1, expected) {
						t.Errorf("%s %s %s at %s: %v, want %v", name, w.step, status, v.Timestamp, v.Value, expected)
					}
				}
			}
		}
	}
}

func TestTheDocumentedMetricsCountTheCallsTheyName(t *testing.T) {
	m := newMeasured(t, nil)
	at := monday.Add(-time.Minute)
	failing := func(tool, code string) tools.CallRecord {
		c := done(at, tool, time.Millisecond)
		c.Kind, c.Code = tools.System, code
		return c
	}
	cached := done(at, "search_nodes", 50*time.Microsecond)
	cached.Cached = true
	m.record(done(at, "submit_payload", 3*time.Millisecond), done(at, "upload_file", 5*time.Millisecond), failing("upload_file", "ANALYSIS_FAILED"),
		failing("submit_payload", "UNKNOWN_CAPABILITY"), cached, done(at, "read_graph", 4*time.Millisecond), failing("read_graph", "STORAGE_BUSY"), done(at, "get_entity_snapshot", time.Millisecond))
	tests := []struct {
		in   args
		want float64
		unit string
	}{
		{args{"metric_name": "neotoma_record_upload_duration_ms", "aggregation": "max"}, 5, "ms"},
		{args{"metric_name": "neotoma_record_upload_total", "aggregation": "sum"}, 4, "count"},
		{args{"metric_name": "neotoma_record_upload_total", "aggregation": "sum", "labels": args{"status": "success"}}, 2, "count"},
		{args{"metric_name": "neotoma_record_upload_total"}, 4.0 / 3600, "per second"},
		{args{"metric_name": "neotoma_search_duration_ms", "aggregation": "p50"}, 0.05, "ms"},
		{args{"metric_name": "neotoma_extraction_errors_total", "aggregation": "count"}, 2, "count"},
		{args{"metric_name": "neotoma_extraction_errors_total", "aggregation": "count", "labels": args{"error_code": "ANALYSIS_FAILED"}}, 1, "count"},
		{args{"metric_name": "neotoma_mcp_error_rate"}, 3.0 / 8, "ratio"},
		{args{"metric_name": "neotoma_mcp_error_rate", "aggregation": "p99"}, 1, "ratio"},
		{args{"metric_name": "neotoma_mcp_error_rate", "aggregation": "sum"}, 3, "ratio"},
		{args{"metric_name": "neotoma_graph_orphan_nodes_total", "aggregation": "max"}, 0, "count"},
		{args{"metric_name": "neotoma_db_connection_pool_usage", "aggregation": "min"}, 0, "ratio"},
		{args{"metric_name": "toolkit_tool_cache_hits_total", "aggregation": "sum"}, 1, "count"},
		{args{"metric_name": "toolkit_tool_calls_total", "aggregation": "sum", "labels": args{"tool": "read_graph", "status": "error", "error_code": "STORAGE_BUSY"}}, 1, "count"},
	}
	for _, test := range tests {
		out := m.metrics(test.in)
		if len(out.Values) != 1 || math.Abs(out.Values[0].Value-test.want) > 1e-9 || out.Metadata.Unit != test.unit || out.Metadata.Description == "" || out.Metadata.Source != "local" {
			t.Errorf("%v gives %+v, want %v %s", test.in, out, test.want, test.unit)
		}
	}
	if size := m.metrics(args{"metric_name": "toolkit_db_size_bytes"}); len(size.Values) != 1 || size.Values[0].Value < 4096 {
		t.Errorf("the size is %+v", size.Values)
	}
}

func TestBucketsBeginWithTheRangeAndDefaultToTheLastHour(t *testing.T) {
	m := newMeasured(t, nil)
	m.record(done(monday.Add(-61*time.Minute), "read_graph", time.Millisecond), done(monday.Add(-time.Hour), "read_graph", 2*time.Millisecond), done(monday, "read_graph", 4*time.Millisecond))
	out := m.metrics(args{"metric_name": "toolkit_tool_duration_ms"})
	same(t, "the default", out, metricsOutput{MetricName: "toolkit_tool_duration_ms", Values: []metricValue{{"2026-03-02T07:00:00Z", 3}}, Aggregation: "avg",
		TimeRange: timeRange{"2026-03-02T07:00:00Z", "2026-03-02T08:00:00Z"}, Metadata: metricsMetadata{"ms", "Duration of calls of any tool", "histogram", "1h", 2, "local"}})
	out = m.metrics(args{"metric_name": "toolkit_tool_duration_ms", "aggregation": "count", "step": "25m", "time_range": between(monday.Add(-70*time.Minute), monday)})
	same(t, "buckets of 25 minutes", out.Values, []metricValue{{"2026-03-02T06:50:00Z", 2}, {"2026-03-02T07:40:00Z", 1}})
}

func TestWrongRequestsForMetricsSayWhatIsWrong(t *testing.T) {
	m := newMeasured(t, nil)
	tests := map[string]struct {
		in          args
		code, field string
	}{
		"a name that is no name":         {args{"metric_name": "a b{}"}, "VALIDATION_ERROR", "metric_name"},
		"no name":                        {args{}, "VALIDATION_ERROR", "metric_name"},
		"an unknown metric":              {args{"metric_name": "neotoma_nothing"}, "METRIC_NOT_FOUND", "metric_name"},
		"a time that is none":            {args{"metric_name": "neotoma_mcp_error_rate", "time_range": args{"start": "soon", "end": "2025-01-01"}}, "VALIDATION_ERROR", "time_range.start"},
		"an end that is none":            {args{"metric_name": "neotoma_mcp_error_rate", "time_range": args{"start": "2025-01-01", "end": "later"}}, "VALIDATION_ERROR", "time_range.end"},
		"a range that ends first":        {args{"metric_name": "neotoma_mcp_error_rate", "time_range": args{"start": "2025-01-02", "end": "2025-01-01"}}, "VALIDATION_ERROR", "time_range.end"},
		"half a range":                   {args{"metric_name": "neotoma_mcp_error_rate", "time_range": args{"start": "2025-01-02"}}, "VALIDATION_ERROR", "time_range.end"},
		"an unknown aggregation":         {args{"metric_name": "neotoma_mcp_error_rate", "aggregation": "p90"}, "VALIDATION_ERROR", "aggregation"},
		"a step that is none":            {args{"metric_name": "neotoma_mcp_error_rate", "step": "often"}, "VALIDATION_ERROR", "step"},
		"a step of nothing":              {args{"metric_name": "neotoma_mcp_error_rate", "step": "0s"}, "VALIDATION_ERROR", "step"},
		"too many buckets":               {args{"metric_name": "neotoma_mcp_error_rate", "step": "1s", "time_range": args{"start": "2025-01-01", "end": "2025-02-01"}}, "VALIDATION_ERROR", "step"},
		"a label the metric has not":     {args{"metric_name": "neotoma_mcp_error_rate", "labels": args{"status": "success"}}, "VALIDATION_ERROR", "labels"},
		"a label that is no text":        {args{"metric_name": "toolkit_tool_calls_total", "labels": args{"status": 1}}, "VALIDATION_ERROR", "labels.status"},
		"a distribution of a counter":    {args{"metric_name": "toolkit_tool_calls_total", "aggregation": "p95"}, "VALIDATION_ERROR", "aggregation"},
		"a name nobody can have written": {args{"metric_name": strings.Repeat("x", 201)}, "VALIDATION_ERROR", "metric_name"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) { m.refuse(metricsName, test.in, test.code, test.field) })
	}
	text := m.refuse(metricsName, args{"metric_name": "neotoma_search_duration"}, "METRIC_NOT_FOUND", "metric_name")
	if !strings.Contains(text, "the nearest is neotoma_search_duration_ms") {
		t.Errorf("the refusal does not name the nearest metric: %s", text)
	}
}

func TestServicesThatAreSwitchedOffSaySo(t *testing.T) {
	m := newMeasured(t, map[string]string{"TOOLKIT_METRICS": "off"})
	m.record(done(monday, "read_graph", time.Millisecond))
	m.refuse(metricsName, args{"metric_name": "toolkit_tool_calls_total"}, "METRICS_SERVICE_UNAVAILABLE", "")
	if got := m.analytics(args{"metric_type": "usage"}).Numerator; got != 1 {
		t.Errorf("analytics, which are on, count %v", got)
	}
	m = newMeasured(t, map[string]string{"TOOLKIT_ANALYTICS": "off"})
	m.record(done(monday, "read_graph", time.Millisecond))
	m.refuse(analyticsName, args{"metric_type": "usage"}, "ANALYTICS_SERVICE_UNAVAILABLE", "")
	if got := m.metrics(args{"metric_name": "toolkit_tool_calls_total", "aggregation": "sum"}).Values; fmt.Sprint(got) != "[{2026-03-02T07:00:00Z 1}]" {
		t.Errorf("metrics, which are on, are %v", got)
	}
}

func TestTheNearestRankIsExact(t *testing.T) {
	for _, c := range []struct {
		values  []int64
		percent int
		want    int64
	}{
		{[]int64{7}, 1, 7}, {[]int64{7}, 100, 7}, {[]int64{3, 1, 2}, 50, 2}, {[]int64{4, 1, 3, 2}, 50, 2}, {[]int64{4, 1, 3, 2}, 51, 3},
		{[]int64{5, 5, 1}, 95, 5}, {[]int64{1 << 62, 0}, 99, 1 << 62}, {[]int64{10, 20, 30, 40, 50, 60, 70, 80, 90, 100}, 90, 90},
	} {
		if got := NearestRank(slices.Clone(c.values), c.percent); got != c.want {
			t.Errorf("p%d of %v is %d, want %d", c.percent, c.values, got, c.want)
		}
	}
}

func FuzzSteps(f *testing.F) {
	for _, seed := range []string{"1h", "5m", "1d12h", "", "-1h", "9999999999y", "1e9s"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if ms, err := parseStep(text); err == nil && ms < 1000 {
			t.Errorf("%q is a step of %d ms", text, ms)
		}
	})
}
