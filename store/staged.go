package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"toolkit/store/internal/query"

	sqlite3 "modernc.org/sqlite/lib"
)

// stagedAttempts bounds how often a staged write starts again because another
// write collided with it. The last attempt is made under the lock.
const stagedAttempts = 3

// longestPause between two batches, if the machine is slow.
const longestPause = 100 * time.Millisecond

// errCollision is a staged write that no longer fits the data.
var errCollision = errors.New("another write changed what this one was about")

// Staged is a part of the data that a staged write may work on: on all of it that
// its transaction reads or changes, and on nothing else.
type Staged struct {
	tables []stagedTable
	// ahead moves what goes before the rows, in transactions of its own; nil:
	// nothing.
	ahead func(*stage, context.Context, *sql.Conn) error
	// move moves the rows; it returns errCollision when they no longer fit.
	move func(*stage, *Tx) error
}

// stagedTable is a table of such a part. Rows that are made on the copy get the
// next ids of the database when they are moved.
type stagedTable struct {
	name    string
	key     string            // a number that grows with every row; empty: rows are known by other columns
	refers  map[string]string // columns that hold a key of another table, by column
	lists   map[string]string // columns that hold a JSON array of such keys
	fresh   bool              // rows of before matter to no write: the copy starts without them
	onTwice string            // what to do with a row that another write made meanwhile
}

// stagedFrom is how many rows a write may make while others wait for its lock, a
// tenth of a second on a slow machine. Larger ones are prepared beside them.
const stagedFrom = 1000

// WriteMany runs f as [DB.Write] does, staged if it makes many rows.
func (db *DB) WriteMany(ctx context.Context, part Staged, rows int, f func(*Tx) error) error {
	if rows > stagedFrom {
		return db.WriteStaged(ctx, part, f)
	}
	return db.Write(ctx, f)
}

// WriteStaged runs f as [DB.Write] does, for work on a part of the data that takes
// long and removes no row. f works on a copy of the part in memory, while others
// write; the lock is held only to move over what f made. f runs again when
// another write collided with it.
func (db *DB) WriteStaged(ctx context.Context, part Staged, f func(*Tx) error) error {
	if db.server != nil {
		return db.Write(ctx, f)
	}
	for range stagedAttempts {
		err := db.writeStaged(ctx, part, f)
		if errors.Is(err, ErrFull) { // the part outgrows the memory that SQLite gives it
			break
		}
		if !errors.Is(err, errCollision) {
			return classify(interrupted(ctx, err))
		}
	}
	return db.Write(ctx, f)
}

func (db *DB) writeStaged(ctx context.Context, part Staged, f func(*Tx) error) error {
	if err := db.dropAbandonedWords(ctx); err != nil {
		return err
	}
	s, err := db.newStage(ctx, part)
	if err != nil {
		return err
	}
	defer s.copy.Close() //nolint:errcheck // it is only memory
	if err := s.fill(ctx); err != nil {
		return err
	}
	if err := s.copy.Write(ctx, f); err != nil {
		return err
	}
	return s.move(ctx)
}

// stage is a copy of a part, on which a write is prepared.
type stage struct {
	Staged
	db      *DB
	name    string // for SQLite
	copy    *DB
	catalog map[string]Table
	last    map[string]int64 // greatest ids before the write, by table
	made    map[string]int64 // greatest ids after it
	shift   map[string]int64 // how far the database gives ids beyond the copy
	changes int64            // last change of the graph before it
	hold    int64            // row of staged_words
	touched []Topic
}

var stages atomic.Int64 // counts them, so that each has a name

// newStage makes an empty database in memory, which ends with its last
// connection.
func (db *DB) newStage(ctx context.Context, part Staged) (*stage, error) {
	s := &stage{Staged: part, db: db, name: fmt.Sprintf("file:/toolkit-stage-%d?vfs=memdb", stages.Add(1)), catalog: map[string]Table{}, last: map[string]int64{}, made: map[string]int64{}, shift: map[string]int64{}}
	pool, err := sql.Open("sqlite", s.name+"&_txlock=immediate&_dqs=0&_pragma=temp_store(2)&_pragma=recursive_triggers(1)&_pragma=foreign_keys(1)")
	if err != nil {
		return nil, err
	}
	pool.SetMaxOpenConns(1)
	s.copy = &DB{rows: query.Database{Clock: db.rows.Clock}, writer: pool}
	s.copy.writerStatements.DB = pool
	s.copy.OnCommit(func(topics []Topic) { s.touched = topics })
	if err := migrate(ctx, pool); err != nil {
		s.copy.Close() //nolint:errcheck // it is only memory
		return nil, err
	}
	return s, nil
}

// fill copies the part as of one moment, without the words, which nobody seeks
// here. It takes a connection of its own, without foreign keys, for the copying.
func (s *stage) fill(ctx context.Context) error {
	pool, err := sql.Open("sqlite", plainDSN(s.db.path, false))
	if err != nil {
		return err
	}
	defer pool.Close() //nolint:errcheck // it was only read
	pool.SetMaxOpenConns(1)
	if _, err := pool.ExecContext(ctx, `ATTACH ? AS staged`, s.name); err != nil {
		return err
	}
	tx, err := pool.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // after Commit this is a no-op
	if err := s.fillIn(ctx, tx); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	return s.logChanges(ctx)
}

