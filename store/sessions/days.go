package sessions

import (
	"strings"
	"time"

	"toolkit/store/internal/query"
)

// MaxRowsPerDay bounds what is looked at of one day: the last so many turns, or insights.
const MaxRowsPerDay = 5000

// maxSpanningSessions is how many sessions that ended after a moment are looked at for those
// that began before it.
const maxSpanningSessions = 1000

// maxInsightsChecked is how many insights are looked at for the last one of a choice.
const maxInsightsChecked = 2000

// TurnFilter chooses what was said; zero fields do not restrict.
type TurnFilter struct {
	Project  int64    // or NoProject
	Speakers []string // any of them
}

func (c TurnFilter) isRestricted() bool { return c.Project != 0 || len(c.Speakers) > 0 }

// dialogueCondition are the conditions on dialogue under a name; ?1 is the project and ?2 the list of
// speakers.
func (c TurnFilter) dialogueCondition(dialogue string) string {
	where := []string{`?1 = ?1 AND ?2 = ?2`} // names both, so that there are always as many arguments
	if c.Project != 0 {
		where = append(where, `EXISTS (SELECT 1 FROM capture_sessions c LEFT JOIN capture_turns m ON m.l0_id = `+dialogue+`.id WHERE c.session_id = `+dialogue+`.session_id AND `+inProject+` IS NOT DISTINCT FROM nullif(?1, -1))`)
	}
	if len(c.Speakers) > 0 {
		where = append(where, dialogue+`.speaker IN (SELECT value FROM json_each(?2))`)
	}
	return strings.Join(where, ` AND `)
}

// insightCondition is the condition that one of a few insights came from what was said, or
// was remembered for the project.
func (c TurnFilter) insightCondition() string {
	if !c.isRestricted() {
		return c.dialogueCondition("few")
	}
	said := `EXISTS (SELECT 1 FROM l2_sources x JOIN l0_raw d ON d.id = x.l0_id WHERE x.insight_id = few.id AND ` + c.dialogueCondition("d") + `)`
	if c.Project <= 0 || len(c.Speakers) > 0 { // what was remembered, nobody said
		return said
	}
	return `(` + said + ` OR iif(json_valid(few.metadata), few.metadata ->> '$.project', NULL) IN (SELECT key FROM capture_projects WHERE id IN (` + projectTree + `)))`
}

func (c TurnFilter) bindArguments(more ...any) []any {
	return append([]any{c.Project, query.List(c.Speakers)}, more...)
}

// LastTurnTime returns the last moment before another at which something of a choice may
// have been said; the zero time when nothing was.
func (tx Rows) LastTurnTime(c TurnFilter, until time.Time) (time.Time, error) {
	switch {
	case c.Project != 0: // the last session that ended before, or one of those that go on after
		return tx.readTime(`SELECT max(at) FROM (
			SELECT max(ended_at) AS at FROM capture_sessions WHERE project IS NOT DISTINCT FROM nullif(?1, -1) AND ended_at < ?2
			UNION ALL SELECT max((SELECT max(d.occurred_at) FROM l0_raw d WHERE d.session_id = few.session_id AND d.occurred_at < ?2))
				FROM (SELECT session_id, started_at FROM capture_sessions WHERE project IS NOT DISTINCT FROM nullif(?1, -1) AND ended_at >= ?2 ORDER BY ended_at LIMIT ?3) few WHERE few.started_at < ?2
			UNION ALL SELECT max(d.occurred_at) FROM capture_turns m JOIN l0_raw d ON d.id = m.l0_id WHERE m.project IS NOT DISTINCT FROM nullif(?1, -1) AND d.occurred_at < ?2) said`,
			c.Project, millis(until), maxSpanningSessions)
	case len(c.Speakers) > 0:
		return tx.readTime(`SELECT max((SELECT max(occurred_at) FROM l0_raw WHERE speaker = j.value AND occurred_at < ?2)) FROM json_each(?1) j`, query.List(c.Speakers), millis(until))
	}
	return tx.readTime(`SELECT max(occurred_at) FROM l0_raw WHERE occurred_at < ?`, millis(until))
}

// SessionSpan is what was said in a session within a time.
type SessionSpan struct {
	Session     string
	Turns       int
	First, Last time.Time
}

// FindSessionSpans returns the sessions in which something of a choice was said from one moment
// until before another, the one that began last first. Cut: more was said than is looked at.
func (tx Rows) FindSessionSpans(c TurnFilter, from, until time.Time) (list []SessionSpan, cut bool, err error) {
	list, err = query.Select(tx.sql, func(s *SessionSpan) []any {
		return []any{&s.Session, &s.Turns, query.Millis(&s.First), query.Millis(&s.Last)}
	}, `SELECT session_id, count(*), min(occurred_at), max(occurred_at)
		FROM (SELECT id, session_id, speaker, occurred_at FROM l0_raw WHERE occurred_at >= ?3 AND occurred_at < ?4 ORDER BY occurred_at DESC, id DESC LIMIT ?5) few
		WHERE `+c.dialogueCondition("few")+` GROUP BY session_id ORDER BY min(occurred_at) DESC, session_id`, c.bindArguments(millis(from), millis(until), MaxRowsPerDay)...)
	if err != nil {
		return nil, false, err
	}
	err = tx.sql.Row(`SELECT count(*) > ?3 FROM (SELECT 1 FROM l0_raw WHERE occurred_at >= ?1 AND occurred_at < ?2 LIMIT ?3 + 1)`, millis(from), millis(until), MaxRowsPerDay).Scan(&cut)
	return list, cut, err
}

