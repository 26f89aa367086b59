package captures

import (
	"encoding/json"
	"time"

	"toolkit/store"
	"toolkit/store/internal/query"
)

// HeardTurn is a turn that a hook heard.
type HeardTurn struct {
	ID       int64
	Said     []byte // hash of session, speaker and text
	At       time.Time
	Dialogue int64  // its row; 0: it was forgotten
	InFile   bool   // its message was read in a file too
	Session  string // when noted
	Claimed  int    // bytes of it that messages of a file hold; 0: none or all
}

// NoteHeard notes a turn that a hook heard.
func (tx Rows) NoteHeard(h HeardTurn) error {
	return tx.sql.Exec(`INSERT INTO capture_heard(said, heard_at, l0_id, in_file, session) VALUES(?, ?, nullif(?, 0), ?, ?)`, h.Said, millis(h.At), h.Dialogue, h.InFile, hashed(h.Session))
}

// HeardNear returns the turns of a hash that were heard at most within from a
// moment, the nearest first.
func (tx Rows) HeardNear(said []byte, at time.Time, within time.Duration) ([]HeardTurn, error) {
	return query.All(tx.sql, func(scan query.Scan) (h HeardTurn, err error) {
		var heard int64
		err = scan(&h.ID, &heard, &h.Dialogue, &h.InFile)
		h.Said, h.At = said, instant(heard)
		return h, err
	}, `SELECT id, heard_at, coalesce(l0_id, 0), in_file FROM capture_heard WHERE said = ?1 AND heard_at BETWEEN ?2 - ?3 AND ?2 + ?3
		ORDER BY abs(heard_at - ?2), id LIMIT 20`, said, millis(at), within.Milliseconds())
}

// HeardPart is a turn that was heard and not yet read as a whole.
type HeardPart struct {
	HeardTurn
	Content  string
	Metadata json.RawMessage
}

// HeardParts returns such turns of a session near a moment, the nearest first.
func (tx Rows) HeardParts(session, speaker string, at time.Time, within time.Duration) ([]HeardPart, error) {
	return query.All(tx.sql, func(scan query.Scan) (h HeardPart, err error) {
		var heard int64
		var metadata string
		err = scan(&h.ID, &h.Said, &heard, &h.Dialogue, &h.InFile, &h.Claimed, &h.Content, &metadata)
		h.At, h.Metadata = instant(heard), json.RawMessage(metadata)
		return h, err
	}, `SELECT h.id, h.said, h.heard_at, h.l0_id, h.in_file, h.claimed, d.content, coalesce(d.metadata, '{}') FROM capture_heard h JOIN l0_raw d ON d.id = h.l0_id
		WHERE h.session = ?1 AND h.heard_at BETWEEN ?2 - ?3 AND ?2 + ?3 AND (h.in_file = 0 OR h.claimed > 0) AND d.speaker = ?4 ORDER BY abs(h.heard_at - ?2), h.id LIMIT 20`,
		hashed(session), millis(at), within.Milliseconds(), speaker)
}

// Unheard is a row that was read from a file and that no hook heard.
type Unheard struct {
	ID      int64
	Content string
}

// UnheardNear returns such rows of a speaker near a moment, the nearest first.
func (tx Rows) UnheardNear(session, speaker string, at time.Time, within time.Duration) ([]Unheard, error) {
	return query.All(tx.sql, func(scan query.Scan) (u Unheard, err error) {
		return u, scan(&u.ID, &u.Content)
	}, `SELECT id, content FROM l0_raw d WHERE session_id = ?1 AND +speaker = ?2 AND occurred_at BETWEEN ?3 - ?4 AND ?3 + ?4
		AND NOT EXISTS (SELECT 1 FROM capture_heard h WHERE h.l0_id = d.id) ORDER BY abs(occurred_at - ?3), id LIMIT 100`, session, speaker, millis(at), within.Milliseconds())
}

// OthersSpoke reports whether somebody but a speaker said something in a session
// after one moment and up to another.
func (tx Rows) OthersSpoke(session, speaker string, after, until time.Time) (spoke bool, err error) {
	err = tx.sql.Row(`SELECT EXISTS (SELECT 1 FROM l0_raw WHERE session_id = ? AND occurred_at > ? AND occurred_at <= ? AND speaker <> ?)`,
		session, millis(after), millis(until), speaker).Scan(&spoke)
	return spoke, err
}

// ClaimHeard gives a turn that was heard what its file says of it besides, and
// notes how much of it is claimed.
func (tx Rows) ClaimHeard(h HeardTurn, at time.Time, metadata json.RawMessage) error {
	if err := tx.sql.Exec(`UPDATE capture_heard SET in_file = 1, claimed = ? WHERE id = ?`, h.Claimed, h.ID); err != nil || h.Dialogue == 0 {
		return err
	}
	tx.sql.Touch(store.TopicDialogue)
	if err := tx.sql.Exec(`UPDATE l0_raw SET occurred_at = ?, metadata = ? WHERE id = ?`, millis(at), string(metadata), h.Dialogue); err != nil {
		return err
	}
	return tx.sql.Exec(`UPDATE memory_rows SET created = ? WHERE source = 'l0' AND row_id = ?`, millis(at), h.Dialogue)
}
