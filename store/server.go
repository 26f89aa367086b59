package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	sqldriver "database/sql/driver"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/fnv"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"toolkit/store/internal/postgres"
	"toolkit/store/internal/query"
	"toolkit/store/localfile"
)

// server is a database of PostgreSQL, in which a space is a schema. Writers take a
// lock of the schema first, so that they follow each other as in SQLite, and what
// they number becomes visible in the order of its numbers; readers see one moment.
type server struct {
	name   string // for people: the address without a password
	schema string
	lock   int64 // of the writers of the schema; the next one is that of telemetry
	// turn is taken by the one writer of this process: those who wait go by when they
	// came, which a pool of connections does not promise.
	turn chan struct{}
}

const (
	// oldestServer is the first version of PostgreSQL that has all we use.
	oldestServer = 150000

	// baseSchema is the schema of the database itself; that of a space has its name
	// behind it.
	baseSchema = "toolkit"

	// reconnectPause is how long is waited between two attempts to reach a server.
	reconnectPause = 50 * time.Millisecond

	// maxCachedStatements is how many statements a connection keeps prepared; the program
	// has about 700.
	maxCachedStatements = 1000
)

// IsPostgres reports whether a database is one of PostgreSQL, by its address.
func IsPostgres(path string) bool {
	scheme, _, hasScheme := strings.Cut(strings.ToLower(path), ":")
	return hasScheme && (scheme == "postgres" || scheme == "postgresql")
}

// DisplayName is how a database may be shown: an address without its password.
func DisplayName(path string) string {
	if !IsPostgres(path) {
		return path
	}
	address, err := url.Parse(path)
	if err != nil || !strings.Contains(path, "://") {
		return "postgres://…"
	}
	address.RawQuery = ""
	return address.Redacted()
}

// LocalPath is the path beside which a process keeps its own files for a database: that
// of the file itself, or one in the data folder for a database of PostgreSQL.
func LocalPath(path, space string) (string, error) {
	if !IsPostgres(path) {
		return SpacePath(path, space), nil
	}
	folder, err := dataDir(os.Getenv)
	if err != nil { // a server in a container may have no home
		folder = os.TempDir()
	}
	path, space = splitSpace(path, space)
	address, err := url.Parse(path)
	if err != nil {
		return "", &OpenError{Message: "the address of the database cannot be read; it is like postgres://user@host/name"}
	}
	sum := sha256.Sum256([]byte(address.Host + address.Path + " " + address.Query().Get("host") + " " + space))
	return filepath.Join(folder, "toolkit", "servers", hex.EncodeToString(sum[:8]), "toolkit.db"), nil
}

// openPostgres opens a space of a server; localPath is what stands for it on this machine.
func openPostgres(ctx context.Context, o Options, localPath string) (*DB, error) {
	if err := os.MkdirAll(filepath.Dir(localPath), 0o700); err != nil {
		return nil, &OpenError{Message: fmt.Sprintf("cannot create the folder %s, for what this machine keeps of %s: %v", filepath.Dir(localPath), DisplayName(o.Path), localfile.Cause(err)), Err: err}
	}
	s := newServer(o.Path, o.Space)
	config, err := s.connectionConfig(o.Path)
	if err != nil {
		return nil, err
	}
	db := &DB{path: localPath, server: s, writer: stdlib.OpenDB(*config), reader: stdlib.OpenDB(*config), rows: query.Database{Clock: o.Now, Dialect: &postgres.Dialect{}}}
	db.writer.SetMaxOpenConns(1)
	db.reader.SetMaxOpenConns(maxReaders)
	db.reader.SetMaxIdleConns(maxReaders)
	for _, pool := range []*sql.DB{db.writer, db.reader} {
		pool.SetConnMaxIdleTime(time.Minute) // a server of many spaces holds the connections that it uses
	}
	if err := s.checkAndMigrate(ctx, db.writer); err != nil {
		db.Close() //nolint:errcheck // the first error is the one to report
		return nil, s.describeOpenError(err)
	}
	return db, nil
}

func newServer(address, space string) *server {
	s := &server{name: DisplayName(address), schema: baseSchema, turn: make(chan struct{}, 1)}
	if space != "" {
		s.schema += "_" + space
	}
	sum := fnv.New64a()
	sum.Write([]byte(s.schema)) //nolint:errcheck // a hash never fails
	s.lock = int64(sum.Sum64() &^ 1)
	return s
}

