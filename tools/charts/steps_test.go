package charts

import (
	"strings"
	"testing"
	"time"
)

func addArgs(chart, title string) args {
	return args{"parentChartId": chart, "actionStepTitle": title, "currentReality": "Nothing exists yet"}
}

func TestAnAddedStepIsAStepOfItsParentAndAChartOfItsOwn(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast", "Microphone bought")
	out := b.Call(addName, addArgs(id, "Trailer published"))
	same(t, "response", out, args{
		"chartId": id + "_action_2", "parentChart": id, "actionStepTitle": "Trailer published", "desiredOutcome": "Trailer published",
		"currentReality": "Nothing exists yet", "createdAt": "2026-01-01T12:00:00Z",
	})
	parent := b.progressOf(id)
	same(t, "total of the parent", parent["totalActions"], 2)
	same(t, "steps of the parent", parent["actionSteps"], "[Microphone bought Trailer published]")
	charts := b.Call("list_active_charts", args{})["charts"].([]any)
	same(t, "number of active charts", len(charts), 2)
	child := charts[1].(args)
	same(t, "child", []any{child["chartId"], child["level"], child["parentChart"], child["desiredOutcome"], child["currentReality"]},
		[]any{id + "_action_2", 1, id, "Trailer published", "Nothing exists yet"})
	same(t, "parent of the master", charts[0].(args)["parentChart"], nil)
}

func TestAnAddedStepIsDueHalfwayUnlessADateIsGiven(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast")
	b.Call(addName, addArgs(id, "A chosen"))
	in := addArgs(id, "B chosen")
	in["dueDate"] = "2026-02-02T02:02:02+01:00"
	b.Call(addName, in)
	b.Clock.Advance(365 * 24 * time.Hour)
	b.Call(addName, addArgs(id, "C chosen"))
	same(t, "due dates", stepDates(b, id), "[2026-03-02T12:00:00Z 2026-02-02T02:02:02+01:00 2026-05-01T12:00:00Z]")
	child := b.Call("list_active_charts", args{})["charts"].([]any)[2].(args)
	same(t, "the child's due date", child["dueDate"], "2026-02-02T02:02:02+01:00")
}

func TestAddActionStepRefusals(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast", "Microphone bought")
	edit := func(key string, value any) args {
		in := addArgs(id, "Trailer published")
		in[key] = value
		return in
	}
	both := addArgs("chart_0", "Trying to record")
	cases := []refusedCall{
		{"a title of 201 characters", edit("actionStepTitle", strings.Repeat("é", 201)), "VALIDATION_ERROR", "actionStepTitle"},
		{"a blank title", edit("actionStepTitle", "   "), "VALIDATION_ERROR", "actionStepTitle"},
		{"a blank chart", edit("parentChartId", ""), "VALIDATION_ERROR", "parentChartId"},
		{"an impossible date", edit("dueDate", "2026-02-29T00:00:00Z"), "INVALID_FORMAT", "dueDate"},
		{"a date in words", edit("dueDate", "28 February 2026"), "INVALID_FORMAT", "dueDate"},
		{"an unknown chart", edit("parentChartId", "chart_1"), "NOT_FOUND", "parentChartId"},
		{"a process as title", edit("actionStepTitle", "Keep recording"), "CREATIVE_ORIENTATION_ERROR", "actionStepTitle"},
		{"a hope as reality", edit("currentReality", "I hope to have a trailer"), "CREATIVE_ORIENTATION_ERROR", "currentReality"},
		{"a title the chart has", edit("actionStepTitle", "MICROPHONE  bought "), "DUPLICATE_KEY", "actionStepTitle"},
		{"reference before orientation", both, "NOT_FOUND", "parentChartId"},
	}
	b.refuseAll(t, addName, cases)
}

func TestStepNumbersAreNeverReused(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast", "A chosen", "B chosen")
	b.insert(id + "_action_3") // taken by an ordinary entity
	out := b.Call(addName, addArgs(id, "C chosen"))
	same(t, "id", out["chartId"], id+"_action_4")
	b.Call(addName, addArgs(id, "D chosen"))
	same(t, "ids", stepIDs(b, id), []string{id + "_action_1", id + "_action_2", id + "_action_4", id + "_action_5"})
}

func TestEqualTitlesMayStandInDifferentCharts(t *testing.T) {
	b := newBench(t)
	one, two := b.chart("Create a podcast"), b.chart("Create a book")
	b.Call(addName, addArgs(one, "Cover designed"))
	b.Call(addName, addArgs(two, "Cover designed"))
	same(t, "steps", []any{b.progressOf(one)["totalActions"], b.progressOf(two)["totalActions"]}, "[1 1]")
}

