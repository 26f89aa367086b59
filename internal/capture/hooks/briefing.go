package hooks

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"toolkit/internal/capture/notice"
	"toolkit/internal/capture/transcripts"
	"toolkit/internal/search"
	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/store/sessions"
	"toolkit/tools"
	"toolkit/tools/charts"
	"toolkit/tools/recall"
)

const (
	// briefingTokens bounds what a session begins with.
	briefingTokens = 600

	maxCharts     = 5
	maxChartsRead = 200
	// maxStatements is how many statements of a project are looked at, maxLearned how
	// many lines are told with those that have a day, of a topic maxOnTopic, maxPlans how many with a day,
	// and maxStyles how many about how to answer.
	maxStatements, maxLearned, maxOnTopic, maxPlans, maxStyles = 400, 12, 2, 5, 4
	// overdueDays is how long a plan is told of after its day: nothing says whether
	// it was kept.
	overdueDays    = 14
	maxQuotedRunes = 160
)

// composeBriefing is what a session of a project begins with; empty when there is nothing
// to tell. Nothing in it changes with the hour, so that a client's cache of the
// prompt stays good. With it come the fingerprints of what it tells whole.
func composeBriefing(ctx context.Context, tx *store.Tx, database string, p *transcripts.Project, running string, now time.Time) (text string, prints []string, err error) {
	b := briefingLines{tokens: briefingTokens - wrapTokens - tools.Tokens(len(preamble)+1), fingerprintOf: map[string]string{}}
	health, err := ReadHealth(tx, database)
	if err != nil {
		return "", nil, err
	}
	if health.Failing() {
		b.add("", fmt.Sprintf("Capture of sessions has failed %d times in a row (%s). The user may run: toolkit doctor", health.Failures, health.Reason))
	}
	var id int64
	if p != nil {
		known, err := sessions.In(tx).ProjectByKey(p.Keys()...)
		if err != nil {
			return "", nil, err
		}
		id = known.ID
	}
	last, err := describeLastSession(ctx, tx, id, running)
	if err != nil {
		return "", nil, err
	}
	charts, err := dueCharts(ctx, tx)
	if err != nil {
		return "", nil, err
	}
	planned, style, learned, err := readStatements(ctx, tx, id, running, now, b.fingerprintOf)
	if err != nil {
		return "", nil, err
	}
	b.reserve(last)
	b.add("Charts, what is due first:", charts...)
	b.add("Planned, what is due first:", planned...)
	b.add("How answers are wanted, the newest first:", style...)
	b.add("Said and learned, the newest first:", learned...)
	b.release()
	b.add("", last...)
	if b.Len() == 0 {
		return "", nil, nil
	}
	return preamble + "\n" + strings.TrimSuffix(b.String(), "\n"), b.fingerprints, ctx.Err()
}

// briefingLines collects lines as long as they fit.
type briefingLines struct {
	strings.Builder
	tokens        int
	reserved      int               // bytes
	fingerprintOf map[string]string // fingerprints of lines that tell something whole
	fingerprints  []string          // of those that were added
}

func (b *briefingLines) reserve(lines []string) { b.reserved = len(strings.Join(lines, "\n")) + 1 }
func (b *briefingLines) release()               { b.reserved = 0 }

// add adds the lines that fit under a heading.
func (b *briefingLines) add(heading string, lines ...string) {
	for _, line := range lines {
		print := b.fingerprintOf[line]
		if heading != "" {
			line = heading + "\n" + line
		}
		if tools.Tokens(b.Len()+len(line)+1+b.reserved) > b.tokens {
			return
		}
		heading = ""
		b.WriteString(line + "\n")
		if print != "" {
			b.fingerprints = append(b.fingerprints, print)
		}
	}
}

// dueCharts are active charts with their next step, which may be one of a chart below, those
// due first in front.
func dueCharts(ctx context.Context, tx *store.Tx) (lines []string, err error) {
	rows, _, err := graph.In(tx).ActiveCharts(maxChartsRead, 0)
	if err != nil {
		return nil, err
	}
	states, err := graph.In(tx).ChartStates(rows)
	if err != nil {
		return nil, err
	}
	next, err := charts.NextStepOfEach(graph.In(tx))
	if err != nil {
		return nil, err
	}
	masters := slices.DeleteFunc(states, func(c *graph.Chart) bool { return c.ParentChart != "" })
	slices.SortStableFunc(masters, func(a, b *graph.Chart) int { return charts.CompareDue(earliestDue(a, next), earliestDue(b, next)) })
	for _, c := range masters[:min(len(masters), maxCharts)] {
		progress := "no steps yet"
		if len(c.Steps) > 0 {
			progress = fmt.Sprintf("%d of %d steps done", c.Completed(), len(c.Steps))
		}
		text := fmt.Sprintf("- %s%s: %s", recall.QuoteText(ctx, c.Outcome, maxQuotedRunes), dueText(c.DueDate), progress)
		if s, open := next[c.Row]; open {
			text += ", next " + recall.QuoteText(ctx, s.Title, maxQuotedRunes) + dueText(s.DueDate)
		}
		lines = append(lines, text)
	}
	return lines, nil
}

