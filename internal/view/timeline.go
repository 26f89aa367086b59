package view

import (
	"context"
	"slices"
	"time"
	_ "time/tzdata" // the days are those of the reader's zone, also where the system knows no zones

	"toolkit/store"
	"toolkit/store/memory"
	"toolkit/store/sessions"
	"toolkit/tools"
)

const (
	// daysPage is how many days with something on them are a page.
	daysPage = 7
	// maxDays is how many days are looked into for a page; those of a choice may be far between.
	maxDays = 60
	// itemsPerDay is how many things of a kind a page shows of each day, and dayPage of one day alone.
	itemsPerDay = 5
	dayPage     = 50
	// maxSpeakers is how many speakers are offered.
	maxSpeakers = 200
)

type timelinePage struct {
	Days     []timelineDay `json:"days"`
	Next     string        `json:"next"`     // the day to go on with; empty: there is nothing before
	LeftOut  []string      `json:"left_out"` // kinds that the choice cannot tell apart
	Projects []projectTag  `json:"projects"` // to choose from
	Speakers []string      `json:"speakers"`
}

type timelineDay struct {
	Day   string         `json:"day"`
	Parts []timelinePart `json:"parts"`
}

// timelinePart is what happened of one kind on a day.
type timelinePart struct {
	Kind  string `json:"kind"`
	Items []any  `json:"items"`
	Total int    `json:"total"`
	Cut   bool   `json:"cut"` // there is more than Total
}

// track is one kind of what happened.
type track struct {
	kind string
	// last is the last moment before another at which something may have happened; the
	// zero time: nothing did.
	last func(until time.Time) (time.Time, error)
	// in tells what happened from one moment until before another, the last first.
	items func(from, until time.Time, p window) (timelinePart, error)
}

// window is which of the things of a day are told.
type window struct{ skip, limit int }

// readTimeline tells what happened, day by day in the reader's zone and the last day first:
// from the day "until" back, or on one "day" alone.
func (s *Server) readTimeline(ctx context.Context, q *query) (any, error) {
	zone := q.readTimeZone()
	until, day := q.readDay("until", zone), q.readDay("day", zone)
	skip := int(q.readNumber("offset", 0, 0, sessions.MaxRowsPerDay))
	filter, err := s.readFilter(ctx, q)
	if err != nil {
		return nil, err
	}
	out := timelinePage{Days: []timelineDay{}, LeftOut: tools.OrEmpty(filter.omittedKinds()), Projects: []projectTag{}}
	err = s.readIfQueryIsValid(ctx, q, func(tx *store.Tx) error {
		if err := out.addFilterOptions(tx); err != nil {
			return err
		}
		if filter.person != "" {
			filter.speakers = append(filterEqualNames(out.Speakers, filter.person), filter.person)
		}
		tracks := filter.listTracks(tx)
		if day != "" {
			shown, err := describeDay(tracks, day, zone, window{skip, dayPage})
			out.Days = append(out.Days, shown)
			return err
		}
		return out.addDays(tracks, until, zone)
	})
	return out, err
}

// addFilterOptions returns what can be chosen from.
func (out *timelinePage) addFilterOptions(tx *store.Tx) error {
	groups, err := sessions.In(tx).CountSessions()
	if err != nil {
		return err
	}
	for _, g := range groups { // by project, and by assistant
		out.Projects = append(out.Projects, projectTag{g.Project, g.ProjectName})
	}
	out.Projects = slices.Compact(out.Projects)
	out.Speakers, err = memory.In(tx).Speakers("", maxSpeakers)
	return err
}

// addDays adds the days up to one on which something happened.
func (out *timelinePage) addDays(tracks []track, until string, zone *time.Location) error {
	cursor := time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)
	if until != "" {
		_, cursor = dayBounds(until, zone)
	}
	for looked := 0; ; looked++ {
		last, err := latestMoment(tracks, cursor)
		if err != nil || last.IsZero() {
			return err
		}
		day := dayOf(last, zone)
		if len(out.Days) == daysPage || looked == maxDays {
			out.Next = day
			return nil
		}
		output, err := describeDay(tracks, day, zone, window{0, itemsPerDay})
		if err != nil {
			return err
		}
		if len(output.Parts) > 0 {
			out.Days = append(out.Days, output)
		}
		cursor, _ = dayBounds(day, zone)
	}
}

