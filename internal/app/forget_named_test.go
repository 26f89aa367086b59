package app

import (
	"strings"
	"testing"
)

// TestForgetFindsWhatIsNamedInPart names sessions by a beginning and charts by their outcome.
func TestForgetFindsWhatIsNamedInPart(t *testing.T) {
	a := newApp(t)
	for _, session := range []string{"claude-code/1111-a", "claude-code/1122-b", "claude-code/2222-c", "monday"} {
		callTool(t, a, "store_raw_dialogue", map[string]any{"session_id": session, "speaker": "user", "content": "In " + session})
	}
	callTool(t, a, "create_entities", map[string]any{"entities": []any{map[string]any{"name": "Tante Gerda", "entityType": "person", "observations": []string{}}}})
	const outcome = "Plant a lemon grove of ten trees"
	chart := callTool(t, a, "create_structural_tension_chart", map[string]any{"desiredOutcome": outcome, "currentReality": "Bare soil", "dueDate": "2030-01-01", "actionSteps": []string{"Soil limed"}})["chartId"].(string)
	for name, c := range map[string]struct{ item, going, refused string }{
		"a whole session":                  {"session:claude-code/1111-a", "dialogue 1", ""},
		"a session without its client":     {"session:1111-a", "dialogue 1", ""},
		"the beginning of one session":     {"session:22", "dialogue 1", ""},
		"a beginning with the client":      {"session:claude-code/112", "dialogue 1", ""},
		"a session of no client":           {"session:mon", "dialogue 1", ""},
		"the beginning of several":         {"session:11", "", "claude-code/1111-a, claude-code/1122-b"},
		"the beginning of none":            {"session:3", "", `there is no session \"3\"`},
		"a chart as an entity":             {"entity:" + chart, "entity 2, observation", ""},
		"a chart by its kind":              {"chart:" + chart, "entity 2, observation", ""},
		"a chart by its outcome":           {"entity:" + outcome, "entity 2, observation", ""},
		"a chart by its kind and outcome":  {"chart:" + strings.ToUpper(outcome), "entity 2, observation", ""},
		"a chart by a part of its outcome": {"entity:Plant a lemon grove", "", "there is no entity"},
		"nearly the name of an entity":     {"entity:Tante Gerdaa", "", `there is no entity \"Tante Gerdaa\"; perhaps meant: \"Tante Gerda\"; nothing was changed`},
		"a step as a chart":                {"chart:" + chart + "_action_1", "", "there is no chart"},
	} {
		t.Run(name, func(t *testing.T) {
			in := map[string]any{"items": []string{c.item}}
			if c.refused != "" {
				if r := respond(t, a, "forget", in); !r.IsError || !strings.Contains(r.Text, c.refused) {
					t.Errorf("it says %s", r.Text)
				}
				return
			}
			if preview := callForget(t, a, in); !strings.HasPrefix(preview.going(), c.going) {
				t.Errorf("the preview lists %s, not %s", preview.going(), c.going)
			}
		})
	}
}
