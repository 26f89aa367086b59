package memory

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"toolkit/internal/search"
	"toolkit/internal/toolstest"
	"toolkit/store/memory"
)

// vector is a query embedding of n numbers.
func vector(n int, first float64) []float64 {
	v := make([]float64, n)
	if n > 0 {
		v[0] = first
	}
	return v
}

// Design, hybrid_search: |sum − 1| ≤ 1e-9, one member given fixes the other.
func TestWeightsSumToOne(t *testing.T) {
	tests := map[string]struct {
		weights any
		want    string // semantic and keyword; or the refusal
		refused bool
	}{
		"absent":                    {nil, "0.7 0.3", false},
		"empty":                     {args{}, "0.7 0.3", false},
		"semantic alone":            {args{"semantic": 0.6}, "0.6 0.4", false},
		"keyword alone":             {args{"keyword": 0.25}, "0.75 0.25", false},
		"semantic alone, all of it": {args{"semantic": 1}, "1 0", false},
		"semantic alone, none":      {args{"semantic": 0}, "0 1", false},
		"both":                      {args{"semantic": 0.5, "keyword": 0.5}, "0.5 0.5", false},
		"both, off by 1e-10":        {args{"semantic": 0.5, "keyword": 0.5000000001}, "0.5 0.5000000001", false},
		"both, off by 1e-8":         {args{"semantic": 0.5, "keyword": 0.50000001}, "Weights must sum to 1.0, got 1.00000001", true},
		"both, too little":          {args{"semantic": 0.5, "keyword": 0.3}, "Weights must sum to 1.0, got 0.8", true},
		"both, too much":            {args{"semantic": 0.7, "keyword": 0.5}, "Weights must sum to 1.0, got 1.2", true},
		"both zero":                 {args{"semantic": 0, "keyword": 0}, "Weights must sum to 1.0, got 0", true},
		"text":                      {"semantic", "weights must be an object", true},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			in := args{"query_text": "tea"}
			if tc.weights != nil {
				in["weights"] = tc.weights
			}
			if tc.refused {
				b.refuse(hybridName, in, invalid, tc.want)
				return
			}
			w := b.Call(hybridName, in)["weights"].(args)
			if got := fmt.Sprintf("%.10g %.10g", w["semantic"], w["keyword"]); got != tc.want {
				t.Errorf("weights are %s, want %s", got, tc.want)
			}
		})
	}
}

func TestAnEmbeddingOfAnotherLengthIsRefusedInTheDocumentedWords(t *testing.T) {
	b := newBench(t)
	for _, n := range []int{0, 1, 384, 1535, 1537, 3072} {
		r := b.refuse(hybridName, args{"query_text": "tea", "query_embedding": vector(n, 1)}, invalid,
			fmt.Sprintf("Invalid embedding dimension: %d. Expected 1536", n))
		if r.Err.Field != "query_embedding" {
			t.Errorf("the error is about %s", r.Err.Field)
		}
	}
	b.refuse(hybridName, args{"query_text": "tea", "query_embedding": vector(1536, 0)}, invalid, "all zeros")
	b.refuse(hybridName, args{"query_text": "tea", "query_embedding": []string{"a"}}, invalid, "")
	b.Call(hybridName, args{"query_text": "tea", "query_embedding": vector(1536, 0.5)})
}

func TestOnlyTheDirectionOfAnEmbeddingCounts(t *testing.T) {
	for _, size := range []float64{1e308, -1e39, 1e20, 1e-300} {
		long := vector(1536, size)
		long[1] = size / 2
		q, err := hybridInput{QueryText: "tea", QueryEmbedding: long}.buildQuery()
		if err != nil {
			t.Fatal(err)
		}
		given := q.Embedding
		if length := math.Abs(float64(given[0])); !(length >= 0.5 && length <= 1) || given[1] != given[0]/2 {
			t.Errorf("an embedding of %g and %g becomes %g and %g", long[0], long[1], given[0], given[1])
		}
	}
}

func TestSearchReceivesQueryArguments(t *testing.T) {
	quarter := 0.25
	for _, tc := range []struct {
		in   string
		want Query
	}{
		{`{"query_text": "tea"}`, Query{Text: "tea", TopK: 5, Weights: search.DefaultWeights, Sources: []memory.Source{memory.SourceInsight}}},
		{`{"query_text": "tea", "top_k": 100, "weights": {"semantic": 0.25}, "source_types": ["l0", "l2", "l0"], "session_id": "s1", "speaker": "Anna",
			"tags": ["work"], "created_after": "2026-01-01", "created_before": "2026-01-02T03:04:05+01:00", "fidelity_min": 0.25, "include_superseded": true, "explain": true}`,
			Query{Text: "tea", TopK: 100, Weights: search.Weights{Semantic: 0.25, Keyword: 0.75}, Sources: []memory.Source{memory.SourceDialogue, memory.SourceInsight}, Explain: true,
				Filter: memory.Filter{SessionID: "s1", Speaker: "Anna", Tags: []string{"work"}, FidelityMin: &quarter, IncludeRetired: true,
					CreatedAfter: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), CreatedBefore: time.Date(2026, 1, 2, 2, 4, 5, 0, time.UTC)}}},
	} {
		var in hybridInput
		if err := json.Unmarshal([]byte(tc.in), &in); err != nil {
			t.Fatal(err)
		}
		if got, err := in.buildQuery(); err != nil || !reflect.DeepEqual(got, tc.want) {
			t.Errorf("the search is given\n%+v, %v, want\n%+v", got, err, tc.want)
		}
	}
}

