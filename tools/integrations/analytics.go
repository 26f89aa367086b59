package integrations

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"toolkit/tools"
)

const analyticsName = "get_product_analytics"

// defaultDays is the time range of product analytics when none is given.
const defaultDays = 30 * 24 * time.Hour

// maxDays bounds a series of days.
const maxDays = 3700

type analyticsInput struct {
	MetricType string         `json:"metric_type" jsonschema:"required,enum=activation,enum=retention,enum=usage,enum=funnel,enum=cohort" jsonschema_description:"What to measure"`
	MetricName string         `json:"metric_name,omitempty" jsonschema:"maxLength=200" jsonschema_description:"Metric of that type, such as day_1_retention; its first if absent"`
	TimeRange  *timeRange     `json:"time_range,omitempty" jsonschema_description:"Window, the last 30 days if absent"`
	Cohort     string         `json:"cohort,omitempty" jsonschema:"maxLength=40" jsonschema_description:"Only users first seen then: 2025, 2025-01, 2025-W03 or 2025-01-15"`
	Filters    map[string]any `json:"filters,omitempty" jsonschema_extras:"fields=agent" jsonschema_description:"Local: agent, the name of a client. With PostHog: properties of events"`
}

type analyticsOutput struct {
	MetricType  string            `json:"metric_type"`
	MetricName  string            `json:"metric_name"`
	Value       analyticsValue    `json:"value" jsonschema:"oneof_type=number;array" jsonschema_description:"A number, or a series of date and value"`
	TimeRange   timeRange         `json:"time_range"`
	Numerator   float64           `json:"numerator"`
	Denominator float64           `json:"denominator"`
	Source      string            `json:"source" jsonschema_description:"local or posthog"`
	Steps       []funnelStep      `json:"steps,omitempty" jsonschema_description:"Of a funnel, in order"`
	Metadata    analyticsMetadata `json:"metadata"`
}

// analyticsValue is one number or a series; the series counts where it is not
// nil.
type analyticsValue struct {
	number float64
	series []analyticsPoint
}

// MarshalJSON writes a number or an array.
func (v analyticsValue) MarshalJSON() ([]byte, error) {
	if v.series != nil {
		return json.Marshal(v.series)
	}
	return json.Marshal(v.number)
}

type analyticsPoint struct {
	Date        string  `json:"date"`
	Value       float64 `json:"value"`
	Numerator   float64 `json:"numerator"`
	Denominator float64 `json:"denominator"`
}

type funnelStep struct {
	Step       string  `json:"step"`
	Users      int64   `json:"users"`
	Conversion float64 `json:"conversion" jsonschema_description:"Share of the users who signed up"`
}

type analyticsMetadata struct {
	Description string     `json:"description"`
	Threshold   *threshold `json:"threshold,omitempty"`
}

func (f *family) analyticsTool() tools.Tool[analyticsInput, analyticsOutput] {
	return tools.Tool[analyticsInput, analyticsOutput]{
		Name:  analyticsName,
		Title: "Get product analytics",
		Description: "Measure how the toolkit is used: activation, retention, usage, funnel and cohorts, from the log of calls, which holds no content. " +
			"Returns value, numerator, denominator and the definition. Example: metric_type retention, metric_name day_1_retention.",
		Permissions: []tools.Permission{mayReadAnalytics}, Category: tools.Analysis, ResponseTime: tools.Medium, Idempotent: true, OpenWorld: true, Version: version,
		Tags: []string{"analytics", "usage"},
		Examples: []tools.Example[analyticsInput, analyticsOutput]{{
			Description: "activation in a month when nobody was there",
			Params: analyticsInput{MetricType: typeActivation, MetricName: "activation_first_upload_rate",
				TimeRange: &timeRange{Start: "2024-01-01T00:00:00Z", End: "2024-01-31T23:59:59Z"}},
			Result: analyticsOutput{MetricType: typeActivation, MetricName: "activation_first_upload_rate",
				TimeRange: timeRange{Start: "2024-01-01T00:00:00Z", End: "2024-01-31T23:59:59Z"}, Source: "local",
				Metadata: analyticsMetadata{Description: findAnalyticsMetric(typeActivation, "activation_first_upload_rate").description, Threshold: &threshold{Required: 0.60, Target: 0.80}}},
		}},
		Handle: f.getAnalytics,
	}
}

// analyticsQuery is a request that was found right.
type analyticsQuery struct {
	metric  *analyticsMetric
	window  span
	cohort  *span // only users first seen then
	now     int64
	filters map[string]any
}

