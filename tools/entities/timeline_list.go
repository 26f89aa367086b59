package entities

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	documents "toolkit/internal/reader"
	"toolkit/store"
	"toolkit/store/entities"
	"toolkit/tools"
)

// listTimeline lists a page of the dated facts, with each day of what recurs, and how many there are.
func listTimeline(ctx context.Context, tx *store.Tx, filter entities.TimelineFilter, in timelineInput) (page []timelineEvent, total int, warnings []string, err error) {
	c, err := readTimelineCalendar(ctx, tx, &filter)
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
	return timelineEvent{EventType: f.EntityType + "_" + f.Field, At: tools.Timestamp(f.At), Field: f.Field, EntityID: f.EntityID, EntityType: f.EntityType, CanonicalName: f.Name}
}

// timelineCalendar is what calendars add to the dated facts of a time.
type timelineCalendar struct {
	days      []timelineEvent // of what recurs
	cancelled map[string]bool // ids of entities
	warnings  []string
}

// readTimelineCalendar gives each day of what recurs within the filter, which leaves its first day out
// then, and what a later form of it replaced.
func readTimelineCalendar(ctx context.Context, tx *store.Tx, filter *entities.TimelineFilter) (c timelineCalendar, err error) {
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
			for _, o := range e.occurrences(time.UnixMilli(max(filter.From, e.start.UnixMilli())), time.UnixMilli(filter.To), maxOccurrences+1-len(c.days)) {
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
