package app

import (
	"path/filepath"
	"testing"

	"toolkit/tools"
)

// What a person types is not letter for letter what is kept.
func TestForgettingFindsWhatIsKeptHoweverItIsWritten(t *testing.T) {
	say := func(text string) tools.SetupCall {
		return tools.SetupCall{Tool: "store_raw_dialogue", Params: map[string]any{"session_id": "s1", "speaker": "user", "content": text}}
	}
	for name, tc := range map[string]struct {
		call        tools.SetupCall
		text, going string
	}{
		"a line break in a turn": {say("I know Annaqq\nBellaqq well"), "annaqq bellaqq", "dialogue 1"},
		"letters with marks in an insight": {tools.SetupCall{Tool: "store_episode", Params: map[string]any{"query": "xÄöÜqqw", "reward": 0.5, "reflection": "y"}},
			"xäÖüqqw", "episode 1"},
		"a line break in an observation": {tools.SetupCall{Tool: "create_entities", Params: map[string]any{"entities": []any{map[string]any{"name": "E", "entityType": "t", "observations": []string{"lives in großeqqx\u00a0straße"}}}}},
			"GROSSEQQX STRASSE", "observation 1"},
		"a line break in a record": {tools.SetupCall{Tool: "store_record", Params: map[string]any{"type": "note", "properties": map[string]any{"content": "Annaqq\nBellaqq"}}},
			"Annaqq Bellaqq", "record 1, truth_entity 1"},
		"an amount in a record": {tools.SetupCall{Tool: "store_record", Params: map[string]any{"type": "note", "properties": map[string]any{"amount": 1234567.50}}},
			"1234567.50", "record 1, truth_entity 1"},
	} {
		t.Run(name, func(t *testing.T) {
			a := appOn(t, filepath.Join(t.TempDir(), "t.db"))
			callTool(t, a, tc.call.Tool, tc.call.Params.(map[string]any))
			if found := callForget(t, a, map[string]any{"text": tc.text}); found.going() != tc.going {
				t.Errorf("%s would go, not %s", found.going(), tc.going)
			}
		})
	}
}
