package memory

import (
	"time"

	"toolkit/store/memory"
	"toolkit/tools"
)

// formatTimestamp returns the form of every time in results: RFC 3339, UTC.
func formatTimestamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// parseISO reads an ISO 8601 date or date and time.
func parseISO(text string) (time.Time, bool) {
	t, ok := tools.ParseZonedTime(text)
	return t.UTC(), ok
}

// localTimeOfTurn is when a row was said, on the clock of where that was: the day of who says
// "today" may be another than that of Greenwich.
func localTimeOfTurn(row memory.Row) time.Time {
	if local := parseMetadataFacts(row.Metadata).local; local.UnixMilli() == row.At.UnixMilli() {
		return local
	}
	return row.At
}

// parseTimeBound reads an argument that bounds a time; empty leaves it open.
func parseTimeBound(field, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if t, ok := parseISO(text); ok {
		if t.IsZero() { // which would leave it open
			t = t.Add(1)
		}
		return t, nil
	}
	return time.Time{}, tools.Invalid(tools.CodeFormat, field, "ISO 8601", "%s is not a date; write YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ", field)
}

// parseTimeRange reads both bounds of a range and refuses one that is empty.
func parseTimeRange(afterField, after, beforeField, before string) (from, to time.Time, err error) {
	if from, err = parseTimeBound(afterField, after); err != nil {
		return from, to, err
	}
	if to, err = parseTimeBound(beforeField, before); err != nil {
		return from, to, err
	}
	if !from.IsZero() && !to.IsZero() && !from.Before(to) {
		return from, to, tools.Invalid(tools.CodeInvalid, beforeField, "after "+afterField, "%s is not later than %s, so nothing can lie between; swap or widen them", beforeField, afterField)
	}
	return from, to, nil
}
