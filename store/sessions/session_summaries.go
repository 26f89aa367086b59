package sessions

import "toolkit/store/internal/query"

// NoProject chooses the sessions that belong to none.
const NoProject = -1

// SessionFilter chooses sessions; zero fields do not restrict.
type SessionFilter struct {
	Project       int64
	Client        string
	Captured      bool // leave out those that an assistant stored itself
	Limit, Offset int
}

// SessionSummary is a session in a list.
type SessionSummary struct {
	SessionName
	Turns    int `json:"turns"`
	Insights int `json:"insights"` // current ones that name a turn of it as a source
}

// firstWords and firstWordsOrder stand around the id of a session and select the beginning of what its user said
// first, or anybody where no user spoke early. A greeting names no session.
const (
	firstWords      = `coalesce((SELECT substr(few.content, 1, 200) FROM (SELECT content, speaker, occurred_at, id FROM l0_raw WHERE session_id = `
	firstWordsOrder = ` ORDER BY occurred_at, id LIMIT 20) few ORDER BY few.speaker <> 'user', length(few.content) < 8, few.occurred_at, few.id LIMIT 1), '')`
)

// What is told of a session; only those that are shown are looked into.
const sessionSummaryQuery = `SELECT s.session_id, s.client, coalesce(s.project, 0), coalesce(p.name, ''), s.branch, s.side_chain, s.title, s.started_at, s.ended_at,
		` + firstWords + `s.session_id` + firstWordsOrder + `,
		(SELECT count(*) FROM l0_raw d WHERE d.session_id = s.session_id),
		(SELECT count(DISTINCT l.insight_id) FROM l0_raw d JOIN l2_sources l ON l.l0_id = d.id JOIN l2_insights i ON i.id = l.insight_id
			WHERE d.session_id = s.session_id AND i.superseded_by IS NULL AND i.deleted_at IS NULL)
	FROM (SELECT * FROM (` + everySession + `) every `

// everySession selects the sessions that were captured, and those of which assistants only
// stored dialogue: these have no client. It goes from one to the next in the index.
const everySession = `SELECT session_id, client, project, branch, side_chain, title, started_at, ended_at FROM capture_sessions
	UNION ALL SELECT stored.id, '', NULL, '', 0, '', (SELECT min(d.occurred_at) FROM l0_raw d WHERE d.session_id = stored.id), (SELECT max(d.occurred_at) FROM l0_raw d WHERE d.session_id = stored.id)
	FROM (WITH RECURSIVE next(id) AS (SELECT min(session_id) FROM l0_raw UNION ALL SELECT (SELECT min(d.session_id) FROM l0_raw d WHERE d.session_id > next.id) FROM next WHERE next.id IS NOT NULL)
		SELECT id FROM next WHERE id IS NOT NULL) stored WHERE NOT EXISTS (SELECT 1 FROM capture_sessions c WHERE c.session_id = stored.id)`

const sessionSummaryOrder = ` ORDER BY ended_at DESC, session_id LIMIT ? OFFSET ?) s LEFT JOIN capture_projects p ON p.id = s.project ORDER BY s.ended_at DESC, s.session_id`

// ListSessionSummaries returns chosen sessions, the last one first. One that was stored by an
// assistant, and not captured, has no client.
func (tx Rows) ListSessionSummaries(c SessionFilter) ([]SessionSummary, error) {
	where, args := `WHERE TRUE`, []any{}
	switch {
	case c.Project == NoProject:
		where += ` AND project IS NULL`
	case c.Project != 0:
		where, args = where+` AND project = ?`, append(args, c.Project)
	}
	if c.Captured {
		where += ` AND client <> ''`
	}
	if c.Client != "" {
		where, args = where+` AND client = ?`, append(args, c.Client)
	}
	return query.Select(tx.sql, (*SessionSummary).fields, sessionSummaryQuery+where+sessionSummaryOrder, append(args, c.Limit, c.Offset)...)
}

// FindSessionSummary returns one session; false when there is none.
func (tx Rows) FindSessionSummary(id string) (SessionSummary, bool, error) {
	return query.Find(tx.sql, (*SessionSummary).fields, sessionSummaryQuery+`WHERE session_id = ?`+sessionSummaryOrder, id, 1, 0)
}

func (l *SessionSummary) fields() []any {
	return []any{&l.ID, &l.Client, &l.Project, &l.ProjectName, &l.Branch, &l.SideChain, &l.Title, query.Millis(&l.Started), query.Millis(&l.Ended), &l.Begins, &l.Turns, &l.Insights}
}

// SessionCount is how many sessions a client has in a project.
type SessionCount struct {
	Project     int64  `json:"project"` // or NoProject
	ProjectName string `json:"project_name"`
	Client      string `json:"client"`
	Sessions    int    `json:"sessions"`
}

// CountSessions counts all sessions, those of the project with the latest first.
func (tx Rows) CountSessions() ([]SessionCount, error) {
	return query.Select(tx.sql, func(c *SessionCount) []any { return []any{&c.Project, &c.ProjectName, &c.Client, &c.Sessions} }, `SELECT g.project, coalesce(p.name, ''), g.client, g.sessions
		FROM (SELECT coalesce(project, ?) AS project, client, count(*) AS sessions, max(ended_at) AS latest FROM (`+everySession+`) every GROUP BY 1, 2) g
		LEFT JOIN capture_projects p ON p.id = g.project ORDER BY max(g.latest) OVER (PARTITION BY g.project) DESC, g.project, g.client`, NoProject)
}
