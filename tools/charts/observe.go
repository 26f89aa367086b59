package charts

import (
	"context"
	"fmt"

	"toolkit/store"
	"toolkit/tools"
	"toolkit/tools/engines/orientation"
	"toolkit/tools/engines/reality"
)

const (
	progressName = "update_action_progress"
	realityName  = "update_current_reality"
)

type progressInput struct {
	ActionStepName       string `json:"actionStepName" jsonschema:"required" jsonschema_description:"Step that moved: id or exact title"`
	ProgressObservation  string `json:"progressObservation" jsonschema:"required,minLength=1" jsonschema_description:"What is so now, short of completion"`
	UpdateCurrentReality bool   `json:"updateCurrentReality,omitempty" jsonschema_description:"Also add it to the current reality of the chart"`
}

type progressOutput struct {
	ActionStepName        string `json:"actionStepName"`
	ProgressObservation   string `json:"progressObservation"`
	CurrentRealityUpdated bool   `json:"currentRealityUpdated"`
	Timestamp             string `json:"timestamp"`
}

func (f *family) progressTool() tools.Tool[progressInput, progressOutput] {
	return tools.Tool[progressInput, progressOutput]{
		Name:  progressName,
		Title: "Update the progress of an action step",
		Description: "Record progress on an action step that is not complete yet, and with updateCurrentReality also in the reality of its chart. " +
			"Use it when something moved and the result does not exist yet. Returns the observation with its time. Example: \"Completed tutorials, working on mixing\".",
		Permissions: []tools.Permission{mayUpdate}, Category: tools.Mutation, ResponseTime: tools.Fast, Idempotent: true, Version: version,
		Tags: []string{"charts", "progress"},
		Examples: []tools.Example[progressInput, progressOutput]{{
			Description: "Progress that the chart's reality shows too",
			Setup: []tools.SetupCall{{Tool: createName, Params: createInput{
				DesiredOutcome: "Create engaging podcast", CurrentReality: "Have microphone",
				DueDate: "2025-06-30T00:00:00Z", ActionSteps: []string{"Learn recording/editing"},
			}}},
			Params: progressInput{ActionStepName: "Learn recording/editing", ProgressObservation: "Completed Audacity tutorials, working on mixing", UpdateCurrentReality: true},
			Result: progressOutput{
				ActionStepName: "Learn recording/editing", ProgressObservation: "Completed Audacity tutorials, working on mixing",
				CurrentRealityUpdated: true, Timestamp: "2025-12-13T20:00:00Z",
			},
			Varies: []string{"timestamp"},
		}},
		Handle: f.progress,
	}
}

// observed is what an observation tells the result.
type observed struct {
	step    *store.Step
	chart   *store.ChartState
	added   []string
	updated bool // the chart's reality changed
}

func (f *family) progress(ctx context.Context, in progressInput) (tools.Result[progressOutput], error) {
	var none tools.Result[progressOutput]
	in.ProgressObservation = trimmed(in.ProgressObservation)
	err := firstOf(notBlank("actionStepName", in.ActionStepName), notBlank("progressObservation", in.ProgressObservation))
	if err != nil {
		return none, err
	}
	var wording error
	if in.UpdateCurrentReality {
		wording = oriented(progressName, "progressObservation", orientation.Reality(in.ProgressObservation))
	}
	o, err := store.WriteValue(ctx, f.store, func(tx *store.Tx) (observed, error) { return noteProgress(tx, in, wording) })
	if err != nil {
		return none, err
	}
	h := chartHints(tools.NewHints(tools.Written()), o.chart, f.store.Now())
	relateChart(h, o.chart.ID, o.chart.Outcome, 1)
	if len(o.added) == 0 {
		h.Warn("duplicate", tools.Low, "the step has exactly this observation already; it was not added again", "describe what is new")
	}
	if o.step.Completed {
		h.Warn("conflict", tools.Low, "the step is complete since "+o.step.CompletedAt, "use update_current_reality for what is new in the chart")
	}
	return tools.Result[progressOutput]{Hints: h, Data: progressOutput{
		ActionStepName: o.step.Title, ProgressObservation: in.ProgressObservation,
		CurrentRealityUpdated: o.updated, Timestamp: timestamp(f.store.Now()),
	}}, nil
}

