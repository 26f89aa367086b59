package language

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// parseISODate reads 2023-05-03, also in front of a time of day. Other orders are
// ambiguous between countries and stay numbers.
func parseISODate(chunk string) (day time.Time, ok bool) {
	if len(chunk) < len(time.DateOnly) || chunk[4] != '-' || len(chunk) > len(time.DateOnly) && chunk[len(time.DateOnly)] != 'T' {
		return day, false
	}
	day, err := time.Parse(time.DateOnly, chunk[:len(time.DateOnly)])
	return day, err == nil
}

// MonthTerm is the index term of a month that the terms of every day of it hold.
func MonthTerm(month time.Month) string { return Stem(strings.ToLower(month.String())) }

// WeekdayTerm is that of a day of the week.
func WeekdayTerm(day time.Weekday) string { return Stem(strings.ToLower(day.String())) }

// monthTerms are the index terms of a month's names in English and in German.
func monthTerms(month time.Month) []string {
	return []string{MonthTerm(month), germanStem(known().germanMonths[month-1])}
}

func weekdayTerms(day time.Weekday) []string {
	return []string{WeekdayTerm(day), germanStem(known().germanWeekdays[day])}
}

// DateTerms gives the index terms under which a day is looked for: its year, its
// day of the month, and the names of its month and weekday in English and in
// German. The zero time has none.
func DateTerms(day time.Time) []string {
	if day.IsZero() {
		return nil
	}
	terms := []string{strconv.Itoa(day.Year()), strconv.Itoa(day.Day())}
	terms = append(terms, monthTerms(day.Month())...)
	terms = append(terms, weekdayTerms(day.Weekday())...)
	return slices.Compact(terms)
}

// IsWeekday reports whether an index term is the name of a day of the week.
func IsWeekday(term string) bool { return slices.Contains(allWeekdayTerms(), term) }

// allWeekdayTerms are stemmed once: a search asks for each of its words.
var allWeekdayTerms = sync.OnceValue(func() (terms []string) {
	for day := time.Sunday; day <= time.Saturday; day++ {
		terms = append(terms, weekdayTerms(day)...)
	}
	return terms
})

// IsTime reports whether an index term places something in time.
func IsTime(term string) bool { return timeTerms()[term] }

// timeTerms are made at the first search: a start does not wait for them.
var timeTerms = sync.OnceValue(func() map[string]bool {
	terms := stemsOfList("time")
	for month := time.January; month <= time.December; month++ {
		terms = append(terms, monthTerms(month)...)
	}
	terms = append(terms, allWeekdayTerms()...)
	for year := 1900; year < 2100; year++ {
		terms = append(terms, strconv.Itoa(year))
	}
	return makeWordSet(terms)
})