func TestTelescopingOpensAStepIntoAChart(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast", "Microphone bought", "Pilot recorded")
	out := b.Call(telescopeName, args{"actionStepName": "pilot  RECORDED", "newCurrentReality": "No script", "initialActionSteps": []string{"Script written", "Guest invited"}})
	same(t, "response", out, args{"chartId": id + "_action_2_sub", "parentAction": "Pilot recorded", "currentReality": "No script", "actionSteps": []string{"Script written", "Guest invited"}})
	sub := b.Call("list_active_charts", args{})["charts"].([]any)[1].(args)
	same(t, "the sub-chart", []any{sub["chartId"], sub["level"], sub["parentChart"], sub["desiredOutcome"], sub["dueDate"]},
		[]any{id + "_action_2_sub", 1, id, "Pilot recorded", stepDates(b, id)[1]})
	same(t, "its steps' dates", stepDates(b, id+"_action_2_sub"), "[2026-01-28T04:00:00Z 2026-02-23T20:00:00Z]")

	// a sub-chart two levels down
	out = b.Call(telescopeName, args{"actionStepName": "Guest invited", "newCurrentReality": "No guest"})
	same(t, "the id", out["chartId"], id+"_action_2_sub_action_2_sub")
	same(t, "order", b.active(), []string{id, id + "_action_2_sub", id + "_action_2_sub_action_2_sub"})
}

func TestTelescopingAStepThatIsAChartGoesOnWithThatChart(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast")
	step := b.Call(addName, addArgs(id, "Trailer published"))["chartId"].(string)
	in := args{"actionStepName": "Trailer published", "newCurrentReality": "No music", "initialActionSteps": []string{"Music chosen", "Voice recorded"}}
	out := b.Call(telescopeName, in)
	same(t, "response", out, args{"chartId": step, "parentAction": "Trailer published", "currentReality": "Nothing exists yet; No music", "actionSteps": []string{"Music chosen", "Voice recorded"}})
	same(t, "charts", b.active(), []string{id, step})
	in["initialActionSteps"] = []string{"Cover drawn"}
	e := b.refuse(telescopeName, in, "DUPLICATE_KEY", "actionStepName")
	contains(t, "the message", e.Message, step)
	sub := b.progressOf(id)["steps"].([]any)[0].(args)["subChart"]
	same(t, "the one sub-chart", sub, args{"chartId": step, "progress": 0, "completedActions": 0, "totalActions": 2})
}

func TestTelescopeRefusals(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast", "Microphone bought", "Pilot recorded", "Site online")
	b.Call(telescopeName, args{"actionStepName": "Pilot recorded", "newCurrentReality": "No script"})
	b.insert(id + "_action_3_sub")
	cases := []refusedCall{
		{"a missing reality", args{"actionStepName": "Microphone bought"}, "MISSING_REQUIRED", "newCurrentReality"},
		{"a blank reality", args{"actionStepName": "Microphone bought", "newCurrentReality": " "}, "VALIDATION_ERROR", "newCurrentReality"},
		{"an unknown step", args{"actionStepName": "Nothing at all", "newCurrentReality": "x"}, "NOT_FOUND", "actionStepName"},
		{"a master chart", args{"actionStepName": id, "newCurrentReality": "x"}, "NOT_FOUND", "actionStepName"},
		{"a sub-chart", args{"actionStepName": id + "_action_2_sub", "newCurrentReality": "x"}, "NOT_FOUND", "actionStepName"},
		{"a wish as reality", args{"actionStepName": "Microphone bought", "newCurrentReality": "I want to buy one"}, "CREATIVE_ORIENTATION_ERROR", "newCurrentReality"},
		{"a process as step", args{"actionStepName": "Microphone bought", "newCurrentReality": "x", "initialActionSteps": []string{"Shop chosen", "Comparing prices"}}, "CREATIVE_ORIENTATION_ERROR", "initialActionSteps[1]"},
		{"equal steps", args{"actionStepName": "Microphone bought", "newCurrentReality": "x", "initialActionSteps": []string{"Shop chosen", "shop chosen"}}, "DUPLICATE_KEY", "initialActionSteps[1]"},
		{"a second telescope", args{"actionStepName": "Pilot recorded", "newCurrentReality": "x"}, "DUPLICATE_KEY", "actionStepName"},
		{"a sub-chart's name that is taken", args{"actionStepName": "Site online", "newCurrentReality": "x"}, "DUPLICATE_KEY", "actionStepName"},
	}
	b.refuseAll(t, telescopeName, cases)
	e := b.refuse(telescopeName, args{"actionStepName": "Pilot recorded", "newCurrentReality": "x"}, "DUPLICATE_KEY", "actionStepName")
	contains(t, "the message", e.Message, id+"_action_2_sub")
}