// analyticsAnswer is what a source says.
type analyticsAnswer struct {
	value                  analyticsValue
	numerator, denominator float64
	steps                  []funnelStep
}

// ratioAnswer makes an answer of a part and a whole; of nobody it is 0.
func ratioAnswer(part, whole float64) analyticsAnswer {
	return analyticsAnswer{value: analyticsValue{number: divideOrZero(part, whole)}, numerator: part, denominator: whole}
}

func divideOrZero(part, whole float64) float64 {
	if whole == 0 {
		return 0
	}
	return part / whole
}

// seriesAnswer makes an answer of a series: its sums.
func seriesAnswer(points []analyticsPoint) analyticsAnswer {
	a := analyticsAnswer{value: analyticsValue{series: tools.OrEmpty(points)}}
	for _, p := range points {
		a.numerator += p.Numerator
		a.denominator += p.Denominator
	}
	return a
}

func (f *family) getAnalytics(ctx context.Context, in analyticsInput) (none tools.Result[analyticsOutput], err error) {
	q, err := f.parseAnalyticsQuery(in)
	if err != nil {
		return none, err
	}
	var a analyticsAnswer
	source := "local"
	switch recorder := f.Measure.Recorder; {
	case f.Measure.PostHog != nil:
		source = "posthog"
		a, err = f.Measure.PostHog.query(ctx, q)
	case recorder == nil || !recorder.Config().Analytics:
		return none, tools.Failed(codeAnalyticsUnavailable, false, nil, "product analytics are switched off; ask the user to start the server without TOOLKIT_ANALYTICS=off, or with PostHog configured")
	default:
		a, err = f.computeLocalAnalytics(ctx, q)
		err = tools.WrapFailure(ctx, codeAnalyticsUnavailable, err)
	}
	if err != nil {
		return none, err
	}
	out := analyticsOutput{MetricType: in.MetricType, MetricName: q.metric.name, Value: a.value, TimeRange: q.window.format(),
		Numerator: a.numerator, Denominator: a.denominator, Source: source, Steps: a.steps,
		Metadata: analyticsMetadata{Description: q.metric.description, Threshold: q.metric.threshold}}
	return tools.Result[analyticsOutput]{Data: out, Hints: analyticsHints(q, out)}, nil
}

// parseAnalyticsQuery checks a request: forms first, then the metric, then what fits
// it.
func (f *family) parseAnalyticsQuery(in analyticsInput) (*analyticsQuery, error) {
	q := &analyticsQuery{now: f.Store.Now().UnixMilli(), filters: in.Filters}
	var err error
	if q.window, err = f.resolveWindow(in.TimeRange, defaultDays); err != nil {
		return nil, err
	}
	if q.window.to-q.window.from > maxDays*millisecondsADay {
		return nil, tools.Invalid(tools.CodeInvalid, "time_range", fmt.Sprintf("at most %d days", maxDays), "time_range is longer than %d days; give a shorter one", maxDays)
	}
	if in.Cohort != "" {
		cohort, ok := parseCohort(in.Cohort)
		if !ok {
			return nil, tools.Invalid(tools.CodeFormat, "cohort", "year, month, week or day", "cohort must be the time users were first seen: a year (2025), month (2025-01), week (2025-W03) or day (2025-01-15)")
		}
		q.cohort = &cohort
	}
	if q.metric = findAnalyticsMetric(in.MetricType, in.MetricName); q.metric == nil {
		return nil, analyticsMetricNotFoundError(in)
	}
	if q.cohort != nil && q.metric.kind == typeUsage && strings.HasPrefix(q.metric.name, "avg_") {
		return nil, tools.Invalid(tools.CodeInvalid, "cohort", "not with "+q.metric.name, "%s is not counted by user, so cohort cannot narrow it; use daily_active_users or weekly_active_users, or leave cohort out", q.metric.name)
	}
	return q, q.checkFilters(f.Measure.PostHog != nil)
}

// analyticsMetricNotFoundError names what there is instead.
func analyticsMetricNotFoundError(in analyticsInput) error {
	known := listMetricNames(in.MetricType)
	e := tools.Refused(codeMetricNotFound, "metric_name", "known metric", "metric_type %s has no metric of this name; available lists those it has", in.MetricType).WithDetail("available", known)
	if kind := findMetricType(in.MetricName); kind != "" {
		return e.WithHints(tools.NewRefusalHints().Because("the metric belongs to another type").SuggestCall(analyticsName, tools.PriorityHigh, map[string]any{"metric_type": kind, "metric_name": in.MetricName}, "ask for it by its type"))
	}
	return e.WithHints(tools.NewRefusalHints().Because("no metric has this name").SuggestCall(analyticsName, tools.PriorityHigh, map[string]any{"metric_type": in.MetricType, "metric_name": known[0]}, "read the first metric of the type"))
}

