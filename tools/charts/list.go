package charts

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"toolkit/internal/language"
	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/tools"
)

const listName = "list_active_charts"

// defaultLimit bounds a list that was asked for without a limit.
const defaultLimit = 1000

type listInput struct {
	Limit  int `json:"limit,omitempty" jsonschema:"minimum=1,maximum=1000" jsonschema_extras:"seldom=true" jsonschema_description:"At most this many charts, 1000 if absent"`
	Offset int `json:"offset,omitempty" jsonschema:"minimum=0" jsonschema_extras:"seldom=true" jsonschema_description:"Skip this many charts"`
}

type listOutput struct {
	Charts []listedChart `json:"charts"`
}

type listedChart struct {
	graph.ChartHead
	graph.ChartProgress
	Level       int      `json:"level" jsonschema_description:"0 for a master chart"`
	ParentChart *string  `json:"parentChart" jsonschema:"oneof_type=string;null"`
	ActionSteps []string `json:"actionSteps"`
}

func (f *family) listChartsTool() *tools.Definition {
	podcast := createInput{DesiredOutcome: "Create engaging podcast", CurrentReality: "Have microphone, no experience",
		DueDate: "2025-06-30T00:00:00Z", ActionSteps: []string{"Learn recording/editing", "Create 5 episodes", "Build audience"}}
	return defineReader(f, mayRead, f.listActiveCharts, tools.Tool[listInput, listOutput]{
		Name:  listName,
		Title: "List active charts",
		Description: "List the active structural tension charts as a tree, with progress, level and parentChart. " +
			"Use it to see what the user is creating or to find a chartId. Example: at the start of a session.",
		Idempotent: true, Version: "1.0.1", Tags: []string{"charts", "overview"}, Core: true, BareList: "charts",
		Examples: []tools.Example[listInput, listOutput]{{
			Description: "One chart, one of three steps complete",
			Setup: []tools.SetupCall{
				{Tool: createName, Params: podcast},
				{Tool: "mark_action_complete", Params: completeInput{ActionStepName: "Learn recording/editing"}},
			},
			Result: listOutput{Charts: []listedChart{{
				ChartHead: graph.ChartHead{ChartID: "chart_1765629421446", DesiredOutcome: "Create engaging podcast",
					CurrentReality: "Have microphone, no experience; Completed: Learn recording/editing", DueDate: "2025-06-30T00:00:00Z"},
				ChartProgress: graph.NewProgress(1, 3), ActionSteps: podcast.ActionSteps,
			}}},
			Varies: []string{"chartId"},
		}},
	})
}

func (f *family) listActiveCharts(tx *store.Tx, in listInput) (out listOutput, h *tools.Hints, err error) {
	in.Limit = cmp.Or(in.Limit, defaultLimit)
	rows, more, err := graph.In(tx).ActiveCharts(in.Limit, in.Offset)
	if err != nil {
		return out, nil, err
	}
	closed, last, err := graph.In(tx).CountClosedCharts()
	if err != nil {
		return out, nil, err
	}
	charts, err := graph.In(tx).ReadChartsWithSteps(rows)
	if err != nil {
		return out, nil, err
	}
	open, err := NextSteps(graph.In(tx))
	if err != nil {
		return out, nil, err
	}
	next, err := loadFirstStep(graph.In(tx), open)
	if err != nil {
		return out, nil, err
	}
	out.Charts = make([]listedChart, len(charts))
	for i, chart := range charts {
		out.Charts[i] = describeListed(chart)
	}
	h = activeChartsHints(charts, next, f.Store.Now())
	if closed > 0 {
		h.Assumes(fmt.Sprintf("%s not listed, the last %q (%s)", language.FormatCount(closed, "closed chart is", "closed charts are"), tools.ShortenForMessage(last.Outcome), last.ID))
	}
	if more {
		warnListCut(h, listName, "charts", len(charts), in.Offset, map[string]any{"limit": in.Limit})
	}
	return out, h, nil
}

