package charts

import (
	"slices"
	"strings"
	"testing"

	"toolkit/internal/storetest"
	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/tools"
)

func TestNamesResolveByIDThenTitleThenTheSingleIncompleteOne(t *testing.T) {
	b := newBench(t)
	podcast := b.chart("Create a podcast", "Cover designed", "Pilot recorded")
	book := b.chart("Create a book", "Cover designed")
	for _, name := range []string{podcast + "_action_2", " " + podcast + "_action_2\n", "Pilot recorded", "  PILOT \t recorded"} {
		out := b.Call(progressName, args{"actionStepName": name, "progressObservation": "x"})
		same(t, "the title echoed for "+name, out["actionStepName"], "Pilot recorded")
	}
	e := b.refuse("mark_action_complete", args{"actionStepName": "cover designed"}, "VALIDATION_ERROR", "actionStepName")
	same(t, "constraint", e.Details["constraint"], "ambiguous_name")
	same(t, "candidates", candidateIDs(e), []string{podcast + "_action_1", book + "_action_1"})

	b.complete(podcast + "_action_1")
	same(t, "the single incomplete one", b.complete("Cover designed")["parentChartId"], book)
	b.refuse("mark_action_complete", args{"actionStepName": "Cover designed"}, "VALIDATION_ERROR", "actionStepName") // both complete now
}

func candidateIDs(e refusal) []string {
	ids := []string{}
	for _, c := range e.Details["candidates"].([]any) {
		ids = append(ids, c.(args)["id"].(string))
	}
	return ids
}

func TestAnIDWinsOverAnEqualTitle(t *testing.T) {
	b := newBench(t)
	one := b.chart("Create a podcast", "Pilot recorded")
	two := b.Call(createName, args{"desiredOutcome": "Create " + one, "currentReality": "x", "dueDate": "2027-01-01T00:00:00Z", "actionSteps": []string{one + "_action_1"}})["chartId"].(string)
	same(t, "the step of the id", b.complete(one + "_action_1")["parentChartId"], one)
	same(t, "the chart of the id", b.progressOf(one)["desiredOutcome"], "Create a podcast")
	same(t, "the other chart", b.progressOf(two)["completedActions"], 0)
}

func TestChartsOfOneOutcomeResolveToTheSingleActiveOne(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast")
	one := b.Call(addName, addArgs(id, "Studio rented"))["chartId"].(string)
	other := b.chart("Create a book")
	two := b.Call(addName, addArgs(other, "Studio rented"))["chartId"].(string)
	e := b.refuse("get_chart_progress", args{"chartId": "studio rented"}, "VALIDATION_ERROR", "chartId")
	same(t, "candidates", candidateIDs(e), []string{one, two})
	b.complete(one)
	same(t, "the single active one", b.progressOf("studio rented")["chartId"], two)
}

func TestUnknownNamesGetTheNearestCandidates(t *testing.T) {
	b := newBench(t)
	podcast := b.chart("Create an engaging podcast", "Learn recording and editing", "Build an audience")
	b.chart("Create a garden", "Beds dug")
	b.chart("Write a novel")
	cases := []struct{ tool, field, name, nearest string }{
		{"get_chart_progress", "chartId", "Create an engaging podcats", podcast},
		{"get_chart_progress", "chartId", "engaging podcast", podcast},
		{"get_chart_progress", "chartId", podcast[:len(podcast)-1], podcast},
		{"mark_action_complete", "actionStepName", "learn recordng and editing", podcast + "_action_1"},
		{"mark_action_complete", "actionStepName", "an audiense", podcast + "_action_2"},
		{"mark_action_complete", "actionStepName", podcast + "_action_9", podcast + "_action_1"},
	}
	for _, c := range cases {
		e := b.refuse(c.tool, args{c.field: c.name}, "NOT_FOUND", c.field)
		ids := candidateIDs(e)
		if len(ids) == 0 || len(ids) > 3 || ids[0] != c.nearest {
			t.Errorf("%q: the candidates are %v, want %s first", c.name, ids, c.nearest)
		}
		contains(t, "the message", e.Message, c.nearest)
		again := b.refuse(c.tool, args{c.field: c.name}, "NOT_FOUND", c.field)
		same(t, "the candidates of a second call", candidateIDs(again), ids)
	}
	h := b.CallAllowingRefusal("get_chart_progress", args{"chartId": "Create an engaging podcats"}).Hints
	same(t, "suggested", h.SuggestedNextActions[0].Action, "list-active-charts")
}

