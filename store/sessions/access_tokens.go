package sessions

import (
	"time"

	"toolkit/store/internal/query"
)

// AccessToken is what is known of a token by which a person or a program may use a
// server. A server asks the database itself and never one of its spaces.
type AccessToken struct {
	Name    string
	Space   string // empty: the database itself
	Rights  string // as package tools names them, with commas between
	Created time.Time
	Expires time.Time // zero: never
}

// InsertAccessToken keeps a token with the hash of its text, from now on. It reports whether the name was free.
func (tx Rows) InsertAccessToken(t AccessToken, hash string) (bool, error) {
	expires := int64(0)
	if !t.Expires.IsZero() {
		expires = t.Expires.UnixMilli()
	}
	n, err := tx.sql.ExecAndCountRows(`INSERT INTO access_tokens(name, hash, space, rights, created_at, expires_at) VALUES(?, ?, ?, ?, ?, ?) ON CONFLICT (name) DO NOTHING`,
		t.Name, hash, t.Space, t.Rights, tx.sql.Now(), expires)
	return n > 0, err
}

const accessTokens = `SELECT name, space, rights, created_at, nullif(expires_at, 0) FROM access_tokens `

// AccessTokenByHash returns the token of a hash, whether it has expired or not; false: there is none.
func (tx Rows) AccessTokenByHash(hash string) (AccessToken, bool, error) {
	return query.Find(tx.sql, (*AccessToken).fields, accessTokens+`WHERE hash = ?`, hash)
}

// ListAccessTokens returns all tokens by their names.
func (tx Rows) ListAccessTokens() ([]AccessToken, error) {
	return query.Select(tx.sql, (*AccessToken).fields, accessTokens+`ORDER BY name`)
}

func (t *AccessToken) fields() []any {
	return []any{&t.Name, &t.Space, &t.Rights, query.Millis(&t.Created), query.Millis(&t.Expires)}
}

// DeleteAccessToken forgets a token and reports whether there was one of the name.
func (tx Rows) DeleteAccessToken(name string) (bool, error) {
	n, err := tx.sql.ExecAndCountRows(`DELETE FROM access_tokens WHERE name = ?`, name)
	return n > 0, err
}
