package charts

import (
	"cmp"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"toolkit/fixtures"
	"toolkit/internal/orientation"
	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/tools"
)

const momentName = "creator_moment_of_truth"

// The steps of the moment of truth. A full review covers the four that follow.
const (
	stepFull        = "full_review"
	stepAcknowledge = "acknowledge"
	stepAnalyze     = "analyze"
	stepPlan        = "plan"
	stepFeedback    = "feedback"
)

var momentSteps = []string{stepFull, stepAcknowledge, stepAnalyze, stepPlan, stepFeedback}

type momentInput struct {
	ChartID   string `json:"chartId" jsonschema:"required,maxLength=1000" jsonschema_description:"Chart to review: id or exact desired outcome"`
	Step      string `json:"step,omitempty" jsonschema:"enum=full_review,enum=acknowledge,enum=analyze,enum=plan,enum=feedback" jsonschema_description:"Step of the review, full_review if absent"`
	UserInput string `json:"userInput,omitempty" jsonschema:"maxLength=10000" jsonschema_description:"What the user said to this step"`
}

type momentOutput struct {
	ChartID  tools.ChartID `json:"chartId"`
	Step     string        `json:"step"`
	Guidance string        `json:"guidance"`
	NextStep *string       `json:"nextStep" jsonschema:"oneof_type=string;null"`
}

func (f *family) momentOfTruthTool() *tools.Definition {
	next := stepAnalyze
	return defineReader(f, mayRead, f.guideReview, tools.Tool[momentInput, momentOutput]{
		Name:  momentName,
		Title: "Creator moment of truth",
		Description: "Guide a reflection on what was expected in a chart and what is so: acknowledge, analyze, plan, feedback, or all at once. " +
			"Use it when steps are late, when all are complete, or weekly. Reads only; returns questions made from the chart, hints say what to record. Example: after a missed due date.",
		Category: tools.Analysis, Idempotent: true, Version: version, Tags: []string{"charts", "reflection"},
		Examples: []tools.Example[momentInput, momentOutput]{{
			Description: "The first step of a review",
			Setup:       exampleChartSetup("Learn recording/editing"),
			Params:      momentInput{ChartID: "Create engaging podcast", Step: stepAcknowledge},
			Result:      momentOutput{ChartID: "chart_1765629421446", Step: stepAcknowledge, Guidance: "What was expected, and what is so?", NextStep: &next},
			Varies:      []string{"chartId", "guidance"},
		}},
	})
}

func (f *family) guideReview(tx *store.Tx, in momentInput) (out momentOutput, h *tools.Hints, err error) {
	in.Step = cmp.Or(in.Step, stepFull)
	c, err := resolveOrFirstError(tx, resolveChartState, "chartId", in.ChartID, checkOptional(tools.RequireText, "userInput", in.UserInput), nil)
	if err != nil {
		return out, nil, err
	}
	guidance, err := fixtures.MomentGuidance(in.Step, collectReviewData(c, in.UserInput, f.Store.Now()))
	out = momentOutput{ChartID: tools.ChartID(c.ID), Step: in.Step, Guidance: guidance, NextStep: nextReviewStep(in.Step)}
	if err != nil {
		return out, nil, err
	}
	open, err := findNextStep(graph.In(tx), c)
	return out, f.momentHints(c, in, out.NextStep, open), err
}

// collectReviewData returns what the guidance tells of a chart.
func collectReviewData(c *graph.Chart, userInput string, now time.Time) fixtures.MomentData {
	done, total := c.CountCompletedSteps(), len(c.Steps)
	d := fixtures.MomentData{
		ChartID: c.ID, DesiredOutcome: c.Outcome, CurrentReality: c.Reality(), DueDate: c.DueDate,
		Progress: graph.NewProgress(done, total).Progress, Completed: done, Total: total, UserInput: userInput,
	}
	for _, s := range c.Steps {
		group := &d.Open
		switch {
		case s.Completed:
			group = &d.Done
		case isPast(s.DueDate, now):
			group = &d.Overdue
		}
		*group = append(*group, fixtures.MomentStep{Title: s.Title, DueDate: s.DueDate})
	}
	return d
}

// nextReviewStep is the step after a step, or nil.
func nextReviewStep(step string) *string {
	i := slices.Index(momentSteps, step) + 1
	if i >= len(momentSteps) {
		return nil
	}
	return &momentSteps[i]
}

// momentHints suggest what to record of what the user said, and the next step.
func (f *family) momentHints(c *graph.Chart, in momentInput, next *string, open *graph.PlacedStep) *tools.Hints {
	now := f.Store.Now()
	late := listOverdueSteps(c, now)
	h := tools.NewHints(tools.NewReadEvidence(1)).
		Because(fmt.Sprintf("%d of %d action steps complete, %d overdue", c.CountCompletedSteps(), len(c.Steps), len(late)))
	switch in.Step {
	case stepAcknowledge:
		suggestRecordingFact(h, c, in.UserInput)
	case stepAnalyze:
		h.Needs("what the user assumed and did, if they have not said it")
	case stepPlan:
		suggestAddingStep(h, c, in.UserInput, open)
	case stepFeedback:
		h.SuggestCall(outcomeName, tools.PriorityLow, chartArgs(c.ID), "if the outcome itself has changed")
	}
	if in.UserInput == "" && in.Step != stepFull {
		h.Needs("the user's answer to the step " + in.Step)
	}
	if next != nil {
		h.SuggestCall(momentName, tools.PriorityMedium, map[string]any{"chartId": c.ID, "step": *next}, "go on with "+*next)
	}
	if len(late) > 0 {
		h.SuggestCall("mark_action_complete", tools.PriorityMedium, stepArgs(late[0].ID), fmt.Sprintf("if the overdue %q exists%s", tools.ShortenForMessage(late[0].Title), formatDue(late[0].DueDate)))
	}
	return relateChart(h, c.ID, c.Outcome, 1)
}

// suggestRecordingFact offers the user's words as a fact, or says why they are none.
func suggestRecordingFact(h *tools.Hints, c *graph.Chart, userInput string) {
	args := chartArgs(c.ID)
	if userInput != "" {
		if finding := orientation.CheckReality(userInput); finding != nil {
			h.Warn("validation", tools.PriorityLow, "what the user said is not a fact yet: "+finding.Message, "ask for what is so, then record it")
		} else {
			args["newObservations"] = []string{userInput}
		}
	}
	h.SuggestCall(realityName, tools.PriorityHigh, args, "record what is so now")
}

// suggestAddingStep offers the user's words as a step where they can be one.
func suggestAddingStep(h *tools.Hints, c *graph.Chart, userInput string, open *graph.PlacedStep) {
	args := parentArgs(c.ID)
	if userInput != "" && utf8.RuneCountInString(userInput) <= 200 && orientation.CheckStep(userInput) == nil {
		args["actionStepTitle"] = userInput
	}
	h.SuggestCall(addName, tools.PriorityHigh, args, "add what the user decided as a result of its own")
	if open != nil {
		h.SuggestCall(telescopeName, tools.PriorityMedium, stepArgs(open.ID), fmt.Sprintf("or break %q into smaller results", tools.ShortenForMessage(open.Title)))
	}
}
