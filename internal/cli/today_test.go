package cli

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"toolkit/internal/storetest"
	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/store/memory"
	"toolkit/store/records"
	"toolkit/store/sessions"
	"toolkit/tools/entities"
)

// On Tuesday, 20 October 2026, west of Greenwich, where the day of a date begins late.
var tuesday = time.Date(2026, 10, 20, 21, 0, 0, 0, time.FixedZone("west", -5*60*60))

func textOf(t *testing.T, write func(tx *store.Tx) error) string {
	t.Helper()
	db := storetest.Open(t, filepath.Join(t.TempDir(), "toolkit.db"))
	defer db.Close()
	storetest.Write(t, db, write)
	day, err := ReadDay(t.Context(), db, tuesday)
	if err != nil {
		t.Fatal(err)
	}
	day.Empty = false // rows that are written without a search index are not counted
	return day.FormatText(func(title string) string { return title })
}

func TestTodayListsPlansByTheirDueDay(t *testing.T) {
	const due, overdue = "Due within seven days\n", "Overdue\n"
	for name, tc := range map[string]struct{ metadata, head string }{
		"today":                        {`{"extracted":"promise","due":"2026-10-20"}`, due},
		"in a week":                    {`{"due":"2026-10-27"}`, due},
		"later":                        {`{"due":"2026-10-28"}`, ""},
		"yesterday":                    {`{"extracted":"promise","due":"2026-10-19"}`, overdue},
		"a month ago":                  {`{"due":"2026-09-20"}`, overdue},
		"longer ago":                   {`{"due":"2026-09-19"}`, ""},
		"on no day":                    {`{"extracted":"promise"}`, ""},
		"on a day that is none":        {`{"due":"2026-10-2x"}`, ""},
		"with metadata that are not":   {`due`, ""},
		"whose place another has":      {`{"due":"2026-10-21"}`, ""},
		"which was for one day, or so": {`{"due":20261021}`, ""},
	} {
		text := textOf(t, func(tx *store.Tx) error {
			i, err := memory.In(tx).InsertInsight(memory.NewInsight{Content: "I'll send Jonas the plan", Metadata: json.RawMessage(tc.metadata), At: tuesday.AddDate(0, -2, 0)})
			if err == nil && strings.HasPrefix(name, "whose") {
				_, err = memory.In(tx).SupersedeInsight(i, memory.NewInsight{Content: "I have sent it", Metadata: json.RawMessage(`{}`), At: tuesday.AddDate(0, -2, 0)}, "done")
			}
			return err
		})
		want := "Nothing is due, nothing is new since yesterday, and nothing waits.\n"
		if tc.head != "" {
			want = fmt.Sprintf("%sI'll send Jonas the plan\n  insight 1, due %s\n", tc.head, tc.metadata[len(tc.metadata)-len(`2026-10-20"}`):len(tc.metadata)-len(`"}`)])
		}
		if text != want {
			t.Errorf("%s:\n%s", name, text)
		}
	}
}

func TestPlanThatALaterOneMovesIsNotDueAnyMore(t *testing.T) {
	for name, tc := range map[string]struct{ later, due, want string }{
		"to a day of the week":  {"the workshop moved to October 26", "2026-10-26", "Due within seven days\nthe workshop moved to October 26\n  insight 2, due 2026-10-26; in place of insight 1, which was due 2026-10-22\n"},
		"to a later day":        {"the workshop moved to November 26", "2026-11-26", "Due within seven days\nthe workshop moved to November 26\n  insight 2, due 2026-11-26; in place of insight 1, which was due 2026-10-22\n"},
		"to no day":             {"the workshop moved to November", "", "Due within seven days\nthe workshop moved to November\n  insight 2; in place of insight 1, which was due 2026-10-22\n"},
		"to a day that is past": {"the workshop moved to October 19", "2026-10-19", "Nothing is due, nothing is new since yesterday, and nothing waits.\n"},
	} {
		text := textOf(t, func(tx *store.Tx) error {
			for i, plan := range []struct{ content, due string }{{"The workshop is on October 22", "2026-10-22"}, {tc.later, tc.due}} {
				metadata := json.RawMessage(`{}`)
				if plan.due != "" {
					metadata = json.RawMessage(fmt.Sprintf(`{"due":%q}`, plan.due))
				}
				n := memory.NewInsight{Content: plan.content, Metadata: metadata, At: tuesday.AddDate(0, 0, i-20)}
				if _, err := memory.In(tx).InsertInsight(n); err != nil {
					return err
				}
			}
			return nil
		})
		if text != tc.want {
			t.Errorf("%s: %s", name, text)
		}
	}
}