func TestCompletingAStepIsRecordedInItsChart(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast", "Microphone bought", "Pilot recorded")
	out := b.complete("Microphone bought")
	same(t, "response", out, args{
		"actionStepName": "Microphone bought", "status": "completed", "completedAt": "2026-01-01T12:00:00Z", "parentChartId": id,
		"updatedCurrentReality": "Have a desk; Completed: Microphone bought",
	})
	same(t, "progress", b.progressOf(id)["progress"], 0.5)

	// repeating it keeps the first date and adds nothing
	before := b.contents()
	b.Clock.Advance(time.Hour)
	same(t, "the second response", b.complete(id+"_action_1"), out)
	b.unchanged(before)
}

func TestHintsOfACompletionNameTheNextOpenStep(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast", "Microphone bought", "Pilot recorded", "Site online")
	b.complete("Pilot recorded")
	h := b.CallAllowingRefusal("mark_action_complete", args{"actionStepName": "Microphone bought"}).Hints
	first := h.SuggestedNextActions[0]
	same(t, "first suggestion", []any{first.Action, first.Data}, []any{"mark-action-complete", args{"actionStepName": id + "_action_3"}})
	contains(t, "its description", first.Description, "Site online")
	h = b.CallAllowingRefusal("mark_action_complete", args{"actionStepName": "Site online"}).Hints
	same(t, "suggestion when all are complete", h.SuggestedNextActions[0].Action, "creator-moment-of-truth")
}

func TestProgressIsRoundedHalfUp(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast", "S1", "S2", "S3", "S4", "S5", "S6", "S7", "S8")
	want := []float64{0.13, 0.25, 0.38, 0.5, 0.63, 0.75, 0.88, 1}
	same(t, "progress at first", b.progressOf(id)["progress"], 0)
	for i, step := range stepIDs(b, id) {
		b.complete(step)
		same(t, "progress", b.progressOf(id)["progress"], want[i])
	}
	same(t, "progress without steps", b.progressOf(b.chart("Create a book"))["progress"], 0)
}

func TestProgressUpdatesRealityOnlyOnRequest(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast", "Learn mixing")
	in := args{"actionStepName": "learn mixing", "progressObservation": "Finished two tutorials"}
	out := b.Call(progressName, in)
	same(t, "response", out, args{"actionStepName": "Learn mixing", "progressObservation": "Finished two tutorials", "currentRealityUpdated": false, "timestamp": "2026-01-01T12:00:00Z"})
	same(t, "reality", b.realityOf(id), "Have a desk")
	same(t, "the step's observations", b.facts(id+"_action_1"), "[Finished two tutorials]")
	same(t, "told with the step", b.Call(statusName, args{"chartId": id})["steps"].([]any)[0].(args)["progress"], []any{"Finished two tutorials"})

	in["updateCurrentReality"] = true
	same(t, "updated", b.Call(progressName, in)["currentRealityUpdated"], true)
	same(t, "reality", b.realityOf(id), "Have a desk; Progress on Learn mixing: Finished two tutorials")
	same(t, "the step's observations", b.facts(id+"_action_1"), "[Finished two tutorials]")

	// an exact repetition adds nothing anywhere
	before := b.contents()
	same(t, "updated", b.Call(progressName, in)["currentRealityUpdated"], false)
	b.unchanged(before)

	b.refuse(progressName, args{"actionStepName": "Learn mixing", "progressObservation": "Going to finish", "updateCurrentReality": true}, "CREATIVE_ORIENTATION_ERROR", "progressObservation")
	b.refuse(progressName, args{"actionStepName": "Learn mixing", "progressObservation": " "}, "VALIDATION_ERROR", "progressObservation")
	b.refuse(progressName, args{"actionStepName": "Learn mixing", "progressObservation": "x", "updateCurrentReality": "yes"}, "VALIDATION_ERROR", "updateCurrentReality")
	b.refuse(progressName, args{"actionStepName": "Lern mixing", "progressObservation": "x"}, "NOT_FOUND", "actionStepName")
}
