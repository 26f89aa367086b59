package app

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"toolkit/internal/transfer/exchange"
)

func TestAChartBelowAStepNamedByItsTitleAddsNoStep(t *testing.T) {
	a := openApp(t, 0)
	imported(t, a, chartLines("chart_1", "Play", "", "", "")+
		chartLines("chart_2", "Tuned", `,"parentChart":"chart_1","parentActionStep":"a step of play"`, "", ""))
	var progress struct{ TotalActions int }
	if err := json.Unmarshal(call(t, a, "get_chart_progress", `{"chartId":"chart_1"}`), &progress); err != nil || progress.TotalActions != 1 {
		t.Errorf("%+v, %v", progress, err)
	}
	if chart := read(t, exported(t, a, exchange.Coaia)).Charts[1]; chart.ParentStep != "chart_1_action_1" {
		t.Errorf("%+v", chart)
	}
}

func TestAMemoryExportBringsDatesAndCompletionToAnotherDatabase(t *testing.T) {
	a := openApp(t, 0)
	chart := field(t, call(t, a, "create_structural_tension_chart",
		`{"desiredOutcome":"Create a podcast","currentReality":"Have a microphone","dueDate":"2030-01-01T00:00:00Z","actionSteps":["A pilot","A jingle","A trailer"]}`), "chartId")
	call(t, a, "mark_action_complete", `{"actionStepName":"A pilot"}`)
	child := field(t, call(t, a, "telescope_action_step", `{"actionStepName":"A jingle","newCurrentReality":"Silence","initialActionSteps":["A melody"]}`), "chartId")
	call(t, a, "mark_action_complete", `{"actionStepName":"A jingle"}`)
	marks := func(file string) map[string]string {
		all := map[string]string{}
		for _, c := range read(t, file).Charts {
			all[c.ID] = fmt.Sprintf("%s %s %s", c.Entity.Metadata["dueDate"], c.Outcome.Metadata["completionStatus"], c.Outcome.Metadata["completedAt"])
			for _, s := range c.Steps {
				all[s.Name] = fmt.Sprintf("%s %s", s.Metadata["dueDate"], s.Metadata["completedAt"])
			}
		}
		return all
	}
	b := openApp(t, 0)
	plain := exported(t, a, exchange.Memory)
	if r := imported(t, b, plain); len(r.Problems) > 0 {
		t.Errorf("%+v", r.Problems)
	}
	want := marks(exported(t, a, exchange.Coaia))
	if diff := cmp.Diff(want, marks(exported(t, b, exchange.Coaia))); diff != "" {
		t.Errorf("%s\n%s", diff, plain)
	}
	if len(want) != 6 || !strings.Contains(want[child], "true") || !strings.Contains(want[chart], "2030") {
		t.Errorf("%+v", want)
	}
	if diff := cmp.Diff(plain, exported(t, b, exchange.Memory)); diff != "" {
		t.Error(diff)
	}
}

func TestToolsWorkOnChartsWithoutADueDate(t *testing.T) {
	for name, due := range map[string]string{"absent": "", "null": `,"dueDate":null`, "empty": `,"dueDate":""`, "free text": `,"dueDate":"in spring"`} {
		t.Run(name, func(t *testing.T) {
			a := openApp(t, 0)
			file := chartLines("chart_1", "Play", due, "", due)
			imported(t, a, file)
			if back := exported(t, a, exchange.Coaia); strings.Contains(back, `"dueDate"`) != (name == "free text") {
				t.Errorf("due dates appeared or went: %s", back)
			}
			call(t, a, "list_active_charts", `{}`)
			call(t, a, "get_chart_progress", `{"chartId":"chart_1"}`)
			call(t, a, "read_graph", `{}`)
			call(t, a, "add_action_step", `{"parentChartId":"chart_1","actionStepTitle":"Encore","currentReality":"No piece chosen"}`)
			call(t, a, "telescope_action_step", `{"actionStepName":"chart_1_action_1","newCurrentReality":"Silence","initialActionSteps":["A note"]}`)
			call(t, a, "mark_action_complete", `{"actionStepName":"chart_1_action_1"}`)
			imported(t, openApp(t, 0), exported(t, a, exchange.Memory))
		})
	}
}
