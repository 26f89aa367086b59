package charts

import (
	"cmp"

	"toolkit/internal/orientation"
	"toolkit/internal/reality"
	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/store/kinds"
	"toolkit/tools"
)

// The tools that only the coaia servers have. Their users' habits and prompts call
// them, so they work here, unlisted: a listed tool costs every model that reads it.

// getChartTool returns get_chart_progress by its other name.
func (f *family) getChartTool() *tools.Definition {
	t := f.chartProgressTool()
	t.Name, t.Title, t.Unlisted = "get_chart", "Get a chart", true
	return t
}

type getStepInput struct {
	ActionStepName string `json:"actionStepName" jsonschema:"required" jsonschema_description:"Step: id or exact title"`
}

type getStepOutput struct {
	Step         stepView      `json:"step"`
	ChartID      tools.ChartID `json:"chartId"`
	Observations []string      `json:"observations" jsonschema_description:"Progress noted on the step, or the reality of its chart"`
}

func (f *family) getStepTool() *tools.Definition {
	return defineReader(f, mayRead, f.getStep, tools.Tool[getStepInput, getStepOutput]{
		Name: "get_action_step", Title: "Get an action step", Unlisted: true,
		Description: "Read one action step: status, due date, sub-chart and what was observed. Prefer get_chart_progress, which gives all steps of a chart.",
		Idempotent:  true, Version: version, Tags: []string{"charts", "progress"},
		Examples: []tools.Example[getStepInput, getStepOutput]{{
			Description: "A step by its title", Params: getStepInput{ActionStepName: "Learn recording/editing"},
		}},
	})
}

func (f *family) getStep(tx *store.Tx, in getStepInput) (out getStepOutput, h *tools.Hints, err error) {
	rows := graph.In(tx)
	step, err := resolveStepByTitleOrWords(tx, "actionStepName", in.ActionStepName)
	if err != nil {
		return out, nil, err
	}
	if out.Observations, err = rows.Facts(step.Row); err != nil {
		return out, nil, err
	}
	if out.Step, err = f.readStepView(rows, step); err != nil {
		return out, nil, err
	}
	c, err := rows.ReadChartWithSteps(step.Chart)
	if err != nil {
		return out, nil, err
	}
	next, err := findNextStep(rows, c)
	out.ChartID = tools.ChartID(c.ID)
	return out, chartHints(relateChart(tools.NewHints(tools.NewReadEvidence(1)), c.ID, c.Outcome, 1), c, next, f.Store.Now()), err
}

const manageName = "manage_action_step"

type manageStepInput struct {
	ParentReference    string   `json:"parentReference" jsonschema:"required" jsonschema_description:"Chart to add a step to, or step to break down"`
	ActionDescription  string   `json:"actionDescription" jsonschema:"required,minLength=1,maxLength=200" jsonschema_description:"Title of the new step"`
	CurrentReality     string   `json:"currentReality,omitempty" jsonschema:"maxLength=10000" jsonschema_description:"What is so today with regard to the step"`
	InitialActionSteps []string `json:"initialActionSteps,omitempty" jsonschema_description:"Smaller results within it"`
	DueDate            string   `json:"dueDate,omitempty" jsonschema_description:"ISO 8601 date"`
}

type manageStepOutput struct {
	ChartID        tools.ChartID `json:"chartId"`
	ActionStepName string        `json:"actionStepName"`
}

func (f *family) manageStepTool() *tools.Definition {
	return defineWriter(f, mayCreate, f.addOrBreakDownStep, tools.Tool[manageStepInput, manageStepOutput]{
		Name: manageName, Title: "Add or break down an action step", Unlisted: true,
		Description: "Add a step to a chart, or break a step down. Prefer add_action_step and telescope_action_step, which do one of these each.",
		Version:     version, Tags: []string{"charts", "planning"},
		Examples: []tools.Example[manageStepInput, manageStepOutput]{{
			Description: "A step for a chart",
			Params:      manageStepInput{ParentReference: "chart_1765629421446", ActionDescription: "Learn recording/editing", CurrentReality: "No DAW experience"},
		}},
	})
}

// addOrBreakDownStep breaks down what is named as a step, and adds a step to what is named
// as a chart. What is both is a step here, as its callers mean it.
func (f *family) addOrBreakDownStep(tx *store.Tx, in manageStepInput) (out manageStepOutput, h *tools.Hints, err error) {
	step, err := resolveStep(tx, "parentReference", in.ParentReference)
	if err != nil {
		return f.addStepWithSubSteps(tx, in)
	}
	t, h, err := f.telescopeStep(tx, telescopeInput{
		ActionStepName: step.ID, NewCurrentReality: cmp.Or(trimFact(in.CurrentReality), in.ActionDescription), InitialActionSteps: in.InitialActionSteps,
	})
	if err == nil && in.DueDate != "" {
		h.Warn("validation", tools.PriorityLow, "dueDate was not applied: the chart of a step is due when the step is", "move it with update_action_step")
	}
	return manageStepOutput{t.ChartID, step.ID}, h, err
}

