package charts

import (
	"cmp"
	"fmt"

	"toolkit/internal/orientation"
	"toolkit/internal/reality"
	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/tools"
)

const addName = "add_action_step"

type addInput struct {
	ParentChartID   string `json:"parentChartId" jsonschema:"required,maxLength=1000" jsonschema_description:"Chart to add to: id or exact desired outcome"`
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

func (f *family) addStepTool() *tools.Definition {
	return defineWriter(f, mayCreate, f.addActionStep, tools.Tool[addInput, addOutput]{
		Name:  addName,
		Title: "Add an action step",
		Description: "Add an intermediate result to a chart. The step is a chart of its own, one level down, whose outcome is its title. " +
			"Use it when the path to an outcome lacks a result. Returns the step's chartId, which is its id as a step too. Example: add \"Learn recording\" to a podcast chart.",
		Version: additiveVersion, Tags: []string{"charts", "planning"},
		Examples: []tools.Example[addInput, addOutput]{{
			Description: "A step for a chart, found by its outcome",
			Setup:       exampleChartSetup(),
			Params:      addInput{ParentChartID: "Create engaging podcast", ActionStepTitle: "Learn recording/editing", CurrentReality: "Have microphone, no DAW experience"},
			Result: addOutput{
				ChartID: "chart_1765629421446_action_1", ParentChart: "chart_1765629421446", ActionStepTitle: "Learn recording/editing",
				CurrentReality: "Have microphone, no DAW experience", DesiredOutcome: "Learn recording/editing", CreatedAt: "2025-12-13T20:00:00Z",
			},
			Varies: []string{"chartId", "parentChart", "createdAt"},
		}},
	})
}

func (f *family) addActionStep(tx *store.Tx, in addInput) (out addOutput, h *tools.Hints, err error) {
	in.CurrentReality = trimFact(in.CurrentReality)
	parent, err := resolveOrFirstError(tx, resolveChart, "parentChartId", in.ParentChartID,
		cmp.Or(
			tools.RequireText("actionStepTitle", in.ActionStepTitle),
			tools.RequireText("currentReality", in.CurrentReality),
			checkOptional(checkDate, "dueDate", in.DueDate),
		), cmp.Or(
			makeWordingCheck(addName, orientation.CheckStep)("actionStepTitle", in.ActionStepTitle),
			makeWordingCheck(addName, orientation.CheckReality)("currentReality", in.CurrentReality),
		))
	if err != nil {
		return out, nil, err
	}
	step, err := f.insertStepChart(graph.In(tx), parent, in)
	if err != nil {
		return out, nil, err
	}
	h, err = f.addedStepHints(graph.In(tx), parent, step, in.DueDate != "")
	return addOutput{
		ChartID: tools.ChartID(step.ID), ParentChart: parent.ID, ActionStepTitle: step.Outcome,
		CurrentReality: in.CurrentReality, DesiredOutcome: step.Outcome, CreatedAt: formatTimestamp(step.Created),
	}, h, err
}

// insertStepChart adds a step that is a chart, unless the title is taken.
func (f *family) insertStepChart(tx graph.Rows, parent *graph.Chart, in addInput) (*graph.Chart, error) {
	if err := checkTitleIsFree(tx, parent.Row, "actionStepTitle", in.ActionStepTitle, 0); err != nil {
		return nil, err
	}
	due := in.DueDate
	if due == "" {
		due = middleDate(f.Store.Now(), parent.DueDate)
	}
	step, err := tx.InsertStepChart(parent, in.ActionStepTitle, reality.SplitFacts(in.CurrentReality), due)
	if err != nil {
		return nil, err
	}
	_, err = reality.ReconcileParentFacts(tx, parent.Row)
	return step, err
}

func (f *family) addedStepHints(tx graph.Rows, parent, step *graph.Chart, dated bool) (*tools.Hints, error) {
	state, err := tx.ReadChartWithSteps(parent.Row)
	if err != nil {
		return nil, err
	}
	h := tools.NewHints(tools.WriteEvidence()).
		SuggestCall(addName, tools.PriorityMedium, parentArgs(step.ID), "break this step into results of its own").
		SuggestCall(completeName, tools.PriorityMedium, stepArgs(step.ID), fmt.Sprintf("when %q exists%s", tools.ShortenForMessage(step.Outcome), formatDue(step.DueDate))).
		SuggestCall(statusName, tools.PriorityLow, chartArgs(parent.ID), "see all steps of the chart").
		Because(fmt.Sprintf("%q is step %d of its chart%s", tools.ShortenForMessage(step.Outcome), len(state.Steps), formatDue(step.DueDate)))
	relateChart(h, parent.ID, parent.Outcome, 1)
	if !dated && step.DueDate != "" {
		h.Assumes("without a dueDate the step is due halfway to the chart's: " + step.DueDate)
	}
	warnPastDate(h, "the step's due date", step.DueDate, f.Store.Now())
	warnStepsDueAfterChart(h, state)
	return h, warnInactive(tx, h, parent)
}