// connectionConfig says how to connect to the server, so that statements find the tables of the
// schema and nothing else.
func (s *server) connectionConfig(address string) (*pgx.ConnConfig, error) {
	scheme, rest, _ := strings.Cut(address, ":")
	config, err := pgx.ParseConfig(strings.ToLower(scheme) + ":" + rest)
	if err != nil || !strings.HasPrefix(rest, "//") {
		return nil, &OpenError{Message: fmt.Sprintf("the address of the database, %s, cannot be read; it is like postgres://user@host/name", s.name)} // the cause may show the password
	}
	config.StatementCacheCapacity = maxCachedStatements
	for name, value := range map[string]string{
		"search_path": s.schema, "application_name": s.schema, "jit": "off", "timezone": "UTC",
		"lock_timeout":                        fmt.Sprint(busyTimeout.Milliseconds()),
		"idle_in_transaction_session_timeout": "60000", // a server that hangs does not hold the lock for good
		// Statements follow the indexes that were made for them, as in SQLite, also while
		// PostgreSQL does not know yet how large the tables have become.
		"enable_seqscan": "off", "enable_hashjoin": "off", "enable_mergejoin": "off", "enable_material": "off", "random_page_cost": "0.1", "plan_cache_mode": "force_generic_plan", "max_parallel_workers_per_gather": "0",
	} {
		config.RuntimeParams[name] = value
	}
	return config, nil
}

// checkAndMigrate checks the server and brings the schema to its newest version.
func (s *server) checkAndMigrate(ctx context.Context, pool *sql.DB) error {
	var version int
	var bytewise, unicode, replica bool
	err := s.retryUntilReachable(ctx, func() error {
		return pool.QueryRowContext(ctx, `SELECT current_setting('server_version_num')::int, 'B' < 'a', current_setting('server_encoding') = 'UTF8', pg_is_in_recovery()`).Scan(&version, &bytewise, &unicode, &replica)
	})
	switch {
	case err != nil:
		return err
	case version < oldestServer:
		return &OpenError{Message: fmt.Sprintf("%s is PostgreSQL %d; toolkit needs 15 or newer", s.name, version/10000)}
	case !bytewise || !unicode:
		return &OpenError{Message: s.name + " does not order texts by their bytes; make the database with CREATE DATABASE … ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0"}
	case replica:
		return &OpenError{Message: s.name + " is a replica, which cannot be written; give the address of the primary, or several hosts and target_session_attrs=read-write"}
	}
	current, err := s.schemaVersion(ctx, pool)
	if err == nil {
		err = CheckSchema(current)
	}
	if err != nil {
		return err
	}
	if current < NewestSchema() {
		return s.migrate(ctx, pool)
	}
	return nil
}

// schemaVersion returns the newest version that the schema has reached, 0 for none.
func (s *server) schemaVersion(ctx context.Context, on query.Connection) (version int64, err error) {
	var known bool
	if err := on.QueryRowContext(ctx, `SELECT to_regclass($1) IS NOT NULL`, s.schema+".goose_db_version").Scan(&known); err != nil || !known {
		return 0, err
	}
	return reachedVersion(ctx, on)
}

// migrate makes what is missing, one process at a time.
func (s *server) migrate(ctx context.Context, pool *sql.DB) error {
	pool.SetMaxOpenConns(2) // one holds the lock
	defer pool.SetMaxOpenConns(1)
	holder, err := pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer holder.Close() //nolint:errcheck // it goes back to the pool
	if _, err := holder.ExecContext(ctx, `SET lock_timeout = '60s'; SELECT pg_advisory_lock(0); RESET lock_timeout`); err != nil {
		return err
	}
	defer holder.ExecContext(context.WithoutCancel(ctx), `SELECT pg_advisory_unlock(0)`) //nolint:errcheck // it ends with the connection at the latest
	if _, err := holder.ExecContext(ctx, `CREATE SCHEMA IF NOT EXISTS `+quoteName(s.schema)); err != nil {
		return err
	}
	current, err := s.schemaVersion(ctx, holder)
	if err != nil || current == NewestSchema() {
		return err // of another process
	}
	return postgres.Migrate(ctx, pool, current, oldestSchema)
}

// retryUntilReachable tries until the server answers or the caller's time is up: it may be
// starting, or another may be taking its place.
func (s *server) retryUntilReachable(ctx context.Context, try func() error) error {
	return retryWhile(ctx, ErrUnreachable, reconnectPause, try)
}

// beginRead begins a transaction that sees one moment.
func (s *server) beginRead(ctx context.Context, pool *sql.DB) (tx *sql.Tx, err error) {
	err = s.retryUntilReachable(ctx, func() error {
		tx, err = pool.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
		return err
	})
	return tx, err
}

// beginWriteStatements begins a transaction that other writers follow.
func (s *server) beginWriteStatements() string {
	return fmt.Sprintf(`BEGIN; SELECT pg_advisory_xact_lock(%d)`, s.lock)
}

