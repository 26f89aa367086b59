package hook

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"toolkit/store"
	"toolkit/store/captures"
	"toolkit/store/kept"
	"toolkit/store/memories"
	"toolkit/store/nodes"
	"toolkit/tools"
	"toolkit/tools/memory"
	"toolkit/tools/memory/project"
	"toolkit/tools/memory/transcripts"
	"toolkit/tools/recall"
)

const (
	// briefingTokens bounds what a session begins with.
	briefingTokens = 600

	mostCharts   = 5
	chartsLooked = 200
	mostInsights = 12
	mostPromises = 5
	// overdueDays is how long a promise is told of after its day: nothing says whether
	// it was kept.
	overdueDays = 14
	// sessionsLooked is how far back the last session with something said is sought.
	sessionsLooked = 10
	// turnsLooked is among how many turns one that tells something is sought, and
	// tellingWords how long it is at least: "thanks, that works" tells nothing.
	turnsLooked  = 10
	tellingWords = 6
	quotedRunes  = 160
)

// briefing is what a session of a project begins with; empty when there is nothing
// to tell. Nothing in it changes with the hour, so that a client's cache of the
// prompt stays good. With it come the fingerprints of what it tells whole.
func briefing(tx *store.Tx, database string, p *project.Project, running string, now time.Time) (text string, prints []string, err error) {
	b := pages{tokens: briefingTokens - wrapping - tools.Tokens(len(preamble)+1), known: map[string]string{}}
	health, err := Look(tx, database)
	if err != nil {
		return "", nil, err
	}
	if health.Failing() {
		b.add("", fmt.Sprintf("Capture of sessions has failed %d times in a row (%s). The user may run: toolkit doctor", health.Failures, health.Reason))
	}
	var id int64
	if p != nil {
		known, err := captures.In(tx).ProjectByKey(p.Keys()...)
		if err != nil {
			return "", nil, err
		}
		id = known.ID
	}
	last, err := lastSession(tx, id, running)
	if err != nil {
		return "", nil, err
	}
	charts, err := dueCharts(tx)
	if err != nil {
		return "", nil, err
	}
	promised, learned, err := insights(tx, id, running, now, b.known)
	if err != nil {
		return "", nil, err
	}
	b.reserve(last)
	b.add("Charts, what is due first:", charts...)
	b.add("Promised, what is due first:", promised...)
	b.add("Decided, preferred, learned:", learned...)
	b.release()
	b.add("", last...)
	if b.Len() == 0 {
		return "", nil, nil
	}
	return preamble + "\n" + strings.TrimSuffix(b.String(), "\n"), b.prints, nil
}

// pages collects lines as long as they fit.
type pages struct {
	strings.Builder
	tokens   int
	reserved int               // bytes
	known    map[string]string // fingerprints of lines that tell something whole
	prints   []string          // of those that were added
}

func (b *pages) reserve(lines []string) { b.reserved = len(strings.Join(lines, "\n")) + 1 }
func (b *pages) release()               { b.reserved = 0 }

// add adds the lines that fit under a heading.
func (b *pages) add(heading string, lines ...string) {
	for _, line := range lines {
		print := b.known[line]
		if heading != "" {
			line = heading + "\n" + line
		}
		if tools.Tokens(b.Len()+len(line)+1+b.reserved) > b.tokens {
			return
		}
		heading = ""
		b.WriteString(line + "\n")
		if print != "" {
			b.prints = append(b.prints, print)
		}
	}
}

// dueCharts are active charts with their next step, those due first in front.
func dueCharts(tx *store.Tx) (lines []string, err error) {
	rows, _, err := nodes.In(tx).ActiveCharts(chartsLooked, 0)
	if err != nil {
		return nil, err
	}
	charts, err := nodes.In(tx).ChartStates(rows)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(charts, func(a, b *nodes.ChartState) int { return cmp.Compare(dueOf(a), dueOf(b)) })
	for _, c := range charts[:min(len(charts), mostCharts)] {
		progress := "no steps yet"
		if len(c.Steps) > 0 {
			progress = fmt.Sprintf("%d of %d steps done", c.Completed(), len(c.Steps))
		}
		text := fmt.Sprintf("- %s%s: %s", quoted(c.Outcome, quotedRunes), due(c.DueDate), progress)
		if s := next(c); s != nil {
			text += ", next " + quoted(s.Title, quotedRunes) + due(s.DueDate)
		}
		lines = append(lines, text)
	}
	return lines, nil
}

