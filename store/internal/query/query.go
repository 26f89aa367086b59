// Package query runs the SQL of a transaction.
//
// Only the packages under store can import it, so that SQL stands nowhere else: a
// family is handed a store.Tx, which has no statements, and makes rows of it with
// the packages below store, such as graph.In(tx).
package query

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// Topic names a part of the data that can be watched, see store.Topic.
type Topic string

// Tx runs the statements of one transaction.
type Tx struct {
	ctx           context.Context
	conn          Connection
	tx            *sql.Tx // on, with SQLite
	database      *Database
	shared        *Statements
	ownStatements map[string]*sql.Stmt // queries of this transaction; nil: not prepared
	touched       map[Topic]bool       // nil: it only reads
	sendBatch     SendBatch
	pending       []Statement // for those that follow, or for the end
	// uncounted are the new rows of full-text indexes whose terms are to be counted.
	uncounted map[string][]int64
	// noted are rows that a statement notes together, see QueueRow.
	noted          map[string]map[int64]bool
	statementCount int
}

// Connection is what a transaction asks: one of database/sql, or the connection on
// which it was begun.
type Connection interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// SendBatch sends statements in one go. Where number is not nil, the last of them has a
// row with one; sql.ErrNoRows if it has none.
type SendBatch func(statements []Statement, number *int64) error

// Statement is a statement in the words of an engine.
type Statement struct {
	Text string
	Args []any
}

// maxPendingStatements is how many statements wait for the next one that has a result.
const maxPendingStatements = 200

// Database is what the transactions of an open database have in common.
type Database struct {
	Clock   func() time.Time
	Dialect Dialect // nil: SQLite's, in which statements are written
	memory  sync.Map
}

// ReadTx returns a transaction that changes nothing.
func (d *Database) ReadTx(ctx context.Context, tx *sql.Tx, s *Statements) *Tx {
	return &Tx{ctx: ctx, conn: tx, tx: tx, database: d, shared: s}
}

// BatchedWriteTx is WriteTx on an engine that is asked over a connection: statements
// without a result wait until one has one, and are then sent together. The caller sends
// the last of them, which PendingStatements gives.
func (d *Database) BatchedWriteTx(ctx context.Context, on Connection, together SendBatch) *Tx {
	return &Tx{ctx: ctx, conn: on, database: d, touched: map[Topic]bool{}, sendBatch: together}
}

// PendingStatements takes the statements that are to end the transaction.
func (tx *Tx) PendingStatements() ([]Statement, error) {
	err := tx.updateVocabularyCounts()
	return tx.takePending(), err
}

func (tx *Tx) takePending() []Statement {
	waiting := tx.pending
	tx.pending = nil
	return waiting
}

// sendPendingStatements runs the statements that wait.
func (tx *Tx) sendPendingStatements() error {
	if len(tx.pending) == 0 {
		return nil
	}
	return tx.sendBatch(tx.takePending(), nil)
}

// rewriteAndSendPending is said for a statement whose result is asked for: what waits goes before it.
func (tx *Tx) rewriteAndSendPending(query string, args []any) (string, []any, error) {
	rewritten, args, err := tx.rewrite(query, args)
	if err == nil {
		err = tx.sendPendingStatements()
	}
	return rewritten, args, err
}

// WriteTx returns a transaction that notes what it touches.
func (d *Database) WriteTx(ctx context.Context, tx *sql.Tx, s *Statements) *Tx {
	return &Tx{ctx: ctx, conn: tx, tx: tx, database: d, shared: s, touched: map[Topic]bool{}}
}

// InMemoryState returns what a package of rows keeps in memory of a database, beyond the
// transaction: one T, which begins as the zero value.
func InMemoryState[T any](tx *Tx) *T {
	key := (*T)(nil)
	state, known := tx.database.memory.Load(key)
	if !known {
		state, _ = tx.database.memory.LoadOrStore(key, new(T))
	}
	return state.(*T)
}

// Now is the moment in unix milliseconds, as times are stored.
func (tx *Tx) Now() int64 { return tx.database.Clock().UnixMilli() }

// Touch notes that the transaction changed topics.
func (tx *Tx) Touch(topics ...Topic) {
	for _, t := range topics {
		tx.touched[t] = true
	}
}

