package charts

import (
	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/tools"
)

const statusName = "get_chart_progress"

type statusInput struct {
	ChartID string `json:"chartId" jsonschema:"required,maxLength=1000" jsonschema_description:"Chart to look at: id or exact desired outcome"`
}

type statusOutput struct {
	ChartID tools.ChartID `json:"chartId"`
	graph.ChartProgress
	DesiredOutcome string   `json:"desiredOutcome"`
	CurrentReality string   `json:"currentReality"`
	ActionSteps    []string `json:"actionSteps"`
	// What follows is additive.
	Status     string         `json:"status" jsonschema:"enum=active,enum=completed,enum=abandoned"`
	DueDate    string         `json:"dueDate"`
	ClosedAt   string         `json:"closedAt,omitempty"`
	Steps      []observedStep `json:"steps"`
	NextAction *nextAction    `json:"nextAction,omitempty" jsonschema_description:"Open step that is due first, within the sub-chart where there is one"`
}

// stepView is all there is to know of a step.
type stepView struct {
	ID          string    `json:"id"`
	Title       string    `json:"title"`
	Status      string    `json:"status" jsonschema:"enum=open,enum=completed"`
	DueDate     string    `json:"dueDate"`
	Overdue     bool      `json:"overdue,omitempty"`
	CompletedAt string    `json:"completedAt,omitempty"`
	SubChart    *subChart `json:"subChart,omitempty" jsonschema_description:"Chart that details the step"`
}

// observedStep is a step with what was observed of it short of completion.
type observedStep struct {
	stepView
	Progress []string `json:"progress,omitempty" jsonschema_description:"What was observed of it, the first first"`
}

type subChart struct {
	ChartID string `json:"chartId"`
	graph.ChartProgress
}

type nextAction struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	DueDate string `json:"dueDate"`
	ChartID string `json:"chartId"`
}

func (f *family) chartProgressTool() *tools.Definition {
	return defineReader(f, mayRead, f.readStatus, tools.Tool[statusInput, statusOutput]{
		Name:  statusName,
		Title: "Get the progress of a chart",
		Description: "Read one chart: desired outcome, current reality, progress between 0 and 1, each step with id, status, due date and sub-chart, and the next action. " +
			"Use it before working on a chart. Example: \"how is my podcast coming along?\".",
		Idempotent: true, Version: "1.2.0", Tags: []string{"charts", "progress"},
		Examples: []tools.Example[statusInput, statusOutput]{{
			Description: "A chart with one of three steps complete",
			Setup:       append(exampleChartSetup("Learn recording/editing", "Create 5 episodes", "Build audience"), tools.SetupCall{Tool: completeName, Params: completeInput{ActionStepName: "Learn recording/editing"}}),
			Params:      statusInput{ChartID: "Create engaging podcast"},
			Result: statusOutput{
				ChartID: "chart_1765629421446", ChartProgress: graph.NewProgress(1, 3), DesiredOutcome: "Create engaging podcast",
				CurrentReality: "Have microphone; Completed: Learn recording/editing",
				ActionSteps:    []string{"Learn recording/editing", "Create 5 episodes", "Build audience"},
				Status:         graph.ChartActive, DueDate: "2025-06-30T00:00:00Z",
				Steps:      []observedStep{{stepView: stepView{ID: "chart_1765629421446_action_1", Title: "Learn recording/editing", Status: stepCompleted}}},
				NextAction: &nextAction{ID: "chart_1765629421446_action_2", Title: "Create 5 episodes", ChartID: "chart_1765629421446"},
			},
			Varies: []string{"chartId", "steps", "nextAction"},
		}},
	})
}

func (f *family) readStatus(tx *store.Tx, in statusInput) (out statusOutput, h *tools.Hints, err error) {
	c, err := resolveOrFirstError(tx, resolveChartState, "chartId", in.ChartID, nil, nil)
	if err != nil {
		return out, nil, err
	}
	if out, err = f.describeStatus(graph.In(tx), c); err != nil {
		return out, nil, err
	}
	next, err := findNextStep(graph.In(tx), c)
	if err != nil {
		return out, nil, err
	}
	if next != nil {
		out.NextAction = &nextAction{ID: next.ID, Title: next.Title, DueDate: next.DueDate, ChartID: next.Chart}
	} else if above, err := findParentStep(graph.In(tx), c); err != nil {
		return out, nil, err
	} else if above != nil && above.Completed && c.Status == graph.ChartActive {
		out.Status = graph.ChartCompleted // with its step
	}
	h = chartHints(tools.NewHints(tools.NewReadEvidence(1)), c, next, f.Store.Now())
	if c.ParentChart != "" {
		relateChart(h, c.ParentChart, "the chart that owns the step this chart details", 0.8)
	}
	return out, h, nil
}

// describeStatus reads what only the steps and the charts below them tell.
func (f *family) describeStatus(tx graph.Rows, c *graph.Chart) (statusOutput, error) {
	out := statusOutput{
		ChartID: tools.ChartID(c.ID), ChartProgress: c.Progress(),
		DesiredOutcome: c.Outcome, CurrentReality: c.Reality(), ActionSteps: c.StepTitles(),
		Status: c.Status, DueDate: c.DueDate, ClosedAt: c.ClosedAt, Steps: []observedStep{},
	}
	details, err := tx.StepDetails(c.Row)
	if err != nil {
		return out, err
	}
	rows := make([]int64, len(details))
	for i := range details {
		rows[i] = details[i].Row
	}
	notes, err := tx.ProgressNotes(rows)
	for i := range details {
		out.Steps = append(out.Steps, observedStep{f.describeStep(&details[i]), notes[details[i].Row]})
	}
	return out, err
}

// Statuses of a step.
const (
	stepOpen      = "open"
	stepCompleted = "completed"
)

func (f *family) describeStep(s *graph.StepDetail) stepView {
	v := stepView{ID: s.ID, Title: s.Title, Status: stepOpen, DueDate: s.DueDate, CompletedAt: s.CompletedAt}
	if s.Completed {
		v.Status = stepCompleted
	}
	v.Overdue = !s.Completed && isPast(s.DueDate, f.Store.Now())
	if s.DetailID != "" {
		v.SubChart = &subChart{s.DetailID, graph.NewProgress(s.SubDone, s.SubTotal)}
	}
	return v
}

// resolveChartState reads the chart that a name means.
func resolveChartState(tx *store.Tx, field, name string) (*graph.Chart, error) {
	chart, err := resolveChart(tx, field, name)
	if err != nil {
		return nil, err
	}
	return graph.In(tx).ReadChartWithSteps(chart.Row)
}
