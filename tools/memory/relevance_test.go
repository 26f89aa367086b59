package memory

import (
	"slices"
	"strings"
	"testing"

	"toolkit/internal/search"
	"toolkit/internal/testenv"
	"toolkit/internal/toolstest"
	"toolkit/store/memory"
)

// questionSet are notes by store, and questions that they answer, nearly answer
// (the same subject, another fact) or have nothing to do with.
type questionSet struct {
	Stores    map[string][]string `json:"stores"`
	Questions []struct {
		Store string `json:"store"`
		Kind  string `json:"kind"` // answered, near or unrelated
		Ask   string `json:"ask"`
	} `json:"questions"`
}

func readQuestions(t *testing.T) questionSet {
	t.Helper()
	raw := testenv.Read(t, "testdata/relevance.json")
	var set questionSet
	toolstest.Decode(t, raw, &set)
	return set
}

// separation is how often a drawn value of high exceeds one of low, ties half.
func separation(high, low []float64) float64 {
	won := 0.0
	for _, h := range high {
		for _, l := range low {
			switch {
			case h > l:
				won++
			case h == l:
				won += 0.5
			}
		}
	}
	return won / float64(len(high)*len(low))
}

func below(list []float64, floor float64) float64 {
	n := 0
	for _, x := range list {
		if x < floor {
			n++
		}
	}
	return float64(n) / float64(len(list))
}

// Every third question was set aside while relevance was written; nothing was
// changed after it was looked at.
func TestRelevanceTellsAnswersFromWhatOnlySharesAWord(t *testing.T) {
	set := readQuestions(t)
	benches := map[string]*bench{}
	for name, notes := range set.Stores {
		benches[name] = newBench(t)
		for _, note := range notes {
			benches[name].insights(1, note)
		}
	}
	parts := []map[string][]float64{{}, {}}
	for i, q := range set.Questions {
		found := benches[q.Store].look(q.Ask)
		part := parts[0]
		if i%3 == 2 {
			part = parts[1]
		}
		part[q.Kind] = append(part[q.Kind], found.bestHit().Relevance)
	}
	for i, name := range []string{"looked at", "set aside"} {
		answered, near, unrelated := parts[i]["answered"], parts[i]["near"], parts[i]["unrelated"]
		missed, passed, nearly := below(answered, search.PoorMatch), 1-below(unrelated, search.PoorMatch), below(near, search.PoorMatch)
		over, overNear := separation(answered, unrelated), separation(answered, near)
		t.Logf("%s: %d answered, %.2f taken for none; %d unrelated, %.2f taken for an answer; %d near, %.2f warned about; separation %.3f and %.3f",
			name, len(answered), missed, len(unrelated), passed, len(near), nearly, over, overNear)
		if missed > 0.15 || passed > 0.1 || nearly < 0.4 || over < 0.95 || overNear < 0.85 {
			t.Errorf("%s: relevance does not tell answers from other texts", name)
		}
	}
}

func TestAWordOfEverydayTalkIsNoAnswer(t *testing.T) {
	b := newBench(t)
	for _, note := range []string{
		"We use Terraform for the servers", "Anna wants a quiet office", "The printer needs toner", "Lunch should be at noon",
		"The bakery makes rye bread on Fridays", "Take the stairs when the lift is broken", "The lease ends in 2027",
		"The bus does not stop at the mill", "Der Aufzug ist nicht im Keller",
	} {
		b.insights(1, note)
	}
	tests := map[string]string{ // question to the words that it shares with a note
		"Which assertion library should I use in unit tests?": "use",
		"Who wants to climb Kilimanjaro?":                     "wants",
		"Does the aquarium need a filter?":                    "need",
		"What should I make of string theory?":                "make",
		"Do I have to take vitamin D?":                        "take",
		"Why not badminton?":                                  "not",
		"Warum nicht Federball?":                              "nicht",
	}
	for question, shared := range tests {
		r := b.CallAccepted(hybridName, args{"query_text": question})
		var out struct {
			Results []struct {
				Relevance float64
				Matched   []string `json:"matched_terms"`
			}
			Relevance   float64
			NothingFits bool `json:"nothing_fits"`
		}
		toolstest.Decode(t, r.Data, &out)
		if len(out.Results) == 0 || !slices.Contains(out.Results[0].Matched, shared) {
			t.Errorf("%q does not show what shares %q: %s", question, shared, r.Data)
		}
		if out.Relevance > 0.3 || !out.NothingFits || r.Hints.Confidence > out.Relevance {
			t.Errorf("%q: relevance %v, nothing fits %v, confidence %v", question, out.Relevance, out.NothingFits, r.Hints.Confidence)
		}
		if len(r.Hints.Warnings) != 1 || !strings.Contains(r.Hints.Warnings[0].Message, "nothing fits the question well") {
			t.Errorf("%q warns %v", question, r.Hints.Warnings)
		}
	}
}

func TestConfidenceFollowsRelevance(t *testing.T) {
	b := newBench(t)
	b.insights(1, "Zoltan plays the oboe in Debrecen")
	b.insights(1, "The ferry leaves at seven")
	tests := map[string]struct {
		least, most float64 // confidence
		says        string
	}{
		"Where is Zoltan?":                 {0.5, 0.5, "answers about 100 % of the question by 1 of its words; the fewer words"},
		"Zoltan's oboe":                    {0.6, 0.6, "answers about 100 % of the question by 2 of its words; the fewer words"},
		"Does Zoltan play the oboe?":       {0.6, 0.8, "by 3 of its words"},
		"Who tunes the oboe in Helsinki?":  {0.01, 0.49, "by 1 of its words"},
		"How heavy is a Rhodesian pigeon?": {0, 0, ""},
	}
	for question, tc := range tests {
		h := b.CallAccepted(hybridName, args{"query_text": question}).Hints
		if h.Confidence < tc.least || h.Confidence > tc.most || !strings.Contains(h.Reasoning, tc.says) {
			t.Errorf("%q: confidence %v, want %v to %v; %q", question, h.Confidence, tc.least, tc.most, h.Reasoning)
		}
	}
}

func TestSharedWordFormIsRelevant(t *testing.T) {
	b := newBench(t)
	tests := map[string]string{ // question to the text that answers it
		"Where does Lena live?":            "Lena is a nurse and lives in Gothenburg",
		"When does the ferry leave?":       "The ferry leaves at seven",
		"Who halved the subscription fee?": "The subscription fee halves in autumn",
		"Which roses did Omar plant?":      "Omar wants to plant a rose, a white one",
		"When are the flu shots?":          "Dad had a flu shot on Tuesday",
	}
	for _, text := range tests {
		b.insights(1, text)
		b.say("s1", "Anna", text)
	}
	for question, text := range tests {
		for _, source := range []memory.Source{memory.SourceInsight, memory.SourceDialogue} {
			found := b.look(question, in(source))
			if best := found.bestHit(); best.Row.Content != text || best.Relevance < search.PoorMatch || found.explainPoorMatch() != "" {
				t.Errorf("%q among %s: %q at %.2f; %s", question, source, best.Row.Content, best.Relevance, found.explainPoorMatch())
			}
		}
	}
}
