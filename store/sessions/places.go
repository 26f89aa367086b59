package sessions

import "toolkit/store/internal/query"

// Place is where a reader is in a session.
type Place struct {
	Private bool   // something private is open
	Chain   []byte // stands for all that was said so far
}

func placeKey(reader, session string) []byte { return hashSession(reader + "\x00" + session) }

// Place returns where a reader is in a session; the zero Place at its beginning.
func (tx Rows) Place(reader, session string) (Place, error) {
	p, _, err := query.Find(tx.sql, func(p *Place) []any { return []any{&p.Private, &p.Chain} }, `SELECT private, chain FROM capture_places WHERE place = ?`, placeKey(reader, session))
	return p, err
}

// PutPlace notes where a reader is in a session; at its beginning there is nothing
// to note.
func (tx Rows) PutPlace(reader, session string, p Place) error {
	if !p.Private && p.Chain == nil {
		return tx.sql.Exec(`DELETE FROM capture_places WHERE place = ?`, placeKey(reader, session))
	}
	return tx.sql.Exec(`INSERT INTO capture_places(place, private, chain) VALUES(?, ?, ?) ON CONFLICT(place) DO UPDATE SET private = excluded.private, chain = excluded.chain`,
		placeKey(reader, session), p.Private, p.Chain)
}

// secretsReader stands for all readers of a session together.
const secretsReader = "\x00told"

// Secrets returns by what the secrets are known again that a session told; nil when it
// told none.
func (tx Rows) Secrets(session string) ([]byte, error) {
	p, err := tx.Place(secretsReader, session)
	return p.Chain, err
}

// PutSecrets notes by what they are known again.
func (tx Rows) PutSecrets(session string, secrets []byte) error {
	return tx.PutPlace(secretsReader, session, Place{Chain: secrets})
}

// FindChainedTurn finds the row of a turn, by all that was said up to it, in a session or
// in another fork of it; 0 and known when it was forgotten.
func (tx Rows) FindChainedTurn(chain []byte, session string) (dialogue int64, known bool, err error) {
	return tx.findChainedTurn(`chain = ? AND ?2 IN (session, fork) ORDER BY session = ?2 DESC`, chain, session)
}

// FindForkTurn is likewise only in forks of the session.
func (tx Rows) FindForkTurn(chain []byte, session string) (dialogue int64, known bool, err error) {
	return tx.findChainedTurn(`chain = ? AND fork = ?`, chain, session)
}

func (tx Rows) findChainedTurn(where string, chain []byte, session string) (dialogue int64, known bool, err error) {
	return query.Find(tx.sql, query.Column[int64], `SELECT coalesce(l0_id, 0) FROM capture_chains WHERE `+where+` LIMIT 1`, chain, hashSession(session))
}

// NoteChain notes the row of a turn of a session, which may be the fork of
// another.
func (tx Rows) NoteChain(chain []byte, session, fork string, dialogue int64) error {
	var parent []byte
	if fork != "" {
		parent = hashSession(fork)
	}
	return tx.sql.Exec(`INSERT OR IGNORE INTO capture_chains(chain, session, fork, l0_id) VALUES(?, ?, ?, nullif(?, 0))`, chain, hashSession(session), parent, dialogue)
}