func TestPlanThatALaterOneMovesInItsOwnWordsIsNotDueAnyMore(t *testing.T) {
	for name, tc := range map[string]struct {
		earlier, later string
		replaced       bool
	}{
		"German":        {"emil hat am donnerstag um 15 uhr zahnarzt bei Dr. Okafor", "zahnarzt von emil verschoben auf freitag 10:30", true},
		"English":       {"emil has the dentist on thursday at 3pm with Dr. Okafor", "emil's dentist was moved to friday, 10:30", true},
		"Polish":        {"dentysta Emila w czwartek o 15 u dr Okafor", "dentysta przełożony na piątek 10:30", true},
		"another thing": {"emil hat am donnerstag um 15 uhr zahnarzt bei Dr. Okafor", "Rosas Klavierstunde verschoben auf freitag 10:30", false},
	} {
		text := textOf(t, func(tx *store.Tx) error {
			for i, plan := range []struct{ content, due string }{{tc.earlier, "2026-10-22"}, {tc.later, "2026-10-23"}} {
				n := memory.NewInsight{Content: plan.content, Metadata: json.RawMessage(fmt.Sprintf(`{"due":%q}`, plan.due)), At: tuesday.AddDate(0, 0, i-20)}
				if _, err := memory.In(tx).InsertInsight(n); err != nil {
					return err
				}
			}
			return nil
		})
		if strings.Contains(text, tc.earlier) == tc.replaced || !strings.Contains(text, tc.later) {
			t.Errorf("%s: %s", name, text)
		}
	}
}

func TestSessionIsNamedByTitleOrFirstWords(t *testing.T) {
	text := textOf(t, func(tx *store.Tx) error {
		for i, title := range []string{"", "Moving the blog"} {
			s := sessions.Session{ID: fmt.Sprint("codex/s", i), Client: "codex", Title: title, Started: tuesday, Ended: tuesday.Add(-time.Duration(i) * time.Hour)}
			if err := sessions.In(tx).SaveSession(s); err != nil {
				return err
			}
			if _, err := memory.In(tx).InsertDialogue(memory.Dialogue{SessionID: s.ID, Speaker: "user", Content: "Where is\nthe sourdough?", At: s.Ended}); err != nil {
				return err
			}
		}
		return sessions.In(tx).SaveSession(sessions.Session{ID: "codex/old", Client: "codex", Started: tuesday, Ended: tuesday.AddDate(0, 0, -3)})
	})
	want := "Sessions since yesterday\nWhere is the sourdough?\n  session codex/s0, 2026-10-20\nMoving the blog\n  session codex/s1, 2026-10-20\n"
	if text != want {
		t.Error(text)
	}
}

func TestTitleOfARecordNamesItsFile(t *testing.T) {
	for properties, want := range map[string]string{
		`{"title":"Meeting notes","file_name":"monday.txt"}`:   "Meeting notes, monday.txt",
		`{"file_name":"bill.pdf","amount":7,"currency":"EUR"}`: "bill.pdf, 7 EUR",
		`{"title":"Meeting notes"}`:                            "Meeting notes",
		`{"name":"monday.txt","file_name":"monday.txt"}`:       "monday.txt",
		`{"title":"Bill","file_name":"b.pdf","amount":7}`:      "Bill, b.pdf, 7",
		`{"width":3}`: "note",
	} {
		if got := recordTitle(records.Record{Type: "note", Properties: []byte(properties)}); got != want {
			t.Errorf("%s is called %q, want %q", properties, got, want)
		}
	}
}

