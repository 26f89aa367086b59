package integrations

import (
	"context"
	"errors"
	"slices"
	"time"

	"toolkit/internal/httpclient"
	"toolkit/tools"
	"toolkit/tools/integrations/telemetry"
)

// MeasurementSources is what the tools of metrics and product analytics work with. Without
// a recorder both services are off.
type MeasurementSources struct {
	Recorder   *telemetry.Recorder
	Prometheus *Prometheus // nil: what was recorded here answers
	PostHog    *PostHog    // nil: what was recorded here answers
}

// ConfigurePrometheusAndPostHog reads from the environment which services answer instead of what
// was recorded here. An error names the variable, never its value.
func (m *MeasurementSources) ConfigurePrometheusAndPostHog(getenv func(string) string) (err error) {
	if m.Prometheus, err = configurePrometheus(getenv); err != nil {
		return err
	}
	m.PostHog, err = configurePostHog(getenv)
	return err
}

const (
	mayReadMetrics   tools.Permission = "metrics:read"
	mayReadAnalytics tools.Permission = "analytics:read"
)

// Error codes of metrics and product analytics.
const (
	codeMetricNotFound       = "METRIC_NOT_FOUND"
	codePrometheusFailed     = "PROMETHEUS_QUERY_FAILED"
	codeMetricsUnavailable   = "METRICS_SERVICE_UNAVAILABLE"
	codeAnalyticsFailed      = "ANALYTICS_QUERY_FAILED"
	codeAnalyticsUnavailable = "ANALYTICS_SERVICE_UNAVAILABLE"
)

var errUnexpectedAnswer = errors.New("the service answered in an unexpected form")

// isQueryRefused tells a service that does not run a query, by some statuses or an answer of another
// form, from one that is not there.
func isQueryRefused(err error, statuses ...int) bool {
	var f *httpclient.Failure
	return errors.Is(err, errUnexpectedAnswer) || errors.As(err, &f) && slices.Contains(statuses, f.Status)
}

// timeRange is a window of time as the source documents it.
type timeRange struct {
	Start string `json:"start" jsonschema:"required" jsonschema_description:"Start, ISO 8601"`
	End   string `json:"end" jsonschema:"required" jsonschema_description:"End, ISO 8601"`
}

// span is a window of time in unix milliseconds, both ends included.
type span struct{ from, to int64 }

// format writes a span back.
func (s span) format() timeRange {
	return timeRange{Start: tools.FormatTimestamp(s.from), End: tools.FormatTimestamp(s.to)}
}

// Times before 1970 and after 9999 are refused: nothing was measured then.
const latestTime = 253402300799999

// resolveWindow reads the time range of a request; without one it is the last length
// before now.
func (f *family) resolveWindow(r *timeRange, length time.Duration) (span, error) {
	if r == nil {
		now := f.Store.Now().UnixMilli()
		return span{now - length.Milliseconds(), now}, nil
	}
	var s span
	for _, end := range []struct {
		field, text string
		to          *int64
	}{{"time_range.start", r.Start, &s.from}, {"time_range.end", r.End, &s.to}} {
		ms, err := tools.ParseTimeField(end.field, end.text)
		if err == nil && (ms < 0 || ms > latestTime) {
			err = tools.Invalid(tools.CodeFormat, end.field, "from 1970 to 9999", "%s must be a time from 1970 to 9999", end.field)
		}
		if err != nil {
			return s, err
		}
		*end.to = ms
	}
	if s.from >= s.to {
		return s, tools.Invalid(tools.CodeInvalid, "time_range.end", "after start", "time_range.end must be after time_range.start")
	}
	return s, nil
}

// flushRecorder makes a query see the calls that still wait to be written; a database
// that is busy only makes it miss the latest.
func (f *family) flushRecorder(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, flushTimeout)
	defer cancel()
	f.Measure.Recorder.Flush(ctx) //nolint:errcheck // see above
}

// flushTimeout is how long a query waits for the latest calls to be written.
const flushTimeout = 250 * time.Millisecond
