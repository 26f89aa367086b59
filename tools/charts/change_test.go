package charts

import (
	"strings"
	"testing"
	"time"

	"toolkit/internal/toolstest"
	"toolkit/tools"
)

// telescoped opens a step into a chart with steps.
func (b *bench) telescoped(step string, steps ...string) string {
	b.T.Helper()
	return b.Call(telescopeName, args{"actionStepName": step, "newCurrentReality": "Nothing", "initialActionSteps": nonNil(steps)})["chartId"].(string)
}

func TestProgressGivesEachStepAndTheNextAction(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast", "Microphone bought", "Pilot recorded", "Site online")
	sub := b.telescoped("Pilot recorded", "Script written", "Guest invited")
	b.complete("Microphone bought")
	b.complete("Script written")
	b.Clock.Advance(41 * 24 * time.Hour)
	out := b.progressOf(id)
	same(t, "chart", []any{out["status"], out["dueDate"], out["closedAt"]}, []any{"active", "2026-05-01T12:00:00Z", nil})
	steps := out["steps"].([]any)
	same(t, "a completed step", steps[0], args{"id": id + "_action_1", "title": "Microphone bought", "status": "completed", "dueDate": "2026-01-31T12:00:00Z", "completedAt": "2026-01-01T12:00:00Z"})
	same(t, "a telescoped step", steps[1], args{
		"id": id + "_action_2", "title": "Pilot recorded", "status": "open", "dueDate": "2026-03-02T12:00:00Z",
		"subChart": args{"chartId": sub, "progress": 0.5, "completedActions": 1, "totalActions": 2},
	})
	same(t, "the next action, within the sub-chart", out["nextAction"], args{"id": sub + "_action_2", "title": "Guest invited", "dueDate": "2026-02-10T12:00:00Z", "chartId": sub})
	hint := b.CallAllowingRefusal("get_chart_progress", args{"chartId": id}).Hints
	contains(t, "what the hint goes on with", hint.SuggestedNextActions[0].Description+hint.Reasoning, "Guest invited")
	same(t, "overdue", b.progressOf(sub)["steps"].([]any)[1].(args)["overdue"], true)
}

func TestAStepCompletedWithOpenSubStepsNamesThemAndTheirChartStays(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast", "Pilot recorded")
	sub := b.telescoped("Pilot recorded", "Script written", "Guest invited", "Edit mixed")
	b.complete("Guest invited")
	r := b.CallAllowingRefusal(completeName, args{"actionStepName": "Pilot recorded"})
	contains(t, "the result", r.Text, `"openSubSteps":[{"id":"`+sub+`_action_1","title":"Script written"},{"id":"`+sub+`_action_3","title":"Edit mixed"}]`)
	same(t, "warnings", len(r.Hints.Warnings), 1)
	contains(t, "the warning", r.Hints.Warnings[0].Message, "Edit mixed")
	same(t, "active charts", b.active(), []string{id, sub})
	r = b.CallAllowingRefusal(completeName, args{"actionStepName": "Pilot recorded"})
	contains(t, "said again", r.Text, "openSubSteps")
	b.Call(updateChartName, args{"chartId": sub, "status": "abandoned"})
	same(t, "after the rest was given up", b.active(), []string{id})
}

func TestReopeningAStepTakesItsFactsBack(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast", "Pilot recorded")
	sub := b.telescoped("Pilot recorded", "Script written")
	b.complete("Script written")
	b.complete("Pilot recorded")
	same(t, "reality", b.realityOf(id), "Have a desk; All action steps complete: Pilot recorded; Completed: Pilot recorded")
	r := b.CallAllowingRefusal(updateStepName, args{"actionStepName": "Script written", "reopen": true})
	var out updateStepOutput
	toolstest.Decode(t, r.Data, &out)
	same(t, "withdrawn", out.Withdrawn, []string{"Completed: Script written", "All action steps complete: Pilot recorded"})
	same(t, "replaced", out.Replaced.CompletedAt, "2026-01-01T12:00:00Z")
	contains(t, "the warning of the completed step above", r.Hints.Warnings[0].Message, id+"_action_1")
	same(t, "reality of the sub-chart", b.realityOf(sub), "Nothing")
	same(t, "reality above", b.realityOf(id), "Have a desk; Completed: Pilot recorded")
	same(t, "active charts", b.active(), []string{id, sub})
	b.Call(updateStepName, args{"actionStepName": "Pilot recorded", "reopen": true})
	same(t, "reality with both open", b.realityOf(id), "Have a desk")
	before := b.contents()
	same(t, "a warning for an open step", b.CallAllowingRefusal(updateStepName, args{"actionStepName": "Pilot recorded", "reopen": true}).Hints.Warnings[0].Type, "duplicate")
	b.unchanged(before)
}

