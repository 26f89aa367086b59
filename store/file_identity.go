package store

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"

	sqlite3 "modernc.org/sqlite/lib"

	"toolkit/store/internal/query"
	"toolkit/store/localfile"
)

// fileIdentity tells whether the path of a database still leads to what was opened.
//
// That the database, its log and its index are the same files is told by device
// and inode. That nobody wrote another database over the file is told by a mark
// that counts up in its first page (user_version; where it begins is random). It
// is raised by the first write after every change of the file, so that no two
// checkpoints leave the same mark there: the mark in the file, read past the log,
// lies between the one read before and the one that SQLite sees. It is read only
// when size or time of the file have changed, which is after checkpoints.
type fileIdentity struct {
	path   string // of the database, behind all links
	opened map[string]fs.FileInfo
	// anchor is a connection that reads the mark and nothing else. While it is open,
	// no call that is cancelled can close the last one of this process, with which
	// the log would go and another come.
	anchor   *sql.DB
	counter  *sql.Stmt // of the pages in the log; every call asks for them
	pageSize int64

	mu             sync.Mutex
	lastInfo       fs.FileInfo // at the file, before its mark was read
	wholeLog       fs.FileInfo // the log when it last was as long as its index says; nil: never
	markSeenInFile uint32      // the mark there; 0: none has come there yet
	newest         uint32      // mark that SQLite saw last
	raiseDue       bool        // the next write raises the mark
}

const (
	// maxEarlyMarks is how far behind the newest mark the first one in a file may be.
	maxEarlyMarks = 1 << 16
	// maxMarkAdvance is how far other processes may raise the mark while this one looks at
	// nothing.
	maxMarkAdvance = 1 << 24
)

// recordOpenedFile notes what was opened, once the log is there and a mark is set.
func (p *fileIdentity) recordOpenedFile(ctx context.Context, path string) (err error) {
	p.path, p.opened, p.raiseDue = localfile.ResolveLinks(path), map[string]fs.FileInfo{}, true
	if p.anchor, err = sql.Open("sqlite", dsn(path, 0, true)); err != nil {
		return err
	}
	p.anchor.SetMaxOpenConns(1)
	for _, ending := range []string{"", "-wal", "-shm"} {
		info, err := os.Stat(p.path + ending)
		if err != nil && ending == "" {
			return err
		}
		if err == nil { // where memory cannot be shared there is no log
			p.opened[p.path+ending] = info
		}
	}
	if p.lastInfo, err = os.Stat(p.path); err != nil {
		return err
	}
	if err := p.anchor.QueryRowContext(ctx, `PRAGMA page_size`).Scan(&p.pageSize); err != nil {
		return err
	}
	if p.counter, err = p.anchor.PrepareContext(ctx, `PRAGMA wal_checkpoint(NOOP)`); err != nil {
		return err
	}
	p.markSeenInFile, _ = p.readMarkInFile(ctx) // unreadable: looked at again with the next change
	p.newest, err = readMark(ctx, p.anchor)
	return err
}

// writeMarkIfMissing gives a database its first mark and has it written to the file.
func writeMarkIfMissing(ctx context.Context, writer *sql.DB) error {
	if m, err := readMark(ctx, writer); err != nil || m != 0 {
		return err
	}
	tx, err := writer.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // after Commit this is a no-op
	if m, err := readMark(ctx, tx); err != nil || m != 0 {
		return err // of another process
	}
	if err := setMark(ctx, tx, randomMark()); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	writer.ExecContext(ctx, `PRAGMA wal_checkpoint(PASSIVE)`) //nolint:errcheck // readers may be in its way; it gets there later
	return nil
}

func randomMark() uint32 { return 1 + rand.Uint32N(1<<31) }

func readMark(ctx context.Context, db query.Connection) (uint32, error) {
	var m int32
	err := db.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&m)
	return uint32(m), err
}

func setMark(ctx context.Context, db query.Connection, m uint32) error {
	_, err := db.ExecContext(ctx, `PRAGMA user_version=`+strconv.Itoa(int(int32(m))))
	return err
}

