package entities

import (
	"strings"
	"testing"
	"time"

	"toolkit/internal/search"
	"toolkit/internal/storetest"
	"toolkit/store"
	"toolkit/store/kinds"
	"toolkit/tools"
)

func TestAppointmentsOfTheNextDays(t *testing.T) {
	// From Sunday, 29 November, to Sunday, 6 December 2026.
	from := time.Date(2026, 11, 29, 0, 0, 0, 0, time.FixedZone("CET", 60*60))
	for name, tc := range map[string]struct {
		event args
		want  string // day and time; empty: none
	}{
		"by the clock of its calendar":  {args{"start": "2026-12-02T09:00:00-05:00"}, "2026-12-02 09:00"},
		"universal time":                {args{"start": "2026-12-02T09:00:00Z"}, "2026-12-02 10:00"},
		"no zone":                       {args{"start": "2026-12-02T09:00:00"}, "2026-12-02 09:00"},
		"all day":                       {args{"start": "2026-12-04"}, "2026-12-04"},
		"the first day":                 {args{"start": "2026-11-29"}, "2026-11-29"},
		"the last day":                  {args{"start": "2026-12-06T20:00:00+01:00"}, "2026-12-06 20:00"},
		"past":                          {args{"start": "2026-11-28"}, ""},
		"later":                         {args{"start": "2026-12-07"}, ""},
		"no date":                       {args{"start": "soon"}, ""},
		"cancelled":                     {args{"start": "2026-12-02", "status": "CANCELLED"}, ""},
		"weekly":                        {args{"start": "2026-09-15T18:30:00+02:00", "recurrence": "FREQ=WEEKLY;BYDAY=TU"}, "2026-12-01 18:30 FREQ=WEEKLY;BYDAY=TU"},
		"weekly on its day":             {args{"start": "2026-09-16", "recurrence": "FREQ=WEEKLY;WKST=MO;INTERVAL=1"}, "2026-12-02 FREQ=WEEKLY;WKST=MO;INTERVAL=1"},
		"weekly on two days":            {args{"start": "2026-09-15", "recurrence": "FREQ=WEEKLY;BYDAY=WE,TH"}, "2026-12-02 FREQ=WEEKLY;BYDAY=WE,TH"},
		"weekly without this one":       {args{"start": "2026-09-16", "recurrence": "FREQ=WEEKLY", "excluded_dates": []string{"2026-12-02"}}, ""},
		"weekly until now":              {args{"start": "2026-09-16", "recurrence": "FREQ=WEEKLY;UNTIL=20261201T225959Z"}, ""},
		"daily":                         {args{"start": "2026-09-16", "recurrence": "FREQ=DAILY"}, "2026-11-29 FREQ=DAILY"},
		"monthly":                       {args{"start": "2026-09-03", "recurrence": "FREQ=MONTHLY"}, "2026-12-03 FREQ=MONTHLY"},
		"yearly":                        {args{"start": "1980-12-05", "recurrence": "FREQ=YEARLY"}, "2026-12-05 FREQ=YEARLY"},
		"weekly from later on":          {args{"start": "2026-12-16", "recurrence": "FREQ=WEEKLY"}, ""},
		"a rule that is not understood": {args{"start": "2026-09-16", "recurrence": "FREQ=WEEKLY;INTERVAL=2"}, ""},
		"its first day":                 {args{"start": "2026-12-01", "recurrence": "FREQ=MONTHLY;BYDAY=1TU"}, "2026-12-01 FREQ=MONTHLY;BYDAY=1TU"},
	} {
		b := newBench(t)
		tc.event["title"] = "Something"
		b.Call(storeName, args{"type": "event", "properties": tc.event})
		got := ""
		storetest.Read(t, b.Store, func(tx *store.Tx) error {
			list, err := ListAppointments(t.Context(), tx, from, from.AddDate(0, 0, 7))
			for _, a := range list {
				layout := "2006-01-02 15:04"
				if a.AllDay {
					layout = time.DateOnly
				}
				got += strings.TrimSpace(a.At.Format(layout) + " " + a.Recurrence)
			}
			return err
		})
		same(t, name, got, tc.want)
	}
}

