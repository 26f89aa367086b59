package charts

import (
	"context"
	"fmt"

	"toolkit/store"
	"toolkit/tools"
)

type completeInput struct {
	ActionStepName string `json:"actionStepName" jsonschema:"required" jsonschema_description:"Step that is complete: id or exact title"`
}

type completeOutput struct {
	ActionStepName        string `json:"actionStepName"`
	Status                string `json:"status" jsonschema:"enum=completed"`
	CompletedAt           string `json:"completedAt"`
	ParentChartID         string `json:"parentChartId"`
	UpdatedCurrentReality string `json:"updatedCurrentReality"`
}

func (f *family) completeTool() tools.Tool[completeInput, completeOutput] {
	return tools.Tool[completeInput, completeOutput]{
		Name:  "mark_action_complete",
		Title: "Mark an action step complete",
		Description: "Mark an action step complete and record that in the reality of its chart; repeating it changes nothing. " +
			"Use it when the result that the step names exists. Returns the chart's new current reality. Example: \"Learn recording\" once the user can record.",
		Permissions: []tools.Permission{mayUpdate}, Category: tools.Mutation, ResponseTime: tools.Fast, Idempotent: true, Version: version,
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
	upward  []string // ids of the charts that heard of it
}

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
	return tools.Result[completeOutput]{Hints: h, Data: completeOutput{
		ActionStepName: c.step.Title, Status: "completed", CompletedAt: c.step.CompletedAt,
		ParentChartID: c.chart.ID, UpdatedCurrentReality: c.chart.Reality(),
	}}, nil
}

func (f *family) completeStep(tx *store.Tx, name string) (c completion, err error) {
	if c.step, err = resolveStep(tx, "actionStepName", name); err != nil {
		return c, err
	}
	c.already = c.step.Completed
	if !c.already {
		c.step.Completed, c.step.CompletedAt = true, timestamp(f.store.Now())
		if err := tx.CompleteStep(c.step, c.step.CompletedAt); err != nil {
			return c, err
		}
		if _, err := tx.AppendFacts(c.step.Chart, []string{"Completed: " + c.step.Title}); err != nil {
			return c, err
		}
		if c.upward, err = reportUpward(tx, c.step.Chart); err != nil {
			return c, err
		}
	}
	c.chart, err = tx.ChartStateAt(c.step.Chart)
	return c, err
}

// reportUpward tells the parent of a chart when all steps below the parent's
// step are complete, and goes on from there. The step itself stays open: its
// outcome is more than its steps. It returns the charts that were told.
func reportUpward(tx *store.Tx, chart int64) (told []string, err error) {
	seen := map[int64]bool{} // imported charts are not trusted to form a tree
	for !seen[chart] {
		seen[chart] = true
		c, err := tx.ChartAt(chart)
		if err != nil || c == nil || c.ParentStep == "" {
			return told, err
		}
		step, parent := c.ParentRows()
		completed, total, err := tx.StepsBelow(step)
		if err != nil || completed < total {
			return told, err
		}
		parentStep, err := tx.StepAt(step)
		if err != nil {
			return told, err
		}
		news, err := tx.AppendFacts(parent, []string{fmt.Sprintf("All action steps complete: %s", parentStep.Title)})
		if err != nil {
			return told, err
		}
		if len(news) > 0 {
			told = append(told, parentStep.ChartID)
		}
		chart = parent
	}
	return told, nil
}
