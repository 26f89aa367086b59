package app

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"toolkit/internal/transfer"
)

// chartLines is a minimal chart of coaia-narrative with one step.
func chartLines(id, outcome, chartMetadata, outcomeMetadata, stepMetadata string) string {
	replace := strings.NewReplacer("ID", id, "OUTCOME", outcome, "CHART", chartMetadata, "DONE", outcomeMetadata, "STEP", stepMetadata)
	return replace.Replace(`{"type":"entity","name":"ID_chart","entityType":"structural_tension_chart","observations":[],"metadata":{"chartId":"ID"CHART}}
{"type":"entity","name":"ID_desired_outcome","entityType":"desired_outcome","observations":["OUTCOME"],"metadata":{"chartId":"ID"DONE}}
{"type":"entity","name":"ID_current_reality","entityType":"current_reality","observations":["It is so"],"metadata":{"chartId":"ID"}}
{"type":"entity","name":"ID_action_1","entityType":"action_step","observations":["A step of OUTCOME"],"metadata":{"chartId":"ID"STEP}}
`)
}

func problemsOf(r *transfer.ExchangeResult) []string {
	var texts []string
	for _, p := range r.Problems {
		texts = append(texts, p.Message)
	}
	return texts
}

func TestAChartComesInAsAWholeOrNotAtAll(t *testing.T) {
	stored := chartLines("chart_1", "Play", "", "", "") + `{"type":"entity","name":"chart_2_action_1","entityType":"note","observations":[]}
{"type":"entity","name":"chart_3_current_reality","entityType":"note","observations":[]}
{"type":"entity","name":"chart_4","entityType":"note","observations":[]}
`
	for name, tc := range map[string]struct{ file, problem string }{
		"a step whose name is taken": {
			chartLines("chart_2", "Sing", "", "", ""),
			`chart "chart_2": the name "chart_2_action_1" belongs to a stored node of kind plain`},
		"a part whose name is taken": {
			chartLines("chart_3", "Sing", "", "", ""),
			`chart "chart_3": the name "chart_3_current_reality" belongs to a stored node of kind plain`},
		"an ID that is taken": {
			chartLines("chart_4", "Sing", "", "", ""),
			`chart "chart_4": the name "chart_4" belongs to a stored node of kind plain`},
		"a part of a stored chart without the others": {
			`{"type":"entity","name":"chart_1_chart","entityType":"structural_tension_chart","observations":["lost"]}`,
			`entity "chart_1_chart": the name "chart_1_chart" is that of a part of a stored chart; rename one of them to import it`},
		"an entity named like a stored step": {
			`{"type":"entity","name":"chart_1_action_1","entityType":"note","observations":["x"]}`,
			`entity "chart_1_action_1": the name "chart_1_action_1" belongs to a stored node of kind step; rename one of them to import it`},
	} {
		t.Run(name, func(t *testing.T) {
			a := openApp(t, 0)
			imported(t, a, stored)
			before := exported(t, a, transfer.ExchangeCoaia)
			r := imported(t, a, tc.file)
			if diff := cmp.Diff([]string{tc.problem}, problemsOf(r)); diff != "" || !r.Problems[0].Skipped {
				t.Errorf("%s", diff)
			}
			if r.Charts.Skipped+r.Entities.Skipped != 1 || r.Charts.New+r.Entities.New != 0 {
				t.Errorf("%+v", r)
			}
			if diff := cmp.Diff(before, exported(t, a, transfer.ExchangeCoaia)); diff != "" {
				t.Errorf("something came in:\n%s", diff)
			}
		})
	}
}

func TestImportSkipsTheBeatsOfASkippedChart(t *testing.T) {
	a := openApp(t, 0)
	imported(t, a, `{"type":"entity","name":"chart_1","entityType":"note","observations":[]}`)
	r := imported(t, a, chartLines("chart_1", "Sing", "", "", "")+
		chartLines("chart_2", "Breathe", `,"parentChart":"chart_1"`, "", "")+
		`{"type":"entity","name":"chart_2_beat_1","entityType":"narrative_beat","observations":[],"metadata":{"chartId":"chart_2"}}
{"type":"entity","name":"chart_2_beat_1_beat_1","entityType":"narrative_beat","observations":[],"metadata":{"chartId":"chart_2","parentBeat":"chart_2_beat_1"}}
{"type":"relation","from":"chart_2_action_1","to":"chart_2_action_1","relationType":"knows"}`)
	want := []string{
		`chart "chart_1": the name "chart_1" belongs to a stored node of kind plain`,
		`chart "chart_2": its parent chart "chart_1" did not come in`,
		`narrative beat "chart_2_beat_1": its chart "chart_2" or parent beat did not come in`,
		`narrative beat "chart_2_beat_1_beat_1": its chart "chart_2" or parent beat did not come in`,
		`the relation "knows" from "chart_2_action_1" to "chart_2_action_1": no entity "chart_2_action_1"; it is shown like this, and connected when there is one`,
	}
	if diff := cmp.Diff(want, problemsOf(r)); diff != "" {
		t.Error(diff)
	}
}

