package charts

import (
	"context"

	"toolkit/store"
	"toolkit/tools"
)

type statusInput struct {
	ChartID string `json:"chartId" jsonschema:"required" jsonschema_description:"Chart to look at: id or exact desired outcome"`
}

type statusOutput struct {
	ChartID          tools.ChartID `json:"chartId"`
	Progress         float64       `json:"progress"`
	CompletedActions int           `json:"completedActions"`
	TotalActions     int           `json:"totalActions"`
	DesiredOutcome   string        `json:"desiredOutcome"`
	CurrentReality   string        `json:"currentReality"`
	ActionSteps      []string      `json:"actionSteps"`
}

func (f *family) statusTool() tools.Tool[statusInput, statusOutput] {
	return tools.Tool[statusInput, statusOutput]{
		Name:  "get_chart_progress",
		Title: "Get the progress of a chart",
		Description: "Read one chart: how many of its action steps are complete, its desired outcome, current reality and step titles; hints name the next open step. " +
			"Use it before working on a chart. Returns progress between 0 and 1. Example: \"how is my podcast coming along?\".",
		Permissions: []tools.Permission{mayRead}, Category: tools.Query, ResponseTime: tools.Fast, Idempotent: true, Version: version,
		Tags: []string{"charts", "progress"},
		Examples: []tools.Example[statusInput, statusOutput]{{
			Description: "A chart with one of three steps complete",
			Setup: []tools.SetupCall{
				{Tool: createName, Params: createInput{
					DesiredOutcome: "Create engaging podcast", CurrentReality: "Have microphone",
					DueDate: "2025-06-30T00:00:00Z", ActionSteps: []string{"Learn recording/editing", "Create 5 episodes", "Build audience"},
				}},
				{Tool: "mark_action_complete", Params: completeInput{ActionStepName: "Learn recording/editing"}},
			},
			Params: statusInput{ChartID: "Create engaging podcast"},
			Result: statusOutput{
				ChartID: "chart_1765629421446", Progress: 0.33, CompletedActions: 1, TotalActions: 3, DesiredOutcome: "Create engaging podcast",
				CurrentReality: "Have microphone; Completed: Learn recording/editing",
				ActionSteps:    []string{"Learn recording/editing", "Create 5 episodes", "Build audience"},
			},
			Varies: []string{"chartId"},
		}},
		Handle: f.status,
	}
}

func (f *family) status(ctx context.Context, in statusInput) (tools.Result[statusOutput], error) {
	var none tools.Result[statusOutput]
	if err := notBlank("chartId", in.ChartID); err != nil {
		return none, err
	}
	c, err := f.chartState(ctx, in.ChartID)
	if err != nil {
		return none, err
	}
	h := chartHints(tools.NewHints(tools.Read(1)), c, f.store.Now())
	if c.ParentChart != "" {
		relateChart(h, c.ParentChart, "the chart that owns the step this chart details", 0.8)
	}
	done, total := c.Completed(), len(c.Steps)
	return tools.Result[statusOutput]{Hints: h, Data: statusOutput{
		ChartID: tools.ChartID(c.ID), Progress: store.Progress(done, total), CompletedActions: done, TotalActions: total,
		DesiredOutcome: c.Outcome, CurrentReality: c.Reality(), ActionSteps: c.Titles(),
	}}, nil
}

// chartState reads the chart that a name means.
func (f *family) chartState(ctx context.Context, name string) (*store.ChartState, error) {
	return store.ReadValue(ctx, f.store, func(tx *store.Tx) (*store.ChartState, error) {
		chart, err := resolveChart(tx, "chartId", name)
		if err != nil {
			return nil, err
		}
		return tx.ChartStateAt(chart.Row)
	})
}
