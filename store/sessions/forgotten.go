package sessions

import (
	"crypto/hmac"
	"crypto/sha256"
	"strconv"
	"strings"
	"time"

	"toolkit/store/internal/query"
)

// IsSessionForgotten reports whether a session was forgotten.
func (tx Rows) IsSessionForgotten(session string) (bool, error) {
	return query.Value[bool](tx.sql, `SELECT EXISTS (SELECT 1 FROM capture_ended WHERE session = ?)`, hashSession(session))
}

// MarkSessionsForgotten notes that sessions of which nothing is left are over.
func (tx Rows) MarkSessionsForgotten(sessions []string) error {
	for _, session := range sessions {
		if err := tx.sql.Exec(`INSERT OR IGNORE INTO capture_ended(session) SELECT ?1 WHERE NOT EXISTS (SELECT 1 FROM l0_raw WHERE session_id = ?2)`, hashSession(session), session); err != nil {
			return err
		}
		if err := tx.sql.Exec(`DELETE FROM capture_places WHERE place = ? AND NOT EXISTS (SELECT 1 FROM l0_raw WHERE session_id = ?)`, placeKey(secretsReader, session), session); err != nil {
			return err
		}
	}
	return nil
}

// RecordForgotten notes what is said in captured rows of dialogue that are about to be
// forgotten: when, and in which session.
func (tx Rows) RecordForgotten(dialogue []int64) error {
	key, err := tx.key()
	if err != nil {
		return err
	}
	type turn struct {
		at                     int64
		session, speaker, text string
	}
	turns, err := query.Select(tx.sql, func(t *turn) []any { return []any{&t.at, &t.session, &t.speaker, &t.text} }, `SELECT d.occurred_at, d.session_id, d.speaker, d.content FROM json_each(?) j JOIN l0_raw d ON d.id = j.value JOIN capture_sessions c ON c.session_id = d.session_id`, query.List(dialogue))
	if err != nil {
		return err
	}
	for _, t := range turns {
		if err := tx.sql.Exec(`INSERT OR IGNORE INTO capture_unsaid(said) VALUES(?), (?)`, hashForgotten(key, clock(t.at), t.speaker, t.text), hashForgotten(key, t.session, t.speaker, t.text)); err != nil {
			return err
		}
	}
	return nil
}

// IsForgotten reports whether a turn was forgotten in which the same was said at the same
// time, or in a session.
func (tx Rows) IsForgotten(session, speaker, text string, at time.Time) (bool, error) {
	key, err := tx.key()
	if err != nil {
		return false, err
	}
	return query.Value[bool](tx.sql, `SELECT EXISTS (SELECT 1 FROM capture_unsaid WHERE said IN (?, ?))`, hashForgotten(key, clock(millis(at)), speaker, text), hashForgotten(key, session, speaker, text))
}

func clock(at int64) string { return strconv.FormatInt(at, 10) }

func (tx Rows) key() ([]byte, error) {
	return query.Value[[]byte](tx.sql, `SELECT key FROM capture_key`)
}

func hashForgotten(key []byte, where, speaker, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(where + "\x00" + speaker + "\x00" + strings.Join(strings.Fields(text), " "))) //nolint:errcheck // a hash takes everything
	return h.Sum(nil)[:16]
}
