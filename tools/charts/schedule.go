package charts

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"toolkit/internal/language"
	"toolkit/store/graph"
	"toolkit/tools"
)

// spreadDueDates returns due dates for n steps, evenly between now and the chart's due
// date, or the chart's own when that is past.
func spreadDueDates(now time.Time, due string, n int) []string {
	dates := make([]string, n)
	for i := range dates {
		dates[i] = dateBetween(now, due, int64(i+1), int64(n+1))
	}
	return dates
}

// middleDate returns the due date of a step added without one.
func middleDate(now time.Time, due string) string { return dateBetween(now, due, 1, 2) }

// dateBetween is the date at part/whole of the way from now to due. It counts whole
// seconds: a time.Duration ends after 292 years.
func dateBetween(now time.Time, due string, part, whole int64) string {
	end, ok := ParseDueDate(due)
	if !ok || !end.After(now) {
		return due
	}
	seconds := end.Unix() - now.Unix()
	return formatTimestamp(time.Unix(now.Unix()+seconds/whole*part+seconds%whole*part/whole, 0))
}

// movedStep is a step whose due date moved with that of a step above it.
type movedStep struct{ title, from, to string }

// moveStepDue moves the due date of a step, of the chart that details it, and of the open
// steps in and below that which were due with it or would be due after it. It returns these.
func (f *family) moveStepDue(tx graph.Rows, step *graph.Step, due string) ([]movedStep, error) {
	if err := tx.SetStepDue(step, due); err != nil {
		return nil, err
	}
	details, err := tx.StepDetails(step.Chart)
	if err != nil {
		return nil, err
	}
	for _, d := range details {
		if d.Row != step.Row || d.DetailRow == 0 {
			continue
		}
		c, err := tx.ReadChartWithSteps(d.DetailRow)
		if err != nil || c == nil {
			return nil, err
		}
		moved, err := f.moveStepsDueWithChart(tx, c, step.DueDate, due)
		if err != nil {
			return nil, err
		}
		fitted, err := f.fitStepDueDates(tx, c, due)
		return append(moved, fitted...), err
	}
	return nil, nil
}

// moveStepsDueWithChart moves the open steps of a chart that were due with it, so that they still are.
func (f *family) moveStepsDueWithChart(tx graph.Rows, c *graph.Chart, was, due string) (moved []movedStep, err error) {
	for i := range c.Steps {
		s := &c.Steps[i]
		if _, dated := ParseDueDate(was); s.Completed || !dated || CompareDue(s.DueDate, was) != 0 {
			continue
		}
		below, err := f.moveStepDue(tx, s, due)
		if err != nil {
			return nil, err
		}
		moved = append(append(moved, movedStep{s.Title, s.DueDate, due}), below...)
		s.DueDate = due
	}
	return moved, nil
}

// fitStepDueDates moves the open steps of a chart that are due after it: in their order and evenly
// between those that stay and the chart's due date.
func (f *family) fitStepDueDates(tx graph.Rows, c *graph.Chart, due string) (moved []movedStep, err error) {
	from := f.Store.Now()
	var late []graph.Step
	for _, s := range c.Steps {
		at, dated := ParseDueDate(s.DueDate)
		switch {
		case s.Completed || !dated || CompareDue(s.DueDate, due) == 0:
		case isDueAfter(s.DueDate, due):
			late = append(late, s)
		case at.After(from):
			from = at
		}
	}
	slices.SortStableFunc(late, func(a, b graph.Step) int { return CompareDue(a.DueDate, b.DueDate) })
	for i, date := range spreadDueDates(from, due, len(late)) {
		below, err := f.moveStepDue(tx, &late[i], date)
		if err != nil {
			return nil, err
		}
		moved = append(append(moved, movedStep{late[i].Title, late[i].DueDate, date}), below...)
	}
	return moved, nil
}

// joinFirstFew joins the first of some texts, and says how many more there are.
func joinFirstFew(texts []string) string {
	shown := strings.Join(texts[:min(len(texts), maxOpenShown)], ", ")
	if more := len(texts) - maxOpenShown; more > 0 {
		shown += fmt.Sprintf(", and %d more", more)
	}
	return shown
}

// warnMoved names the steps that moved with one above them.
func warnMoved(h *tools.Hints, moved []movedStep) {
	if len(moved) == 0 {
		return
	}
	var parts []string
	for _, m := range moved {
		parts = append(parts, fmt.Sprintf("%q from %s to %s", tools.ShortenForMessage(m.title), m.from, m.to))
	}
	h.Warn("conflict", tools.PriorityMedium, fmt.Sprintf("%s within moved with it: %s", language.FormatCount(len(moved), "open step", "open steps"), joinFirstFew(parts)),
		"move them with update_action_step if they are to be done on other days")
}
