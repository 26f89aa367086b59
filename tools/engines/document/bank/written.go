package bank

import (
	"toolkit/tools/engines/document/value"
)

// runningDays is how many days tell their order by running up or down: lists of movements
// are sorted.
const runningDays = 3

// written is how a list writes its dates, and how many dates stay open.
type written struct {
	order     value.Order
	ambiguous int
	unread    int
}

// day keeps a date; one whose day and month cannot be told apart stays as written.
func (read *written) day(fields Fields, name, text, said string) {
	if text == "" {
		return
	}
	date, ok := value.ParseDate(text, read.order)
	switch {
	case !ok:
		read.unread++
		fields.set(name, said)
	case date.Ambiguous:
		read.ambiguous++
		fields.set(name, said)
	default:
		fields.set(name, date.ISO)
		fields.set(Time, clockOf(said))
	}
}

// warn tells once of the dates that stay as written.
func (read *written) warn(statement *Statement) {
	if read.ambiguous > 0 {
		statement.warn("%d dates can be read with the day or the month first, and nothing in the file decides; they are kept as written", read.ambiguous)
	}
	if read.unread > 0 {
		statement.warn("%d dates cannot be read; they are kept as written", read.unread)
	}
}
