package integrations

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/prometheus/common/model"

	"toolkit/internal/httpclient"
	"toolkit/tools"
	"toolkit/tools/integrations/telemetry"
)

// Prometheus answers metrics from a server of the user.
type Prometheus struct {
	base   *url.URL
	client *http.Client
}

// configurePrometheus reads PROMETHEUS_URL; nil: it is not set.
func configurePrometheus(getenv func(string) string) (*Prometheus, error) {
	text := getenv("PROMETHEUS_URL")
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	base, err := httpclient.ParseBaseURL("PROMETHEUS_URL", text)
	if err != nil {
		return nil, err
	}
	return &Prometheus{base: base, client: httpclient.NewHTTP(remoteTimeout, maxAnswer)}, nil
}

// getJSON reads the data of an answer of Prometheus' HTTP API. The client library of Prometheus brings a
// decoder that looks methods up by name, for which the linker would keep every method of the program.
func (p *Prometheus) getJSON(ctx context.Context, data any, path string, parameters url.Values) error {
	address := p.base.JoinPath("api/v1", path)
	address.RawQuery = parameters.Encode()
	service := httpclient.Client{URL: address.String(), HTTP: p.client, MaxAnswer: maxAnswer}
	return service.Get(ctx, func(body []byte) error {
		if json.Unmarshal(body, &struct{ Data any }{data}) != nil {
			return errUnexpectedAnswer
		}
		return nil
	})
}

// fetchMetadata asks Prometheus for a metric that the catalog does not have; nil:
// Prometheus has none of this name either.
func (p *Prometheus) fetchMetadata(ctx context.Context, name string) (*telemetry.Metric, error) {
	var found map[string][]struct{ Type, Help, Unit string }
	if err := p.getJSON(ctx, &found, "metadata", url.Values{"metric": {name}, "limit": {"1"}}); err != nil {
		return nil, p.toToolError(ctx, err)
	}
	if len(found[name]) == 0 {
		return nil, nil
	}
	m := found[name][0]
	kind := telemetry.Kind(m.Type)
	if kind != telemetry.Histogram && kind != telemetry.Counter {
		kind = telemetry.Gauge
	}
	return &telemetry.Metric{Name: name, Kind: kind, Unit: m.Unit, Description: m.Help}, nil
}

// query reads the buckets: the whole ones with one query over a range, each at
// its end looking back over its length, and a last one that is cut short with a
// query of its own.
func (p *Prometheus) query(ctx context.Context, q *metricsQuery) ([]metricValue, error) {
	values := []metricValue{}
	whole := (q.window.to - q.window.from) / q.step
	if whole > 0 {
		found, err := fetchResult[model.Matrix](ctx, p, model.ValMatrix, "query_range", url.Values{
			"query": {q.promQLExpression(q.step)}, "step": {formatSeconds(q.step)},
			"start": {formatSeconds(q.window.from + q.step)}, "end": {formatSeconds(q.window.from + whole*q.step)},
		})
		if err != nil {
			return nil, p.toToolError(ctx, err)
		}
		for _, series := range found {
			for _, v := range series.Values {
				values = appendFiniteValue(values, int64(v.Timestamp)-q.step, float64(v.Value))
			}
		}
	}
	rest := q.window.to - q.window.from - whole*q.step
	if rest == 0 {
		return values, nil
	}
	found, err := fetchResult[model.Vector](ctx, p, model.ValVector, "query", url.Values{"query": {q.promQLExpression(rest)}, "time": {formatSeconds(q.window.to)}})
	if err != nil {
		return nil, p.toToolError(ctx, err)
	}
	for _, v := range found {
		values = appendFiniteValue(values, q.window.to-rest, float64(v.Value))
	}
	return values, nil
}

// fetchResult returns what a query gives, which is one series at most.
func fetchResult[R ~[]E, E any](ctx context.Context, p *Prometheus, kind model.ValueType, path string, parameters url.Values) (R, error) {
	var found struct {
		ResultType model.ValueType
		Result     R
	}
	err := p.getJSON(ctx, &found, path, parameters)
	if err == nil && (found.ResultType != kind || len(found.Result) > 1) {
		err = errUnexpectedAnswer
	}
	return found.Result, err
}

// formatSeconds returns milliseconds as Prometheus reads times and lengths.
func formatSeconds(milliseconds int64) string {
	return strconv.FormatFloat(float64(milliseconds)/1000, 'f', -1, 64)
}

// appendFiniteValue leaves out what is no number: the mean of nothing.
func appendFiniteValue(values []metricValue, start int64, value float64) []metricValue {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return values
	}
	return append(values, metricValue{Timestamp: tools.FormatTimestamp(start), Value: value})
}

// promQLExpression returns the PromQL of an aggregation that looks back over a time. It
// always gives one series.
func (q *metricsQuery) promQLExpression(length int64) string {
	over := "[" + strconv.FormatInt(length, 10) + "ms]"
	series := func(suffix string) string { return q.metric.Name + suffix + q.labelSelector() + over }
	percent, isQuantile := quantiles[q.aggregation]
	share := float64(percent) / 100
	switch {
	case q.metric.Kind == telemetry.Histogram && isQuantile:
		return fmt.Sprintf("histogram_quantile(%g, sum by (le) (rate(%s)))", share, series("_bucket"))
	case q.metric.Kind == telemetry.Histogram && q.aggregation == "avg":
		return fmt.Sprintf("sum(increase(%s)) / sum(increase(%s))", series("_sum"), series("_count"))
	case q.metric.Kind == telemetry.Histogram:
		return fmt.Sprintf("sum(increase(%s))", series("_"+q.aggregation))
	case q.metric.Kind == telemetry.Counter && q.aggregation == "avg":
		return fmt.Sprintf("sum(rate(%s))", series(""))
	case q.metric.Kind == telemetry.Counter:
		return fmt.Sprintf("sum(increase(%s))", series(""))
	case isQuantile:
		return fmt.Sprintf("avg(quantile_over_time(%g, %s))", share, series(""))
	case q.aggregation == "count", q.aggregation == "sum":
		return fmt.Sprintf("sum(%s_over_time(%s))", q.aggregation, series(""))
	}
	return fmt.Sprintf("%s(%s_over_time(%s))", q.aggregation, q.aggregation, series(""))
}

// labelSelector returns the part of an expression that picks labels.
func (q *metricsQuery) labelSelector() string {
	if len(q.labels) == 0 {
		return ""
	}
	items := slices.Sorted(maps.Keys(q.labels))
	parts := make([]string, len(items))
	for i, label := range items {
		parts[i] = label + "=" + strconv.Quote(q.labels[label])
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// toToolError tells a query that Prometheus refuses from a Prometheus that is not
// there. Neither message repeats what Prometheus said.
func (p *Prometheus) toToolError(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return err
	}
	if isQueryRefused(err, http.StatusBadRequest, http.StatusUnprocessableEntity) {
		return tools.Failed(codePrometheusFailed, true, err, "Prometheus could not run the query; try again with a shorter time_range, a longer step or fewer labels")
	}
	return tools.Failed(codeMetricsUnavailable, true, err, "Prometheus did not answer; ask the user to check PROMETHEUS_URL and that Prometheus runs, then try again")
}
