package integrations

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// standIn is a server that answers one request after another as a test says.
func standIn(t *testing.T, answer http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(answer)
	t.Cleanup(s.Close)
	return s.URL
}

func TestPrometheusIsAskedForTheBucketsOfTheRange(t *testing.T) {
	var queries []string
	url := standIn(t, func(w http.ResponseWriter, q *http.Request) {
		if err := q.ParseForm(); err != nil {
			t.Error(err)
		}
		queries = append(queries, fmt.Sprintf("%s %s %s-%s/%s @%s", q.URL.Path, q.Form.Get("query"), q.Form.Get("start"), q.Form.Get("end"), q.Form.Get("step"), q.Form.Get("time")))
		w.Header().Set("Content-Type", "application/json")
		if strings.HasSuffix(q.URL.Path, "query_range") {
			fmt.Fprintf(w, `{"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[[%d,"12.5"],[%d,"NaN"]]}]}}`, monday.Add(-time.Hour).Unix(), monday.Unix())
			return
		}
		fmt.Fprintf(w, `{"status":"success","data":{"resultType":"vector","result":[{"metric":{},"value":[%d,"7"]}]}}`, monday.Add(30*time.Minute).Unix())
	})
	m := newMeasured(t, map[string]string{"PROMETHEUS_URL": url, "TOOLKIT_METRICS": "off"})
	out := m.metrics(args{"metric_name": "neotoma_search_duration_ms", "aggregation": "p95", "labels": args{"tool": `a"b\`, "job": "toolkit"},
		"time_range": between(monday.Add(-2*time.Hour), monday.Add(30*time.Minute))})
	same(t, "the values", out.Values, []metricValue{{"2026-03-02T06:00:00Z", 12.5}, {"2026-03-02T08:00:00Z", 7}})
	same(t, "the source", out.Metadata.Source, "prometheus")
	selector := `neotoma_search_duration_ms_bucket{job="toolkit",tool="a\"b\\"}`
	same(t, "the queries", strings.Join(queries, "\n"), strings.Join([]string{
		fmt.Sprintf("/api/v1/query_range histogram_quantile(0.95, sum by (le) (rate(%s[3600000ms]))) %d-%d/3600 @", selector, monday.Add(-time.Hour).Unix(), monday.Unix()),
		fmt.Sprintf("/api/v1/query histogram_quantile(0.95, sum by (le) (rate(%s[1800000ms]))) -/ @%d", selector, monday.Add(30*time.Minute).Unix()),
	}, "\n"))
}

func TestEveryAggregationHasAnExpressionOfPrometheus(t *testing.T) {
	m := newMeasured(t, nil)
	for in, want := range map[[2]string]string{
		{"neotoma_search_duration_ms", "avg"}:       `sum(increase(neotoma_search_duration_ms_sum[60000ms])) / sum(increase(neotoma_search_duration_ms_count[60000ms]))`,
		{"neotoma_search_duration_ms", "count"}:     `sum(increase(neotoma_search_duration_ms_count[60000ms]))`,
		{"neotoma_search_duration_ms", "sum"}:       `sum(increase(neotoma_search_duration_ms_sum[60000ms]))`,
		{"neotoma_search_duration_ms", "p50"}:       `histogram_quantile(0.5, sum by (le) (rate(neotoma_search_duration_ms_bucket[60000ms])))`,
		{"toolkit_tool_calls_total", "avg"}:         `sum(rate(toolkit_tool_calls_total[60000ms]))`,
		{"toolkit_tool_calls_total", "sum"}:         `sum(increase(toolkit_tool_calls_total[60000ms]))`,
		{"neotoma_mcp_error_rate", "avg"}:           `avg(avg_over_time(neotoma_mcp_error_rate[60000ms]))`,
		{"neotoma_mcp_error_rate", "max"}:           `max(max_over_time(neotoma_mcp_error_rate[60000ms]))`,
		{"neotoma_mcp_error_rate", "count"}:         `sum(count_over_time(neotoma_mcp_error_rate[60000ms]))`,
		{"neotoma_graph_orphan_nodes_total", "p99"}: `avg(quantile_over_time(0.99, neotoma_graph_orphan_nodes_total[60000ms]))`,
	} {
		f := &family{Deps: Deps{Store: m.Store}}
		q, err := f.parseMetricsQuery(t.Context(), metricsInput{MetricName: in[0], Aggregation: in[1]})
		if err != nil {
			t.Fatal(err)
		}
		same(t, in[0]+" "+in[1], q.promQLExpression(60_000), want)
	}
}

func TestPrometheusInTroubleIsReportedAsDocumented(t *testing.T) {
	answer := func(status int, body string) string {
		return standIn(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Location", "http://elsewhere.example/")
			w.WriteHeader(status)
			fmt.Fprint(w, body) //nolint:errcheck // a test server
		})
	}
	gone := httptest.NewServer(nil)
	gone.Close()
	known := args{"metric_name": "neotoma_search_duration_ms"}
	for name, test := range map[string]struct {
		url, code, field string
		in               args
	}{
		"nobody listens":              {gone.URL, "METRICS_SERVICE_UNAVAILABLE", "", known},
		"a query that is refused":     {answer(400, `{"status":"error","errorType":"bad_data","error":"secret detail"}`), "PROMETHEUS_QUERY_FAILED", "", known},
		"a query that fails":          {answer(422, `{"status":"error","errorType":"execution","error":"secret detail"}`), "PROMETHEUS_QUERY_FAILED", "", known},
		"an overloaded server":        {answer(503, `busy`), "METRICS_SERVICE_UNAVAILABLE", "", known},
		"a redirect":                  {answer(302, ``), "METRICS_SERVICE_UNAVAILABLE", "", known},
		"an answer of another form":   {answer(200, `{"status":"success","data":{"resultType":"scalar","result":[1,"1"]}}`), "PROMETHEUS_QUERY_FAILED", "", known},
		"a metric it has not":         {answer(200, `{"status":"success","data":{}}`), "METRIC_NOT_FOUND", "metric_name", args{"metric_name": "up_and_away"}},
		"the greatest of a histogram": {answer(500, ``), "VALIDATION_ERROR", "aggregation", args{"metric_name": "neotoma_search_duration_ms", "aggregation": "max"}},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMeasured(t, map[string]string{"PROMETHEUS_URL": test.url})
			text := m.refuse(metricsName, test.in, test.code, test.field)
			if strings.Contains(text, "secret") || strings.Contains(text, "127.0.0.1") {
				t.Errorf("the refusal tells too much: %s", text)
			}
			if test.field == "aggregation" && !strings.Contains(text, "use one of avg, p50, p95, p99, sum, count") {
				t.Errorf("the refusal does not name what works: %s", text)
			}
		})
	}
}

func TestAMetricThatOnlyPrometheusHasIsDescribedByIt(t *testing.T) {
	url := standIn(t, func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if strings.HasSuffix(q.URL.Path, "metadata") {
			fmt.Fprint(w, `{"status":"success","data":{"go_goroutines":[{"type":"gauge","help":"Number of goroutines","unit":""}]}}`) //nolint:errcheck // a test server
			return
		}
		fmt.Fprint(w, `{"status":"success","data":{"resultType":"matrix","result":[]}}`) //nolint:errcheck // a test server
	})
	out := newMeasured(t, map[string]string{"PROMETHEUS_URL": url}).metrics(args{"metric_name": "go_goroutines", "aggregation": "max"})
	same(t, "the answer", []any{out.Values, out.Metadata.Kind, out.Metadata.Description}, []any{[]metricValue{}, "gauge", "Number of goroutines"})
}

func TestAddressesOfServicesAreCheckedWithoutRepeatingThem(t *testing.T) {
	for name, env := range map[string]map[string]string{
		"no scheme":         {"PROMETHEUS_URL": "user:geheim@host"},
		"another scheme":    {"PROMETHEUS_URL": "file:///geheim"},
		"a query":           {"PROMETHEUS_URL": "http://host/?token=geheim"},
		"half a PostHog":    {"POSTHOG_URL": "http://host", "POSTHOG_API_KEY": "geheim"},
		"a strange project": {"POSTHOG_URL": "http://host", "POSTHOG_API_KEY": "k", "POSTHOG_PROJECT_ID": "geheim/../x"},
		"strange events":    {"POSTHOG_URL": "http://host", "POSTHOG_API_KEY": "k", "POSTHOG_PROJECT_ID": "1", "POSTHOG_EVENTS": "geheim"},
	} {
		var m MeasurementSources
		err := m.ConfigurePrometheusAndPostHog(func(n string) string { return env[n] })
		if err == nil || strings.Contains(err.Error(), "geheim") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