// undated sorts behind every date.
const undated = "~"

func dueOf(c *nodes.ChartState) string {
	if s := next(c); s != nil && s.DueDate != "" {
		return s.DueDate
	}
	return cmp.Or(c.DueDate, undated)
}

// next is the open step of a chart that is due first.
func next(c *nodes.ChartState) (next *nodes.StepState) {
	for i := range c.Steps {
		s := &c.Steps[i]
		if !s.Completed && (next == nil || cmp.Or(s.DueDate, undated) < cmp.Or(next.DueDate, undated)) {
			next = s
		}
	}
	return next
}

func due(date string) string {
	if date == "" {
		return ""
	}
	return " (due " + date[:min(len(date), len(time.DateOnly))] + ")"
}

// insights are the current ones of a project and of none, with their days: promises
// that are due, and the others.
func insights(tx *store.Tx, project int64, running string, now time.Time, known map[string]string) (promised, learned []string, err error) {
	since := now.AddDate(0, 0, -overdueDays).Format(time.DateOnly)
	due, err := captures.In(tx).PromisedIn(project, running, since, mostPromises)
	if err != nil {
		return nil, nil, err
	}
	others, err := captures.In(tx).LearnedIn(project, running, mostInsights)
	if err != nil {
		return nil, nil, err
	}
	others = slices.DeleteFunc(others, func(l captures.Learned) bool { return slices.Contains(due, l) })
	if promised, err = inLines(tx, due, known); err != nil {
		return nil, nil, err
	}
	learned, err = inLines(tx, others, known)
	return promised, learned, err
}

func inLines(tx *store.Tx, list []captures.Learned, known map[string]string) (lines []string, err error) {
	ids := make([]int64, len(list))
	for i, l := range list {
		ids[i] = l.ID
	}
	texts, err := memories.In(tx).InsightsByID(ids)
	if err != nil {
		return nil, err
	}
	for i, insight := range texts {
		line := fmt.Sprintf("- %s: %s%s%s", list[i].At.Format(time.DateOnly), quoted(insight.Content, quotedRunes), due(list[i].Due), origin(&insight))
		if utf8.RuneCountInString(insight.Content) <= quotedRunes {
			known[line] = recall.Fingerprint(kept.Insight + ":" + strconv.FormatInt(insight.ID, 10))
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// origin marks what was found without a model and confirmed by nobody.
func origin(i *memories.Insight) string {
	if memory.KindExtracted(i) == "" {
		return ""
	}
	return " (extracted)"
}

// lastSession tells in two lines of the last session of a project before the one
// now running: what it was about, and what came of it. A folder that is no project
// has none.
func lastSession(tx *store.Tx, project int64, running string) ([]string, error) {
	if project == 0 {
		return nil, nil
	}
	sessions, err := captures.In(tx).Sessions(project, sessionsLooked)
	if err != nil {
		return nil, err
	}
	for _, s := range sessions {
		if s.ID == running || s.SideChain {
			continue
		}
		request, err := telling(tx, memories.DialogueFilter{SessionID: s.ID, Speaker: transcripts.User, Oldest: true})
		if err != nil {
			return nil, err
		}
		answer, err := telling(tx, memories.DialogueFilter{SessionID: s.ID, Speaker: transcripts.Assistant})
		if err != nil {
			return nil, err
		}
		about := cmp.Or(s.Title, request, answer)
		if about == "" { // all of it was forgotten
			continue
		}
		lines := []string{fmt.Sprintf("Last session, %s, %s: %s", s.Ended.Format(time.DateOnly), s.Client, quoted(about, quotedRunes))}
		if answer != "" && answer != about {
			lines = append(lines, "The assistant's last answer of weight: "+quoted(answer, quotedRunes))
		}
		return lines, nil
	}
	return nil, nil
}

// telling is the first turn of a filter that says more than that all is well; when
// none does, the longest.
func telling(tx *store.Tx, f memories.DialogueFilter) (text string, err error) {
	f.Limit = turnsLooked
	list, err := memories.In(tx).Dialogues(f)
	for _, d := range list {
		if len(strings.Fields(d.Content)) >= tellingWords {
			return d.Content, err
		}
		if len(d.Content) > len(text) {
			text = d.Content
		}
	}
	return text, err
}
