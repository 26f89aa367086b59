package integrations

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/common/model"

	"toolkit/internal/language"
	"toolkit/tools"
	"toolkit/tools/integrations/telemetry"
)

const metricsName = "get_technical_metrics"

const (
	defaultRange = time.Hour
	defaultStep  = time.Hour
	// maxBuckets is also the most that Prometheus returns.
	maxBuckets = 11_000
)

type metricsInput struct {
	MetricName  string            `json:"metric_name" jsonschema:"required,minLength=1,maxLength=200" jsonschema_description:"Metric, such as neotoma_record_upload_duration_ms"`
	TimeRange   *timeRange        `json:"time_range,omitempty" jsonschema_description:"Window, the last hour if absent"`
	Aggregation string            `json:"aggregation,omitempty" jsonschema:"enum=avg,enum=p50,enum=p95,enum=p99,enum=sum,enum=count,enum=max,enum=min" jsonschema_description:"avg if absent"`
	Labels      map[string]string `json:"labels,omitempty" jsonschema_extras:"fields=status tool" jsonschema_description:"Only samples with these labels, such as status: success"`
	Step        string            `json:"step,omitempty" jsonschema:"maxLength=40" jsonschema_description:"Length of a bucket, such as 1m, 5m, 1h; 1h if absent"`
}

type metricsOutput struct {
	MetricName  string          `json:"metric_name"`
	Values      []metricValue   `json:"values"`
	Aggregation string          `json:"aggregation"`
	TimeRange   timeRange       `json:"time_range"`
	Metadata    metricsMetadata `json:"metadata"`
}

type metricValue struct {
	Timestamp string  `json:"timestamp" jsonschema_description:"Start of the bucket"`
	Value     float64 `json:"value"`
}

type metricsMetadata struct {
	Unit        string `json:"unit,omitempty"`
	Description string `json:"description,omitempty"`
	Kind        string `json:"kind" jsonschema_description:"histogram, counter or gauge"`
	Step        string `json:"step"`
	Samples     int64  `json:"samples" jsonschema_description:"Samples behind the values; 0 where Prometheus does not tell"`
	Source      string `json:"source" jsonschema_description:"local or prometheus"`
}

func (f *family) metricsTool() tools.Tool[metricsInput, metricsOutput] {
	return tools.Tool[metricsInput, metricsOutput]{
		Name:  metricsName,
		Title: "Get technical metrics",
		Description: "Read how the toolkit itself performs: durations, errors, counts and gauges, in buckets of time. Use it for reports on latency or health. " +
			"Returns one value per bucket that has samples. Example: p95 of neotoma_search_duration_ms for the last day, step 1h.",
		Permissions: []tools.Permission{mayReadMetrics}, Category: tools.Analysis, ResponseTime: tools.Medium, Idempotent: true, OpenWorld: true, Version: version,
		Tags: []string{"metrics", "operations"},
		Examples: []tools.Example[metricsInput, metricsOutput]{{
			Description: "uploads of a day long gone, when nothing was measured",
			Params: metricsInput{MetricName: "neotoma_record_upload_duration_ms", Aggregation: "p95", Step: "1h",
				TimeRange: &timeRange{Start: "2024-01-15T00:00:00Z", End: "2024-01-15T23:59:59Z"}},
			Result: metricsOutput{MetricName: "neotoma_record_upload_duration_ms", Values: []metricValue{}, Aggregation: "p95",
				TimeRange: timeRange{Start: "2024-01-15T00:00:00Z", End: "2024-01-15T23:59:59Z"},
				Metadata:  metricsMetadata{Unit: "ms", Description: telemetry.FindMetric("neotoma_record_upload_duration_ms").Description, Kind: "histogram", Step: "1h", Source: "local"}},
		}},
		Handle: f.getMetrics,
	}
}

// metricsQuery is a request that was found right.
type metricsQuery struct {
	metric      *telemetry.Metric
	window      span
	step        int64 // milliseconds
	aggregation string
	labels      map[string]string
}

// countBuckets returns how many buckets the window has; the last one may be cut short.
func (q *metricsQuery) countBuckets() int64 {
	return (q.window.to - q.window.from + q.step - 1) / q.step
}

