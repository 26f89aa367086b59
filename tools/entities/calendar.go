package entities

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/teambition/rrule-go"

	"toolkit/store"
	"toolkit/store/entities"

	documents "toolkit/internal/reader"
)

// maxEvents bounds the events of calendars that are looked through, the last read first, and
// maxOccurrences the days that one call gives of those that recur.
const maxEvents, maxOccurrences = 5000, 2000

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
func ListAppointments(ctx context.Context, tx *store.Tx, from, until time.Time) (list []Appointment, err error) {
	events, err := listCalendarEvents(ctx, tx, from.Location())
	for _, e := range events {
		if e.isReplaced || e.isCancelled {
			continue
		}
		for _, o := range e.occurrences(from.AddDate(0, 0, -1), until.AddDate(0, 0, 2), maxOccurrences) {
			at := time.Date(o.at.Year(), o.at.Month(), o.at.Day(), o.at.Hour(), o.at.Minute(), 0, 0, from.Location())
			if !o.cancelled && !midnight(at).Before(midnight(from)) && !midnight(at).After(midnight(until)) {
				list = append(list, Appointment{ID: e.ID, Title: e.title, At: at, AllDay: e.allDay, Recurrence: e.recurrence})
				break
			}
		}
	}
	slices.SortFunc(list, func(a, b Appointment) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID)) })
	return list, err
}

func midnight(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location())
}

// calendarEvent is an event of a calendar.
type calendarEvent struct {
	entities.Entity
	title       string
	start       time.Time // in the zone of its calendar
	allDay      bool
	recurrence  string
	rule        *rrule.RRule // nil: it takes place once, or its rule is not understood
	uid         string
	instance    string // the day of the recurring event of its uid in whose place it is; empty: none
	isCancelled bool
	isReplaced  bool            // another file has a later form of it
	excluded    []any           // days on which it does not take place
	moved       map[string]bool // days in whose place another event of its uid is
}

// occurrence is a time at which an event takes place, or would.
type occurrence struct {
	at        time.Time
	cancelled bool
}

// listCalendarEvents reads the events of all calendars, the last read first. Of moments of universal
// time, which name no place, and of times without a zone it is told by the clock of a place.
func listCalendarEvents(ctx context.Context, tx *store.Tx, place *time.Location) (list []calendarEvent, err error) {
	entityList, err := loadOfType(entities.In(tx), documents.KindEvent, maxEvents)
	if err != nil {
		return nil, err
	}
	instances := map[string]map[string]bool{} // by uid
	for _, e := range entityList {
		event, known := readCalendarEvent(e.Entity, e.values, place)
		if !known {
			continue
		}
		if event.uid != "" {
			if instances[event.uid] == nil {
				instances[event.uid] = map[string]bool{}
			}
			event.isReplaced = instances[event.uid][event.instance]
			instances[event.uid][event.instance] = true
		}
		list = append(list, event)
	}
	for i := range list {
		list[i].moved = instances[list[i].uid]
	}
	return list, nil
}

func readCalendarEvent(e entities.Entity, values object, place *time.Location) (event calendarEvent, ok bool) {
	event = calendarEvent{
		Entity: e, title: cmp.Or(textOf(values, "title"), e.Name), recurrence: textOf(values, "recurrence"), uid: textOf(values, "uid"),
		isCancelled: isCancelled(values), excluded: items(values["excluded_dates"]),
	}
	event.start, event.allDay, ok = parseStart(values, place)
	event.instance = instanceDay(textOf(values, "recurrence_id"), event.start.Location())
	if ok && event.recurrence != "" {
		event.rule = parseRecurrence(event.recurrence, event.start)
	}
	return event, ok
}

// isCancelled reports whether a calendar says that an event or a task is off.
func isCancelled(values object) bool {
	status := textOf(values, "status")
	return strings.EqualFold(status, "cancelled") || strings.EqualFold(status, "canceled")
}

// parseStart reads when an event begins, in the zone of its calendar as far as that is known.
func parseStart(values object, place *time.Location) (start time.Time, allDay, ok bool) {
	text := textOf(values, "start")
	if day, err := time.ParseInLocation(time.DateOnly, text, place); err == nil {
		return day, true, true
	}
	if zone, err := time.LoadLocation(textOf(values, "time_zone")); err == nil && textOf(values, "time_zone") != "" {
		place = zone
	}
	start, err := time.Parse(time.RFC3339, text)
	if err != nil {
		start, err = time.ParseInLocation("2006-01-02T15:04:05", text, place)
		return start, false, err == nil
	}
	_, offset := start.Zone()
	if _, same := start.In(place).Zone(); same == offset || strings.HasSuffix(text, "Z") {
		start = start.In(place) // so that its hour stays when the clocks are changed
	}
	return start, false, true
}

// instanceDay is the day that the id of an instance names, in the zone of its event.
func instanceDay(id string, place *time.Location) string {
	if at, err := time.Parse("20060102T150405Z", id); err == nil {
		return at.In(place).Format(time.DateOnly)
	}
	if day, err := time.Parse("20060102", id[:min(len(id), len("20060102"))]); err == nil {
		return day.Format(time.DateOnly)
	}
	return ""
}

// parseRecurrence reads a rule of RFC 5545; nil: it is none, or it recurs within a day.
func parseRecurrence(rule string, start time.Time) *rrule.RRule {
	option, err := rrule.StrToROption(rule)
	if err != nil || option.Freq > rrule.DAILY || len(option.Byhour)+len(option.Byminute)+len(option.Bysecond) > 0 {
		return nil
	}
	option.Dtstart = start
	if u := option.Until; !u.IsZero() && !strings.Contains(strings.ToUpper(rule), "UNTIL="+u.Format("20060102T")) {
		option.Until = time.Date(u.Year(), u.Month(), u.Day(), 23, 59, 59, 0, start.Location()) // a day, which belongs to it
	}
	parsed, err := rrule.NewRRule(*option)
	if err != nil {
		return nil
	}
	return parsed
}

// occurrences are the times from one until before another at which an event takes place, up to a
// number, with those that its calendar excludes.
func (e *calendarEvent) occurrences(from, to time.Time, most int) (list []occurrence) {
	times := []time.Time{e.start}
	if e.rule != nil {
		if first := e.rule.After(e.start, true); first.Equal(e.start) {
			times = nil // the rule gives it, too
		}
		for next := e.rule.Iterator(); len(times) < most; {
			at, more := next()
			if !more || !at.Before(to) {
				break
			}
			if !at.Before(from) {
				times = append(times, at)
			}
		}
	}
	for _, at := range times {
		day := at.Format(time.DateOnly)
		if at.Before(from) || !at.Before(to) || e.rule != nil && e.instance == "" && e.moved[day] {
			continue
		}
		list = append(list, occurrence{at, e.isCancelled || slices.Contains(e.excluded, any(day))})
	}
	return list
}
