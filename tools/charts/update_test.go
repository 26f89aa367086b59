package charts

import (
	"testing"
	"time"
)

func TestFactsAreAppendedOnceEach(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast")
	b.Clock.Advance(time.Hour)
	out := b.Call(realityName, args{"chartId": id, "newObservations": []string{"Two guests agreed", "Have a desk", "Two guests agreed", "Cable bought"}})
	same(t, "response", out, args{
		"chartId": id, "currentReality": "Have a desk; Two guests agreed; Cable bought",
		"added": []string{"Two guests agreed", "Cable bought"}, "updatedAt": "2026-01-01T13:00:00Z",
	})
	b.Clock.Advance(time.Hour)
	out = b.Call(realityName, args{"chartId": "create  A PODCAST", "newObservations": []string{"Cable bought"}})
	same(t, "response without news", []any{out["added"], out["updatedAt"]}, "[[] 2026-01-01T13:00:00Z]")
}

func TestUpdateCurrentRealityRefusals(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast")
	before := b.contents()
	b.refuse(realityName, args{"chartId": id}, "MISSING_REQUIRED", "newObservations")
	b.refuse(realityName, args{"chartId": id, "newObservations": []string{}}, "VALIDATION_ERROR", "newObservations")
	b.refuse(realityName, args{"chartId": id, "newObservations": "Two guests"}, "VALIDATION_ERROR", "newObservations")
	b.refuse(realityName, args{"chartId": id, "newObservations": []string{"Two guests", " "}}, "VALIDATION_ERROR", "newObservations[1]")
	b.refuse(realityName, args{"chartId": "chart_1", "newObservations": []string{"I will have guests"}}, "NOT_FOUND", "chartId")
	b.refuse(realityName, args{"chartId": id, "newObservations": []string{"Two guests", "I will have guests"}}, "CREATIVE_ORIENTATION_ERROR", "newObservations[1]")
	b.unchanged(before)
}

func TestADesiredOutcomeIsReplaced(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast", "Microphone bought")
	b.Clock.Advance(time.Minute)
	out := b.Call(outcomeName, args{"chartId": "Create a podcast", "newDesiredOutcome": "Create a weekly podcast"})
	same(t, "response", out, args{"chartId": id, "desiredOutcome": "Create a weekly podcast", "previousDesiredOutcome": "Create a podcast", "updatedAt": "2026-01-01T12:01:00Z"})
	same(t, "outcome", b.progressOf("create a weekly podcast")["desiredOutcome"], "Create a weekly podcast")
	b.refuse("get_chart_progress", args{"chartId": "Create a podcast"}, "NOT_FOUND", "chartId")

	b.refuse(outcomeName, args{"chartId": id, "newDesiredOutcome": "Stop wasting time"}, "CREATIVE_ORIENTATION_ERROR", "newDesiredOutcome")
	b.refuse(outcomeName, args{"chartId": id, "newDesiredOutcome": "Work on a podcast"}, "CREATIVE_ORIENTATION_ERROR", "newDesiredOutcome")
	b.refuse(outcomeName, args{"chartId": id, "newDesiredOutcome": "\u00a0"}, "VALIDATION_ERROR", "newDesiredOutcome")
	b.refuse(outcomeName, args{"chartId": "nope", "newDesiredOutcome": "Stop wasting time"}, "NOT_FOUND", "chartId")
}

func TestATelescopedChartsOutcomeIsJudgedByTheDenyPartAlone(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast", "Microphone bought")
	sub := b.Call(telescopeName, args{"actionStepName": "Microphone bought", "newCurrentReality": "No money"})["chartId"].(string)
	b.Call(outcomeName, args{"chartId": sub, "newDesiredOutcome": "A quiet microphone"})
	b.refuse(outcomeName, args{"chartId": sub, "newDesiredOutcome": "Eliminate noise"}, "CREATIVE_ORIENTATION_ERROR", "newDesiredOutcome")
	same(t, "the step's title", b.progressOf(id)["actionSteps"], "[Microphone bought]")
}

func TestRenamingAChartThatIsAStepRenamesTheStep(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast", "Microphone bought")
	step := b.Call(addName, addArgs(id, "Trailer published"))["chartId"].(string)
	b.Call(outcomeName, args{"chartId": step, "newDesiredOutcome": "Teaser published"})
	same(t, "steps", b.progressOf(id)["actionSteps"], "[Microphone bought Teaser published]")
	b.refuse(outcomeName, args{"chartId": step, "newDesiredOutcome": "microphone BOUGHT"}, "DUPLICATE_KEY", "newDesiredOutcome")
	b.refuse(addName, addArgs(id, "teaser published"), "DUPLICATE_KEY", "actionStepTitle")
	b.Call(outcomeName, args{"chartId": step, "newDesiredOutcome": "TEASER published"}) // its own title in another case
	b.Call(addName, addArgs(id, "Trailer published"))                                   // the former title is free
	same(t, "completed", b.complete("teaser published")["actionStepName"], "TEASER published")
}

func TestAnUnchangedOutcomeWritesNothing(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast")
	before := b.contents()
	b.Clock.Advance(time.Hour)
	out := b.Call(outcomeName, args{"chartId": id, "newDesiredOutcome": "Create a podcast"})
	same(t, "updatedAt", out["updatedAt"], "2026-01-01T12:00:00Z")
	b.unchanged(before)
}
