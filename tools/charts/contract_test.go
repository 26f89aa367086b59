package charts

import (
	"testing"

	"toolkit/internal/toolstest"
)

// TestEveryToolPassesTheVerificationChecklist also runs every example on a
// database of its own and compares the result.
func TestEveryToolPassesTheVerificationChecklist(t *testing.T) {
	if n := len(newBench(t).Registry.All()); n != 16 {
		t.Fatalf("the family has %d tools, want 16", n)
	}
	toolstest.Checklist(t, func() *toolstest.Bench { return newBench(t).Bench })
}

// documented are the input schemas of the source document, without its
// descriptions; additive optional inputs are listed in additions. They differ in
// what keeps clients out: a due date has no pattern, so that a date without a time
// is not refused by a client, and act is an integer, because Gemini takes no
// numeric enum and the list with it. Files of other servers hold more dramatic
// types than the enum; the handler knows them.
var documented = map[string]string{
	"create_structural_tension_chart": `{"type":"object","properties":{"desiredOutcome":{"type":"string","minLength":1,"maxLength":500},"currentReality":{"type":"string","minLength":1,"maxLength":500},"dueDate":{"type":"string"},"actionSteps":{"type":"array","items":{"type":"string"}}},"required":["desiredOutcome","currentReality","dueDate"]}`,
	"list_active_charts":              `{"type":"object","properties":{}}`,
	"add_action_step":                 `{"type":"object","properties":{"parentChartId":{"type":"string"},"actionStepTitle":{"type":"string","minLength":1,"maxLength":200},"currentReality":{"type":"string","minLength":1,"maxLength":500},"dueDate":{"type":"string"}},"required":["parentChartId","actionStepTitle","currentReality"]}`,
	"telescope_action_step":           `{"type":"object","properties":{"actionStepName":{"type":"string"},"newCurrentReality":{"type":"string","minLength":1},"initialActionSteps":{"type":"array","items":{"type":"string"}}},"required":["actionStepName","newCurrentReality"]}`,
	"mark_action_complete":            `{"type":"object","properties":{"actionStepName":{"type":"string"}},"required":["actionStepName"]}`,
	"update_action_progress":          `{"type":"object","properties":{"actionStepName":{"type":"string"},"progressObservation":{"type":"string","minLength":1},"updateCurrentReality":{"type":"boolean"}},"required":["actionStepName","progressObservation"]}`,
	"update_current_reality":          `{"type":"object","properties":{"chartId":{"type":"string"},"newObservations":{"type":"array","items":{"type":"string"},"minItems":1}},"required":["chartId","newObservations"]}`,
	"update_desired_outcome":          `{"type":"object","properties":{"chartId":{"type":"string"},"newDesiredOutcome":{"type":"string","minLength":1}},"required":["chartId","newDesiredOutcome"]}`,
	"get_chart_progress":              `{"type":"object","properties":{"chartId":{"type":"string"}},"required":["chartId"]}`,
	"create_narrative_beat":           `{"type":"object","properties":{"parentChartId":{"type":"string"},"title":{"type":"string","minLength":1},"act":{"type":"integer","minimum":1,"maximum":3},"type_dramatic":{"type":"string","minLength":1},"universes":{"type":"array","items":{"type":"string"},"minItems":1},"description":{"type":"string","minLength":1},"prose":{"type":"string","minLength":1},"lessons":{"type":"array","items":{"type":"string"}},"assessRelationalAlignment":{"type":"boolean"}},"required":["parentChartId","title","act","type_dramatic","universes","description","prose","lessons"]}`,
	"telescope_narrative_beat":        `{"type":"object","properties":{"parentBeatName":{"type":"string"},"newCurrentReality":{"type":"string"},"initialSubBeats":{"type":"array","items":{"type":"object","properties":{"title":{"type":"string"},"type_dramatic":{"type":"string"},"description":{"type":"string"},"prose":{"type":"string"},"lessons":{"type":"array","items":{"type":"string"}}}}}},"required":["parentBeatName","newCurrentReality"]}`,
	"list_narrative_beats":            `{"type":"object","properties":{"parentChartId":{"type":"string"}}}`,
	"creator_moment_of_truth":         `{"type":"object","properties":{"chartId":{"type":"string"},"step":{"type":"string","enum":["full_review","acknowledge","analyze","plan","feedback"]},"userInput":{"type":"string"}},"required":["chartId"]}`,
	"init_llm_guidance":               `{"type":"object","properties":{"format":{"type":"string","enum":["full","quick","save_directive"]}}}`,
}

var additions = map[string][]string{
	"list_active_charts":   {"limit", "offset"},
	"list_narrative_beats": {"universe", "limit", "offset"},
}

func TestInputSchemasEqualTheDocumentation(t *testing.T) {
	b := newBench(t)
	for name, want := range documented {
		toolstest.SameInput(t, b.Registry, name, want, additions[name]...)
	}
}

