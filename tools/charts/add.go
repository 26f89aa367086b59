package charts

import (
	"context"
	"fmt"

	"toolkit/store"
	"toolkit/tools"
	"toolkit/tools/engines/orientation"
	"toolkit/tools/engines/reality"
)

const addName = "add_action_step"

type addInput struct {
	ParentChartID   string `json:"parentChartId" jsonschema:"required" jsonschema_description:"Chart to add to: id or exact desired outcome"`
	ActionStepTitle string `json:"actionStepTitle" jsonschema:"required,minLength=1,maxLength=200" jsonschema_description:"Intermediate result, named as a result and not as an activity"`
	CurrentReality  string `json:"currentReality" jsonschema:"required,minLength=1,maxLength=500" jsonschema_description:"What is so today with regard to this step"`
	DueDate         string `json:"dueDate,omitempty" jsonschema_description:"ISO 8601 date, with or without a time; halfway to the chart's if absent"`
}

type addOutput struct {
	ChartID         tools.ChartID `json:"chartId"`
	ParentChart     string        `json:"parentChart"`
	ActionStepTitle string        `json:"actionStepTitle"`
	CurrentReality  string        `json:"currentReality"`
	DesiredOutcome  string        `json:"desiredOutcome"`
	CreatedAt       string        `json:"createdAt"`
}

func (f *family) addTool() tools.Tool[addInput, addOutput] {
	return tools.Tool[addInput, addOutput]{
		Name:  addName,
		Title: "Add an action step",
		Description: "Add an intermediate result to a chart. The step is a chart of its own, one level down, whose outcome is its title. " +
			"Use it when the path to an outcome lacks a result. Returns the step's chartId, which is its id as a step too. Example: add \"Learn recording\" to a podcast chart.",
		Permissions: []tools.Permission{mayCreate}, Category: tools.Mutation, ResponseTime: tools.Fast, Version: additive,
		Tags: []string{"charts", "planning"},
		Examples: []tools.Example[addInput, addOutput]{{
			Description: "A step for a chart, found by its outcome",
			Setup: []tools.SetupCall{{Tool: createName, Params: createInput{
				DesiredOutcome: "Create engaging podcast", CurrentReality: "Have microphone, no experience", DueDate: "2025-06-30T00:00:00Z",
			}}},
			Params: addInput{ParentChartID: "Create engaging podcast", ActionStepTitle: "Learn recording/editing", CurrentReality: "Have microphone, no DAW experience"},
			Result: addOutput{
				ChartID: "chart_1765629421446_action_1", ParentChart: "chart_1765629421446", ActionStepTitle: "Learn recording/editing",
				CurrentReality: "Have microphone, no DAW experience", DesiredOutcome: "Learn recording/editing", CreatedAt: "2025-12-13T20:00:00Z",
			},
			Varies: []string{"chartId", "parentChart", "createdAt"},
		}},
		Handle: f.add,
	}
}

// added is what adding a step tells the hints.
type added struct {
	step     *store.Chart
	parent   *store.ChartState
	inactive bool
}

func (f *family) add(ctx context.Context, in addInput) (tools.Result[addOutput], error) {
	var none tools.Result[addOutput]
	in.CurrentReality = trimmed(in.CurrentReality)
	checks := firstOf(
		notBlank("parentChartId", in.ParentChartID),
		notBlank("actionStepTitle", in.ActionStepTitle),
		notBlank("currentReality", in.CurrentReality),
		checkOptionalDate("dueDate", in.DueDate),
	)
	if checks != nil {
		return none, checks
	}
	wording := firstOf(
		oriented(addName, "actionStepTitle", orientation.Step(in.ActionStepTitle)),
		oriented(addName, "currentReality", orientation.Reality(in.CurrentReality)),
	)
	a, err := store.WriteValue(ctx, f.store, func(tx *store.Tx) (added, error) { return f.addStep(tx, in, wording) })
	if err != nil {
		return none, err
	}
	return tools.Result[addOutput]{Hints: f.addedHints(a, in.DueDate != ""), Data: addOutput{
		ChartID: tools.ChartID(a.step.ID), ParentChart: a.parent.ID, ActionStepTitle: a.step.Outcome,
		CurrentReality: in.CurrentReality, DesiredOutcome: a.step.Outcome, CreatedAt: timestamp(a.step.Created),
	}}, nil
}

// addStep checks in the documented order: reference, wording, uniqueness.
func (f *family) addStep(tx *store.Tx, in addInput, wording error) (added, error) {
	parent, err := resolveChart(tx, "parentChartId", in.ParentChartID)
	if err != nil {
		return added{}, err
	}
	if wording != nil {
		return added{}, wording
	}
	namesake, err := tx.StepTitled(parent.Row, in.ActionStepTitle, 0)
	if err != nil {
		return added{}, err
	}
	if namesake != nil {
		return added{}, duplicateStep("actionStepTitle", in.ActionStepTitle, namesake)
	}
	due := in.DueDate
	if due == "" {
		due = midpoint(f.store.Now(), parent.DueDate)
	}
	step, err := tx.InsertStepChart(parent, in.ActionStepTitle, reality.Facts(in.CurrentReality), due)
	if err != nil {
		return added{}, err
	}
	if _, err := reality.Settle(tx, parent.Row); err != nil {
		return added{}, err
	}
	inactive, err := tx.InactiveCharts([]int64{parent.Row})
	if err != nil {
		return added{}, err
	}
	state, err := tx.ChartStateAt(parent.Row)
	return added{step, state, inactive[parent.Row]}, err
}

func (f *family) addedHints(a added, dated bool) *tools.Hints {
	h := tools.NewHints(tools.Written()).
		Next(addName, tools.Middle, map[string]any{"parentChartId": a.step.ID}, "break this step into results of its own").
		Next("mark_action_complete", tools.Middle, stepArgs(a.step.ID), fmt.Sprintf("when %q exists%s", shorten(a.step.Outcome), dueText(a.step.DueDate))).
		Next("get_chart_progress", tools.Low, chartArgs(a.parent.ID), "see all steps of the chart").
		Because(fmt.Sprintf("%q is step %d of its chart%s", shorten(a.step.Outcome), len(a.parent.Steps), dueText(a.step.DueDate)))
	relateChart(h, a.parent.ID, a.parent.Outcome, 1)
	if !dated && a.step.DueDate != "" {
		h.Assumes("without a dueDate the step is due halfway to the chart's: " + a.step.DueDate)
	}
	warnPast(h, "the step's due date", a.step.DueDate, f.store.Now())
	if a.inactive {
		warnInactive(h, a.parent.ID)
	}
	return h
}
