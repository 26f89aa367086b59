package integrations

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"toolkit/internal/httpclient"
	telemetryrows "toolkit/store/telemetry"
	"toolkit/tools"
	"toolkit/tools/integrations/telemetry"
)

// PostHog answers product analytics from a PostHog project of the user.
type PostHog struct {
	service *httpclient.Client
	events  map[string]string
}

// postHogEvents are the names of events in PostHog, by what they stand for.
// POSTHOG_EVENTS gives other names.
var postHogEvents = map[string]string{
	"upload": "upload", "extraction": "extraction", "entity": "entity", "timeline": "timeline", "search": "search", "ai_query": "ai_query",
}

var projectForm = regexp.MustCompile(`^[0-9A-Za-z_-]+$`)

// configurePostHog reads POSTHOG_URL (or POSTHOG_HOST), POSTHOG_API_KEY and
// POSTHOG_PROJECT_ID; nil: none of them is set. An error never repeats a value.
func configurePostHog(getenv func(string) string) (*PostHog, error) {
	env := func(name string) string { return strings.TrimSpace(getenv(name)) }
	base, key, project := cmp.Or(env("POSTHOG_URL"), env("POSTHOG_HOST")), env("POSTHOG_API_KEY"), env("POSTHOG_PROJECT_ID")
	if base == "" && key == "" && project == "" {
		return nil, nil
	}
	if base == "" || key == "" || project == "" {
		return nil, errors.New("PostHog needs all of POSTHOG_URL (or POSTHOG_HOST), POSTHOG_API_KEY and POSTHOG_PROJECT_ID")
	}
	if !strings.Contains(base, "://") {
		base = "https://" + base
	}
	u, err := httpclient.ParseBaseURL("POSTHOG_URL", base)
	if err != nil {
		return nil, err
	}
	if len(project) > 64 || !projectForm.MatchString(project) {
		return nil, errors.New("POSTHOG_PROJECT_ID is not the number of a project")
	}
	events, err := parseEventNames(env("POSTHOG_EVENTS"))
	if err != nil {
		return nil, err
	}
	return &PostHog{events: events, service: &httpclient.Client{
		URL: u.JoinPath("api", "projects", project, "query/").String(), Timeout: remoteTimeout, MaxAnswer: maxAnswer,
		Header: http.Header{"Authorization": {"Bearer " + key}, "Content-Type": {"application/json"}},
	}}, nil
}

// parseEventNames reads other names for events, such as
// "upload=file_uploaded,search=search_done".
func parseEventNames(text string) (map[string]string, error) {
	events := maps.Clone(postHogEvents)
	for _, part := range tools.SplitList(text) {
		step, name, found := strings.Cut(part, "=")
		step, name = strings.TrimSpace(step), strings.TrimSpace(name)
		if _, known := events[step]; !known || !found || name == "" || len(name) > 200 {
			return nil, errors.New("POSTHOG_EVENTS is not a list such as upload=file_uploaded,search=search_done of " + strings.Join(slices.Sorted(maps.Keys(postHogEvents)), ", "))
		}
		events[step] = name
	}
	return events, nil
}

// stepEvents are the names in postHogEvents of the steps of activation.
var stepEvents = map[telemetry.Step]string{
	telemetry.StepUpload: "upload", telemetry.StepExtraction: "extraction", telemetry.StepEntity: "entity",
	telemetry.StepEvent: "timeline", telemetry.StepSearch: "search", telemetry.StepQuery: "ai_query",
}

// propertyForm is how a property may be named in a filter.
var propertyForm = regexp.MustCompile(`^\$?[A-Za-z_][A-Za-z0-9_]*$`)

// checkProperty accepts a property of events and a plain value.
func checkProperty(name string, value any) error {
	switch value.(type) {
	case string, bool, float64, json.Number:
		if len(strings.TrimPrefix(name, "$")) <= 100 && propertyForm.MatchString(name) {
			return nil
		}
	}
	return tools.Invalid(tools.CodeInvalid, "filters", "property and plain value", "filters must map names of event properties, such as $browser, to texts, numbers or true and false")
}

// hogQuery is a query in PostHog's SQL. Values travel beside it, never in it.
type hogQuery struct {
	sql    string
	values map[string]any
}

