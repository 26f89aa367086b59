// Package access keeps the tokens by which people and programs may use a server, each
// as a hash. A server asks the database itself and never one of its spaces.
package access

import (
	"time"

	"toolkit/store"
	"toolkit/store/internal/query"
)

// Rows are what a transaction sees of the tokens.
type Rows struct{ sql *query.Tx }

// In returns the rows of a transaction.
func In(tx *store.Tx) Rows { return Rows{(*query.Tx)(tx)} }

// Token is what is known of a token.
type Token struct {
	Name    string
	Space   string // empty: the database itself
	Rights  string // as package tools names them, with commas between
	Created time.Time
	Expires time.Time // zero: never
}

// Add keeps a token with the hash of its text, from now on. It reports whether the name was free.
func (tx Rows) Add(t Token, hash string) (bool, error) {
	expires := int64(0)
	if !t.Expires.IsZero() {
		expires = t.Expires.UnixMilli()
	}
	n, err := tx.sql.Change(`INSERT INTO access_tokens(name, hash, space, rights, created_at, expires_at) VALUES(?, ?, ?, ?, ?, ?) ON CONFLICT (name) DO NOTHING`,
		t.Name, hash, t.Space, t.Rights, tx.sql.Now(), expires)
	return n > 0, err
}

const tokens = `SELECT name, space, rights, created_at, expires_at FROM access_tokens `

// ByHash returns the token of a hash, whether it has expired or not; false: there is none.
func (tx Rows) ByHash(hash string) (Token, bool, error) {
	return query.One(tx.sql, scanToken, tokens+`WHERE hash = ?`, hash)
}

// List returns all tokens by their names.
func (tx Rows) List() ([]Token, error) {
	return query.All(tx.sql, scanToken, tokens+`ORDER BY name`)
}

func scanToken(scan query.Scan) (t Token, err error) {
	var created, expires int64
	err = scan(&t.Name, &t.Space, &t.Rights, &created, &expires)
	t.Created = time.UnixMilli(created).UTC()
	if expires != 0 {
		t.Expires = time.UnixMilli(expires).UTC()
	}
	return t, err
}

// Remove forgets a token and reports whether there was one of the name.
func (tx Rows) Remove(name string) (bool, error) {
	n, err := tx.sql.Change(`DELETE FROM access_tokens WHERE name = ?`, name)
	return n > 0, err
}