// unit is what values are in: the rate of a counter is one per second.
func (q *metricsQuery) unit() string {
	switch {
	case q.aggregation == "count":
		return "count"
	case q.metric.Kind == telemetry.Counter && q.aggregation == "avg":
		return "per second"
	}
	return q.metric.Unit
}

func (f *family) getMetrics(ctx context.Context, in metricsInput) (none tools.Result[metricsOutput], err error) {
	recorder := f.Measure.Recorder
	prometheus := f.Measure.Prometheus
	q, err := f.parseMetricsQuery(ctx, in)
	if err != nil {
		return none, err
	}
	var values []metricValue
	var samples int64
	source := "local"
	switch {
	case prometheus != nil:
		source = "prometheus"
		values, err = prometheus.query(ctx, q)
	case recorder == nil || !recorder.Config().Metrics:
		return none, tools.Failed(codeMetricsUnavailable, false, nil, "technical metrics are switched off; ask the user to start the server without TOOLKIT_METRICS=off, or with PROMETHEUS_URL")
	default:
		values, samples, err = f.computeLocalMetrics(ctx, q)
		err = tools.WrapFailure(ctx, codeMetricsUnavailable, err)
	}
	if err != nil {
		return none, err
	}
	out := metricsOutput{MetricName: in.MetricName, Values: values, Aggregation: q.aggregation, TimeRange: q.window.format(),
		Metadata: metricsMetadata{Unit: q.unit(), Description: q.metric.Description, Kind: string(q.metric.Kind),
			Step: model.Duration(time.Duration(q.step) * time.Millisecond).String(), Samples: samples, Source: source}}
	return tools.Result[metricsOutput]{Data: out, Hints: metricsHints(q, out)}, nil
}

