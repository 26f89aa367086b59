package recall

import (
	"slices"
	"time"

	"toolkit/internal/language"
	"toolkit/tools"
)

// askedDays are the days of which a question asks what was done.
type askedDays struct {
	named bool                 // the question names days; all of them may be to come
	past  []language.DateRange // those that are over, or last until today
	zone  *time.Location       // of the machine
}

// findAskedDays reads the days of a question by the clock of the machine.
func findAskedDays(q *tools.Question) askedDays {
	now := q.Now.Local()
	past := language.FindPastDays(q.Text, now)
	return askedDays{named: len(past) > 0 || len(q.Days) > 0, past: past, zone: now.Location()}
}

// contain reports whether something that lasted from one time to another was on one of the days.
func (d askedDays) contain(from, to time.Time) bool {
	if from.IsZero() {
		from = to
	}
	return slices.ContainsFunc(d.past, func(n language.DateRange) bool { return n.Contains(from.In(d.zone), to.In(d.zone)) })
}

// concern reports whether a text was said on one of the days, or names nothing but one of them.
func (d askedDays) concern(text string, at time.Time) bool {
	if at.IsZero() {
		return false
	}
	if d.contain(at, at) {
		return true
	}
	for _, spoken := range language.FindDates(truncate(text, maxCandidateLength), at.In(d.zone)) {
		if slices.ContainsFunc(d.past, func(n language.DateRange) bool { return !spoken.From.Before(n.From) && !spoken.To.After(n.To) }) {
			return true
		}
	}
	return false
}

// bounds are the beginning of the first day and the end of the last; both zero: no day is named.
func (d askedDays) bounds() (from, to time.Time) {
	for _, n := range d.past {
		first, end := d.midnight(n.From), d.midnight(n.To.AddDate(0, 0, 1))
		if from.IsZero() || first.Before(from) {
			from = first
		}
		if end.After(to) {
			to = end
		}
	}
	return from, to
}

func (d askedDays) midnight(day time.Time) time.Time {
	return time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, d.zone)
}