func TestTodayTellsOfAppointmentsAndInvoices(t *testing.T) {
	text := textOf(t, func(tx *store.Tx) error {
		for _, r := range []records.Record{
			{ID: "r1", Type: "event", Properties: []byte(`{"title":"Dentist","start":"2026-10-22T09:00:00-05:00"}`)},
			{ID: "r2", Type: "event", Properties: []byte(`{"title":"Yoga","start":"2026-09-16","recurrence":"FREQ=WEEKLY;BYDAY=WE"}`)},
			{ID: "r3", Type: "event", Properties: []byte(`{"title":"Reunion","start":"2026-10-29"}`)},
			{ID: "r4", Type: "FinancialRecord", Properties: []byte(`{"document_type":"invoice","file_name":"heat.pdf","invoice_number":"B-7","vendor_name":"Heat Ltd","date":"2026-10-01","due_date":"2026-11-03","amount":152.8,"currency":"EUR"}`)},
			{ID: "r5", Type: "FinancialRecord", Properties: []byte(`{"document_type":"invoice","invoice_number":"B-8","date":"2026-10-01","due_date":"2026-11-04","amount":1,"currency":"EUR"}`)},
		} {
			r.CreatedAt = tuesday.AddDate(0, 0, -3).UnixMilli()
			if r.ID == "r4" {
				r.CreatedAt = tuesday.UnixMilli()
			}
			if _, _, _, err := (entities.Intake{}).Add(tx, r, r.CreatedAt, true); err != nil {
				return err
			}
		}
		return nil
	})
	for _, id := range []string{"event ent_", "invoice r4"} {
		if !strings.Contains(text, id) {
			t.Errorf("%q is missing in %s", id, text)
		}
	}
	text = regexp.MustCompile(`ent_[0-9a-f]+`).ReplaceAllString(text, "ID")
	want := "In the calendar, within seven days\nYoga\n  Wednesday, 2026-10-21, repeats weekly, event ID\nDentist\n  Thursday, 2026-10-22, 09:00, event ID\n\n" +
		"Invoices due within two weeks, or overdue\nB-7 of Heat Ltd: 152.80 EUR, due 2026-11-03\n" +
		"Whether you pay these or are paid is not known, since they do not name you: 'toolkit remember \"Our company is NAME\"' or 'toolkit remember \"My name is NAME\"' tells who you are.\n\n" +
		"Stored since yesterday\nheat.pdf, 152.80 EUR\n  invoice r4, 2026-10-20\n"
	if text != want {
		t.Errorf("got %s\nwant %s", text, want)
	}
}

func TestTodayListsStepsAndChartsByTheirDueDay(t *testing.T) {
	const due, overdue = "Due within seven days\n", "Overdue\n"
	for name, tc := range map[string]struct{ day, head string }{
		"today, which is over in Greenwich": {"2026-10-20", due},
		"at a time of today":                {"2026-10-20T10:00:00Z", due},
		"yesterday":                         {"2026-10-19", overdue},
		"at a time of yesterday":            {"2026-10-20T04:00:00Z", overdue},
		"later":                             {"2026-10-29", ""},
		"on no day":                         {"", ""},
	} {
		text := textOf(t, func(tx *store.Tx) error {
			rows := graph.In(tx)
			_, err := rows.InsertChart(graph.Chart{ID: "chart_1", Outcome: "A shelf in the hall", DueDate: tc.day})
			if err != nil {
				return err
			}
			master, err := rows.InsertChart(graph.Chart{ID: "chart_2", Outcome: "A play that is staged", DueDate: "2026-12-31"})
			if err != nil {
				return err
			}
			step, err := rows.InsertStep(master, "Act one written", tc.day)
			if err != nil {
				return err
			}
			sub, err := rows.InsertChart(graph.Chart{ID: "chart_2_action_1_sub", Outcome: "Act one written", DueDate: tc.day, ParentStepRow: step.Row, Level: 1})
			if err != nil {
				return err
			}
			if _, err := rows.InsertStep(sub, "Outline agreed", tc.day); err != nil {
				return err
			}
			if err := rows.CompleteStep(step, "2026-10-20T09:00:00Z"); err != nil {
				return err
			}
			return nil
		})
		want := "Nothing is due, nothing is new since yesterday, and nothing waits.\n"
		if tc.head != "" {
			shelf := fmt.Sprintf("A shelf in the hall\n  chart chart_1, due %s, no step is open\n", tc.day[:10])
			outline := fmt.Sprintf("Outline agreed\n  step chart_2_action_1_sub_action_1, due %s, of Act one written\n", tc.day[:10])
			want = tc.head + shelf + outline
			if tc.head == overdue {
				want = tc.head + outline + shelf // the last first
			}
		}
		if text != want {
			t.Errorf("%s:\n%s", name, text)
		}
	}
}

