package extract

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"toolkit/tools/engines/document/value"
)

// due is the day that a sentence names from i on, counted from the day of the turn. Two days that
// are not the same give none: a wrong one would be worse.
func (r *reading) due(s sentence, i int) (day time.Time, ok bool) {
	if r.turn.At.IsZero() {
		return day, false
	}
	for from := i; from < len(s)-1; {
		to := from + 1
		for to < len(s) && s.hasWord(to, to+1, "divides") < 0 {
			to++
		}
		if days, clear := r.days(s, from, to); len(days) > 0 || !clear {
			return agreed(days), clear && !agreed(days).IsZero()
		}
		from = to
	}
	return day, false
}

// falls is the date on which something falls that is to be kept: "the demo is on December 3". A
// weekday alone may be any week's, and nothing falls where it was; zero for none.
func (r *reading) falls(s sentence, m match) (day time.Time) {
	end := s.clauseEnd(m.end)
	if s.hasWord(m.end, end, "falls on") < 0 || r.turn.At.IsZero() {
		return day
	}
	days, clear := r.days(s, m.end, end)
	if !clear || slices.ContainsFunc(days, func(d named) bool { return d.weekday }) && len(days) == 1 {
		return day
	}
	return agreed(days)
}

// dueBy is the day that something has to be done by: one right behind a word of the list.
func (r *reading) dueBy(s sentence, i int) (day time.Time, ok bool) {
	for i = s.hasWord(i, len(s), "by"); i >= 0; i = s.hasWord(i+1, len(s), "by") {
		if days, clear := r.days(s, i, min(i+nearBy, len(s))); clear && len(days) > 0 {
			return r.due(s, i)
		}
	}
	return day, false
}

// nearBy is how many words a day takes at most behind its "by": "by the end of next month".
const nearBy = 7

// named is a day that a sentence names. A weekday alone may be any week's.
type named struct {
	day     time.Time
	weekday bool
}

// agreed is the one day that all of them mean, zero if they do not. A weekday means the date on
// which it falls: "Friday, October 16".
func agreed(days []named) (one time.Time) {
	for _, d := range days {
		if d.weekday && slices.ContainsFunc(days, func(o named) bool { return !o.weekday && o.day.Weekday() == d.day.Weekday() }) {
			continue
		}
		if !one.IsZero() && !one.Equal(d.day) {
			return time.Time{}
		}
		one = d.day
	}
	return one
}

// days are those named from one token up to another; not clear when one of them can be read in two
// ways.
func (r *reading) days(s sentence, from, to int) (days []named, clear bool) {
	at := r.turn.At
	today := time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, at.Location())
	offset := s[from].start
	dates := value.FindDates(r.said.Text[offset:s[to-1].end], value.UnknownOrder)
	for i := from; i < to; i++ {
		if s[i].mark || s[i].aside {
			continue
		}
		for len(dates) > 0 && offset+dates[0].Start < s[i].start {
			dates = dates[1:]
		}
		var day named
		var end int
		var known bool
		switch {
		case len(dates) > 0 && offset+dates[0].Start == s[i].start:
			day.day, _ = time.ParseInLocation(time.DateOnly, dates[0].ISO, at.Location())
			known = !dates[0].Ambiguous
			for end = i; end < to && s[end].start < offset+dates[0].End; end++ {
			}
		default:
			day, end, known = s.dayAt(i, today)
		}
		if end > i && !known {
			return nil, false
		}
		if known && !day.day.Before(today) && s.hasWord(s.before(i), i, "not due") < 0 {
			days = append(days, day)
		}
		i = max(i, end-1)
	}
	return days, true
}

// before is the place of the word in front of i and of its article.
func (s sentence) before(i int) int {
	if i--; i > 0 && words("articles")[s[i].word] {
		i--
	}
	return max(i, 0)
}

// dayAt reads the day that is named at i, and where its name ends: at i when there is none.
func (s sentence) dayAt(i int, today time.Time) (day named, end int, known bool) {
	if day.day, end, known = s.dayAndMonth(i, today); end > i {
		return day, end, known
	}
	if n := s.phraseAt(i, "end of"); n > 0 {
		day.day, known = s.monthEnd(i+n, today)
		return day, i + n, known
	}
	if day.day, known = s.dayOfMonth(i, today); known {
		return day, i + 1, true
	}
	days, known := s.daysAhead(i, today)
	if !known || i+1 < len(s) && s[i+1].is("s") { // "Friday's notes"
		return day, i, false
	}
	_, day.weekday = weekday(s[i].word)
	day.day = today.AddDate(0, 0, days)
	if day.weekday && s.phraseAt(i+1, "other weeks") > 0 { // "the Friday after next"
		return day, i + 1, false
	}
	return day, i + 1, true
}

