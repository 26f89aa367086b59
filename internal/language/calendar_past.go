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
//
// What reaches from one day to another is all of the days between them.
func FindPastDays(question string, now time.Time) (list []DateRange) {
	today := midnight(now)
	for _, n := range joinRanges(question, readPastDates(question, today)) {
		if n.From.After(today) && n.Yearless {
			n.From, n.To = n.From.AddDate(-1, 0, 0), n.To.AddDate(-1, 0, 0)
		}
		if !n.From.After(today) {
			list = append(list, n)
		}
	}
	return list
}

// joinRanges makes one range of two that a question joins: "from Monday to Wednesday", "between the 17th and
// the 25th of November".
func joinRanges(question string, list []DateRange) (joined []DateRange) {
	for _, n := range list {
		if len(joined) > 0 {
			last := &joined[len(joined)-1]
			if reachesTo(question[:last.start], question[last.end:n.start]) && !n.To.Before(last.From) {
				last.To, last.end = n.To, n.end
				continue
			}
		}
		joined = append(joined, n)
	}
	return joined
}

// reachesTo reports whether two days, by what stands before them and between them, mean all days between.
func reachesTo(before, between string) bool {
	words := slices.DeleteFunc(Words(between), func(word string) bool { return isListed("small words of days", word) })
	if len(words) == 0 {
		return strings.TrimSpace(between) == "-"
	}
	enclosed := slices.ContainsFunc(Words(before), func(word string) bool { return isListed("enclosing words", word) })
	if enclosed && len(words) == 1 && isListed("joining words", words[0]) {
		return true
	}
	return !slices.ContainsFunc(words, func(word string) bool { return !isListed("reaching words", word) })
}

// ReplacePastDays returns a question with one word for each of its days that are over or last until today.
// Whoever judges what it asks for need not know every way in which a day is named.
func ReplacePastDays(question string, now time.Time, word string) string {
	var b strings.Builder
	at, today := 0, midnight(now)
	for _, n := range joinRanges(question, readPastDates(question, today)) {
		if n.From.After(today) || n.start < at {
			continue
		}
		b.WriteString(question[at:n.start])
		b.WriteString(word)
		at = n.end
	}
	return b.String() + question[at:]
}

// dropAbbreviationDots removes the points of "Nov. 24" and "24. November".
func dropAbbreviationDots(tokens []dateToken) []dateToken {
	var list []dateToken
	for i, t := range tokens {
		if t.word == "." && i > 0 && i+1 < len(tokens) {
			before, after := tokens[i-1], tokens[i+1]
			if before.number > 0 && isMonthName(after.word) || after.number > 0 && isMonthName(before.word) {
				continue
			}
		}
		list = append(list, t)
	}
	return list
}

func isMonthName(word string) bool {
	return slices.ContainsFunc(dateVocabularies(), func(v dateVocabulary) bool {
		_, known := v.names["MONTH"][word]
		return known
	})
}

// readPastDates reads the days of a question, but for those that something is for, which were to come.
func readPastDates(question string, today time.Time) []DateRange {
	list := readDates(context.Background(), question, dateReader{reference: today, furthest: yearOfDays, asked: true, past: true})
	return slices.DeleteFunc(list, func(n DateRange) bool {
		words := slices.DeleteFunc(Words(question[:n.start]), func(word string) bool { return isListed("small words of days", word) })
		return len(words) > 0 && isListed("purpose words", words[len(words)-1])
	})
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
	return r.rangeInNearestYear(func(year int) (DateRange, bool) { return phraseMatch{values: values}.rangeInYear("date", year) })
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
