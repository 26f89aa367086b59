package entities

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"toolkit/store"
	"toolkit/store/entities"

	documents "toolkit/internal/reader"
)

// maxEvents bounds the events of calendars that are looked through, the last read first.
const maxEvents = 5000

// Appointment is a day on which an event of a calendar takes place.
type Appointment struct {
	ID         string // of its entity
	Title      string
	At         time.Time // by the clock of its calendar
	AllDay     bool
	Recurrence string // as the calendar writes it; empty: it takes place once
}

// ListAppointments lists what calendars say of the days from one to another, in order. Of what
// recurs it gives the next day; where its rule is not understood that is its first one.
func ListAppointments(tx *store.Tx, from, until time.Time) (list []Appointment, err error) {
	found, _, err := entities.In(tx).Find(entities.EntityFilter{Types: []string{documents.KindEvent}}, maxEvents, 0)
	if err != nil {
		return nil, err
	}
	rows := make([]int64, len(found))
	for i, e := range found {
		rows[i] = e.Seq
	}
	events, snapshots, err := entities.In(tx).SnapshotsFound(rows)
	if err != nil {
		return nil, err
	}
	for i, e := range events {
		values, err := readValues(snapshots[i])
		if err != nil {
			return nil, err
		}
		if a, takesPlace := appointmentOf(e, values, from, until); takesPlace {
			list = append(list, a)
		}
	}
	slices.SortFunc(list, func(a, b Appointment) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID)) })
	return list, nil
}

func appointmentOf(e entities.Entity, event object, from, until time.Time) (a Appointment, takesPlace bool) {
	first, allDay, known := parseClock(textOf(event, "start"), from.Location())
	if !known || strings.EqualFold(textOf(event, "status"), "cancelled") {
		return a, false
	}
	a = Appointment{ID: e.ID, Title: cmp.Or(textOf(event, "title"), e.Name), AllDay: allDay, Recurrence: textOf(event, "recurrence")}
	r, understood := parseRecurrence(a.Recurrence)
	excluded := items(event["excluded_dates"])
	for day := midnight(from); !day.After(midnight(until)); day = day.AddDate(0, 0, 1) {
		begins := day.Equal(midnight(first))
		if !begins && !(understood && r.takesPlace(first, day)) || slices.Contains(excluded, any(day.Format(time.DateOnly))) {
			continue
		}
		a.At = time.Date(day.Year(), day.Month(), day.Day(), first.Hour(), first.Minute(), 0, 0, day.Location())
		return a, true
	}
	return a, false
}

func midnight(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location())
}

// parseClock reads when an event begins by the clock of its calendar: a moment of universal
// time, which names no place, by the clock of the user.
func parseClock(text string, place *time.Location) (clock time.Time, allDay, ok bool) {
	if day, err := time.ParseInLocation(time.DateOnly, text, place); err == nil {
		return day, true, true
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t, err = time.Parse("2006-01-02T15:04:05", text)
	} else if strings.HasSuffix(text, "Z") {
		return t.In(place), false, true
	}
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), 0, 0, place), false, err == nil
}

// recurrence is a rule of RFC 5545 that says on which days an event takes place by itself,
// without counting the days before.
type recurrence struct {
	every    string // DAILY, WEEKLY, MONTHLY or YEARLY
	weekdays string // of a weekly one, such as TU,TH; empty: that of the first day
	until    string // the last day, such as 20261231; empty: it goes on
}

// parseRecurrence reads a rule; false: there is none, or it says more than a recurrence knows.
func parseRecurrence(rule string) (r recurrence, ok bool) {
	for part := range strings.SplitSeq(strings.ToUpper(rule), ";") {
		name, value, _ := strings.Cut(part, "=")
		switch {
		case name == "FREQ" && slices.Contains([]string{"DAILY", "WEEKLY", "MONTHLY", "YEARLY"}, value):
			r.every = value
		case name == "BYDAY" && !strings.ContainsAny(value, "0123456789"):
			r.weekdays = value
		case name == "UNTIL" && len(value) >= len("20060102"):
			r.until = value[:len("20060102")]
		case name == "WKST", name == "INTERVAL" && value == "1":
		default:
			return r, false
		}
	}
	return r, r.every == "WEEKLY" || r.every != "" && r.weekdays == ""
}

func (r recurrence) takesPlace(first, day time.Time) bool {
	if day.Before(first) || r.until != "" && day.Format("20060102") > r.until {
		return false
	}
	switch r.every {
	case "WEEKLY":
		weekday := strings.ToUpper(day.Weekday().String()[:2])
		return r.weekdays == "" && day.Weekday() == first.Weekday() || slices.Contains(strings.Split(r.weekdays, ","), weekday)
	case "MONTHLY":
		return day.Day() == first.Day()
	case "YEARLY":
		return day.Day() == first.Day() && day.Month() == first.Month()
	}
	return true
}

// UnpaidInvoice is an invoice of which something is left to pay.
type UnpaidInvoice struct {
	ID     string // of its entity
	Name   string
	Vendor string
	Left   string // amount and currency
	Due    time.Time
	Hint   string // what else is known of its payment, to be read after the rest
}

// ListDueInvoices lists up to limit invoices that are to be paid by a day, the first due first,
// and counts all, up to most.
func ListDueInvoices(tx *store.Tx, until time.Time, limit, most int) (list []UnpaidInvoice, count int, err error) {
	unpaid, err := entities.In(tx).UnpaidInvoices(most)
	if err != nil {
		return nil, 0, err
	}
	var rows []int64
	for _, s := range unpaid {
		if due := time.UnixMilli(s.Due).UTC().Format(time.DateOnly); s.Due != 0 && due <= until.Format(time.DateOnly) {
			rows = append(rows, s.Entity)
		}
	}
	invoices, snapshots, err := entities.In(tx).SnapshotsFound(rows[:min(len(rows), limit)])
	if err != nil {
		return nil, 0, err
	}
	for i, e := range invoices {
		values, err := readValues(snapshots[i])
		if err != nil {
			return nil, 0, err
		}
		p, err := loadPayment(entities.In(tx), e, values)
		if err != nil {
			return nil, 0, err
		}
		list = append(list, UnpaidInvoice{ID: e.ID, Name: e.Name, Vendor: textOf(values, "vendor_name"), Left: p.Left, Due: time.UnixMilli(p.Due).UTC(), Hint: p.hint()})
	}
	return list, len(rows), nil
}
