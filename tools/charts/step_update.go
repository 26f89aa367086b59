package charts

import (
	"cmp"

	"toolkit/internal/orientation"
	"toolkit/internal/reality"
	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/tools"
)

const updateStepName = "update_action_step"

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
	Withdrawn      []string      `json:"withdrawnFacts,omitempty" jsonschema_description:"Facts of reality that are not so any more"`
}

// replacedStep keeps what an update took away, so that it can be put back.
type replacedStep struct {
	Title       string `json:"title,omitempty"`
	DueDate     string `json:"dueDate,omitempty"`
	CompletedAt string `json:"completedAt,omitempty"`
}

func (f *family) updateStepTool() *tools.Definition {
	return defineWriter(f, mayUpdate, f.updateStep, tools.Tool[updateStepInput, updateStepOutput]{
		Name:  updateStepName,
		Title: "Update an action step",
		Description: "Rename an action step, move its due date, or reopen it; current reality follows. " +
			"Returns the step and what was replaced. Example: reopen a step that was not done after all.",
		Idempotent: true, Destructive: true, Version: additiveVersion, Tags: []string{"charts", "planning"},
		Examples: []tools.Example[updateStepInput, updateStepOutput]{{
			Description: "A step that was not done after all",
			Setup:       append(exampleChartSetup("Learn recording/editing"), tools.SetupCall{Tool: completeName, Params: completeInput{ActionStepName: "Learn recording/editing"}}),
			Params:      updateStepInput{ActionStepName: "Learn recording/editing", DueDate: "2025-05-01", Reopen: true},
			Result: updateStepOutput{
				Step:           stepView{ID: "chart_1765629421446_action_1", Title: "Learn recording/editing", Status: stepOpen, DueDate: "2025-05-01", Overdue: true},
				CurrentReality: "Have microphone", ChartID: "chart_1765629421446",
				Replaced:  replacedStep{CompletedAt: "2025-12-13T20:00:00Z", DueDate: "2025-06-15T00:00:00Z"},
				Withdrawn: []string{"Completed: Learn recording/editing"},
			},
			Varies: []string{"id", "chartId", "completedAt", "dueDate", "overdue"},
		}},
	})
}

func (f *family) updateStep(tx *store.Tx, in updateStepInput) (out updateStepOutput, h *tools.Hints, err error) {
	rows := graph.In(tx)
	form := cmp.Or(checkOptional(tools.RequireText, "title", in.Title), checkOptional(checkDate, "dueDate", in.DueDate))
	if in.Title == "" && in.DueDate == "" && !in.Reopen {
		form = tools.Invalid(tools.CodeMissing, "title", "a change", "nothing to change was given; add title, dueDate or reopen")
	}
	step, err := resolveOrFirstError(tx, resolveStep, "actionStepName", in.ActionStepName, form, nil)
	if err != nil {
		return out, nil, err
	}
	changes, err := f.changeStep(rows, step, in)
	if err != nil {
		return out, nil, err
	}
	out.Replaced, out.Withdrawn = changes.was, changes.withdrawn
	c, h, err := f.readChartAndHints(rows, step.Chart)
	if err != nil {
		return out, nil, err
	}
	warnPastDate(h, "dueDate", in.DueDate, f.Store.Now())
	warnMoved(h, changes.moved)
	if in.DueDate != "" {
		warnStepsDueAfterChart(h, c)
	}
	switch {
	case in.Reopen && out.Replaced.CompletedAt == "":
		h.Warn("duplicate", tools.PriorityLow, "the step was open already; there was nothing to reopen", "")
	case in.Reopen:
		if err := warnCompletedParentStep(rows, h, c); err != nil {
			return out, nil, err
		}
	}
	out.ChartID, out.CurrentReality = tools.ChartID(c.ID), c.Reality()
	out.Step, err = f.readStepView(rows, step)
	return out, h, err
}

// stepChanges is what an update of a step did.
type stepChanges struct {
	was       replacedStep
	withdrawn []string // facts that went with a completion
	moved     []movedStep
}

// changeStep writes what differs.
func (f *family) changeStep(tx graph.Rows, step *graph.Step, in updateStepInput) (done stepChanges, err error) {
	if in.Title != "" && in.Title != step.Title {
		done.was.Title = step.Title
		err = cmp.Or(makeWordingCheck(updateStepName, orientation.CheckStep)("title", in.Title), checkTitleIsFree(tx, step.Chart, "title", in.Title, step.Row))
		if err != nil {
			return done, err
		}
		if err := renameStep(tx, step, in.Title); err != nil {
			return done, err
		}
	}
	if in.DueDate != "" && in.DueDate != step.DueDate {
		done.was.DueDate = step.DueDate
		if done.moved, err = f.moveStepDue(tx, step, in.DueDate); err != nil {
			return done, err
		}
	}
	if in.Reopen && step.Completed {
		done.was.CompletedAt = step.CompletedAt
		done.withdrawn, err = reopenStep(tx, step)
	}
	return done, err
}

// readStepView is what there is to know of one step.
func (f *family) readStepView(tx graph.Rows, step *graph.Step) (stepView, error) {
	details, err := tx.StepDetails(step.Chart)
	for i := range details {
		if details[i].Row == step.Row {
			return f.describeStep(&details[i]), nil
		}
	}
	return stepView{}, err
}

// renameStep gives a step another title, and the facts that speak of it.
func renameStep(tx graph.Rows, step *graph.Step, title string) error {
	if err := reality.RenameStepInFacts(tx, step, title); err != nil {
		return err
	}
	err := tx.SetStepTitle(step, title)
	step.Title = title
	return err
}

// reopenStep takes a completion back and returns the facts that went with it.
func reopenStep(tx graph.Rows, step *graph.Step) ([]string, error) {
	if err := tx.ReopenStep(step); err != nil {
		return nil, err
	}
	news, err := reality.WithdrawCompletionFacts(tx, step)
	return news.Withdrawn, err
}

// warnCompletedParentStep warns of the step that a chart with an open step details, if
// that is complete.
func warnCompletedParentStep(tx graph.Rows, h *tools.Hints, c *graph.Chart) error {
	above, err := findParentStep(tx, c)
	if err == nil && above != nil && above.Completed {
		h.Warn("conflict", tools.PriorityMedium, "the step "+above.ID+" that this chart details is still marked complete", "reopen it too, if its result is missing now").
			SuggestCall(updateStepName, tools.PriorityMedium, reopenArgs(above.ID), "reopen the step above")
	}
	return err
}
