package app

import (
	"strings"
	"testing"
	"time"

	"toolkit/tools/recall"
)

// foundLines are the first lines of what recall finds, each with its note.
func foundLines(out recall.Output) (lines []string) {
	for _, h := range out.Found {
		first, _, _ := strings.Cut(h.Text, "\n")
		lines = append(lines, first+" ["+h.Note+"]")
	}
	return lines
}

func TestQuestionsForWhatIsDueAreAnsweredWithIt(t *testing.T) {
	a := newApp(t)
	now := a.Store.Now().Local()
	day := func(days int) string { return now.AddDate(0, 0, days).Format(time.DateOnly) }
	submit := func(number, due, customer string) {
		callTool(t, a, "submit_payload", map[string]any{"capability_id": "neotoma:store_invoice:v1",
			"body":       map[string]any{"invoice_number": number, "vendor_name": "Nordlicht GmbH", "customer_name": customer, "date": day(-40), "amount": 119, "currency": "EUR", "due_date": due},
			"provenance": map[string]any{"source_refs": []string{}, "extracted_at": "2026-03-02T00:00:00Z", "extractor_version": "test"}})
	}
	submit("NL-late", day(-3), "Otter Ltd")
	submit("NL-soon", day(3), "Otter Ltd")
	submit("NL-later", day(200), "Otter Ltd")
	callTool(t, a, "create_structural_tension_chart", map[string]any{"desiredOutcome": "An oak table stands in the hall", "currentReality": "Boards lie in the barn", "dueDate": day(60)})
	list := callTool(t, a, "list_active_charts", map[string]any{})
	chart := list["charts"].([]any)[0].(map[string]any)["chartId"]
	callTool(t, a, "add_action_step", map[string]any{"parentChartId": chart, "actionStepTitle": "The boards are planed", "currentReality": "They are rough", "dueDate": day(5)})
	const side = "whether the user pays it or is paid is not known; due "
	for _, c := range []struct {
		question string
		want     []string
		never    string
	}{
		{"What is overdue?", []string{"unpaid invoice, left to pay: 119 EUR, due on " + day(-3) + " [" + side + day(-3) + ", overdue]"}, "NL-soon"},
		{"Was ist überfällig?", []string{"unpaid invoice, left to pay: 119 EUR, due on " + day(-3)}, "NL-soon"},
		{"Quelles factures sont en retard ?", []string{"unpaid invoice, left to pay: 119 EUR, due on " + day(-3)}, "NL-soon"},
		{"What is due on " + day(5) + "?", []string{"The boards are planed [due " + day(5) + "]"}, "NL-"},
		{"What next?", []string{"due on " + day(-3), "due on " + day(3), "The boards are planed", "due on " + day(200)}, "Nothing"},
		{"Was steht als Nächstes an?", []string{"due on " + day(-3), "due on " + day(3), "The boards are planed"}, "Nothing"},
		{"Which invoices are due?", []string{"due on " + day(-3), "due on " + day(3)}, "NL-later"},
	} {
		out, text := recallOf(t, a, map[string]any{"query": c.question, "max_tokens": 2000})
		lines := foundLines(out)
		for i, want := range c.want {
			if i >= len(lines) || !strings.Contains(strings.Join(lines, "\n"), want) || out.NothingFits {
				t.Errorf("%q lacks %s: %s", c.question, want, text)
			}
		}
		if strings.Contains(text, c.never) {
			t.Errorf("%q has %s: %s", c.question, c.never, text)
		}
	}
	if out, text := recallOf(t, a, map[string]any{"query": "What is due on " + day(90) + "?"}); len(out.Found) > 0 || !out.NothingFits || out.Message != "Nothing that is remembered is due then. Say so." {
		t.Errorf("nothing due: %s", text)
	}
}

func TestWhoOwesAndWhatIsOwedAreTwoQuestions(t *testing.T) {
	a := newApp(t)
	callTool(t, a, "remember", map[string]any{"text": "Our company is Nordlicht GmbH."})
	submit := func(number, vendor, customer string) {
		callTool(t, a, "submit_payload", map[string]any{"capability_id": "neotoma:store_invoice:v1",
			"body":       map[string]any{"invoice_number": number, "vendor_name": vendor, "customer_name": customer, "date": "2026-03-01", "amount": 119, "currency": "EUR", "due_date": "2026-04-01"},
			"provenance": map[string]any{"source_refs": []string{}, "extracted_at": "2026-03-02T00:00:00Z", "extractor_version": "test"}})
	}
	submit("NL-7001", "Nordlicht GmbH", "Otter Ltd")
	submit("B-17", "Heat Ltd", "Nordlicht GmbH")
	const owes, pays = "unpaid invoice, Otter Ltd owes the user: 119 EUR, due on 2026-04-01", "unpaid invoice, left to pay: 119 EUR, due on 2026-04-01"
	for question, want := range map[string]string{
		"Who owes us money?": owes, "Wer schuldet uns Geld?": owes, "Qui nous doit de l'argent ?": owes, "¿Quién nos debe dinero?": owes, "Chi ci deve dei soldi?": owes, "Wie is ons geld verschuldigd?": owes, "Quem nos deve dinheiro?": owes,
		"What do I owe?": pays, "Who still has to pay us?": owes, "Which invoices do we have to pay?": pays, "Was schulden wir?": pays, "Que devons-nous payer ?": pays,
	} {
		out, text := recallOf(t, a, map[string]any{"query": question, "kinds": []string{"truth_entity"}})
		if len(out.Found) != 1 || !strings.HasPrefix(out.Found[0].Text, want) || strings.Contains(out.Found[0].Note, "not known") {
			t.Errorf("%q is answered with %s", question, text)
		}
	}
	callTool(t, a, "remember", map[string]any{"text": "Tobias owes me lunch since the bet."})
	if out, text := recallOf(t, a, map[string]any{"query": "Who owes me lunch?"}); len(out.Found) == 0 || !strings.Contains(out.Found[0].Text, "Tobias") {
		t.Errorf("another debt: %s", text)
	}
}

func TestQuestionForAWeekdayFindsThePlanThatNamesIt(t *testing.T) {
	a := newApp(t)
	now := a.Store.Now().Local()
	first, second := now.AddDate(0, 0, 2), now.AddDate(0, 0, 4)
	plan := "on " + first.Weekday().String() + " I do the books, on " + second.Weekday().String() + " payroll"
	callTool(t, a, "remember", map[string]any{"text": plan})
	for day, found := range map[time.Time]bool{first: true, second: true, now.AddDate(0, 0, 3): false} {
		question := "what do I do on " + day.Weekday().String() + "?"
		if out, text := recallOf(t, a, map[string]any{"query": question}); found != (len(out.Found) == 1 && strings.Contains(text, "due "+day.Format(time.DateOnly))) {
			t.Errorf("%s is answered %s", question, text)
		}
		if got := forPrompt(t, a, recall.PromptRequest{Prompt: question}); strings.Contains(got.Text, "payroll") != found {
			t.Errorf("%s is told %q", question, got.Text)
		}
	}
}