func TestNotFoundOnAnEmptyDatabase(t *testing.T) {
	b := newBench(t)
	for tool, in := range map[string]args{
		"get_chart_progress":   {"chartId": "x"},
		momentName:             {"chartId": "x"},
		"list_narrative_beats": {"parentChartId": "x"},
		realityName:            {"chartId": "x", "newObservations": []string{"a"}},
		outcomeName:            {"chartId": "x", "newDesiredOutcome": "Create a book"},
		addName:                addArgs("x", "A chosen"),
	} {
		field := "chartId"
		if _, ok := in[field]; !ok {
			field = "parentChartId"
		}
		e := b.refuse(tool, in, "NOT_FOUND", field)
		same(t, "candidates of "+tool, e.Details["candidates"], "[]")
	}
	b.refuse("mark_action_complete", args{"actionStepName": "x"}, "NOT_FOUND", "actionStepName")
	b.refuse(telescopeBeatName, args{"parentBeatName": "x", "newCurrentReality": "y"}, "NOT_FOUND", "parentBeatName")
}

func TestAStepThatIsNoChartIsExplained(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast", "Pilot recorded")
	for _, name := range []string{id + "_action_1", "pilot recorded"} {
		r := b.CallAllowingRefusal("get_chart_progress", args{"chartId": name})
		e := b.refuse("get_chart_progress", args{"chartId": name}, "NOT_FOUND", "chartId")
		contains(t, "the message", e.Message, "telescope_action_step")
		same(t, "suggested", []any{r.Hints.SuggestedNextActions[0].Action, r.Hints.SuggestedNextActions[0].Data},
			[]any{"telescope-action-step", args{"actionStepName": id + "_action_1"}})
	}
	sub := b.Call(telescopeName, args{"actionStepName": "Pilot recorded", "newCurrentReality": "x"})["chartId"].(string)
	e := b.refuse("get_chart_progress", args{"chartId": id + "_action_1"}, "NOT_FOUND", "chartId")
	same(t, "candidates", candidateIDs(e), []string{sub})
	same(t, "by title", b.progressOf("pilot recorded")["chartId"], sub)
}

func TestAChartThatIsNoStepIsExplained(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast", "Pilot recorded", "Site online")
	sub := b.Call(telescopeName, args{"actionStepName": "Pilot recorded", "newCurrentReality": "x"})["chartId"].(string)
	b.complete("Pilot recorded")
	e := b.refuse("mark_action_complete", args{"actionStepName": sub}, "NOT_FOUND", "actionStepName")
	same(t, "the step of the sub-chart", candidateIDs(e), []string{id + "_action_1"})
	for _, name := range []string{id, "create a podcast"} {
		e = b.refuse("mark_action_complete", args{"actionStepName": name}, "NOT_FOUND", "actionStepName")
		same(t, "the open steps of the chart", candidateIDs(e), []string{id + "_action_2"})
	}
}

func TestAnOrdinaryEntityIsNeitherChartNorStep(t *testing.T) {
	b := newBench(t)
	b.insert("Alice")
	b.refuse("get_chart_progress", args{"chartId": "Alice"}, "NOT_FOUND", "chartId")
	b.refuse("mark_action_complete", args{"actionStepName": "Alice"}, "NOT_FOUND", "actionStepName")
}