func TestInvoicesThatAreDueWithTheirSuggestedPayment(t *testing.T) {
	b := newBench(t)
	for number, due := range map[string]string{"overdue-1": "2025-12-20", "soon-22": "2026-01-15", "later-333": "2026-01-16", "undated-4444": ""} {
		body := args{"invoice_number": number, "vendor_name": "Acme", "date": "2025-12-01", "amount": 152.8, "currency": "EUR"}
		if due != "" {
			body["due_date"] = due
		}
		b.submit("invoice", "2025-12-01", body)
	}
	b.submit("transaction", "2025-12-22", args{"transaction_id": "T1", "date": "2025-12-21", "amount": -152.8, "currency": "EUR", "description": "Invoice soon-22"})
	for limit, want := range map[int]string{
		5: "overdue-1 of Acme: 152.80 EUR, 2025-12-20|soon-22 of Acme: 152.80 EUR, 2026-01-15; a payment of 2025-12-21 seems to settle it and is not confirmed yet",
		1: "overdue-1 of Acme: 152.80 EUR, 2025-12-20",
	} {
		var got []string
		storetest.Read(t, b.Store, func(tx *store.Tx) error {
			due, counts, err := ListDueInvoices(tx, func(day time.Time) bool { return day.Before(time.Date(2026, 1, 16, 0, 0, 0, 0, time.UTC)) }, limit, 100)
			same(t, "counted", counts[SideUnknown], 2)
			for _, i := range due[SideUnknown] {
				got = append(got, i.Name+" of "+i.Vendor+": "+i.Left+", "+i.Due+i.Hint)
			}
			return err
		})
		same(t, "shown", strings.Join(got, "|"), want)
	}
}

// Asked on Sunday, 29 November 2026.
func TestRecallTellsTheNextDayOfAnEventThatRepeats(t *testing.T) {
	now := time.Date(2026, 11, 29, 15, 0, 0, 0, time.Local)
	for name, tc := range map[string]struct {
		event args
		want  string // what is told of its next day; empty: nothing
	}{
		"weekly":                        {args{"start": "2026-11-03T19:00:00", "recurrence": "FREQ=WEEKLY"}, "next on 2026-12-01 19:00"},
		"yearly, all day":               {args{"start": "1980-06-05", "recurrence": "FREQ=YEARLY"}, "next on 2027-06-05"},
		"until now":                     {args{"start": "2026-09-16", "recurrence": "FREQ=WEEKLY;UNTIL=20261120"}, ""},
		"a rule that is not understood": {args{"start": "2026-09-16", "recurrence": "FREQ=HOURLY"}, ""},
		"once":                          {args{"start": "2026-12-02"}, ""},
	} {
		b := newBench(t)
		tc.event["title"] = "Choir rehearsal"
		b.Call(storeName, args{"type": "event", "properties": tc.event})
		q := tools.NewQuestion("when is the next choir rehearsal", "", searchProvider{}.Kinds(), now)
		told := false
		storetest.Read(t, b.Store, func(tx *store.Tx) error {
			statistics, err := searchProvider{}.Count(tx, q)
			if err != nil {
				return err
			}
			q.Scorer = search.NewScorer(q.Query, statistics)
			list, err := searchProvider{}.Search(t.Context(), tx, q)
			for _, c := range list {
				told = told || strings.Contains(c.Text, "next on ")
				if c.Kind == kinds.TruthEntity && tc.want != "" && !strings.Contains(c.Text, tc.want+"\n") {
					t.Errorf("%s: %q does not say %q", name, c.Text, tc.want)
				}
			}
			return err
		})
		if told != (tc.want != "") {
			t.Errorf("%s: a next day is told: %v", name, told)
		}
	}
}
