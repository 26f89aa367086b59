package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"modernc.org/sqlite" // also registers the "sqlite" driver
	sqlite3 "modernc.org/sqlite/lib"

	"toolkit/store/internal/query"
	"toolkit/store/localfile"
)

const (
	// applicationID ("tlkt") is set in the file header by schema.sql, so that another
	// program's database is never migrated by mistake.
	applicationID = 0x746c6b74

	// busyTimeout is how long a connection waits for a lock of another process
	// when its caller sets no time.
	busyTimeout = 5 * time.Second

	// busyPause is how long a write waits between two looks at the lock. SQLite
	// would wait for up to a tenth of a second, and would not hear that its
	// caller's time is up.
	busyPause = 2 * time.Millisecond

	// maxReaders is the size of the read pool: enough for a few concurrent
	// queries of one client on a small machine.
	maxReaders = 4
)

// Options say how to open a database. The zero value of every field but Path
// is usable.
type Options struct {
	// Path is the database file. Its folder is created with mode 0700 when
	// missing, the file with 0600. Or it is the address of a database of PostgreSQL,
	// postgres://user@host/name.
	Path string
	// Space is whose data it is, when several people share a database: a schema of its
	// own in PostgreSQL, else a file of its own in the folder spaces beside the file.
	// Empty: that of the database itself.
	Space string
	// Now is the clock; time.Now when nil. Stored times are UTC milliseconds.
	Now func() time.Time
	// MaxPages caps the file size in pages of 4096 bytes; 0 means no cap. Tests
	// use it to stand in for a full disk.
	MaxPages int
	// ReadFirst opens a database that is there without taking the write lock, for
	// callers in a hurry: whether it can be written shows when it is. Nor are statements
	// kept prepared, which takes longer than to run them once.
	ReadFirst bool
}

// DB is an open database, safe for concurrent use.
type DB struct {
	path     string
	server   *server // of PostgreSQL; nil: a file of SQLite
	identity fileIdentity
	rows     query.Database
	writer   *sql.DB // one connection: writes of this process queue here
	reader   *sql.DB

	writerStatements query.Statements
	readerStatements query.Statements

	written  sync.Mutex
	onCommit []func(topics []Topic)

	traces  atomic.Bool // something forgotten still leaves traces, see EraseTraces
	erasing sync.Mutex
	erased  time.Time // when that was last tried
}

// OpenError is a database that cannot be used. Message says what is wrong and
// what to do, fit for a person; Unwrap gives the cause.
type OpenError struct {
	Message string
	Err     error
}

func (e *OpenError) Error() string { return e.Message }

// Unwrap returns the underlying cause, which may be nil.
func (e *OpenError) Unwrap() error { return e.Err }

// Open opens or creates the database and brings it to the current schema. It
// does no work that grows with the data. Failures are *OpenError.
func Open(ctx context.Context, o Options) (*DB, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if IsPostgres(o.Path) {
		o.Path, o.Space = splitSpace(o.Path, o.Space)
	}
	if err := checkSpaceName(o.Space); err != nil {
		return nil, err
	}
	if localfile.Redirect != nil && !IsPostgres(o.Path) {
		localPath := SpacePath(o.Path, o.Space)
		o.Path, o.Space = localfile.Redirect(localPath)
		return openPostgres(ctx, o, localPath)
	}
	if IsPostgres(o.Path) {
		localPath, err := LocalPath(o.Path, o.Space)
		if err != nil {
			return nil, err
		}
		return openPostgres(ctx, o, localPath)
	}
	path, err := ensureDatabaseFile(SpacePath(o.Path, o.Space), localfile.NewFile)
	if err != nil {
		return nil, err
	}
	db := &DB{path: path, rows: query.Database{Clock: o.Now}}
	if err := db.open(ctx, o); err != nil {
		db.Close()
		return nil, describeOpenError(path, err)
	}
	return db, nil
}

func (db *DB) open(ctx context.Context, o Options) (err error) {
	if db.writer, err = sql.Open("sqlite", dsn(db.path, o.MaxPages, false)); err != nil {
		return err
	}
	db.writer.SetMaxOpenConns(1)
	db.writer.SetConnMaxIdleTime(0)
	writable := checkWritable
	if o.ReadFirst {
		writable = func(context.Context, *sql.DB) error { return nil }
	}
	for _, prepare := range []func(context.Context, *sql.DB) error{db.checkApplicationID, enableWAL, migrate, writable, writeMarkIfMissing} {
		if err := retryWhileBusy(ctx, func() error { return prepare(ctx, db.writer) }); err != nil {
			return err
		}
	}
	if err := db.identity.recordOpenedFile(ctx, db.path); err != nil {
		return err
	}
	if db.reader, err = sql.Open("sqlite", dsn(db.path, 0, true)); err != nil {
		return err
	}
	db.reader.SetMaxOpenConns(maxReaders)
	db.reader.SetMaxIdleConns(maxReaders)
	if !o.ReadFirst {
		db.writerStatements.DB, db.readerStatements.DB = db.writer, db.reader
	}
	db.resumeForgetting(ctx)
	return nil
}

