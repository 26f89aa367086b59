package memory

import (
	"slices"
	"testing"

	"toolkit/internal/toolstest"
)

// TestEveryToolPassesTheVerificationChecklist also runs every example on a
// database of its own and compares the result.
func TestEveryToolPassesTheVerificationChecklist(t *testing.T) {
	if n := len(newBench(t).Registry.All()); n != 15 {
		t.Fatalf("the family has %d tools, want 15", n)
	}
	toolstest.Checklist(t, func() *toolstest.Bench { return newBench(t).Bench })
}

// documented are the input schemas of the source document, without its
// descriptions; additive optional inputs are listed in additions.
var documented = map[string]string{
	dialogueName: `{"type":"object","properties":{"session_id":{"type":"string"},"speaker":{"type":"string"},"content":{"type":"string"},"metadata":{"type":"object"}},"required":["session_id","speaker","content"]}`,
	compressName: `{"type":"object","properties":{"content":{"type":"string"},"source_ids":{"type":"array","items":{"type":"integer"}}},"required":["content","source_ids"]}`,
	hybridName:   `{"type":"object","properties":{"query_text":{"type":"string","minLength":1},"query_embedding":{"type":"array","items":{"type":"number"},"minItems":1536,"maxItems":1536},"top_k":{"type":"integer","minimum":1,"maximum":100,"default":5},"weights":{"type":"object","properties":{"semantic":{"type":"number","minimum":0,"maximum":1,"default":0.7},"keyword":{"type":"number","minimum":0,"maximum":1,"default":0.3}},"default":{"semantic":0.7,"keyword":0.3}}},"required":["query_text"]}`,
	workingName:  `{"type":"object","properties":{"content":{"type":"string"},"importance":{"type":"number","minimum":0,"maximum":1,"default":0.5}},"required":["content"]}`,
	episodeName:  `{"type":"object","properties":{"query":{"type":"string","minLength":1},"reward":{"type":"number","minimum":-1,"maximum":1},"reflection":{"type":"string","minLength":1}},"required":["query","reward","reflection"]}`,
	judgeName:    `{"type":"object","properties":{"query_id":{"type":"integer","minimum":1},"query":{"type":"string","minLength":1},"docs":{"type":"array","minItems":1,"maxItems":50,"items":{"type":"object","properties":{"id":{"type":"integer"},"content":{"type":"string","minLength":1}},"required":["id","content"]}}},"required":["query_id","query","docs"]}`,
	goldenName:   `{"type":"object","properties":{}}`,
	"ping":       `{"type":"object","properties":{}}`,
}

var additions = map[string][]string{
	hybridName: {"source_types", "session_id", "speaker", "tags", "created_after", "created_before", "fidelity_min", "include_superseded", "explain"},
	judgeName:  {"judge1_scores", "judge2_scores", "judge1_model", "judge2_model"},
}

func TestInputSchemasEqualTheDocumentation(t *testing.T) {
	b := newBench(t)
	for name, want := range documented {
		toolstest.SameInput(t, b.Registry, name, want, additions[name]...)
	}
}

func TestEveryPropertyOfEveryToolIsDescribed(t *testing.T) {
	toolstest.EveryInputIsDescribed(t, newBench(t).Registry)
}

// The documented keys of each result are required; further ones are ours.
func TestResultsHaveTheDocumentedKeys(t *testing.T) {
	b := newBench(t)
	keys := map[string][]string{
		dialogueName: {"id", "timestamp", "session_id", "status"},
		compressName: {"id", "embedding_status", "fidelity_score", "timestamp"},
		hybridName:   {"results", "query_embedding_dimension", "semantic_results_count", "keyword_results_count", "final_results_count", "weights", "status"},
		workingName:  {"added_id", "evicted_id", "archived_id", "status"},
		episodeName:  {"id", "embedding_status", "query", "reward", "created_at"},
		judgeName:    {"query_id", "judge1_score", "judge2_score", "kappa", "agreement", "evaluated_documents", "status"},
		goldenName:   {"date", "precision_at_5", "baseline_precision", "drift_detected", "queries_tested", "details", "query_breakdown"},
		"ping":       {"response", "timestamp", "tool", "status"},
	}
	for name, want := range keys {
		required := toolstest.Output(t, b.Registry, name).Required
		for _, key := range want {
			if !slices.Contains(required, key) {
				t.Errorf("%s: %s is not always there, only %v", name, key, required)
			}
		}
	}
}

