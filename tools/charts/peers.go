package charts

import (
	"context"
	"strings"

	"toolkit/store"
	"toolkit/tools"
	"toolkit/tools/engines/orientation"
	"toolkit/tools/engines/reality"
)

// The tools that only the coaia servers have. Their users' habits and prompts call
// them, so they work here, unlisted: a listed tool costs every model that reads it.

// getChartTool is get_chart_progress by its other name.
func (f *family) getChartTool() tools.Tool[statusInput, statusOutput] {
	t := f.statusTool()
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

func (f *family) getStepTool() tools.Tool[getStepInput, getStepOutput] {
	return tools.Tool[getStepInput, getStepOutput]{
		Name: "get_action_step", Title: "Get an action step", Unlisted: true,
		Description: "Read one action step: status, due date, sub-chart and what was observed. Prefer get_chart_progress, which gives all steps of a chart.",
		Permissions: []tools.Permission{mayRead}, Category: tools.Query, ResponseTime: tools.Fast, Idempotent: true, Version: version,
		Tags: []string{"charts", "progress"},
		Examples: []tools.Example[getStepInput, getStepOutput]{{
			Description: "A step by its title", Params: getStepInput{ActionStepName: "Learn recording/editing"},
		}},
		Handle: f.getStep,
	}
}

func (f *family) getStep(ctx context.Context, in getStepInput) (tools.Result[getStepOutput], error) {
	var u stepUpdate
	out, err := store.ReadValue(ctx, f.store, func(tx *store.Tx) (out getStepOutput, err error) {
		if u.step, err = resolveStep(tx, "actionStepName", in.ActionStepName); err != nil {
			return out, err
		}
		if out.Observations, err = tx.Facts(u.step.Row); err != nil {
			return out, err
		}
		err = f.describeUpdate(tx, &u)
		out.Step, out.ChartID = u.out.Step, u.out.ChartID
		return out, err
	})
	if err != nil {
		return tools.Result[getStepOutput]{}, err
	}
	h := chartHints(relateChart(tools.NewHints(tools.Read(1)), u.chart.ID, u.chart.Outcome, 1), u.chart, f.store.Now())
	return tools.Result[getStepOutput]{Data: out, Hints: h}, nil
}

const manageName = "manage_action_step"

type manageStepInput struct {
	ParentReference    string   `json:"parentReference" jsonschema:"required" jsonschema_description:"Chart to add a step to, or step to break down"`
	ActionDescription  string   `json:"actionDescription" jsonschema:"required,minLength=1,maxLength=200" jsonschema_description:"Title of the new step"`
	CurrentReality     string   `json:"currentReality,omitempty" jsonschema_description:"What is so today with regard to the step"`
	InitialActionSteps []string `json:"initialActionSteps,omitempty" jsonschema_description:"Smaller results within it"`
	DueDate            string   `json:"dueDate,omitempty" jsonschema_description:"ISO 8601 date"`
}

type manageStepOutput struct {
	ChartID        tools.ChartID `json:"chartId"`
	ActionStepName string        `json:"actionStepName"`
}

func (f *family) manageStepTool() tools.Tool[manageStepInput, manageStepOutput] {
	return tools.Tool[manageStepInput, manageStepOutput]{
		Name: manageName, Title: "Add or break down an action step", Unlisted: true,
		Description: "Add a step to a chart, or break a step down. Prefer add_action_step and telescope_action_step, which do one of these each.",
		Permissions: []tools.Permission{mayCreate}, Category: tools.Mutation, ResponseTime: tools.Fast, Version: version,
		Tags: []string{"charts", "planning"},
		Examples: []tools.Example[manageStepInput, manageStepOutput]{{
			Description: "A step for a chart",
			Params:      manageStepInput{ParentReference: "chart_1765629421446", ActionDescription: "Learn recording/editing", CurrentReality: "No DAW experience"},
		}},
		Handle: f.manageStep,
	}
}

// manageStep breaks down what is named as a step, and adds a step to what is named
// as a chart. What is both is a step here, as its callers mean it.
func (f *family) manageStep(ctx context.Context, in manageStepInput) (tools.Result[manageStepOutput], error) {
	var none tools.Result[manageStepOutput]
	step, err := store.ReadValue(ctx, f.store, func(tx *store.Tx) (*store.Step, error) {
		step, err := resolveStep(tx, "parentReference", in.ParentReference)
		if err == nil {
			return step, nil
		}
		_, err = resolveChart(tx, "parentReference", in.ParentReference)
		return nil, err
	})
	if err != nil {
		return none, err
	}
	if step == nil {
		return f.manageNew(ctx, in)
	}
	if strings.TrimSpace(in.CurrentReality) == "" {
		in.CurrentReality = in.ActionDescription
	}
	r, err := f.telescope(ctx, telescopeInput{ActionStepName: step.ID, NewCurrentReality: in.CurrentReality, InitialActionSteps: in.InitialActionSteps})
	if err != nil {
		return none, err
	}
	if in.DueDate != "" {
		r.Hints.Warn("validation", tools.Low, "dueDate was not applied: the chart of a step is due when the step is", "move it with update-action-step")
	}
	return tools.Result[manageStepOutput]{Data: manageStepOutput{r.Data.ChartID, step.ID}, Hints: r.Hints}, nil
}

// manageNew adds a step and, where its own steps are given, these.
func (f *family) manageNew(ctx context.Context, in manageStepInput) (tools.Result[manageStepOutput], error) {
	var none tools.Result[manageStepOutput]
	if in.CurrentReality = trimmed(in.CurrentReality); in.CurrentReality == "" {
		return none, tools.Invalid(tools.CodeMissing, "currentReality", "required", "currentReality is required for a new step; say what is so today with regard to it")
	}
	if err := firstOf(notBlank("actionDescription", in.ActionDescription), noneBlank("initialActionSteps", in.InitialActionSteps), checkOptionalDate("dueDate", in.DueDate)); err != nil {
		return none, err
	}
	wording := firstOf(
		oriented(manageName, "actionDescription", orientation.Step(in.ActionDescription)),
		oriented(manageName, "currentReality", orientation.Reality(in.CurrentReality)),
		orientedSteps(manageName, "initialActionSteps", in.InitialActionSteps),
	)
	c, err := store.WriteValue(ctx, f.store, func(tx *store.Tx) (*store.ChartState, error) {
		a, err := f.addStep(tx, addInput{ParentChartID: in.ParentReference, ActionStepTitle: in.ActionDescription, CurrentReality: in.CurrentReality, DueDate: in.DueDate}, wording)
		if err != nil {
			return nil, err
		}
		step, err := tx.StepAt(a.step.Row)
		if err != nil {
			return nil, err
		}
		return f.openStep(tx, step, telescopeInput{NewCurrentReality: in.CurrentReality, InitialActionSteps: in.InitialActionSteps})
	})
	if err != nil {
		return none, err
	}
	h := chartHints(relateChart(tools.NewHints(tools.Written()), c.ID, c.Outcome, 1), c, f.store.Now())
	return tools.Result[manageStepOutput]{Data: manageStepOutput{tools.ChartID(c.ID), c.ID}, Hints: h}, nil
}

type removeStepInput struct {
	ParentChartID  string `json:"parentChartId" jsonschema:"required" jsonschema_description:"Chart that owns the step"`
	ActionStepName string `json:"actionStepName" jsonschema:"required" jsonschema_description:"Step to delete, with its sub-chart"`
}

type removeStepOutput struct {
	Removed        []string `json:"removed"`
	CurrentReality string   `json:"currentReality"`
	Withdrawn      []string `json:"withdrawnFacts"`
}

func (f *family) removeStepTool() tools.Tool[removeStepInput, removeStepOutput] {
	return tools.Tool[removeStepInput, removeStepOutput]{
		Name: "remove_action_step", Title: "Remove an action step", Unlisted: true,
		Description: "Delete a step of a chart with all that lives in it, for good. Prefer update-action-step where a step only changes.",
		Permissions: []tools.Permission{mayDelete}, Category: tools.Mutation, ResponseTime: tools.Fast, Destructive: true, Version: version,
		Tags: []string{"charts", "planning"},
		Examples: []tools.Example[removeStepInput, removeStepOutput]{{
			Description: "A step that is not needed", Params: removeStepInput{ParentChartID: "chart_1765629421446", ActionStepName: "Build audience"},
		}},
		Handle: f.removeStep,
	}
}

func (f *family) removeStep(ctx context.Context, in removeStepInput) (tools.Result[removeStepOutput], error) {
	out := removeStepOutput{Withdrawn: []string{}}
	c, err := store.WriteValue(ctx, f.store, func(tx *store.Tx) (*store.ChartState, error) {
		chart, err := resolveChart(tx, "parentChartId", in.ParentChartID)
		if err != nil {
			return nil, err
		}
		step, err := stepOf(tx, chart, in.ActionStepName)
		if err != nil {
			return nil, err
		}
		rows, err := tx.ChartSubtree([]int64{step.Row})
		if err != nil {
			return nil, err
		}
		if out.Removed, err = tx.EntityNames(rows); err != nil {
			return nil, err
		}
		news, err := reality.Delete(tx, rows)
		if err != nil {
			return nil, err
		}
		out.Withdrawn = append(out.Withdrawn, news.Withdrawn...)
		return tx.ChartStateAt(chart.Row)
	})
	if err != nil {
		return tools.Result[removeStepOutput]{}, err
	}
	out.CurrentReality = c.Reality()
	h := chartHints(relateChart(tools.NewHints(tools.Written()), c.ID, c.Outcome, 1), c, f.store.Now())
	return tools.Result[removeStepOutput]{Data: out, Hints: h}, nil
}

// stepOf finds a step and requires that a chart owns it.
func stepOf(tx *store.Tx, chart *store.Chart, name string) (*store.Step, error) {
	step, err := tx.StepTitled(chart.Row, name, 0)
	if err != nil || step != nil {
		return step, err
	}
	if step, err = resolveStep(tx, "actionStepName", name); err != nil {
		return nil, err
	}
	if step.Chart != chart.Row {
		return nil, tools.Refused(codeNotFound, "actionStepName", "step of the chart",
			"%q (%s) is a step of %s, not of %s; nothing was deleted: name the chart that owns it", shorten(step.Title), step.ID, step.ChartID, chart.ID)
	}
	return step, nil
}