func TestANewChartBelowAStoredOneJoinsIt(t *testing.T) {
	a := openApp(t, 0)
	top := chartLines("chart_1", "Play", "", "", "")
	imported(t, a, top)
	r := imported(t, a, top+
		chartLines("chart_2", "Tuned", `,"parentChart":"chart_1","parentActionStep":"chart_1_action_1"`, "", "")+
		chartLines("chart_1_action_7", "Printed", `,"parentChart":"chart_1"`, `,"completionStatus":true,"completedAt":"2026-02-03"`, ""))
	if r.Charts != (transfer.ExchangeTally{New: 2, Unchanged: 1}) || len(r.Problems) > 0 {
		t.Errorf("%+v", r)
	}
	var progress struct {
		TotalActions, CompletedActions int
	}
	if err := json.Unmarshal(call(t, a, "get_chart_progress", `{"chartId":"chart_1"}`), &progress); err != nil || progress.TotalActions != 2 || progress.CompletedActions != 1 {
		t.Errorf("%+v, %v", progress, err)
	}
	if id := field(t, call(t, a, "add_action_step", `{"parentChartId":"chart_1","actionStepTitle":"Encore","currentReality":"No piece chosen"}`), "chartId"); id != "chart_1_action_3" {
		t.Errorf("the next step is %s", id)
	}
}

func TestACompleteChildChartCompletesItsStep(t *testing.T) {
	for name, tc := range map[string]struct{ done, step, want string }{
		"with its date":             {`,"completionStatus":true,"completedAt":"2026-02-03T04:05:06+02:00"`, "", "2026-02-03T02:05:06Z"},
		"with a date alone":         {`,"completionStatus":true,"completedAt":"2026-02-03"`, "", "2026-02-03T00:00:00Z"},
		"without a date":            {`,"completionStatus":true`, "", "2026-03-01T08:00:01Z"},
		"the step's own date wins":  {`,"completionStatus":true`, `,"completionStatus":true,"completedAt":"2025-01-01T00:00:00Z"`, "2025-01-01T00:00:00Z"},
		"an open one leaves it":     {``, "", ""},
		"and does not open it":      {``, `,"completionStatus":true,"completedAt":"2025-01-01T00:00:00Z"`, "2025-01-01T00:00:00Z"},
		"a date alone says nothing": {`,"completedAt":"2026-02-03T00:00:00Z"`, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			a := openApp(t, 0)
			file := chartLines("chart_1", "Play", "", "", tc.step) +
				chartLines("chart_2", "Tuned", `,"parentChart":"chart_1","parentActionStep":"chart_1_action_1","updatedAt":"2026-02-01T00:00:00Z"`, tc.done, "")
			imported(t, a, file)
			var nodes struct {
				Entities []struct {
					Metadata struct{ CompletedAt *string }
				}
			}
			if err := json.Unmarshal(call(t, a, "open_nodes", `{"names":["chart_1_action_1"]}`), &nodes); err != nil || len(nodes.Entities) != 1 {
				t.Fatalf("%v, %+v", err, nodes)
			}
			got := ""
			if at := nodes.Entities[0].Metadata.CompletedAt; at != nil {
				got = *at
			}
			if got != tc.want {
				t.Errorf("completed at %q, want %q", got, tc.want)
			}
		})
	}
}

