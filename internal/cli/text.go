package cli

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"toolkit/internal/language"
)

// lineRunes bounds a text that is told in one line.
const lineRunes = 100

// FormatText returns a day for people; title is put around what heads a list.
func (d Day) FormatText(title func(string) string) string {
	var b strings.Builder
	writeList(&b, title, "Due within seven days", d.Due, Step.formatLine)
	writeList(&b, title, "Overdue", d.Overdue, Step.formatLine)
	writeList(&b, title, "In the calendar, within seven days", d.Events, Event.formatLine)
	writeList(&b, title, "To pay within two weeks, or overdue", d.Invoices, Invoice.formatLine)
	writeList(&b, title, "Owed to you within two weeks, or overdue", d.Owed, Invoice.formatOwedLine)
	writeList(&b, title, "Invoices due within two weeks, or overdue", d.Unsided, Invoice.formatLine)
	if d.Unsided.Count > 0 {
		b.WriteString("Whether you pay these or are paid is not known, since they do not name you: 'toolkit remember \"Our company is NAME\"' or 'toolkit remember \"My name is NAME\"' tells who you are.\n")
	}
	writeList(&b, title, "Nothing was done here for a month", d.Untouched, func(c Chart) string {
		return fmt.Sprintf("%s\n  chart %s, last %s", FormatLine(c.Outcome), c.ID, cutToDay(c.Last))
	})
	writeList(&b, title, "Sessions since yesterday", d.Sessions, Session.formatLine)
	writeList(&b, title, "Learned since yesterday", d.Insights, Note.formatLine)
	writeList(&b, title, "Stored since yesterday", d.Documents, Note.formatLine)
	if b.Len() == 0 {
		b.WriteString("Nothing is due, nothing is new since yesterday, and nothing waits.\n")
	}
	if d.Empty {
		b.WriteString("Nothing is remembered yet: 'toolkit capture --all' takes in what assistants wrote of their sessions, 'toolkit remember TEXT' stores what you want to keep.\n")
	}
	return b.String()
}

// writeList writes a list as recall writes hits: the text, and below it what it is.
func writeList[T any](b *strings.Builder, title func(string) string, head string, list List[T], line func(T) string) {
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
		fmt.Fprintf(b, "and %s\n", language.FormatCount(more, "more", "more"))
	}
}

func (s Step) formatLine() string {
	if s.Kind == promise {
		line := fmt.Sprintf("%s\n  insight %s", FormatLine(s.Title), s.ID)
		if s.Due != "" {
			line += ", due " + cutToDay(s.Due)
		}
		if s.Note != "" {
			line += "; " + s.Note
		}
		return line
	}
	if s.Kind == chart {
		return fmt.Sprintf("%s\n  chart %s, due %s, no step is open", FormatLine(s.Title), s.ID, cutToDay(s.Due))
	}
	return fmt.Sprintf("%s\n  step %s, due %s, of %s", FormatLine(s.Title), s.ID, cutToDay(s.Due), FormatLine(s.Chart))
}

func (e Event) formatLine() string {
	when := e.Day
	if day, err := time.Parse(time.DateOnly, e.Day); err == nil {
		when = day.Weekday().String() + ", " + e.Day
	}
	if e.Time != "" {
		when += ", " + e.Time
	}
	if _, rule, recurs := strings.Cut(e.Recurrence, "FREQ="); recurs {
		every, _, _ := strings.Cut(rule, ";")
		when += ", repeats " + FormatLine(strings.ToLower(every))
	}
	return fmt.Sprintf("%s\n  %s, event %s", FormatLine(e.Title), when, e.ID)
}

func (i Invoice) formatLine() string {
	of := ""
	if i.Vendor != "" {
		of = " of " + FormatLine(i.Vendor)
	}
	if i.Customer != "" {
		of += " to " + FormatLine(i.Customer)
	}
	return fmt.Sprintf("%s%s: %s, %s%s", FormatLine(i.Name), of, i.Left, i.formatDue(), i.Hint)
}

// formatOwedLine returns the line of an invoice that others are to pay to the user.
func (i Invoice) formatOwedLine() string {
	who := "Somebody"
	if i.Customer != "" {
		who = FormatLine(i.Customer)
	}
	return fmt.Sprintf("%s owes %s: %s, %s%s", who, i.Left, FormatLine(i.Name), i.formatDue(), i.Hint)
}

// formatDue says when an invoice is to be paid, and whether that day is over.
func (i Invoice) formatDue() string {
	due := "due " + cutToDay(i.Due)
	if i.Overdue {
		due += ", overdue"
	}
	return due
}

func (s Session) formatLine() string {
	what, of := cmp.Or(s.Title, s.Begins, "(nothing is left of it)"), ""
	if s.Project != "" {
		of = ", project " + language.QuoteLine(s.Project)
	}
	return fmt.Sprintf("%s\n  session %s, %s%s", FormatLine(what), s.ID, cutToDay(s.Ended), of)
}

func (n Note) formatLine() string {
	return fmt.Sprintf("%s\n  %s %s, %s", FormatLine(n.Text), n.Kind, n.ID, cutToDay(n.At))
}

// cutToDay returns the day of a date, however it was written.
func cutToDay(date string) string { return date[:min(len(date), len(time.DateOnly))] }

// FormatLine returns a stored text in one line, cut.
func FormatLine(text string) string {
	return language.Shorten(language.QuoteLine(text), lineRunes)
}
