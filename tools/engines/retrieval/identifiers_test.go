package retrieval

import (
	"testing"

	"toolkit/internal/language"
)

func answeredBy(question, text string) float64 {
	statistics := Statistics{Rows: 100, Words: 500, Body: map[string]int{}}
	for _, term := range language.Terms(text) {
		statistics.Body[term] = 3
	}
	s := NewScorer(Analyse(question), statistics)
	return s.Answers(alone(s.Evidence(language.Terms(text), nil)), "")
}

func TestAnotherIdentifierIsNoAnswer(t *testing.T) {
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
	if got := Likeness("1235", "1234"); got != 0 {
		t.Errorf("other numbers are %v alike", got)
	}
}
