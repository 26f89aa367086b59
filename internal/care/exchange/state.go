package exchange

import (
	"regexp"
	"slices"
	"strings"
)

// The official format has no place for the due date and the completion of
// charts and steps: they are written as the last observations, and read again
// where an entity of a chart has no metadata.
const (
	dueLabel       = "Due date"
	completedLabel = "Completed on"
	statusLabel    = "Status"

	statusCompleted = statusLabel + ": completed"
	// The next two are written only where an observation that says something
	// of the kind would be taken for the state.
	statusOpen = statusLabel + ": open"
	dueNone    = dueLabel + ": none"
)

// dateForm is what is taken for a date: other text stays an observation.
var dateForm = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9:.,]+ ?(Z|[+-][0-9:]+)?)?$`)

// state is what the last observations say of a chart or step.
type state struct {
	dueDate     string
	completed   bool
	completedAt string
}

// splitState parts observations from the state behind them.
func splitState(observations []string) (rest []string, s state, found bool) {
	rest = observations
	last := func(label string) (string, bool) {
		if len(rest) == 0 {
			return "", false
		}
		return strings.CutPrefix(rest[len(rest)-1], label+": ")
	}
	status, ok := last(statusLabel)
	if ok = ok && (status == "completed" || status == "open"); ok {
		s.completed = status == "completed"
	} else if s.completedAt, ok = last(completedLabel); ok && dateForm.MatchString(s.completedAt) {
		s.completed = true
	} else {
		s.completedAt, ok = "", false
	}
	if ok {
		rest, found = rest[:len(rest)-1], true
	}
	if due, ok := last(dueLabel); ok && (due == "none" || dateForm.MatchString(due)) {
		rest, found = rest[:len(rest)-1], true
		if due != "none" {
			s.dueDate = due
		}
	}
	return rest, s, found
}

// withState appends the state. What splitState would not read is an
// observation among the others, once.
func withState(observations []string, s state) []string {
	l := newLabelled(observations)
	var due, status []string
	if dateForm.MatchString(s.dueDate) {
		due = []string{dueLabel + ": " + s.dueDate}
	} else {
		l.add(dueLabel, s.dueDate)
		s.dueDate = ""
	}
	switch dated := dateForm.MatchString(s.completedAt); {
	case s.completed && dated:
		status = []string{completedLabel + ": " + s.completedAt}
	default:
		l.add(completedLabel, s.completedAt)
		s.completedAt = ""
		if s.completed {
			status = []string{statusCompleted}
		}
	}
	all := slices.Concat(l.observations, due, status)
	if rest, read, _ := splitState(all); len(rest) == len(l.observations) && read == s {
		return all
	}
	if due == nil {
		due = []string{dueNone}
	}
	if status == nil {
		status = []string{statusOpen}
	}
	return slices.Concat(l.observations, due, status)
}
