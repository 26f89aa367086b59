package language

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

type dateWords struct{ year, month, day string }

// isoDate reads 2023-05-03, also in front of a time of day. Other orders are
// ambiguous between countries and stay numbers.
func isoDate(chunk string) (dateWords, bool) {
	if len(chunk) < 10 || chunk[4] != '-' || chunk[7] != '-' {
		return dateWords{}, false
	}
	if len(chunk) > 10 && chunk[10] != 'T' {
		return dateWords{}, false
	}
	t, err := time.Parse(time.DateOnly, chunk[:10])
	if err != nil {
		return dateWords{}, false
	}
	return dateWords{
		year:  strconv.Itoa(t.Year()),
		month: strings.ToLower(t.Month().String()),
		day:   strconv.Itoa(t.Day()),
	}, true
}

var (
	germanMonths   = strings.Fields("januar februar marz april mai juni juli august september oktober november dezember")
	germanWeekdays = strings.Fields("sonntag montag dienstag mittwoch donnerstag freitag samstag")
)

// DateTerms gives the index terms under which a day is looked for: its year, its
// day of the month, and the names of its month and weekday in English and in
// German. The zero time has none.
func DateTerms(day time.Time) []string {
	if day.IsZero() {
		return nil
	}
	terms := []string{strconv.Itoa(day.Year()), strconv.Itoa(day.Day())}
	for _, term := range []string{
		Stem(strings.ToLower(day.Month().String())),
		germanStem(germanMonths[day.Month()-1]),
		Stem(strings.ToLower(day.Weekday().String())),
		germanStem(germanWeekdays[day.Weekday()]),
	} {
		if !slices.Contains(terms, term) {
			terms = append(terms, term)
		}
	}
	return terms
}

const timeWords = `
	yesterday today tomorrow tonight week weekend month year day morning evening afternoon night ago last next recently soon since
	spring summer fall autumn winter
	gestern heute morgen vorgestern ubermorgen woche wochenende monat jahr tag abend nachmittag nacht letzte nachste neulich bald seit
	fruhling sommer herbst`

// timeTerms are the index terms that place something in time, made at the first
// search: a start does not wait for them.
var timeTerms = sync.OnceValue(timeTable)

// IsTime reports whether an index term places something in time.
func IsTime(term string) bool { return timeTerms()[term] }

func timeTable() map[string]bool {
	table := make(map[string]bool)
	for word := range wordSet(timeWords) {
		table[Stem(word)] = true
		table[germanStem(word)] = true
	}
	for month := range 12 {
		table[Stem(strings.ToLower(time.Month(month+1).String()))] = true
		table[germanStem(germanMonths[month])] = true
	}
	for weekday := range 7 {
		table[Stem(strings.ToLower(time.Weekday(weekday).String()))] = true
		table[germanStem(germanWeekdays[weekday])] = true
	}
	for year := 1900; year < 2100; year++ {
		table[strconv.Itoa(year)] = true
	}
	return table
}
