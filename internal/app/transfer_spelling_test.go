package app

import (
	"strings"
	"testing"

	"toolkit/internal/transfer"
)

func TestToolsWorkOnChartsWithoutADueDate(t *testing.T) {
	for name, due := range map[string]string{"absent": "", "null": `,"dueDate":null`, "empty": `,"dueDate":""`, "free text": `,"dueDate":"in spring"`} {
		t.Run(name, func(t *testing.T) {
			a := openApp(t, 0)
			file := chartLines("chart_1", "Play", due, "", due)
			imported(t, a, file)
			if back := exported(t, a, transfer.ExchangeCoaia); strings.Contains(back, `"dueDate"`) != (name == "free text") {
				t.Errorf("due dates appeared or went: %s", back)
			}
			call(t, a, "list_active_charts", `{}`)
			call(t, a, "get_chart_progress", `{"chartId":"chart_1"}`)
			call(t, a, "read_graph", `{}`)
			call(t, a, "add_action_step", `{"parentChartId":"chart_1","actionStepTitle":"Encore","currentReality":"No piece chosen"}`)
			call(t, a, "telescope_action_step", `{"actionStepName":"chart_1_action_1","newCurrentReality":"Silence","initialActionSteps":["A note"]}`)
			call(t, a, "mark_action_complete", `{"actionStepName":"chart_1_action_1"}`)
			imported(t, openApp(t, 0), exported(t, a, transfer.ExchangeMemory))
		})
	}
}
