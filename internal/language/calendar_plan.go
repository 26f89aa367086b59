package language

import (
	"context"
	"strings"
	"time"
)

// FindPlannedDay returns the last day of what a plan names first that is not past. A weekday
// alone is the next one of its name. What is so again and again has none, and the day that a
// change leaves behind, or that it is not, is none.
func FindPlannedDay(text string, reference time.Time) (day time.Time, named bool) {
	if isRecurring(text) {
		return day, false
	}
	today := midnight(reference)
	for _, days := range FindDates(text, reference) {
		if !days.To.Before(today) && !days.left {
			return days.To, true
		}
	}
	return findNextWeekday(text, today)
}

// findNextWeekday returns the next day of the first weekday that stands alone: not "every Tuesday", not "from
// Friday to Tuesday", not "not Friday", and not in the plural.
func findNextWeekday(text string, today time.Time) (day time.Time, named bool) {
	r := dateReader{ctx: context.Background(), reference: today, tokens: splitDateTokens(context.Background(), text)}
	for i := range dateVocabularies() {
		r.vocabulary = &dateVocabularies()[i]
		for at := 0; at < len(r.tokens); at++ {
			if m := r.matchAt(at); m.words > 0 {
				at += m.words - 1
				continue
			}
			names, word := r.vocabulary.names["WEEKDAY"], r.tokens[at].word
			weekday, known := names[word]
			if before := r.wordBefore(at); known && isListed("leaving words", before) {
				if r.isRangeWord(at + 1) {
					return day, false // "from Friday to Tuesday"
				}
				known = isListed("starting words", before) // "not Friday, Monday"
			}
			_, isPlural := names[strings.TrimSuffix(word, "s")]
			if known && (!isPlural || !strings.HasSuffix(word, "s")) {
				return r.nextWeekday(weekday), true
			}
		}
	}
	return day, false
}

// nextWeekday returns the first day of a weekday after the day of the text.
func (r *dateReader) nextWeekday(weekday int) time.Time {
	return r.reference.AddDate(0, 0, (weekday-int(r.reference.Weekday())+6)%7+1)
}
