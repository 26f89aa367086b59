package language

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// readDayNumbers reads what plans write in digits: 27.11., 4/12, 4.12.26, and 4-20 for two days. A number of a
// version looks the same, so that a word, a weekday or a time of day beside it has to tell that it is a day.
func readDayNumbers(text string, tokens []dateToken, today time.Time) (list []dateToken) {
	for _, t := range joinGermanDays(tokens) {
		list = append(list, splitDayRange(t)...)
	}
	list = joinLines(text, list)
	for i := 0; i < len(list); i++ {
		if t := &list[i]; t.month == 0 && isDayBeside(list, i) {
			t.readDayNumber(today)
		}
		if dotted := i+1 < len(list) && list[i+1].word == "." && list[i+1].start == list[i].start; dotted && list[i].month > 0 {
			list = slices.Delete(list, i+1, i+2)
		}
	}
	return list
}

// joinLines marks the tokens that a line joins with the one before.
func joinLines(text string, tokens []dateToken) (list []dateToken) {
	end := 0
	for _, t := range tokens {
		if t.mark && strings.Contains("–—~〜", t.word) {
			continue
		}
		if between := text[min(end, t.start):t.start]; strings.ContainsAny(between, "-–—~〜") {
			t.line, t.spaced = true, strings.Contains(between, " ")
		}
		end = t.end
		list = append(list, t)
	}
	return list
}

// splitDayRange cuts "4-20", "21.12.-2.1" and the like at its line.
func splitDayRange(t dateToken) []dateToken {
	first, second, found := strings.Cut(t.word, "-")
	if !found || !t.date.IsZero() || strings.Trim(t.word, "0123456789./-") != "" || strings.Contains(second, "-") || first == "" || second == "" {
		return []dateToken{t}
	}
	list := append(digitTokens(first), digitTokens(second)...)
	second = strings.TrimRight(second, ".")
	for i := range list {
		list[i].start, list[i].end = t.start, t.end
		list[i].line = list[i].word == second && i > 0
	}
	return list
}

// joinGermanDays makes one token of the three as which a day was read behind a German word.
func joinGermanDays(tokens []dateToken) (list []dateToken) {
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		if i+2 < len(tokens) && t.number > 0 && tokens[i+2].start == t.start && tokens[i+1].mark {
			if month := slices.Index(known().germanMonths, tokens[i+2].word); month >= 0 {
				t.month, i = month+1, i+2
			}
		}
		list = append(list, t)
	}
	return list
}

// isDayBeside reports whether what stands beside digits tells that they are a day.
func isDayBeside(list []dateToken, i int) bool {
	before, dotted := "", i+1 < len(list) && list[i+1].word == "." && list[i+1].start == list[i].start
	if i > 0 {
		before = list[i-1].word
	}
	after := i + 1
	for after < len(list) && list[after].mark {
		after++
	}
	timed := after < len(list) && (isClock(list[after].word) || isListed("words before times", list[after].word) && after+1 < len(list) && list[after+1].word[0] <= '9')
	next := i + 1
	if dotted {
		next++
	}
	inRange := list[i].line || next < len(list) && list[next].line
	for at := i - 1; at > 0 && isListed("reaching words", list[at].word); at-- {
		inRange = inRange || list[at-1].month > 0
	}
	slashed := strings.Contains(list[i].word, "/")
	switch {
	case isListed("words before days", before), isWeekdayName(before), before == "," && i > 1 && isWeekdayName(list[i-2].word):
		return true
	case isListed("words before dotted days", before):
		return dotted || slashed
	case isListed("words before slashed days", before):
		return slashed
	}
	return (timed || inRange) && (dotted || slashed)
}

func isClock(word string) bool {
	hour, minute, found := strings.Cut(word, ":")
	_, err := strconv.Atoi(hour)
	return found && err == nil && len(minute) == 2
}

// isWeekdayName reports whether a word is a weekday in any language.
func isWeekdayName(word string) bool {
	return slices.ContainsFunc(planVocabularies(), func(v dateVocabulary) bool {
		_, known := v.names["WEEKDAY"][word]
		return known && !v.others[word]
	})
}

// readDayNumber reads a day and a month, the day first, and perhaps the last digits of a year near the day of the text.
func (t *dateToken) readDayNumber(today time.Time) {
	parts := strings.Split(t.word, ".")
	if len(parts) == 3 && len(parts[2]) == 2 {
		year, _ := strconv.Atoi(today.Format("2006")[:2] + parts[2])
		if day, ok := parseDigitDate(parts[0] + "." + parts[1] + "." + strconv.Itoa(year)); ok && year >= today.Year()-1 && year <= today.Year()+1 {
			t.date = day
		}
		return
	}
	if len(parts) != 2 {
		return
	}
	day, errOfDay := strconv.Atoi(parts[0])
	month, errOfMonth := strconv.Atoi(parts[1])
	const leapYear = 2024
	if _, ok := makeDay(leapYear, month, day); errOfDay == nil && errOfMonth == nil && ok {
		t.number, t.month = day, month
	}
}
