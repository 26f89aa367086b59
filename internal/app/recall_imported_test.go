package app

import (
	"slices"
	"strings"
	"testing"

	"toolkit/internal/transfer"
	"toolkit/tools/recall"
)

func TestWhatWasImportedHasNoDayOfItsOwn(t *testing.T) {
	a := heard(t, [][4]string{{"/srv/miete", "2026-03-05", "user", "Priya is back from her parental leave and signs the invoices again."}})
	file, err := transfer.ReadExchange(strings.NewReader(`{"type":"entity","name":"Priya","entityType":"person","observations":["On parental leave until March 2027"]}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := transfer.ImportExchange(t.Context(), a.Store, file, transfer.ExchangeOptions{}); err != nil {
		t.Fatal(err)
	}
	day := a.Store.Now().Local().Format("2006-01-02")
	const prompt = "is Priya on parental leave?"
	if got := forPrompt(t, a, recall.PromptRequest{Prompt: prompt}).Text; !strings.Contains(got, "\nimported "+day+": “Priya") || !strings.Contains(got, "\n2026-03-05: “Priya is back") {
		t.Errorf("beside the prompt stands\n%s", got)
	}
	out, text := recallOf(t, a, map[string]any{"query": prompt})
	for _, hit := range out.Found {
		if isImported := strings.Contains(hit.Note, "imported then"); isImported != (hit.Kind == "entity") {
			t.Errorf("%s %s: the note is %q", hit.Kind, hit.ID, hit.Note)
		}
	}
	if !strings.Contains(text, "2027") {
		t.Errorf("recall finds\n%s", text)
	}
	callTool(t, a, "add_observations", map[string]any{"observations": []map[string]any{{"entityName": "Priya", "contents": []string{"Back in the office on parental leave days"}}}})
	if got := forPrompt(t, a, recall.PromptRequest{Prompt: prompt}).Text; strings.Contains(got, "imported") {
		t.Errorf("a change of today has its day: \n%s", got)
	}
}

func TestWhatWasSaidOnTheDaysAskedForComesBeforeWhatHasNoDay(t *testing.T) {
	a := newApp(t)
	now := a.Store.Now()
	hear(t, a, [][4]string{
		{"/srv/miete", now.AddDate(0, 0, -7).Format("2006-01-02"), "user", "We decided: the invoices go out by PDF only."},
		{"/srv/miete", now.AddDate(0, -3, 0).Format("2006-01-02"), "user", "We decided: the logo is blue."},
	})
	file, err := transfer.ReadExchange(strings.NewReader(`{"type":"entity","name":"Weekly review","entityType":"decision","observations":["Decisions from the last week of the sprint go to the board"]}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := transfer.ImportExchange(t.Context(), a.Store, file, transfer.ExchangeOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, question := range []string{"show decisions from last week", "what did we decide last week?", "decisions of last week"} {
		out, text := recallOf(t, a, map[string]any{"query": question})
		if len(out.Found) == 0 || !strings.Contains(out.Found[0].Text, "PDF") {
			t.Errorf("%q finds first\n%s", question, text)
		}
		for _, hit := range out.Found {
			if hit.Kind == "entity" && slices.Contains(hit.Matched, "week") {
				t.Errorf("%q: words of the day match as words: %+v", question, hit)
			}
		}
	}
}
