package graph

import (
	"strings"
	"testing"
)

func TestSearchUsesContentWordsOfQuery(t *testing.T) {
	for name, tc := range map[string]struct{ query, want string }{
		"an English question":             {"Who is it that maintains the billing-service?", "maintains billing service"},
		"pieces of contractions":          {"what doesn't Anna's team own", "anna team"},
		"a German question":               {"Welche Dienste werden von der Abrechnung für uns gebraucht?", "dienste abrechnung gebraucht"},
		"a German word in English":        {"war and peace", "war peace"},
		"grammar alone is looked for too": {"what is it", "what is it"},
	} {
		var words []string
		for _, w := range contentWords(tc.query) {
			words = append(words, w[0])
		}
		if got := strings.Join(words, " "); got != tc.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}