func TestResultsHaveExactlyTheDocumentedKeys(t *testing.T) {
	b := newBench(t)
	keys := map[string][]string{
		"create_structural_tension_chart": {"chartId", "desiredOutcome", "currentReality", "dueDate", "createdAt", "actionSteps", "progress", "totalActions", "completedActions"},
		"add_action_step":                 {"chartId", "parentChart", "actionStepTitle", "currentReality", "desiredOutcome", "createdAt"},
		"telescope_action_step":           {"chartId", "parentAction", "currentReality", "actionSteps"},
		"mark_action_complete":            {"actionStepName", "status", "completedAt", "parentChartId", "updatedCurrentReality"},
		"update_action_progress":          {"actionStepName", "progressObservation", "currentRealityUpdated", "timestamp"},
		"update_current_reality":          {"chartId", "currentReality", "added", "updatedAt"},
		"update_desired_outcome":          {"chartId", "desiredOutcome", "previousDesiredOutcome", "updatedAt"},
		"get_chart_progress":              {"chartId", "progress", "completedActions", "totalActions", "desiredOutcome", "currentReality", "actionSteps"},
		"create_narrative_beat":           {"name", "entityType", "observations", "metadata"},
		"telescope_narrative_beat":        {"parentBeat", "newCurrentReality", "subBeats"},
		"creator_moment_of_truth":         {"chartId", "step", "guidance", "nextStep"},
		"init_llm_guidance":               {"format", "guidance"},
	}
	more := map[string]struct{ required, optional []string }{
		"get_chart_progress":   {[]string{"status", "dueDate", "steps"}, []string{"closedAt", "nextAction"}},
		"mark_action_complete": {nil, []string{"openSubSteps"}},
	}
	for name, want := range keys {
		schema := toolstest.Output(t, b.Registry, name)
		want = append(want, more[name].required...)
		same(t, name+" keys", schema.Required, want)
		if n := len(want) + len(more[name].optional); len(schema.Properties) != n {
			t.Errorf("%s has %d properties, want %d", name, len(schema.Properties), n)
		}
	}
}

// TestEverySuggestedCallIsPossible makes a call of every tool, refused ones
// too, and checks that what the hints suggest exists and takes the arguments.
func TestEverySuggestedCallIsPossible(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast", "Microphone bought", "Pilot episode recorded")
	b.chart("Build a shed")
	calls := []struct {
		tool string
		in   args
	}{
		{createName, args{"desiredOutcome": "Create a book", "currentReality": "Have notes", "dueDate": "2020-01-01T00:00:00Z", "actionSteps": []string{"Outline written"}}},
		{createName, args{"desiredOutcome": "Fix my life", "currentReality": "Have notes", "dueDate": "2027-01-01T00:00:00Z"}},
		{"list_active_charts", args{}},
		{"list_active_charts", args{"limit": 1}},
		{addName, args{"parentChartId": id, "actionStepTitle": "Trailer published", "currentReality": "No trailer"}},
		{addName, args{"parentChartId": id, "actionStepTitle": "trailer  PUBLISHED", "currentReality": "No trailer"}},
		{addName, args{"parentChartId": "Create a podcats", "actionStepTitle": "Trailer", "currentReality": "No trailer"}},
		{telescopeName, args{"actionStepName": "Microphone bought", "newCurrentReality": "No microphone", "initialActionSteps": []string{"Shop chosen"}}},
		{telescopeName, args{"actionStepName": "Microphone bought", "newCurrentReality": "No microphone"}},
		{telescopeName, args{"actionStepName": id, "newCurrentReality": "No microphone"}},
		{progressName, args{"actionStepName": "Shop chosen", "progressObservation": "Compared two shops"}},
		{"mark_action_complete", args{"actionStepName": "Shop chosen"}},
		{"mark_action_complete", args{"actionStepName": "Shop chosne"}},
		{realityName, args{"chartId": id, "newObservations": []string{"Two listeners"}}},
		{outcomeName, args{"chartId": id, "newDesiredOutcome": "Create a weekly podcast"}},
		{updateStepName, args{"actionStepName": "Shop chosen", "reopen": true, "title": "Shop picked", "dueDate": "2026-02-01"}},
		{updateStepName, args{"actionStepName": "Shop picked"}},
		{updateChartName, args{"chartId": "Build a shed", "status": "completed"}},
		{updateChartName, args{"chartId": "Build a shed", "dueDate": "2026-02-30"}},
		{"get_chart_progress", args{"chartId": "Build a shed"}},
		{"get_chart_progress", args{"chartId": id}},
		{"get_chart_progress", args{"chartId": id + "_action_1"}},
		{createBeatName, args{"parentChartId": id, "title": "Beat", "act": 1, "type_dramatic": "Crisis", "universes": []string{"Engineer World"}, "description": "d", "prose": "p", "lessons": []string{}}},
		{telescopeBeatName, args{"parentBeatName": "Beat", "newCurrentReality": "The cable is broken", "initialSubBeats": []args{{"title": "Sub"}}}},
		{telescopeBeatName, args{"parentBeatName": "Beat", "newCurrentReality": "The cable is broken"}},
		{telescopeBeatName, args{"parentBeatName": "Baet", "newCurrentReality": "The cable is broken"}},
		{"list_narrative_beats", args{}},
		{"list_narrative_beats", args{"limit": 1, "parentChartId": id}},
		{momentName, args{"chartId": id}},
		{momentName, args{"chartId": id, "step": "acknowledge", "userInput": "Two episodes exist"}},
		{momentName, args{"chartId": id, "step": "analyze"}},
		{momentName, args{"chartId": id, "step": "plan", "userInput": "Studio rented"}},
		{momentName, args{"chartId": id, "step": "feedback"}},
		{"init_llm_guidance", args{}},
		{"init_llm_guidance", args{"format": "quick"}},
	}
	suggested := map[string]int{}
	for _, c := range calls {
		suggested[c.tool] += b.Suggestions(c.tool, c.in)
	}
	for _, d := range b.Registry.All() {
		if suggested[d.Name] == 0 {
			t.Errorf("%s never suggests a next call", d.Name)
		}
	}
}
