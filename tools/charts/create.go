package charts

import (
	"cmp"

	"toolkit/internal/orientation"
	"toolkit/internal/reality"
	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/tools"
)

const createName = "create_structural_tension_chart"

type createInput struct {
	DesiredOutcome string   `json:"desiredOutcome" jsonschema:"required,minLength=1,maxLength=500" jsonschema_extras:"bounded=true" jsonschema_description:"Result to create, not a problem to solve"`
	CurrentReality string   `json:"currentReality" jsonschema:"required,minLength=1,maxLength=500" jsonschema_extras:"bounded=true" jsonschema_description:"What is so today, factual"`
	DueDate        string   `json:"dueDate" jsonschema:"required" jsonschema_description:"ISO 8601 date by which it exists"`
	ActionSteps    []string `json:"actionSteps,omitempty" jsonschema_description:"Results on the way, in order"`
}

type createOutput struct {
	graph.ChartHead
	CreatedAt        string   `json:"createdAt"`
	ActionSteps      []string `json:"actionSteps"`
	Progress         float64  `json:"progress"`
	TotalActions     int      `json:"totalActions"`
	CompletedActions int      `json:"completedActions"`
}

func (f *family) createChartTool() *tools.Definition {
	return defineWriter(f, mayCreate, f.createChart, tools.Tool[createInput, createOutput]{
		Name:  createName,
		Title: "Create a structural tension chart",
		Description: "Create a chart of a desired outcome, current reality, and action steps paced up to the due date. " +
			"Use it when the user wants to bring something into being. Returns its chartId. Example: a podcast by June.",
		Version: "1.1.1", Tags: []string{"charts", "planning"}, Core: true,
		Examples: []tools.Example[createInput, createOutput]{{
			Description: "A podcast, in three steps",
			Params: createInput{
				DesiredOutcome: "Create engaging storytelling podcast", CurrentReality: "Have microphone, no experience",
				DueDate: "2025-06-30T00:00:00Z", ActionSteps: []string{"Learn recording/editing", "Create 5 episodes", "Build audience"},
			},
			Result: createOutput{
				ChartHead: graph.ChartHead{ChartID: "chart_1765629421446", DesiredOutcome: "Create engaging storytelling podcast",
					CurrentReality: "Have microphone, no experience", DueDate: "2025-06-30T00:00:00Z"}, CreatedAt: "2025-12-13T20:00:00Z",
				ActionSteps: []string{"Learn recording/editing", "Create 5 episodes", "Build audience"}, TotalActions: 3,
			},
			Varies: []string{"chartId", "createdAt"},
		}},
	})
}

// exampleChartSetup returns the chart that examples begin with.
func exampleChartSetup(steps ...string) []tools.SetupCall {
	return []tools.SetupCall{{Tool: createName, Params: createInput{
		DesiredOutcome: exampleOutcome, CurrentReality: "Have microphone", DueDate: "2025-06-30T00:00:00Z", ActionSteps: steps,
	}}}
}

func (f *family) createChart(tx *store.Tx, in createInput) (out createOutput, h *tools.Hints, err error) {
	rows := graph.In(tx)
	in.CurrentReality = trimFact(in.CurrentReality)
	err = cmp.Or(
		tools.RequireText("desiredOutcome", in.DesiredOutcome),
		tools.RequireText("currentReality", in.CurrentReality),
		checkEach(tools.RequireText, "actionSteps", in.ActionSteps),
		checkDate("dueDate", in.DueDate),
		makeWordingCheck(createName, f.outcomeRule)("desiredOutcome", in.DesiredOutcome),
		makeWordingCheck(createName, orientation.CheckReality)("currentReality", in.CurrentReality),
		checkEach(makeWordingCheck(createName, orientation.CheckStep), "actionSteps", in.ActionSteps),
		checkDistinctTitles("actionSteps", in.ActionSteps),
	)
	if err != nil {
		return out, nil, err
	}
	namesakes, err := rows.ChartsByTitle(in.DesiredOutcome, 1)
	if err != nil {
		return out, nil, err
	}
	// Other processes create charts in the same millisecond.
	id, err := rows.FreeChartID(f.Store.Now().UnixMilli())
	if err != nil {
		return out, nil, err
	}
	chart, err := rows.InsertChart(graph.Chart{ID: id, Outcome: in.DesiredOutcome, Facts: reality.SplitFacts(in.CurrentReality), DueDate: in.DueDate, Project: f.findProjectKey()})
	if err != nil {
		return out, nil, err
	}
	if err := f.insertSteps(rows, chart, in.ActionSteps); err != nil {
		return out, nil, err
	}
	c, h, err := f.readChartAndHints(rows, chart.Row)
	if err != nil {
		return out, nil, err
	}
	warnPastDate(h, "dueDate", c.DueDate, f.Store.Now())
	for _, n := range namesakes {
		h.Warn("duplicate", tools.PriorityMedium, "the chart "+n.ID+" has the same desired outcome; from now on both are found by their ids only", "go on with that one, or reword this one with update_desired_outcome")
	}
	return createOutput{ChartHead: c.Head(), CreatedAt: formatTimestamp(c.Created), ActionSteps: c.StepTitles(), TotalActions: len(c.Steps)}, h, nil
}

// findProjectKey returns the key of the project in which charts are made; empty: it is not known.
func (f *family) findProjectKey() string {
	at, _ := tools.FindProjectOfFolder(f.Folder)
	return at.Key
}

// insertSteps adds the first steps of a new chart, their due dates spread
// evenly up to the chart's.
func (f *family) insertSteps(tx graph.Rows, chart *graph.Chart, titles []string) error {
	steps := make([]graph.NewStep, len(titles))
	for i, due := range spreadDueDates(f.Store.Now(), chart.DueDate, len(titles)) {
		steps[i] = graph.NewStep{Title: titles[i], DueDate: due}
	}
	_, err := tx.InsertSteps(chart, steps)
	return err
}
