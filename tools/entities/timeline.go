package entities

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/teambition/rrule-go"

	documents "toolkit/internal/reader"
	"toolkit/store"
	"toolkit/store/entities"
	"toolkit/tools"
)

const timelineName = "list_timeline_events"

type timelineInput struct {
	From     string        `json:"from,omitempty" jsonschema_description:"Start, inclusive, ISO 8601"`
	To       string        `json:"to,omitempty" jsonschema_description:"End, exclusive, ISO 8601"`
	EntityID entityIDValue `json:"entity_id,omitempty" jsonschema_description:"Only dates of this entity"`
	Type     string        `json:"type,omitempty" jsonschema:"maxLength=200" jsonschema_description:"Only entities of this type or alias"`
	Order    string        `json:"order,omitempty" jsonschema:"enum=asc,enum=desc" jsonschema_description:"asc, the earliest first, if absent"`
	Limit    int           `json:"limit,omitempty" jsonschema:"minimum=1,maximum=1000" jsonschema_description:"100 if absent"`
	Offset   int           `json:"offset,omitempty" jsonschema:"minimum=0" jsonschema_description:"Skip this many"`
}

type timelineOutput struct {
	Events []timelineEvent `json:"events,omitempty"`
	Total  int             `json:"total"`
	Limit  int             `json:"limit"`
	Offset int             `json:"offset"`

	warnings []string
}

type timelineEvent struct {
	EventType     string `json:"event_type" jsonschema_description:"Entity type and field, such as contract_start_date"`
	At            string `json:"at"`
	Field         string `json:"field"`
	EntityID      string `json:"entity_id"`
	EntityType    string `json:"entity_type"`
	CanonicalName string `json:"canonical_name"`
	Cancelled     bool   `json:"cancelled,omitempty" jsonschema_description:"It does not take place"`
}

func (f *family) timelineTool() tools.Tool[timelineInput, timelineOutput] {
	return tools.Tool[timelineInput, timelineOutput]{
		Name:  timelineName,
		Title: "List timeline events",
		Description: "List the dated facts of all entities in the order of their dates: invoices, due dates, contracts, events of calendars. " +
			"Returns events with entity and field. Example: everything due next month.",
		Permissions: []tools.Permission{mayReadEntities}, Category: tools.Query, ResponseTime: tools.Medium, Idempotent: true, Version: "1.3.0",
		Tags: []string{"entities", "timeline"},
		Examples: []tools.Example[timelineInput, timelineOutput]{{
			Description: "January",
			Setup:       []tools.SetupCall{{Tool: submitName, Params: exampleSubmission()}},
			Params:      timelineInput{From: "2025-01-01", To: "2025-02-01"},
			Result: timelineOutput{Events: []timelineEvent{{EventType: "invoice_date", At: "2025-01-15T00:00:00Z", Field: "date",
				EntityID: exampleInvoice, EntityType: "invoice", CanonicalName: "INV-001"}}, Total: 1, Limit: defaultPage},
		}},
		Handle: f.listTimelineEvents,
	}
}

func (f *family) listTimelineEvents(ctx context.Context, in timelineInput) (r tools.Result[timelineOutput], err error) {
	filter, err := newTimelineFilter(in)
	if err != nil {
		return r, err
	}
	in.Limit = cmp.Or(in.Limit, defaultPage)
	r.Data, err = runRead(ctx, f, codeQueryFailed, func(tx *store.Tx) (timelineOutput, error) {
		out := timelineOutput{Limit: in.Limit, Offset: in.Offset}
		if in.EntityID != "" {
			s, err := resolveEntity(entities.In(tx), in.EntityID, "entity_id")
			if err != nil {
				return out, err
			}
			filter.Entity = s.Seq
		}
		out.Events, out.Total, out.warnings, err = listTimeline(ctx, tx, filter, in)
		return out, err
	})
	r.Hints = timelineHints(r.Data)
	return r, err
}

func timelineHints(out timelineOutput) *tools.Hints {
	h := tools.NewHints(tools.NewSearchEvidence(len(out.Events)).WithTotal(out.Total)).Because(fmt.Sprintf("%d of %d dated facts", len(out.Events), out.Total))
	for _, e := range out.Events {
		h.AddRelatedResource(e.EntityType, e.EntityID, e.CanonicalName, 0.7)
	}
	if out.Total == 0 {
		h.SuggestCall(findName, tools.PriorityLow, nil, "look for entities instead").Because("no dated fact matches")
	}
	for _, w := range out.warnings {
		h.Warn("completeness", tools.PriorityMedium, w, "")
	}
	hintNextPage(h, timelineName, out.Limit, out.Offset, len(out.Events), out.Total, map[string]any{}, "read on, with the same filters")
	if len(out.Events) > 0 {
		h.SuggestCall(snapshotName, tools.PriorityLow, map[string]any{"entity_id": out.Events[0].EntityID}, "see the entity of the first event")
	}
	return h
}

