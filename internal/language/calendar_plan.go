package language

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// FindPlannedDay returns the day of what a plan names first that is not past: the first one of days that
// reach from one to another, the last one of a week or a month. A weekday alone is the next one of its
// name; where each of several begins a part of its own, the first to come is meant. What is so again and again has none, and the day that a change leaves behind, or that it is
// not, is none.
func FindPlannedDay(text string, reference time.Time) (day time.Time, named bool) {
	return findDayAhead(text, reference, func(DateRange) bool { return true })
}

// findDayAhead returns the first day of a text that counts and that is still to come.
func findDayAhead(text string, reference time.Time, counts func(DateRange) bool) (day time.Time, named bool) {
	if isRecurring(text) {
		return day, false
	}
	today, inTurn := midnight(reference), false
	for _, n := range readPlanDays(text, today) {
		next := n.dueDay()
		switch {
		case n.left || next.Before(today) || !counts(n):
		case !named:
			day, named, inTurn = next, true, n.hasTurn
		case inTurn && n.hasTurn && next.Before(day):
			day = next
		}
	}
	return day, named
}

// ListDueDays returns the days of something that was said on a day and is first due on another, in order: that day and
// those to which it reaches, and where it is one weekday of a plan the others.
func ListDueDays(text string, said, due time.Time) (list []DateRange) {
	days := readPlanDays(text, midnight(said))
	at := slices.IndexFunc(days, func(n DateRange) bool { return !n.left && n.dueDay().Equal(due) })
	if at < 0 {
		return []DateRange{dayRange(due, 1)}
	}
	for i, n := range days {
		if n.From = n.dueDay(); i == at || days[at].hasTurn && n.hasTurn {
			list = append(list, n)
		}
	}
	slices.SortFunc(list, func(a, b DateRange) int { return a.From.Compare(b.From) })
	return list
}

// FindNextDueDay returns when something that was said on a day and is first due on another is due from today on: what
// has begun on the last of its days, and once all are past on the last of them.
func FindNextDueDay(text string, said, due, today time.Time) (next time.Time) {
	today = midnight(today)
	for _, n := range ListDueDays(text, said, due) {
		if next = n.From; next.Before(today) {
			next = n.To
		}
		if !next.Before(today) {
			break
		}
	}
	return next
}

// dueDay is the day on which something is due on these days.
func (n DateRange) dueDay() time.Time {
	if n.joined {
		return n.From
	}
	return n.To
}

// readPlanDays reads the days of a plan in any of the languages: that of the text and those of which it has a sign, and
// of these the one that reads most, as Dutch and English share names of months; or else in any other.
func readPlanDays(text string, today time.Time) (list []DateRange) {
	text = abbreviatedLinks.Replace(text)
	r := dateReader{ctx: context.Background(), reference: today, furthest: maxYearlessDistance, plan: true}
	r.tokens = readDayNumbers(text, dropAbbreviationDots(splitDateTokens(r.ctx, text)), today)
	lang := DetectLanguage(SurfaceWords(text))
	most := 0
	for i := range planVocabularies() {
		v := &planVocabularies()[i]
		signed := v.language == Unknown && r.hasSign(v)
		if v.language == Unknown && !signed || v.language != Unknown && lang != Unknown && v.language != lang {
			continue
		}
		r.vocabulary, r.guessed, r.found = v, lang == Unknown && !signed, nil
		if r.readAllDates(); countEnds(r.found) > most {
			most, list = countEnds(r.found), r.found
		}
	}
	for i := 0; i < len(calendarLanguages) && lang != Unknown && most == 0; i++ {
		r.vocabulary, r.guessed, r.other, r.found = &planVocabularies()[i], true, true, nil
		if r.readAllDates(); len(r.found) > 0 {
			return r.markTurns(r.found)
		}
	}
	return r.markTurns(list)
}

// markTurns notes which weekdays have a part of the text each: "Monday I do the books, Friday payroll".
func (r *dateReader) markTurns(list []DateRange) []DateRange {
	first := -1
	for i, n := range list {
		switch {
		case !n.isWeekday() || n.left || n.opens || n.deadline:
		case first < 0:
			first = i
		case r.beginsPart(n.first):
			list[first].hasTurn, list[i].hasTurn = true, true
		}
	}
	return list
}

// isWeekday reports whether the days are a weekday without a date.
func (n DateRange) isWeekday() bool {
	return n.Counted && slices.ContainsFunc(slices.Collect(maps.Values(n.names)), IsWeekday)
}

// beginsPart reports whether a weekday is the first of a part of the text, and not the next one of a list of weekdays.
func (r *dateReader) beginsPart(at int) bool {
	for at > 0 && isListed("words before weekdays", r.tokens[at-1].word) {
		at--
	}
	before := at
	for before > 0 && (r.tokens[before-1].mark || isListed("joining words", r.tokens[before-1].word)) {
		before--
	}
	if before == 0 || isWeekdayName(r.tokens[before-1].word) {
		return false
	}
	letter, _ := utf8.DecodeRuneInString(r.tokens[at].word)
	return before < at || isUnspaced(letter) && r.tokens[at-1].end < r.tokens[at].start
}

