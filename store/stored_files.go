package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"toolkit/store/internal/query"
	"toolkit/store/localfile"
)

// FilesFolder is where the bytes of files lie, beside a database. Below it a
// file's place is FilePlace.
func FilesFolder(database string) string { return filepath.Join(filepath.Dir(database), "files") }

// FilePlace is the place of a file by the hash of its contents, which must be
// well formed: slash-separated, from the folder that holds the database.
func FilePlace(sha256 string) string { return "files/sha256/" + sha256[:2] + "/" + sha256 }

// filePath is where the bytes of a file lie beside a database.
func filePath(database, sha256 string) string {
	return filepath.Join(filepath.Dir(database), filepath.FromSlash(FilePlace(sha256)))
}

// StoredFile is a file that the database knows.
type StoredFile struct {
	SHA256 string // of its contents, 64 hexadecimal digits
	Size   int64
}

// WellFormed reports whether the hash is one: a damaged database may say
// anything.
func (f StoredFile) WellFormed() bool { return IsBlobHash(f.SHA256) }

// ListStoredFiles returns the files whose bytes should lie beside the database, in order
// of their hash.
func (i *Inspection) ListStoredFiles(ctx context.Context) ([]StoredFile, error) {
	if known, err := i.fileHasTable(ctx, "blobs"); err != nil || !known {
		return []StoredFile{}, err
	}
	files, err := query.Select(rawReader{ctx, i.conn}, func(f *StoredFile) []any { return []any{&f.SHA256, &f.Size} }, `SELECT coalesce(CAST(sha256 AS TEXT), ''), coalesce(CAST(size AS BIGINT), 0) FROM blobs ORDER BY sha256`)
	return files, classifyError(err)
}

// ListUnreferencedFiles returns up to limit files that no record holds.
func (i *Inspection) ListUnreferencedFiles(ctx context.Context, limit int) ([]string, error) {
	if known, err := i.fileHasTable(ctx, "record_blobs"); err != nil || !known {
		return nil, err
	}
	hashes, err := query.Select(rawReader{ctx, i.conn}, query.Column[string], `SELECT coalesce(CAST(b.sha256 AS TEXT), '') FROM blobs b WHERE NOT EXISTS (SELECT 1 FROM record_blobs r WHERE r.sha256 = b.sha256) ORDER BY b.sha256 LIMIT ?`, limit)
	return hashes, classifyError(err)
}

// fileHasTable reports whether the file has a table.
func (i *Inspection) fileHasTable(ctx context.Context, table string) (bool, error) {
	if i.server != nil {
		return true, nil
	}
	var n int
	err := i.conn.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = ?`, table).Scan(&n)
	return n > 0, classifyError(err)
}

// sharersFile is the folder, beside the files, with a name for every database
// that keeps bytes there.
const sharersFile = "databases"

// RegisterFilesSharer says that a database keeps bytes in the files folder beside it, so
// that no other removes them. Without such a folder it does nothing.
func RegisterFilesSharer(database string) error {
	if _, err := os.Stat(FilesFolder(database)); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	folder := filepath.Join(FilesFolder(database), sharersFile)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	// A name that is there says so already, whatever it leads to.
	file, err := os.OpenFile(filepath.Join(folder, filepath.Base(database)), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return file.Close()
}

// openStoredFile opens the bytes of a file beside a database, with the size they have.
// Without them, or when something else has their name, the error is ErrBlobMissing.
func openStoredFile(database, sha256 string) (*os.File, int64, error) {
	if !IsBlobHash(sha256) {
		return nil, 0, ErrBlobMissing
	}
	path := filePath(database, sha256)
	seen, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		err = ErrBlobMissing
	}
	if err != nil {
		return nil, 0, err
	}
	// A second name of the database must not be opened, see localfile.Private.
	own := localfile.Private{Files: listDatabaseFiles(database)}.Snapshot()
	if !seen.Mode().IsRegular() || own.IsPrivate(seen) {
		return nil, 0, ErrBlobMissing
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	if err := own.CheckOpenedNotPrivate(file); err != nil {
		return nil, 0, ErrBlobMissing
	}
	return file, seen.Size(), nil
}

// OpenFile opens the bytes of a file that the database knows, once they were compared
// with their hash. Where they are missing or others the error is ErrBlobMissing or
// ErrBlobAltered.
func (i *Inspection) OpenFile(ctx context.Context, hash string) (io.ReadCloser, error) {
	if i.server != nil {
		return i.fetchFile(ctx, hash)
	}
	file, _, err := openStoredFile(i.path, hash)
	if err != nil {
		return nil, err
	}
	sum := sha256.New()
	_, err = io.Copy(sum, contextReader{ctx, file})
	if err == nil && hex.EncodeToString(sum.Sum(nil)) != hash {
		err = ErrBlobAltered
	}
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		file.Close() //nolint:errcheck // it was only read
		return nil, err
	}
	return file, nil
}

func (i *Inspection) fetchFile(ctx context.Context, hash string) (io.ReadCloser, error) {
	content, err := fetchBytes(i.conn.QueryRowContext(ctx, `SELECT bytes FROM blob_bytes WHERE sha256 = $1`, hash))
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(content); hex.EncodeToString(sum[:]) != hash {
		return nil, ErrBlobAltered
	}
	return bytesFile{bytes.NewReader(content)}, nil
}

// ListSharingDatabases returns the other databases that keep bytes in the same folder.
func ListSharingDatabases(database string) ([]string, error) {
	owners, err := os.ReadDir(filepath.Join(FilesFolder(database), sharersFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var sharers []string
	for _, o := range owners {
		if o.Name() == filepath.Base(database) {
			continue
		}
		if _, err := os.Stat(filepath.Join(filepath.Dir(database), o.Name())); err == nil {
			sharers = append(sharers, o.Name())
		}
	}
	return sharers, err
}