// logChanges makes the copy note which rows of tables without a number as key are
// written.
func (s *stage) logChanges(ctx context.Context) error {
	for _, t := range s.tables {
		if t.key != "" {
			continue
		}
		key := s.catalog[t.name].Key
		made := "made_" + t.name
		statements := []string{fmt.Sprintf(`CREATE TABLE %s(%[2]s, PRIMARY KEY(%[2]s)) WITHOUT ROWID`, made, quoteNames(key))}
		for _, event := range []string{"INSERT", "UPDATE"} {
			statements = append(statements, fmt.Sprintf(`CREATE TRIGGER %[1]s_%[2]s AFTER %[2]s ON %[3]s BEGIN INSERT OR IGNORE INTO %[1]s VALUES(new.%[4]s); END`,
				made, event, t.name, strings.Join(key, ", new.")))
		}
		for _, query := range statements {
			if _, err := s.copy.writer.ExecContext(ctx, query); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *stage) fillIn(ctx context.Context, tx *sql.Tx) error {
	catalog, err := readCatalog(ctx, tx)
	if err != nil {
		return err
	}
	for _, t := range s.tables {
		i := slices.IndexFunc(catalog, func(c Table) bool { return c.Name == t.name })
		s.catalog[t.name] = catalog[i]
		if t.fresh {
			continue
		}
		columns := quoteNames(catalog[i].Columns)
		if _, err := tx.ExecContext(ctx, `INSERT INTO staged.`+t.name+`(`+columns+`) SELECT `+columns+` FROM main.`+t.name); err != nil {
			return err
		}
		if t.key == "" {
			continue
		}
		var last int64
		if err := tx.QueryRowContext(ctx, `SELECT coalesce(max(`+t.key+`), 0) FROM main.`+t.name).Scan(&last); err != nil {
			return err
		}
		s.last[t.name] = last
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM staged.change_sequence`); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO staged.change_sequence SELECT * FROM main.change_sequence`); err != nil {
		return err
	}
	return tx.QueryRowContext(ctx, `SELECT coalesce(max(seq), 0) FROM main.entity_changes`).Scan(&s.changes)
}

// move writes what was made on the copy to the database: the words in many short
// transactions, then everything else in one.
func (s *stage) move(ctx context.Context) (err error) {
	conn, err := s.db.writer.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close() //nolint:errcheck // it goes back to its pool
	if _, err := conn.ExecContext(ctx, `ATTACH ? AS staged`, s.name); err != nil {
		return err
	}
	defer func() {
		if _, bound := conn.ExecContext(context.WithoutCancel(ctx), `DETACH staged`); bound != nil {
			conn.Raw(func(any) error { return driver.ErrBadConn }) //nolint:errcheck // it asks for another connection
		}
	}()
	if s.ahead != nil {
		defer func() {
			if err != nil { // the next staged write removes the words
				s.db.writeOn(context.WithoutCancel(ctx), conn, func(tx *Tx) error { return s.holdUntil(tx, 0) }) //nolint:errcheck // at worst it waits until the hold ends
			}
		}()
		if err := s.ahead(s, ctx, conn); err != nil {
			return err
		}
	}
	err = s.db.writeOn(ctx, conn, func(tx *Tx) error {
		tx.sql().Touch(s.touched...)
		return s.Staged.move(s, tx)
	})
	if errorCode(err) == sqlite3.SQLITE_CONSTRAINT {
		return errCollision
	}
	return err
}

// number finds out how far the ids that rows get in the database lie beyond those
// they have on the copy.
func (s *stage) number(tx *Tx, t stagedTable) error {
	var made, given int64
	err := tx.sql().Row(fmt.Sprintf(`SELECT (SELECT coalesce(max(%[1]s), 0) FROM staged.%[2]s),
		max(coalesce((SELECT max(seq) FROM main.sqlite_sequence WHERE name = ?1), 0), (SELECT coalesce(max(%[1]s), 0) FROM main.%[2]s))`, t.key, t.name), t.name).Scan(&made, &given)
	s.made[t.name] = max(made, s.last[t.name])
	s.shift[t.name] = given - s.last[t.name]
	return err
}

// values are the columns of a table of the copy as the database is to have them.
func (s *stage) values(t stagedTable) []string {
	values := slices.Clone(s.catalog[t.name].Columns)
	for i, column := range values {
		switch {
		case t.refers[column] != "":
			values[i] = s.moved(column, t.refers[column])
		case t.lists[column] != "":
			values[i] = s.movedList(column, t.lists[column])
		case column == t.key:
			values[i] = fmt.Sprintf("%s + %d", column, s.shift[t.name])
		default:
			values[i] = quoteName(column)
		}
	}
	return values
}

// moved is a reference to a table as the database is to have it.
func (s *stage) moved(column, table string) string {
	return fmt.Sprintf("CASE WHEN %[1]s > %[2]d THEN %[1]s + %[3]d ELSE %[1]s END", column, s.last[table], s.shift[table])
}

func (s *stage) movedList(column, table string) string {
	return fmt.Sprintf("CASE WHEN %[1]s IS NOT NULL THEN (SELECT json_group_array(%[2]s ORDER BY key) FROM json_each(%[1]s)) END", column, s.moved("value", table))
}

// additions is the statement that moves the new rows of a table with a number as
// key.
func (s *stage) additions(t stagedTable) string {
	return fmt.Sprintf(`INSERT INTO main.%[1]s(%[2]s) SELECT %[3]s FROM staged.%[1]s WHERE %[4]s > %[5]d ORDER BY %[4]s %[6]s`,
		t.name, quoteNames(s.catalog[t.name].Columns), strings.Join(s.values(t), ", "), t.key, s.last[t.name], t.onTwice)
}

// letOthersWrite leaves the lock to those who wait for it, for as long as it was
// held.
func letOthersWrite(ctx context.Context, held time.Duration) error {
	timer := time.NewTimer(max(min(held, longestPause), 5*busyPause))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
