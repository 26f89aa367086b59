package search

import "testing"

func TestContentWordsLeavesOutWhatAsksAndGrammar(t *testing.T) {
	for name, tc := range map[string]struct{ text, want string }{
		"an English question":          {"Who is it that maintains the billing-service?", "maintains billing-service?"},
		"pieces of contractions":       {"what doesn't Anna's team own", "' Anna' team"},
		"a German question":            {"Welche Dienste werden von der Abrechnung für uns gebraucht?", "Dienste Abrechnung gebraucht?"},
		"a German word in English":     {"war and peace", "war peace"},
		"grammar alone stays as it is": {"what is it", "what is it"},
	} {
		if got := ContentWords(tc.text); got != tc.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}
