package extract

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"toolkit/tools/engines/document/value"
)

// due finds the first day that is named from i on, counted from the day of the turn.
func (r *reading) due(s sentence, i int) (time.Time, bool) {
	at := r.turn.At
	if at.IsZero() {
		return at, false
	}
	if dates := value.FindDates(r.said.Text[s[i].start:s[len(s)-1].end], value.UnknownOrder); len(dates) > 0 && !dates[0].Ambiguous {
		day, err := time.ParseInLocation(time.DateOnly, dates[0].ISO, at.Location())
		return day, err == nil
	}
	for ; i < len(s); i++ {
		if s[i].mark || s[i].aside {
			continue
		}
		if day, ok := s.dayAndMonth(i, at); ok {
			return day, true
		}
		if days, ok := s.daysAhead(i, at); ok {
			return time.Date(at.Year(), at.Month(), at.Day()+days, 0, 0, 0, 0, at.Location()), true
		}
	}
	return at, false
}

// dayAndMonth reads "15 April", "April 15th" and "15.4.": the next one, today included.
func (s sentence) dayAndMonth(i int, at time.Time) (time.Time, bool) {
	if s.mark(i + 1) {
		return at, false
	}
	first, second := ordinal(s[i].word), ordinal(s[i+1].word)
	for _, written := range []string{first + " " + second, s[i].word} {
		for year := at.Year(); year <= at.Year()+1; year++ {
			date, ok := value.ParseDayMonth(written, value.UnknownOrder, func(int) int { return year })
			if day, err := time.ParseInLocation(time.DateOnly, date.ISO, at.Location()); ok && err == nil && !day.AddDate(0, 0, 1).Before(at) {
				return day, true
			}
		}
	}
	return at, false
}

// ordinal takes the ending from 15th.
func ordinal(word string) string {
	for _, ending := range []string{"st", "nd", "rd", "th"} {
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
