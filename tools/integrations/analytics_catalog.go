package integrations

import (
	"slices"

	"toolkit/tools/integrations/telemetry"
)

// Types of product analytics, as the source documents them.
const (
	typeActivation = "activation"
	typeRetention  = "retention"
	typeUsage      = "usage"
	typeFunnel     = "funnel"
	typeCohort     = "cohort"
)

// analyticsMetric is an entry of the catalog of product analytics. The first of
// a type answers when no name is given.
type analyticsMetric struct {
	kind, name  string
	description string // the definition, printed with each answer
	threshold   *threshold

	step     telemetry.Step // activation: the step that counts
	from, to int64          // retention: days after the first one, both included
}

// threshold is what the source wants a metric to reach; only what it states.
type threshold struct {
	Required float64 `json:"required,omitempty"`
	Target   float64 `json:"target,omitempty"`
}

func activationMetric(name, what string, step telemetry.Step, t *threshold) analyticsMetric {
	return analyticsMetric{kind: typeActivation, name: name, step: step, threshold: t,
		description: "Share of users first seen in the time range who " + what + " in their first session, which ends at a pause of 30 minutes"}
}

func retentionMetric(name string, what string, from, to int64, t *threshold) analyticsMetric {
	return analyticsMetric{kind: typeRetention, name: name, from: from, to: to, threshold: t,
		description: "Share of users, by the week in which they were first seen, who were active again " + what + "; users for whom that time is not over yet are left out. Days are UTC"}
}

var analyticsCatalog = []analyticsMetric{
	activationMetric("activation_first_upload_rate", "brought in a record or file", telemetry.StepUpload, &threshold{Required: 0.60, Target: 0.80}),
	activationMetric("activation_first_extraction_rate", "had facts extracted from a document", telemetry.StepExtraction, nil),
	activationMetric("activation_first_entity_rate", "looked at an entity", telemetry.StepEntity, nil),
	activationMetric("activation_first_event_rate", "looked at timeline events", telemetry.StepEvent, nil),
	activationMetric("activation_first_search_rate", "searched", telemetry.StepSearch, nil),
	activationMetric("activation_first_ai_query_rate", "had an assistant read something", telemetry.StepQuery, nil),
	retentionMetric("day_1_retention", "on the day after the first one", 1, 1, &threshold{Required: 0.40, Target: 0.60}),
	retentionMetric("week_1_retention", "on any of the days 7 to 13 after the first one", 7, 13, nil),
	retentionMetric("month_1_retention", "on any of the days 30 to 59 after the first one", 30, 59, nil),
	{kind: typeUsage, name: "daily_active_users", description: "Users with at least one call, by UTC day"},
	{kind: typeUsage, name: "weekly_active_users", description: "Users with at least one call, by 7 UTC days from the first day of the time range"},
	{kind: typeUsage, name: "avg_uploads_per_user_per_week", description: "Uploads divided by active users, by 7 UTC days from the first day of the time range"},
	{kind: typeUsage, name: "avg_searches_per_user_per_week", description: "Searches divided by active users, by 7 UTC days from the first day of the time range"},
	{kind: typeFunnel, name: "signup_to_timeline", description: "Users first seen in the time range who then, in this order and up to its end, uploaded, had facts extracted, looked at an entity and at the timeline; value is the share that came through"},
	{kind: typeCohort, name: "cohort_size", description: "Users by the week, from the first day of the time range, in which they were first seen"},
	{kind: typeCohort, name: "cohort_retention", description: "Share of users first seen in the time range, or in the cohort, who were active in each week since their first day; users for whom the week is not over yet are left out. Days are UTC"},
}

// findAnalyticsMetric looks a metric of a type up; without a name it is the type's
// first.
func findAnalyticsMetric(kind, name string) *analyticsMetric {
	for i := range analyticsCatalog {
		if m := &analyticsCatalog[i]; m.kind == kind && (name == "" || m.name == name) {
			return m
		}
	}
	return nil
}

// listMetricNames returns the names of a type, in order.
func listMetricNames(kind string) (names []string) {
	for _, m := range analyticsCatalog {
		if m.kind == kind {
			names = append(names, m.name)
		}
	}
	return names
}

// findMetricType returns the type of a metric, or "".
func findMetricType(name string) string {
	i := slices.IndexFunc(analyticsCatalog, func(m analyticsMetric) bool { return m.name == name })
	if i < 0 {
		return ""
	}
	return analyticsCatalog[i].kind
}