func TestWordsOfOneTitleAloneMarkAndReadAStep(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a shared calendar", "Kalenderzugang für alle eingerichtet", "Room plan printed", "Room keys handed out")
	for _, tc := range []struct {
		tool, words, wants string // the step that is found; empty: none
	}{
		{"mark_action_complete", "Kalenderzugang", id + "_action_1"},
		{"mark_action_complete", "printed PLAN", id + "_action_2"},
		{"update_action_progress", "keys", id + "_action_3"},
		{"get_action_step", "kalenderzugang", id + "_action_1"},
		{"mark_action_complete", "Room", ""},     // two titles have it
		{"mark_action_complete", "Kalender", ""}, // no whole word
		{"mark_action_complete", "out", ""},
		{"mark_action_complete", "Create a shared calendar", ""},
		{"update_action_step", "Kalenderzugang", ""},
		{"telescope_action_step", "keys", ""},
	} {
		with := args{"actionStepName": tc.words}
		switch tc.tool {
		case "update_action_progress":
			with["progressObservation"] = "Half are handed out"
		case "update_action_step":
			with["title"] = "Calendar open"
		case "telescope_action_step":
			with["newCurrentReality"] = "x"
		}
		if tc.wants == "" {
			b.refuse(tc.tool, with, "NOT_FOUND", "actionStepName")
			continue
		}
		storetest.Read(t, b.Store, func(tx *store.Tx) error {
			step, err := resolveStepByTitleOrWords(tx, "actionStepName", tc.words)
			if err == nil {
				same(t, tc.words, step.ID, tc.wants)
			}
			return err
		})
		b.Call(tc.tool, with)
	}
	b.refuse("remove_action_step", args{"parentChartId": id, "actionStepName": "Kalenderzugang"}, "NOT_FOUND", "actionStepName")
}

// FuzzResolve looks for names that make resolution fail otherwise than by a
// refusal, or that find something of another name.
func FuzzResolve(f *testing.F) {
	b := newBench(f)
	id := b.chart("Create a podcast", "Pilot recorded", "Größe gewählt")
	b.Call(telescopeName, args{"actionStepName": "Pilot recorded", "newCurrentReality": "x", "initialActionSteps": []string{"Straße gebaut"}})
	b.Call(addName, addArgs(id, "Site online"))
	b.Call(createBeatName, beatArgs(id, "The quiet room"))
	for _, seed := range []string{"", " ", id, id + "_action_1", "Pilot recorded", "PILOT  recorded", "pilot record", "größe GEWÄHLT", "\x00", "\xff", `"*`, "title : (", "İ", "ſ", "%", "_", "The quiet room", "'; --", strings.Repeat("a", 5000)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		storetest.Read(t, b.Store, func(tx *store.Tx) error {
			if c, err := resolveChart(tx, "chartId", name); err == nil {
				checkMeant(t, name, c.ID, c.Outcome)
			} else {
				checkRefused(t, err)
			}
			if s, err := resolveStep(tx, "actionStepName", name); err == nil {
				checkMeant(t, name, s.ID, s.Title)
			} else {
				checkRefused(t, err)
			}
			if n, err := resolveBeat(tx, "parentBeatName", name); err == nil {
				checkMeant(t, name, n.Name, n.Title)
			} else {
				checkRefused(t, err)
			}
			return nil
		})
	})
}

func checkMeant(t *testing.T, name, id, title string) {
	t.Helper()
	if name != id && strings.TrimSpace(name) != id && graph.Fold(name) != graph.Fold(title) {
		t.Errorf("%q found %s %q", name, id, title)
	}
}

func checkRefused(t *testing.T, err error) {
	t.Helper()
	e, ok := err.(*tools.Error)
	if !ok || !slices.Contains([]string{tools.CodeNotFound, tools.CodeInvalid}, e.Code) {
		t.Errorf("resolution failed with %v", err)
	}
}

func TestATitleMeansTheOpenStepOfAnActiveChart(t *testing.T) {
	b := newBench(t)
	closed := b.chart("Build a wall", "Foundation poured")
	b.chart("Build a greenhouse", "Foundation poured")
	b.refuse(completeName, args{"actionStepName": "Foundation poured"}, "VALIDATION_ERROR", "actionStepName")
	b.Call(updateChartName, args{"chartId": closed, "status": "abandoned"})
	same(t, "step", b.progressOf("Build a greenhouse")["completedActions"], 0)
	b.complete("foundation poured")
	same(t, "step", b.progressOf("Build a greenhouse")["completedActions"], 1)
}
