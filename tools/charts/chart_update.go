package charts

import (
	"fmt"

	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/tools"
)

const updateChartName = "update_chart"

type updateChartInput struct {
	ChartID string `json:"chartId" jsonschema:"required,maxLength=1000" jsonschema_description:"Chart: id or exact desired outcome"`
	Status  string `json:"status,omitempty" jsonschema:"enum=active,enum=completed,enum=abandoned" jsonschema_description:"completed or abandoned closes it, active opens it again"`
	DueDate string `json:"dueDate,omitempty" jsonschema:"minLength=1" jsonschema_description:"New ISO 8601 date"`
}

type updateChartOutput struct {
	ChartID        tools.ChartID `json:"chartId"`
	DesiredOutcome string        `json:"desiredOutcome"`
	Status         string        `json:"status" jsonschema:"enum=active,enum=completed,enum=abandoned"`
	ClosedAt       string        `json:"closedAt,omitempty"`
	DueDate        string        `json:"dueDate"`
	Replaced       replacedChart `json:"replaced" jsonschema_description:"What stood there before"`
	OpenSteps      []stepRef     `json:"openSteps,omitempty" jsonschema_description:"Steps of the chart that are open"`
}

// replacedChart keeps what an update took away, so that it can be put back.
type replacedChart struct {
	Status  string `json:"status,omitempty"`
	DueDate string `json:"dueDate,omitempty"`
}

func (f *family) updateChartTool() *tools.Definition {
	return defineWriter(f, mayUpdate, f.updateChart, tools.Tool[updateChartInput, updateChartOutput]{
		Name:  updateChartName,
		Title: "Update a chart",
		Description: "Close a chart whose outcome exists or is given up, open it again, or move its due date; update_desired_outcome rewords it. " +
			"Returns the chart and what was replaced. Example: close the podcast once it is on air.",
		Idempotent: true, Destructive: true, Version: additiveVersion, Tags: []string{"charts", "planning"},
		Examples: []tools.Example[updateChartInput, updateChartOutput]{{
			Description: "The outcome exists",
			Setup: []tools.SetupCall{{Tool: createName, Params: createInput{
				DesiredOutcome: "Create engaging podcast", CurrentReality: "Have microphone", DueDate: "2025-06-30",
			}}},
			Params: updateChartInput{ChartID: "Create engaging podcast", Status: graph.ChartCompleted},
			Result: updateChartOutput{
				ChartID: "chart_1765629421446", DesiredOutcome: "Create engaging podcast", Status: graph.ChartCompleted,
				ClosedAt: "2025-12-13T20:00:00Z", DueDate: "2025-06-30", Replaced: replacedChart{Status: graph.ChartActive}, OpenSteps: []stepRef{},
			},
			Varies: []string{"chartId", "closedAt"},
		}},
	})
}

func (f *family) updateChart(tx *store.Tx, in updateChartInput) (out updateChartOutput, h *tools.Hints, err error) {
	form := checkOptional(checkDate, "dueDate", in.DueDate)
	if in.Status == "" && in.DueDate == "" {
		form = tools.Invalid(tools.CodeMissing, "status", "a change", "nothing to change was given; add status or dueDate")
	}
	chart, err := resolveOrFirstError(tx, resolveChart, "chartId", in.ChartID, form, nil)
	if err != nil {
		return out, nil, err
	}
	replaced, moved, err := f.setStatusAndDueDate(graph.In(tx), chart, in)
	if err != nil {
		return out, nil, err
	}
	c, h, err := f.readChartAndHints(graph.In(tx), chart.Row)
	if err != nil {
		return out, nil, err
	}
	warnMoved(h, moved)
	if err := f.warnOpenStepsAndDueDates(graph.In(tx), h, c, in); err != nil {
		return out, nil, err
	}
	return updateChartOutput{
		ChartID: tools.ChartID(c.ID), DesiredOutcome: c.Outcome, Status: c.Status, ClosedAt: c.ClosedAt, DueDate: c.DueDate,
		Replaced: replaced, OpenSteps: listOpenSteps(c),
	}, h, nil
}

// setStatusAndDueDate writes what differs. The chart of a step shares the step's due
// date and, as far as it is completed, its completion.
func (f *family) setStatusAndDueDate(tx graph.Rows, c *graph.Chart, in updateChartInput) (was replacedChart, moved []movedStep, err error) {
	step, err := findParentStep(tx, c)
	if err != nil {
		return was, nil, err
	}
	if in.DueDate != "" && in.DueDate != c.DueDate {
		was.DueDate = c.DueDate
		if step != nil {
			moved, err = f.moveStepDue(tx, step, in.DueDate)
		} else {
			moved, err = f.moveChartAndStepsDueWithIt(tx, c, in.DueDate)
		}
		if err != nil {
			return was, nil, err
		}
	}
	if in.Status == "" || in.Status == c.Status && (step == nil || step.Completed == (in.Status == graph.ChartCompleted)) {
		return was, moved, nil
	}
	was.Status = c.Status
	if err := tx.SetChartStatus(c, in.Status, formatTimestamp(f.Store.Now())); err != nil || step == nil {
		return was, moved, err
	}
	switch {
	case in.Status == graph.ChartCompleted:
		_, err = f.completeStep(tx, step)
	case in.Status == graph.ChartActive && step.Completed:
		_, err = reopenStep(tx, step)
	}
	return was, moved, err
}

// moveChartAndStepsDueWithIt moves the due date of a master chart and of the open steps that were due with
// it. Steps that are now due after it stay: whether they are to be sooner is for the user to say.
func (f *family) moveChartAndStepsDueWithIt(tx graph.Rows, c *graph.Chart, due string) ([]movedStep, error) {
	if err := tx.SetChartDue(c, due); err != nil {
		return nil, err
	}
	state, err := tx.ReadChartWithSteps(c.Row)
	if err != nil {
		return nil, err
	}
	return f.moveStepsDueWithChart(tx, state, c.DueDate, due)
}

func listOpenSteps(c *graph.Chart) []stepRef {
	open := []stepRef{}
	for _, s := range c.Steps {
		if !s.Completed {
			open = append(open, stepRef{s.ID, s.Title})
		}
	}
	return open
}

// warnOpenStepsAndDueDates warns of what a closed chart leaves open, and of steps due after
// the chart, of which it may itself be one.
func (f *family) warnOpenStepsAndDueDates(tx graph.Rows, h *tools.Hints, c *graph.Chart, in updateChartInput) error {
	warnPastDate(h, "dueDate", in.DueDate, f.Store.Now())
	if open := len(c.Steps) - c.CountCompletedSteps(); in.Status == graph.ChartCompleted && open > 0 {
		h.Warn("conflict", tools.PriorityMedium, fmt.Sprintf("the chart is closed with %d open step(s), first %q; list_active_charts shows neither", open, tools.ShortenForMessage(listOpenSteps(c)[0].Title)),
			"complete those that are done, or open the chart again with status active")
	}
	if in.DueDate == "" {
		return nil
	}
	warnStepsDueAfterChart(h, c)
	if c.ParentChartRow == 0 {
		return nil
	}
	parent, err := tx.ReadChartWithSteps(c.ParentChartRow)
	if parent != nil {
		warnStepsDueAfterChart(h, parent)
	}
	return err
}
