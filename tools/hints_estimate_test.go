package tools

import "testing"

func TestConfidenceAndImpactFollowFromFacts(t *testing.T) {
	read := sampleTool(nil)
	write := sampleTool(func(t *Tool[sampleIn, sampleOut]) { t.Name, t.Category, t.Destructive = "write", Mutation, true })
	find := func(name string) *Definition { return map[string]*Definition{"do-sample": read, "write": write}[name] }
	all, none := map[string]any{"name": "ann", "date": "2026"}, map[string]any(nil)
	for name, tc := range map[string]struct {
		hints              *Hints
		confidence         float64
		benefit, work, roi float64
	}{
		"nothing to follow gains nothing":               {NewHints(WriteEvidence()), 1, 0, 0.05, 0},
		"an urgent call whose arguments are known":      {NewHints(WriteEvidence()).SuggestCall("do_sample", PriorityHigh, all, ""), 1, 0.6, 0.1, 6},
		"a possible call":                               {NewHints(WriteEvidence()).SuggestCall("do_sample", PriorityLow, all, ""), 1, 0.1, 0.1, 1},
		"a call that changes something":                 {NewHints(WriteEvidence()).SuggestCall("write", PriorityHigh, all, ""), 1, 0.6, 0.3, 2},
		"a call whose two arguments nobody knows":       {NewHints(WriteEvidence()).SuggestCall("write", PriorityHigh, none, ""), 0.33, 0.4, 0.5, 0.8},
		"the same call again, corrected":                {NewHints(WriteEvidence()).SuggestCall("do_sample", PriorityHigh, none, ""), 1, 0.6, 0.1, 6},
		"two urgent calls gain less than twice":         {NewHints(WriteEvidence()).SuggestCall("do_sample", PriorityHigh, all, "").SuggestCall("do_sample", PriorityHigh, all, ""), 1, 0.84, 0.15, 5.6},
		"two of six results":                            {NewHints(NewSearchEvidence(2).WithTotal(6)), 0.17, 0, 0.05, 0},
		"a search without a result":                     {NewHints(NewSearchEvidence(0)).SuggestCall("do_sample", PriorityHigh, all, ""), 0, 0.3, 0.1, 3},
		"an assumption":                                 {NewHints(NewReadEvidence(1)).Assumes("x"), 0.5, 0, 0.05, 0},
		"something that is needed":                      {NewHints(NewReadEvidence(1)).Needs("x"), 0.5, 0, 0.15, 0},
		"a doubt about the data":                        {NewHints(WriteEvidence()).AddRisk("accuracy", PriorityHigh, "x", 0.5, 0.5, ""), 0.5, 0, 0.05, 0},
		"a warning that facts collide":                  {NewHints(NewReadEvidence(1)).Warn("conflict", PriorityHigh, "x", "y"), 0.5, 0.45, 0.05, 9},
		"a warning that says nothing against the facts": {NewHints(NewReadEvidence(1)).Warn("deprecation", PriorityMedium, "x", "y"), 1, 0.3, 0.05, 6},
	} {
		tc.hints.estimateConfidenceAndImpact(read, find)
		if want := (Impact{Benefit: tc.benefit, Effort: tc.work, ROI: tc.roi}); tc.hints.Confidence != tc.confidence || tc.hints.EstimatedImpact.ROI != want.ROI || tc.hints.EstimatedImpact.Benefit != want.Benefit || tc.hints.EstimatedImpact.Effort != want.Effort {
			t.Errorf("%s: confidence %v, %+v; want %v, %+v", name, tc.hints.Confidence, tc.hints.EstimatedImpact, tc.confidence, want)
		}
	}
}

func TestHandlerHintsAreRecalculated(t *testing.T) {
	r := callSample(t, pipelineOf(t, nil, sampleTool(nil)), `{"name":"ann","date":"2026","action":"invented numbers"}`)
	if r.IsError || r.Hints.Confidence != 1 || r.Hints.EstimatedImpact.Benefit != 0.1 {
		t.Errorf("got confidence %v and %+v", r.Hints.Confidence, r.Hints.EstimatedImpact)
	}
}

func TestHintsBeyondBudgetAreDropped(t *testing.T) {
	long := "a description of sixty bytes, long enough to count for much."
	step := map[string]any{"name": "ann"}
	for name, tc := range map[string]struct {
		hints *Hints
		want  string // actions and resources
	}{
		"within the budget all stay": {NewHints(WriteEvidence()).SuggestCall("do_sample", PriorityLow, nil, "x").AddRelatedResource("a", "b", "c", 1),
			`[{"action":"do-sample","priority":"low","description":"x"}][{"type":"a","id":"b","label":"c","relevance":1}]`},
		"what the result names is not related again": {NewHints(WriteEvidence()).AddRelatedResource("a", "ann", "Ann", 1).AddRelatedResource("a", "7", "seven", 1).AddRelatedResource("a", "77", "other", 1),
			`[][{"type":"a","id":"77","label":"other","relevance":1}]`},
		"the best of a search says how well it fits": {NewHints(NewSearchEvidence(2)).AddRelatedResource("a", "ann", "Ann", 0.4).AddRelatedResource("a", "7", "seven", 0.1),
			`[][{"type":"a","id":"ann","label":"Ann","relevance":0.4}]`},
		"the merely possible goes first, then others but the first": {NewHints(WriteEvidence()).SuggestCall("a", PriorityHigh, step, long).SuggestCall("b", PriorityMedium, step, long).SuggestCall("c", PriorityLow, step, long),
			`[{"action":"a","priority":"high","data":{"name":"ann"},"description":"` + long + `"}][]`},
		"the first ordinary one keeps its arguments": {NewHints(WriteEvidence()).SuggestCall("b", PriorityMedium, step, long+long).SuggestCall("c", PriorityMedium, step, long),
			`[{"action":"b","priority":"medium","data":{"name":"ann"}}][]`},
		"what is urgent always stays": {NewHints(WriteEvidence()).SuggestCall("a", PriorityHigh, nil, long).SuggestCall("b", PriorityCritical, nil, long),
			`[{"action":"a","priority":"high","description":"` + long + `"},{"action":"b","priority":"critical","description":"` + long + `"}][]`},
	} {
		before := string(mustEncodeJSON(tc.hints))
		h := *tc.hints
		h.trimToBudget([]byte(`{"id":"ann","n":7}`))
		if got := string(mustEncodeJSON(h.SuggestedNextActions)) + string(mustEncodeJSON(h.RelatedResources)); got != tc.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, tc.want)
		}
		if string(mustEncodeJSON(tc.hints)) != before {
			t.Errorf("%s: the handler's own hints were changed", name)
		}
	}
}