func TestAnExportTellsWhatToolsChangedSinceTheImport(t *testing.T) {
	a := openApp(t, 0)
	imported(t, a, chartLines("chart_1", "Play", `,"dueDate":"2026-06-30","createdAt":"2026-01-01","updatedAt":"2026-01-02"`, "", `,"completedAt":"soon"`))
	call(t, a, "mark_action_complete", `{"actionStepName":"chart_1_action_1"}`)
	chart := read(t, exported(t, a, transfer.ExchangeCoaia)).Charts[0]
	for key, want := range map[string]string{"createdAt": `"2026-01-01T00:00:00.000Z"`, "dueDate": `"2026-06-30"`, "updatedAt": `"2026-03-01T`} {
		if got := string(chart.Entity.Metadata[key]); !strings.HasPrefix(got, want) {
			t.Errorf("%s is %s", key, got)
		}
	}
	if step := chart.Steps[0].Metadata; string(step["completionStatus"]) != "true" || !strings.HasPrefix(string(step["completedAt"]), `"2026-03-01T`) {
		t.Errorf("%s", step)
	}
}

func TestARelationWaitsForItsEnd(t *testing.T) {
	a := openApp(t, 0)
	first := chartLines("chart_1", "Play", "", "", "") + `{"type":"relation","from":"chart_1_chart","to":"Bach","relationType":"by","metadata":{"w":0.50}}
{"type":"relation","from":"chart_1_desired_outcome","to":"Bach","relationType":"honours"}`
	if r := imported(t, a, first); r.Dangling != (transfer.ExchangeTally{New: 2}) {
		t.Errorf("%+v", r)
	}
	if r := imported(t, a, `{"type":"entity","name":"Bach","entityType":"composer","observations":[]}`); r.Relations != (transfer.ExchangeTally{New: 1}) {
		t.Errorf("%+v", r)
	}
	if text := string(call(t, a, "open_nodes", `{"names":["Bach"]}`)); !strings.Contains(text, `{"from":"chart_1","to":"Bach","relationType":"by"}`) {
		t.Errorf("the graph does not show it: %s", text)
	}
	export := exported(t, a, transfer.ExchangeCoaia)
	for _, want := range []string{`"to":"Bach","relationType":"by","metadata":{"w":0.50}}`, `"to":"Bach","relationType":"honours"}`} {
		if !strings.Contains(export, want) {
			t.Errorf("no %s in %s", want, export)
		}
	}
	if r := imported(t, a, first); r.Relations != (transfer.ExchangeTally{Unchanged: 1}) || r.Dangling != (transfer.ExchangeTally{Unchanged: 1}) {
		t.Errorf("again: %+v", r)
	}
}

func TestDeletingANodeRemovesItsForeignLines(t *testing.T) {
	a := openApp(t, 0)
	imported(t, a, chartLines("chart_1", "Play", "", "", "")+`{"type":"entity","name":"Ada","entityType":"person","observations":[]}
{"type":"relation","from":"chart_1_desired_outcome","to":"Ada","relationType":"inspired by"}`)
	call(t, a, "delete_entities", `{"entityNames":["Ada"]}`)
	if text := exported(t, a, transfer.ExchangeCoaia); strings.Contains(text, "Ada") {
		t.Error(text)
	}
}

func TestAnExportStopsWhenItCannotBeWritten(t *testing.T) {
	a := openApp(t, 0)
	imported(t, a, `{"type":"entity","name":"Ada","entityType":"person","observations":[]}`)
	full := errors.New("no space")
	if _, err := transfer.ExportExchange(t.Context(), a.Store, refusing{full}, transfer.ExchangeCoaia); !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
}

// refusing is a destination that takes nothing.
type refusing struct{ err error }

func (r refusing) Write([]byte) (int, error) { return 0, r.err }

func TestAClosedChartTravelsClosed(t *testing.T) {
	for _, metadata := range []string{"", `,"owner":"Ann"`} {
		from := openApp(t, 0)
		imported(t, from, chartLines("chart_1", "Create a podcast", metadata, "", ""))
		call(t, from, "update_chart", `{"chartId":"chart_1","status":"abandoned"}`)
		text := exported(t, from, transfer.ExchangeCoaia)
		to := openApp(t, 0)
		imported(t, to, text)
		chart := call(t, to, "get_chart_progress", `{"chartId":"chart_1"}`)
		if field(t, chart, "status") != "abandoned" || field(t, chart, "closedAt") == "" {
			t.Errorf("the chart came over as %s", chart)
		}
		if again := exported(t, to, transfer.ExchangeCoaia); again != text {
			t.Errorf("exported again it is\n%s\nafter\n%s", again, text)
		}
		call(t, to, "update_chart", `{"chartId":"chart_1","status":"active"}`)
		if again := exported(t, to, transfer.ExchangeCoaia); strings.Contains(again, "closedAt") || metadata != "" && !strings.Contains(again, `"owner":"Ann"`) {
			t.Errorf("opened again it is\n%s", again)
		}
	}
}
