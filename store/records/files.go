package records

import (
	"fmt"

	"toolkit/store"
	"toolkit/store/internal/query"
)

// Blob is a file that was taken in, named by the SHA-256 of its bytes.
type Blob struct {
	SHA256    string // 64 lower-case hexadecimal digits
	Size      int64  // bytes
	MIME      string // media type, by its content
	Name      string // file name when it first came
	CreatedAt int64  // unix milliseconds
}

// StoreBlob puts a staged file in its place and adds its row, unless it is known.
// text is what was read of it; of a known blob it replaces an empty one.
func (tx Rows) StoreBlob(b *store.StagedBlob, mime, name, text string) error {
	if err := (*store.Tx)(tx.sql).StoreBytes(b); err != nil {
		return fmt.Errorf("keeping the file: %w", err)
	}
	tx.sql.Touch(store.TopicPayloads)
	return tx.sql.Exec(`INSERT INTO blobs(sha256, size, mime, name, created_at, text) VALUES(?1, ?2, ?3, ?4, ?5, ?6)
		ON CONFLICT(sha256) DO UPDATE SET text = excluded.text WHERE blobs.text = ''`, b.SHA256, b.Size, mime, name, tx.sql.Now(), text)
}

// BlobByHash returns a blob, and false when there is none.
func (tx Rows) BlobByHash(hash string) (Blob, bool, error) {
	return query.Find(tx.sql, func(b *Blob) []any { return []any{&b.SHA256, &b.Size, &b.MIME, &b.Name, &b.CreatedAt} },
		`SELECT sha256, size, mime, name, created_at FROM blobs WHERE sha256 = ?`, hash)
}

// HoldBlobs makes a record hold the named blobs besides those it holds; hashes
// that no blob has are passed over.
func (tx Rows) HoldBlobs(record int64, hashes []string) error {
	return tx.sql.Exec(`INSERT OR IGNORE INTO record_blobs(record, sha256) SELECT ?1, b.sha256 FROM json_each(?2) j JOIN blobs b ON b.sha256 = j.value`, record, query.List(hashes))
}

// DeleteUnsharedBlobs lets a record hold no blob any more. Those that nobody holds now
// are forgotten and returned, for DeleteUnreferencedBlobs to remove their bytes once the
// transaction is committed.
func (tx Rows) DeleteUnsharedBlobs(record int64) (released []string, err error) {
	released, err = tx.sql.Texts(`SELECT sha256 FROM record_blobs h WHERE record = ?1
		AND NOT EXISTS (SELECT 1 FROM record_blobs o WHERE o.sha256 = h.sha256 AND o.record <> ?1) ORDER BY sha256`, record)
	if err != nil {
		return nil, err
	}
	if err := tx.sql.Exec(`DELETE FROM record_blobs WHERE record = ?`, record); err != nil || len(released) == 0 {
		return nil, err
	}
	tx.sql.Touch(store.TopicPayloads)
	return released, tx.sql.Exec(`DELETE FROM blobs WHERE sha256 IN (SELECT value FROM json_each(?1))`, query.List(released))
}

// FileText returns what was read of the files a record holds, for its full-text
// index. The parts of a file are found by their own words only.
func (tx Rows) FileText(record int64) (string, error) {
	return query.Value[string](tx.sql, `SELECT coalesce(group_concat(b.text, ' '), '') FROM record_blobs r JOIN blobs b ON b.sha256 = r.sha256
		WHERE r.record = ?1 AND NOT EXISTS (SELECT 1 FROM record_parts p WHERE p.part = ?1)`, record)
}

// InsertPart makes a record the item of that number of another.
func (tx Rows) InsertPart(parent, part int64, number int) error {
	return tx.sql.Exec(`INSERT INTO record_parts(part, parent, number) VALUES(?, ?, ?)`, part, parent, number)
}

// Parts returns the ids of the items of a record, in their order.
func (tx Rows) Parts(parent int64) ([]string, error) {
	return tx.sql.Texts(`SELECT r.id FROM record_parts p JOIN records r ON r.seq = p.part WHERE p.parent = ? ORDER BY p.number`, parent)
}

// MovePartToOtherParent makes an item of a record that of another one whose file lists it too: a statement
// that overlaps with this one. False when there is none.
func (tx Rows) MovePartToOtherParent(part, parent int64) (passed bool, err error) {
	var heir int64
	var from, to string
	err = tx.sql.Row(`SELECT q.seq, p.file_urls ->> 0, q.file_urls ->> 0 FROM record_blobs b JOIN record_blobs o ON o.sha256 = b.sha256
		JOIN records q ON q.seq = o.record JOIN records p ON p.seq = ?2
		WHERE b.record = ?1 AND q.seq <> ?2 AND q.properties ->> '$.document_type' = 'statement' ORDER BY q.seq LIMIT 1`, part, parent).Scan(&heir, &from, &to)
	if passed, err = query.RowFound(err); err != nil || !passed {
		return false, err
	}
	tx.sql.Touch(store.TopicPayloads)
	if err := tx.sql.Exec(`UPDATE record_parts SET parent = ?2, number = 1 + (SELECT coalesce(max(number), 0) FROM record_parts WHERE parent = ?2) WHERE part = ?1`, part, heir); err != nil {
		return true, err
	}
	if err := tx.sql.Exec(`DELETE FROM record_blobs WHERE record = ?1 AND sha256 IN (SELECT sha256 FROM record_blobs WHERE record = ?2)`, part, parent); err != nil {
		return true, err
	}
	return true, tx.sql.Exec(`UPDATE records SET file_urls = replace(file_urls, ?2, ?3) WHERE seq = ?1`, part, from, to)
}