// earliestDue is the first day by which something of a chart is due, empty where nothing is:
// of a chart whose steps are all done nothing is.
func earliestDue(c *graph.Chart, next map[int64]graph.PlacedStep) string {
	s, open := next[c.Row]
	if !open && len(c.Steps) > 0 {
		return ""
	}
	return cmp.Or(s.DueDate, c.DueDate)
}

func dueText(date string) string {
	if date == "" {
		return ""
	}
	return " (due " + date[:min(len(date), len(time.DateOnly))] + ")"
}

// readStatements are what was said and written of a project and of none: plans that are
// due, what is due first in front, how answers are wanted, which holds in every project, and the
// rest by topic, the surest topics as far as there are lines, the newest first.
func readStatements(ctx context.Context, tx *store.Tx, project int64, running string, now time.Time, fingerprintOf map[string]string) (planned, style, learned []string, err error) {
	list, err := search.ListStatements(ctx, tx, project, running, notice.Style, maxStatements)
	if err != nil {
		return nil, nil, nil, err
	}
	since := now.AddDate(0, 0, -overdueDays).Format(time.DateOnly)
	var due, styles, others []search.Topic
	for _, topic := range search.GroupByTopic(list) {
		switch newest := &topic[0]; {
		case newest.Due >= since && isSure(newest, list):
			due = append(due, topic[:min(len(topic), maxOnTopic)])
		case newest.Noticed == notice.Style:
			styles = append(styles, topic)
		default:
			others = append(others, topic)
		}
	}
	slices.SortStableFunc(due, func(a, b search.Topic) int { return cmp.Compare(a[0].Due, b[0].Due) })
	if len(due) > maxPlans {
		due, others = due[:maxPlans], append(others, due[maxPlans:]...)
	}
	planned = labelEarlier(ctx, due, fingerprintOf)
	style = labelEarlier(ctx, selectTopics(styles, list, maxStyles), fingerprintOf)
	return planned, style, labelEarlier(ctx, selectTopics(others, list, maxLearned-len(planned)-len(style)), fingerprintOf), nil
}

// labelEarlier words topics: the newest statement of each, then the others with the word
// earlier before their day.
func labelEarlier(ctx context.Context, list []search.Topic, fingerprintOf map[string]string) (lines []string) {
	for _, topic := range list {
		for i := range topic {
			label := ""
			if topic[i].At.Before(topic[0].At) {
				label = "earlier, "
			}
			lines = append(lines, statementLine(ctx, &topic[i], label, fingerprintOf))
		}
	}
	return lines
}

// selectTopics are the topics with something sure in them, as many as there are lines for,
// the newest first.
func selectTopics(all []search.Topic, list []search.Statement, room int) []search.Topic {
	type weighed struct {
		search.Topic
		score float64
	}
	var rated []weighed
	for _, topic := range all {
		score := 0.0
		for i := range topic {
			if isSure(&topic[i], list) {
				score = max(score, topic[i].Score)
			}
		}
		if score > 0 {
			rated = append(rated, weighed{topic[:min(len(topic), maxOnTopic)], score})
		}
	}
	slices.SortStableFunc(rated, func(a, b weighed) int { return cmp.Compare(b.score, a.score) })
	lines := 0
	var chosen []search.Topic
	for _, w := range rated {
		if lines+len(w.Topic) <= room {
			chosen, lines = append(chosen, w.Topic), lines+len(w.Topic)
		}
	}
	slices.SortStableFunc(chosen, func(a, b search.Topic) int { return b[0].At.Compare(a[0].At) })
	return chosen
}

// isSure reports whether a statement is told unasked: somebody wrote it, its score is
// high, or it was said again.
func isSure(s *search.Statement, list []search.Statement) bool {
	if s.Noticed == "" || s.IsRepeated || s.Score >= notice.MinBriefedScore() {
		return true
	}
	return slices.ContainsFunc(list, func(other search.Statement) bool { return other.ID != s.ID && search.IsRepetition(&other, s) })
}

// statementLine words a statement behind a label, and notes its fingerprint where it tells it whole.
func statementLine(ctx context.Context, s *search.Statement, label string, fingerprintOf map[string]string) string {
	origin := ""
	if s.Noticed != "" {
		origin = " (noticed)"
	}
	line := fmt.Sprintf("- %s%s: %s%s%s", label, s.At.Local().Format(time.DateOnly), recall.QuoteText(ctx, s.Text, maxQuotedRunes), dueText(s.Due), origin)
	if utf8.RuneCountInString(s.Text) <= maxQuotedRunes {
		fingerprintOf[line] = recall.Fingerprint(s.Ref)
	}
	return line
}

// describeLastSession tells in two lines of the last session of a project before the one
// now running: what it was about, and what came of it. A folder that is no project has none.
func describeLastSession(ctx context.Context, tx *store.Tx, project int64, running string) ([]string, error) {
	if project == 0 {
		return nil, nil
	}
	last, err := recall.FindLastSessions(tx, project, 1, func(s sessions.Session) bool { return s.ID != running })
	if err != nil || len(last) == 0 {
		return nil, err
	}
	return last[0].Lines(ctx, recall.HeadLast), nil
}
