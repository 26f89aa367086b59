package memory

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
)

func judgeEnvironment(pairs ...string) func(string) string {
	values := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		values[pairs[i]] = pairs[i+1]
	}
	return func(name string) string { return values[name] }
}

func TestThePanelFollowsTheEnvironment(t *testing.T) {
	tests := map[string]struct {
		env           []string
		mode          JudgeMode
		first, second string
		note          string
		err           string
	}{
		"nothing set":             {nil, JudgeModeOffline, lexicalCoverageName, ngramCosineName, "TOOLKIT_JUDGES=llm", ""},
		"keys of other programs":  {[]string{"OPENAI_API_KEY", "a", "ANTHROPIC_API_KEY", "b"}, JudgeModeOffline, lexicalCoverageName, ngramCosineName, "TOOLKIT_JUDGES=llm", ""},
		"auto with both keys":     {[]string{"OPENAI_API_KEY", "a", "ANTHROPIC_API_KEY", "b", "TOOLKIT_JUDGES", "auto"}, JudgeModeOffline, lexicalCoverageName, ngramCosineName, "TOOLKIT_JUDGES=llm", ""},
		"addresses and no choice": {[]string{"TOOLKIT_JUDGE1_URL", "http://localhost:1/v1", "TOOLKIT_JUDGE2_URL", "http://localhost:2"}, JudgeModeOffline, lexicalCoverageName, ngramCosineName, "TOOLKIT_JUDGES=llm", ""},
		"llm with both keys":      {[]string{"OPENAI_API_KEY", "a", "ANTHROPIC_API_KEY", "b", "TOOLKIT_JUDGES", "llm"}, JudgeModeLLM, "gpt-4o", "claude-haiku-4-5", "sent to api.openai.com (gpt-4o) and api.anthropic.com (claude-haiku-4-5)", ""},
		"a local service each":    {[]string{"TOOLKIT_JUDGES", "llm", "TOOLKIT_JUDGE1_URL", "http://localhost:1/v1", "TOOLKIT_JUDGE1_MODEL", "m1", "TOOLKIT_JUDGE2_URL", "http://localhost:2", "TOOLKIT_JUDGE2_MODEL", "m2"}, JudgeModeLLM, "m1", "m2", "sent to localhost:1 (m1) and localhost:2 (m2)", ""},
		"keys of their own":       {[]string{"TOOLKIT_JUDGES", "llm", "TOOLKIT_JUDGE1_KEY", "a", "TOOLKIT_JUDGE2_KEY", "b"}, JudgeModeLLM, "gpt-4o", "claude-haiku-4-5", "api.openai.com", ""},
		"the same model twice":    {[]string{"TOOLKIT_JUDGES", "llm", "OPENAI_API_KEY", "a", "TOOLKIT_JUDGE1_MODEL", "m", "ANTHROPIC_API_KEY", "b", "TOOLKIT_JUDGE2_MODEL", "m"}, JudgeModeLLM, "m", "m", "same model", ""},
		"offline in spite of all": {[]string{"OPENAI_API_KEY", "a", "ANTHROPIC_API_KEY", "b", "TOOLKIT_JUDGES", "offline"}, JudgeModeOffline, lexicalCoverageName, ngramCosineName, "kappa measures only", ""},
		"models without keys":     {[]string{"OPENAI_API_KEY", "a", "TOOLKIT_JUDGES", "llm"}, "", "", "", "", "set ANTHROPIC_API_KEY"},
		"an unknown choice":       {[]string{"TOOLKIT_JUDGES", "dice"}, "", "", "", "", "not one of offline, llm"},
		"an address of no use":    {[]string{"TOOLKIT_JUDGE2_URL", "localhost:80"}, "", "", "", "", "TOOLKIT_JUDGE2_URL"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			p, err := JudgesFromEnvironment(judgeEnvironment(tc.env...))
			if tc.err != "" {
				if err == nil || !strings.Contains(err.Error(), tc.err) {
					t.Errorf("error is %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if p.Mode != tc.mode || p.First.Model() != tc.first || p.Second.Model() != tc.second || !strings.Contains(p.Note, tc.note) || (tc.note == "") != (p.Note == "") {
				t.Errorf("panel is %s, %s, %s, %q", p.Mode, p.First.Model(), p.Second.Model(), p.Note)
			}
		})
	}
	if _, err := JudgesFromEnvironment(judgeEnvironment("TOOLKIT_JUDGES", "llm")); !errors.Is(err, ErrJudgeKeyMissing) {
		t.Errorf("error is %v", err)
	}
}

func TestOnlyASingleNumberIsAScore(t *testing.T) {
	accepted := map[string]float64{"0": 0, "1": 1, "0.0": 0, "1.00": 1, "0.75": 0.75, ".5": 0.5, "  0.3 \n": 0.3}
	for text, want := range accepted {
		if got, ok := parseJudgeScore(text); !ok || got != want {
			t.Errorf("%q is %v, %v", text, got, ok)
		}
	}
	for _, text := range []string{"", "1.1", "-0.1", "7", "0,7", "0.7.", "0.7/1", "score: 0.7", "NaN", "Inf", "1e-1", "0x1p-2", "٠", "00.5", "1.01", "0.5 0.6"} {
		if got, ok := parseJudgeScore(text); ok {
			t.Errorf("%q is taken for %v", text, got)
		}
	}
}

func TestOfflineHeuristicsGiveComputedValues(t *testing.T) {
	tests := map[string]struct {
		rate            func(query, document string) float64
		query, document string
		want            float64
	}{
		"all words are covered":                    {lexicalCoverage, "green tea", "Tea, which is green.", 1},
		"one of two words":                         {lexicalCoverage, "green coffee", "Green tea", 0.5},
		"short words do not count beside long":     {lexicalCoverage, "what is the tea ceremony", "ceremony", 0.5},
		"short words count when there are no long": {lexicalCoverage, "is it so", "it was so", 2.0 / 3},
		"nothing asked":                            {lexicalCoverage, "?", "tea", 0},
		"an empty document":                        {lexicalCoverage, "tea", "", 0},
		"the same text":                            {bestTrigramCosine, "green tea", "green tea", 1},
		"the same text as one sentence of many":    {bestTrigramCosine, "green tea", "Coffee is black. Green tea! Water is clear.", 1},
		"no trigram in common":                     {bestTrigramCosine, "tea", "xyz", 0},
		// " te","tea","ea " against " te","tee","ee ": one of three in common.
		"one of three trigrams in common": {bestTrigramCosine, "tea", "tee", 1.0 / 3},
		"nothing to compare":              {bestTrigramCosine, "", "", 0},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			if got := tc.rate(tc.query, tc.document); math.Abs(got-tc.want) > 1e-12 {
				t.Errorf("got %v, want %v", got, tc.want)
			}
		})
	}
}

