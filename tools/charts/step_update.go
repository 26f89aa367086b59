package charts

import (
	"context"

	"toolkit/store"
	"toolkit/tools"
	"toolkit/tools/engines/orientation"
	"toolkit/tools/engines/reality"
)

const updateStepName = "update-action-step"

type updateStepInput struct {
	ActionStepName string `json:"actionStepName" jsonschema:"required" jsonschema_description:"Step: id or exact title"`
	Title          string `json:"title,omitempty" jsonschema:"minLength=1,maxLength=200" jsonschema_description:"New title"`
	DueDate        string `json:"dueDate,omitempty" jsonschema:"minLength=1" jsonschema_description:"New ISO 8601 date"`
	Reopen         bool   `json:"reopen,omitempty" jsonschema_description:"Take the completion back"`
}

type updateStepOutput struct {
	Step           stepView      `json:"step"`
	ChartID        tools.ChartID `json:"chartId"`
	CurrentReality string        `json:"currentReality"`
	Replaced       replacedStep  `json:"replaced" jsonschema_description:"What stood there before"`
	Withdrawn      []string      `json:"withdrawnFacts" jsonschema_description:"Facts of reality that are not so any more"`
}

// replacedStep keeps what an update took away, so that it can be put back.
type replacedStep struct {
	Title       string `json:"title,omitempty"`
	DueDate     string `json:"dueDate,omitempty"`
	CompletedAt string `json:"completedAt,omitempty"`
}

func (f *family) updateStepTool() tools.Tool[updateStepInput, updateStepOutput] {
	return tools.Tool[updateStepInput, updateStepOutput]{
		Name:  updateStepName,
		Title: "Update an action step",
		Description: "Rename an action step, move its due date, or reopen it; current reality follows. " +
			"Returns the step and what was replaced. Example: reopen a step that was not done after all.",
		Permissions: []tools.Permission{mayUpdate}, Category: tools.Mutation, ResponseTime: tools.Fast, Idempotent: true, Destructive: true, Version: version,
		Tags: []string{"charts", "planning"},
		Examples: []tools.Example[updateStepInput, updateStepOutput]{{
			Description: "A step that was not done after all",
			Setup: []tools.SetupCall{
				{Tool: createName, Params: createInput{
					DesiredOutcome: "Create engaging podcast", CurrentReality: "Have microphone",
					DueDate: "2025-06-30T00:00:00Z", ActionSteps: []string{"Learn recording/editing"},
				}},
				{Tool: completeName, Params: completeInput{ActionStepName: "Learn recording/editing"}},
			},
			Params: updateStepInput{ActionStepName: "Learn recording/editing", DueDate: "2025-05-01", Reopen: true},
			Result: updateStepOutput{
				Step:           stepView{ID: "chart_1765629421446_action_1", Title: "Learn recording/editing", Status: stepOpen, DueDate: "2025-05-01", Overdue: true},
				CurrentReality: "Have microphone", ChartID: "chart_1765629421446",
				Replaced:  replacedStep{CompletedAt: "2025-12-13T20:00:00Z", DueDate: "2025-06-15T00:00:00Z"},
				Withdrawn: []string{"Completed: Learn recording/editing"},
			},
			Varies: []string{"id", "chartId", "completedAt", "dueDate", "overdue"},
		}},
		Handle: f.updateStep,
	}
}

// stepUpdate is what updating a step tells the result.
type stepUpdate struct {
	out   updateStepOutput
	step  *store.Step
	chart *store.ChartState
	below *store.Step // the completed step above the chart that is open again, or nil
}