// query runs the one query of a metric.
func (p *PostHog) query(ctx context.Context, q *analyticsQuery) (analyticsAnswer, error) {
	h := p.composeQuery(q)
	rows, err := p.runQuery(ctx, h)
	if err != nil {
		return analyticsAnswer{}, err
	}
	a, err := parseAnswer(q.metric.kind, rows)
	return a, p.toToolError(ctx, err)
}

func parseAnswer(kind string, rows [][]any) (analyticsAnswer, error) {
	switch kind {
	case typeActivation:
		row, err := parseSingleRow(rows, 2)
		return ratioAnswer(row[0], row[1]), err
	case typeFunnel:
		row, err := parseSingleRow(rows, len(funnelSteps)+1)
		counts := make([]int64, len(row))
		for i, n := range row {
			counts[i] = int64(n)
		}
		return funnelAnswer(counts), err
	}
	points, err := parseSeries(rows)
	return seriesAnswer(points), err
}

// parseSingleRow expects a single row of numbers.
func parseSingleRow(rows [][]any, width int) ([]float64, error) {
	row := make([]float64, width)
	if len(rows) != 1 || len(rows[0]) != width {
		return row, errUnexpectedAnswer
	}
	for i, v := range rows[0] {
		number, ok := v.(float64)
		if !ok {
			return row, errUnexpectedAnswer
		}
		row[i] = number
	}
	return row, nil
}

// parseSeries expects rows of date, numerator and denominator.
func parseSeries(rows [][]any) ([]analyticsPoint, error) {
	points := make([]analyticsPoint, 0, len(rows))
	for _, row := range rows {
		if len(row) != 3 {
			return nil, errUnexpectedAnswer
		}
		date, isText := row[0].(string)
		part, isPart := row[1].(float64)
		whole, isWhole := row[2].(float64)
		if !isText || !isPart || !isWhole || len(date) < len(time.DateOnly) {
			return nil, errUnexpectedAnswer
		}
		points = append(points, analyticsPoint{Date: date[:len(time.DateOnly)], Value: divideOrZero(part, whole), Numerator: part, Denominator: whole})
	}
	return points, nil
}

// maxRows is a limit on the rows of a series.
const maxRows = 10_000

// composeQuery writes the query of a metric over PostHog's events.
func (p *PostHog) composeQuery(q *analyticsQuery) hogQuery {
	h := hogQuery{values: map[string]any{"from": tools.FormatTimestamp(q.window.from), "to": tools.FormatTimestamp(q.window.to), "now": tools.FormatTimestamp(q.now)}}
	where := "1 = 1"
	for i, name := range slices.Sorted(maps.Keys(q.filters)) {
		key := fmt.Sprintf("filter%d", i)
		where += fmt.Sprintf(" AND properties.%s = {%s}", name, key)
		h.values[key] = q.filters[name]
	}
	arrived := "first_at >= toDateTime({from}) AND first_at <= toDateTime({to})"
	if q.cohort != nil {
		arrived += " AND first_at >= toDateTime({cohort_from}) AND first_at <= toDateTime({cohort_to})"
		h.values["cohort_from"], h.values["cohort_to"] = tools.FormatTimestamp(q.cohort.from), tools.FormatTimestamp(q.cohort.to)
	}
	event := func(step string) string {
		h.values[step] = p.events[step]
		return "{" + step + "}"
	}
	people := func(columns string) string {
		return "(SELECT person_id, min(timestamp) AS first_at" + columns + " FROM events WHERE " + where + " GROUP BY person_id)"
	}
	week := "toStartOfInterval(first_at, INTERVAL 7 DAY, toDateTime({from}))"
	switch q.metric.kind {
	case typeActivation:
		h.sql = "SELECT countIf(has(step_sessions, first_session)), count() FROM " +
			people(", argMin(properties.$session_id, timestamp) AS first_session, groupUniqArrayIf(properties.$session_id, event = "+event(stepEvents[q.metric.step])+") AS step_sessions") +
			" WHERE " + arrived
	case typeFunnel:
		level := "windowFunnel(315360000)(toDateTime(timestamp)"
		for _, step := range funnelSteps {
			level += ", event = " + event(step)
		}
		h.sql = "SELECT count(), countIf(level >= 1), countIf(level >= 2), countIf(level >= 3), countIf(level >= 4) FROM " +
			people(", "+level+") AS level") + " WHERE " + arrived
	case typeRetention:
		h.values["first_day"], h.values["last_day"] = q.metric.from, q.metric.to
		h.sql = "SELECT toDate(" + week + ") AS week, countIf(arrayExists(d -> dateDiff('day', toDate(first_at), d) >= {first_day} AND dateDiff('day', toDate(first_at), d) <= {last_day}, days)), count() FROM " +
			people(", groupUniqArray(toDate(timestamp)) AS days") + " WHERE " + arrived + " AND dateDiff('day', toDate(first_at), toDate(toDateTime({now}))) > {last_day}" + order
	case typeCohort:
		if q.metric.name == "cohort_size" {
			h.sql = "SELECT toDate(" + week + ") AS week, count(), 1 FROM " + people("") + " WHERE " + arrived + order
			break
		}
		h.values["weeks"] = telemetryrows.RememberedWeeks
		h.sql = "SELECT toDate(addWeeks(toDateTime({from}), n)) AS week, countIf(arrayExists(d -> intDiv(dateDiff('day', toDate(first_at), d), 7) = n, days)), count() FROM " +
			people(", groupUniqArray(toDate(timestamp)) AS days") + " ARRAY JOIN range({weeks}) AS n WHERE " + arrived +
			" AND dateDiff('day', toDate(first_at), toDate(toDateTime({now}))) > n * 7 + 6" + order
	default:
		h.sql = p.composeUsageSQL(q, where, event)
	}
	return h
}