// scriptedJudge is a judge whose answer is in the document.
type scriptedJudge struct{ name string }

func (s scriptedJudge) Model() string { return s.name }

func (s scriptedJudge) Rate(_ context.Context, _, document string) (float64, error) {
	switch {
	case strings.Contains(document, s.name+" fails"):
		return 0, errJudgeOutOfTime
	case strings.Contains(document, s.name+" panics"):
		panic(judgeSecret)
	}
	return 0.5, nil
}

func TestAFailedJudgementIsAbsent(t *testing.T) {
	p := JudgePanel{First: scriptedJudge{"a"}, Second: scriptedJudge{"b"}, Mode: JudgeModeLLM}
	documents := []string{"fine", "a fails", "b panics", "a fails b fails"}
	last := 0
	v := p.Evaluate(t.Context(), "q", documents, func(judged, all int) {
		if all != 8 || judged != last+1 {
			t.Errorf("progress says %d of %d after %d", judged, all, last)
		}
		last = judged
	})
	want := []string{"11", "01", "10", "00"}
	for i, s := range v.Scores {
		got := ""
		for _, one := range []*float64{s.First, s.Second} {
			if one == nil {
				got += "0"
			} else {
				got += "1"
			}
		}
		if got != want[i] {
			t.Errorf("document %d: judgements present are %s, want %s", i, got, want[i])
		}
	}
	if len(v.Failures) != 3 || strings.Contains(strings.Join(v.Failures, " "), judgeSecret) {
		t.Errorf("failures are %q", v.Failures)
	}
}
