package bank

import (
	"strings"

	"toolkit/internal/reader/value"
)

// verifiedDays is how many days tell their order by running up or down in a list whose
// balances show that its rows are sorted.
const verifiedDays = 3

// movementDates is how a list writes its dates, and how many dates stay open.
type movementDates struct {
	order     value.DateOrder
	ambiguous int
	first     string // of them
	unread    int
}

// setDay keeps a date; one whose day and month cannot be told apart stays as written.
func (read *movementDates) setDay(fields Fields, name, text string) {
	if strings.Trim(text, "- ") == "" {
		return
	}
	date, ok := value.ParseDate(text, read.order)
	switch {
	case !ok:
		read.unread++
		fields.setIfAbsent(name, text)
	case date.Ambiguous:
		if read.ambiguous++; read.ambiguous == 1 {
			read.first = text
		}
		fields.setIfAbsent(name, text)
	default:
		fields.setIfAbsent(name, date.ISO)
		fields.setIfAbsent(Time, parseTimeUnlessMidnight(text))
	}
}

// warnOfAmbiguousDates tells once of the dates that stay as written.
func (read *movementDates) warnOfAmbiguousDates(statement *Statement) {
	if read.ambiguous > 0 {
		statement.warn("%d dates can be read with the day or the month first, and nothing in the file decides; they are kept as written: %s is %s or %s",
			read.ambiguous, read.first, value.ISO(read.first, value.DayFirst), value.ISO(read.first, value.MonthFirst))
	}
	if read.unread > 0 {
		statement.warn("%d dates cannot be read; they are kept as written", read.unread)
	}
}