// order bounds and sorts a series.
var order = fmt.Sprintf(" GROUP BY week ORDER BY week LIMIT %d", maxRows)

// composeUsageSQL counts people, or events by people, in days or weeks.
func (p *PostHog) composeUsageSQL(q *analyticsQuery, condition string, event func(string) string) string {
	from := " FROM events WHERE " + condition + " AND timestamp >= toDateTime({from}) AND timestamp <= toDateTime({to})"
	if q.cohort != nil {
		from += " AND person_id IN (SELECT person_id FROM events GROUP BY person_id HAVING min(timestamp) >= toDateTime({cohort_from}) AND min(timestamp) <= toDateTime({cohort_to}))"
	}
	week := "toDate(toStartOfInterval(timestamp, INTERVAL 7 DAY, toDateTime({from}))) AS week"
	switch q.metric.name {
	case "daily_active_users":
		return "SELECT toDate(timestamp) AS week, count(DISTINCT person_id), 1" + from + order
	case "weekly_active_users":
		return "SELECT " + week + ", count(DISTINCT person_id), 1" + from + order
	}
	done := "search"
	if q.metric.name == "avg_uploads_per_user_per_week" {
		done = "upload"
	}
	return "SELECT " + week + ", countIf(event = " + event(done) + "), count(DISTINCT person_id)" + from + order
}

const (
	// remoteTimeout bounds a query to a service; the call itself has 10 s.
	remoteTimeout = 8 * time.Second
	// maxAnswer bounds what a service may send.
	maxAnswer = 32 << 20
)

// runQuery sends a query to PostHog's HTTP interface.
func (p *PostHog) runQuery(ctx context.Context, h hogQuery) ([][]any, error) {
	body, err := json.Marshal(map[string]any{"query": map[string]any{"kind": "HogQLQuery", "query": h.sql, "values": h.values}})
	if err != nil {
		return nil, err
	}
	var rows [][]any
	err = p.service.Post(ctx, body, func(answer []byte) error {
		rows, err = parseQueryRows(answer)
		return err
	})
	return rows, p.toToolError(ctx, err)
}

// parseQueryRows reads the rows of an answer.
func parseQueryRows(raw []byte) ([][]any, error) {
	var found struct {
		Results [][]any `json:"results"`
	}
	if err := json.Unmarshal(raw, &found); err != nil || found.Results == nil || len(found.Results) > maxRows {
		return nil, errUnexpectedAnswer
	}
	return found.Results, nil
}

// toToolError tells a query that PostHog refuses from a PostHog that is not there.
func (p *PostHog) toToolError(ctx context.Context, err error) error {
	switch {
	case err == nil || errors.Is(ctx.Err(), context.Canceled):
		return err
	case isQueryRefused(err, http.StatusBadRequest, http.StatusNotFound, http.StatusUnprocessableEntity):
		return tools.Failed(codeAnalyticsFailed, true, err, "PostHog could not run the query; ask the user to check POSTHOG_PROJECT_ID and POSTHOG_EVENTS, or try again with a shorter time_range")
	}
	return tools.Failed(codeAnalyticsUnavailable, true, err, "PostHog did not answer; ask the user to check POSTHOG_URL and POSTHOG_API_KEY, then try again")
}
