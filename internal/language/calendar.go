package language

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"
)

// DateRange are the days that a text names, first to last.
type DateRange struct {
	From, To time.Time
	Yearless bool // the text gives no year: the nearest one was taken
	Counted  bool // from the day on which the text was said
	season   bool
	deadline bool // something is to be done by then
	left     bool // a change leaves it behind: the first of "from Friday to Tuesday"
	opens    bool // something holds from then on
	joined   bool // from one day that the text names to another
	alone    bool // a weekday without a date
	hasTurn  bool // one of several, each with a part of the text
	bare     bool // a day of a month that the text does not name
	first    int  // the place of its first word
	last     int  // and of its last one
	start    int  // where its words begin in the text
	end      int  // where they end
	words    string
	names    map[string]string // of months and weekdays among them, to index terms
}

// countDays returns the number of days.
func (n DateRange) countDays() int { return int(n.To.Sub(n.From).Hours()/24) + 1 }

// FindDates returns what a text names, as it was meant on the day when it was said. Of
// a text whose day is not known, only what names its year is understood.
func FindDates(text string, reference time.Time) (list []DateRange) {
	return readDates(context.Background(), text, dateReader{reference: midnight(reference), unknown: reference.IsZero(), furthest: maxYearlessDistance})
}

// readDates gives up when the context ends.
func readDates(ctx context.Context, text string, r dateReader) []DateRange {
	if r.unknown && !strings.ContainsAny(text, "0123456789") {
		return nil
	}
	if r.ctx, r.tokens = ctx, splitDateTokens(ctx, text); r.past {
		r.tokens = dropAbbreviationDots(r.tokens)
	}
	lang := DetectLanguage(SurfaceWords(text))
	for i, l := range calendarLanguages {
		if lang == l.language || lang == Unknown {
			r.vocabulary, r.guessed = &dateVocabularies()[i], lang == Unknown
			if r.readAllDates(); len(r.found) > 0 {
				return r.found
			}
		}
	}
	for i := 0; i < len(calendarLanguages) && r.past; i++ { // "was war am 20. November" may pass for English
		r.vocabulary, r.guessed = &dateVocabularies()[i], true
		if r.readAllDates(); len(r.found) > 0 {
			return r.found
		}
	}
	for i := range questionVocabularies() {
		v := &questionVocabularies()[i]
		if r.asked && (len(v.signs) == 0 || slices.ContainsFunc(r.tokens, func(t dateToken) bool { return slices.Contains(v.signs, t.word) })) {
			r.vocabulary, r.guessed = v, false
			if r.readAllDates(); len(r.found) > 0 {
				return r.found
			}
		}
	}
	return r.found
}

func midnight(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}

// dateReader reads the days of one text.
type dateReader struct {
	ctx        context.Context
	tokens     []dateToken
	reference  time.Time
	unknown    bool // when it was said
	furthest   int  // how many days away a day without a year may lie
	asked      bool // the text is a question
	past       bool // it asks for days that are over: a weekday alone is the last one
	plan       bool // the text says what is to come: a weekday alone is the next one
	other      bool // the text is of another language than the vocabulary, as far as is known
	vocabulary *dateVocabulary
	guessed    bool // the language may be another one
	found      []DateRange
}

