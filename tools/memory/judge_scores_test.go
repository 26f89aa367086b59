package memory

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"toolkit/internal/storetest"
	"toolkit/store"
	"toolkit/store/memory"
)

// pairs are scores written as two digits a document: 1 relevant (0.9), 0 not
// (0.1), - no judgement.
func pairs(text string) []JudgeScore {
	score := func(c byte) *float64 {
		switch c {
		case '1':
			return ptr(0.9)
		case '0':
			return ptr(0.1)
		}
		return nil
	}
	var list []JudgeScore
	for _, p := range strings.Fields(text) {
		list = append(list, JudgeScore{First: score(p[0]), Second: score(p[1])})
	}
	return list
}

func ptr[T any](v T) *T { return &v }

// Cohen's kappa, computed by hand: (po − pe) / (1 − pe).
func TestKappa(t *testing.T) {
	tests := map[string]struct {
		scores    string
		kappa     float64
		documents int
	}{
		"identical, both kinds":           {"11 00 11 00", 1, 4},
		"identical, all relevant (pe=1)":  {"11 11 11", 1, 3},
		"identical, all irrelevant":       {"00", 1, 1},
		"opposite":                        {"10 01", -1, 2},
		"one judge says always yes":       {"11 10 11 10", 0, 4},
		"chance: po .5, pe .5":            {"11 10 01 00", 0, 4},
		"po .75, pe .5":                   {"11 11 00 10", 0.5, 4},
		"po .9, pe .5 of ten":             {"11 11 11 11 11 00 00 00 00 10", 0.8, 10},
		"po .8, pe .5 of ten":             {"11 11 11 11 10 01 00 00 00 00", 0.6, 10},
		"po .7, pe .5 of ten":             {"11 11 11 10 10 00 00 00 00 01", 0.4, 10},
		"po .6, pe .5 of ten":             {"11 11 11 10 10 01 01 00 00 00", 0.2, 10},
		"failed judgements are left out":  {"11 1- -0 00 --", 1, 2},
		"no document with both scores":    {"1- -0", 0, 0},
		"no documents at all":             {"", 0, 0},
		"one disagreement alone":          {"10", 0, 1},
		"unequal marginals: 2/3, pe 5/9":  {"11 00 10", 0.4, 3},
		"worse than chance: po 0, pe 4/9": {"10 10 01", -0.8, 3},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			if kappa, documents := cohenKappa(pairs(tc.scores)); documents != tc.documents || math.Abs(kappa-tc.kappa) > 1e-15 {
				t.Errorf("got %v over %d, want %v over %d", kappa, documents, tc.kappa, tc.documents)
			}
		})
	}
}

func TestAScoreOfOneHalfIsNotRelevant(t *testing.T) {
	kappa, _ := cohenKappa([]JudgeScore{{First: ptr(0.5), Second: ptr(0.0)}, {First: ptr(0.5000001), Second: ptr(1.0)}})
	if kappa != 1 {
		t.Errorf("kappa is %v", kappa)
	}
}

func TestBands(t *testing.T) {
	tests := map[float64]string{
		-1: "poor", -0.0001: "poor", 0: "slight", 0.2: "slight", 0.2001: "fair", 0.4: "fair", 0.4001: "moderate",
		0.6: "moderate", 0.6001: "substantial", 0.8: "substantial", 0.8001: "almost perfect", 1: "almost perfect",
	}
	for kappa, want := range tests {
		if got := kappaBand(kappa); got != want {
			t.Errorf("%v is %s, want %s", kappa, got, want)
		}
	}
	// At the edges the computed value must not slip into the next band.
	edges := map[string]string{
		"11 11 11 11 11 00 00 00 00 10": "substantial", "11 11 11 11 10 01 00 00 00 00": "moderate",
		"11 11 11 10 10 00 00 00 00 01": "fair", "11 11 11 10 10 01 01 00 00 00": "slight",
	}
	for scores, want := range edges {
		kappa, _ := cohenKappa(pairs(scores))
		if got := kappaBand(kappa); got != want {
			t.Errorf("%s is %s, want %s", scores, got, want)
		}
	}
}

// documents are n documents with ids from 1.
func documents(n int) []args {
	list := make([]args, n)
	for i := range list {
		list[i] = args{"id": i + 1, "content": fmt.Sprint("document ", i+1)}
	}
	return list
}

