package charts

import (
	"context"
	"fmt"
	"strings"

	"toolkit/store"
	"toolkit/tools"
	"toolkit/tools/engines/reality"
)

const completeName = "mark_action_complete"

type completeInput struct {
	ActionStepName string `json:"actionStepName" jsonschema:"required" jsonschema_description:"Step that is complete: id or exact title"`
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

func (f *family) completeTool() tools.Tool[completeInput, completeOutput] {
	return tools.Tool[completeInput, completeOutput]{
		Name:  completeName,
		Title: "Mark an action step complete",
		Description: "Mark an action step complete and record that in the reality of its chart; repeating it changes nothing. " +
			"Use it when the result that the step names exists. Returns the chart's new current reality, and what is still open within the step. Example: \"Learn recording\" once the user can record.",
		Permissions: []tools.Permission{mayUpdate}, Category: tools.Mutation, ResponseTime: tools.Fast, Idempotent: true, Version: additive,
		Tags: []string{"charts", "progress"},
		Examples: []tools.Example[completeInput, completeOutput]{{
			Description: "The first step of a chart",
			Setup: []tools.SetupCall{{Tool: createName, Params: createInput{
				DesiredOutcome: "Create engaging podcast", CurrentReality: "Have microphone",
				DueDate: "2025-06-30T00:00:00Z", ActionSteps: []string{"Learn recording/editing", "Create 5 episodes"},
			}}},
			Params: completeInput{ActionStepName: "Learn recording/editing"},
			Result: completeOutput{
				ActionStepName: "Learn recording/editing", Status: "completed", CompletedAt: "2025-12-13T20:00:00Z",
				ParentChartID: "chart_1765629421446", UpdatedCurrentReality: "Have microphone; Completed: Learn recording/editing",
			},
			Varies: []string{"completedAt", "parentChartId"},
		}},
		Handle: f.complete,
	}
}

// completion is what completing a step tells the result.
type completion struct {
	step    *store.Step
	chart   *store.ChartState // that owns the step
	already bool
	upward  []string      // ids of the charts that heard of it
	open    []*store.Step // some of those below it that are open
	opens   int           // how many there are
}

// maxOpenShown bounds the open sub-steps that an answer names.
const maxOpenShown = 10

func (f *family) complete(ctx context.Context, in completeInput) (tools.Result[completeOutput], error) {
	var none tools.Result[completeOutput]
	if err := notBlank("actionStepName", in.ActionStepName); err != nil {
		return none, err
	}
	c, err := store.WriteValue(ctx, f.store, func(tx *store.Tx) (completion, error) { return f.completeStep(tx, in.ActionStepName) })
	if err != nil {
		return none, err
	}
	h := chartHints(tools.NewHints(tools.Written()), c.chart, f.store.Now())
	relateChart(h, c.chart.ID, c.chart.Outcome, 1)
	if c.already {
		h.Warn("duplicate", tools.Low, "the step was complete already; its first date was kept and nothing was added", "")
	}
	for _, id := range c.upward {
		relateChart(h, id, "its reality now says that all steps below are complete", 0.9)
	}
	out := completeOutput{
		ActionStepName: c.step.Title, Status: "completed", CompletedAt: c.step.CompletedAt,
		ParentChartID: c.chart.ID, UpdatedCurrentReality: c.chart.Reality(),
	}
	for _, s := range c.open {
		out.OpenSubSteps = append(out.OpenSubSteps, stepRef{s.ID, s.Title})
	}
	c.warnOpen(h)
	return tools.Result[completeOutput]{Hints: h, Data: out}, nil
}

// warnOpen names what is open below a step that is complete: its outcome may
// exist without them, which is for its creator to say.
func (c *completion) warnOpen(h *tools.Hints) {
	if c.opens == 0 {
		return
	}
	titles := make([]string, len(c.open))
	for i, s := range c.open {
		titles[i] = fmt.Sprintf("%q (%s)", shorten(s.Title), s.ID)
	}
	h.Warn("conflict", tools.High,
		fmt.Sprintf("%q is complete, but %d step(s) within it are open: %s; their chart stays active", shorten(c.step.Title), c.opens, strings.Join(titles, ", ")),
		"complete those that are done, close the chart with update-chart if the rest is not needed, or reopen the step with update-action-step")
	h.Next(updateStepName, tools.Middle, map[string]any{"actionStepName": c.step.ID, "reopen": true}, "if the step is not complete after all").
		Next(updateChartName, tools.Low, map[string]any{"chartId": c.open[0].ChartID, "status": store.ChartAbandoned}, "if the rest of its steps is not needed")
}

func (f *family) completeStep(tx *store.Tx, name string) (c completion, err error) {
	if c.step, err = resolveStep(tx, "actionStepName", name); err != nil {
		return c, err
	}
	return c, f.finish(tx, &c)
}

// finish completes the step, unless it is complete, and lets the realities above
// hear of it.
func (f *family) finish(tx *store.Tx, c *completion) (err error) {
	c.already = c.step.Completed
	if !c.already {
		c.step.Completed, c.step.CompletedAt = true, timestamp(f.store.Now())
		if err := tx.CompleteStep(c.step, c.step.CompletedAt); err != nil {
			return err
		}
		if _, err := tx.AppendFacts(c.step.Chart, []string{reality.Completed(c.step.Title)}); err != nil {
			return err
		}
		news, err := reality.Settle(tx, c.step.Chart)
		if err != nil {
			return err
		}
		c.upward = news.Told
	}
	if c.open, c.opens, err = tx.OpenStepsBelow(c.step.Row, maxOpenShown); err != nil {
		return err
	}
	c.chart, err = tx.ChartStateAt(c.step.Chart)
	return err
}