func TestNewStepWithdrawsAllCompleteFact(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast", "Pilot recorded")
	sub := b.telescoped("Pilot recorded", "Script written")
	b.complete("Script written")
	b.Call(addName, addArgs(sub, "Guest invited"))
	same(t, "reality", b.realityOf(id), "Have a desk")
}

func TestRenamingAStepRenamesItInTheFactsAndInItsChart(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast", "Pilot recorded", "Site online")
	sub := b.telescoped("Pilot recorded", "Script written")
	b.Call(progressName, args{"actionStepName": "Pilot recorded", "progressObservation": "Two takes exist", "updateCurrentReality": true})
	b.complete("Script written")
	b.complete("Pilot recorded")
	out := b.Call(updateStepName, args{"actionStepName": "Pilot recorded", "title": "First episode recorded"})
	same(t, "replaced", out["replaced"], args{"title": "Pilot recorded"})
	same(t, "reality", b.facts(id), []string{"Have a desk", "Progress on First episode recorded: Two takes exist", "All action steps complete: First episode recorded", "Completed: First episode recorded"})
	same(t, "outcome of its chart", b.progressOf(sub)["desiredOutcome"], "First episode recorded")
	same(t, "step", texts(b.progressOf(id)["actionSteps"]), []string{"First episode recorded", "Site online"})
	b.refuseAll(t, updateStepName, []refusedCall{
		{"a title that the chart has", args{"actionStepName": "Site online", "title": "FIRST episode  recorded"}, "DUPLICATE_KEY", "title"},
		{"an activity", args{"actionStepName": "Site online", "title": "Keep recording"}, "CREATIVE_ORIENTATION_ERROR", "title"},
		{"a blank title", args{"actionStepName": "Site online", "title": " "}, "VALIDATION_ERROR", "title"},
		{"no change", args{"actionStepName": "Site online"}, "MISSING_REQUIRED", "title"},
		{"a wrong date", args{"actionStepName": "Site online", "dueDate": "tomorrow"}, "INVALID_FORMAT", "dueDate"},
		{"an unknown step", args{"actionStepName": "Site offline", "reopen": true}, "NOT_FOUND", "actionStepName"},
	})
}

func TestAStepThatIsAChartIsRenamedByItsOutcomeToo(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast")
	step := b.Call(addName, addArgs(id, "Trailer published"))["chartId"].(string)
	b.complete(step)
	b.Call(outcomeName, args{"chartId": step, "newDesiredOutcome": "Teaser published"})
	same(t, "reality", b.realityOf(id), "Have a desk; Completed: Teaser published")
}

func TestDueDatesMoveWithTheirSteps(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast", "Pilot recorded")
	sub := b.telescoped("Pilot recorded", "Script written")
	out := b.Call(updateStepName, args{"actionStepName": "Pilot recorded", "dueDate": "2026-02-01"})
	same(t, "step", out["step"].(args)["dueDate"], "2026-02-01")
	same(t, "replaced", out["replaced"], args{"dueDate": "2026-03-02T12:00:00Z"})
	same(t, "its chart", b.progressOf(sub)["dueDate"], "2026-02-01")
	b.Call(updateChartName, args{"chartId": sub, "dueDate": "2026-02-03"})
	same(t, "the step of a chart", stepDates(b, id), "[2026-02-03]")
	r := b.CallAllowingRefusal(updateChartName, args{"chartId": id, "dueDate": "2026-01-31"})
	same(t, "a master chart", b.progressOf(id)["dueDate"], "2026-01-31")
	contains(t, "the warning", r.Hints.Warnings[0].Message, "1 open step is due after the chart")
}

