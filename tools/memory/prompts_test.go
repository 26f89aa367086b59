package memory

import (
	"fmt"
	"strings"
	"testing"

	"toolkit/store"
	"toolkit/store/nodes"
)

func (b *bench) prompt(name string, arguments map[string]string) string {
	b.T.Helper()
	for _, p := range b.family.Prompts {
		if p.Name == name {
			text, err := p.Render(b.T.Context(), arguments)
			if err != nil {
				b.T.Fatal(err)
			}
			return text
		}
	}
	b.T.Fatalf("there is no prompt %s", name)
	return ""
}

func TestLessonsAreTheBestAndTheWorstOfSimilarEpisodes(t *testing.T) {
	b := newBench(t)
	if text := b.prompt("recall-lessons", map[string]string{"task": "brew green tea"}); !strings.Contains(text, "No similar episode is remembered") {
		t.Errorf("without episodes: %s", text)
	}
	for i, reward := range []float64{0.1, 0.9, -0.9, 0.5, 0, 0.7, -0.1, -0.5} {
		b.Call(episodeName, args{"query": "green tea", "reward": reward, "reflection": fmt.Sprint("lesson", i)})
	}
	b.Call(episodeName, args{"query": "violin", "reward": 1, "reflection": "unrelated"})
	text := b.prompt("recall-lessons", map[string]string{"task": "brew green tea"})
	at := 0
	for _, part := range []string{"brew green tea", "went well", "+0.9", "lesson1", "lesson5", "lesson3", "went wrong", "-0.9", "lesson2", "lesson7", "lesson6"} {
		i := strings.Index(text[at:], part)
		if i < 0 {
			t.Fatalf("%q does not follow in:\n%s", part, text)
		}
		at += i
	}
	for _, absent := range []string{"lesson0", "lesson4", "unrelated"} {
		if strings.Contains(text, absent) {
			t.Errorf("%s is in:\n%s", absent, text)
		}
	}
}

func TestTheBriefingHoldsWhatIsInHand(t *testing.T) {
	b := newBench(t)
	if text := b.prompt("session-briefing", nil); !strings.Contains(text, "nothing is remembered yet") {
		t.Errorf("of nothing: %s", text)
	}
	b.add("Refactoring payments", 0.7)
	b.insight("Release planned Monday")
	b.insight("Wrong insight")
	b.Call(deleteName, args{"id": 2, "reason": "wrong"})
	if err := b.Store.Write(t.Context(), func(tx *store.Tx) error {
		chart, err := nodes.In(tx).InsertChart(nodes.NewChart{ID: "chart_1", Outcome: "Create a podcast", Facts: []string{"Have a desk"}, DueDate: "2026-06-01T00:00:00Z"})
		if err == nil {
			_, err = nodes.In(tx).InsertStep(chart, "Pilot recorded", "2026-03-01T00:00:00Z")
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	text := b.prompt("session-briefing", nil)
	for _, part := range []string{"2026-01-15T12:00:00Z", "Refactoring payments (importance 0.7)", "[1, 2026-01-15] Release planned Monday", "Create a podcast (chart_1)", "0 of 1 steps complete; next: Pilot recorded"} {
		if !strings.Contains(text, part) {
			t.Errorf("%q is missing in:\n%s", part, text)
		}
	}
	if strings.Contains(text, "Wrong insight") {
		t.Errorf("a deleted insight is in:\n%s", text)
	}
}
