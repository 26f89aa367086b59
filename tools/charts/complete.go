package charts

import (
	"fmt"

	"toolkit/internal/reality"
	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/tools"
)

const completeName = "mark_action_complete"

type completeInput struct {
	ActionStepName string `json:"actionStepName" jsonschema:"required" jsonschema_description:"Id or exact title of the step"`
}

type completeOutput struct {
	ActionStepName        string `json:"actionStepName"`
	Status                string `json:"status" jsonschema:"enum=completed"`
	CompletedAt           string `json:"completedAt"`
	ParentChartID         string `json:"parentChartId"`
	UpdatedCurrentReality string `json:"updatedCurrentReality"`
	// OpenSubSteps is additive: the sub-chart stays active while one is open.
	OpenSubSteps []stepRef `json:"openSubSteps,omitempty" jsonschema_description:"Steps within it that are still open"`
}

// stepRef names a step.
type stepRef struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

func (f *family) completeStepTool() *tools.Definition {
	return defineWriter(f, mayUpdate, f.completeActionStep, tools.Tool[completeInput, completeOutput]{
		Name:  completeName,
		Title: "Mark an action step complete",
		Description: "Mark an action step complete, and record that in the reality of its chart. " +
			"Use it when what the step names exists. Returns the chart's new reality and what is open within the step. Example: \"Learn recording\".",
		Idempotent: true, Version: "1.1.1", Tags: []string{"charts", "progress"}, Core: true,
		Examples: []tools.Example[completeInput, completeOutput]{{
			Description: "The first step of a chart",
			Setup:       exampleChartSetup("Learn recording/editing", "Create 5 episodes"),
			Params:      completeInput{ActionStepName: "Learn recording/editing"},
			Result: completeOutput{
				ActionStepName: "Learn recording/editing", Status: "completed", CompletedAt: "2025-12-13T20:00:00Z",
				ParentChartID: "chart_1765629421446", UpdatedCurrentReality: "Have microphone; Completed: Learn recording/editing",
			},
			Varies: []string{"completedAt", "parentChartId"},
		}},
	})
}

// maxOpenShown bounds the open sub-steps that an answer names.
const maxOpenShown = 10

func (f *family) completeActionStep(tx *store.Tx, in completeInput) (out completeOutput, h *tools.Hints, err error) {
	rows := graph.In(tx)
	step, err := resolveOrFirstError(tx, resolveStepByTitleOrWords, "actionStepName", in.ActionStepName, nil, nil)
	if err != nil {
		return out, nil, err
	}
	already := step.Completed
	notified, err := f.completeStep(rows, step)
	if err != nil {
		return out, nil, err
	}
	chart, h, err := f.readChartAndHints(rows, step.Chart)
	if err != nil {
		return out, nil, err
	}
	if already {
		h.Warn("duplicate", tools.PriorityLow, "the step was complete already; its first date was kept and nothing was added", "")
	}
	for _, id := range notified {
		relateChart(h, id, "its reality now says that all steps below are complete", 0.9)
	}
	open, total, err := rows.ListOpenStepsBelow(step.Row, maxOpenShown)
	if total > 0 {
		warnOpenStepsWithin(h, step, open, total)
	}
	out = completeOutput{
		ActionStepName: step.Title, Status: stepCompleted, CompletedAt: step.CompletedAt,
		ParentChartID: chart.ID, UpdatedCurrentReality: chart.Reality(),
	}
	for _, s := range open {
		out.OpenSubSteps = append(out.OpenSubSteps, stepRef{s.ID, s.Title})
	}
	return out, h, err
}

// warnOpenStepsWithin names what is open below a step that is complete: its outcome may
// exist without them, which is for its creator to say.
func warnOpenStepsWithin(h *tools.Hints, step *graph.Step, open []*graph.Step, total int) {
	candidates := make([]candidate, len(open))
	for i, s := range open {
		candidates[i] = stepCandidate(s)
	}
	h.Warn("conflict", tools.PriorityHigh,
		fmt.Sprintf("%q is complete, but %d step(s) within it are open: %s; their chart stays active", tools.ShortenForMessage(step.Title), total, joinCandidates(candidates)),
		"complete those that are done, close the chart with update_chart if the rest is not needed, or reopen the step with update_action_step")
	h.SuggestCall(updateStepName, tools.PriorityMedium, reopenArgs(step.ID), "if the step is not complete after all").
		SuggestCall(updateChartName, tools.PriorityLow, statusArgs(open[0].ChartID, graph.ChartAbandoned), "if the rest of its steps is not needed")
}

// completeStep completes a step, unless it is complete, and lets the realities above
// hear of it; notified are the ids of the charts that did.
func (f *family) completeStep(tx graph.Rows, step *graph.Step) (notified []string, err error) {
	if step.Completed {
		return nil, nil
	}
	step.Completed, step.CompletedAt = true, formatTimestamp(f.Store.Now())
	if err := tx.CompleteStep(step, step.CompletedAt); err != nil {
		return nil, err
	}
	if _, err := tx.AppendFacts(step.Chart, []string{reality.FormatCompletedFact(step.Title)}); err != nil {
		return nil, err
	}
	news, err := reality.ReconcileParentFacts(tx, step.Chart)
	return news.NotifiedCharts, err
}