// SessionName is what a session is called.
type SessionName struct {
	Session
	ProjectName string `json:"project"`
	Begins      string `json:"begins"` // the beginning of what its user said first
}

// FindSessionNames returns what sessions are called, by their ids. One that was stored by an
// assistant, and not captured, has no client.
func (tx Rows) FindSessionNames(sessions []string) (map[string]SessionName, error) {
	names := make(map[string]SessionName, len(sessions))
	fields := func(n *SessionName) []any {
		return []any{&n.ID, &n.Client, &n.ProjectName, &n.Title, &n.SideChain, &n.Begins}
	}
	err := query.EachRow(tx.sql, fields, func(n SessionName) error {
		names[n.ID] = n
		return nil
	}, `SELECT j.value, coalesce(s.client, ''), coalesce(p.name, ''), coalesce(s.title, ''), coalesce(s.side_chain, 0),
			`+firstWords+`j.value`+firstWordsOrder+`
		FROM json_each(?) j LEFT JOIN capture_sessions s ON s.session_id = j.value LEFT JOIN capture_projects p ON p.id = s.project`, query.List(sessions))
	return names, err
}

// LastInsightTime returns the last moment before another at which an insight may have come
// from what was said; the zero time when none did. Of a choice it looks back a while.
func (tx Rows) LastInsightTime(c TurnFilter, until time.Time) (time.Time, error) {
	if !c.isRestricted() {
		return tx.readTime(`SELECT max(created_at) FROM l2_insights WHERE created_at < ?`, millis(until))
	}
	const looked = `(SELECT id, created_at, deleted_at, metadata FROM l2_insights WHERE created_at < ?3 ORDER BY created_at DESC, id DESC LIMIT ?4) few`
	return tx.readTime(`SELECT coalesce((SELECT created_at FROM `+looked+` WHERE few.deleted_at IS NULL AND `+c.insightCondition()+` LIMIT 1), (SELECT min(created_at) FROM `+looked+`))`, c.bindArguments(millis(until), maxInsightsChecked)...)
}

// FindInsights returns the insights that came from what was said, superseded ones too, made
// from one moment until before another, newest first. Cut: there are more than are
// looked at.
func (tx Rows) FindInsights(c TurnFilter, from, until time.Time) (ids []int64, cut bool, err error) {
	ids, err = tx.sql.IDs(`SELECT id FROM (SELECT id, created_at, deleted_at, metadata FROM l2_insights WHERE created_at >= ?3 AND created_at < ?4 ORDER BY created_at DESC, id DESC LIMIT ?5) few
		WHERE few.deleted_at IS NULL AND `+c.insightCondition()+` ORDER BY created_at DESC, id DESC`, c.bindArguments(millis(from), millis(until), MaxRowsPerDay)...)
	if err != nil {
		return nil, false, err
	}
	err = tx.sql.Row(`SELECT count(*) > ?3 FROM (SELECT 1 FROM l2_insights WHERE created_at >= ?1 AND created_at < ?2 LIMIT ?3 + 1)`, millis(from), millis(until), MaxRowsPerDay).Scan(&cut)
	return ids, cut, err
}

// readTime reads one moment, which may be NULL: the zero time.
func (tx Rows) readTime(statement string, args ...any) (time.Time, error) {
	return query.Read(tx.sql, func(t *time.Time) []any { return []any{query.Millis(t)} }, statement, args...)
}

// Turn is what the user said in a project.
type Turn struct {
	ID   int64 // of its dialogue row
	At   time.Time
	Text string
}

const (
	// maxScannedTurns is how many of the newest turns are looked at for those of a project.
	maxScannedTurns = 4000
	// maxTurnLength is the length in bytes from which a turn was mostly pasted.
	maxTurnLength = 600
)

// ListTurnsWithoutInsight returns up to limit turns that the user said in a project, the newest first,
// but for those of the session now running, long ones and those of which an insight was
// made.
func (tx Rows) ListTurnsWithoutInsight(project int64, running string, limit int) ([]Turn, error) {
	return query.Select(tx.sql, func(t *Turn) []any { return []any{&t.ID, query.Millis(&t.At), &t.Text} }, `SELECT d.id, d.occurred_at, d.content FROM (SELECT id, session_id, speaker, content, occurred_at FROM l0_raw ORDER BY id DESC LIMIT ?4) d
		JOIN capture_sessions c ON c.session_id = d.session_id LEFT JOIN capture_turns m ON m.l0_id = d.id
		WHERE d.speaker = 'user' AND `+inProject+` = ?1 AND d.session_id <> ?2 AND length(d.content) <= ?5
			AND NOT EXISTS (SELECT 1 FROM l2_sources s WHERE s.l0_id = d.id)
		ORDER BY d.id DESC LIMIT ?3`, project, running, limit, maxScannedTurns, maxTurnLength)
}
