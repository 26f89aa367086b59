package charts

import (
	"strings"
	"testing"
	"time"
)

func TestTheMomentOfTruthWalksThroughItsSteps(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast", "Microphone bought", "Pilot recorded", "Site online")
	b.complete("Microphone bought")
	b.Clock.Advance(65 * 24 * time.Hour) // past the second step, not the third
	before := b.contents()
	next := map[any]any{"full_review": "acknowledge", "acknowledge": "analyze", "analyze": "plan", "plan": "feedback", "feedback": nil}
	for step, want := range next {
		out := b.Call(momentName, args{"chartId": "create a podcast", "step": step, "userInput": "Two guests agreed"})
		same(t, "step", []any{out["chartId"], out["step"], out["nextStep"]}, []any{id, step, want})
		contains(t, "the guidance", out["guidance"].(string), "Create a podcast")
	}
	out := b.Call(momentName, args{"chartId": id})
	same(t, "the step by default", out["step"], "full_review")
	text := out["guidance"].(string)
	late, open := strings.Index(text, "Pilot recorded"), strings.Index(text, "Site online")
	if late < 0 || open < 0 || late > open {
		t.Errorf("the overdue step should come before the open one:\n%s", text)
	}
	b.unchanged(before)
	b.refuse(momentName, args{"chartId": id, "step": "reflect"}, "VALIDATION_ERROR", "step")
	b.refuse(momentName, args{"chartId": id, "userInput": " "}, "VALIDATION_ERROR", "userInput")
	b.refuse(momentName, args{}, "MISSING_REQUIRED", "chartId")
}

func TestTheMomentOfTruthSuggestsWhatToRecord(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast", "Microphone bought")
	cases := []struct {
		step, said, action string
		data               args
	}{
		{"acknowledge", "Two guests agreed", "update-current-reality", args{"chartId": id, "newObservations": []string{"Two guests agreed"}}},
		{"acknowledge", "I hope to have guests", "update-current-reality", args{"chartId": id}},
		{"plan", "Studio rented", "add-action-step", args{"parentChartId": id, "actionStepTitle": "Studio rented"}},
		{"plan", "Keep trying to rent a studio", "add-action-step", args{"parentChartId": id}},
	}
	for _, c := range cases {
		h := b.CallAllowingRefusal(momentName, args{"chartId": id, "step": c.step, "userInput": c.said}).Hints
		first := h.SuggestedNextActions[0]
		same(t, "suggestion for "+c.said, []any{first.Action, first.Data}, []any{c.action, c.data})
		same(t, "warned about "+c.said, len(h.Warnings) > 0, c.said == "I hope to have guests")
	}
}

func TestGuidanceComesInThreeFormats(t *testing.T) {
	b := newBench(t)
	full := b.Call("init_llm_guidance", args{})
	same(t, "the format by default", full["format"], "full")
	for _, format := range []string{"full", "quick", "save_directive"} {
		out := b.Call("init_llm_guidance", args{"format": format})
		same(t, "format", out["format"], format)
		if len(out["guidance"].(string)) < 200 {
			t.Errorf("the guidance %s is %q", format, out["guidance"])
		}
	}
	b.refuse("init_llm_guidance", args{"format": "FULL"}, "VALIDATION_ERROR", "format")
}