// dayAndMonth reads "15 April", "April 15th", "16th of October" and, behind a word that leads to a
// day, "15.4.": the next one, today included. Elsewhere 1.7 is a number.
func (s sentence) dayAndMonth(i int, today time.Time) (day time.Time, end int, known bool) {
	for end := i + 1; end <= min(i+3, len(s)-1) && !s[end-1].mark; end++ {
		written := ordinal(s[i].word)
		switch {
		case end == i+1 && s.hasWord(s.before(i), i, "leads to a day") < 0, end == i+3 && !words("of")[s[i+1].word]:
			continue
		case end > i+1:
			written += " " + ordinal(s[end-1].word)
		}
		date, ok := value.ParseDayMonth(written, value.UnknownOrder, func(int) int { return today.Year() })
		if !ok {
			continue
		}
		day, err := time.ParseInLocation(time.DateOnly, date.ISO, today.Location())
		if day.Before(today) {
			day = day.AddDate(1, 0, 0)
		}
		return day, end, err == nil
	}
	return day, i, false
}

// dayOfMonth reads "the 20th", and "20" behind an article or a weekday, where nothing follows: the
// next one.
func (s sentence) dayOfMonth(i int, today time.Time) (day time.Time, known bool) {
	number, err := strconv.Atoi(ordinal(s[i].word))
	ends := s.mark(i+1) || s.hasWord(i+1, i+2, "divides") > 0 || i > 0 && ordinal(s[i].word) != s[i].word && (words("leads to a day")[s[i-1].word] || s[i-1].is("den")) && !s[i+1].capital
	if err != nil || i == 0 || !ends || s[i-1].is("las") || number < 1 || number > 31 {
		return day, false
	}
	_, behindWeekday := weekday(s[s.before(i)].word)
	if ordinal(s[i].word) == s[i].word && !behindWeekday && !words("articles")[s[i-1].word] {
		return day, false
	}
	for month := today.Month(); ; month++ {
		day = time.Date(today.Year(), month, number, 0, 0, 0, 0, today.Location())
		if day.Day() == number && !day.Before(today) {
			return day, true
		}
	}
}

// monthEnd is the last day of the month at i, or of this one: "the end of the month".
func (s sentence) monthEnd(i int, today time.Time) (day time.Time, known bool) {
	if words("months")[s[i].word] {
		return time.Date(today.Year(), today.Month()+1, 0, 0, 0, 0, 0, today.Location()), true
	}
	date, ok := value.ParseDayMonth("1 "+s[i].word, value.UnknownOrder, func(int) int { return today.Year() })
	first, err := time.ParseInLocation(time.DateOnly, date.ISO, today.Location())
	if !ok || err != nil {
		return day, false
	}
	year, err := strconv.Atoi(s[min(i+1, len(s)-1)].word)
	if err == nil && year >= 1000 {
		first = first.AddDate(year-first.Year(), 0, 0)
	} else if first.AddDate(0, 1, -1).Before(today) {
		first = first.AddDate(1, 0, 0)
	}
	return first.AddDate(0, 1, -1), true
}

// ordinal takes the ending from 15th.
func ordinal(word string) string {
	for _, ending := range []string{"st", "nd", "rd", "th", "er", "re"} {
		if number, ok := strings.CutSuffix(word, ending); ok {
			if _, err := strconv.Atoi(number); err == nil {
				return number
			}
		}
	}
	return word
}

// daysAhead reads "tomorrow", "Friday", "next Friday" and "in three weeks".
func (s sentence) daysAhead(i int, at time.Time) (int, bool) {
	word := s[i].word
	if days, err := strconv.Atoi(table("days")[word]); err == nil {
		return days, true
	}
	if weekday, ok := weekday(word); ok {
		days := (int(weekday-at.Weekday())+6)%7 + 1 // today's name means the next one
		if i > 0 && words("next")[s[i-1].word] && mondays(weekday) > mondays(at.Weekday()) {
			days += 7 // "next Friday" is none of this week
		}
		return days, true
	}
	unit, err := strconv.Atoi(table("units")[word])
	if err != nil || i < 2 || !words("ahead")[s[i-2].word] {
		return 0, false
	}
	number := s[i-1].word
	if digits, ok := table("numbers")[number]; ok {
		number = digits
	}
	count, err := strconv.Atoi(number)
	return count * unit, err == nil && count > 0 && count <= 366
}

// mondays counts from Monday, where a week begins.
func mondays(day time.Weekday) int { return (int(day) + 6) % 7 }

func weekday(word string) (time.Weekday, bool) {
	i := slices.IndexFunc(lists()["weekdays"], func(names string) bool {
		return slices.Contains(strings.Fields(names), word)
	})
	return time.Weekday(i), i >= 0
}
