package language

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Index terms are of two kinds. What a text speaks of: d20230506 for a day, w202318
// for a week (of ISO 8601), and for all of them m202305 and y2023, month and year. When it
// was said: s20230506, beside the names of the day that [language.DateTerms] gives.

const (
	// maxListedDays is the longest range of which each day is a term.
	maxListedDays = 3
	// maxWeekDays is the longest range that counts as a week.
	maxWeekDays = 10
	// maxSeasonDays is the longest range that counts as months.
	maxSeasonDays = 100
	// maxYearsBack is how many years a question may mean that names none.
	maxYearsBack = 10
)

// CalendarTerms are the index terms of a text's days: when it was said and what it speaks of.
func CalendarTerms(text string, reference time.Time) []string {
	return CalendarTermsContext(context.Background(), text, reference)
}

// CalendarTermsContext is likewise, and soon returns what it has found when the context ends.
func CalendarTermsContext(ctx context.Context, text string, reference time.Time) []string {
	if reference.IsZero() {
		return nil
	}
	terms := append(DateTerms(reference), reference.Format("s20060102"))
	for _, n := range readDates(ctx, text, dateReader{reference: midnight(reference), furthest: maxYearlessDistance}) {
		for _, term := range n.mentionTerms() {
			if !slices.Contains(terms, term) {
				terms = append(terms, term)
			}
		}
	}
	return terms
}

// mentionTerms are the terms of a text that names these days.
func (n DateRange) mentionTerms() (terms []string) {
	switch span := n.countDays(); {
	case span <= maxListedDays:
		terms = n.formatDays("d20060102")
	case span <= maxWeekDays:
		terms = []string{n.formatWeek()}
	}
	if n.countDays() <= maxSeasonDays {
		terms = append(terms, n.formatMonths("m200601")...)
	}
	for year := n.From.Year(); year <= n.To.Year(); year++ {
		terms = append(terms, fmt.Sprintf("y%d", year))
	}
	return terms
}

func (n DateRange) formatDays(layout string) (terms []string) {
	for day := n.From; !day.After(n.To); day = day.AddDate(0, 0, 1) {
		terms = append(terms, day.Format(layout))
	}
	return terms
}

// formatWeek returns the week that holds the middle of the range.
func (n DateRange) formatWeek() string {
	year, week := n.From.AddDate(0, 0, n.countDays()/2).ISOWeek()
	return fmt.Sprintf("w%d%02d", year, week)
}

func (n DateRange) formatMonths(layout string) (terms []string) {
	for month := n.From.AddDate(0, 0, 1-n.From.Day()); !month.After(n.To); month = month.AddDate(0, 1, 0) {
		terms = append(terms, month.Format(layout))
	}
	return terms
}

// DateQuery is what a question names: the terms of texts that speak of it, and of those
// that were said then. A question that gives the date itself finds what was said
// then by the names of the day; one that counts from today, or names a season, which
// no day is called by, needs Said.
type DateQuery struct {
	Spoken, Said []string
	Named        bool              // a month or a year, by its name
	Counted      bool              // from today, in words that a text of another day may have too
	Words        []string          // of the question, by which it is named
	Names        map[string]string // those of months and weekdays: the index terms of days that are called so

	then []string // beginnings of the terms of what was said then
}

// MatchesTerm reports whether a term says that a text was said then.
func (a DateQuery) MatchesTerm(term string) bool {
	return slices.ContainsFunc(a.then, func(then string) bool { return strings.HasPrefix(term, then) })
}

// Terms are those of texts that speak of the days or were said then, as far as each has
// its own.
func (a DateQuery) Terms() []string {
	days := slices.DeleteFunc(slices.Clone(a.then), func(term string) bool { return len(term) < len("s20060102") })
	return slices.Concat(a.Spoken, a.Said, days)
}

// NamesExactDays reports whether it is days by their date, whose words say nothing else: those of
// a month or season may also be what a text is about.
func (a DateQuery) NamesExactDays() bool { return !a.Counted && !a.Named && a.Said == nil }

// ParseDateQuestion reads a question that is asked now. Where it names no year, any of the last
// ones may be meant.
func ParseDateQuestion(question string, now time.Time) (list []DateQuery) {
	for _, n := range readDates(context.Background(), question, dateReader{reference: midnight(now), unknown: now.IsZero(), furthest: yearOfDays, asked: true}) {
		a := DateQuery{Counted: n.Counted, Words: Words(n.words), Names: n.names}
		back := 0
		if n.Yearless {
			back = maxYearsBack
		}
		for years := 0; years <= back; years++ {
			a.addRangeTerms(DateRange{From: n.From.AddDate(-years, 0, 0), To: n.To.AddDate(-years, 0, 0)})
		}
		switch {
		case n.season && n.Yearless:
			a.Said = n.monthNames()
			a.then = append(a.then, a.Said...)
		case !n.Counted && !n.season:
			a.Said, a.Named = nil, n.countDays() > maxWeekDays
		}
		list = append(list, a)
	}
	return list
}

// monthNames are the index terms of the months, in whatever year.
func (n DateRange) monthNames() (terms []string) {
	for month := n.From; !month.After(n.To); month = month.AddDate(0, 1, 0) {
		terms = append(terms, MonthTerm(month.Month()))
	}
	return terms
}

func (a *DateQuery) addRangeTerms(n DateRange) {
	switch span := n.countDays(); {
	case span <= maxWeekDays:
		a.Spoken = append(a.Spoken, append(n.formatDays("d20060102"), n.formatWeek())...)
		a.Said = append(a.Said, n.formatDays("s20060102")...)
		a.then = append(a.then, n.formatDays("s20060102")...)
	case span <= maxSeasonDays:
		a.Spoken = append(a.Spoken, n.formatMonths("m200601")...)
		a.Said = append(a.Said, n.formatDays("s20060102")...)
		a.then = append(a.then, n.formatMonths("s200601")...)
	default:
		a.Spoken = append(a.Spoken, fmt.Sprintf("y%d", n.From.Year()))
		a.then = append(a.then, fmt.Sprintf("s%d", n.From.Year()))
	}
}