// abbreviatedLinks are Dutch for "until and with", and Italian before a vowel. What replaces them is as long.
var abbreviatedLinks = strings.NewReplacer("t/m", "tot", "all'", "al  ", "all’", "al    ")

// countEnds returns how many days are named as one or as the end of several.
func countEnds(list []DateRange) (count int) {
	for _, n := range list {
		count++
		if n.joined {
			count++
		}
	}
	return count
}

// hasSign reports whether a word of the text tells that it is of a language, or that is of a script of its own.
func (r *dateReader) hasSign(v *dateVocabulary) bool {
	return len(v.signs) == 0 || slices.ContainsFunc(r.tokens, func(t dateToken) bool { return slices.Contains(v.signs, t.word) })
}

// nextWeekday returns the first day of a weekday after the day of the text.
func (r *dateReader) nextWeekday(weekday int) time.Time {
	return r.reference.AddDate(0, 0, (weekday-int(r.reference.Weekday())+6)%7+1)
}

// addPlanRange adds the days that stand at a place of a plan. Where they are the end of what reaches from one
// day to another, they make one range with its beginning: "vom 21.12. bis 2.1.", "from 4 to 20 December".
func (r *dateReader) addPlanRange(n DateRange) {
	at, doubtful := r.startOfLink(n.first)
	if at <= 0 {
		r.found = append(r.found, n)
		return
	}
	var before DateRange
	if last := len(r.found) - 1; last >= 0 && r.found[last].last >= at-1 {
		before = r.found[last]
		if !before.bare {
			r.joinWithLast(n)
			return
		}
		r.found = r.found[:last]
	}
	start := r.tokens[at-1]
	if start.mark && at > 1 {
		start = r.tokens[at-2]
		start.ordinal = true // "4."
	}
	switch day, ok := n.dayBefore(start.number); {
	case start.number == 0 || start.number > 31 || n.Counted && !n.bare: // no day begins it
		r.found = append(r.found, n)
	case n.bare && before.bare && !before.From.Before(r.reference) && before.From.Before(n.From):
		n.From, n.joined = before.From, true
		r.found = append(r.found, n)
	case n.bare || !ok || doubtful && !start.ordinal && !isListed("starting words", r.wordBefore(at-1)): // "chapter 2 - 4 December"
	case r.announcesChange():
		r.found = append(r.found, n)
	default:
		n.From, n.joined = day, true
		r.found = append(r.found, n)
	}
}

// joinWithLast makes the end of the days that were read last of some days. Of a change from one day to
// another the second is meant, unless both are weekdays, of which it may be the rule.
func (r *dateReader) joinWithLast(n DateRange) {
	last := &r.found[len(r.found)-1]
	if n.alone && n.To.Before(last.From) {
		n.To = n.To.AddDate(0, 0, 7)
	}
	last.left = last.left && r.announcesChange()
	last.end = n.end
	switch {
	case last.left && last.alone && n.alone:
		last.last = n.last
	case last.left || n.To.Before(last.From):
		r.found = append(r.found, n)
	default:
		last.To, last.last, last.joined, last.opens, last.deadline = n.To, n.last, true, false, false
	}
}

// startOfLink returns the place of the words that join the days at a place with what stands before them, or their
// own place where a line does, and whether they may mean something else; 0: nothing does.
func (r *dateReader) startOfLink(at int) (start int, doubtful bool) {
	for ; at > 0; at-- {
		word := r.tokens[at-1].word
		_, weekday := r.vocabulary.names["WEEKDAY"][word]
		switch {
		case r.tokens[at].line:
			return at, r.tokens[at].spaced
		case isListed("reaching words", word):
			return r.skipLinkBack(at - 1), false
		case isListed("joining words", word):
			return at - 1, !slices.ContainsFunc(r.tokens[:at-1], func(t dateToken) bool { return isListed("enclosing words", t.word) })
		case !weekday && word != "," && !isListed("small words of days", word):
			return 0, false
		}
	}
	return 0, false
}

// skipLinkBack returns the place of the first of several joining words: "bis zum", "fino al".
func (r *dateReader) skipLinkBack(at int) int {
	for at > 0 && isListed("reaching words", r.tokens[at-1].word) {
		at--
	}
	return at
}

// dayBefore returns the day of a number that comes before some days, in their month or the one before.
func (n DateRange) dayBefore(number int) (time.Time, bool) {
	month := n.To.AddDate(0, 0, 1-n.To.Day())
	if number > n.To.Day() {
		month = month.AddDate(0, -1, 0)
	}
	return makeDay(month.Year(), int(month.Month()), number)
}
