package hooks

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"toolkit/internal/capture"
	"toolkit/internal/capture/notice"
	"toolkit/internal/capture/transcripts"
	"toolkit/internal/language"
	"toolkit/internal/search"
	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/store/sessions"
	"toolkit/tools"
	"toolkit/tools/charts"
	"toolkit/tools/memory"
	"toolkit/tools/recall"
)

const (
	// briefingTokens bounds what a session begins with.
	briefingTokens = 600

	maxCharts     = 5
	maxChartsRead = 200
	// maxLearned is how many lines are told with those that have a day, of a topic maxOnTopic, maxPlans
	// how many with a day, and maxStyles how many about how to answer.
	maxLearned, maxOnTopic, maxPlans, maxStyles = 12, 2, 5, 4
	maxQuotedRunes                              = 160
)

// composeBriefing is what a session of a project begins with; empty when there is nothing
// to tell. Nothing in it changes with the hour, so that a client's cache of the
// prompt stays good. With it come the fingerprints of what it tells whole.
func composeBriefing(ctx context.Context, tx *store.Tx, database string, p *transcripts.Project, running string, compacted bool, now time.Time) (text string, prints []string, err error) {
	b := briefingLines{tokens: briefingTokens - wrapTokens - tools.EstimateTokens(len(preamble)+1), fingerprintOf: map[string]string{}}
	health, err := ReadHealth(tx, database)
	if err != nil {
		return "", nil, err
	}
	if health.IsFailing() {
		b.addUnderHeadingIfFits("", fmt.Sprintf("Capture of sessions has failed %d times in a row (%s). The user may run: toolkit doctor", health.Failures, health.Reason))
	}
	var id int64
	if p != nil {
		known, err := sessions.In(tx).ProjectByKey(p.Keys()...)
		if err != nil {
			return "", nil, err
		}
		id = known.ID
	}
	moved, err := capture.FindMovedProject(tx, p)
	if err != nil {
		return "", nil, err
	}
	if moved.ID != 0 {
		says, command := capture.MovedFolderHint(moved)
		b.addUnderHeadingIfFits("", recall.QuoteWithoutSecrets(ctx, says, maxQuotedRunes)+" If it was moved or renamed to this folder, the user may run: "+command)
	}
	last, err := describeLastSession(ctx, tx, id, running)
	if err != nil {
		return "", nil, err
	}
	charts, err := formatChartsByDue(ctx, tx, p, id)
	if err != nil {
		return "", nil, err
	}
	if compacted { // it has lost what was said in it
		running = ""
	}
	said, err := readStatementLines(ctx, tx, id, running, now, b.fingerprintOf)
	if err != nil {
		return "", nil, err
	}
	b.reserveLines(last)
	b.addUnderHeadingIfFits("Charts, what is due first:", charts...)
	b.addUnderHeadingIfFits("Planned, what is due first:", said.planned...)
	b.addUnderHeadingIfFits("How answers are wanted, in this project first:", said.style...)
	b.addUnderHeadingIfFits("Asked to be remembered, the newest first:", said.asked...)
	b.addUnderHeadingIfFits("Said and learned, the newest first:", said.learned...)
	b.releaseReserved()
	b.addUnderHeadingIfFits("", last...)
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

func (b *briefingLines) reserveLines(lines []string) { b.reserved = len(strings.Join(lines, "\n")) + 1 }
func (b *briefingLines) releaseReserved()            { b.reserved = 0 }

// addUnderHeadingIfFits adds the lines that fit under a heading.
func (b *briefingLines) addUnderHeadingIfFits(heading string, lines ...string) {
	for _, line := range lines {
		print := b.fingerprintOf[line]
		if heading != "" {
			line = heading + "\n" + line
		}
		if tools.EstimateTokens(b.Len()+len(line)+1+b.reserved) > b.tokens {
			return
		}
		heading = ""
		b.WriteString(line + "\n")
		if print != "" {
			b.fingerprints = append(b.fingerprints, print)
		}
	}
}

// formatChartsByDue returns active charts of a project and of none with their next step, which may be one of a
// chart below, those due first in front.
func formatChartsByDue(ctx context.Context, tx *store.Tx, p *transcripts.Project, project int64) (lines []string, err error) {
	rows, _, err := graph.In(tx).ActiveCharts(maxChartsRead, 0)
	if err != nil {
		return nil, err
	}
	states, err := graph.In(tx).ReadChartsWithSteps(rows)
	if err != nil {
		return nil, err
	}
	next, err := charts.NextStepOfEachMasterChart(graph.In(tx))
	if err != nil {
		return nil, err
	}
	masters := slices.DeleteFunc(states, func(c *graph.Chart) bool { return c.ParentChart != "" })
	elsewhere, err := findChartsOfOtherProjects(tx, masters, p, project)
	if err != nil {
		return nil, err
	}
	masters = slices.DeleteFunc(masters, func(c *graph.Chart) bool { return elsewhere[c.ID] })
	slices.SortStableFunc(masters, func(a, b *graph.Chart) int { return charts.CompareDue(nextDueDate(a, next), nextDueDate(b, next)) })
	for _, c := range masters[:min(len(masters), maxCharts)] {
		progress := "no steps yet"
		if len(c.Steps) > 0 {
			progress = fmt.Sprintf("%d of %d steps done", c.CountCompletedSteps(), len(c.Steps))
		}
		text := fmt.Sprintf("- %s%s: %s", recall.QuoteWithoutSecrets(ctx, c.Outcome, maxQuotedRunes), formatDueDate(c.DueDate), progress)
		if s, open := next[c.Row]; open {
			text += ", next " + recall.QuoteWithoutSecrets(ctx, s.Title, maxQuotedRunes) + formatDueDate(s.DueDate)
		}
		lines = append(lines, text)
	}
	return lines, nil
}

// findChartsOfOtherProjects returns the ids of those charts that were made in another project, or for one.
func findChartsOfOtherProjects(tx *store.Tx, list []*graph.Chart, p *transcripts.Project, project int64) (elsewhere map[string]bool, err error) {
	ids := make([]string, len(list))
	for i, c := range list {
		ids[i] = c.ID
	}
	keys, err := graph.In(tx).ProjectsOfCharts(ids)
	if err != nil {
		return nil, err
	}
	elsewhere = map[string]bool{}
	for id, key := range keys {
		if p != nil && (slices.Contains(p.Keys(), key) || strings.EqualFold(p.Name, key)) {
			continue
		}
		meant, err := sessions.In(tx).FindProjects(key)
		if err != nil {
			return nil, err
		}
		elsewhere[id] = true
		for _, other := range meant {
			top, err := sessions.In(tx).TopProject(other.ID)
			if err != nil {
				return nil, err
			}
			if top.ID == project {
				delete(elsewhere, id)
			}
		}
	}
	return elsewhere, nil
}

// nextDueDate is the first day by which something of a chart is due, empty where nothing is:
// of a chart whose steps are all done nothing is.
func nextDueDate(c *graph.Chart, next map[int64]graph.PlacedStep) string {
	s, open := next[c.Row]
	if !open && len(c.Steps) > 0 {
		return ""
	}
	return cmp.Or(s.DueDate, c.DueDate)
}

func formatDueDate(date string) string {
	if date == "" {
		return ""
	}
	return " (due " + date[:min(len(date), len(time.DateOnly))] + ")"
}

// statementLines are what is told of what was said and written, in lines.
type statementLines struct{ planned, style, asked, learned []string }

// readStatementLines returns what was said and written of a project and of none: plans that are due, what is
// due first in front; how answers are wanted, which holds in every project; what somebody asked to be
// remembered; and the rest, the newest first.
func readStatementLines(ctx context.Context, tx *store.Tx, project int64, running string, now time.Time, fingerprintOf map[string]string) (lines statementLines, err error) {
	all, err := search.ListStatements(ctx, tx, project, running)
	if err != nil {
		return lines, err
	}
	list := search.OmitSessionStatements(all)
	ids := make([]int64, len(list))
	for i := range list {
		ids[i] = list[i].ID
		list[i].Due = memory.NextDueDay(list[i].Text, list[i].Due, list[i].At, now)
	}
	outdated, err := search.FindOutdatedInsights(ctx, tx, ids, now)
	if err != nil {
		return lines, err
	}
	today := now.Local().Format(time.DateOnly)
	var due, styles, asked, others []search.Topic
	for _, topic := range search.GroupOutdated(list, outdated) {
		newest := &topic[0]
		_, changedHere := outdated[newest.ID] // in the session now running, which knows
		isDue := newest.Due != "" && memory.IsStillDue(newest.Text, newest.Due, today)
		switch {
		case changedHere, newest.Due != "" && newest.Due < today && !language.IsOpenWork(newest.Text): // it took place
		case isDue && isSureStatement(newest, list):
			due = append(due, topic)
		case newest.Noticed == notice.Style, newest.Noticed == notice.ProjectStyle:
			styles = append(styles, topic)
		case newest.IsAsked:
			asked = append(asked, topic)
		default:
			others = append(others, topic)
		}
	}
	slices.SortStableFunc(due, func(a, b search.Topic) int {
		return cmp.Or(search.CompareTrueFirst(a[0].Due >= today, b[0].Due >= today), cmp.Compare(a[0].Due, b[0].Due))
	})
	if len(due) > maxPlans {
		due, others = due[:maxPlans], append(others, due[maxPlans:]...)
		slices.SortStableFunc(others, func(a, b search.Topic) int { return b[0].At.Compare(a[0].At) })
	}
	others = slices.DeleteFunc(others, func(topic search.Topic) bool { return !hasSureStatement(topic, list) })
	styles = slices.DeleteFunc(styles, func(topic search.Topic) bool { return !hasSureStatement(topic, list) })
	slices.SortStableFunc(styles, func(a, b search.Topic) int { return search.CompareTrueFirst(!a[0].SaidElsewhere, !b[0].SaidElsewhere) })
	styles = styles[:min(len(styles), maxStyles)]
	room := maxLearned - len(due) - len(styles)
	asked = asked[:min(len(asked), max(room-len(others), room*2/3))]
	others = others[:min(len(others), room-len(asked))]
	room -= len(asked) + len(others)
	for _, part := range []struct {
		topics []search.Topic
		lines  *[]string
	}{{due, &lines.planned}, {styles, &lines.style}, {asked, &lines.asked}, {others, &lines.learned}} {
		*part.lines = formatTopics(ctx, part.topics, &room, fingerprintOf)
	}
	return lines, nil
}

// formatTopics words topics: the newest statement of each, and as long as there is room for them
// those that it made untrue, with the word earlier before their day.
func formatTopics(ctx context.Context, list []search.Topic, room *int, fingerprintOf map[string]string) (lines []string) {
	for _, topic := range list {
		lines = append(lines, formatStatementLine(ctx, &topic[0], "", fingerprintOf))
		for i := 1; i < min(len(topic), maxOnTopic) && *room > 0; i++ {
			lines = append(lines, formatStatementLine(ctx, &topic[i], "earlier, ", fingerprintOf))
			*room--
		}
	}
	return lines
}

// hasSureStatement reports whether something sure stands in a topic.
func hasSureStatement(topic search.Topic, list []search.Statement) bool {
	return slices.ContainsFunc(topic, func(s search.Statement) bool { return isSureStatement(&s, list) })
}

// isSureStatement reports whether a statement is told unasked: somebody wrote it, its score is
// high, or it was said again.
func isSureStatement(s *search.Statement, list []search.Statement) bool {
	if s.Noticed == "" || s.IsAsked || s.IsRepeated || s.Score >= notice.MinBriefedScore() {
		return true
	}
	return slices.ContainsFunc(list, func(other search.Statement) bool { return other.ID != s.ID && search.IsRepetition(&other, s) })
}

// formatStatementLine words a statement behind a label, and notes its fingerprint where it tells it whole.
func formatStatementLine(ctx context.Context, s *search.Statement, label string, fingerprintOf map[string]string) string {
	origin := ""
	if s.Noticed != "" {
		origin = " (noticed)"
	}
	line := fmt.Sprintf("- %s%s: %s%s%s", label, s.At.Local().Format(time.DateOnly), recall.QuoteWithoutSecrets(ctx, s.Text, maxQuotedRunes), formatDueDate(s.Due), origin)
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
	last, err := recall.FindLastSessions(ctx, tx, project, 1, func(s sessions.Session) bool { return s.ID != running })
	if err != nil || len(last) == 0 {
		return nil, err
	}
	return last[0].FormatLines(ctx, recall.HeadLast), nil
}