// warnListCut says how to read on where a list was cut after n.
func warnListCut(h *tools.Hints, tool, what string, n, offset int, args map[string]any) {
	args["offset"] = offset + n
	h.Warn("performance", tools.PriorityMedium, fmt.Sprintf("the list was cut after %d %s; more follow", n, what), fmt.Sprintf("call again with offset %d", offset+n))
	h.SuggestCall(tool, tools.PriorityLow, args, "read on")
}

func describeListed(c *graph.Chart) listedChart {
	d := listedChart{ChartHead: c.Head(), ChartProgress: c.Progress(), Level: c.Level, ActionSteps: c.StepTitles()}
	if c.ParentChart != "" {
		d.ParentChart = &c.ParentChart
	}
	return d
}

// FindChartsWithOpenSteps are the rows of the charts in a list in which, or below which, a step is open.
// Each chart stands in it before those below it.
func FindChartsWithOpenSteps(charts []*graph.Chart) map[int64]bool {
	open := map[int64]bool{}
	for _, c := range slices.Backward(charts) {
		if open[c.Row] || c.CountCompletedSteps() < len(c.Steps) {
			open[c.Row], open[c.ParentChartRow] = true, true
		}
	}
	return open
}

// activeChartsHints points at what calls for attention first: overdue steps, charts
// whose steps are complete, charts without steps, and the step that is next.
func activeChartsHints(charts []*graph.Chart, next *graph.PlacedStep, now time.Time) *tools.Hints {
	h := tools.NewHints(tools.NewReadEvidence(len(charts)))
	if len(charts) == 0 {
		return h.SuggestCall(createName, tools.PriorityHigh, nil, "no chart is active: create one for what the user wants to bring into being").
			Needs("what the user wants to create").Because("there is no active chart")
	}
	open := FindChartsWithOpenSteps(charts)
	var late, finished, empty *graph.Chart
	lateSteps := 0
	for _, c := range charts {
		n := len(listOverdueSteps(c, now))
		lateSteps += n
		setIfFirst(&late, c, n > 0)
		setIfFirst(&empty, c, len(c.Steps) == 0)
		setIfFirst(&finished, c, len(c.Steps) > 0 && !open[c.Row])
	}
	if late != nil {
		s := listOverdueSteps(late, now)[0]
		h.SuggestCall("get_chart_progress", tools.PriorityHigh, chartArgs(late.ID), fmt.Sprintf("%d step(s) are overdue, first %q%s", lateSteps, tools.ShortenForMessage(s.Title), formatDue(s.DueDate)))
	}
	if finished != nil {
		h.SuggestCall("creator_moment_of_truth", tools.PriorityHigh, chartArgs(finished.ID), fmt.Sprintf("all steps of %q are complete", tools.ShortenForMessage(finished.Outcome))).
			SuggestCall(updateChartName, tools.PriorityMedium, statusArgs(finished.ID, graph.ChartCompleted), "close it if its outcome exists")
	}
	if empty != nil {
		h.SuggestCall("add_action_step", tools.PriorityMedium, parentArgs(empty.ID), fmt.Sprintf("%q has no action steps yet", tools.ShortenForMessage(empty.Outcome)))
	}
	if next != nil {
		h.SuggestCall("mark_action_complete", tools.PriorityMedium, stepArgs(next.ID), fmt.Sprintf("when %q exists%s", tools.ShortenForMessage(next.Title), formatDue(next.DueDate)))
	}
	return h.Because(language.FormatCount(len(charts), "active chart", "active charts") + ", " + language.FormatCount(lateSteps, "overdue step", "overdue steps"))
}

// setIfFirst keeps the first chart for which a condition holds.
func setIfFirst(first **graph.Chart, c *graph.Chart, matches bool) {
	if *first == nil && matches {
		*first = c
	}
}