func (r *dateReader) readAllDates() {
	for i := 0; i < len(r.tokens) && len(r.found) < maxDateRanges; i++ {
		if i%tokensAtOnce == 0 && r.ctx.Err() != nil {
			return
		}
		if t := r.tokens[i]; t.number == 0 && t.date.IsZero() && !r.vocabulary.begin[t.word] && !r.past && !r.plan {
			continue // as nearly every word
		}
		if named, words := r.dateAt(i); words > 0 {
			r.classifyAndAddRange(named, i, words)
			i += words - 1
			continue
		}
		m := r.matchAt(i)
		if m.words == 0 && r.asked {
			m = r.monthAt(i)
		}
		if m.words == 0 && (r.past || r.plan) {
			m = r.weekdayAt(i)
		}
		if m.words == 0 || !r.isUnambiguous(i, m) || r.other && !isCertainDay(m.meaning) || r.extendsBeyond(i, m) || r.guessed && m.words == 1 && len(r.tokens[i].word) < minGuessedDayLength {
			continue
		}
		if (m.meaning == "weekday coming" || m.meaning == lastWeekday) && r.hasDateNear(i+m.words) {
			i += m.words - 1 // the date says more
			continue
		}
		if named, ok := r.resolvePhrase(m); ok {
			named.Counted = !named.Yearless && m.date == nil && m.values["YEAR"] == 0
			named.season = m.meaning == "season"
			named.bare = m.meaning == "day of month"
			named.alone = m.meaning == "weekday coming" && m.words == 1
			r.classifyAndAddRange(named, i, m.words)
		}
		i += m.words - 1
	}
}

// extendsBeyond reports whether a phrase that begins inside another goes on behind it:
// "fall of 2020" in "in the fall of 2020".
func (r *dateReader) extendsBeyond(at int, m phraseMatch) bool {
	for i := at + 1; i < at+m.words && m.meaning != "none"; i++ {
		if inner := r.matchAt(i); i+inner.words > at+m.words && r.isUnambiguous(i, inner) {
			return true
		}
	}
	return false
}

// minGuessedDayLength is the shortest word that names a day in a text of an unknown
// language: a German "hier" is no French one.
const minGuessedDayLength = 5

// monthAt reads the bare name of a month, which who asks means: "the September budget".
func (r *dateReader) monthAt(i int) (m phraseMatch) {
	word := r.tokens[i].word
	if month, known := r.vocabulary.names["MONTH"][word]; known && len(word) >= minMonthLength && !r.vocabulary.capitals[word] && !r.vocabulary.others[word] {
		m = phraseMatch{meaning: "month", words: 1, values: map[string]int{"MONTH": month + 1}}
	}
	return m
}

// weekdayAt reads a weekday alone, which who asks what was done means as the last one, and who plans as the next
// one. In the plural it is no day of a plan.
func (r *dateReader) weekdayAt(i int) (m phraseMatch) {
	names, word := r.vocabulary.names["WEEKDAY"], r.tokens[i].word
	weekday, known := names[word]
	if !known {
		return m
	}
	m = phraseMatch{meaning: lastWeekday, words: 1, values: map[string]int{"WEEKDAY": weekday}}
	if !r.plan {
		return m
	}
	singular, plural := strings.CutSuffix(word, "s")
	dated := i+1 < len(r.tokens) && strings.Contains(r.tokens[i+1].word, "/") // in an order of day and month that is not known
	if _, inPlural := names[singular]; plural && inPlural || r.vocabulary.others[word] || len(word) < minMonthLength || dated {
		return phraseMatch{}
	}
	m.meaning = "weekday coming"
	return m
}

func (r *dateReader) isWeekday(i int) bool {
	_, known := r.vocabulary.names["WEEKDAY"][r.tokens[i].word]
	return known
}

// isCertainDay reports whether a meaning is so plain that words of another language hardly have it by chance.
func isCertainDay(meaning string) bool {
	unit, _, _ := strings.Cut(meaning, " ")
	return meaning == "date" || meaning == "none" || unit == "weekday" || unit == "day" && meaning != "day of month"
}

// lastWeekday is what a weekday alone means, which may be the day of the text.
const lastWeekday = "weekday last"

// minMonthLength is the shortest name of a month that stands alone: Jan may be a person.
const minMonthLength = 4

