package memory

import (
	"testing"
)

func TestAnEpisodeIsStored(t *testing.T) {
	b := newBench(t)
	for _, reward := range []float64{-1, 0, 1} {
		out := b.Call(episodeName, args{"query": "How?", "reward": reward, "reflection": "Problem: slow. Lesson: measure."})
		if out["reward"] != reward || out["query"] != "How?" || out["created_at"] != "2026-01-15T12:00:00Z" || out["embedding_status"] != "success" {
			t.Errorf("result is %v", out)
		}
	}
}

// Design: the format of a reflection is advised, not enforced.
func TestTheFormOfAReflectionIsAdvised(t *testing.T) {
	tests := map[string]bool{
		"Problem: slow. Lesson: measure first.":   true,
		"problem: slow\nLESSON: measure":          true,
		"measure first":                           false,
		"Lesson: measure. Problem: slow.":         false,
		"The problem is slow, the lesson is none": false,
	}
	b := newBench(t)
	for text, fits := range tests {
		r := b.CallAllowingRefusal(episodeName, args{"query": "q", "reward": 0, "reflection": text})
		if r.IsError || (len(r.Hints.Warnings) == 0) != fits {
			t.Errorf("%q: %v, warnings %v", text, r.Text, r.Hints.Warnings)
		}
	}
}
