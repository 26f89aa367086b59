package cli

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"toolkit/internal/language"
)

// lineRunes bounds a text that is told in one line.
const lineRunes = 100

func idOf(row int64) string { return strconv.FormatInt(row, 10) }

// Text is a day for people; title is put around what heads a list.
func (d Day) Text(title func(string) string) string {
	var b strings.Builder
	tell(&b, title, "Due within seven days", d.Due, Step.line)
	tell(&b, title, "Overdue", d.Overdue, Step.line)
	tell(&b, title, "In the calendar, within seven days", d.Events, Event.line)
	tell(&b, title, "To pay within two weeks", d.Invoices, Invoice.line)
	tell(&b, title, "Owed to you within two weeks", d.Owed, Invoice.lineOwed)
	tell(&b, title, "Invoices due within two weeks", d.Unsided, Invoice.line)
	if d.Unsided.Count > 0 {
		b.WriteString("Whether you pay these or are paid is not known, since they do not name you: 'toolkit remember \"Our company is NAME\"' or 'toolkit remember \"My name is NAME\"' tells who you are.\n")
	}
	tell(&b, title, "Nothing was done here for a month", d.Untouched, func(c Chart) string {
		return fmt.Sprintf("%s\n  chart %s, last %s", Line(c.Outcome), c.ID, day(c.Last))
	})
	tell(&b, title, "Sessions since yesterday", d.Sessions, Session.line)
	tell(&b, title, "Learned since yesterday", d.Insights, Note.line)
	tell(&b, title, "Stored since yesterday", d.Documents, Note.line)
	if b.Len() == 0 {
		b.WriteString("Nothing is due, nothing is new since yesterday, and nothing waits.\n")
	}
	if d.Empty {
		b.WriteString("Nothing is remembered yet: 'toolkit capture --all' takes in what assistants wrote of their sessions, 'toolkit remember TEXT' stores what you want to keep.\n")
	}
	return b.String()
}

// tell writes a list as recall writes hits: the text, and below it what it is.
func tell[T any](b *strings.Builder, title func(string) string, head string, list List[T], line func(T) string) {
	if list.Count == 0 {
		return
	}
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	fmt.Fprintf(b, "%s\n", title(head))
	for _, one := range list.First {
		fmt.Fprintln(b, line(one))
	}
	if more := list.Count - len(list.First); more > 0 {
		fmt.Fprintf(b, "and %s\n", language.Pluralize(more, "more", "more"))
	}
}

func (s Step) line() string {
	if s.Kind == promise {
		line := fmt.Sprintf("%s\n  insight %s, due %s", Line(s.Title), s.ID, day(s.Due))
		if s.Note != "" {
			line += "; " + s.Note
		}
		return line
	}
	if s.Kind == chart {
		return fmt.Sprintf("%s\n  chart %s, due %s, no step is open", Line(s.Title), s.ID, day(s.Due))
	}
	return fmt.Sprintf("%s\n  step %s, due %s, of %s", Line(s.Title), s.ID, day(s.Due), Line(s.Chart))
}

func (e Event) line() string {
	when := e.Day
	if day, err := time.Parse(time.DateOnly, e.Day); err == nil {
		when = day.Weekday().String() + ", " + e.Day
	}
	if e.Time != "" {
		when += ", " + e.Time
	}
	if _, rule, recurs := strings.Cut(e.Recurrence, "FREQ="); recurs {
		every, _, _ := strings.Cut(rule, ";")
		when += ", repeats " + Line(strings.ToLower(every))
	}
	return fmt.Sprintf("%s\n  %s, event %s", Line(e.Title), when, e.ID)
}

func (i Invoice) line() string {
	of := ""
	if i.Vendor != "" {
		of = " of " + Line(i.Vendor)
	}
	if i.Customer != "" {
		of += " to " + Line(i.Customer)
	}
	return fmt.Sprintf("%s%s: %s, due %s%s", Line(i.Name), of, i.Left, day(i.Due), i.Hint)
}

// lineOwed is the line of an invoice that others are to pay to the user.
func (i Invoice) lineOwed() string {
	who := "Somebody"
	if i.Customer != "" {
		who = Line(i.Customer)
	}
	return fmt.Sprintf("%s owes %s: %s, due %s%s", who, i.Left, Line(i.Name), day(i.Due), i.Hint)
}

func (s Session) line() string {
	what, of := cmp.Or(s.Title, s.Begins, "(nothing is left of it)"), ""
	if s.Project != "" {
		of = ", project " + language.QuoteLine(s.Project)
	}
	return fmt.Sprintf("%s\n  session %s, %s%s", Line(what), s.ID, day(s.Ended), of)
}

func (n Note) line() string {
	return fmt.Sprintf("%s\n  %s %s, %s", Line(n.Text), n.Kind, n.ID, day(n.At))
}

// day is the day of a date, however it was written.
func day(date string) string { return date[:min(len(date), len(time.DateOnly))] }

// Line is a stored text in one line, cut.
func Line(text string) string {
	text = language.QuoteLine(text)
	if utf8.RuneCountInString(text) > lineRunes {
		text = string([]rune(text)[:lineRunes]) + "…"
	}
	return text
}
