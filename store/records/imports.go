package records

import (
	"encoding/json"

	"toolkit/store"
	"toolkit/store/internal/query"
)

// ImportDocument is a file of an export archive and how far it was read.
type ImportDocument struct {
	Fingerprint string
	Position    int64 // where reading goes on
	Finished    bool
}

// FindImportedDocuments returns those of a provider's documents that were read before,
// by fingerprint.
func (tx Rows) FindImportedDocuments(provider string, fingerprints []string) (map[string]ImportDocument, error) {
	known := map[string]ImportDocument{}
	err := query.EachRow(tx.sql, func(d *ImportDocument) []any { return []any{&d.Fingerprint, &d.Position, &d.Finished} }, func(d ImportDocument) error {
		known[d.Fingerprint] = d
		return nil
	}, `SELECT d.fingerprint, d.position, d.finished FROM json_each(?2) k JOIN import_documents d ON d.provider = ?1 AND d.fingerprint = k.value`, provider, query.List(fingerprints))
	return known, err
}

// SaveImportDocument notes how far a document was read. Of two readers the one
// that is ahead stands.
func (tx Rows) SaveImportDocument(provider string, d ImportDocument) error {
	tx.sql.Touch(store.TopicIntegrations)
	return tx.sql.Exec(`INSERT INTO import_documents(provider, fingerprint, position, finished, updated_at) VALUES(?, ?, ?, ?, ?)
		ON CONFLICT(provider, fingerprint) DO UPDATE SET position = max(import_documents.position, excluded.position), finished = max(import_documents.finished, excluded.finished), updated_at = excluded.updated_at`,
		provider, d.Fingerprint, d.Position, d.Finished, tx.sql.Now())
}

// ForgetImportDocuments makes the next reading of a provider's archives start
// over. The records stay.
func (tx Rows) ForgetImportDocuments(provider string) error {
	tx.sql.Touch(store.TopicIntegrations)
	return tx.sql.Exec(`DELETE FROM import_documents WHERE provider = ?`, provider)
}

// ImportedDigests returns what archives said last of the given records, by
// record id; what was never imported is not there.
func (tx Rows) ImportedDigests(records []string) (map[string]int64, error) {
	return query.Map[string, int64](tx.sql, `SELECT i.record, i.digest FROM json_each(?) k JOIN imported_items i ON i.record = k.value`, query.List(records))
}

// ImportedFrom are the folders of the archives, below the folder of the database,
// that some records were imported from.
func (tx Rows) ImportedFrom(records []string) (folders []string, err error) {
	return tx.sql.Texts(`SELECT DISTINCT ?2 || '/' || (r.properties ->> '$.provider') || '/' FROM json_each(?1) k JOIN imported_items i ON i.record = k.value
		JOIN records r ON r.id = k.value WHERE r.properties ->> '$.provider' <> '' ORDER BY 1`, query.List(records), store.ImportsFolder)
}

// SaveImportedDigest notes what an archive said of a record.
func (tx Rows) SaveImportedDigest(record string, digest int64) error {
	tx.sql.Touch(store.TopicIntegrations)
	return tx.sql.Exec(`INSERT INTO imported_items(record, digest) VALUES(?, ?) ON CONFLICT(record) DO UPDATE SET digest = excluded.digest`, record, digest)
}

// ImportRun is one reading of a provider's archives. Times are unix
// milliseconds; CompletedAt is 0 while more is to be read.
type ImportRun struct {
	ID          string
	Provider    string
	Status      string // pending, running, completed or failed
	Added       int
	Updated     int
	Unchanged   int
	Errors      int
	StartedAt   int64
	CompletedAt int64
}

// SaveImportRun adds a run or brings it up to date.
func (tx Rows) SaveImportRun(r ImportRun) error {
	tx.sql.Touch(store.TopicIntegrations)
	return tx.sql.Exec(`INSERT INTO import_runs(id, provider, status, added, updated, unchanged, errors, started_at, completed_at) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT(id) DO UPDATE SET status = excluded.status, added = excluded.added, updated = excluded.updated, unchanged = excluded.unchanged,
		errors = excluded.errors, completed_at = excluded.completed_at`,
		r.ID, r.Provider, r.Status, r.Added, r.Updated, r.Unchanged, r.Errors, r.StartedAt, query.NullIfZero(r.CompletedAt))
}

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
		p.Cursor, p.Status, p.ErrorCode, query.NullIfZero(p.SyncedAt), tx.sql.Now(), p.ID)
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
