package charts

import (
	"toolkit/internal/orientation"
	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/tools"
)

const outcomeName = "update_desired_outcome"

type outcomeInput struct {
	ChartID           string `json:"chartId" jsonschema:"required,maxLength=1000" jsonschema_description:"Chart to change: id or exact desired outcome"`
	NewDesiredOutcome string `json:"newDesiredOutcome" jsonschema:"required,minLength=1" jsonschema_description:"The outcome as it is wanted now, in creative words"`
}

type outcomeOutput struct {
	ChartID                tools.ChartID `json:"chartId"`
	DesiredOutcome         string        `json:"desiredOutcome"`
	PreviousDesiredOutcome string        `json:"previousDesiredOutcome"`
	UpdatedAt              string        `json:"updatedAt"`
}

func (f *family) updateOutcomeTool() *tools.Definition {
	return defineWriter(f, mayUpdate, f.replaceOutcome, tools.Tool[outcomeInput, outcomeOutput]{
		Name:  outcomeName,
		Title: "Update the desired outcome",
		Description: "Replace the desired outcome of a chart. Use it when the user sees more clearly what they want to create; steps and reality stay. " +
			"Of a chart that is an action step it renames the step. Returns the new and the previous outcome. Example: from \"Create a podcast\" to \"Create a weekly podcast on bees\".",
		Idempotent: true, Destructive: true, Version: version, Tags: []string{"charts", "planning"},
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
	})
}

func (f *family) replaceOutcome(tx *store.Tx, in outcomeInput) (out outcomeOutput, h *tools.Hints, err error) {
	rows := graph.In(tx)
	chart, err := resolveOrFirstError(tx, resolveChart, "chartId", in.ChartID, tools.RequireText("newDesiredOutcome", in.NewDesiredOutcome), nil)
	if err != nil {
		return out, nil, err
	}
	previous := chart.Outcome
	if err := f.checkOutcome(rows, chart, in.NewDesiredOutcome); err != nil {
		return out, nil, err
	}
	if in.NewDesiredOutcome != previous {
		if err := setOutcome(rows, chart, in.NewDesiredOutcome); err != nil {
			return out, nil, err
		}
	}
	c, h, err := f.readChartAndHints(rows, chart.Row)
	if err != nil {
		return out, nil, err
	}
	if len(c.Steps) > 0 {
		h.Assumes("the action steps still lead to the new outcome")
	}
	return outcomeOutput{
		ChartID: tools.ChartID(c.ID), DesiredOutcome: c.Outcome, PreviousDesiredOutcome: previous, UpdatedAt: formatTimestamp(c.Updated),
	}, h, nil
}

// setOutcome replaces an outcome; that of a chart which is a step is its title.
func setOutcome(tx graph.Rows, chart *graph.Chart, outcome string) error {
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
func (f *family) checkOutcome(tx graph.Rows, chart *graph.Chart, outcome string) error {
	rule := orientation.CheckOutcomeTitle
	if chart.ParentStep == "" {
		rule = f.outcomeRule
	}
	if err := makeWordingCheck(outcomeName, rule)("newDesiredOutcome", outcome); err != nil || !chart.IsStep() {
		return err
	}
	return checkTitleIsFree(tx, chart.ParentChartRow, "newDesiredOutcome", outcome, chart.Row)
}

// outcomeRule judges the outcome of a master chart.
func (f *family) outcomeRule(text string) *orientation.Finding {
	return orientation.CheckOutcome(text, f.Orientation)
}