// dsn lists the pragmas of every connection. Readers wait within SQLite for the
// moments in which a log is made, recovered or removed; writers wait with
// retryWhileBusy. synchronous=FULL makes an acknowledged write survive a power cut.
func dsn(path string, maxPages int, readOnly bool) string {
	pragmas := []string{
		"foreign_keys(1)", "synchronous(FULL)", "recursive_triggers(1)",
		"temp_store(2)",               // sorting never leaves files behind
		"cache_size(-16000)",          // 16 MB a connection
		"journal_size_limit(8000000)", // a burst of writes does not leave a huge WAL
	}
	if readOnly {
		pragmas = append(pragmas, waitPragma, "query_only(1)")
	}
	if maxPages > 0 {
		pragmas = append(pragmas, fmt.Sprintf("max_page_count(%d)", maxPages))
	}
	return fileURL(path, pragmas) + "&_txlock=immediate" // deferred transactions fail under contention despite the timeout
}

var waitPragma = fmt.Sprintf("busy_timeout(%d)", busyTimeout.Milliseconds())

// fileURL is how the driver opens an existing file: a connection that comes later makes
// no new one.
func fileURL(path string, pragmas []string) string {
	q := url.Values{"mode": {"rw"}, "_dqs": {"0"}, "_pragma": pragmas}
	return (&url.URL{Scheme: "file", Opaque: escapePath(path), RawQuery: q.Encode()}).String()
}

// escapePath makes a file name safe inside a SQLite URI: '?', '#' and '%' would
// otherwise end or change it.
func escapePath(path string) string {
	path = filepath.ToSlash(path)
	if runtime.GOOS == "windows" && !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Path: path}).EscapedPath()
}

