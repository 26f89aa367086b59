// Package captures knows which files of assistants were read how far, which of
// their messages were taken in, and what is known of sessions and projects. What
// was said stands in package memories, like any other dialogue.
package captures

import (
	"time"

	"toolkit/store"
	"toolkit/store/internal/query"
)

// Rows are what a transaction sees of all this.
type Rows struct{ sql *query.Tx }

// In returns the rows of a transaction.
func In(tx *store.Tx) Rows { return Rows{(*query.Tx)(tx)} }

func millis(t time.Time) int64 { return t.UnixMilli() }

func instant(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

// Source is a file that sessions were read from.
type Source struct {
	Identity   string // of the file, whatever its name
	Path       string
	Client     string
	Head       string // hash of its first HeadLength bytes
	HeadLength int64
	Offset     int64 // where to read on
	Turns      int   // taken in: in all when read, since then when put
	Bad        int   // not readable, likewise
	LastRun    time.Time
	LastError  string // empty: it went well
}

const sources = `SELECT identity, path, client, head, head_length, position, turns, bad, last_run, last_error FROM capture_sources `

// Source returns what is known of a file; the zero Source when nothing is.
func (tx Rows) Source(identity string) (Source, error) {
	list, err := tx.sources(sources+`WHERE identity = ?`, identity)
	if err != nil || len(list) == 0 {
		return Source{}, err
	}
	return list[0], nil
}

// Sources returns all files that were read, the last one first.
func (tx Rows) Sources() ([]Source, error) {
	return tx.sources(sources + `ORDER BY last_run DESC, id`)
}

func (tx Rows) sources(statement string, args ...any) ([]Source, error) {
	return query.All(tx.sql, func(scan query.Scan) (s Source, err error) {
		var ran int64
		err = scan(&s.Identity, &s.Path, &s.Client, &s.Head, &s.HeadLength, &s.Offset, &s.Turns, &s.Bad, &ran, &s.LastError)
		s.LastRun = instant(ran)
		return s, err
	}, statement, args...)
}

// PutSource notes how far a file was read, now.
func (tx Rows) PutSource(s Source) error {
	return tx.sql.Exec(`INSERT INTO capture_sources(identity, path, client, head, head_length, position, turns, bad, last_run, last_error) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT(identity) DO UPDATE SET path = excluded.path, client = excluded.client, head = excluded.head, head_length = excluded.head_length,
			position = excluded.position, turns = turns + excluded.turns, bad = bad + excluded.bad, last_run = excluded.last_run, last_error = excluded.last_error`,
		s.Identity, s.Path, s.Client, s.Head, s.HeadLength, s.Offset, s.Turns, s.Bad, tx.sql.Now(), s.LastError)
}

// Project is what sessions of one repository or folder belong to.
type Project struct {
	ID     int64
	Key    string // by which a folder finds it
	Name   string
	Root   string
	Remote string // host/owner/name, or empty
}

// Project returns the id of the project of a key, which is made if it is
// missing.
func (tx Rows) Project(p Project) (id int64, err error) {
	found, err := query.Found(tx.sql.Row(`SELECT id FROM capture_projects WHERE key = ?`, p.Key).Scan(&id))
	if err != nil || found {
		return id, err
	}
	return tx.sql.Insert(`INSERT INTO capture_projects(key, name, root, remote, created_at) VALUES(?, ?, ?, ?, ?)`, p.Key, p.Name, p.Root, p.Remote, tx.sql.Now())
}

// ProjectsOf returns the projects of the sessions in which rows of dialogue were
// said, by their ids.
func (tx Rows) ProjectsOf(dialogue []int64) (map[int64]int64, error) {
	projects := map[int64]int64{}
	err := tx.sql.Each(func(scan query.Scan) error {
		var id, project int64
		err := scan(&id, &project)
		projects[id] = project
		return err
	}, `SELECT d.id, c.project FROM json_each(?) j CROSS JOIN l0_raw d ON d.id = j.value CROSS JOIN capture_sessions c ON c.session_id = d.session_id
		WHERE c.project IS NOT NULL`, query.List(dialogue))
	return projects, err
}

// ProjectsNamed returns the project of a key, else those of a name.
func (tx Rows) ProjectsNamed(keyOrName string) ([]Project, error) {
	list, err := query.All(tx.sql, func(scan query.Scan) (p Project, err error) {
		return p, scan(&p.ID, &p.Key, &p.Name, &p.Root, &p.Remote)
	}, `SELECT id, key, name, root, remote FROM capture_projects WHERE key = ?1 OR name = ?1 COLLATE NOCASE ORDER BY key <> ?1, id`, keyOrName)
	if len(list) > 0 && list[0].Key == keyOrName {
		list = list[:1]
	}
	return list, err
}

// Session is what is known of a session besides what was said in it.
type Session struct {
	ID        string // as dialogue names it
	Client    string
	Project   int64 // 0: none
	Branch    string
	Title     string
	SideChain bool
	Started   time.Time
	Ended     time.Time
}

// NoteSession adds to what is known of a session; what is empty changes nothing.
func (tx Rows) NoteSession(s Session) error {
	return tx.sql.Exec(`INSERT INTO capture_sessions(session_id, client, project, branch, side_chain, title, started_at, ended_at) VALUES(?, ?, nullif(?, 0), ?, ?, ?, ?, ?)
		ON CONFLICT(session_id) DO UPDATE SET project = coalesce(project, excluded.project), branch = coalesce(nullif(excluded.branch, ''), branch),
			title = coalesce(nullif(excluded.title, ''), title), started_at = min(started_at, excluded.started_at), ended_at = max(ended_at, excluded.ended_at)`,
		s.ID, s.Client, s.Project, s.Branch, s.SideChain, s.Title, millis(s.Started), millis(s.Ended))
}

// Sessions returns the sessions of a project, or of all when it is 0, the
// last one first.
func (tx Rows) Sessions(project int64, limit int) ([]Session, error) {
	return query.All(tx.sql, func(scan query.Scan) (s Session, err error) {
		var started, ended int64
		err = scan(&s.ID, &s.Client, &s.Project, &s.Branch, &s.SideChain, &s.Title, &started, &ended)
		s.Started, s.Ended = instant(started), instant(ended)
		return s, err
	}, `SELECT session_id, client, coalesce(project, 0), branch, side_chain, title, started_at, ended_at FROM capture_sessions
		WHERE ?1 = 0 OR project = ?1 ORDER BY ended_at DESC, session_id LIMIT ?2`, project, limit)
}

// MessageCaptured reports whether a message was taken in before, also when it was
// forgotten since.
func (tx Rows) MessageCaptured(key []byte) (known bool, err error) {
	err = tx.sql.Row(`SELECT EXISTS (SELECT 1 FROM capture_messages WHERE key = ?)`, key).Scan(&known)
	return known, err
}

// NoteMessage notes that a message became a row of dialogue, or, when it is 0,
// that it is none.
func (tx Rows) NoteMessage(key []byte, dialogue int64) error {
	return tx.sql.Exec(`INSERT INTO capture_messages(key, l0_id) VALUES(?, nullif(?, 0))`, key, dialogue)
}

// SaidIn reports whether a speaker said a text in a session.
func (tx Rows) SaidIn(session, speaker, content string) (said bool, err error) {
	err = tx.sql.Row(`SELECT EXISTS (SELECT 1 FROM l0_raw WHERE session_id = ? AND speaker = ? AND content = ?)`, session, speaker, content).Scan(&said)
	return said, err
}

// Forget removes what is known of sessions, projects and files, but not
// what was said.
func (tx Rows) Forget(sessions []string, projects, sources []int64) error {
	for statement, list := range map[string]string{
		`DELETE FROM capture_sessions WHERE session_id IN (SELECT value FROM json_each(?))`: query.List(sessions),
		`DELETE FROM capture_projects WHERE id IN (SELECT value FROM json_each(?))`:         query.List(projects),
		`DELETE FROM capture_sources WHERE id IN (SELECT value FROM json_each(?))`:          query.List(sources),
	} {
		if err := tx.sql.Exec(statement, list); err != nil {
			return err
		}
	}
	return nil
}
