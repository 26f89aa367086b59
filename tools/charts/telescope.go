package charts

import (
	"cmp"
	"errors"

	"toolkit/internal/orientation"
	"toolkit/internal/reality"
	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/tools"
)

const telescopeName = "telescope_action_step"

type telescopeInput struct {
	ActionStepName     string   `json:"actionStepName" jsonschema:"required" jsonschema_description:"Step to break down: id or exact title"`
	NewCurrentReality  string   `json:"newCurrentReality" jsonschema:"required,minLength=1,maxLength=10000" jsonschema_description:"What is so today with regard to this step"`
	InitialActionSteps []string `json:"initialActionSteps,omitempty" jsonschema_description:"Smaller results within this step, in order"`
}

type telescopeOutput struct {
	ChartID        tools.ChartID `json:"chartId"`
	ParentAction   string        `json:"parentAction"`
	CurrentReality string        `json:"currentReality"`
	ActionSteps    []string      `json:"actionSteps"`
}

func (f *family) telescopeStepTool() *tools.Definition {
	return defineWriter(f, mayCreate, f.telescopeStep, tools.Tool[telescopeInput, telescopeOutput]{
		Name:  telescopeName,
		Title: "Telescope an action step",
		Description: "Open an action step into a chart of its own, with its own reality and smaller steps, due when the step is. " +
			"Use it when a step is too big to see how to do it; once per step. Returns the new chart. Example: break \"Learn recording\" into choosing a DAW and finishing its tutorials.",
		Version: version, Tags: []string{"charts", "planning"},
		Examples: []tools.Example[telescopeInput, telescopeOutput]{{
			Description: "Three steps inside a step",
			Setup:       exampleChartSetup("Learn recording/editing"),
			Params: telescopeInput{
				ActionStepName: "Learn recording/editing", NewCurrentReality: "No DAW experience",
				InitialActionSteps: []string{"Choose DAW", "Complete tutorials", "Record test podcast"},
			},
			Result: telescopeOutput{
				ChartID: "chart_1765629421446_action_1_sub", ParentAction: "Learn recording/editing",
				CurrentReality: "No DAW experience", ActionSteps: []string{"Choose DAW", "Complete tutorials", "Record test podcast"},
			},
			Varies: []string{"chartId"},
		}},
	})
}

func (f *family) telescopeStep(tx *store.Tx, in telescopeInput) (out telescopeOutput, h *tools.Hints, err error) {
	rows := graph.In(tx)
	in.NewCurrentReality = trimFact(in.NewCurrentReality)
	step, err := resolveOrFirstError(tx, resolveStep, "actionStepName", in.ActionStepName,
		cmp.Or(tools.RequireText("newCurrentReality", in.NewCurrentReality), checkEach(tools.RequireText, "initialActionSteps", in.InitialActionSteps)), nil)
	if err != nil {
		return out, nil, err
	}
	if step.Completed {
		return out, nil, completedStepError(step)
	}
	err = cmp.Or(
		makeWordingCheck(telescopeName, orientation.CheckReality)("newCurrentReality", in.NewCurrentReality),
		checkEach(makeWordingCheck(telescopeName, orientation.CheckStep), "initialActionSteps", in.InitialActionSteps),
	)
	if err != nil {
		return out, nil, err
	}
	chart, err := f.breakDownStep(rows, step, in)
	if err != nil {
		return out, nil, err
	}
	c, h, err := f.readChartAndHints(rows, chart.Row)
	if err != nil {
		return out, nil, err
	}
	relateChart(h, step.ChartID, "the chart that owns the step", 0.8)
	return telescopeOutput{
		ChartID: tools.ChartID(c.ID), ParentAction: step.Title, CurrentReality: c.Reality(), ActionSteps: c.StepTitles(),
	}, h, warnInactive(rows, h, chart)
}