func judged(b *bench, more args) args {
	in := args{"query_id": 1, "query": "When?"}
	for k, v := range more {
		in[k] = v
	}
	return b.Call(judgeName, in)
}

func TestSuppliedScoresAreStoredWithTheirAgreement(t *testing.T) {
	b := newBench(t)
	b.id(groundTruthName, args{"query": "When?"})
	out := judged(b, args{"docs": documents(4), "judge1_scores": []any{1, 0.8, 0.2, nil}, "judge2_scores": []any{0.9, 0.1, nil, nil}, "judge1_model": "a", "judge2_model": "b"})
	// Means over what is there: 2/3 and 0.5. Both scores: documents 1 and 2, po 1/2, pe 1/2.
	if math.Abs(out["judge1_score"].(float64)-2.0/3) > 1e-15 || out["judge2_score"] != 0.5 || out["kappa"] != 0.0 || out["agreement"] != "slight" ||
		out["evaluated_documents"] != 2.0 || out["status"] != "partial" || out["kappa_reliable"] != false || out["judge_mode"] != "caller" || out["ground_truth_eligible"] != true {
		t.Errorf("result is %v", out)
	}
	if got := fmt.Sprint(out["documents"].([]any)[2]); got != "map[id:3 judge1_score:0.2 judge2_score:<nil>]" {
		t.Errorf("document 3 is %s", got)
	}
	var scores []memory.JudgeScore
	storetest.Read(t, b.Store, func(tx *store.Tx) (err error) {
		scores, err = memory.In(tx).JudgeScores(1)
		return err
	})
	if len(scores) != 4 || *scores[0].Judge1 != 1 || scores[2].Judge2 != nil || scores[3].Judge1 != nil {
		t.Errorf("stored are %v", scores)
	}
	again := judged(b, args{"docs": documents(10), "judge1_scores": []any{1, 1, 1, 1, 1, 0, 0, 0, 0, 0}, "judge2_scores": []any{1, 1, 1, 1, 1, 0, 0, 0, 0, 0}, "judge1_model": "a", "judge2_model": "a"})
	if again["kappa"] != 1.0 || again["agreement"] != "almost perfect" || again["kappa_reliable"] != true || again["status"] != "success" {
		t.Errorf("result is %v", again)
	}
	if again["ground_truth_eligible"] != false || again["note"] == nil {
		t.Errorf("a model that agrees with itself counts: %v", again)
	}
}

func TestWithoutConfiguredJudgesHeuristicsWorkAndSaySo(t *testing.T) {
	b := newBench(t)
	b.id(groundTruthName, args{"query": "green tea"})
	out := b.Call(judgeName, args{"query_id": 1, "query": "green tea", "docs": []args{{"id": 5, "content": "green tea"}, {"id": 6, "content": "xyz"}}})
	if out["judge_mode"] != "offline-heuristic" || out["ground_truth_eligible"] != false || out["judge1_model"] != "offline-lexical-coverage-v1" ||
		out["judge2_model"] != "offline-ngram-cosine-v1" || !strings.Contains(out["note"].(string), "kappa measures only") {
		t.Errorf("result is %v", out)
	}
	if out["judge1_score"] != 0.5 || out["judge2_score"] != 0.5 || out["kappa"] != 1.0 || out["status"] != "success" {
		t.Errorf("scores are %v", out)
	}
}

// forgetful is a judge that fails for documents whose text it dislikes.
type forgetful struct{ name, dislikes string }

func (f forgetful) Model() string { return f.name }

func (f forgetful) Rate(_ context.Context, _, document string) (float64, error) {
	if strings.Contains(document, f.dislikes) {
		return 0, errors.New("the service answered HTTP 500")
	}
	return 1, nil
}