// checkFilters accepts what the source can filter by.
func (q *analyticsQuery) checkFilters(remote bool) error {
	for _, name := range slices.Sorted(maps.Keys(q.filters)) {
		if remote {
			if err := checkProperty(name, q.filters[name]); err != nil {
				return err
			}
			continue
		}
		if text, ok := q.filters[name].(string); name != "agent" || !ok || text == "" {
			return tools.Invalid(tools.CodeInvalid, "filters", "agent", "filters knows only agent here, the name of a client as text, such as claude-code")
		}
	}
	return nil
}

// cohortForms are the ways to name a cohort, besides a week.
var cohortForms = []struct {
	layout              string
	years, months, days int
}{{"2006", 1, 0, 0}, {"2006-01", 0, 1, 0}, {time.DateOnly, 0, 0, 1}}

// parseCohort returns the time in which the users of a cohort were first seen.
func parseCohort(text string) (span, bool) {
	text = strings.TrimSpace(text)
	for _, form := range cohortForms {
		if t, err := time.Parse(form.layout, text); err == nil {
			s := span{t.UnixMilli(), t.AddDate(form.years, form.months, form.days).UnixMilli() - 1}
			return s, s.from >= 0
		}
	}
	var year, week int
	if n, err := fmt.Sscanf(text, "%4d-W%2d", &year, &week); err != nil || n != 2 || fmt.Sprintf("%04d-W%02d", year, week) != text || year < 1971 || week < 1 {
		return span{}, false
	}
	start := firstMonday(year).AddDate(0, 0, 7*(week-1))
	if y, w := start.ISOWeek(); y != year || w != week {
		return span{}, false
	}
	return span{start.UnixMilli(), start.AddDate(0, 0, 7).UnixMilli() - 1}, true
}

// firstMonday begins the first ISO week of a year, the one with January 4th.
func firstMonday(year int) time.Time {
	fourth := time.Date(year, time.January, 4, 0, 0, 0, 0, time.UTC)
	return fourth.AddDate(0, 0, -int(fourth.Weekday()+6)%7)
}

func analyticsHints(q *analyticsQuery, out analyticsOutput) *tools.Hints {
	n := int(min(out.Denominator, 1e6))
	h := tools.NewHints(tools.NewSearchEvidence(n)).Because(fmt.Sprintf("%v of %v, from the %s log", out.Numerator, out.Denominator, out.Source))
	if out.Denominator == 0 {
		earlier := span{max(q.window.from-90*millisecondsADay, 0), q.window.to}
		h.Because("there is nobody in this time range to measure").
			SuggestCall(analyticsName, tools.PriorityMedium, map[string]any{"metric_type": out.MetricType, "metric_name": out.MetricName, "time_range": earlier.format()}, "look 90 days further back")
		return h
	}
	if n < 20 {
		h.AddRisk("accuracy", tools.PriorityMedium, fmt.Sprintf("a share of %d moves a lot with one user", n), 0.7, 0.4, "state numerator and denominator with it")
	}
	if t := q.metric.threshold; t != nil && divideOrZero(out.Numerator, out.Denominator) < t.Required {
		h.Warn("performance", tools.PriorityMedium, fmt.Sprintf("below the required %g", t.Required), "the funnel shows where users stop")
		h.SuggestCall(analyticsName, tools.PriorityHigh, map[string]any{"metric_type": typeFunnel, "time_range": out.TimeRange}, "see where users stop")
	}
	switch out.MetricType {
	case typeFunnel:
		h.SuggestCall(analyticsName, tools.PriorityLow, map[string]any{"metric_type": typeActivation, "time_range": out.TimeRange}, "see how many get there in their first session")
	case typeRetention, typeCohort:
		h.SuggestCall(analyticsName, tools.PriorityLow, map[string]any{"metric_type": typeUsage, "metric_name": "weekly_active_users", "time_range": out.TimeRange}, "see how many are active each week")
	default:
		h.SuggestCall(analyticsName, tools.PriorityLow, map[string]any{"metric_type": typeRetention, "time_range": out.TimeRange}, "see how many come back")
	}
	return h
}