// breakDownStep makes the chart of a step, or goes on with the one that a step made
// by add_action_step has been from the start, as long as that has no steps.
func (f *family) breakDownStep(tx graph.Rows, step *graph.Step, in telescopeInput) (*graph.Chart, error) {
	if err := checkDistinctTitles("initialActionSteps", in.InitialActionSteps); err != nil {
		return nil, err
	}
	existing, err := tx.SubChart(step.Row)
	if err != nil {
		return nil, err
	}
	if existing != nil {
		return nil, alreadyTelescopedError(step, existing)
	}
	chart, err := f.findOrInsertStepChart(tx, step, in.NewCurrentReality)
	if err != nil {
		return nil, err
	}
	return chart, f.insertSteps(tx, chart, in.InitialActionSteps)
}

func (f *family) findOrInsertStepChart(tx graph.Rows, step *graph.Step, fact string) (*graph.Chart, error) {
	if !step.IsChart {
		return insertSubChart(tx, step, fact)
	}
	chart, err := tx.ChartAt(step.Row)
	if err != nil {
		return nil, err
	}
	if _, total, err := tx.CountStepsBelow(step.Row); err != nil || total > 0 {
		if err == nil {
			err = alreadyTelescopedError(step, chart)
		}
		return nil, err
	}
	_, err = tx.AppendFacts(chart.Row, reality.SplitFacts(fact))
	return chart, err
}

// insertSubChart adds <step>_sub, one level below the chart that owns the step, due
// when the step is.
func insertSubChart(tx graph.Rows, step *graph.Step, fact string) (*graph.Chart, error) {
	owner, err := tx.ChartAt(step.Chart)
	if err != nil {
		return nil, err
	}
	chart, err := tx.InsertChart(graph.Chart{
		ID: step.ID + "_sub", Outcome: step.Title, Facts: reality.SplitFacts(fact),
		DueDate: step.DueDate, Level: owner.Level + 1, ParentStepRow: step.Row,
	})
	if errors.Is(err, graph.ErrExists) {
		return nil, tools.Refused(tools.CodeDuplicate, "actionStepName", "unique entity names",
			"the chart of %q would be named %s_sub, but the graph has another entity of that name; delete or rename it, then call again", tools.ShortenForMessage(step.Title), step.ID)
	}
	return chart, err
}

// completedStepError refuses to break down what is complete: nobody would see the chart.
func completedStepError(step *graph.Step) error {
	h := tools.NewRefusalHints().Because("a completed step has nothing left to break down").
		SuggestCall(addName, tools.PriorityHigh, parentArgs(step.ChartID), "add what is still missing as a step of its own").
		SuggestCall(updateStepName, tools.PriorityMedium, reopenArgs(step.ID), "if it is not complete after all").
		SuggestCall(statusName, tools.PriorityLow, chartArgs(step.ChartID), "see which steps are open").
		AddRelatedResource("action_step", step.ID, step.Title, 1)
	return tools.Invalid(tools.CodeInvalid, "actionStepName", "open step",
		"%q is complete since %s; nothing was written: reopen it with update_action_step, add a new step to %s with add_action_step, or telescope an open step",
		tools.ShortenForMessage(step.Title), step.CompletedAt, step.ChartID).WithHints(h)
}

func alreadyTelescopedError(step *graph.Step, existing *graph.Chart) error {
	h := tools.NewRefusalHints().Because("a step has one chart of its own").
		SuggestCall(addName, tools.PriorityHigh, parentArgs(existing.ID), "add the further steps to the chart that is there").
		SuggestCall(realityName, tools.PriorityMedium, chartArgs(existing.ID), "bring its reality up to date").
		SuggestCall(statusName, tools.PriorityLow, chartArgs(existing.ID), "see what it holds")
	relateChart(h, existing.ID, existing.Outcome, 1)
	return tools.Refused(tools.CodeDuplicate, "actionStepName", "one sub-chart for each step",
		"%q is telescoped already into %s; nothing was written: add steps to that chart with add_action_step", tools.ShortenForMessage(step.Title), existing.ID).
		WithDetail("existing", chartCandidate(existing)).WithHints(h)
}
