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
