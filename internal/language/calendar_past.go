package language

import (
	"context"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"toolkit/fixtures"
)

// FindPastDays returns the days of which a question asks what was done. A weekday alone is the last one
// of its name, and a day without a year that is to come is that of the year before. What is surely to
// come is left out.
func FindPastDays(question string, now time.Time) (list []DateRange) {
	today := midnight(now)
	for _, n := range readPastDates(question, today) {
		if n.From.After(today) && n.Yearless {
			n.From, n.To = n.From.AddDate(-1, 0, 0), n.To.AddDate(-1, 0, 0)
		}
		if !n.From.After(today) {
			list = append(list, n)
		}
	}
	return list
}

// ReplacePastDays returns a question with one word for each of its days that are over or last until today.
// Whoever judges what it asks for need not know every way in which a day is named.
func ReplacePastDays(question string, now time.Time, word string) string {
	var b strings.Builder
	at, today := 0, midnight(now)
	for _, n := range readPastDates(question, today) {
		if n.From.After(today) || n.start < at {
			continue
		}
		b.WriteString(question[at:n.start])
		b.WriteString(word)
		at = n.end
	}
	return b.String() + question[at:]
}

func readPastDates(question string, today time.Time) []DateRange {
	return readDates(context.Background(), question, dateReader{reference: today, furthest: yearOfDays, asked: true, past: true})
}

// Contains reports whether something that lasted from one time to another, each in its own zone, was on one of these days.
func (n DateRange) Contains(from, to time.Time) bool {
	return !midnight(from).After(n.To) && !midnight(to).Before(n.From)
}

// slashedDay reads 24/11 or 11/24. Where both numbers may be months, the language of the text decides, and
// in English the country that the machine is set to.
func (r *dateReader) slashedDay(word string) (DateRange, bool) {
	first, second, found := strings.Cut(word, "/")
	a, errFirst := strconv.Atoi(first)
	b, errSecond := strconv.Atoi(second)
	if !found || errFirst != nil || errSecond != nil || len(word) > len("11/24") {
		return DateRange{}, false
	}
	const months = 12
	day, month := a, b
	switch {
	case b > months:
		day, month = b, a
	case a > months || a == b:
	case r.guessed || r.vocabulary.language == Unknown && len(r.vocabulary.signs) == 0: // no language is known
		return DateRange{}, false
	case r.vocabulary.language == English:
		monthFirst, known := readMonthOrder()
		if !known {
			return DateRange{}, false
		}
		if monthFirst {
			day, month = b, a
		}
	}
	values := map[string]int{"DAY": day, "MONTH": month}
	return r.nearestYear(func(year int) (DateRange, bool) { return phraseMatch{values: values}.rangeInYear("date", year) })
}

// readMonthOrder reports whether the country that the machine is set to writes the month before the day.
func readMonthOrder() (monthFirst, known bool) {
	for _, name := range []string{"LC_ALL", "LC_TIME", "LANG"} {
		if locale := os.Getenv(name); locale != "" {
			_, country, named := strings.Cut(locale, "_")
			return strings.HasPrefix(country, "US") || strings.HasPrefix(country, "PH"), named
		}
	}
	return false, false
}

// isRunTogether reports whether a letter belongs to a script in which the name of a day may have a neighbour
// without a blank.
func isRunTogether(r rune) bool { return isUnspaced(r) || unicode.Is(unicode.Hangul, r) }

// splitRunTogether cuts such letters, which begin at a place of their text, into the words that name days
// and what stands between them.
func splitRunTogether(run string, start int) (list []dateToken) {
	unknown := 0 // where the letters begin that no word has
	flush := func(end int) {
		if unknown < end {
			list = append(list, dateToken{word: Fold(run[unknown:end]), start: start + unknown, end: start + end})
		}
	}
	for at := 0; at < len(run); {
		word := longestRunTogether(run[at:])
		if word == "" {
			_, size := utf8.DecodeRuneInString(run[at:])
			at += size
			continue
		}
		flush(at)
		list = append(list, dateToken{word: Fold(word), start: start + at, end: start + at + len(word)})
		at += len(word)
		unknown = at
	}
	flush(len(run))
	return list
}

// longestRunTogether returns the longest word of days with which a text begins.
func longestRunTogether(text string) string {
	for _, word := range runTogetherWords() {
		if strings.HasPrefix(text, word) {
			return word
		}
	}
	return ""
}

// runTogetherWords are the words of days in such scripts, the longest first.
var runTogetherWords = sync.OnceValue(func() (words []string) {
	for name, list := range fixtures.WordLists("calendar") {
		if !strings.HasPrefix(name, "eastern ") {
			continue
		}
		for _, line := range list {
			pattern, _, _ := strings.Cut(line, ": ")
			words = append(words, strings.FieldsFunc(pattern, func(r rune) bool { return !isRunTogether(r) && !unicode.IsMark(r) })...)
		}
	}
	slices.SortFunc(words, func(a, b string) int { return len(b) - len(a) })
	return words
})

// numberedMonth returns the length of the sign that makes a month of the number before it: 11月, 11월; 0: none.
func numberedMonth(text string) int {
	for _, sign := range []string{"月", "월"} {
		if strings.HasPrefix(text, sign) {
			return len(sign)
		}
	}
	return 0
}
