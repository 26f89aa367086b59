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

func TestEpisodeRefusals(t *testing.T) {
	b := newBench(t)
	tests := map[string]struct {
		in      args
		details string
	}{
		"no query":                       {args{"reward": 0, "reflection": "r"}, "query is required"},
		"no reward":                      {args{"query": "q", "reflection": "r"}, "reward is required"},
		"no reflection":                  {args{"query": "q", "reward": 0}, "reflection is required"},
		"a reward above 1":               {args{"query": "q", "reward": 1.01, "reflection": "r"}, "reward must be at most 1"},
		"a reward below -1":              {args{"query": "q", "reward": -1.01, "reflection": "r"}, "reward must be at least -1"},
		"the reward comes before blanks": {args{"query": " ", "reward": 2, "reflection": " "}, "reward must be at most 1"},
		"an empty query":                 {args{"query": "", "reward": 0, "reflection": "r"}, "query must not be empty"},
		"a blank query":                  {args{"query": " ", "reward": 0, "reflection": "r"}, "query must not be blank"},
		"a blank reflection":             {args{"query": "q", "reward": 0, "reflection": "\n"}, "reflection must not be blank"},
		"a reward in words":              {args{"query": "q", "reward": "good", "reflection": "r"}, "reward must be a number"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) { b.refuse(episodeName, tc.in, invalid, tc.details) })
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
		r := b.Respond(episodeName, args{"query": "q", "reward": 0, "reflection": text})
		if r.IsError || (len(r.Hints.Warnings) == 0) != fits {
			t.Errorf("%q: %v, warnings %v", text, r.Text, r.Hints.Warnings)
		}
	}
}
