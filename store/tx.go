package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	sqlite3 "modernc.org/sqlite/lib"

	"toolkit/store/internal/postgres"
	"toolkit/store/internal/query"
)

// Topic names a part of the data that can be watched: every committed Write
// advances the sequence of the topics it names.
type Topic = query.Topic

// Vector is the vector of a row, and Unembedded a row that has none of its present text.
type (
	Vector     = query.Vector
	Unembedded = query.Unembedded
)

// Topics of the families.
const (
	TopicGraph Topic = "graph"
	// TopicCharts covers charts, steps and beats. They are nodes of the graph, so
	// their writes touch TopicGraph as well.
	TopicCharts Topic = "charts"

	// Of the memory family, one a resource.
	TopicDialogue Topic = "l0-raw"
	TopicInsights Topic = "l2-insights"
	TopicWorking  Topic = "working-memory"
	TopicStale    Topic = "stale-memory"
	TopicEpisodes Topic = "episode-memory"
	TopicGolden   Topic = "golden"

	// TopicPayloads covers payloads, records, observations, snapshots and typed
	// relationships: one write usually changes several of them.
	TopicPayloads Topic = "payloads"
	// TopicPockets covers readings, outlets, the sustainability ledger, attention
	// events, moment quality and predictions.
	TopicPockets Topic = "pockets"
	// TopicIntegrations covers archives that were read and banks that are connected.
	TopicIntegrations Topic = "integrations"

	// TopicForgotten advances when something is forgotten, of whichever family: what
	// a process still knows of it must go.
	TopicForgotten Topic = "forgotten"
)

// Failures of the machine rather than of the request. Callers distinguish them
// with errors.Is.
var (
	ErrBusy     = errors.New("the database is busy: another write holds its lock")
	ErrFull     = errors.New("the disk is full")
	ErrReadOnly = errors.New("the database became read-only")
	ErrDamaged  = errors.New("the database file is damaged")
	// ErrUnreadable is a file that the system no longer lets us read or write:
	// permissions taken away, a disk that fails or is gone.
	ErrUnreadable = errors.New("the database file cannot be read or written")
	// ErrUnreachable is a database server that does not answer, or ended the connection.
	ErrUnreachable = errors.New("the database server cannot be reached")
	// ErrUnfit is a text that PostgreSQL cannot keep.
	ErrUnfit = errors.New("PostgreSQL cannot keep this")
	// ErrMoved is a path that no longer leads to the open file: what is written
	// there would be found by nobody.
	ErrMoved = errors.New("the database file was moved, replaced or deleted while it was open")
)

// Tx is a read or write transaction. It is valid only inside the function it was
// handed to. What stands in the database is read and written by the rows that the
// packages below this one make of it, such as graph.In(tx).
type Tx query.Tx

// sql is the transaction with its statements.
func (tx *Tx) sql() *query.Tx { return (*query.Tx)(tx) }

// Read runs f on one consistent snapshot. Writes inside fail.
func (db *DB) Read(ctx context.Context, f func(*Tx) error) error {
	tx, err := db.beginRead(ctx)
	if err != nil {
		return classifyError(contextError(ctx, err))
	}
	defer tx.Rollback() //nolint:errcheck // a read has nothing to undo
	return classifyError(contextError(ctx, f((*Tx)(db.rows.ReadTx(ctx, tx, &db.readerStatements)))))
}

func (db *DB) beginRead(ctx context.Context) (*sql.Tx, error) {
	if db.server != nil {
		return db.server.beginRead(ctx, db.reader)
	}
	if err := db.identity.checkNotMoved(ctx); err != nil {
		return nil, err
	}
	db.readerStatements.PrepareWanted(ctx)
	return db.reader.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
}

// contextError names the true cause of a failure after ctx has ended: by then
// the transaction is rolled back and whatever it does next fails in its own way.
func contextError(ctx context.Context, err error) error {
	if cause := ctx.Err(); err != nil && cause != nil && !errors.Is(err, cause) {
		return fmt.Errorf("%w: %w", cause, err)
	}
	return err
}

// Write runs f in one transaction: everything f did is kept when it returns
// nil, nothing otherwise. The write lock is taken at the start, so f may read
// and decide safely while other processes wait.
func (db *DB) Write(ctx context.Context, f func(*Tx) error) error {
	if db.server == nil {
		db.writerStatements.PrepareWanted(ctx)
	}
	var touched []Topic
	err := db.write(ctx, func(tx *Tx) error {
		if err := runGuard(ctx, tx); err != nil {
			return err
		}
		if err := f(tx); err != nil {
			return err
		}
		if err := db.checkForTraces(tx); err != nil {
			return err
		}
		if err := tx.sql().FlushQueuedRows(); err != nil {
			return err
		}
		touched = tx.sql().Touched()
		return advanceSequences(tx.sql(), touched)
	})
	if err != nil {
		return classifyError(contextError(ctx, err))
	}
	db.notifyCommitted(touched)
	db.retryErasure(ctx)
	return nil
}

// ReadValue runs f as [DB.ReadTurns] does and returns its result.
func ReadValue[T any](ctx context.Context, db *DB, f func(*Tx) (T, error)) (value T, err error) {
	err = db.Read(ctx, func(tx *Tx) (err error) {
		value, err = f(tx)
		return err
	})
	return value, err
}

// WriteValue runs f as [DB.Write] does and returns its result.
func WriteValue[T any](ctx context.Context, db *DB, f func(*Tx) (T, error)) (value T, err error) {
	err = db.Write(ctx, func(tx *Tx) (err error) {
		value, err = f(tx)
		return err
	})
	return value, err
}

