package language

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"toolkit/fixtures"
)

// DueQuestion is what a question for what is due asks for.
type DueQuestion struct {
	Overdue  bool // only what should be done or paid already
	Next     bool // what comes next
	Invoices bool // only what is to be paid
	Steps    bool // only what is to be done
	Owed     bool // what others have to pay, on whatever day
	from, to []time.Time
	today    time.Time
}

// dueAhead and dueBehind are the days within which a thing is due for a question that names none, and
// dueNextBehind how long ago what comes next may have been due.
const dueAhead, dueNextBehind = 14, 30

// ParseDueQuestion reads a question for what is due, overdue or next, as long as it asks for nothing else: "which
// invoices are due in March?", not "which invoices of Acme are due in March?"
func ParseDueQuestion(text string, now time.Time) (d DueQuestion, ok bool) {
	words := Words(text)
	d.today = midnight(now)
	days := readDates(context.Background(), text, dateReader{reference: d.today, furthest: yearOfDays, asked: true})
	if len(days) == 0 {
		days = readAskedWeekdays(text, d.today)
	}
	if asksForNext(text, days) {
		d.Next = true
		d.addAllDays(days, false)
		return d, true
	}
	paid := d.readWords(words)
	due := slices.ContainsFunc(words, func(w string) bool { return dueWords().has("due", w) })
	if AsksWhoOwes(text) && d.asksForNothingElse(words, days) {
		d.Owed, d.Invoices = true, true
		return d, true
	}
	if at := slices.Index(words, "due"); at >= 0 && at+1 < len(words) && dueWords().has("not due", words[at+1]) {
		return d, false
	}
	if !d.Overdue && !due && (!paid || len(days) == 0) || !d.asksForNothingElse(words, days) {
		return d, false
	}
	d.Invoices = d.Invoices || paid && !due && !d.Overdue
	until := slices.ContainsFunc(words, func(w string) bool { return dueWords().has("by a day", w) })
	d.addAllDays(days, until)
	return d, true
}

// readAskedWeekdays returns the days of weekdays alone: the next ones, and today where it is one.
func readAskedWeekdays(text string, today time.Time) (days []DateRange) {
	for _, n := range readPlanDays(text, today) {
		if !n.isWeekday() {
			continue
		}
		if n.From.Equal(today.AddDate(0, 0, 7)) {
			days = append(days, DateRange{From: today, To: n.To.AddDate(0, 0, -7), start: n.start, end: n.start})
		}
		days = append(days, n)
	}
	return days
}

// asksForNext reports whether a question asks, but for its days, only for what comes next.
func asksForNext(text string, days []DateRange) bool {
	var rest, bare []string // bare: without the word before a day
	at := 0
	for _, n := range days {
		words := Words(text[at:max(at, n.start)])
		rest, bare, at = append(rest, words...), append(bare, words...), max(at, n.end)
		if last := len(bare) - 1; last >= 0 && (isListed("words before weekdays", bare[last]) || isListed("purpose words", bare[last])) {
			bare = bare[:last]
		}
	}
	rest, bare = append(rest, Words(text[at:])...), append(bare, Words(text[at:])...)
	asked, askedBare := strings.Join(rest, " "), strings.Join(bare, " ")
	return slices.Contains(dueWords().next, asked) || len(days) > 0 && (slices.Contains(dueWords().next, askedBare) || slices.Contains(dueWords().ofDay, asked) || slices.Contains(dueWords().ofDay, askedBare))
}

// dropDateWords returns the words of a question but for those of the days that it names.
func dropDateWords(words []string, days []DateRange) (rest []string) {
	var named []string
	for _, n := range days {
		named = append(named, Words(n.words)...)
	}
	for _, w := range words {
		if !slices.Contains(named, w) {
			rest = append(rest, w)
		}
	}
	return rest
}

func (d *DueQuestion) addAllDays(days []DateRange, until bool) {
	for _, n := range days {
		d.addDays(n, until)
	}
}

// readWords notes which things are asked for, and tells whether it is asked for what is to be paid.
func (d *DueQuestion) readWords(words []string) (paid bool) {
	for i, w := range words {
		d.Overdue = d.Overdue || dueWords().has("overdue", w) || w == "due" && i > 0 && words[i-1] == "past"
		d.Invoices = d.Invoices || dueWords().has("invoices", w) || dueWords().has("payable things", w)
		d.Steps = d.Steps || dueWords().has("step things", w)
		paid = paid || dueWords().has("to pay", w) || dueWords().has("unpaid", w) || dueWords().has("owed", w)
	}
	return paid
}

