package cli

import "testing"

// What looks, and whatever --db names, needs a database that is there.
func TestCallMakesNoDatabaseAtAMistypedPath(t *testing.T) {
	for name, line := range map[string][]string{
		"a tool that reads":   {"call", "read_graph"},
		"a search":            {"call", "search_nodes", `{"query":"tea"}`},
		"a tool that writes":  {"call", "create_entities", `{"entities":[{"name":"Anna","entityType":"person","observations":[]}]}`},
		"one that forgets":    {"call", "forget", `{"text":"tea"}`},
		"the kebab form of a": {"call", "read-graph", "--whole"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runWithoutDatabase(t, line, exitFailure, "there is no database at")
		})
	}
}

func TestRefusalIsDescribedInThreeLines(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"with a call that helps": {
			`{"error":true,"code":"DUPLICATE_KEY","message":"B exists","details":{"field":"entities[0].name"},"agentHints":{"suggestedNextActions":[{"tool":"add_observations","description":"add the facts","data":{"x":"it's"}}]}}`,
			"B exists\n  DUPLICATE_KEY at entities[0].name\n  next: add the facts, toolkit call add_observations '{\"x\":\"it'\\''s\"}'",
		},
		"of a memory tool": {
			`{"error":"Parameter validation failed","details":"query_text is required","tool":"hybrid_search","agentHints":{"suggestedNextActions":[{"tool":"hybrid_search","description":"call again"}]}}`,
			"query_text is required\n  next: call again",
		},
		"without a place": {`{"code":"storage","message":"the disk is full"}`, "the disk is full\n  storage"},
		"of another form": {`{"other":1}`, ""},
		"no JSON":         {`boom`, ""},
	} {
		if got := describeRefusal([]byte(c.text)); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
