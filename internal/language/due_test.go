package language

import (
	"testing"
	"time"
)

func TestQuestionsForWhatIsDue(t *testing.T) {
	now := time.Date(2026, 11, 29, 15, 0, 0, 0, time.UTC) // a Sunday
	for question, c := range map[string]struct{ holds, lacks string }{
		"What is overdue?":                                {"2026-11-28", "2026-11-29"},
		"what is past due":                                {"2026-05-01", "2026-11-30"},
		"Which invoices are overdue?":                     {"2026-11-28", "2026-11-29"},
		"Was ist überfällig?":                             {"2026-11-28", "2026-11-29"},
		"Qu'est-ce qui est en retard ?":                   {"2026-11-28", "2026-11-29"},
		"¿Qué facturas están vencidas?":                   {"2026-11-28", "2026-11-29"},
		"Quali fatture sono scadute?":                     {"2026-11-28", "2026-11-29"},
		"Welke facturen zijn achterstallig?":              {"2026-11-28", "2026-11-29"},
		"Quais faturas estão vencidas?":                   {"2026-11-28", "2026-11-29"},
		"What is due in March?":                           {"2027-03-31", "2027-04-01"},
		"what's due in March 2026?":                       {"2026-03-01", "2027-03-01"},
		"What is due this week?":                          {"2026-11-29", "2026-11-30"},
		"what is due next week":                           {"2026-11-30", "2026-12-07"},
		"What do we have to pay next week?":               {"2026-12-06", "2026-11-29"},
		"Was ist im März fällig?":                         {"2027-03-31", "2027-04-01"},
		"Was ist nächste Woche fällig?":                   {"2026-11-30", "2026-12-07"},
		"Welche Rechnungen sind im Dezember zu zahlen?":   {"2026-12-31", "2027-01-01"},
		"Quelles factures arrivent à échéance en mars ?":  {"2027-03-31", "2027-04-01"},
		"¿Qué vence en marzo?":                            {"2027-03-31", "2027-04-01"},
		"¿Qué facturas vencen la próxima semana?":         {"2026-11-30", "2026-12-07"},
		"Cosa scade a marzo?":                             {"2027-03-31", "2027-04-01"},
		"Quali fatture scadono la settimana prossima?":    {"2026-11-30", "2026-12-07"},
		"Che cosa scade oggi?":                            {"2026-11-29", "2026-11-30"},
		"Wat vervalt in maart?":                           {"2027-03-31", "2027-04-01"},
		"Welke facturen moeten we volgende week betalen?": {"2026-11-30", "2026-12-07"},
		"O que vence em março?":                           {"2027-03-31", "2027-04-01"},
		"Quais faturas vencem na próxima semana?":         {"2026-11-30", "2026-12-07"},
		"what is due by Friday?":                          {"2026-11-01", "2026-12-05"},
		"what is due?":                                    {"2026-12-13", "2026-12-14"},
		"deadlines":                                       {"2026-12-13", "2026-12-14"},
		"What next?":                                      {"2027-06-01", "2026-10-01"},
		"what's next?":                                    {"2027-06-01", "2026-10-01"},
		"Was steht als Nächstes an?":                      {"2027-06-01", "2026-10-01"},
		"Quelles sont les prochaines étapes ?":            {"2027-06-01", "2026-10-01"},
		"¿Y ahora qué?":                                   {"2027-06-01", "2026-10-01"},
		"E adesso?":                                       {"2027-06-01", "2026-10-01"},
		"What is coming up next week?":                    {"2026-11-30", "2026-12-07"},
		"Was steht diese Woche an?":                       {"2026-11-29", "2026-11-30"},
		"Wat nu?":                                         {"2027-06-01", "2026-10-01"},
		"O que vem a seguir?":                             {"2027-06-01", "2026-10-01"},
	} {
		d, ok := ParseDueQuestion(question, now)
		day := func(text string) time.Time {
			at, err := time.Parse(time.DateOnly, text)
			if err != nil {
				t.Fatal(err)
			}
			return at
		}
		if !ok || !d.AsksForDay(day(c.holds)) || d.AsksForDay(day(c.lacks)) {
			t.Errorf("%q: %v %+v; want %s and not %s", question, ok, d, c.holds, c.lacks)
		}
	}
}

func TestQuestionsForSomethingElseAreNoneForWhatIsDue(t *testing.T) {
	now := time.Date(2026, 11, 29, 15, 0, 0, 0, time.UTC)
	for _, question := range []string{
		"What was the outage due to?", "Which invoices of Acme are due in March?", "what do we know about due diligence", "What did we decide in March?", "which version of the library is due for an upgrade",
		"What is the next step of the algorithm?", "What comes next after the parser?", "the next.js version", "Was haben wir im März bezahlt und warum?", "who pays the rent", "When is the next release?", "unpaid invoices",
	} {
		if d, ok := ParseDueQuestion(question, now); ok {
			t.Errorf("%q is read as %+v", question, d)
		}
	}
}

// Asked on Tuesday, 1 December 2026.
func TestQuestionForAWeekdayAsksForWhatIsPlannedThen(t *testing.T) {
	asked := dayAt(t, "2026-12-01")
	for question, want := range map[string]string{
		"what do i do on friday": "2026-12-04", "what am I doing on Wednesday?": "2026-12-02", "what's on tuesday and wednesday?": "2026-12-01",
		"what's planned for Friday?": "2026-12-04", "what is due on Friday?": "2026-12-04",
		"was mache ich am Mittwoch": "2026-12-02", "qu'est ce que je fais mercredi ?": "2026-12-02", "je fais quoi lundi": "2026-12-07",
		"¿Qué hago el viernes?": "2026-12-04", "cosa faccio venerdì?": "2026-12-04", "wat doe ik op vrijdag?": "2026-12-04",
		"o que faço na sexta-feira?": "2026-12-04", "co robię w piątek?": "2026-12-04", "что я делаю в пятницу?": "2026-12-04",
		"cuma günü ne yapıyorum?": "2026-12-04", "ماذا أفعل يوم الجمعة؟": "2026-12-04", "我星期五做什么？": "2026-12-04",
		"星期五我做什麼？": "2026-12-04", "金曜日は何をする？": "2026-12-04", "금요일에 뭐 해?": "2026-12-04", "วันศุกร์ฉันทำอะไร": "2026-12-04",
		"what did I do on Friday?": "", "what do I do": "", "I work on Friday": "", "what do I do on Friday with the oven?": "",
	} {
		d, ok := ParseDueQuestion(question, asked)
		if want == "" && ok || want != "" && (!ok || !d.AsksForDay(dayAt(t, want)) || d.AsksForDay(dayAt(t, "2026-12-03"))) {
			t.Errorf("%q is read as %v %+v, want %q", question, ok, d, want)
		}
	}
}