// addStepWithSubSteps adds a step and, where its own steps are given, these.
func (f *family) addStepWithSubSteps(tx *store.Tx, in manageStepInput) (out manageStepOutput, h *tools.Hints, err error) {
	rows := graph.In(tx)
	parent, err := resolveChart(tx, "parentReference", in.ParentReference)
	if err != nil {
		return out, nil, err
	}
	if in.CurrentReality = trimFact(in.CurrentReality); in.CurrentReality == "" {
		return out, nil, tools.Invalid(tools.CodeMissing, "currentReality", "required", "currentReality is required for a new step; say what is so today with regard to it")
	}
	err = cmp.Or(
		tools.RequireText("actionDescription", in.ActionDescription), checkEach(tools.RequireText, "initialActionSteps", in.InitialActionSteps), checkOptional(checkDate, "dueDate", in.DueDate),
		makeWordingCheck(manageName, orientation.CheckStep)("actionDescription", in.ActionDescription),
		makeWordingCheck(manageName, orientation.CheckReality)("currentReality", in.CurrentReality),
		checkEach(makeWordingCheck(manageName, orientation.CheckStep), "initialActionSteps", in.InitialActionSteps),
		checkDistinctTitles("initialActionSteps", in.InitialActionSteps),
	)
	if err != nil {
		return out, nil, err
	}
	chart, err := f.insertStepChart(rows, parent, addInput{ActionStepTitle: in.ActionDescription, CurrentReality: in.CurrentReality, DueDate: in.DueDate})
	if err != nil {
		return out, nil, err
	}
	if err := f.insertSteps(rows, chart, in.InitialActionSteps); err != nil {
		return out, nil, err
	}
	if _, h, err = f.readChartAndHints(rows, chart.Row); err != nil {
		return out, nil, err
	}
	state, err := rows.ReadChartWithSteps(parent.Row)
	if state != nil {
		warnStepsDueAfterChart(h, state)
	}
	return manageStepOutput{tools.ChartID(chart.ID), chart.ID}, h, err
}

type removeStepInput struct {
	ParentChartID  string `json:"parentChartId" jsonschema:"required,maxLength=1000" jsonschema_description:"Chart that owns the step"`
	ActionStepName string `json:"actionStepName" jsonschema:"required" jsonschema_description:"Step to delete, with its sub-chart"`
}

type removeStepOutput struct {
	Removed        []string `json:"removed"`
	CurrentReality string   `json:"currentReality"`
	Withdrawn      []string `json:"withdrawnFacts,omitempty"`
}

func (f *family) removeStepTool() *tools.Definition {
	return defineWriter(f, mayDelete, f.removeStep, tools.Tool[removeStepInput, removeStepOutput]{
		Name: "remove_action_step", Title: "Remove an action step", Unlisted: true,
		Description: "Delete a step of a chart with all that lives in it, for good. Prefer update_action_step where a step only changes.",
		Destructive: true, Version: version, Tags: []string{"charts", "planning"},
		Examples: []tools.Example[removeStepInput, removeStepOutput]{{
			Description: "A step that is not needed", Params: removeStepInput{ParentChartID: "chart_1765629421446", ActionStepName: "Build audience"},
		}},
	})
}

func (f *family) removeStep(tx *store.Tx, in removeStepInput) (out removeStepOutput, h *tools.Hints, err error) {
	chart, err := resolveChart(tx, "parentChartId", in.ParentChartID)
	if err != nil {
		return out, nil, err
	}
	step, err := findStepOfChart(tx, chart, in.ActionStepName)
	if err != nil {
		return out, nil, err
	}
	rows, err := kinds.In(tx).FindEntitiesInside([]int64{step.Row})
	if err != nil {
		return out, nil, err
	}
	if out.Removed, err = graph.In(tx).EntityNames(rows); err != nil {
		return out, nil, err
	}
	news, err := reality.DeleteNodesAndFacts(graph.In(tx), rows)
	if err != nil {
		return out, nil, err
	}
	c, h, err := f.readChartAndHints(graph.In(tx), chart.Row)
	if err != nil {
		return out, nil, err
	}
	out.Withdrawn, out.CurrentReality = append([]string{}, news.Withdrawn...), c.Reality()
	return out, h, nil
}

// findStepOfChart finds a step and requires that a chart owns it.
func findStepOfChart(tx *store.Tx, chart *graph.Chart, name string) (*graph.Step, error) {
	step, err := graph.In(tx).StepByTitle(chart.Row, name, 0)
	if err != nil || step != nil {
		return step, err
	}
	if step, err = resolveStep(tx, "actionStepName", name); err != nil {
		return nil, err
	}
	if step.Chart != chart.Row {
		return nil, tools.Refused(tools.CodeNotFound, "actionStepName", "step of the chart",
			"%q (%s) is a step of %s, not of %s; nothing was deleted: name the chart that owns it", tools.ShortenForMessage(step.Title), step.ID, step.ChartID, chart.ID)
	}
	return step, nil
}
