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
		if err := tx.sql.Exec(`DELETE FROM capture_places WHERE place = ? AND NOT EXISTS (SELECT 1 FROM l0_raw WHERE session_id = ?)`, hashPlaceKey(secretsReader, session), session); err != nil {
			return err
		}
	}
	return nil
}

// RecordForgottenTurns notes what is said in captured rows of dialogue that are about to be
// forgotten: when, and in which session.
func (tx Rows) RecordForgottenTurns(dialogue []int64) error {
	key, err := tx.captureKey()
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
		if err := tx.sql.Exec(`INSERT OR IGNORE INTO capture_unsaid(said) VALUES(?), (?)`, hashForgotten(key, formatMillis(t.at), t.speaker, t.text), hashForgotten(key, t.session, t.speaker, t.text)); err != nil {
			return err
		}
	}
	return nil
}

// IsTurnForgotten reports whether a turn was forgotten in which the same was said at the same
// time, or in a session.
func (tx Rows) IsTurnForgotten(session, speaker, text string, at time.Time) (bool, error) {
	key, err := tx.captureKey()
	if err != nil {
		return false, err
	}
	return query.Value[bool](tx.sql, `SELECT EXISTS (SELECT 1 FROM capture_unsaid WHERE said IN (?, ?))`, hashForgotten(key, formatMillis(millis(at)), speaker, text), hashForgotten(key, session, speaker, text))
}

func formatMillis(at int64) string { return strconv.FormatInt(at, 10) }

func (tx Rows) captureKey() ([]byte, error) {
	return query.Value[[]byte](tx.sql, `SELECT key FROM capture_key`)
}

func hashForgotten(key []byte, where, speaker, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(where + "\x00" + speaker + "\x00" + strings.Join(strings.Fields(text), " "))) //nolint:errcheck // a hash takes everything
	return h.Sum(nil)[:16]
}

// Place is where a reader is in a session.
type Place struct {
	Private bool   // something private is open
	Chain   []byte // stands for all that was said so far
}

func hashPlaceKey(reader, session string) []byte { return hashSession(reader + "\x00" + session) }

// ReadingPlace returns where a reader is in a session; the zero Place at its beginning.
func (tx Rows) ReadingPlace(reader, session string) (Place, error) {
	p, _, err := query.Find(tx.sql, func(p *Place) []any { return []any{&p.Private, &p.Chain} }, `SELECT private, chain FROM capture_places WHERE place = ?`, hashPlaceKey(reader, session))
	return p, err
}

// SaveReadingPlace notes where a reader is in a session; at its beginning there is nothing
// to note.
func (tx Rows) SaveReadingPlace(reader, session string, p Place) error {
	if !p.Private && p.Chain == nil {
		return tx.sql.Exec(`DELETE FROM capture_places WHERE place = ?`, hashPlaceKey(reader, session))
	}
	return tx.sql.Exec(`INSERT INTO capture_places(place, private, chain) VALUES(?, ?, ?) ON CONFLICT(place) DO UPDATE SET private = excluded.private, chain = excluded.chain`,
		hashPlaceKey(reader, session), p.Private, p.Chain)
}

// secretsReader stands for all readers of a session together.
const secretsReader = "\x00told"

// SecretFingerprints returns by what the secrets are known again that a session told; nil when it
// told none.
func (tx Rows) SecretFingerprints(session string) ([]byte, error) {
	p, err := tx.ReadingPlace(secretsReader, session)
	return p.Chain, err
}

// SaveSecretFingerprints notes by what they are known again.
func (tx Rows) SaveSecretFingerprints(session string, secrets []byte) error {
	return tx.SaveReadingPlace(secretsReader, session, Place{Chain: secrets})
}

// FindChainedTurn finds the row of a turn, by all that was said up to it, in a session or
// in another fork of it; 0 and known when it was forgotten.
func (tx Rows) FindChainedTurn(chain []byte, session string) (dialogue int64, known bool, err error) {
	return tx.findChainedTurn(`chain = ? AND ?2 IN (session, fork) ORDER BY session = ?2 DESC`, chain, session)
}

// FindForkTurn returns likewise only in forks of the session.
func (tx Rows) FindForkTurn(chain []byte, session string) (dialogue int64, known bool, err error) {
	return tx.findChainedTurn(`chain = ? AND fork = ?`, chain, session)
}

func (tx Rows) findChainedTurn(where string, chain []byte, session string) (dialogue int64, known bool, err error) {
	return query.Find(tx.sql, query.Column[int64], `SELECT coalesce(l0_id, 0) FROM capture_chains WHERE `+where+` LIMIT 1`, chain, hashSession(session))
}

// SaveTurnChain notes the row of a turn of a session, which may be the fork of
// another.
func (tx Rows) SaveTurnChain(chain []byte, session, fork string, dialogue int64) error {
	var parent []byte
	if fork != "" {
		parent = hashSession(fork)
	}
	return tx.sql.Exec(`INSERT OR IGNORE INTO capture_chains(chain, session, fork, l0_id) VALUES(?, ?, ?, nullif(?, 0))`, chain, hashSession(session), parent, dialogue)
}
