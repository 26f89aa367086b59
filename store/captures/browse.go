package captures

import "toolkit/store/internal/query"

// NoProject chooses the sessions that belong to none.
const NoProject = -1

// Choice chooses sessions; zero fields do not restrict.
type Choice struct {
	Project       int64
	Client        string
	Limit, Offset int
}

// Listed is a session in a list.
type Listed struct {
	Session
	ProjectName string
	Begins      string // the beginning of what was said first
	Turns       int
	Insights    int // that name a turn of it as a source
}

// What is told of a session; only those that are shown are looked into.
const listed = `SELECT s.session_id, s.client, coalesce(s.project, 0), coalesce(p.name, ''), s.branch, s.side_chain, s.title, s.started_at, s.ended_at,
		coalesce((SELECT substr(d.content, 1, 200) FROM l0_raw d WHERE d.session_id = s.session_id ORDER BY d.occurred_at, d.id LIMIT 1), ''),
		(SELECT count(*) FROM l0_raw d WHERE d.session_id = s.session_id),
		(SELECT count(DISTINCT l.insight_id) FROM l0_raw d JOIN l2_sources l ON l.l0_id = d.id JOIN l2_insights i ON i.id = l.insight_id
			WHERE d.session_id = s.session_id AND i.deleted_at IS NULL)
	FROM (SELECT * FROM capture_sessions `

const listedOrder = ` ORDER BY ended_at DESC, session_id LIMIT ? OFFSET ?) s LEFT JOIN capture_projects p ON p.id = s.project ORDER BY s.ended_at DESC, s.session_id`

// List returns chosen sessions, the last one first.
func (tx Rows) List(c Choice) ([]Listed, error) {
	where, args := `WHERE TRUE`, []any{}
	switch {
	case c.Project == NoProject:
		where += ` AND project IS NULL`
	case c.Project != 0:
		where, args = where+` AND project = ?`, append(args, c.Project)
	}
	if c.Client != "" {
		where, args = where+` AND client = ?`, append(args, c.Client)
	}
	return query.All(tx.sql, scanListed, listed+where+listedOrder, append(args, c.Limit, c.Offset)...)
}

// ListedByID returns one session; false when nothing was captured of it.
func (tx Rows) ListedByID(id string) (Listed, bool, error) {
	return query.One(tx.sql, scanListed, listed+`WHERE session_id = ?`+listedOrder, id, 1, 0)
}

func scanListed(scan query.Scan) (l Listed, err error) {
	var started, ended int64
	err = scan(&l.ID, &l.Client, &l.Project, &l.ProjectName, &l.Branch, &l.SideChain, &l.Title, &started, &ended, &l.Begins, &l.Turns, &l.Insights)
	l.Started, l.Ended = instant(started), instant(ended)
	return l, err
}

// Group is how many sessions a client has in a project.
type Group struct {
	Project     int64 // or NoProject
	ProjectName string
	Client      string
	Sessions    int
}

// Groups counts all sessions, those of the project with the latest first.
func (tx Rows) Groups() ([]Group, error) {
	return query.All(tx.sql, func(scan query.Scan) (g Group, err error) {
		return g, scan(&g.Project, &g.ProjectName, &g.Client, &g.Sessions)
	}, `SELECT g.project, coalesce(p.name, ''), g.client, g.sessions
		FROM (SELECT coalesce(project, ?) AS project, client, count(*) AS sessions, max(ended_at) AS latest FROM capture_sessions GROUP BY 1, 2) g
		LEFT JOIN capture_projects p ON p.id = g.project ORDER BY max(g.latest) OVER (PARTITION BY g.project) DESC, g.project, g.client`, NoProject)
}
