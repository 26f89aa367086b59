package language

import (
	"context"
	"slices"
	"time"

	"toolkit/internal/lazyregexp"
)

// FindDueDay returns the day on which something that is no plan is due. A day by which something is to
// be done always counts, also as the last one of a week or a month; any other day only where
// each is wanted. A weekday alone counts where somebody says what he does then: "I continue on Monday".
func FindDueDay(text string, reference time.Time, each bool) (day time.Time, named bool) {
	inPerson := hasListedWord(text, "first persons")
	certain := willDo().MatchString(text) || inPerson && hasListedWord(text, "resuming words") || each && (AnnouncesChange(text) || AnnouncesMove(text))
	return findDayAhead(text, reference, func(n DateRange) bool {
		if n.alone {
			return certain || inPerson && n.hasTurn
		}
		return n.deadline || each && (n.joined || n.From.Equal(n.To)) && !n.opens
	})
}

// willDo finds what words alone do not tell: "I'll paint the fence", "I do that on Friday".
var willDo = lazyregexp.New(`(?i)\b(?:i|we)(?:['’]ll| do (?:it|that|this))\b`)

// IsOpenWork reports whether a text says that something is to be done, and not only that something
// takes place: a letter to be sent waits when its day is past, a visit to the dentist does not.
func IsOpenWork(text string) bool {
	return IsInstruction(text) || willDo().MatchString(text) || hasListedWord(text, "working words") || hasListedWord(text, "deadline words")
}

// TakesEffectAfter reports whether a text that was said on a day holds only from a day on that has not
// come: "from January on".
func TakesEffectAfter(text string, reference, now time.Time) bool {
	r := dateReader{ctx: context.Background(), reference: midnight(reference), furthest: yearOfDays, tokens: splitDateTokens(context.Background(), text)}
	for i := range dateVocabularies() {
		r.vocabulary = &dateVocabularies()[i]
		for at := range r.tokens {
			if !isListed("starting words", r.tokens[at].word) {
				continue
			}
			if start, end := r.dateStartAt(r.skipSmallWords(at + 1)); end > 0 && !r.isRangeWord(end) && start.After(midnight(now)) {
				return true
			}
		}
	}
	return false
}

// dateStartAt returns the first of the days that stand at a place, and where their words end; 0: none do.
func (r *dateReader) dateStartAt(at int) (start time.Time, end int) {
	if at >= len(r.tokens) {
		return start, 0
	}
	if days, words := r.dateAt(at); words > 0 {
		return days.From, at + words
	}
	if m := r.matchAt(at); m.words > 0 {
		if days, ok := r.resolvePhrase(m); ok {
			return days.From, at + m.words
		}
	}
	if weekday, known := r.vocabulary.names["WEEKDAY"][r.tokens[at].word]; known {
		return r.nextWeekday(weekday), at + 1
	}
	if month, known := r.vocabulary.names["MONTH"][r.tokens[at].word]; known && len(r.tokens[at].word) >= minMonthLength {
		first := time.Date(r.reference.Year(), time.Month(month+1), 1, 0, 0, 0, 0, time.UTC)
		if first.Month() < r.reference.Month() {
			first = first.AddDate(1, 0, 0)
		}
		return first, at + 1
	}
	return start, 0
}

// skipSmallWords returns the place behind articles and the like.
func (r *dateReader) skipSmallWords(at int) int {
	for at < len(r.tokens) && isListed("small words of days", r.tokens[at].word) {
		at++
	}
	return at
}

// isRangeWord reports whether "to" or the like stands at a place: what comes before it is the first of two.
func (r *dateReader) isRangeWord(at int) bool {
	return at < len(r.tokens) && isListed("reaching words", r.tokens[at].word)
}

// wordBefore is the word before a place, but for articles and the like, and for the weekday of the date of a plan. In
// "antes del" it is the first: what is to be done before a day leaves none behind.
func (r *dateReader) wordBefore(at int) string {
	for at--; at >= 0; at-- {
		word := r.tokens[at].word
		_, weekday := r.vocabulary.names["WEEKDAY"][word]
		leaving := isListed("leaving words", word)
		small := isListed("small words of days", word) && !leaving || r.plan && (weekday || word == ",")
		if !small && !(leaving && at > 0 && isListed("deadline words", r.tokens[at-1].word)) {
			return word
		}
	}
	return ""
}

// classifyRange says what the days of some words are to their sentence.
func (r *dateReader) classifyRange(n *DateRange, at, words int) {
	before := r.wordBefore(at)
	n.deadline = isListed("deadline words", before) || isListed("deadline words", r.tokens[at].word)
	n.left = isListed("leaving words", before) && (r.isRangeWord(at+words) && r.announcesChange() || !isListed("starting words", before))
	n.opens = isListed("starting words", before)
}

// announcesChange reports whether the text puts something in the place of what was said before.
func (r *dateReader) announcesChange() bool {
	return slices.ContainsFunc(r.tokens, func(t dateToken) bool {
		return isListed("changing words", t.word) || r.plan && isListed("moving words", t.word)
	})
}

// isRecurring reports whether a text says what is so again and again.
func isRecurring(text string) bool {
	words := Words(text)
	for i, word := range words {
		onward := i > 0 && isListed("starting words", words[i-1]) && isListed("onward words", word)
		if onward || isListed("regular words", word) {
			return true
		}
	}
	return false
}