func TestASearchAnswersInTheDocumentedForm(t *testing.T) {
	b := newBench(t, searchWith(t, toolstest.WordCounts{}))
	turn := b.say("s1", "Anna", "Green tea from Uji")
	b.insight("Anna drinks green tea", turn)
	b.insight("Green paint dries slowly")
	b.Call(episodeName, args{"query": "Which tea?", "reward": 0.5, "reflection": "Problem: a. Lesson: green tea."})
	b.refresh()
	out := b.Call(hybridName, args{"query_text": "green tea", "explain": true})
	if out["query_embedding_dimension"] != 1536.0 || out["semantic_results_count"] != 2.0 || out["keyword_results_count"] != 2.0 ||
		out["final_results_count"] != 2.0 || out["status"] != "success" || out["embedding_provider"] == "" || out["explanation"] == nil {
		t.Errorf("result is %v", out)
	}
	first := out["results"].([]any)[0].(args)
	if first["id"] != 1.0 || first["source_type"] != "l2" || fmt.Sprint(first["source_ids"]) != "[1]" || math.Abs(first["score"].(float64)-1.0/61) > 1e-15 ||
		first["semantic_rank"] != 1.0 || first["keyword_rank"] != 1.0 || first["fidelity_score"] != 0.75 || first["created_at"] != "2026-01-15T12:00:00Z" {
		t.Errorf("the first result is %v", first)
	}
	kinds := map[string]string{"l0": "speaker", "episode": "reward"}
	for kind, key := range kinds {
		out := b.Call(hybridName, args{"query_text": "green tea", "source_types": []string{kind}})
		hit := out["results"].([]any)[0].(args)
		if hit["source_type"] != kind || hit[key] == nil {
			t.Errorf("of %s the result is %v", kind, hit)
		}
	}
	none := b.Call(hybridName, args{"query_text": "\"*NEAR("})
	if results, ok := none["results"].([]any); !ok || len(results) != 0 {
		t.Errorf("without results they are %v", none["results"])
	}
}

func TestSearchRefusals(t *testing.T) {
	b := newBench(t)
	tests := map[string]struct {
		in      args
		details string
	}{
		"a blank query":        {args{"query_text": " \t"}, "query_text must not be blank"},
		"a date in words":      {args{"query_text": "x", "created_after": "last week"}, "created_after is not a date"},
		"an empty range":       {args{"query_text": "x", "created_after": "2026-01-02", "created_before": "2026-01-02"}, "created_before is not later"},
		"weights come last":    {args{"query_text": " ", "weights": args{"semantic": 0, "keyword": 0}}, "query_text must not be blank"},
		"missing comes before": {args{"query_embedding": vector(3, 1)}, "query_text is required"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) { b.refuse(hybridName, tc.in, invalid, tc.details) })
	}
}

func TestFiltersThatCanMatchNothingAreWarnedAbout(t *testing.T) {
	b := newBench(t)
	b.Call(dialogueName, args{"session_id": "s1", "speaker": "Anna", "content": "The release is on Monday", "metadata": args{"tags": []string{"work"}}})
	dialogue, episodes, everything := []string{"l0"}, []string{"episode"}, []string{"l0", "l2"}
	tests := map[string]struct {
		in   args
		want string // a part of the one warning about filters; empty: none
	}{
		"no filter":                       {args{"source_types": dialogue}, ""},
		"names that there are":            {args{"source_types": dialogue, "session_id": "s1", "speaker": "Anna", "tags": []string{"work"}}, ""},
		"a speaker nobody knows":          {args{"source_types": dialogue, "speaker": "Zoe"}, `no dialogue has the speaker "Zoe"; there are Anna`},
		"a speaker in other letters":      {args{"source_types": dialogue, "speaker": "anna "}, `there is "Anna"`},
		"a session nobody knows":          {args{"session_id": "s2"}, `no dialogue has the session "s2"`},
		"a tag nobody gave":               {args{"source_types": dialogue, "tags": []string{"work", "home"}}, `no dialogue has the tag "home"`},
		"the session of episodes":         {args{"source_types": episodes, "session_id": "s1"}, "exclude every episode"},
		"the density of dialogue":         {args{"source_types": dialogue, "fidelity_min": 0.9}, "concern insights, which were not searched"},
		"the density of insights as well": {args{"source_types": everything, "fidelity_min": 0.9}, ""},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			tc.in["query_text"] = "release Monday"
			var said []string
			for _, w := range b.CallAccepted(hybridName, tc.in).Hints.Warnings {
				if w.SuggestedFix == "correct the filter or leave it out" {
					said = append(said, w.Message)
				}
			}
			if (tc.want == "") != (len(said) == 0) || len(said) > 1 || tc.want != "" && !strings.Contains(said[0], tc.want) {
				t.Errorf("warns %q, want %q", said, tc.want)
			}
		})
	}
}

func TestWordsBeyondTheSixtyFourthAreSaidToBeLeftOut(t *testing.T) {
	b := newBench(t)
	b.insights(1, "xaaq xabq")
	for n, cut := range map[int]bool{64: false, 65: true} {
		out := b.Call(hybridName, args{"query_text": strings.Join(manyWords(n), " ")})
		if note, _ := out["note"].(string); strings.Contains(note, "only its first 64 different words") != cut {
			t.Errorf("%d words: note %q", n, note)
		}
	}
}
