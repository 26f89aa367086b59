package recall

import (
	"strings"
	"testing"
	"time"

	"toolkit/internal/search"
	"toolkit/tools"
)

// Two facts of an entity never become one sentence, and what is left out leaves a sign.
func TestAFactOfAnEntityIsToldWhole(t *testing.T) {
	facts := []string{
		"Angebot von Fa. Hölzl: 28.400 Euro", "Förderung bei der KfW beantragt am 2025-09-14", "Heizlast 9 kW", "Einbau verschoben auf Juni 2026",
		"KfW hat am 20.11. 13.400 Euro zugesagt", "Elektriker Hr. Sauter macht den Anschluss", "Fundament muss 80x120 cm sein", "Nachbarin Frau Wolf hat wegen Lärm gefragt",
	}
	head := "Projekt Wärmepumpe (project): "
	q := tools.NewQuestion("was hat die wärmepumpe nochmal gekostet, das angebot von hölzl", "", nil, time.Now())
	q.Scorer = search.NewScorer(q.Query, search.Statistics{})
	text := shortenFacts(q, head+strings.Join(facts, "; "), facts, 120)
	rest, found := strings.CutPrefix(text, head)
	if !found || !strings.HasPrefix(rest, facts[0]) || !strings.HasSuffix(rest, "; …") || len(text) > 130 {
		t.Errorf("%q", text)
	}
	for _, fact := range strings.Split(rest, "; ") {
		if fact != moreFacts && !strings.Contains("; "+strings.Join(facts, "; ")+"; ", "; "+fact+"; ") {
			t.Errorf("%q is no fact", fact)
		}
	}
	if all := head + strings.Join(facts[:2], "; "); shortenFacts(q, all, facts[:2], 240) != all {
		t.Error("what is short is told as it is")
	}
	long := strings.Repeat("the shed needs paint and ", 30) + "hölzl"
	if got := shortenFacts(q, head+long, []string{long}, 120); len(got) > 200 || !strings.Contains(got, "hölzl") || !strings.Contains(got, "…") {
		t.Errorf("of one long fact: %q", got)
	}
}