func TestAClosedChartLeavesTheListAndComesBack(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast", "Pilot recorded")
	sub := b.telescoped("Pilot recorded", "Script written")
	other := b.chart("Build a shed")
	r := b.CallAllowingRefusal(updateChartName, args{"chartId": id, "status": "completed"})
	contains(t, "the warning of open steps", r.Hints.Warnings[0].Message, "Pilot recorded")
	same(t, "active charts", b.active(), []string{other})
	contains(t, "what the list says", strings.Join(b.CallAllowingRefusal("list_active_charts", args{}).Hints.Assumptions, " "), "1 closed chart is not listed, the last \"Create a podcast\" ("+id+")")
	out := b.progressOf(id)
	same(t, "the chart", []any{out["status"], out["closedAt"], out["nextAction"]}, []any{"completed", "2026-01-01T12:00:00Z", nil})
	same(t, "replaced", b.Call(updateChartName, args{"chartId": id, "status": "active"})["replaced"], args{"status": "completed"})
	same(t, "active again", b.active(), []string{id, sub, other})
	b.refuse(updateChartName, args{"chartId": id}, "MISSING_REQUIRED", "status")
	b.refuse(updateChartName, args{"chartId": id, "status": "done"}, "VALIDATION_ERROR", "status")
}

func TestClosingTheChartOfAStepCompletesTheStep(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast", "Pilot recorded")
	sub := b.telescoped("Pilot recorded", "Script written")
	b.Call(updateChartName, args{"chartId": sub, "status": "completed"})
	same(t, "reality above", b.realityOf(id), "Have a desk; Completed: Pilot recorded")
	same(t, "active charts", b.active(), []string{id})
	b.Call(updateStepName, args{"actionStepName": "Pilot recorded", "reopen": true})
	same(t, "active again with its step", b.active(), []string{id, sub})
	b.Call(updateChartName, args{"chartId": sub, "status": "completed"})
	b.Call(updateChartName, args{"chartId": sub, "status": "active"})
	same(t, "the step reopened with its chart", b.realityOf(id), "Have a desk")
}

func TestAFinishedChartIsOfferedToBeClosed(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast", "Pilot recorded")
	for _, action := range b.CallAllowingRefusal(completeName, args{"actionStepName": "Pilot recorded"}).Hints.SuggestedNextActions {
		if action.Tool == updateChartName {
			same(t, "data", action.Data, args{"chartId": id, "status": "completed"})
			return
		}
	}
	t.Error("closing the chart is not suggested")
}

func TestARealityThatACompletedStepContradictsIsPointedOut(t *testing.T) {
	for _, c := range []struct {
		fact, step string
		said       bool
	}{
		{"Two acts drafted, no outline of act three", "Outline of act three written", true},
		{"There isn't a landing page yet", "Landing page published", true},
		{"Have no microphone", "Microphone bought", true},
		{"The website does not exist", "Website online", true},
		{"Missing a budget for the trip", "Trip budget agreed", true},
		{"No outline of act one", "Outline of act three written", false},
		{"Have a microphone, no experience", "Microphone tested", false},
		{"No experience with microphones of this make", "Experience report filed", false},
		{"The contract is signed", "Contract signed", false},
	} {
		t.Run(c.fact+" / "+c.step, func(t *testing.T) {
			b := newBench(t)
			id := b.Call(createName, args{"desiredOutcome": "Create a play", "currentReality": c.fact, "dueDate": "2026-05-01", "actionSteps": []string{c.step, "Theatre booked"}})["chartId"].(string)
			same(t, "warned before", len(b.CallAllowingRefusal("get_chart_progress", args{"chartId": id}).Hints.Warnings), 0)
			for _, r := range [][]any{{completeName, args{"actionStepName": c.step}}, {"get_chart_progress", args{"chartId": id}}} {
				warnings := b.CallAllowingRefusal(r[0].(string), r[1]).Hints.Warnings
				same(t, "warned", len(warnings) > 0, c.said)
				if c.said {
					contains(t, "the warning", warnings[0].Message, c.fact)
				}
			}
		})
	}
}

func TestDecomposedAndComposedSpellingsOfATitleAreOneStep(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a café", "Caf\u00e9 gestrichen")
	b.refuse(addName, addArgs(id, "Cafe\u0301 gestrichen"), "DUPLICATE_KEY", "actionStepTitle")
	same(t, "found by the other spelling", b.complete("cafe\u0301 gestrichen")["actionStepName"], "Caf\u00e9 gestrichen")
	same(t, "chart", b.progressOf("Create a cafe\u0301")["chartId"], id)
}

