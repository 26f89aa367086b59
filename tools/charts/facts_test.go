package charts

import (
	"strings"
	"testing"

	"toolkit/internal/storetest"
	"toolkit/internal/toolstest"
	"toolkit/store"
	"toolkit/store/graph"
)

func TestFactsAreKeptWithoutSurroundingWhiteSpace(t *testing.T) {
	b := newBench(t)
	out := b.Call(createName, args{
		"desiredOutcome": "Create a podcast", "currentReality": "  Have a desk\n", "dueDate": "2026-05-01T12:00:00Z",
		"actionSteps": []string{"Pilot recorded"},
	})
	id := out["chartId"].(string)
	same(t, "reality echoed", out["currentReality"], "Have a desk")

	out = b.Call(realityName, args{"chartId": id, "newObservations": []string{"A", "A", " a ", "B", "\tHave a desk "}})
	same(t, "added", texts(out["added"]), []string{"A", "a", "B"})
	same(t, "facts", b.facts(id), []string{"Have a desk", "A", "a", "B"})

	out = b.Call(progressName, args{"actionStepName": "Pilot recorded", "progressObservation": " Script read ", "updateCurrentReality": true})
	same(t, "observation echoed", out["progressObservation"], "Script read")
	same(t, "observations of the step", b.facts(id+"_action_1"), "[Script read]")
	same(t, "facts", b.facts(id)[4:], "[Progress on Pilot recorded: Script read]")

	out = b.Call(addName, args{"parentChartId": id, "actionStepTitle": "Trailer published", "currentReality": " No text "})
	same(t, "reality of the step echoed", out["currentReality"], "No text")
	same(t, "facts of the step", b.facts(id+"_action_2"), "[No text]")

	out = b.Call(telescopeName, args{"actionStepName": "Pilot recorded", "newCurrentReality": "\u00a0No guest "})
	same(t, "reality of the sub-chart echoed", out["currentReality"], "No guest")
	same(t, "facts of the sub-chart", b.facts(id+"_action_1_sub"), "[No guest]")

	beat := b.Call(createBeatName, beatArgs(id, "The quiet room"))["name"].(string)
	out = b.Call(telescopeBeatName, args{"parentBeatName": beat, "newCurrentReality": " The room is quiet "})
	same(t, "reality of the beat echoed", out["newCurrentReality"], "The room is quiet")
	same(t, "facts of the beat", b.facts(beat), "[The room is quiet]")
}

func TestOnlyAnOpenStepIsTelescoped(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast", "Microphone bought", "Pilot recorded")
	b.complete("Microphone bought")
	before := b.contents()
	in := args{"actionStepName": "Microphone bought", "newCurrentReality": "No shop"}
	e := b.refuse(telescopeName, in, "VALIDATION_ERROR", "actionStepName")
	same(t, "constraint", e.Details["constraint"], "open step")
	contains(t, "the message", e.Message, "add_action_step")
	next := b.CallAllowingRefusal(telescopeName, in).Hints.SuggestedNextActions[0]
	same(t, "suggested", []any{next.Action, next.Data}, []any{"add-action-step", args{"parentChartId": id}})
	b.unchanged(before)

	for _, advice := range []struct {
		tool string
		in   any
		code string
	}{
		{"get_chart_progress", args{"chartId": "Microphone bought"}, "NOT_FOUND"},
		{addName, addArgs(id, "microphone bought"), "DUPLICATE_KEY"},
	} {
		r := b.CallAllowingRefusal(advice.tool, advice.in)
		if !r.IsError || !strings.Contains(r.Text, advice.code) {
			t.Fatalf("%s(%v) gave %s", advice.tool, advice.in, r.Text)
		}
		for _, action := range r.Hints.SuggestedNextActions {
			if action.Action == "telescope-action-step" {
				t.Errorf("%s suggests to telescope a completed step", advice.tool)
			}
		}
		if strings.Contains(r.Err.Message, telescopeName) {
			t.Errorf("%s advises to telescope a completed step: %s", advice.tool, r.Err.Message)
		}
	}
	b.Call(progressName, args{"actionStepName": "Microphone bought", "progressObservation": "Cable came later"}) // stays allowed
}