// checkApplicationID refuses files of other programs, before anything is written to them. Tables
// are counted first: a process that opens the same new file marks it as ours together
// with making them. Litestream makes its own as soon as there is a file.
func (db *DB) checkApplicationID(ctx context.Context, writer *sql.DB) error {
	var tables int
	if err := writer.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_master WHERE tbl_name NOT IN ('_litestream_seq', '_litestream_lock')`).Scan(&tables); err != nil {
		return err
	}
	var id int64
	if err := writer.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id); err != nil {
		return err
	}
	if id != applicationID && (id != 0 || tables > 0) {
		return &OpenError{Message: fmt.Sprintf("%s is a database of another program; choose another file with --db or TOOLKIT_DB", db.path)}
	}
	return nil
}

// enableWAL gives the file a write-ahead log, for good. SQLite never waits for
// the lock in this one statement, whatever its busy_timeout: it has begun to
// read when it asks to write, and two that did so would wait for each other.
func enableWAL(ctx context.Context, writer *sql.DB) error {
	_, err := writer.ExecContext(ctx, "PRAGMA journal_mode=WAL")
	return err
}

// checkWritable finds a read-only file before the first call does.
func checkWritable(ctx context.Context, writer *sql.DB) error {
	tx, err := writer.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	return tx.Rollback()
}

// creating is held while a new database file is made.
var creating sync.Mutex

func ensureDatabaseFile(path string, newFile func(path string) bool) (string, error) {
	if strings.TrimSpace(path) == "" {
		return "", &OpenError{Message: "no database file given; pass --db FILE or set TOOLKIT_DB"}
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", &OpenError{Message: "the database path cannot be made absolute: " + err.Error(), Err: err}
	}
	if info, err := os.Stat(abs); err == nil && info.IsDir() {
		return "", &OpenError{Message: abs + " is a folder; give the path of a database file"}
	}
	if err := os.MkdirAll(filepath.Dir(abs), 0o700); err != nil {
		return "", &OpenError{Message: fmt.Sprintf("cannot create the folder %s: %v; choose another place with --db or TOOLKIT_DB", filepath.Dir(abs), localfile.Cause(err)), Err: err}
	}
	if newFile != nil && newFile(abs) {
		return abs, nil
	}
	// Closing a file takes away the locks that this process has on it, so nobody
	// else here may have opened the new one before it is closed.
	creating.Lock()
	defer creating.Unlock()
	// SQLite would create the file with the umask's permissions.
	f, err := os.OpenFile(abs, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	switch {
	case err == nil:
		return abs, f.Close()
	case errors.Is(err, fs.ErrExist):
		makeSidecarsWritable(abs)
		return abs, checkNoHardLink(abs)
	default:
		return "", &OpenError{Message: fmt.Sprintf("cannot create %s: %v; choose another place with --db or TOOLKIT_DB", abs, localfile.Cause(err)), Err: err}
	}
}

// makeSidecarsWritable makes SQLite's files beside a database writable when it is: made
// while the database was read-only for a moment, they would keep it so for good.
func makeSidecarsWritable(path string) {
	const byOwner = 0o200
	info, err := os.Stat(path)
	if err != nil || info.Mode()&byOwner == 0 {
		return
	}
	for _, ending := range []string{"-wal", "-shm"} {
		if localPath, err := os.Lstat(path + ending); err == nil && localPath.Mode().IsRegular() && localPath.Mode()&byOwner == 0 {
			os.Chmod(path+ending, info.Mode().Perm()) //nolint:errcheck // what cannot be written says so itself
		}
	}
}

// checkNoHardLink refuses a database with a second name: a process that opened the other
// one writes a log of its own, and neither would find what the other wrote.
func checkNoHardLink(path string) error {
	info, err := os.Stat(path)
	if err == nil && info.Mode().IsRegular() && localfile.HasSecondName(info) {
		return &OpenError{Message: path + " has a second name (a hard link, as 'cp -l' makes), under which another program could write a log of its own, and rows would be lost. " +
			"If the other name is a backup that is to stay, run 'toolkit backup' and then 'toolkit restore --force' with what it wrote, which gives the database a file of its own; " +
			"else remove the other name ('find -samefile' shows it)"}
	}
	return nil
}

// describeOpenError turns SQLite's codes into sentences a person can act on.
func describeOpenError(path string, err error) error {
	var known *OpenError
	if errors.As(err, &known) {
		return known
	}
	openError := func(format string, args ...any) error {
		return &OpenError{Message: fmt.Sprintf(format, args...), Err: classifyError(err)}
	}
	switch sqliteErrorCode(err) {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return openError("%s is locked by another program and did not become free within %s; close that program or choose another file with --db", path, busyTimeout)
	case sqlite3.SQLITE_READONLY:
		return openError("%s is read-only; toolkit needs to write it: change its permissions (and its folder's) or choose another file with --db", path)
	case sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH:
		return openError("%s cannot be opened; check that you may read and write it and its folder, or choose another file with --db", path)
	case sqlite3.SQLITE_NOTADB:
		return openError("%s is not a SQLite database; move it away or choose another file with --db", path)
	case sqlite3.SQLITE_CORRUPT:
		return openError("%s is damaged; restore it from a backup or choose another file with --db", path)
	case sqlite3.SQLITE_FULL:
		return openError("the disk that holds %s is full; free some space and start again", path)
	case sqlite3.SQLITE_IOERR:
		return openError("reading or writing %s failed (input/output error); check the disk it is on", path)
	}
	return openError("%s cannot be used: %v", path, err)
}

// sqliteErrorCode is the primary SQLite result code of err, or 0.
func sqliteErrorCode(err error) int {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return 0
	}
	if e.Code() == sqlite3.SQLITE_IOERR_SHMSIZE { // no room for the index of the log
		return sqlite3.SQLITE_FULL
	}
	return e.Code() & 0xff
}

// Close ends all connections. The last process to close folds the write-ahead
// log into the file.
func (db *DB) Close() error {
	var errs []error
	db.readerStatements.Close()
	db.writerStatements.Close()
	for _, pool := range []*sql.DB{db.identity.anchor, db.reader, db.writer} {
		if pool != nil {
			errs = append(errs, pool.Close())
		}
	}
	return errors.Join(errs...)
}

// Path is the absolute path of the database file, or of what stands for it on this
// machine; see [LocalPath].
func (db *DB) Path() string { return db.path }

// Name is how people may be told which database it is: its path, or its address
// without a password.
func (db *DB) Name() string {
	if db.server != nil {
		return db.server.name
	}
	return db.path
}

// Now is the injected clock, in UTC.
func (db *DB) Now() time.Time { return db.rows.Clock().UTC() }

// Folder is the data folder: where the database lies, with what belongs to it.
func (db *DB) Folder() string { return filepath.Dir(db.path) }
