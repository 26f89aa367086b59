package records

import (
	"encoding/json"

	"toolkit/store"
	"toolkit/store/internal/query"
)

// PlaidItem is a connection to a bank. Times are unix milliseconds.
type PlaidItem struct {
	ID              string // UUID
	ItemID          string // Plaid's own id
	InstitutionID   string
	InstitutionName string
	Products        []string
	Accounts        json.RawMessage // array of objects
	AccessToken     []byte          // sealed
	PublicToken     string          // SHA-256 of the token it was made from
	Cursor          string          // where the next sync goes on
	Status          string          // active, error or revoked
	ErrorCode       string          // of the last failure; empty: none
	SyncedAt        int64           // last successful sync; 0: none yet
	CreatedAt       int64
	UpdatedAt       int64
}

// SavePlaidItem adds a connection, or renews one of the same Plaid id: its token,
// institution and accounts. Its own id and its cursor stay.
func (tx Rows) SavePlaidItem(p PlaidItem) error {
	tx.sql.Touch(store.TopicIntegrations)
	return tx.sql.Exec(`INSERT INTO plaid_items(id, item_id, institution_id, institution_name, products, accounts, access_token, public_token, status, created_at, updated_at)
		VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT(item_id) DO UPDATE SET institution_id = excluded.institution_id, institution_name = excluded.institution_name, products = excluded.products,
		accounts = excluded.accounts, access_token = excluded.access_token, public_token = excluded.public_token, status = excluded.status, error_code = '', updated_at = excluded.updated_at`,
		p.ID, p.ItemID, p.InstitutionID, p.InstitutionName, query.List(p.Products), string(p.Accounts), p.AccessToken, p.PublicToken, p.Status, p.CreatedAt, p.UpdatedAt)
}

// SavePlaidSync notes the outcome of a sync: cursor, status, error and time.
func (tx Rows) SavePlaidSync(p PlaidItem) error {
	tx.sql.Touch(store.TopicIntegrations)
	return tx.sql.Exec(`UPDATE plaid_items SET cursor = ?, status = ?, error_code = ?, synced_at = ?, updated_at = ? WHERE id = ?`,
		p.Cursor, p.Status, p.ErrorCode, query.Number(p.SyncedAt), tx.sql.Now(), p.ID)
}

// PlaidFilter narrows connections down; empty fields do not.
type PlaidFilter struct {
	ID          string
	ItemID      string
	PublicToken string
}

// maxPlaidItems bounds how many connections are listed; a person has a handful.
const maxPlaidItems = 500

// PlaidItems returns the connections that pass the filter, oldest first.
func (tx Rows) PlaidItems(f PlaidFilter) ([]PlaidItem, error) {
	return query.Select(tx.sql, func(p *PlaidItem) []any {
		return []any{&p.ID, &p.ItemID, &p.InstitutionID, &p.InstitutionName, query.FromJSON(&p.Products), query.FromJSON(&p.Accounts), &p.AccessToken, &p.PublicToken, &p.Cursor, &p.Status, &p.ErrorCode, &p.SyncedAt, &p.CreatedAt, &p.UpdatedAt}
	}, `SELECT id, item_id, institution_id, institution_name, products, accounts, access_token, public_token, cursor, status, error_code, coalesce(synced_at, 0), created_at, updated_at
		FROM plaid_items WHERE (?1 = '' OR id = ?1) AND (?2 = '' OR item_id = ?2) AND (?3 = '' OR public_token = ?3) ORDER BY created_at, id LIMIT ?4`,
		f.ID, f.ItemID, f.PublicToken, maxPlaidItems)
}