func latestMoment(tracks []track, until time.Time) (latest time.Time, err error) {
	for _, s := range tracks {
		last, err := s.last(until)
		if err != nil {
			return latest, err
		}
		if last.After(latest) {
			latest = last
		}
	}
	return latest, nil
}

func describeDay(tracks []track, day string, zone *time.Location, p window) (timelineDay, error) {
	output := timelineDay{Day: day, Parts: []timelinePart{}}
	from, until := dayBounds(day, zone)
	for _, s := range tracks {
		part, err := s.items(from, until, p)
		if err != nil {
			return output, err
		}
		if part.Kind = s.kind; part.Total > 0 || part.Cut {
			output.Parts = append(output.Parts, part)
		}
	}
	return output, nil
}

// readTimeZone is the reader's time zone.
func (q *query) readTimeZone() *time.Location {
	zone, err := time.LoadLocation(q.values.Get("zone"))
	if err != nil {
		q.reject("zone must be the name of a time zone such as Europe/Zurich.")
		return time.UTC
	}
	return zone
}

// readDay is a day such as 2026-01-31, or empty.
func (q *query) readDay(name string, zone *time.Location) string {
	value := q.values.Get(name)
	if value == "" {
		return ""
	}
	if _, err := time.ParseInLocation(time.DateOnly, value, zone); err != nil {
		q.reject("%s must be a day such as 2026-01-31.", name)
	}
	return value
}

// dayBounds are the first moment of a day and that of the next.
func dayBounds(day string, zone *time.Location) (from, until time.Time) {
	date, _ := time.Parse(time.DateOnly, day) // it was read before
	return startOfDay(date, zone), startOfDay(date.AddDate(0, 0, 1), zone)
}

// startOfDay is the first moment of a day. Where clocks change there may be no midnight, or
// two of them.
func startOfDay(date time.Time, zone *time.Location) time.Time {
	const quarter = 15 * time.Minute // clocks change by whole quarters of an hour
	day := date.Format(time.DateOnly)
	first := time.Date(date.Year(), date.Month(), date.Day(), 0, 0, 0, 0, zone)
	for first.Format(time.DateOnly) < day {
		first = first.Add(quarter)
	}
	for first.Add(-quarter).Format(time.DateOnly) == day {
		first = first.Add(-quarter)
	}
	return first
}

// dayOf is the day within whose bounds a moment is: not always that of its date, where
// clocks were set back over midnight.
func dayOf(moment time.Time, zone *time.Location) string {
	local := moment.In(zone)
	day := local.Format(time.DateOnly)
	switch from, until := dayBounds(day, zone); {
	case moment.Before(from):
		return local.AddDate(0, 0, -1).Format(time.DateOnly)
	case !moment.Before(until):
		return local.AddDate(0, 0, 1).Format(time.DateOnly)
	}
	return day
}

// newPartFinder makes the part of a day of all its things that are found, of which only some are
// described.
func newPartFinder[Row, Shown any](find func(from, until time.Time) (all []Row, cut bool, err error), describe func([]Row) ([]Shown, error)) func(from, until time.Time, p window) (timelinePart, error) {
	return func(from, until time.Time, p window) (timelinePart, error) {
		all, cut, err := find(from, until)
		out := timelinePart{Items: []any{}, Total: len(all), Cut: cut}
		rows := all[min(p.skip, len(all)):min(p.skip+p.limit, len(all))]
		if err != nil || len(rows) == 0 {
			return out, err
		}
		shown, err := describe(rows)
		items := make([]any, len(shown))
		for i, s := range shown {
			items[i] = s
		}
		out.Items = items
		return out, err
	}
}
