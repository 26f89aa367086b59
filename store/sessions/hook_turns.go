package sessions

import (
	"encoding/json"
	"time"

	"toolkit/store"
	"toolkit/store/internal/query"
)

// HookTurn is a turn that a hook heard.
type HookTurn struct {
	ID           int64
	Hash         []byte // hash of session, speaker and text
	At           time.Time
	Dialogue     int64  // its row; 0: it was forgotten
	InFile       bool   // its message was read in a file too
	Session      string // when noted
	ClaimedBytes int    // bytes of it that messages of a file hold; 0: none or all
}

// InsertHookTurn notes a turn that a hook heard.
func (tx Rows) InsertHookTurn(h HookTurn) error {
	return tx.sql.Exec(`INSERT INTO capture_heard(said, heard_at, l0_id, in_file, session) VALUES(?, ?, nullif(?, 0), ?, ?)`, h.Hash, millis(h.At), h.Dialogue, h.InFile, hashSession(h.Session))
}

// FindHookTurns returns the turns of a hash that were heard at most within from a
// moment, the nearest first.
func (tx Rows) FindHookTurns(hash []byte, at time.Time, within time.Duration) ([]HookTurn, error) {
	return query.Select(tx.sql, func(h *HookTurn) []any {
		return []any{&h.ID, &h.Hash, query.Millis(&h.At), &h.Dialogue, &h.InFile}
	}, `SELECT id, said, heard_at, coalesce(l0_id, 0), in_file FROM capture_heard WHERE said = ?1 AND heard_at BETWEEN ?2 - ?3 AND ?2 + ?3
		ORDER BY abs(heard_at - ?2), id LIMIT 20`, hash, millis(at), within.Milliseconds())
}

// PartialHookTurn is a turn that was heard and not yet read as a whole.
type PartialHookTurn struct {
	HookTurn
	Content  string
	Metadata json.RawMessage
}

// FindPartialHookTurns returns such turns of a session near a moment, the nearest first.
func (tx Rows) FindPartialHookTurns(session, speaker string, at time.Time, within time.Duration) ([]PartialHookTurn, error) {
	return query.Select(tx.sql, func(h *PartialHookTurn) []any {
		return []any{&h.ID, &h.Hash, query.Millis(&h.At), &h.Dialogue, &h.InFile, &h.ClaimedBytes, &h.Content, query.FromJSON(&h.Metadata)}
	}, `SELECT h.id, h.said, h.heard_at, h.l0_id, h.in_file, h.claimed, d.content, coalesce(d.metadata, '{}') FROM capture_heard h JOIN l0_raw d ON d.id = h.l0_id
		WHERE h.session = ?1 AND h.heard_at BETWEEN ?2 - ?3 AND ?2 + ?3 AND (h.in_file = 0 OR h.claimed > 0) AND d.speaker = ?4 ORDER BY abs(h.heard_at - ?2), h.id LIMIT 20`,
		hashSession(session), millis(at), within.Milliseconds(), speaker)
}

// FileTurn is a row that was read from a file and that no hook heard.
type FileTurn struct {
	ID      int64
	Content string
}

// FindFileTurns returns such rows of a speaker near a moment, the nearest first.
func (tx Rows) FindFileTurns(session, speaker string, at time.Time, within time.Duration) ([]FileTurn, error) {
	return query.Select(tx.sql, func(t *FileTurn) []any { return []any{&t.ID, &t.Content} }, `SELECT id, content FROM l0_raw d WHERE session_id = ?1 AND +speaker = ?2 AND occurred_at BETWEEN ?3 - ?4 AND ?3 + ?4
		AND NOT EXISTS (SELECT 1 FROM capture_heard h WHERE h.l0_id = d.id) ORDER BY abs(occurred_at - ?3), id LIMIT 100`, session, speaker, millis(at), within.Milliseconds())
}

// HasOtherSpeakers reports whether somebody but a speaker said something in a session
// after one moment and up to another.
func (tx Rows) HasOtherSpeakers(session, speaker string, after, until time.Time) (bool, error) {
	return query.Value[bool](tx.sql, `SELECT EXISTS (SELECT 1 FROM l0_raw WHERE session_id = ? AND occurred_at > ? AND occurred_at <= ? AND speaker <> ?)`,
		session, millis(after), millis(until), speaker)
}

// ClaimHookTurn gives a turn that was heard what its file says of it besides, and
// notes how much of it is claimed.
func (tx Rows) ClaimHookTurn(h HookTurn, at time.Time, metadata json.RawMessage) error {
	if err := tx.sql.Exec(`UPDATE capture_heard SET in_file = 1, claimed = ? WHERE id = ?`, h.ClaimedBytes, h.ID); err != nil || h.Dialogue == 0 {
		return err
	}
	tx.sql.Touch(store.TopicDialogue)
	if err := tx.sql.Exec(`UPDATE l0_raw SET occurred_at = ?, metadata = ? WHERE id = ?`, millis(at), string(metadata), h.Dialogue); err != nil {
		return err
	}
	return tx.sql.Exec(`UPDATE memory_rows SET created = ? WHERE source = 'l0' AND row_id = ?`, millis(at), h.Dialogue)
}
