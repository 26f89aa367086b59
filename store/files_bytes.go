package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

// The bytes of blobs lie in files/sha256/ab/<hash> beside the database. They are
// written under a temporary name, synchronised and renamed, so that a name with
// a hash always has all of its bytes. Placing and removing happen under the
// write lock of the database: no process removes what another is just keeping.
// Bytes without a row in blobs, left by a crash, harm nobody; the same file
// coming again takes them over.

// StagingFolder holds files on their way in.
func StagingFolder(database string) string { return filepath.Join(FilesFolder(database), "incoming") }

// ErrBlobMissing tells that a blob is known but its bytes are gone, and ErrBlobAltered, which
// is one, that others are in their place.
var (
	ErrBlobMissing = errors.New("the bytes of the file are missing")
	ErrBlobAltered = fmt.Errorf("%w: others are in their place", ErrBlobMissing)
)

// StagedBlob is a private copy of a file on its way in. Discard must be called
// in the end, also after StoreBlob.
type StagedBlob struct {
	SHA256 string
	Size   int64
	db     *DB
	file   *os.File
	path   string
}

// IsBlobHash reports whether a text has the form of a blob's name.
func IsBlobHash(text string) bool {
	if len(text) != sha256.Size*2 {
		return false
	}
	for _, c := range []byte(text) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// StageBlob copies source, of which at most limit bytes are read, to a private
// file on the disk of the database.
func (db *DB) StageBlob(ctx context.Context, source io.Reader, limit int64) (*StagedBlob, error) {
	folder := StagingFolder(db.path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("preparing the folder of files: %w", err)
	}
	if err := RegisterFilesSharer(db.path); err != nil {
		return nil, fmt.Errorf("preparing the folder of files: %w", err)
	}
	db.ClearStaging()
	file, err := os.CreateTemp(folder, "*.part") // mode 0600
	if err != nil {
		return nil, fmt.Errorf("creating a file: %w", err)
	}
	b := &StagedBlob{db: db, file: file, path: file.Name()}
	sum := sha256.New()
	b.Size, err = io.Copy(io.MultiWriter(file, sum), io.LimitReader(contextReader{ctx, source}, limit))
	if err == nil {
		err = file.Sync()
	}
	if err != nil {
		b.Discard()
		return nil, fmt.Errorf("copying the file: %w", err)
	}
	b.SHA256 = hex.EncodeToString(sum.Sum(nil))
	return b, nil
}

// maxStagingAge is when a staged file must be left from a crash: no call takes a
// tenth of it.
const maxStagingAge = time.Hour

// ClearStaging removes what crashed processes left on its way in, and counts the files that
// remain: another process may be writing them.
func (db *DB) ClearStaging() (remaining int) {
	folder := StagingFolder(db.path)
	entries, err := os.ReadDir(folder)
	if err != nil {
		return 0 // there is none, or the next upload will try again
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue // another process was quicker
		}
		if time.Since(info.ModTime()) <= maxStagingAge || os.Remove(filepath.Join(folder, e.Name())) != nil {
			remaining++
		}
	}
	return remaining
}

// contextReader stops reading when the caller has given up.
type contextReader struct {
	ctx    context.Context
	source io.Reader
}

func (r contextReader) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.source.Read(b)
}

// ReadAt reads the copy.
func (b *StagedBlob) ReadAt(p []byte, offset int64) (int, error) { return b.file.ReadAt(p, offset) }

// Discard removes the copy, unless it was kept.
func (b *StagedBlob) Discard() {
	b.file.Close()
	if b.path != "" {
		os.Remove(b.path) //nolint:errcheck // a leftover copy harms nobody
		b.path = ""
	}
}

// StoreBytes puts a staged file in its place, within the write that adds its row.
func (tx *Tx) StoreBytes(b *StagedBlob) error {
	if b.db.server != nil {
		return tx.insertBlobBytes(b)
	}
	return b.MoveToFiles()
}

// MoveToFiles renames a staged file to its hash, within the write that adds its row. If
// that fails later, the bytes stay without a row. Bytes that are already there are
// replaced by equal ones, which mends a file that was tampered with.
func (b *StagedBlob) MoveToFiles() error {
	target := filePath(b.db.path, b.SHA256)
	if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
		return err
	}
	if runtime.GOOS == "windows" {
		b.file.Close() // an open file cannot be renamed there
	}
	if err := os.Rename(b.path, target); err != nil {
		// Somebody may be reading the file that is there: it will do.
		if info, statErr := os.Lstat(target); statErr == nil && info.Mode().IsRegular() && info.Size() == b.Size {
			return nil
		}
		return err
	}
	b.path = ""
	SyncFolder(filepath.Dir(target)) //nolint:errcheck // the file is there all the same
	return nil
}

// SyncFolder makes a renaming survive a power cut. Windows writes folders with their
// files, and some file systems cannot.
func SyncFolder(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// BlobFile is the open bytes of a blob.
type BlobFile interface {
	io.ReadSeekCloser
	io.ReaderAt
}

// OpenBlob opens the bytes of a blob of that size. Without them the error is
// ErrBlobMissing.
func (db *DB) OpenBlob(sha256 string, size int64) (BlobFile, error) {
	if db.server != nil {
		return db.fetchBlob(sha256, size)
	}
	file, found, err := openStoredFile(db.path, sha256)
	if err != nil {
		return nil, err
	}
	if found != size {
		file.Close()
		return nil, ErrBlobMissing
	}
	return file, nil
}

// DeleteUnreferencedBlobs removes the bytes of blobs that were released. It takes the write
// lock for it and leaves what another process has kept again since, and what
// another database in the same folder may hold.
func (db *DB) DeleteUnreferencedBlobs(ctx context.Context, hashes []string) error {
	if db.server != nil {
		return db.Write(ctx, func(tx *Tx) error { return tx.dropBytes(hashes) })
	}
	if len(hashes) == 0 || db.SharesFiles() {
		return nil
	}
	return db.Write(ctx, func(tx *Tx) error {
		var failures []error
		for _, hash := range hashes {
			var known bool
			if err := tx.sql().Row(`SELECT EXISTS (SELECT 1 FROM blobs WHERE sha256 = ?)`, hash).Scan(&known); err != nil {
				return err
			}
			if known || !IsBlobHash(hash) {
				continue
			}
			if err := os.Remove(filePath(db.path, hash)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				failures = append(failures, err)
			}
			os.Remove(filepath.Dir(filePath(db.path, hash))) //nolint:errcheck // fails while other files are in it, as it should
		}
		return errors.Join(failures...)
	})
}

// SharesFiles reports whether another database keeps bytes in the same folder,
// which then keeps those of forgotten files, too.
func (db *DB) SharesFiles() bool {
	sharers, err := ListSharingDatabases(db.path)
	return err != nil || len(sharers) > 0
}
