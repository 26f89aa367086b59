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
	Dialogue int64 // its row; 0: it was forgotten
	InFile   bool  // its message was read in a file too
}

// NoteHeard notes a turn that a hook heard.
func (tx Rows) NoteHeard(h HeardTurn) error {
	return tx.sql.Exec(`INSERT INTO capture_heard(said, heard_at, l0_id, in_file) VALUES(?, ?, nullif(?, 0), ?)`, h.Said, millis(h.At), h.Dialogue, h.InFile)
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

// ReadNear returns the row of a session, read from a file and not heard yet, in
// which a speaker said a text, the nearest to a moment; 0 when there is none.
func (tx Rows) ReadNear(session, speaker, text string, at time.Time, within time.Duration) (id int64, err error) {
	_, err = query.Found(tx.sql.Row(`SELECT id FROM l0_raw d WHERE session_id = ?1 AND speaker = ?2 AND content = ?3 AND occurred_at BETWEEN ?4 - ?5 AND ?4 + ?5
		AND NOT EXISTS (SELECT 1 FROM capture_heard h WHERE h.l0_id = d.id) ORDER BY abs(occurred_at - ?4), id LIMIT 1`,
		session, speaker, text, millis(at), within.Milliseconds()).Scan(&id))
	return id, err
}

// OthersSpoke reports whether somebody but a speaker said something in a session
// after one moment and up to another.
func (tx Rows) OthersSpoke(session, speaker string, after, until time.Time) (spoke bool, err error) {
	err = tx.sql.Row(`SELECT EXISTS (SELECT 1 FROM l0_raw WHERE session_id = ? AND occurred_at > ? AND occurred_at <= ? AND speaker <> ?)`,
		session, millis(after), millis(until), speaker).Scan(&spoke)
	return spoke, err
}

// ClaimHeard gives a turn that was heard what its file says of it besides.
func (tx Rows) ClaimHeard(h HeardTurn, at time.Time, metadata json.RawMessage) error {
	if err := tx.sql.Exec(`UPDATE capture_heard SET in_file = 1 WHERE id = ?`, h.ID); err != nil || h.Dialogue == 0 {
		return err
	}
	tx.sql.Touch(store.TopicDialogue)
	if err := tx.sql.Exec(`UPDATE l0_raw SET occurred_at = ?, metadata = ? WHERE id = ?`, millis(at), string(metadata), h.Dialogue); err != nil {
		return err
	}
	return tx.sql.Exec(`UPDATE memory_rows SET created = ? WHERE source = 'l0' AND row_id = ?`, millis(at), h.Dialogue)
}