// metricForm is how Prometheus lets metrics be named, and labelForm labels.
var (
	metricForm = regexp.MustCompile(`^[a-zA-Z_:][a-zA-Z0-9_:]*$`)
	labelForm  = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]*$`)
)

// parseMetricsQuery checks a request: forms first, then the metric, then what fits it.
func (f *family) parseMetricsQuery(ctx context.Context, in metricsInput) (*metricsQuery, error) {
	if !metricForm.MatchString(in.MetricName) {
		return nil, tools.Invalid(tools.CodeFormat, "metric_name", "letters, digits, _ and :", "metric_name must be a name of letters, digits and _, such as neotoma_search_duration_ms")
	}
	q := &metricsQuery{aggregation: cmp.Or(in.Aggregation, "avg"), labels: in.Labels}
	var err error
	if q.window, err = f.resolveWindow(in.TimeRange, defaultRange); err != nil {
		return nil, err
	}
	if q.step, err = parseStep(in.Step); err != nil {
		return nil, err
	}
	if q.countBuckets() > maxBuckets {
		return nil, tools.Invalid(tools.CodeInvalid, "step", fmt.Sprintf("at most %d buckets", maxBuckets), "step cuts the time range into more than %d buckets; give a longer step or a shorter time_range", maxBuckets)
	}
	if q.metric, err = f.findMetricOrAskPrometheus(ctx, in.MetricName); err != nil {
		return nil, err
	}
	if err := q.checkLabels(f.Measure.Prometheus != nil); err != nil {
		return nil, err
	}
	return q, q.checkAggregation(f.Measure.Prometheus != nil)
}

// parseStep reads a length of time as Prometheus writes it, in milliseconds.
func parseStep(text string) (int64, error) {
	if text == "" {
		return defaultStep.Milliseconds(), nil
	}
	d, err := model.ParseDuration(strings.TrimSpace(text))
	if err != nil || time.Duration(d) < time.Second {
		return 0, tools.Invalid(tools.CodeFormat, "step", "duration of at least 1s", "step must be a length of time of at least a second, such as 30s, 5m, 1h or 1d")
	}
	return time.Duration(d).Milliseconds(), nil
}

// findMetricOrAskPrometheus looks in the catalog, and then where Prometheus keeps more.
func (f *family) findMetricOrAskPrometheus(ctx context.Context, name string) (*telemetry.Metric, error) {
	if m := telemetry.FindMetric(name); m != nil {
		return m, nil
	}
	if f.Measure.Prometheus != nil {
		m, err := f.Measure.Prometheus.fetchMetadata(ctx, name)
		if m != nil || err != nil {
			return m, err
		}
	}
	var known []string
	for _, m := range telemetry.Catalog() {
		known = append(known, m.Name)
	}
	slices.SortStableFunc(known, func(a, b string) int { return language.EditDistance(a, name) - language.EditDistance(b, name) })
	return nil, tools.Refused(codeMetricNotFound, "metric_name", "known metric", "there is no metric of this name; the nearest is %s, and available lists all", known[0]).
		WithDetail("available", known).
		WithHints(tools.NewRefusalHints().Because("no metric has this name").SuggestCall(metricsName, tools.PriorityHigh, map[string]any{"metric_name": known[0]}, "read the metric with the most similar name"))
}

func (q *metricsQuery) checkLabels(anywhere bool) error {
	for label := range q.labels {
		if !labelForm.MatchString(label) {
			return tools.Invalid(tools.CodeFormat, "labels", "letters, digits and _", "names in labels consist of letters, digits and _")
		}
		if anywhere || slices.Contains(q.metric.Labels, label) {
			continue
		}
		known := "no labels"
		if len(q.metric.Labels) > 0 {
			known = "the labels " + strings.Join(q.metric.Labels, ", ")
		}
		return tools.Invalid(tools.CodeInvalid, "labels", "known label", "%s has %s; leave the others out", q.metric.Name, known)
	}
	return nil
}

// checkAggregation refuses what cannot be computed: a counter has no
// distribution, and Prometheus keeps of a histogram no single values.
func (q *metricsQuery) checkAggregation(remote bool) error {
	var fits []string
	switch {
	case q.metric.Kind == telemetry.Counter:
		fits = []string{"avg", "sum", "count"}
	case q.metric.Kind == telemetry.Histogram && remote:
		fits = []string{"avg", "p50", "p95", "p99", "sum", "count"}
	default:
		return nil
	}
	if slices.Contains(fits, q.aggregation) {
		return nil
	}
	return tools.Invalid(tools.CodeInvalid, "aggregation", "one of "+strings.Join(fits, ", "), "aggregation %s cannot be computed from a %s here; use one of %s", q.aggregation, q.metric.Kind, strings.Join(fits, ", "))
}

func metricsHints(q *metricsQuery, out metricsOutput) *tools.Hints {
	h := tools.NewHints(tools.NewSearchEvidence(len(out.Values))).
		Because(fmt.Sprintf("%d of %d buckets of %s have samples", len(out.Values), q.countBuckets(), out.Metadata.Step))
	same := func(change map[string]any) map[string]any {
		data := map[string]any{"metric_name": out.MetricName, "aggregation": q.aggregation, "time_range": out.TimeRange, "step": out.Metadata.Step}
		maps.Copy(data, change)
		return data
	}
	if len(out.Values) == 0 {
		h.SuggestCall(metricsName, tools.PriorityMedium, map[string]any{"metric_name": "toolkit_tool_calls_total", "aggregation": "sum", "time_range": out.TimeRange, "step": out.Metadata.Step}, "see whether anything was called in this time")
		earlier := span{max(q.window.from-30*24*time.Hour.Milliseconds(), 0), q.window.to}
		h.SuggestCall(metricsName, tools.PriorityLow, same(map[string]any{"time_range": earlier.format(), "step": "1d"}), "look 30 days further back")
		return h
	}
	if out.Metadata.Kind == string(telemetry.Histogram) && q.aggregation != "p95" {
		h.SuggestCall(metricsName, tools.PriorityMedium, same(map[string]any{"aggregation": "p95"}), "see the slow calls too")
	}
	if out.MetricName != "neotoma_mcp_error_rate" {
		h.SuggestCall(metricsName, tools.PriorityLow, map[string]any{"metric_name": "neotoma_mcp_error_rate", "time_range": out.TimeRange, "step": out.Metadata.Step}, "see the share of failing calls in the same time")
	} else {
		h.SuggestCall(metricsName, tools.PriorityLow, map[string]any{"metric_name": "toolkit_tool_calls_total", "aggregation": "sum", "labels": map[string]string{"status": "error"}, "time_range": out.TimeRange, "step": out.Metadata.Step}, "count the failing calls")
	}
	return h
}
