// Package sessions knows which files of assistants were read how far, which of
// their messages were taken in, and what is known of sessions and projects. What
// was said stands in package memory, like any other dialogue. It also keeps the tokens
// by which people and programs may use a server.
package sessions

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

// Source is a file that sessions were read from.
type Source struct {
	Identity   string // of the file, whatever its name
	Path       string
	Client     string
	Head       string // hash of its first HeadLength bytes
	HeadLength int64
	Offset     int64  // where to read on
	Turns      int    // taken in: in all when read, since then when put
	Bad        int    // not readable, likewise
	LastError  string // empty: it went well
}

// SourceByIdentity returns what is known of a file; the zero Source when nothing is.
func (tx Rows) SourceByIdentity(identity string) (Source, error) {
	s, _, err := query.Find(tx.sql, func(s *Source) []any {
		return []any{&s.Identity, &s.Path, &s.Client, &s.Head, &s.HeadLength, &s.Offset, &s.Turns, &s.Bad, &s.LastError}
	}, `SELECT identity, path, client, head, head_length, position, turns, bad, last_error FROM capture_sources WHERE identity = ?`, identity)
	return s, err
}

// SaveSource notes how far a file was read, now.
func (tx Rows) SaveSource(s Source) error {
	return tx.sql.Exec(`INSERT INTO capture_sources(identity, path, client, head, head_length, position, turns, bad, last_run, last_error) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT(identity) DO UPDATE SET path = excluded.path, client = excluded.client, head = excluded.head, head_length = excluded.head_length,
			position = excluded.position, turns = capture_sources.turns + excluded.turns, bad = capture_sources.bad + excluded.bad, last_run = excluded.last_run, last_error = excluded.last_error`,
		s.Identity, s.Path, s.Client, s.Head, s.HeadLength, s.Offset, s.Turns, s.Bad, tx.sql.Now(), s.LastError)
}

// Session is what is known of a session besides what was said in it.
type Session struct {
	ID        string    `json:"id"` // as dialogue names it
	Client    string    `json:"client"`
	Project   int64     `json:"-"` // 0: none; when noted its own, when read the one that this was joined to
	Branch    string    `json:"branch"`
	Title     string    `json:"title"`
	SideChain bool      `json:"side_chain"`
	Started   time.Time `json:"started,omitzero"`
	Ended     time.Time `json:"ended,omitzero"`
}

// SaveSession adds to what is known of a session; what is empty changes nothing.
func (tx Rows) SaveSession(s Session) error {
	return tx.sql.Exec(`INSERT INTO capture_sessions(session_id, client, own_project, branch, side_chain, title, started_at, ended_at, project)
		VALUES(?1, ?2, nullif(?3, 0), ?4, ?5, ?6, ?7, ?8, (`+topProjectQuery(`?3`)+`))
		ON CONFLICT(session_id) DO UPDATE SET project = coalesce(capture_sessions.project, excluded.project), own_project = coalesce(capture_sessions.own_project, excluded.own_project), branch = coalesce(nullif(excluded.branch, ''), capture_sessions.branch),
			title = coalesce(nullif(excluded.title, ''), capture_sessions.title), started_at = min(capture_sessions.started_at, excluded.started_at), ended_at = max(capture_sessions.ended_at, excluded.ended_at)`,
		s.ID, s.Client, s.Project, s.Branch, s.SideChain, s.Title, millis(s.Started), millis(s.Ended))
}

// SaveTurnProject notes the project in which a row of dialogue was said, 0 for none, where that
// is not the project of its session: the session moved to another folder.
func (tx Rows) SaveTurnProject(dialogue int64, session string, project int64) error {
	if err := tx.sql.Exec(`DELETE FROM capture_turns WHERE l0_id = ?`, dialogue); err != nil {
		return err
	}
	return tx.sql.Exec(`INSERT INTO capture_turns(l0_id, own_project, project) SELECT d.id, nullif(?3, 0), (`+topProjectQuery(`?3`)+`) FROM l0_raw d
		WHERE d.id = ?1 AND (?3 = 0 OR (SELECT own_project FROM capture_sessions WHERE session_id = ?2) IS DISTINCT FROM ?3)`, dialogue, session, project)
}

// ListSessions returns the sessions of a project, or of all when it is 0, the
// last one first.
func (tx Rows) ListSessions(project int64, limit int) ([]Session, error) {
	statement, arguments := `SELECT session_id, client, coalesce(project, 0), branch, side_chain, title, started_at, ended_at FROM capture_sessions`, []any{limit}
	if project != 0 {
		statement, arguments = statement+` WHERE project = ?2`, []any{limit, project}
	}
	return query.Select(tx.sql, func(s *Session) []any {
		return []any{&s.ID, &s.Client, &s.Project, &s.Branch, &s.SideChain, &s.Title, query.Millis(&s.Started), query.Millis(&s.Ended)}
	}, statement+` ORDER BY ended_at DESC, session_id LIMIT ?1`, arguments...)
}

// MarkCompacted marks the last turn of a session before a moment as the last that
// a compaction summed up.
func (tx Rows) MarkCompacted(session string, at time.Time) error {
	tx.sql.Touch(store.TopicDialogue)
	return tx.sql.Exec(`UPDATE l0_raw SET metadata = json_set(metadata, '$.compacted', json('true')) WHERE id =
		(SELECT id FROM l0_raw WHERE session_id = ? AND occurred_at <= ? ORDER BY occurred_at DESC, id DESC LIMIT 1)`, session, millis(at))
}

// Message is one that was taken in.
type Message struct {
	Dialogue int64  // its row; 0: it was forgotten
	Hash     []byte // hash of what it said then; nil: not known
}

// FindMessage returns what is known of a message, also when it was forgotten since.
func (tx Rows) FindMessage(key []byte) (m Message, known bool, err error) {
	return query.Find(tx.sql, func(m *Message) []any { return []any{&m.Dialogue, &m.Hash} }, `SELECT coalesce(l0_id, 0), said FROM capture_messages WHERE key = ?`, key)
}

// NoteMessage notes that a message became a row of dialogue, or, when it is 0,
// that it is none, and what it said.
func (tx Rows) NoteMessage(key []byte, m Message) error {
	return tx.sql.Exec(`INSERT INTO capture_messages(key, l0_id, said) VALUES(?, nullif(?, 0), ?) ON CONFLICT(key) DO UPDATE SET said = excluded.said`, key, m.Dialogue, m.Hash)
}