func (f *family) updateStep(ctx context.Context, in updateStepInput) (tools.Result[updateStepOutput], error) {
	var none tools.Result[updateStepOutput]
	err := firstOf(notBlank("actionStepName", in.ActionStepName), notWhite("title", in.Title), checkOptionalDate("dueDate", in.DueDate))
	if err == nil && in.Title == "" && in.DueDate == "" && !in.Reopen {
		err = tools.Invalid(tools.CodeMissing, "title", "a change", "nothing to change was given; add title, dueDate or reopen")
	}
	if err != nil {
		return none, err
	}
	u, err := store.WriteValue(ctx, f.store, func(tx *store.Tx) (stepUpdate, error) { return f.changeStep(tx, in) })
	if err != nil {
		return none, err
	}
	h := chartHints(tools.NewHints(tools.Written()), u.chart, f.store.Now())
	relateChart(h, u.chart.ID, u.chart.Outcome, 1)
	warnPast(h, "dueDate", in.DueDate, f.store.Now())
	if in.DueDate != "" {
		warnLate(h, u.chart)
	}
	if in.Reopen && u.out.Replaced.CompletedAt == "" {
		h.Warn("duplicate", tools.Low, "the step was open already; there was nothing to reopen", "")
	}
	if u.below != nil {
		h.Warn("conflict", tools.Middle, "the step "+u.below.ID+" that this chart details is still marked complete", "reopen it too, if its result is missing now").
			Next(updateStepName, tools.Middle, map[string]any{"actionStepName": u.below.ID, "reopen": true}, "reopen the step above")
	}
	return tools.Result[updateStepOutput]{Data: u.out, Hints: h}, nil
}

func (f *family) changeStep(tx *store.Tx, in updateStepInput) (u stepUpdate, err error) {
	if u.step, err = resolveStep(tx, "actionStepName", in.ActionStepName); err != nil {
		return u, err
	}
	u.out.Withdrawn = []string{}
	if in.Title != "" && in.Title != u.step.Title {
		u.out.Replaced.Title = u.step.Title
		if err := checkNewTitle(tx, u.step, in.Title); err != nil {
			return u, err
		}
		if err := renameStep(tx, u.step, in.Title); err != nil {
			return u, err
		}
	}
	if in.DueDate != "" && in.DueDate != u.step.DueDate {
		u.out.Replaced.DueDate = u.step.DueDate
		if err := tx.SetStepDue(u.step, in.DueDate); err != nil {
			return u, err
		}
	}
	if in.Reopen && u.step.Completed {
		u.out.Replaced.CompletedAt = u.step.CompletedAt
		if u.out.Withdrawn, err = reopenStep(tx, u.step); err != nil {
			return u, err
		}
		if u.below, err = completedAbove(tx, u.step.Chart); err != nil {
			return u, err
		}
	}
	return u, f.describeUpdate(tx, &u)
}

func (f *family) describeUpdate(tx *store.Tx, u *stepUpdate) (err error) {
	if u.chart, err = tx.ChartStateAt(u.step.Chart); err != nil {
		return err
	}
	details, err := tx.StepDetails(u.step.Chart)
	for i := range details {
		if details[i].Row == u.step.Row {
			u.out.Step = f.describeStep(&details[i])
		}
	}
	u.out.ChartID, u.out.CurrentReality = tools.ChartID(u.chart.ID), u.chart.Reality()
	return err
}

// checkNewTitle judges a title as that of a new step.
func checkNewTitle(tx *store.Tx, step *store.Step, title string) error {
	if err := oriented(updateStepName, "title", orientation.Step(title)); err != nil {
		return err
	}
	namesake, err := tx.StepTitled(step.Chart, title, step.Row)
	if err != nil || namesake == nil {
		return err
	}
	return duplicateStep("title", title, namesake)
}

// renameStep gives a step another title, and the facts that speak of it.
func renameStep(tx *store.Tx, step *store.Step, title string) error {
	if err := reality.Rename(tx, step, title); err != nil {
		return err
	}
	err := tx.SetStepTitle(step, title)
	step.Title = title
	return err
}

// reopenStep takes a completion back and returns the facts that went with it.
func reopenStep(tx *store.Tx, step *store.Step) ([]string, error) {
	if err := tx.SetStepOpen(step); err != nil {
		return nil, err
	}
	news, err := reality.Reopen(tx, step)
	if news.Withdrawn == nil {
		news.Withdrawn = []string{}
	}
	return news.Withdrawn, err
}

// completedAbove is the step that a chart details, if that is complete.
func completedAbove(tx *store.Tx, chart int64) (*store.Step, error) {
	c, err := tx.ChartAt(chart)
	if err != nil || c.ParentStep == "" {
		return nil, err
	}
	row, _ := c.ParentRows()
	step, err := tx.StepAt(row)
	if err != nil || step == nil || !step.Completed {
		return nil, err
	}
	return step, nil
}