func (db *DB) write(ctx context.Context, f func(*Tx) error) error {
	if db.server != nil {
		return db.server.transact(ctx, db.writer, &db.rows, db.server.beginWriteStatements(), f)
	}
	if err := db.identity.checkNotMoved(ctx); err != nil {
		return err
	}
	tx, err := beginWrite(ctx, db.writer)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // after Commit this is a no-op
	if err := f((*Tx)(db.rows.WriteTx(ctx, tx, &db.writerStatements))); err != nil {
		return err
	}
	if err := db.identity.checkNotMoved(ctx); err != nil {
		return err
	}
	err = db.identity.raiseMark(ctx, tx)
	if err == nil {
		err = tx.Commit()
	}
	if err != nil {
		db.identity.scheduleMarkRaise()
	}
	return err
}

// beginWrite takes the write lock. It waits for other writes, of this process and of
// others, until the caller's time is up, and says then what it waited for.
func beginWrite(ctx context.Context, writer *sql.DB) (tx *sql.Tx, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	err = retryWhileBusy(ctx, func() error {
		tx, err = writer.BeginTx(ctx, nil)
		return err
	})
	switch cause := ctx.Err(); {
	case err == nil || cause == nil:
		return tx, err
	case errors.Is(cause, context.DeadlineExceeded):
		return nil, fmt.Errorf("%w: %w", ErrBusy, err)
	default:
		return nil, cause
	}
}

// retryWhileBusy tries again for as long as a lock that it needs is another
// connection's and the caller has time: busyTimeout, if the caller sets none.
func retryWhileBusy(ctx context.Context, try func() error) error {
	return retryWhile(ctx, ErrBusy, busyPause, try)
}

// retryWhile tries again after a pause for as long as that is the failure and the caller has
// time: busyTimeout, if the caller sets none.
func retryWhile(ctx context.Context, failure error, pause time.Duration, try func() error) error {
	if _, limited := ctx.Deadline(); !limited {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, busyTimeout)
		defer cancel()
	}
	ticker := time.NewTicker(pause)
	defer ticker.Stop()
	for {
		err := try()
		if err == nil || !errors.Is(classifyError(err), failure) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-ticker.C:
		}
	}
}

func advanceSequences(tx *query.Tx, touched []Topic) error {
	if len(touched) == 0 {
		return nil
	}
	topics := make([]string, len(touched))
	for i, t := range touched {
		topics[i] = string(t)
	}
	slices.Sort(topics) // so that writers of one server wait for each other in one order
	return tx.Exec(`INSERT INTO change_sequence(topic, seq) SELECT value, 1 FROM json_each(?) WHERE TRUE ORDER BY key
		ON CONFLICT(topic) DO UPDATE SET seq = change_sequence.seq + 1`, query.List(topics))
}

// SumSequences is the sum of the change sequences of topics: it grows with every
// committed write, by any process, to any of them.
func (db *DB) SumSequences(ctx context.Context, topics ...Topic) (sum int64, err error) {
	all, err := db.Sequences(ctx)
	for _, t := range topics {
		sum += all[t]
	}
	return sum, err
}

// Sequences are the change sequences of all topics, at one moment.
func (db *DB) Sequences(ctx context.Context) (map[Topic]int64, error) {
	return ReadValue(ctx, db, func(tx *Tx) (map[Topic]int64, error) {
		return query.Map[Topic, int64](tx.sql(), `SELECT topic, seq FROM change_sequence`)
	})
}

// OnCommit registers f to be called after each committed Write of this process
// with the topics it touched. f must be quick and must not call the store.
func (db *DB) OnCommit(f func(topics []Topic)) {
	db.written.Lock()
	defer db.written.Unlock()
	db.onCommit = append(db.onCommit, f)
}

func (db *DB) notifyCommitted(topics []Topic) {
	if len(topics) == 0 {
		return
	}
	db.written.Lock()
	defer db.written.Unlock()
	for _, f := range db.onCommit {
		f(topics)
	}
}

// classifyError marks failures of the machine so that callers need no codes of an engine.
func classifyError(err error) error {
	if failure := translatePostgresError(err); failure != nil {
		return fmt.Errorf("%w: %w", failure, err)
	}
	switch sqliteErrorCode(err) {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return fmt.Errorf("%w: %w", ErrBusy, err)
	case sqlite3.SQLITE_FULL:
		return fmt.Errorf("%w: %w", ErrFull, err)
	case sqlite3.SQLITE_READONLY:
		return fmt.Errorf("%w: %w", ErrReadOnly, err)
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	case sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH, sqlite3.SQLITE_IOERR:
		return fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	return err
}

// translatePostgresError returns what an error of PostgreSQL means for callers; nil: nothing that
// they know.
func translatePostgresError(err error) error {
	if err == nil {
		return nil
	}
	switch code := postgres.ErrorCode(err); {
	case code == "55P03" || code == "40001" || code == "40P01" || code == "53300": // locked, collided, no connection left
		return ErrBusy
	case code == "53100":
		return ErrFull
	case code == "25006":
		return ErrReadOnly
	case code == "22021" || code == "22P05" || code == "54000": // NUL, no UTF-8, too long for an index
		return ErrUnfit
	case strings.HasPrefix(code, "XX00"):
		return ErrDamaged
	case strings.HasPrefix(code, "08") || strings.HasPrefix(code, "57P"):
		return ErrUnreachable
	case code != "":
		return nil
	}
	var connecting *pgconn.ConnectError
	var network *net.OpError
	if errors.As(err, &connecting) || errors.As(err, &network) || errors.Is(err, driver.ErrBadConn) || errors.Is(err, io.ErrUnexpectedEOF) || pgconn.SafeToRetry(err) {
		return ErrUnreachable
	}
	return nil
}