func newTimelineFilter(in timelineInput) (entities.TimelineFilter, error) {
	filter := entities.TimelineFilter{Type: resolveTypeAlias(in.Type)}
	var err error
	if filter.From, err = parseTimeField("from", in.From, math.MinInt64); err != nil {
		return filter, err
	}
	if filter.To, err = parseTimeField("to", in.To, math.MaxInt64); err != nil {
		return filter, err
	}
	if filter.From >= filter.To {
		return filter, tools.Invalid(tools.CodeInvalid, "to", "after from", "to must be after from")
	}
	return filter, checkNotBlank("type", in.Type)
}

// listTimeline lists a page of the dated facts, with each day of what recurs, and how many there are.
func listTimeline(ctx context.Context, tx *store.Tx, filter entities.TimelineFilter, in timelineInput) (page []timelineEvent, total int, warnings []string, err error) {
	c, err := expandRecurringEvents(ctx, tx, &filter)
	if err != nil {
		return nil, 0, nil, err
	}
	descending := in.Order == "desc"
	// At most the days of the calendar stand before a fact, beside the facts before it.
	first := max(0, in.Offset-len(c.days))
	facts, total, err := entities.In(tx).TimelineEvents(filter, descending, in.Limit+len(c.days), first)
	list := slices.Clone(c.days)
	for _, f := range facts {
		e := makeTimelineEvent(f)
		e.Cancelled = c.cancelled[f.EntityID]
		list = append(list, e)
	}
	slices.SortStableFunc(list, func(a, b timelineEvent) int {
		if descending {
			a, b = b, a
		}
		return cmp.Compare(a.At, b.At)
	})
	skip := min(in.Offset-first, len(list))
	return list[skip:min(skip+in.Limit, len(list))], total + len(c.days), c.warnings, err
}

func makeTimelineEvent(f entities.TimelineEvent) timelineEvent {
	return timelineEvent{EventType: f.EntityType + "_" + f.Field, At: tools.FormatTimestamp(f.At), Field: f.Field, EntityID: f.EntityID, EntityType: f.EntityType, CanonicalName: f.Name}
}

// timelineCalendar is what calendars add to the dated facts of a time.
type timelineCalendar struct {
	days      []timelineEvent // of what recurs
	cancelled map[string]bool // ids of entities
	warnings  []string
}

// expandRecurringEvents gives each day of what recurs within the filter, which leaves its first day out
// then, and what a later form of it replaced.
func expandRecurringEvents(ctx context.Context, tx *store.Tx, filter *entities.TimelineFilter) (c timelineCalendar, err error) {
	if filter.Type != "" && filter.Type != documents.KindEvent {
		return c, nil
	}
	c.cancelled = map[string]bool{}
	events, err := listCalendarEvents(ctx, tx, time.UTC)
	open := 0
	for _, e := range events {
		c.cancelled[e.ID] = e.isCancelled
		switch {
		case filter.Entity != 0 && filter.Entity != e.Seq:
		case e.isReplaced && filter.Entity == 0:
			filter.Without = append(filter.Without, e.Seq)
		case e.rule != nil && filter.To == math.MaxInt64:
			open++
		case e.rule != nil:
			filter.Without = append(filter.Without, e.Seq)
			for _, o := range e.listOccurrences(time.UnixMilli(max(filter.From, e.start.UnixMilli())), time.UnixMilli(filter.To), maxOccurrences+1-len(c.days)) {
				day := makeTimelineEvent(entities.TimelineEvent{EntityID: e.ID, EntityType: e.Type, Name: e.Name, Event: entities.Event{Field: "start", At: o.at.UnixMilli()}})
				day.Cancelled = o.cancelled
				c.days = append(c.days, day)
			}
		}
	}
	if open > 0 {
		c.warnings = append(c.warnings, fmt.Sprintf("%d of the events recur and are listed with their first day only: give to for each of their days", open))
	}
	if len(c.days) > maxOccurrences {
		c.days = c.days[:maxOccurrences]
		c.warnings = append(c.warnings, fmt.Sprintf("days of recurring events beyond %d are left out: narrow from and to", maxOccurrences))
	}
	return c, err
}

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
		if at, found := e.findNext(from, until); found {
			list = append(list, Appointment{ID: e.ID, Title: e.title, At: at, AllDay: e.allDay, Recurrence: e.recurrence})
		}
	}
	slices.SortFunc(list, func(a, b Appointment) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID)) })
	return list, err
}

