package exchange

import (
	"fmt"
	"strings"
)

// realitySeparator joins the facts where the current reality is one string.
const realitySeparator = "; "

// realityFacts reads the current reality of the single form: one string, or a
// list of facts.
func realityFacts(metadata object) []string {
	if facts, ok := decodeStrings(metadata.value("currentReality")); ok {
		return facts
	}
	if text := metadata.text("currentReality"); text != "" {
		return strings.Split(text, realitySeparator)
	}
	return nil
}

// liftChart moves what the chart has fields for out of its entities' metadata.
func (a *assembly) liftChart(chart *Chart, c *candidate) {
	metadata := &c.metadata
	metadata.removeText("chartId", chart.ID)
	chart.DueDate = metadata.takeText("dueDate")
	chart.CreatedAt = metadata.takeText("createdAt")
	chart.UpdatedAt = metadata.takeText("updatedAt")
	if isNumber(metadata.value("level")) {
		metadata.remove("level")
	}
	if chart.ParentChart != "" {
		metadata.remove("parentChart")
	}
	if chart.ParentStep != "" {
		metadata.remove("parentActionStep")
	}
	entity := &a.entities[c.entity]
	observations := entity.Observations
	if c.single() {
		observations = liftSingleForm(chart, metadata, observations)
	} else {
		a.liftOutcome(chart, c)
		a.liftReality(chart, c)
	}
	if chart.CreatedAt != "" && len(observations) == 1 && observations[0] == chartCreatedObservation(chart.CreatedAt) {
		observations = nil
	}
	if !c.single() && entity.Metadata == nil && entity.Extra == nil && a.entities[c.outcome].Metadata == nil {
		var s state
		var found bool
		observations, s, found = splitState(observations)
		chart.DueDate, chart.Completed, chart.CompletedAt = s.dueDate, s.completed, s.completedAt
		if !found {
			a.report.note(chart.Line, "the due date and completion of chart %q are not in this file", chart.ID)
		}
		if len(observations) == 0 {
			observations = nil
		}
	}
	a.noteMisunderstood(chart.Line, fmt.Sprintf("chart %q", chart.ID), *metadata, "dueDate", "createdAt", "updatedAt")
	chart.ChartEntity = Part{Observations: observations, Metadata: metadata.raw(), Extra: entity.Extra}
}

// liftSingleForm takes the fields that only the single form has. What repeats
// other fields or is counted from the steps is not kept twice.
func liftSingleForm(chart *Chart, metadata *object, observations []string) []string {
	metadata.remove("desiredOutcome")
	metadata.remove("currentReality")
	metadata.takeTexts("actionSteps")
	for _, key := range []string{"progress", "completedActions", "totalActions"} {
		if isNumber(metadata.value(key)) {
			metadata.remove(key)
		}
	}
	chart.Completed = readCompleted(metadata)
	chart.CompletedAt = metadata.takeText("completedAt")
	reality := strings.Join(chart.CurrentReality, realitySeparator)
	var own []string
	for _, text := range observations {
		if text != chart.DesiredOutcome && text != reality {
			own = append(own, text)
		}
	}
	return own
}

func (a *assembly) liftOutcome(chart *Chart, c *candidate) {
	entity, metadata := &a.entities[c.outcome], a.metadata(c.outcome)
	metadata.removeText("chartId", chart.ID)
	adopt := func(text *string, key string) {
		if *text == "" && !c.metadata.has(key) {
			*text = metadata.text(key)
		}
		metadata.removeText(key, *text)
	}
	adopt(&chart.DueDate, "dueDate")
	adopt(&chart.CreatedAt, "createdAt")
	adopt(&chart.UpdatedAt, "updatedAt")
	chart.Completed = readCompleted(&metadata)
	chart.CompletedAt = metadata.takeText("completedAt")
	a.noteMisunderstood(entity.Line, fmt.Sprintf("chart %q", chart.ID), metadata, "completionStatus", "completedAt")
	chart.OutcomeEntity = Part{Observations: further(entity.Observations), Metadata: metadata.raw(), Extra: entity.Extra}
}

// readCompleted takes a true completionStatus. Any other one stays: the
// writer says nothing of a chart that is open.
func readCompleted(metadata *object) bool {
	if string(metadata.value("completionStatus")) == "true" {
		return metadata.takeBool("completionStatus")
	}
	completed, _ := spelledBool(metadata.value("completionStatus"))
	return completed
}

func (a *assembly) liftReality(chart *Chart, c *candidate) {
	metadata := a.metadata(c.reality)
	metadata.removeText("chartId", chart.ID)
	metadata.removeText("createdAt", chart.CreatedAt)
	metadata.removeText("updatedAt", chart.UpdatedAt)
	chart.RealityEntity = Part{Metadata: metadata.raw(), Extra: a.entities[c.reality].Extra}
}

// removeText removes key when its value is that text, and the text is not empty.
func (o *object) removeText(key, text string) {
	if text != "" && o.text(key) == text {
		o.remove(key)
	}
}

func further(observations []string) []string {
	if len(observations) < 2 {
		return nil
	}
	return observations[1:]
}