// classifyAndAddRange notes what the words at a place name.
func (r *dateReader) classifyAndAddRange(n DateRange, at, words int) {
	r.classifyRange(&n, at, words)
	n.start, n.end = r.tokens[at].start, r.tokens[at+words-1].end
	for _, t := range r.tokens[at : at+words] {
		n.words += t.word + " "
		if month, ok := r.vocabulary.names["MONTH"][t.word]; ok {
			n.addName(t.word, MonthTerm(time.Month(month+1)))
		} else if weekday, ok := r.vocabulary.names["WEEKDAY"][t.word]; ok {
			n.addName(t.word, WeekdayTerm(time.Weekday(weekday)))
		}
	}
	if n.From.Year() < firstYear || n.To.Year() > lastYear {
		return
	}
	if !r.plan {
		r.found = append(r.found, n)
		return
	}
	n.first, n.last = at, at+words-1
	for n.first < n.last && r.isRangeWord(n.first) {
		n.first++
	}
	r.addPlanRange(n)
}

func (n *DateRange) addName(word, term string) {
	if n.names == nil {
		n.names = map[string]string{}
	}
	n.names[word] = term
}

// tokensAtOnce are read until it is asked whether anybody waits for the result, which
// takes less than a millisecond.
const tokensAtOnce = 256

// maxDateRanges bounds what is read from one text.
const maxDateRanges = 20

// dateAt reads a day that stands at i, and gives the number of its words.
func (r *dateReader) dateAt(i int) (n DateRange, words int) {
	if i >= len(r.tokens) {
		return n, 0
	}
	if day := r.tokens[i].date; !day.IsZero() {
		return DateRange{From: day, To: day}, 1
	}
	if r.past || r.plan {
		guessed := r.guessed
		r.guessed = guessed && !(r.plan && i > 0 && r.isWeekday(i-1)) // the weekday tells the language
		n, ok := r.slashedDay(r.tokens[i].word)
		r.guessed = guessed
		if ok && (r.past || isDayBeside(r.tokens, i)) {
			return n, 1
		}
	}
	if t := r.tokens[i]; t.month > 0 {
		values := map[string]int{"DAY": t.number, "MONTH": t.month}
		n, ok := r.rangeInNearestYear(func(year int) (DateRange, bool) { return phraseMatch{values: values}.rangeInYear("date", year) })
		if ok {
			return n, 1
		}
		return n, 0
	}
	if !r.mayBeginDate(i) {
		return n, 0
	}
	if m := r.matchAt(i); strings.HasPrefix(m.meaning, "date") && r.isUnambiguous(i, m) {
		if n, ok := r.resolvePhrase(m); ok {
			return n, m.words
		}
	}
	return n, 0
}

// hasDateNear reports whether a date follows a weekday: "Friday, December 11", "Freitag, den 11. Dezember".
func (r *dateReader) hasDateNear(at int) bool {
	const between = 2 // a comma and an article
	for i := at; i <= at+between; i++ {
		if _, words := r.dateAt(i); words > 0 {
			return true
		}
	}
	return false
}

// mayBeginDate keeps dates from being looked for within themselves.
func (r *dateReader) mayBeginDate(i int) bool {
	_, month := r.vocabulary.names["MONTH"][r.tokens[i].word]
	return month || r.tokens[i].number > 0
}

