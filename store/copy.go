package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"

	sqlite3 "modernc.org/sqlite/lib"
)

// ErrInUse means that another process has the database open.
var ErrInUse = errors.New("another process has the database open")

// Copy writes the database at path, as of one moment, to a new file that only
// its owner can read. Other processes go on reading and writing. The copy is
// compact: nothing deleted is in it.
func Copy(ctx context.Context, path, target string) (err error) {
	// SQLite fills an empty file, but would create one with the umask's mode.
	file, err := os.OpenFile(target, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(target) //nolint:errcheck // at worst a temporary file stays
		}
	}()
	db, err := sql.Open("sqlite", plainDSN(path, false))
	if err != nil {
		return err
	}
	defer db.Close() //nolint:errcheck // it was only read
	if _, err := db.ExecContext(ctx, `VACUUM INTO ?`, target); err != nil {
		return classifyError(err)
	}
	if err := renewMarkAndOptimize(ctx, target); err != nil {
		return classifyError(err)
	}
	return syncFile(target)
}

// renewMarkAndOptimize gives a copy a mark of its own, by which it is told from the original when it
// is written over that, and merges its full-text indexes, which otherwise keep the words
// of rows that were deleted.
func renewMarkAndOptimize(ctx context.Context, path string) (err error) {
	db, err := sql.Open("sqlite", plainDSN(path, false)+"&_pragma=secure_delete(1)")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := setMark(ctx, db, randomMark()); err != nil {
		return err
	}
	tables, err := readCatalog(ctx, db)
	if err != nil {
		return err
	}
	for _, t := range tables {
		if !t.Virtual || t.View {
			continue
		}
		if _, err := db.ExecContext(ctx, `INSERT INTO `+quoteName(t.Name)+`(`+quoteName(t.Name)+`) VALUES('optimize')`); err != nil {
			return err
		}
	}
	return nil
}

func syncFile(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}

// CheckpointFile folds the write-ahead log into the database file, so that the file
// alone is the database, and returns ErrInUse when another process has it open.
// A file too damaged for that is left as it is, with ErrDamaged.
func CheckpointFile(ctx context.Context, path string) error {
	db, err := sql.Open("sqlite", plainDSN(path, false))
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	defer db.Close() //nolint:errcheck // everything is in the file by then
	var mode string
	// Leaving WAL takes an exclusive lock, which every other connection prevents.
	err = db.QueryRowContext(ctx, `PRAGMA journal_mode=DELETE`).Scan(&mode)
	switch {
	case sqliteErrorCode(err) == sqlite3.SQLITE_BUSY || sqliteErrorCode(err) == sqlite3.SQLITE_LOCKED:
		return ErrInUse
	case err != nil:
		return classifyError(err)
	case mode != "delete":
		return fmt.Errorf("%w (journal mode %s)", ErrInUse, mode)
	}
	// A reader of a file without a log holds no lock; a writer does.
	if _, err := db.ExecContext(ctx, `BEGIN EXCLUSIVE; COMMIT`); err != nil {
		if code := sqliteErrorCode(err); code == sqlite3.SQLITE_BUSY || code == sqlite3.SQLITE_LOCKED {
			return ErrInUse
		}
		return classifyError(err)
	}
	return nil
}

// Checkpoint writes the write-ahead log back into the file and empties it as far
// as other processes allow. It returns the frames that remain in the log.
func (db *DB) Checkpoint(ctx context.Context) (remaining int, err error) {
	if db.server != nil {
		return 0, nil
	}
	if err := db.identity.checkNotMoved(ctx); err != nil { // it would mix two databases
		return 0, classifyError(err)
	}
	remaining, err = db.emptyWriteAheadLog(ctx, busyTimeout)
	if err != nil && !errors.Is(err, ErrBusy) {
		return 0, err
	}
	return remaining, nil
}

// Magic is what every SQLite database begins with.
var Magic = []byte("SQLite format 3\x00")

// IsDatabase reports whether a file is a SQLite database, ours or another's, or
// the write-ahead log of one: something that no copy may take the place of.
func IsDatabase(name string) bool {
	file, err := os.Open(name)
	if err != nil {
		return false
	}
	defer file.Close() //nolint:errcheck // it was only read
	start := make([]byte, len(Magic))
	n, _ := io.ReadFull(file, start) // a short file shows by what it lacks
	start = start[:n]
	return bytes.Equal(start, Magic) || bytes.HasPrefix(start, []byte{0x37, 0x7f, 0x06, 0x82}) || bytes.HasPrefix(start, []byte{0x37, 0x7f, 0x06, 0x83})
}