func TestTodayTellsWhoOwesWhom(t *testing.T) {
	text := textOf(t, func(tx *store.Tx) error {
		if _, err := memory.In(tx).InsertInsight(memory.NewInsight{Content: "Unsere Firma heißt Fern Bakery GmbH.", Fidelity: 1, At: tuesday.AddDate(0, 0, -9)}); err != nil {
			return err
		}
		for id, properties := range map[string]string{
			"r1": `{"invoice_number":"B-7","vendor_name":"Heat Ltd","customer_name":"Fern Bakery","due_date":"2026-10-24","amount":152.8,"currency":"EUR"}`,
			"r3": `{"invoice_number":"B-5","vendor_name":"Heat Ltd","customer_name":"Fern Bakery","due_date":"2026-10-19","amount":12,"currency":"EUR"}`,
			"r2": `{"invoice_number":"F-12","vendor_name":"Fern Bakery","customer_name":"Otter Ltd","due_date":"2026-10-23","amount":80,"currency":"EUR"}`,
		} {
			r := records.Record{ID: id, Type: "invoice", Properties: []byte(properties), CreatedAt: tuesday.AddDate(0, 0, -3).UnixMilli()}
			if _, _, _, err := (entities.Intake{}).Add(tx, r, r.CreatedAt, true); err != nil {
				return err
			}
		}
		return nil
	})
	want := "To pay within two weeks, or overdue\nB-5 of Heat Ltd to Fern Bakery: 12 EUR, due 2026-10-19, overdue\nB-7 of Heat Ltd to Fern Bakery: 152.80 EUR, due 2026-10-24\n\n" +
		"Owed to you within two weeks, or overdue\nOtter Ltd owes 80 EUR: F-12, due 2026-10-23\n"
	if text != want {
		t.Errorf("got %s\nwant %s", text, want)
	}
}

func TestPlanOfSeveralDaysIsOverdueAfterItsLast(t *testing.T) {
	const due, overdue = "Due within seven days\n", "Overdue\n"
	for _, tc := range []struct{ text, first, said, want string }{
		{"monday i must do the books, friday payroll", "2026-10-19", "2026-10-17", due + "%s\n  insight 1, due 2026-10-23\n"},
		{"Priya is on holiday from 19 oct till 23 oct", "2026-10-19", "2026-10-17", due + "%s\n  insight 1, due 2026-10-23\n"},
		{"Priya is on holiday from 14 oct till 19 oct", "2026-10-14", "2026-10-10", overdue + "%s\n  insight 1, due 2026-10-19\n"},
		{"Priya is on holiday from 14 oct till 30 oct", "2026-10-14", "2026-10-10", "Nothing is due, nothing is new since yesterday, and nothing waits.\n"},
	} {
		text := textOf(t, func(tx *store.Tx) error {
			said, err := time.ParseInLocation(time.DateOnly, tc.said, tuesday.Location())
			if err != nil {
				return err
			}
			_, err = memory.In(tx).InsertInsight(memory.NewInsight{Content: tc.text, Metadata: json.RawMessage(`{"due":"` + tc.first + `"}`), At: said})
			return err
		})
		if want := strings.Replace(tc.want, "%s", tc.text, 1); text != want {
			t.Errorf("%s:\n%s", tc.text, text)
		}
	}
}

func TestRowOfATableIsNamedByItsFirstTexts(t *testing.T) {
	for properties, want := range map[string]string{
		`{"Member":"Ines Bianchi","Phone":"333 1112223","Plot":8,"Since":"2019"}`: "Ines Bianchi, 333 1112223", `{"Plot":8}`: "row",
	} {
		if got := recordTitle(records.Record{Type: "row", Properties: []byte(properties)}); got != want {
			t.Errorf("%s is named %q, want %q", properties, got, want)
		}
	}
}