// checkNotMoved reports ErrMoved when the path leads to something else than was opened.
// Other failures to look are no reason to refuse: the open file may still be read
// and written. It costs three calls of stat.
func (p *fileIdentity) checkNotMoved(ctx context.Context) error {
	ctx = context.WithoutCancel(ctx)
	for path, opened := range p.opened {
		found, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) || err == nil && !os.SameFile(found, opened) {
			return ErrMoved
		}
		if err != nil {
			continue
		}
		switch path {
		case p.path:
			err = p.checkMark(ctx, found)
		case p.path + "-wal":
			err = p.checkLogNotTruncated(ctx, found)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkLogNotTruncated reports ErrMoved when the log is shorter than its index says: somebody
// emptied it, and what is written now would be found by nobody. A log that has not
// changed since it was found whole still is. A log grows before its index tells of
// it, and its index is reset before it is shortened, so only an index that says the
// same before and after the look counts.
func (p *fileIdentity) checkLogNotTruncated(ctx context.Context, found fs.FileInfo) error {
	p.mu.Lock()
	whole := p.wholeLog
	p.mu.Unlock()
	if whole != nil && isUnchanged(found, whole) {
		return nil
	}
	before, err := p.countLogFrames(ctx)
	if err != nil || before == 0 {
		return nil //nolint:nilerr // the next call looks again
	}
	found, err = os.Stat(p.path + "-wal")
	if err != nil {
		return nil //nolint:nilerr // its absence was noticed before
	}
	if found.Size() >= logHeader+before*(p.pageSize+frameHeader) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.wholeLog = found
		return nil
	}
	if after, err := p.countLogFrames(ctx); err != nil || after != before {
		return nil //nolint:nilerr // a write or a checkpoint is under way
	}
	return ErrMoved
}

// isUnchanged tells whether a file looks as it did before.
func isUnchanged(now, before fs.FileInfo) bool {
	return now.Size() == before.Size() && now.ModTime().Equal(before.ModTime())
}

// Bytes of SQLite's log before its first page, and before each page.
const (
	logHeader   = 32
	frameHeader = 24
)

// countLogFrames returns how many pages the index of the log knows there.
func (p *fileIdentity) countLogFrames(ctx context.Context) (frames int64, err error) {
	var busy, moved int64
	err = p.counter.QueryRowContext(ctx).Scan(&busy, &frames, &moved)
	return frames, err
}

// checkMark looks into a file that has changed.
func (p *fileIdentity) checkMark(ctx context.Context, found fs.FileInfo) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if isUnchanged(found, p.lastInfo) {
		return nil
	}
	if found.Size() == 0 { // its first page was there when it was opened
		return ErrMoved
	}
	inFile, err := p.readMarkInFile(ctx)
	newest := uint32(0)
	if err == nil {
		newest, err = readMark(ctx, p.anchor)
	}
	switch {
	case sqliteErrorCode(err) == sqlite3.SQLITE_NOTADB:
		return ErrMoved
	case err != nil:
		return nil //nolint:nilerr // the next call looks again
	}
	reach := newest - p.markSeenInFile
	if p.markSeenInFile == 0 {
		reach = maxEarlyMarks
	}
	if inFile != p.markSeenInFile && newest-inFile > reach || newest-p.newest > maxMarkAdvance {
		return ErrMoved
	}
	p.lastInfo, p.markSeenInFile, p.newest, p.raiseDue = found, inFile, newest, true
	return nil
}

// readMarkInFile reads the mark past the log. SQLite itself does it, since closing a
// file by another way would take this process's locks from it. A checkpoint that
// is under way, or was cut short, leaves a file that is shorter than it says.
func (p *fileIdentity) readMarkInFile(ctx context.Context) (uint32, error) {
	db, err := sql.Open("sqlite", plainDSN(p.path, true)+"&immutable=1&_pragma=writable_schema(1)")
	if err != nil {
		return 0, err
	}
	defer db.Close() //nolint:errcheck // it was only read
	return readMark(ctx, db)
}

// raiseMark raises the mark in a write transaction when that is due. The caller
// sets it due again when the transaction fails.
func (p *fileIdentity) raiseMark(ctx context.Context, tx *sql.Tx) error {
	p.mu.Lock()
	due := p.raiseDue
	p.raiseDue = false
	p.mu.Unlock()
	if !due {
		return nil
	}
	newest, err := readMark(ctx, tx)
	if err != nil {
		return err
	}
	return setMark(ctx, tx, newest+1)
}

func (p *fileIdentity) scheduleMarkRaise() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.raiseDue = true
}
