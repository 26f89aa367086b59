package charts

import (
	"cmp"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"time"

	"toolkit/tools"
)

// dateForm is the whole of what a date with a time may look like: a calendar
// date, a time with or without seconds, an optional fraction and an optional zone.
var dateForm = regexp.MustCompile(`^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2}(?:[.,]\d+)?)?(?:Z|([+-]\d{2}):?(\d{2})?)?$`)

// dayForm is the form of a date without a time.
var dayForm = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)

// parseDateIn reads an ISO 8601 date, with or without a time: the calendar must
// have the day, the text must end after the zone, and no zone means UTC. A date
// alone is the end of that day in the given zone: nobody is late on the day itself.
func parseDateIn(text string, zone *time.Location) (time.Time, error) {
	if dayForm.MatchString(text) {
		day, err := time.ParseInLocation(time.DateOnly, text, zone)
		if err != nil {
			return time.Time{}, errors.New("there is no such day")
		}
		return day.AddDate(0, 0, 1).Add(-time.Second), nil
	}
	parts := dateForm.FindStringSubmatch(text)
	if parts == nil {
		return time.Time{}, errors.New("it is not a date as year-month-day, alone or with a time")
	}
	zone = time.UTC
	if hours := parts[4]; hours != "" {
		if strings.HasSuffix(text, ":") {
			return time.Time{}, errors.New("its zone is cut off")
		}
		h, _ := strconv.Atoi(hours[1:]) // two digits each, by the form
		m, _ := strconv.Atoi(parts[5])
		if h > 23 || m > 59 {
			return time.Time{}, errors.New("there is no such time zone")
		}
		offset := h*3600 + m*60
		if hours[0] == '-' {
			offset = -offset
		}
		zone = time.FixedZone("", offset)
	}
	// The layout also takes a fraction of a second.
	t, err := time.ParseInLocation("2006-01-02T15:04:05", parts[1]+"T"+parts[2]+cmp.Or(parts[3], ":00"), zone)
	if err != nil {
		return time.Time{}, errors.New("there is no such day or time")
	}
	return t, nil
}

// checkDate refuses an argument that is no date.
func checkDate(field, text string) error {
	if _, err := parseDateIn(text, time.Local); err != nil {
		return tools.Invalid(tools.CodeFormat, field, "ISO 8601 date",
			"%s %q cannot be used: %s; write it like 2026-06-30 or 2026-06-30T17:00:00Z", field, tools.ShortenForMessage(text), err)
	}
	return nil
}

// ParseDueDate returns when a stored due date of a chart or step falls; ok is false for what an import
// left that is none.
func ParseDueDate(text string) (due time.Time, ok bool) { return ParseDueDateIn(text, time.Local) }

// ParseDueDateIn returns ParseDueDate where a date alone is a day of another zone.
func ParseDueDateIn(text string, zone *time.Location) (due time.Time, ok bool) {
	if due, err := time.Parse(time.RFC3339, text); err == nil { // the form of computed dates, quick to read
		return due, true
	}
	due, err := parseDateIn(text, zone)
	return due, err == nil
}

// CompareDue orders stored due dates by their moments. What has none is due last.
func CompareDue(a, b string) int {
	first, dated := ParseDueDate(a)
	second, other := ParseDueDate(b)
	switch {
	case dated && other:
		return first.Compare(second)
	case dated:
		return -1
	case other:
		return 1
	}
	return 0
}

// isDueAfter reports whether both are due dates and the first falls after the second.
func isDueAfter(due, than string) bool {
	a, dated := ParseDueDate(due)
	b, other := ParseDueDate(than)
	return dated && other && a.After(b)
}

// isPast reports whether a stored due date is over.
func isPast(due string, now time.Time) bool {
	at, ok := ParseDueDate(due)
	return ok && at.Before(now)
}

// formatTimestamp writes a time in the form of every date that the family computes.
func formatTimestamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
