package charts

import (
	"fmt"
	"slices"
	"time"

	"toolkit/internal/language"
	"toolkit/internal/reality"
	"toolkit/store/graph"
	"toolkit/tools"
)

// The arguments of a suggested call. Ids are used, since titles may repeat between
// charts.
func chartArgs(id string) map[string]any  { return map[string]any{"chartId": id} }
func parentArgs(id string) map[string]any { return map[string]any{"parentChartId": id} }
func stepArgs(id string) map[string]any   { return map[string]any{"actionStepName": id} }
func reopenArgs(id string) map[string]any {
	return map[string]any{"actionStepName": id, "reopen": true}
}
func parentBeatArgs(name string) map[string]any { return map[string]any{"parentBeatName": name} }
func statusArgs(id, status string) map[string]any {
	return map[string]any{"chartId": id, "status": status}
}

// listOverdueSteps returns the incomplete steps whose due date is past.
func listOverdueSteps(c *graph.Chart, now time.Time) []graph.Step {
	return slices.DeleteFunc(slices.Clone(c.Steps), func(s graph.Step) bool { return s.Completed || !isPast(s.DueDate, now) })
}

// readChartAndHints reads a chart that was written to, and says what to do next in it.
func (f *family) readChartAndHints(tx graph.Rows, chart int64) (*graph.Chart, *tools.Hints, error) {
	c, err := tx.ReadChartWithSteps(chart)
	if err != nil {
		return nil, nil, err
	}
	next, err := findNextStep(tx, c)
	return c, chartHints(relateChart(tools.NewHints(tools.WriteEvidence()), c.ID, c.Outcome, 1), c, next, f.Store.Now()), err
}

// chartHints says what to do next in a chart: add steps to an empty one, work on
// the next open step of others, which may be one of a chart below, look back on one whose
// steps are complete.
func chartHints(h *tools.Hints, c *graph.Chart, next *graph.PlacedStep, now time.Time) *tools.Hints {
	done, total := c.CountCompletedSteps(), len(c.Steps)
	warnContradictions(h, c)
	switch {
	case c.Status != graph.ChartActive:
		h.SuggestCall(updateChartName, tools.PriorityLow, statusArgs(c.ID, graph.ChartActive), "to go on with it").
			Because(fmt.Sprintf("the chart is %s since %s; %d of %d action steps are complete", c.Status, c.ClosedAt, done, total))
	case total == 0:
		h.SuggestCall("add_action_step", tools.PriorityHigh, parentArgs(c.ID), "name a first result between reality and outcome").
			Because("a chart without action steps has tension and no path")
	case next == nil:
		h.SuggestCall("creator_moment_of_truth", tools.PriorityHigh, chartArgs(c.ID), "all steps are complete: compare the outcome with what is so now").
			SuggestCall("update_current_reality", tools.PriorityMedium, chartArgs(c.ID), "record what exists now").
			Because(fmt.Sprintf("all %d action steps are complete; whether the outcome exists is for its creator to say", total))
		if c.ParentStep != "" {
			h.SuggestCall(completeName, tools.PriorityHigh, stepArgs(c.ParentStep), "if the step that this chart details is achieved")
		} else {
			h.SuggestCall(updateChartName, tools.PriorityHigh, statusArgs(c.ID, graph.ChartCompleted), "close the chart if its outcome exists")
		}
	default:
		h.SuggestCall("mark_action_complete", tools.PriorityHigh, stepArgs(next.ID), fmt.Sprintf("when %q exists%s", tools.ShortenForMessage(next.Title), formatDue(next.DueDate))).
			Because(fmt.Sprintf("%d of %d action steps are complete; the next is %q", done, total, tools.ShortenForMessage(next.Title)))
	}
	if late := listOverdueSteps(c, now); len(late) > 0 && c.Status == graph.ChartActive {
		priority := tools.PriorityMedium
		if 2*len(late) >= total-done {
			priority = tools.PriorityHigh
		}
		h.AddRisk("user-experience", priority,
			fmt.Sprintf("%d of %d open steps are past their due date, first %q%s", len(late), total-done, tools.ShortenForMessage(late[0].Title), formatDue(late[0].DueDate)),
			float64(len(late))/float64(total-done), 0.5, "go through them with creator_moment_of_truth")
	}
	return h
}

// warnContradictions points at facts of the reality that a completed step denies.
func warnContradictions(h *tools.Hints, c *graph.Chart) {
	for _, s := range c.Steps {
		if !s.Completed {
			continue
		}
		for _, fact := range reality.FindContradictions(c.Facts, s.Title) {
			h.Warn("conflict", tools.PriorityMedium, fmt.Sprintf("current reality says %q, but the step %q is complete", tools.ShortenForMessage(fact), tools.ShortenForMessage(s.Title)),
				"if the fact is outdated, remove it with delete_observations and record what is so, with all else that it says; if the step is not complete, reopen it with update_action_step")
			if reality.IsSingleFact(fact) { // else true facts would go with it
				h.SuggestCall("delete_observations", tools.PriorityHigh, map[string]any{"deletions": []map[string]any{{"entityName": c.ID, "observations": []string{fact}}}}, "remove the outdated fact, if the user agrees")
			}
			return // one at a time: the next comes with the next answer
		}
	}
}

func formatDue(due string) string {
	if due == "" {
		return ""
	}
	return " (due " + due + ")"
}

// warnStepsDueAfterChart notes open steps that are due after their chart.
func warnStepsDueAfterChart(h *tools.Hints, c *graph.Chart) {
	var late []string
	for _, s := range c.Steps {
		if isDueAfter(s.DueDate, c.DueDate) && !s.Completed {
			late = append(late, fmt.Sprintf("%q%s", tools.ShortenForMessage(s.Title), formatDue(s.DueDate)))
		}
	}
	if len(late) > 0 {
		h.Warn("conflict", tools.PriorityLow, fmt.Sprintf("%s due after the chart %s%s: %s", language.FormatCount(len(late), "open step is", "open steps are"), c.ID, formatDue(c.DueDate), joinFirstFew(late)), "move them with update_action_step, or the chart with update_chart")
	}
}

// warnPastDate notes a due date that was accepted although it is past.
func warnPastDate(h *tools.Hints, field, due string, now time.Time) {
	if isPast(due, now) {
		h.Warn("validation", tools.PriorityLow, field+" "+due+" is past", "ask the user for a date to come, if one is meant")
	}
}

// warnInactive says why a chart that was written to is not in the active list.
func warnInactive(tx graph.Rows, h *tools.Hints, c *graph.Chart) error {
	inactive, err := tx.FindInactiveCharts([]int64{c.Row})
	if inactive[c.Row] {
		h.Warn("conflict", tools.PriorityMedium, "the chart "+c.ID+" or one above it is closed, or its step is complete, so list_active_charts does not show it",
			"open it again with update_chart status active, or use a chart that is active")
	}
	return err
}

// relateChart names a chart among the related resources.
func relateChart(h *tools.Hints, id, outcome string, relevance float64) *tools.Hints {
	return h.AddRelatedResource("chart", id, tools.ShortenForMessage(outcome), relevance)
}