func TestWriteBelowClosedChartWarns(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast", "Pilot recorded")
	b.Call(telescopeName, args{"actionStepName": "Pilot recorded", "newCurrentReality": "x", "initialActionSteps": []string{"Script written"}})
	b.Call(updateChartName, args{"chartId": id, "status": "abandoned"})
	r := b.CallAllowingRefusal(telescopeName, args{"actionStepName": "Script written", "newCurrentReality": "x"})
	contains(t, "the hints", string(marshalled(t, r.Hints)), "list_active_charts does not show")
}

func TestUnknownNameListsExistingNodes(t *testing.T) {
	b := newBench(t)
	rudder := b.chart("Build a rudder", "Oak chosen")
	for _, c := range []struct{ tool, field, name, shown string }{
		{"get_chart_progress", "chartId", "nope", rudder},
		{"get_chart_progress", "chartId", "chart_999", rudder},
		{"get_chart_progress", "chartId", "bus", rudder},
		{"mark_action_complete", "actionStepName", "nope", rudder + "_action_1"},
	} {
		e := b.refuse(c.tool, args{c.field: c.name}, "NOT_FOUND", c.field)
		contains(t, "the message", e.Message, "there are: ")
		contains(t, "the message", e.Message, c.shown)
		if strings.Contains(e.Message, "perhaps") {
			t.Errorf("%q: the message guesses: %s", c.name, e.Message)
		}
		same(t, "candidates", candidateIDs(e), []string{c.shown})
		for _, action := range b.CallAllowingRefusal(c.tool, args{c.field: c.name}).Hints.SuggestedNextActions {
			if strings.Contains(action.Description, "is meant") {
				t.Errorf("%q: a hint guesses: %s", c.name, action.Description)
			}
		}
	}
	for _, name := range []string{"rudder", "Build rudder", "Bild a ruder", rudder[:len(rudder)-2]} {
		contains(t, "the message for "+name, b.refuse("get_chart_progress", args{"chartId": name}, "NOT_FOUND", "chartId").Message, "perhaps meant: ")
	}
	long := b.chart("Create an engaging storytelling podcast about gardens, rivers and the people who tend them in the far north")
	e := b.refuse("get_chart_progress", args{"chartId": "podcast"}, "NOT_FOUND", "chartId")
	contains(t, "the message", e.Message, "perhaps meant: ")
	same(t, "candidates", candidateIDs(e), []string{long})
}

func TestAChartWithoutDueDateShowsNoEmptyOne(t *testing.T) {
	b := newBench(t)
	b.undated("chart_1", "Create a garden")
	for _, step := range momentSteps {
		guidance := b.Call(momentName, args{"chartId": "chart_1", "step": step})["guidance"].(string)
		if strings.Contains(guidance, "Due:") {
			t.Errorf("%s shows an empty due date:\n%s", step, guidance)
		}
		if step == stepFull || step == stepAcknowledge {
			contains(t, step, guidance, "**Current reality:** Have a spade\n**Steps:** 0 of 1 done")
		}
	}
	hints := string(marshalled(t, b.CallAllowingRefusal(addName, addArgs("chart_1", "Seeds bought")).Hints))
	if strings.Contains(hints, "due \"") || strings.Contains(hints, "halfway") {
		t.Errorf("the hints speak of an empty due date: %s", hints)
	}
}

func marshalled(t testing.TB, v any) []byte {
	t.Helper()
	raw := []byte(toolstest.EncodeJSON(v))
	return raw
}

// undated adds a chart with one step as an import does: without due dates.
func (b *bench) undated(id, outcome string) {
	b.T.Helper()
	storetest.Write(b.T, b.Store, func(tx *store.Tx) error {
		c, err := graph.In(tx).InsertChart(graph.Chart{ID: id, Outcome: outcome, Facts: []string{"Have a spade"}})
		if err == nil {
			_, err = graph.In(tx).InsertStep(c, "Beds dug", "")
		}
		return err
	})
}