// findNext returns when an event takes place first on the days from one to another.
func (e *calendarEvent) findNext(from, until time.Time) (at time.Time, found bool) {
	for _, o := range e.listOccurrences(from.AddDate(0, 0, -1), until.AddDate(0, 0, 2), maxOccurrences) {
		at := time.Date(o.at.Year(), o.at.Month(), o.at.Day(), o.at.Hour(), o.at.Minute(), 0, 0, from.Location())
		if !o.cancelled && !startOfDay(at).Before(startOfDay(from)) && !startOfDay(at).After(startOfDay(until)) {
			return at, true
		}
	}
	return at, false
}

// maxYearsAhead is how far the next day of what repeats is looked for.
const maxYearsAhead = 2

// describeNextOccurrence tells in a line when an event that repeats takes place next: what is stored of it says
// its first day. It is empty for anything else, and where its rule is not understood.
func describeNextOccurrence(ctx context.Context, tx *store.Tx, q *tools.Question, known knownEntity) (string, error) {
	if known.Type != documents.KindEvent || firstText(known.values, "recurrence") == "" {
		return "", nil
	}
	const key = "calendar"
	now := q.Now.Local()
	events, listed := q.Counted[key].([]calendarEvent)
	if !listed {
		var err error
		if events, err = listCalendarEvents(ctx, tx, now.Location()); err != nil {
			return "", err
		}
		q.Counted[key] = events
	}
	for i := range events {
		if e := &events[i]; e.ID == known.ID && e.rule != nil && !e.isCancelled {
			if at, found := e.findNext(now, now.AddDate(maxYearsAhead, 0, 0)); found {
				return "next on " + formatDayAndTime(at, e.allDay) + "\n", nil
			}
		}
	}
	return "", nil
}

func formatDayAndTime(at time.Time, allDay bool) string {
	if allDay {
		return at.Format(time.DateOnly)
	}
	return at.Format("2006-01-02 15:04")
}

func startOfDay(t time.Time) time.Time {
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
	entityList, err := loadEntitiesOfType(entities.In(tx), documents.KindEvent, maxEvents)
	if err != nil {
		return nil, err
	}
	instances := map[string]map[string]bool{} // by uid
	for _, e := range entityList {
		event, known := parseCalendarEvent(e.Entity, e.values, place)
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

func parseCalendarEvent(e entities.Entity, values object, place *time.Location) (event calendarEvent, ok bool) {
	event = calendarEvent{
		Entity: e, title: cmp.Or(firstText(values, "title"), e.Name), recurrence: firstText(values, "recurrence"), uid: firstText(values, "uid"),
		isCancelled: isCancelled(values), excluded: toList(values["excluded_dates"]),
	}
	event.start, event.allDay, ok = parseStart(values, place)
	event.instance = parseInstanceDay(firstText(values, "recurrence_id"), event.start.Location())
	if ok && event.recurrence != "" {
		event.rule = parseRecurrence(event.recurrence, event.start)
	}
	return event, ok
}

// isCancelled reports whether a calendar says that an event or a task is off.
func isCancelled(values object) bool {
	status := firstText(values, "status")
	return strings.EqualFold(status, "cancelled") || strings.EqualFold(status, "canceled")
}

// parseStart reads when an event begins, in the zone of its calendar as far as that is known.
func parseStart(values object, place *time.Location) (start time.Time, allDay, ok bool) {
	text := firstText(values, "start")
	if day, err := time.ParseInLocation(time.DateOnly, text, place); err == nil {
		return day, true, true
	}
	if zone, err := time.LoadLocation(firstText(values, "time_zone")); err == nil && firstText(values, "time_zone") != "" {
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

// parseInstanceDay is the day that the id of an instance names, in the zone of its event.
func parseInstanceDay(id string, place *time.Location) string {
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

// listOccurrences returns the times from one until before another at which an event takes place, up to a
// number, with those that its calendar excludes.
func (e *calendarEvent) listOccurrences(from, to time.Time, maxCount int) (list []occurrence) {
	times := []time.Time{e.start}
	if e.rule != nil {
		if first := e.rule.After(e.start, true); first.Equal(e.start) {
			times = nil // the rule gives it, too
		}
		for next := e.rule.Iterator(); len(times) < maxCount; {
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
