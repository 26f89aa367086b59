package charts

import (
	"context"

	"toolkit/store"
	"toolkit/tools"
	"toolkit/tools/engines/orientation"
)

const outcomeName = "update_desired_outcome"

type outcomeInput struct {
	ChartID           string `json:"chartId" jsonschema:"required" jsonschema_description:"Chart to change: id or exact desired outcome"`
	NewDesiredOutcome string `json:"newDesiredOutcome" jsonschema:"required,minLength=1" jsonschema_description:"The outcome as it is wanted now, in creative words"`
}

type outcomeOutput struct {
	ChartID                tools.ChartID `json:"chartId"`
	DesiredOutcome         string        `json:"desiredOutcome"`
	PreviousDesiredOutcome string        `json:"previousDesiredOutcome"`
	UpdatedAt              string        `json:"updatedAt"`
}

func (f *family) outcomeTool() tools.Tool[outcomeInput, outcomeOutput] {
	return tools.Tool[outcomeInput, outcomeOutput]{
		Name:  outcomeName,
		Title: "Update the desired outcome",
		Description: "Replace the desired outcome of a chart. Use it when the user sees more clearly what they want to create; steps and reality stay. " +
			"Of a chart that is an action step it renames the step. Returns the new and the previous outcome. Example: from \"Create a podcast\" to \"Create a weekly podcast on bees\".",
		Permissions: []tools.Permission{mayUpdate}, Category: tools.Mutation, ResponseTime: tools.Fast, Idempotent: true, Destructive: true, Version: version,
		Tags: []string{"charts", "planning"},
		Examples: []tools.Example[outcomeInput, outcomeOutput]{{
			Description: "A clearer outcome",
			Setup: []tools.SetupCall{{Tool: createName, Params: createInput{
				DesiredOutcome: "Create a podcast", CurrentReality: "Have microphone", DueDate: "2025-06-30T00:00:00Z",
			}}},
			Params: outcomeInput{ChartID: "Create a podcast", NewDesiredOutcome: "Create a weekly podcast on bees"},
			Result: outcomeOutput{
				ChartID: "chart_1765629421446", DesiredOutcome: "Create a weekly podcast on bees",
				PreviousDesiredOutcome: "Create a podcast", UpdatedAt: "2025-12-13T20:00:00Z",
			},
			Varies: []string{"chartId", "updatedAt"},
		}},
		Handle: f.outcome,
	}
}

func (f *family) outcome(ctx context.Context, in outcomeInput) (tools.Result[outcomeOutput], error) {
	var none tools.Result[outcomeOutput]
	if err := firstOf(notBlank("chartId", in.ChartID), notBlank("newDesiredOutcome", in.NewDesiredOutcome)); err != nil {
		return none, err
	}
	previous := ""
	c, err := store.WriteValue(ctx, f.store, func(tx *store.Tx) (*store.ChartState, error) {
		chart, err := resolveChart(tx, "chartId", in.ChartID)
		if err != nil {
			return nil, err
		}
		previous = chart.Outcome
		if err := f.checkOutcome(tx, chart, in.NewDesiredOutcome); err != nil {
			return nil, err
		}
		if in.NewDesiredOutcome != chart.Outcome {
			if err := setOutcome(tx, chart, in.NewDesiredOutcome); err != nil {
				return nil, err
			}
		}
		return tx.ChartStateAt(chart.Row)
	})
	if err != nil {
		return none, err
	}
	h := chartHints(tools.NewHints(tools.Written()), c, f.store.Now())
	relateChart(h, c.ID, c.Outcome, 1)
	if len(c.Steps) > 0 {
		h.Assumes("the action steps still lead to the new outcome")
	}
	return tools.Result[outcomeOutput]{Hints: h, Data: outcomeOutput{
		ChartID: tools.ChartID(c.ID), DesiredOutcome: c.Outcome, PreviousDesiredOutcome: previous, UpdatedAt: timestamp(c.Updated),
	}}, nil
}

// setOutcome replaces an outcome; that of a chart which is a step is its title.
func setOutcome(tx *store.Tx, chart *store.Chart, outcome string) error {
	if !chart.IsStep() {
		return tx.SetOutcome(chart, outcome)
	}
	step, err := tx.StepAt(chart.Row)
	if err != nil {
		return err
	}
	return renameStep(tx, step, outcome)
}

// checkOutcome judges a new outcome. That of a telescoped chart was a step
// title, so only the deny part applies; and where the chart is the step, its
// title must stay unique within the parent.
func (f *family) checkOutcome(tx *store.Tx, chart *store.Chart, outcome string) error {
	if chart.ParentStep == "" {
		return oriented(outcomeName, "newDesiredOutcome", orientation.Outcome(outcome, f.level))
	}
	if err := oriented(outcomeName, "newDesiredOutcome", orientation.OutcomeTitle(outcome, f.level)); err != nil || !chart.IsStep() {
		return err
	}
	_, parent := chart.ParentRows()
	namesake, err := tx.StepTitled(parent, outcome, chart.Row)
	if err != nil || namesake == nil {
		return err
	}
	return duplicateStep("newDesiredOutcome", outcome, namesake)
}