// QueueRow has a statement note a row, together with all others, when FlushQueuedRows is called:
// the statement takes their list. A row is noted once.
func (tx *Tx) QueueRow(statement string, row int64) {
	if tx.noted == nil {
		tx.noted = map[string]map[int64]bool{}
	}
	if tx.noted[statement] == nil {
		tx.noted[statement] = map[int64]bool{}
	}
	tx.noted[statement][row] = true
}

// FlushQueuedRows notes the rows that wait for it: at the end of a transaction, and before it
// reads what was noted.
func (tx *Tx) FlushQueuedRows() error {
	noted := tx.noted
	tx.noted = nil
	for _, statement := range slices.Sorted(maps.Keys(noted)) {
		if err := tx.Exec(statement, List(slices.Sorted(maps.Keys(noted[statement])))); err != nil {
			return err
		}
	}
	return nil
}

// Touched are the topics that the transaction changed.
func (tx *Tx) Touched() []Topic { return slices.Collect(maps.Keys(tx.touched)) }

// Writes reports whether the transaction sees rows of its own, which may never be
// committed.
func (tx *Tx) Writes() bool { return tx.touched != nil }

// Placeholders returns the placeholders of rows to insert.
func Placeholders(columns, rows int) string {
	row := `(?` + strings.Repeat(`, ?`, columns-1) + `)`
	return `VALUES` + row + strings.Repeat(`, `+row, rows-1)
}

// Exec runs a statement.
func (tx *Tx) Exec(query string, args ...any) error {
	if tx.sendBatch != nil {
		rewritten, args, err := tx.rewrite(query, args)
		if err != nil {
			return err
		}
		return tx.queueStatement(rewritten, args)
	}
	_, err := tx.run(query, args...)
	return err
}

// ExecAll runs statements that take the same arguments, until one fails.
func (tx *Tx) ExecAll(statements []string, args ...any) error {
	for _, statement := range statements {
		if err := tx.Exec(statement, args...); err != nil {
			return err
		}
	}
	return nil
}

// queueStatement lets a statement without a result wait for others.
func (tx *Tx) queueStatement(rewritten string, args []any) error {
	tx.pending = append(tx.pending, Statement{rewritten, args})
	if len(tx.pending) < maxPendingStatements {
		return nil
	}
	return tx.sendPendingStatements()
}

// ExecOnce runs a statement that acts when it is prepared, as some pragmas do.
func (tx *Tx) ExecOnce(ctx context.Context, query string) error {
	_, err := tx.conn.ExecContext(ctx, query)
	return err
}

// ClearWordIndex takes everything out of a full-text index.
func (tx *Tx) ClearWordIndex(table string) error {
	if !tx.SQLite() {
		return tx.Exec(`TRUNCATE ` + table)
	}
	return tx.Exec(`INSERT INTO ` + table + `(` + table + `) VALUES('delete-all')`)
}

