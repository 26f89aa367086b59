package store

import (
	"bytes"
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"toolkit/store/internal/query"
	"toolkit/store/localfile"
)

// What lies beside a file of SQLite lies in the database of PostgreSQL, which several
// servers share: the bytes of files, and the key of banks.

// insertBlobBytes puts the bytes of a staged file into the database.
func (tx *Tx) insertBlobBytes(b *StagedBlob) error {
	content, err := io.ReadAll(io.NewSectionReader(b.file, 0, b.Size))
	if err != nil {
		return err
	}
	return tx.sql().Exec(`INSERT INTO blob_bytes(sha256, bytes) VALUES(?, ?) ON CONFLICT (sha256) DO UPDATE SET bytes = excluded.bytes`, b.SHA256, content)
}

// dropBytes removes the bytes of files that no row knows any more.
func (tx *Tx) dropBytes(hashes []string) error {
	return tx.sql().Exec(`DELETE FROM blob_bytes b WHERE b.sha256 IN (SELECT value FROM json_each(?)) AND NOT EXISTS (SELECT 1 FROM blobs k WHERE k.sha256 = b.sha256)`, query.List(hashes))
}

// fetchBlob reads the bytes of a file.
func (db *DB) fetchBlob(sha256 string, size int64) (BlobFile, error) {
	var content []byte
	err := db.Read(context.Background(), func(tx *Tx) (err error) {
		content, err = fetchBytes(tx.sql().Row(`SELECT bytes FROM blob_bytes WHERE sha256 = ?`, sha256))
		return err
	})
	if err == nil && int64(len(content)) != size {
		err = ErrBlobMissing
	}
	return bytesFile{bytes.NewReader(content)}, err
}

// fetchBytes scans the bytes of a file; without them the error is ErrBlobMissing.
func fetchBytes(row query.Row) (content []byte, err error) {
	found, err := query.RowFound(row.Scan(&content))
	if err == nil && !found {
		err = ErrBlobMissing
	}
	return content, classifyError(err)
}

// bytesFile is a file whose bytes are in memory.
type bytesFile struct{ *bytes.Reader }

func (bytesFile) Close() error { return nil }

// EnsureKey is a random key of the database by its name, made when it is first asked for: in
// a file beside a database of SQLite.
func (db *DB) EnsureKey(ctx context.Context, name string) (key []byte, err error) {
	if db.server == nil {
		return localfile.LoadOrCreateKey(filepath.Join(db.Folder(), name))
	}
	fresh := make([]byte, localfile.KeySize)
	rand.Read(fresh) //nolint:errcheck // it never fails
	err = db.write(ctx, func(tx *Tx) error {
		if err := tx.sql().Exec(`INSERT INTO keys(name, key) VALUES(?, ?) ON CONFLICT (name) DO NOTHING`, name, fresh); err != nil {
			return err
		}
		return tx.sql().Row(`SELECT key FROM keys WHERE name = ?`, name).Scan(&key)
	})
	return key, classifyError(err)
}

// FindKey reads a key of the database by its name; nil: there is none, or it is damaged.
func (i *Inspection) FindKey(ctx context.Context, name string) (key []byte, err error) {
	if i.server == nil {
		key, err = localfile.ReadKey(filepath.Join(filepath.Dir(i.path), name))
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, localfile.ErrKeyFileDamaged) {
			return nil, nil
		}
		return key, err
	}
	_, err = query.RowFound(i.conn.QueryRowContext(ctx, `SELECT key FROM keys WHERE name = $1`, name).Scan(&key))
	return key, classifyError(err)
}

// AddKey keeps a key.
func (d *Destination) AddKey(ctx context.Context, name string, key []byte) error {
	if d.server == nil {
		return localfile.WriteNew(filepath.Join(filepath.Dir(d.path), name), bytes.NewReader(key))
	}
	_, err := d.conn.ExecContext(ctx, `INSERT INTO keys(name, key) VALUES($1, $2) ON CONFLICT (name) DO UPDATE SET key = excluded.key`, name, key)
	return classifyError(err)
}

// vacuumUnlessTooLarge makes the tables anew without what was deleted; left is true when they are
// too large for that. Copies that PostgreSQL keeps of its log, replicas and backups are
// its administrator's.
func (s *server) vacuumUnlessTooLarge(ctx context.Context, pool *sql.DB, ignoreSize bool) (left bool, err error) {
	var size int64
	var tables string
	err = pool.QueryRowContext(ctx, `SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint, coalesce(string_agg(format('%I', c.relname), ' '), '')
		FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'`).Scan(&size, &tables)
	if err != nil || size > maxRewriteBytes && !ignoreSize {
		return err == nil, err
	}
	var errs []error
	for _, table := range strings.Fields(tables) {
		if _, err := pool.ExecContext(ctx, `VACUUM FULL `+table); err != nil {
			errs = append(errs, err)
		}
	}
	_, err = pool.ExecContext(ctx, fmt.Sprintf(`UPDATE forgetting SET stage = %d`, stageLog))
	return false, classifyError(errors.Join(append(errs, err)...))
}