// resolvePhrase returns the days of a phrase.
func (r *dateReader) resolvePhrase(m phraseMatch) (n DateRange, ok bool) {
	words := strings.Fields(m.meaning)
	unit, last := words[0], words[len(words)-1]
	count, err := strconv.Atoi(strings.Replace(last, "N", strconv.Itoa(m.values["NUMBER"]), 1))
	relative := err == nil
	year, dated := m.values["YEAR"]
	switch {
	case unit == "none":
		return n, false
	case unit == "span": // span day -N
		n, ok = r.rangeUnitsAway(words[1], count, nil)
		n.To = r.reference
		return n, ok
	case r.unknown && !dated && m.date == nil:
		return n, false
	case relative && unit == "date":
		year, dated = r.reference.Year()+count, true
	case relative && len(words) > 2: // weekday of week -1
		monday := r.mondayOfReference().AddDate(0, 0, 7*count)
		return dayRange(monday.AddDate(0, 0, (m.values["WEEKDAY"]+6)%7), 1), true
	case relative:
		return r.rangeUnitsAway(unit, count, m.values)
	case m.meaning == lastWeekday:
		return dayRange(r.nextWeekday(m.values["WEEKDAY"]).AddDate(0, 0, -7), 1), true
	case last == "coming":
		return dayRange(r.nextWeekday(m.values["WEEKDAY"]), 1), true
	case last == "before", last == "after":
		return r.relativeRange(unit, last)
	case m.date != nil && words[1] == "before":
		other := dateReader{reference: m.date.From}
		return other.rangeUnitsAway(unit, -max(1, m.values["NUMBER"]), nil)
	case m.date != nil:
		return m.weekOf(unit)
	case unit == "day": // of month
		return r.nearestDayOfMonth(m.values["DAY"] + m.values["ORDINAL"])
	case unit == "year":
		return DateRange{From: time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC), To: time.Date(year, 12, 31, 0, 0, 0, 0, time.UTC)}, dated
	}
	of := func(year int) (DateRange, bool) { return m.rangeInYear(unit, year) }
	if dated {
		return of(year)
	}
	return r.rangeInNearestYear(of)
}

// rangeInYear are the days of a date, month, part of one, or season of a year.
func (m phraseMatch) rangeInYear(unit string, year int) (DateRange, bool) {
	month := time.Date(year, time.Month(m.values["MONTH"]), 1, 0, 0, 0, 0, time.UTC)
	switch unit {
	case "date":
		day, ok := makeDay(year, m.values["MONTH"], m.values["DAY"])
		return dayRange(day, 1), ok
	case "part":
		return dayRange(month.AddDate(0, 0, 7*m.values["PLACE"]), 7), true
	case "season":
		first := time.Date(year, time.Month(3+3*m.values["SEASON"]), 1, 0, 0, 0, 0, time.UTC)
		return DateRange{From: first, To: first.AddDate(0, 3, -1)}, true
	}
	return DateRange{From: month, To: month.AddDate(0, 1, -1)}, true
}

func dayRange(first time.Time, n int) DateRange {
	return DateRange{From: first, To: first.AddDate(0, 0, n-1)}
}

// rangeInNearestYear returns the one of three years that lies nearest to what was said, unless even
// that is far.
func (r *dateReader) rangeInNearestYear(inYear func(year int) (DateRange, bool)) (nearest DateRange, ok bool) {
	least := r.furthest + 1
	for year := r.reference.Year() - 1; year <= r.reference.Year()+1; year++ {
		if n, exists := inYear(year); exists {
			if far := r.daysAway(n); far < least {
				nearest, least = n, far
			}
		}
	}
	nearest.Yearless = true
	return nearest, least <= r.furthest
}

// maxYearlessDistance is how many days away a day without a year may lie in what was said, and
// yearOfDays how near one of its name always is.
const maxYearlessDistance, yearOfDays = 122, 366

func (r *dateReader) daysAway(n DateRange) int {
	switch {
	case r.reference.Before(n.From):
		return int(n.From.Sub(r.reference).Hours() / 24)
	case r.reference.After(n.To):
		return int(r.reference.Sub(n.To).Hours() / 24)
	}
	return 0
}

func (r *dateReader) mondayOfReference() time.Time { return mondayOf(r.reference) }

func mondayOf(day time.Time) time.Time { return day.AddDate(0, 0, -(int(day.Weekday())+6)%7) }