func TestNamesOfOtherServersMeanOurChartsAndSteps(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast", "Pilot recorded")
	sub := b.telescoped("Pilot recorded", "Script written")
	for _, part := range []string{"_chart", "_desired_outcome", "_current_reality"} {
		same(t, "chart by "+part, b.progressOf(id + part)["chartId"], id)
	}
	same(t, "step by its chart's outcome", b.Call(progressName, args{"actionStepName": sub + "_desired_outcome", "progressObservation": "One take"})["actionStepName"], "Pilot recorded")
	e := b.refuse(completeName, args{"actionStepName": id + "_desired_outcome"}, "NOT_FOUND", "actionStepName")
	contains(t, "a master chart is no step", e.Message, "Pilot recorded")
	b.refuse("get_chart_progress", args{"chartId": "chart_1_desired_outcome"}, "NOT_FOUND", "chartId")
}

func TestToolsOfOtherServersWorkAndAreNotListed(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast", "Pilot recorded", "Site online")
	same(t, "get_chart", b.Call("get_chart", args{"chartId": id + "_chart"})["nextAction"].(args)["title"], "Pilot recorded")

	out := b.Call("manage_action_step", args{"parentReference": id + "_action_1", "actionDescription": "Pilot recorded", "initialActionSteps": []string{"Script written"}})
	same(t, "a step broken down", out, args{"chartId": id + "_action_1_sub", "actionStepName": id + "_action_1"})
	out = b.Call("manage_action_step", args{"parentReference": id, "actionDescription": "Trailer published", "currentReality": "No trailer", "initialActionSteps": []string{"Music chosen"}, "dueDate": "2026-03-01"})
	same(t, "a step added", out, args{"chartId": id + "_action_3", "actionStepName": id + "_action_3"})
	same(t, "its steps", texts(b.progressOf(id + "_action_3")["actionSteps"]), []string{"Music chosen"})
	b.refuseAll(t, "manage_action_step", []refusedCall{
		{"a new step without reality", args{"parentReference": id, "actionDescription": "Cover drawn"}, "MISSING_REQUIRED", "currentReality"},
		{"a step added and broken down only as a whole", args{"parentReference": id, "actionDescription": "Cover drawn", "currentReality": "No cover", "initialActionSteps": []string{"Trying things"}}, "CREATIVE_ORIENTATION_ERROR", "initialActionSteps[0]"},
		{"nothing of that name", args{"parentReference": "chart_9", "actionDescription": "Cover drawn", "currentReality": "No cover"}, "NOT_FOUND", "parentReference"},
	})

	b.complete("Script written")
	b.complete("Pilot recorded")
	step := b.Call("get_action_step", args{"actionStepName": id + "_action_1_sub_desired_outcome"})
	same(t, "get_action_step", []any{step["step"].(args)["title"], step["step"].(args)["status"], step["chartId"]}, []any{"Pilot recorded", "completed", id})
	b.refuse("remove_action_step", args{"parentChartId": id, "actionStepName": "Music chosen"}, "NOT_FOUND", "actionStepName")
	out = b.Call("remove_action_step", args{"parentChartId": id, "actionStepName": "Pilot recorded"})
	same(t, "removed", texts(out["removed"]), []string{id + "_action_1", id + "_action_1_sub", id + "_action_1_sub_action_1"})
	same(t, "reality", out["currentReality"], "Have a desk")
	same(t, "steps left", texts(b.progressOf(id)["actionSteps"]), []string{"Site online", "Trailer published"})

	for _, d := range b.Registry.All() {
		if strings.Contains("get_chart get_action_step manage_action_step remove_action_step", d.Name) {
			t.Errorf("%s is listed", d.Name)
		}
	}
}

func TestSubStepsMoveWithAStepThatIsDueEarlier(t *testing.T) {
	for name, move := range map[string]func(b *bench, step, sub string) *tools.Response{
		"the step": func(b *bench, _, _ string) *tools.Response {
			return b.CallAllowingRefusal(updateStepName, args{"actionStepName": "Pilot recorded", "dueDate": "2026-01-11T12:00:00Z"})
		},
		"its chart": func(b *bench, _, sub string) *tools.Response {
			return b.CallAllowingRefusal(updateChartName, args{"chartId": sub, "dueDate": "2026-01-11T12:00:00Z"})
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			id := b.chart("Create a podcast", "Pilot recorded", "Site online") // due 2026-02-10, 2026-03-22
			sub := b.telescoped("Pilot recorded", "Script written", "Guest invited", "Edit mixed")
			b.Call(updateStepName, args{"actionStepName": "Script written", "dueDate": "2026-01-07T12:00:00Z"})
			deep := b.telescoped("Edit mixed", "Music chosen")
			b.complete("Guest invited")
			guest := b.progressOf(sub)["steps"].([]any)[1].(args)["dueDate"]
			r := move(b, id+"_action_1", sub)
			same(t, "steps within", stepDates(b, sub), "[2026-01-07T12:00:00Z "+guest.(string)+" 2026-01-09T12:00:00Z]")
			same(t, "the chart of one", b.progressOf(deep)["dueDate"], "2026-01-09T12:00:00Z")
			same(t, "its step", stepDates(b, deep), "[2026-01-05T12:00:00Z]")
			contains(t, "what moved", r.Hints.Warnings[0].Message, `2 open steps within moved with it: "Edit mixed" from `)
			contains(t, "where to", r.Hints.Warnings[0].Message, ` to 2026-01-09T12:00:00Z, "Music chosen" from `)
			contains(t, "the text that a model reads", r.Text+r.Warning, "moved with it")
		})
	}
}