// ExecAndCountRows runs a statement and returns how many rows it changed.
func (tx *Tx) ExecAndCountRows(query string, args ...any) (int64, error) {
	r, err := tx.run(query, args...)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

// Insert runs an INSERT and returns the new row's id.
func (tx *Tx) Insert(query string, args ...any) (id int64, err error) {
	if d := tx.database.Dialect; d != nil {
		return tx.QueryNumber(d.AddReturning(query), args...)
	}
	r, err := tx.run(query, args...)
	if err != nil {
		return 0, err
	}
	return r.LastInsertId()
}

// QueryNumber reads a number, together with what waits to be sent.
func (tx *Tx) QueryNumber(query string, args ...any) (n int64, err error) {
	if tx.sendBatch != nil {
		rewritten, args, err := tx.rewrite(query, args)
		if err == nil {
			err = tx.sendBatch(append(tx.takePending(), Statement{rewritten, args}), &n)
		}
		return n, err
	}
	return Value[int64](tx, query, args...)
}

// InsertNew runs an INSERT that gives way to a row that is there, and returns the new
// row's id, if there is one.
func (tx *Tx) InsertNew(query string, args ...any) (id int64, inserted bool, err error) {
	if tx.database.Dialect != nil {
		id, err = tx.Insert(query, args...)
		inserted, err = RowFound(err)
		return id, inserted, err
	}
	r, err := tx.run(query, args...)
	if err != nil {
		return 0, false, err
	}
	n, err := r.RowsAffected()
	if err != nil || n == 0 {
		return 0, false, err
	}
	id, err = r.LastInsertId()
	return id, true, err
}

func (tx *Tx) run(query string, args ...any) (sql.Result, error) {
	if d := tx.database.Dialect; d != nil {
		query, args, err := tx.rewriteAndSendPending(query, args)
		if err != nil {
			return nil, err
		}
		r, err := tx.conn.ExecContext(tx.ctx, query, args...)
		return r, d.AddStatementToError(query, err)
	}
	if st := tx.preparedStatement(query); st != nil {
		return st.ExecContext(tx.ctx, args...)
	}
	return tx.tx.ExecContext(tx.ctx, query, args...)
}

// Row reads one row, which is there.
func (tx *Tx) Row(query string, args ...any) Row {
	if d := tx.database.Dialect; d != nil {
		rewritten, args, err := tx.rewriteAndSendPending(query, args)
		if err != nil {
			return failedRow{err}
		}
		return decodedRow{d, rewritten, tx.conn.QueryRowContext(tx.ctx, rewritten, args...)}
	}
	if st := tx.preparedStatement(query); st != nil {
		return st.QueryRowContext(tx.ctx, args...)
	}
	return tx.tx.QueryRowContext(tx.ctx, query, args...)
}

// Row is a row to be scanned.
type Row interface{ Scan(into ...any) error }

// decodedRow is a row of another engine than SQLite.
type decodedRow struct {
	dialect   Dialect
	statement string
	row       *sql.Row
}

func (r decodedRow) Scan(into ...any) error {
	return r.dialect.AddStatementToError(r.statement, scanDecoded(r.dialect, r.row.Scan, into))
}

// failedRow is a row that was not asked for, because something before it failed.
type failedRow struct{ err error }

func (r failedRow) Scan(...any) error { return r.err }

// RowFound reports whether a row was there, of the outcome of scanning it.
func RowFound(err error) (bool, error) {
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// Scan reads the columns of a row into variables.
type Scan = func(into ...any) error

// Each calls f for every row of a query.
func (tx *Tx) Each(f func(Scan) error, query string, args ...any) error {
	rows, err := tx.rows(query, args)
	if err != nil {
		return err
	}
	defer rows.Close()
	scan := rows.Scan
	if d := tx.database.Dialect; d != nil {
		scan = func(into ...any) error { return scanDecoded(d, rows.Scan, into) }
	}
	for rows.Next() {
		if err := f(scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (tx *Tx) rows(query string, args []any) (*sql.Rows, error) {
	if d := tx.database.Dialect; d != nil {
		rewritten, args, err := tx.rewriteAndSendPending(query, args)
		if err != nil {
			return nil, err
		}
		rows, err := tx.conn.QueryContext(tx.ctx, rewritten, args...)
		return rows, d.AddStatementToError(rewritten, err)
	}
	if st := tx.preparedStatement(query); st != nil {
		return st.QueryContext(tx.ctx, args...)
	}
	return tx.tx.QueryContext(tx.ctx, query, args...)
}

// Reader is what a query is asked of: a transaction, or a connection that the engine
// looks at as it is.
type Reader interface {
	Each(f func(Scan) error, query string, args ...any) error
}

// ErrEnded ends an Each early.
var ErrEnded = errors.New("enough rows")

// IDs reads a column of numbers; the list is never nil.
func (tx *Tx) IDs(query string, args ...any) ([]int64, error) {
	return Select(tx, Column[int64], query, args...)
}

// Texts reads a column of texts; the list is never nil.
func (tx *Tx) Texts(query string, args ...any) ([]string, error) {
	return Select(tx, Column[string], query, args...)
}

// Map reads a query of two columns as keys and their values; it is never nil.
func Map[K comparable, V any](r Reader, query string, args ...any) (map[K]V, error) {
	values := map[K]V{}
	err := r.Each(func(scan Scan) error {
		var key K
		var value V
		err := scan(&key, &value)
		values[key] = value
		return err
	}, query, args...)
	return values, err
}

// Lists is Map where keys have several values, which stay in order.
func Lists[K comparable, V any](r Reader, query string, args ...any) (map[K][]V, error) {
	lists := map[K][]V{}
	err := r.Each(func(scan Scan) error {
		var key K
		var value V
		err := scan(&key, &value)
		lists[key] = append(lists[key], value)
		return err
	}, query, args...)
	return lists, err
}