// noteProgress keeps the observation on the step, and if asked to, also
// "Progress on <title>: <text>" in the reality of the chart that owns it.
func noteProgress(tx *store.Tx, in progressInput, wording error) (o observed, err error) {
	if o.step, err = resolveStep(tx, "actionStepName", in.ActionStepName); err != nil {
		return o, err
	}
	if wording != nil {
		return o, wording
	}
	if o.added, err = tx.AppendFacts(o.step.Row, []string{in.ProgressObservation}); err != nil {
		return o, err
	}
	if in.UpdateCurrentReality {
		news, err := tx.AppendFacts(o.step.Chart, []string{reality.Progress(o.step.Title, in.ProgressObservation)})
		if err != nil {
			return o, err
		}
		o.updated = len(news) > 0
	}
	o.chart, err = tx.ChartStateAt(o.step.Chart)
	return o, err
}

type realityInput struct {
	ChartID         string   `json:"chartId" jsonschema:"required" jsonschema_description:"Chart to update: id or exact desired outcome"`
	NewObservations []string `json:"newObservations" jsonschema:"required,minItems=1" jsonschema_description:"Facts about what is so now"`
}

type realityOutput struct {
	ChartID        tools.ChartID `json:"chartId"`
	CurrentReality string        `json:"currentReality"`
	Added          []string      `json:"added"`
	UpdatedAt      string        `json:"updatedAt"`
}

func (f *family) realityTool() tools.Tool[realityInput, realityOutput] {
	return tools.Tool[realityInput, realityOutput]{
		Name:  realityName,
		Title: "Update current reality",
		Description: "Add facts to the current reality of a chart; facts it has already are not repeated. " +
			"Use it when something became so that no action step covers. Returns the whole reality and what was added. Example: \"Sponsor signed for 3 episodes\".",
		Permissions: []tools.Permission{mayUpdate}, Category: tools.Mutation, ResponseTime: tools.Fast, Idempotent: true, Version: version,
		Tags: []string{"charts", "progress"},
		Examples: []tools.Example[realityInput, realityOutput]{{
			Description: "One new fact and one that is known",
			Setup: []tools.SetupCall{{Tool: createName, Params: createInput{
				DesiredOutcome: "Create engaging podcast", CurrentReality: "Have microphone", DueDate: "2025-06-30T00:00:00Z",
			}}},
			Params: realityInput{ChartID: "Create engaging podcast", NewObservations: []string{"Have microphone", "Sponsor signed for 3 episodes"}},
			Result: realityOutput{
				ChartID: "chart_1765629421446", CurrentReality: "Have microphone; Sponsor signed for 3 episodes",
				Added: []string{"Sponsor signed for 3 episodes"}, UpdatedAt: "2025-12-13T20:00:00Z",
			},
			Varies: []string{"chartId", "updatedAt"},
		}},
		Handle: f.reality,
	}
}

func (f *family) reality(ctx context.Context, in realityInput) (tools.Result[realityOutput], error) {
	var none tools.Result[realityOutput]
	in.NewObservations = eachTrimmed(in.NewObservations)
	if err := firstOf(notBlank("chartId", in.ChartID), noneBlank("newObservations", in.NewObservations)); err != nil {
		return none, err
	}
	var wording error
	for i, o := range in.NewObservations {
		if wording == nil {
			wording = oriented(realityName, at("newObservations", i), orientation.Reality(o))
		}
	}
	o, err := store.WriteValue(ctx, f.store, func(tx *store.Tx) (o observed, err error) {
		chart, err := resolveChart(tx, "chartId", in.ChartID)
		if err != nil {
			return o, err
		}
		if wording != nil {
			return o, wording
		}
		if o.added, err = tx.AppendFacts(chart.Row, in.NewObservations); err != nil {
			return o, err
		}
		o.chart, err = tx.ChartStateAt(chart.Row)
		return o, err
	})
	if err != nil {
		return none, err
	}
	h := chartHints(tools.NewHints(tools.Written()), o.chart, f.store.Now())
	relateChart(h, o.chart.ID, o.chart.Outcome, 1)
	if n := len(in.NewObservations) - len(o.added); n > 0 {
		h.Warn("duplicate", tools.Low, fmt.Sprintf("%d observation(s) were known and not repeated", n), "")
	}
	return tools.Result[realityOutput]{Hints: h, Data: realityOutput{
		ChartID: tools.ChartID(o.chart.ID), CurrentReality: o.chart.Reality(), Added: o.added, UpdatedAt: timestamp(o.chart.Updated),
	}}, nil
}