// addDays notes days that are meant: of those without a year the last and the next ones, or only these
// where what comes is asked for.
func (d *DueQuestion) addDays(n DateRange, until bool) {
	years := []int{0}
	if n.Yearless {
		years = []int{-1, 0, 1}
	}
	for _, years := range years {
		from, to := n.From.AddDate(years, 0, 0), n.To.AddDate(years, 0, 0)
		if until {
			from = time.Time{}
		}
		coming := n.Yearless && (until || d.Next)
		if coming && to.Before(d.today) {
			continue
		}
		d.from, d.to = append(d.from, from), append(d.to, to)
		if coming {
			return
		}
	}
}

// asksForNothingElse reports whether every word of a question belongs to it.
func (d *DueQuestion) asksForNothingElse(words []string, days []DateRange) bool {
	lists := []string{"overdue", "due", "unpaid", "invoices", "to pay", "owed", "others owe", "us", "who", "by a day", "step things", "payable things", "beside due"}
	return !slices.ContainsFunc(dropDateWords(words, days), func(w string) bool {
		return !IsStopWord(w) && !slices.ContainsFunc(lists, func(list string) bool { return dueWords().has(list, w) })
	})
}

// AsksForDay reports whether what is due on a day is asked for.
func (d DueQuestion) AsksForDay(day time.Time) bool {
	day = midnight(day)
	switch {
	case d.Owed:
		return true
	case d.Overdue && !day.Before(d.today):
		return false
	case d.Next && len(d.from) == 0:
		return !day.Before(d.today.AddDate(0, 0, -dueNextBehind))
	case len(d.from) == 0:
		return d.Overdue || !day.After(d.today.AddDate(0, 0, dueAhead))
	}
	for i := range d.from {
		if !day.Before(d.from[i]) && !day.After(d.to[i]) {
			return true
		}
	}
	return false
}

// FirstAskedDay returns the first of some days that the question asks for; not found: it asks for none of them.
func (d DueQuestion) FirstAskedDay(days []DateRange) (first time.Time, found bool) {
	for _, n := range days {
		for day := n.From; !day.After(n.To); day = day.AddDate(0, 0, 1) {
			if d.AsksForDay(day) {
				return day, true
			}
		}
	}
	return first, false
}

// NamesDays reports whether the question names days.
func (d DueQuestion) NamesDays() bool { return len(d.from) > 0 }

// Bounds are the first and the last day that are asked for: today and so many days later where the question
// names none.
func (d DueQuestion) Bounds(days int) (from, to time.Time) {
	if !d.NamesDays() {
		return d.today, d.today.AddDate(0, 0, days)
	}
	return slices.MinFunc(d.from, time.Time.Compare), slices.MaxFunc(d.to, time.Time.Compare)
}

// AsksWhoOwes reports whether a question asks for what others have to pay: "who owes us money?", "who
// still has to pay us?"
func AsksWhoOwes(text string) bool {
	words := Words(text)
	has := func(list string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return dueWords().has(list, w) })
	}
	return has("us") && (has("others owe") || has("who") && has("to pay"))
}

// IsDebtWord reports whether a word belongs to a question for what others have to pay.
func IsDebtWord(word string) bool {
	return slices.ContainsFunc([]string{"others owe", "us", "who", "payable things"}, func(list string) bool { return dueWords().has(list, word) })
}

// dueLists are the words of such questions.
type dueLists struct {
	lists map[string][]string
	next  []string // whole questions
	ofDay []string // likewise, of those that name a day
}

var dueWords = sync.OnceValue(func() dueLists {
	d := dueLists{lists: fixtures.WordLists("payments")}
	for _, question := range d.lists["next questions"] {
		d.next = append(d.next, strings.Join(Words(question), " "))
	}
	for _, question := range d.lists["day questions"] {
		d.ofDay = append(d.ofDay, strings.Join(Words(question), " "))
	}
	for name, lines := range d.lists {
		d.lists[name] = strings.Fields(strings.Join(lines, " "))
	}
	return d
})

// maxWholeWord is the letters of a listed word that stands for itself; a longer one is the beginning of words.
const maxWholeWord = 4

// wholeWordLists hold no beginnings of words.
var wholeWordLists = []string{"to pay", "owed", "others owe", "us", "who", "not due", "by a day", "beside due"}

// has reports whether a word is in a list.
func (d dueLists) has(list, word string) bool {
	whole := slices.Contains(wholeWordLists, list)
	return slices.ContainsFunc(d.lists[list], func(known string) bool {
		return word == known || !whole && len(known) > maxWholeWord && strings.HasPrefix(word, known)
	})
}