// TestEverySuggestedCallIsPossible makes a call of every tool, refused ones
// too, and checks that what the hints suggest exists and takes the arguments.
func TestEverySuggestedCallIsPossible(t *testing.T) {
	b := newBench(t)
	turn := b.say("s1", "user", "The release moved from Friday to Monday because Anna is ill")
	wrong := b.insight("it is so that they do and have it", turn, 99)
	filled := make([]args, 0, 11)
	for i := range 11 {
		filled = append(filled, args{"content": "item", "importance": map[bool]float64{true: 0.9, false: 0.1}[i < 10]})
	}
	type request struct {
		tool string
		in   any
	}
	calls := []request{
		{dialogueName, args{"session_id": "s1", "speaker": "user", "content": "", "metadata": args{"date": "yesterday"}}},
		{dialogueName, args{"session_id": " ", "speaker": "user", "content": "x"}},
		{compressName, args{"content": "it is what it is", "source_ids": []int64{turn, 7777}}},
		{hybridName, args{"query_text": "release", "source_types": []string{"l0", "l2", "episode"}}},
		{hybridName, args{"query_text": "nothing alike"}},
		{hybridName, args{"query_text": "nothing alike", "session_id": "s1"}},
		{episodeName, args{"query": "When is the release?", "reward": 0.5, "reflection": "ask Anna"}},
		{updateName, args{"id": wrong, "content": "Release moved from Friday to Monday: Anna is ill"}},
		{updateName, args{"id": wrong, "content": "again"}},
		{updateName, args{"id": 12345, "content": "again"}},
		{historyName, args{"id": wrong}},
		{deleteName, args{"id": wrong + 2, "reason": "doubtful"}},
		{deleteName, args{"id": wrong + 2, "reason": "doubtful"}},
		{historyName, args{"id": wrong + 2}},
		{touchName, args{"id": 1}},
		{groundTruthName, args{"query": "When is the release?"}},
		{goldenName, args{}},
		{goldenQueryName, args{"query": "When is the release?"}},
		{goldenQueryName, args{"query": "When is it?", "expected_docs": []int64{4711}}},
		{goldenName, args{}},
		{goldenQueryName, args{"query": "When is the release?", "expected_docs": []int64{wrong}}},
		{goldenName, args{}},
		{judgeName, args{"query_id": 99, "query": "q", "docs": []args{{"id": 1, "content": "x"}}}},
		{judgeName, args{"query_id": 1, "query": "When is the release?", "docs": []args{{"id": 1, "content": "The release is on Monday."}, {"id": 2, "content": "Tea"}}}},
		{judgeName, args{"query_id": 1, "query": "When?", "docs": []args{{"id": 1, "content": "x"}, {"id": 2, "content": "y"}}, "judge1_scores": []any{1, 0}, "judge2_scores": []any{0, 1}}},
		{judgeName, args{"query_id": 1, "query": "When?", "docs": []args{{"id": 1, "content": "x"}}, "judge1_scores": []any{1}, "judge2_scores": []any{nil}}},
		{judgeName, args{"query_id": 1, "query": "When?", "docs": []args{{"id": 1, "content": "x"}}, "judge1_scores": []any{1}, "judge2_scores": []any{1}}},
		{"ping", args{}},
	}
	for _, in := range filled {
		calls = append(calls, request{workingName, in})
	}
	calls = append(calls, request{touchName, args{"id": 3}}, request{archiveName, args{"id": 3}}, request{archiveName, args{"id": 3}})
	suggested := map[string]int{"ping": 1} // has nothing to suggest
	for _, c := range calls {
		suggested[c.tool] += b.Suggestions(c.tool, c.in)
	}
	for _, d := range b.Registry.All() {
		if suggested[d.Name] == 0 {
			t.Errorf("%s never suggests a next call", d.Name)
		}
	}
}