// batchedTx is a transaction that was begun on a connection, which its last statements and
// COMMIT are to end.
func batchedTx(ctx context.Context, conn *sql.Conn, rows *query.Database) *query.Tx {
	return rows.BatchedWriteTx(ctx, conn, func(statements []query.Statement, number *int64) error {
		return sendBatch(ctx, conn, rows.Dialect, statements, number)
	})
}

// transact runs f between the statements that begin a transaction, which are sent as
// one, and COMMIT, which is sent with the last statements of f.
func (s *server) transact(ctx context.Context, pool *sql.DB, rows *query.Database, begin string, f func(*Tx) error) error {
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return fmt.Errorf("%w: %w", ErrBusy, ctx.Err())
	}
	var conn *sql.Conn
	err := s.retryUntilReachable(ctx, func() (err error) {
		if conn, err = pool.Conn(ctx); err != nil {
			return err
		}
		if _, err = conn.ExecContext(ctx, begin); err != nil {
			rollbackAndClose(conn)
		}
		return err
	})
	if err != nil {
		if errors.Is(ctx.Err(), context.DeadlineExceeded) && translatePostgresError(err) == nil {
			return fmt.Errorf("%w: %w", ErrBusy, err)
		}
		return err
	}
	defer rollbackAndClose(conn)
	writing := batchedTx(ctx, conn, rows)
	if err := f((*Tx)(writing)); err != nil {
		return err // as it is: callers know their own
	}
	last, err := writing.PendingStatements()
	if err != nil {
		return err
	}
	err = sendBatch(ctx, conn, rows.Dialect, append(last, commit), nil)
	if err != nil && !errors.Is(err, errUndone) && (postgres.ErrorCode(err) == "" || errors.Is(translatePostgresError(err), ErrUnreachable)) {
		return fmt.Errorf("whether the change was kept is not known, look before doing it again: %w", err)
	}
	return err
}

var (
	commit    = query.Statement{Text: "COMMIT"}
	errUndone = errors.New("a statement before the last failed, so that nothing was kept")
)

// rollbackAndClose undoes what is not committed and gives a connection back to its pool,
// or ends it if it does not answer.
func rollbackAndClose(conn *sql.Conn) {
	ctx, cancel := context.WithTimeout(context.Background(), busyTimeout)
	defer cancel()
	conn.Raw(func(driver any) error { //nolint:errcheck // a connection that is gone has undone it
		c := driver.(*stdlib.Conn).Conn()
		if status := c.PgConn().TxStatus(); status == 'I' || c.IsClosed() {
			return nil
		}
		_, err := c.Exec(ctx, "ROLLBACK")
		if err != nil {
			return sqldriver.ErrBadConn
		}
		return nil
	})
	conn.Close() //nolint:errcheck // it goes back to its pool
}

// sendBatch runs statements in one go, there and back, and reads a number from the
// last of them unless number is nil.
func sendBatch(ctx context.Context, conn *sql.Conn, dialect query.Dialect, statements []query.Statement, number *int64) error {
	return conn.Raw(func(driver any) error {
		batch := &pgx.Batch{}
		for _, st := range statements {
			batch.Queue(st.Text, st.Args...)
		}
		results := driver.(*stdlib.Conn).Conn().SendBatch(ctx, batch)
		for i, st := range statements {
			var outcome pgconn.CommandTag
			var err error
			if number != nil && i == len(statements)-1 {
				err = results.QueryRow().Scan(number)
			} else {
				outcome, err = results.Exec()
			}
			if outcome.String() == "ROLLBACK" {
				err = errUndone
			}
			if err != nil {
				results.Close() //nolint:errcheck // the first error is the one to report
				return dialect.AddStatementToError(st.Text, err)
			}
		}
		return results.Close()
	})
}

// describeOpenError turns what kept a database from being opened into a sentence that a person
// can act on.
func (s *server) describeOpenError(err error) error {
	var known *OpenError
	if errors.As(err, &known) {
		return known
	}
	openError := func(format string, args ...any) error {
		return &OpenError{Message: fmt.Sprintf(format, args...), Err: classifyError(err)}
	}
	switch code := postgres.ErrorCode(err); {
	case code == "28P01" || code == "28000":
		return openError("%s refuses the user or the password; give them in the address, in PGPASSWORD or in ~/.pgpass", s.name)
	case code == "3D000":
		return openError("there is no such database at %s; make it with CREATE DATABASE … ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0", s.name)
	case code == "42501":
		return openError("the user of %s may not make or change the schema %s; let its owner run GRANT CREATE ON DATABASE", s.name, s.schema)
	case code == "53300":
		return openError("%s has no connection left; raise its max_connections, or end programs that hold connections", s.name)
	case errors.Is(translatePostgresError(err), ErrUnreachable):
		return openError("%s cannot be reached; start PostgreSQL, or check host and port in --db or TOOLKIT_DB", s.name)
	}
	return openError("%s cannot be used: %v", s.name, err)
}