func TestSubStepsStayWhereAStepIsDueLaterOrStillAfterThem(t *testing.T) {
	b := newBench(t)
	b.chart("Create a podcast", "Pilot recorded", "Site online")
	sub := b.telescoped("Pilot recorded", "Script written")
	before := stepDates(b, sub)
	for _, due := range []string{"2026-02-20", "2026-02-01"} {
		r := b.CallAllowingRefusal(updateStepName, args{"actionStepName": "Pilot recorded", "dueDate": due})
		same(t, "steps after "+due, stepDates(b, sub), before)
		same(t, "warnings after "+due, len(r.Hints.Warnings), 0)
	}
}

func TestSubStepsOfAStepThatIsDueInThePastAreDueWithIt(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast")
	step := b.Call(addName, addArgs(id, "Pilot recorded"))["chartId"].(string)
	b.Call(addName, addArgs(step, "Script written"))
	b.Call(updateStepName, args{"actionStepName": step, "dueDate": "2025-12-24"})
	same(t, "its step", stepDates(b, step), "[2025-12-24]")
}

func TestStepsThatAreDueWithTheirChartStayDueWithIt(t *testing.T) {
	b := newBench(t)
	id := b.Call(createName, args{"desiredOutcome": "Build a greenhouse", "currentReality": "Sand is there", "dueDate": "2025-11-20", "actionSteps": []string{"Frame ordered", "Glass fitted"}})["chartId"].(string)
	sub := b.telescoped("Glass fitted", "Glass cut", "Putty bought") // all are due with the chart, which is past
	b.complete("Putty bought")
	b.Call(updateStepName, args{"actionStepName": "Frame ordered", "dueDate": "2025-11-10"})
	r := b.CallAllowingRefusal(updateChartName, args{"chartId": id, "dueDate": "2026-03-01"})
	same(t, "steps", stepDates(b, id), "[2025-11-10 2026-03-01]")
	same(t, "steps below", stepDates(b, sub), "[2026-03-01 2025-11-20]")
	contains(t, "what moved", r.Hints.Warnings[0].Message, `2 open steps within moved with it: "Glass fitted" from 2025-11-20 to 2026-03-01, "Glass cut" from`)
	b.Call(updateStepName, args{"actionStepName": "Glass fitted", "dueDate": "2026-04-01"})
	same(t, "the step below", stepDates(b, sub), "[2026-04-01 2025-11-20]")
}

func TestAStepThatIsDueAfterItsChartIsNamed(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast", "Pilot recorded")
	sub := b.telescoped("Pilot recorded")
	late := addArgs(id, "Site online")
	late["dueDate"] = "2026-06-01"
	for name, r := range map[string]*tools.Response{
		"added":              b.CallAllowingRefusal(addName, late),
		"added by a peer":    b.CallAllowingRefusal(manageName, args{"parentReference": id, "actionDescription": "Cover drawn", "currentReality": "No cover", "dueDate": "2026-06-02"}),
		"moved":              b.CallAllowingRefusal(updateStepName, args{"actionStepName": "Pilot recorded", "dueDate": "2026-06-03"}),
		"moved by its chart": b.CallAllowingRefusal(updateChartName, args{"chartId": sub, "dueDate": "2026-06-04"}),
	} {
		if len(r.Hints.Warnings) == 0 {
			t.Errorf("%s: no warning", name)
			continue
		}
		contains(t, name, r.Hints.Warnings[len(r.Hints.Warnings)-1].Message, "due after the chart "+id+" (due 2026-05-01T12:00:00Z)")
	}
}