func TestFailedJudgementsAreLeftOut(t *testing.T) {
	panel := &JudgePanel{First: forgetful{"a", "1"}, Second: forgetful{"b", "2"}, Mode: JudgeModeLLM}
	b := newBench(t, func(d *Deps) { d.Judges = panel })
	b.id(groundTruthName, args{"query": "When?"})
	out := judged(b, args{"docs": documents(3)})
	if out["status"] != "partial" || out["evaluated_documents"] != 1.0 || out["judge1_score"] != 1.0 || out["kappa"] != 1.0 || len(out["failures"].([]any)) != 2 {
		t.Errorf("result is %v", out)
	}
	long := judged(b, args{"docs": []args{{"id": 1, "content": strings.Repeat("long ", 5000)}}})
	if note, _ := long["note"].(string); !strings.Contains(note, "judged by their beginning alone") || strings.Contains(fmt.Sprint(out["note"]), "beginning") {
		t.Errorf("notes are %q and %q", note, out["note"])
	}
	one := judged(b, args{"docs": documents(2)})
	if one["status"] != "partial" || one["kappa"] != nil || one["agreement"] != nil || one["evaluated_documents"] != 0.0 {
		t.Errorf("result is %v", one)
	}
	panel.First, panel.Second = forgetful{"a", "document"}, forgetful{"b", "document"}
	b.refuse(judgeName, args{"query_id": 1, "query": "When?", "docs": documents(2)}, failed, "no document could be judged, so nothing was stored: a: the service answered HTTP 500")
}

func TestJudgesThatAreNotConfiguredAreReportedWhenAskedFor(t *testing.T) {
	var d Deps
	if err := d.ConfigureFidelityAndJudges(func(name string) string { return map[string]string{"TOOLKIT_JUDGES": "llm"}[name] }); err != nil {
		t.Fatal(err)
	}
	b := newBench(t, func(e *Deps) { e.Judges, e.JudgesError = d.Judges, d.JudgesError })
	b.id(groundTruthName, args{"query": "When?"})
	b.refuse(judgeName, args{"query_id": 1, "query": "When?", "docs": documents(1)}, keyAbsent, "set OPENAI_API_KEY (or TOOLKIT_JUDGE1_URL) and ANTHROPIC_API_KEY")
	judged(b, args{"docs": documents(1), "judge1_scores": []any{1}, "judge2_scores": []any{1}})
	d = Deps{}
	if err := d.ConfigureFidelityAndJudges(func(name string) string { return map[string]string{"TOOLKIT_JUDGES": "dice"}[name] }); err != nil {
		t.Fatal(err)
	}
	b = newBench(t, func(e *Deps) { e.Judges, e.JudgesError = d.Judges, d.JudgesError })
	b.id(groundTruthName, args{"query": "When?"})
	b.refuse(judgeName, args{"query_id": 1, "query": "When?", "docs": documents(1)}, failed, "not one of offline, llm")
}

func TestJudgeRefusals(t *testing.T) {
	b := newBench(t)
	b.id(groundTruthName, args{"query": "When?"})
	tests := map[string]struct {
		change        args
		kind, details string
	}{
		"an unknown query":                 {args{"query_id": 9}, unknown, "ground truth query 9 does not exist"},
		"a blank query":                    {args{"query": " "}, invalid, "query must not be blank"},
		"a blank document":                 {args{"docs": []args{{"id": 1, "content": " "}}}, invalid, "docs[0].content must not be blank"},
		"a document twice":                 {args{"docs": []args{{"id": 1, "content": "x"}, {"id": 1, "content": "y"}}}, invalid, "docs[1].id repeats docs[0].id"},
		"scores of one judge only":         {args{"judge1_scores": []any{1, 1}}, invalid, "judge2_scores is missing"},
		"scores of the second judge only":  {args{"judge2_scores": []any{1, 1}}, invalid, "judge1_scores is missing"},
		"fewer scores than documents":      {args{"judge1_scores": []any{1}, "judge2_scores": []any{1, 1}}, invalid, "judge1_scores has 1 scores for 2 docs"},
		"nothing but missing scores":       {args{"judge1_scores": []any{nil, nil}, "judge2_scores": []any{nil, nil}}, failed, "all scores are null"},
		"an unknown query comes before it": {args{"query_id": 9, "judge1_scores": []any{nil, nil}, "judge2_scores": []any{nil, nil}}, unknown, "does not exist"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			in := args{"query_id": 1, "query": "When?", "docs": documents(2)}
			for k, v := range tc.change {
				in[k] = v
			}
			b.refuse(judgeName, in, tc.kind, tc.details)
		})
	}
}
