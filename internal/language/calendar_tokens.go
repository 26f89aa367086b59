package language

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// dateToken is a word, a number or a mark.
type dateToken struct {
	word    string // folded; a mark is itself
	number  int    // where the word is one
	month   int    // of a day in digits, 27.11., whose number is the day
	ordinal bool   // 5th, 1er
	date    time.Time
	capital bool
	mark    bool
	line    bool // a line joins it with what stands before
	spaced  bool // with spaces around it
	start   int  // where it begins in the text
	end     int  // where it ends; that of all tokens of one run of digits
}

// splitDateTokens cuts a text into words, numbers, dates of digits and marks, until the context
// ends.
func splitDateTokens(ctx context.Context, text string) (list []dateToken) {
	for at, n := 0, 0; at < len(text); n++ {
		if n%tokensAtOnce == 0 && ctx.Err() != nil {
			return list
		}
		r, size := utf8.DecodeRuneInString(text[at:])
		end := at + size
		switch {
		case r >= '0' && r <= '9':
			end = at + prefixLength(text[at:], isInDigitRun)
			before := ""
			if len(list) > 0 {
				before = list[len(list)-1].word
			}
			if month := numberedMonth(text[end:]); month > 0 && end-at <= 2 {
				end += month
				list = append(list, dateToken{word: Fold(text[at:end]), start: at, end: end})
				break
			}
			tokens := germanDayTokens(before, text[at:end])
			if tokens == nil {
				tokens = digitTokens(text[at:end])
			}
			for _, t := range tokens {
				t.start, t.end = at, end
				list = append(list, t)
			}
		case isRunTogether(r):
			end = at + prefixLength(text[at:], func(r rune) bool { return isRunTogether(r) || unicode.IsMark(r) })
			list = append(list, splitRunTogether(text[at:end], at)...)
		case unicode.IsLetter(r):
			end = at + prefixLength(text[at:], func(r rune) bool {
				return (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_') && !isRunTogether(r)
			})
			list = append(list, dateToken{word: Fold(text[at:end]), capital: unicode.IsUpper(r), start: at, end: end})
		default:
			mark := text[at:end]
			repeated := len(list) > 0 && list[len(list)-1].word == mark // which says no more than one
			if !unicode.IsSpace(r) && !strings.ContainsRune("-'’‐", r) && !repeated {
				list = append(list, dateToken{word: mark, mark: true, start: at, end: end})
			}
		}
		at = end
	}
	return list
}

// isInDigitRun reports whether a rune may stand in what begins with a digit: a date, a version, 5th.
func isInDigitRun(r rune) bool {
	return (unicode.IsLetter(r) || strings.ContainsRune("0123456789./-:", r)) && !isRunTogether(r)
}

func prefixLength(text string, in func(rune) bool) int {
	if end := strings.IndexFunc(text, func(r rune) bool { return !in(r) }); end >= 0 {
		return end
	}
	return len(text)
}

// digitTokens reads what begins with a digit: a date, a number with or without its
// ending, or something else, such as a version, which stays one word.
func digitTokens(run string) []dateToken {
	word := strings.TrimRight(run, "./-:")
	var marks []dateToken
	if word != run {
		marks = []dateToken{{word: run[len(word) : len(word)+1], mark: true}}
	}
	t := dateToken{word: strings.ToLower(word)}
	if day, ok := parseDigitDate(word); ok {
		t.date = day
		return append([]dateToken{t}, marks...)
	}
	for _, ending := range []string{"st", "nd", "rd", "th", "er"} {
		if number, found := strings.CutSuffix(t.word, ending); found && len(number) <= 2 {
			t.number, _ = strconv.Atoi(number)
			t.ordinal = t.number > 0
		}
	}
	if t.number == 0 && len(word) <= 4 {
		t.number, _ = strconv.Atoi(word)
	}
	return append([]dateToken{t}, marks...)
}

// wordsBeforeGermanDays stand before a day without a year: "bis 3.12." is one, "Go 1.12." none.
var wordsBeforeGermanDays = []string{"am", "bis", "zum", "ab", "vom", "den", "dem", "der"}

// germanDayTokens reads a day and a month in digits, each with a point behind it, as the words that
// are said for them; nil: they are none.
func germanDayTokens(before, run string) []dateToken {
	parts := strings.Split(run, ".")
	if len(parts) != 3 || parts[2] != "" || !slices.Contains(wordsBeforeGermanDays, before) {
		return nil
	}
	day, errOfDay := strconv.Atoi(parts[0])
	month, errOfMonth := strconv.Atoi(parts[1])
	const leapYear = 2024
	if _, ok := makeDay(leapYear, month, day); errOfDay != nil || errOfMonth != nil || !ok {
		return nil
	}
	return []dateToken{{word: parts[0], number: day}, {word: ".", mark: true}, {word: known().germanMonths[month-1]}}
}

// parseDigitDate reads 2023-05-06, also before a time of day, 6.5.2023, and 16/5/2023
// and 5/16/2023, which have only one reading.
func parseDigitDate(word string) (day time.Time, ok bool) {
	if len(word) > 10 && word[10] == 'T' {
		word = word[:10]
	}
	separator := strings.IndexAny(word, "./-")
	if separator < 0 || len(word) > 10 {
		return day, false
	}
	parts := strings.Split(word, word[separator:separator+1])
	if len(parts) != 3 {
		return day, false
	}
	var n [3]int
	for i, part := range parts {
		var err error
		if n[i], err = strconv.Atoi(part); err != nil || part == "" {
			return day, false
		}
	}
	switch {
	case len(parts[0]) == 4:
		return makeDay(n[0], n[1], n[2])
	case len(parts[2]) != 4:
		return day, false
	case word[separator] == '.' || n[0] > 12 || n[0] == n[1]:
		return makeDay(n[2], n[1], n[0])
	case n[1] > 12:
		return makeDay(n[2], n[0], n[1])
	}
	return day, false
}

// The years that are read as such.
const firstYear, lastYear = 1900, 2199

// makeDay returns a day of the calendar; not ok when there is none.
func makeDay(year, month, day int) (time.Time, bool) {
	t := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	return t, year >= firstYear && year <= lastYear && month >= 1 && month <= 12 && t.Day() == day && day >= 1
}
