package search

import (
	"testing"

	"toolkit/internal/language"
)

func answeredBy(question, text string) float64 {
	statistics := Statistics{Rows: 100, Words: 500, Body: map[string]int{}}
	for _, term := range language.Terms(text) {
		statistics.Body[term] = 3
	}
	s := NewScorer(AnalyseQuery(question), statistics)
	return s.RelevanceForQuestion(alone(s.CountEvidence(language.Terms(text), nil)), "")
}

func TestOtherIdentifierLowersRelevance(t *testing.T) {
	for question, text := range map[string]string{
		"E0278": "error E0277 on the bound", "LH4712": "flight LH4711 leaves at nine", "when does flight LH4719 leave?": "flight LH4711 leaves at nine",
		"JIRA-1235": "JIRA-1234 is blocked", "room B301": "room B201 is free", "node7": "node8 restarted", "ACME43": "ACME42 shipped",
		"Python310": "we use Python39 here", "port8081": "port8080 is open", "v2.4.2": "version v2.4.1 is out", "192.168.0.12": "the host is 192.168.0.1",
	} {
		if got := answeredBy(question, text); got >= PoorMatch {
			t.Errorf("%q answers %v of %q", text, got, question)
		}
	}
	for question, text := range map[string]string{
		"E0277": "error E0277 on the bound", "JIRA-1234": "JIRA-1234 is blocked", "v2.4.1": "version v2.4.1 is out", "terrafrom": "Anna likes terraform",
		"GPT-4": "we ask GPT 4", "migration": "eine datenbankmigration2", "room B201": "room B201 is free",
	} {
		if got := answeredBy(question, text); got < PoorMatch {
			t.Errorf("%q answers only %v of %q", text, got, question)
		}
	}
	if got := TermSimilarity("1235", "1234"); got != 0 {
		t.Errorf("other numbers are %v alike", got)
	}
}

// The parts of a number stand in their order; what only its zeros tell apart is the same.
func TestNumbersMatchOnlyAsWhole(t *testing.T) {
	for question, text := range map[string]string{
		"what changed in 4.2": "Released 2.4.0", "rust 65.1": "rust 1.65", "python 3.11": "python v2.11.3", "changes of 0.1.0": "changes of 1.0.0",
		"49.90": "the bill is 49.09", "2.10": "version 2.1 is out", "is 17.0 supported": "ring 0.17",
		"v4.2": "version 2.4", "1,000": "we sold 1 of 2,000", "$4.50": "it costs 4.05", "3.1": "python 3.10",
	} {
		if got := answeredBy(question, text); got >= PoorMatch {
			t.Errorf("%q answers %v of %q", text, got, question)
		}
	}
	for question, text := range map[string]string{
		"49.90": `{"total":49.9}`, "49,90": "the bill is 49.90", "49.9": "the bill is 49.90", "the bill of 50.00": `bill {"total":50}`,
		"what changed in 4.2": "Changed in 4.2.1", "v4.2": "4.2 is out", "1,000": "we have 1000 seats", "1000": "we have 1,000 seats", "port 8080": "ports 8080 8081", "1.000": "1000 Plätze",
		"12000000": "sold for 12,000,000", "$4.50": `{"price":4.5}`, "2.10": "version 2.10 is out", "10.30": "the train leaves at 10:30",
	} {
		if got := answeredBy(question, text); got < PoorMatch {
			t.Errorf("%q answers only %v of %q", text, got, question)
		}
	}
}
