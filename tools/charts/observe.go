package charts

import (
	"fmt"

	"toolkit/internal/orientation"
	"toolkit/internal/reality"
	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/tools"
)

const (
	progressName = "update_action_progress"
	realityName  = "update_current_reality"
)

type progressInput struct {
	ActionStepName       string `json:"actionStepName" jsonschema:"required" jsonschema_description:"Step that moved: id or exact title"`
	ProgressObservation  string `json:"progressObservation" jsonschema:"required,minLength=1,maxLength=10000" jsonschema_description:"What is so now, short of completion"`
	UpdateCurrentReality bool   `json:"updateCurrentReality,omitempty" jsonschema_description:"Also add it to the current reality of the chart"`
}

type progressOutput struct {
	ActionStepName        string `json:"actionStepName"`
	ProgressObservation   string `json:"progressObservation"`
	CurrentRealityUpdated bool   `json:"currentRealityUpdated"`
	Timestamp             string `json:"timestamp"`
}

func (f *family) recordProgressTool() *tools.Definition {
	return defineWriter(f, mayUpdate, f.recordProgress, tools.Tool[progressInput, progressOutput]{
		Name:  progressName,
		Title: "Update the progress of an action step",
		Description: "Record progress on an action step that is not complete yet, and with updateCurrentReality also in the reality of its chart. " +
			"Use it when something moved and the result does not exist yet. Returns the observation with its time. Example: \"Completed tutorials, working on mixing\".",
		Idempotent: true, Version: version, Tags: []string{"charts", "progress"},
		Examples: []tools.Example[progressInput, progressOutput]{{
			Description: "Progress that the chart's reality shows too",
			Setup:       exampleChartSetup("Learn recording/editing"),
			Params:      progressInput{ActionStepName: "Learn recording/editing", ProgressObservation: "Completed Audacity tutorials, working on mixing", UpdateCurrentReality: true},
			Result: progressOutput{
				ActionStepName: "Learn recording/editing", ProgressObservation: "Completed Audacity tutorials, working on mixing",
				CurrentRealityUpdated: true, Timestamp: "2025-12-13T20:00:00Z",
			},
			Varies: []string{"timestamp"},
		}},
	})
}

// recordProgress keeps the observation on the step, and if asked to, also
// "Progress on <title>: <text>" in the reality of the chart that owns it.
func (f *family) recordProgress(tx *store.Tx, in progressInput) (out progressOutput, h *tools.Hints, err error) {
	rows := graph.In(tx)
	in.ProgressObservation = trimFact(in.ProgressObservation)
	var wording error
	if in.UpdateCurrentReality {
		wording = makeWordingCheck(progressName, orientation.CheckReality)("progressObservation", in.ProgressObservation)
	}
	step, err := resolveOrFirstError(tx, resolveStepByTitleOrWords, "actionStepName", in.ActionStepName, tools.RequireText("progressObservation", in.ProgressObservation), wording)
	if err != nil {
		return out, nil, err
	}
	added, err := rows.AppendFacts(step.Row, []string{in.ProgressObservation})
	if err != nil {
		return out, nil, err
	}
	var news []string
	if in.UpdateCurrentReality {
		news, err = rows.AppendFacts(step.Chart, []string{reality.FormatProgressFact(step.Title, in.ProgressObservation)})
	}
	if err != nil {
		return out, nil, err
	}
	_, h, err = f.readChartAndHints(rows, step.Chart)
	if err != nil {
		return out, nil, err
	}
	if len(added) == 0 {
		h.Warn("duplicate", tools.PriorityLow, "the step has exactly this observation already; it was not added again", "describe what is new")
	}
	if step.Completed {
		h.Warn("conflict", tools.PriorityLow, "the step is complete since "+step.CompletedAt, "use update_current_reality for what is new in the chart")
	}
	return progressOutput{
		ActionStepName: step.Title, ProgressObservation: in.ProgressObservation,
		CurrentRealityUpdated: len(news) > 0, Timestamp: formatTimestamp(f.Store.Now()),
	}, h, nil
}

type realityInput struct {
	ChartID         string   `json:"chartId" jsonschema:"required,maxLength=1000" jsonschema_description:"Chart to update: id or exact desired outcome"`
	NewObservations []string `json:"newObservations" jsonschema:"required,minItems=1,maxItems=100,maxLength=10000" jsonschema_description:"Facts about what is so now"`
}

type realityOutput struct {
	ChartID        tools.ChartID `json:"chartId"`
	CurrentReality string        `json:"currentReality"`
	Added          []string      `json:"added"`
	UpdatedAt      string        `json:"updatedAt"`
}

func (f *family) updateRealityTool() *tools.Definition {
	return defineWriter(f, mayUpdate, f.addRealityFacts, tools.Tool[realityInput, realityOutput]{
		Name:  realityName,
		Title: "Update current reality",
		Description: "Add facts to the current reality of a chart; facts it has already are not repeated. " +
			"Use it when something became so that no action step covers. Returns the whole reality and what was added. Example: \"Sponsor signed for 3 episodes\".",
		Idempotent: true, Version: version, Tags: []string{"charts", "progress"},
		Examples: []tools.Example[realityInput, realityOutput]{{
			Description: "One new fact and one that is known",
			Setup:       exampleChartSetup(),
			Params:      realityInput{ChartID: "Create engaging podcast", NewObservations: []string{"Have microphone", "Sponsor signed for 3 episodes"}},
			Result: realityOutput{
				ChartID: "chart_1765629421446", CurrentReality: "Have microphone; Sponsor signed for 3 episodes",
				Added: []string{"Sponsor signed for 3 episodes"}, UpdatedAt: "2025-12-13T20:00:00Z",
			},
			Varies: []string{"chartId", "updatedAt"},
		}},
	})
}

func (f *family) addRealityFacts(tx *store.Tx, in realityInput) (out realityOutput, h *tools.Hints, err error) {
	for i, fact := range in.NewObservations {
		in.NewObservations[i] = trimFact(fact)
	}
	chart, err := resolveOrFirstError(tx, resolveChart, "chartId", in.ChartID, checkEach(tools.RequireText, "newObservations", in.NewObservations),
		checkEach(makeWordingCheck(realityName, orientation.CheckReality), "newObservations", in.NewObservations))
	if err != nil {
		return out, nil, err
	}
	added, err := graph.In(tx).AppendFacts(chart.Row, in.NewObservations)
	if err != nil {
		return out, nil, err
	}
	c, h, err := f.readChartAndHints(graph.In(tx), chart.Row)
	if err != nil {
		return out, nil, err
	}
	if n := len(in.NewObservations) - len(added); n > 0 {
		h.Warn("duplicate", tools.PriorityLow, fmt.Sprintf("%d observation(s) were known and not repeated", n), "")
	}
	return realityOutput{ChartID: tools.ChartID(c.ID), CurrentReality: c.Reality(), Added: added, UpdatedAt: formatTimestamp(c.Updated)}, h, nil
}