// rangeUnitsAway counts units from the day on which the text was said.
func (r *dateReader) rangeUnitsAway(unit string, n int, values map[string]int) (DateRange, bool) {
	month := time.Date(r.reference.Year(), r.reference.Month(), 1, 0, 0, 0, 0, time.UTC)
	_, named := values["MONTH"]
	switch {
	case unit == "day":
		return dayRange(r.reference.AddDate(0, 0, n), 1), true
	case unit == "week":
		return dayRange(r.mondayOfReference().AddDate(0, 0, 7*n), 7), true
	case unit == "weekend":
		return dayRange(r.mondayOfReference().AddDate(0, 0, 7*n+5), 2), true
	case unit == "weekday":
		return r.resolveWeekday(values["WEEKDAY"], n), true
	case unit == "season", unit == "month" && named:
		return r.nearestOccurrence(n, func(year int) (DateRange, bool) { return phraseMatch{values: values}.rangeInYear(unit, year) })
	case unit == "month":
		month = month.AddDate(0, n, 0)
		return DateRange{From: month, To: month.AddDate(0, 1, -1)}, true
	}
	first := time.Date(r.reference.Year()+n, 1, 1, 0, 0, 0, 0, time.UTC)
	return DateRange{From: first, To: first.AddDate(1, 0, -1)}, true
}

// resolveWeekday returns the last such day before the day of the text, that of its week, or the one
// of a later week: "next Friday" is none of this week.
func (r *dateReader) resolveWeekday(weekday, n int) DateRange {
	place := (weekday + 6) % 7
	if n >= 0 {
		return dayRange(r.mondayOfReference().AddDate(0, 0, 7*n+place), 1)
	}
	back := (int(r.reference.Weekday())-weekday+6)%7 + 1
	return dayRange(r.reference.AddDate(0, 0, -back+7*(n+1)), 1)
}

// nearestOccurrence is the last season or month of a name that is over, the nearest where n is
// 0, or the next one that has not begun.
func (r *dateReader) nearestOccurrence(n int, inYear func(year int) (DateRange, bool)) (turned DateRange, ok bool) {
	if n == 0 {
		turned, ok = r.rangeInNearestYear(inYear)
		turned.Yearless = false
		return turned, ok
	}
	for year := r.reference.Year() - 2; year <= r.reference.Year()+2; year++ {
		t, _ := inYear(year)
		if n < 0 && t.To.Before(r.reference) {
			turned = t
		} else if n > 0 && t.From.After(r.reference) {
			return t, true
		}
	}
	return turned, n < 0
}

// weekOf is the week, or weekend, of a date.
func (m phraseMatch) weekOf(unit string) (DateRange, bool) {
	monday := mondayOf(m.date.From)
	n := dayRange(monday, 7)
	if unit == "weekend" {
		n = dayRange(monday.AddDate(0, 0, 5), 2)
	}
	n.Yearless = m.date.Yearless
	return n, true
}

// relativeRange is the day, week, month or year before or after what was named last, or
// before or after the day on which that was said.
func (r *dateReader) relativeRange(unit, side string) (DateRange, bool) {
	n := 1
	if side == "before" {
		n = -1
	}
	other := dateReader{reference: r.reference}
	if len(r.found) > 0 {
		other.reference = r.found[len(r.found)-1].From
	}
	return other.rangeUnitsAway(unit, n, nil)
}

// nearestDayOfMonth returns the nearest day of that number; none when two are about as near.
func (r *dateReader) nearestDayOfMonth(number int) (nearest DateRange, ok bool) {
	least, second := yearOfDays, yearOfDays
	for n := -1; n <= 1; n++ {
		month := time.Date(r.reference.Year(), r.reference.Month()+time.Month(n), 1, 0, 0, 0, 0, time.UTC)
		day, exists := makeDay(month.Year(), int(month.Month()), number)
		if !exists {
			continue
		}
		if far := r.daysAway(dayRange(day, 1)); far < least {
			nearest, least, second = dayRange(day, 1), far, least
		} else {
			second = min(second, far)
		}
	}
	return nearest, second-least > minDistanceApart
}

// minDistanceApart is by how many days one of two must be nearer.
const minDistanceApart = 3
