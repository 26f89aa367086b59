package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"time"
)

const (
	// maxRowsPerWrite is how many rows are written while others wait for the lock, a tenth of
	// a second on a slow machine.
	maxRowsPerWrite = 1000

	// turnPause is how long the lock is left to others after that: those who wait for it
	// look for it every busyPause.
	turnPause = 5 * busyPause
)

// WriteMany runs f as [DB.Write] does for at most 1000 rows at a time and lets others
// write in between. When it fails, the parts before stay written.
func WriteMany[T any](ctx context.Context, db *DB, rows []T, f func(tx *Tx, part []T) error) error {
	first := true
	for part := range slices.Chunk(rows, maxRowsPerWrite) {
		if !first {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(turnPause):
			}
		}
		first = false
		if err := db.Write(ctx, func(tx *Tx) error { return f(tx, part) }); err != nil {
			return err
		}
	}
	return nil
}

// WriteTelemetry runs f in one transaction whose commit does not wait for the
// disk: a power cut may lose it, never damage it, and the write lock is held
// for a moment only. It touches no topic, so no cache and no index notices.
// Only measurements may be written this way.
func (db *DB) WriteTelemetry(ctx context.Context, f func(*Tx) error) error {
	if db.server != nil {
		begin := fmt.Sprintf(`BEGIN; SET LOCAL synchronous_commit = off; SELECT pg_advisory_xact_lock(%d)`, db.server.lock+1)
		return classifyError(contextError(ctx, db.server.transact(ctx, db.writer, &db.rows, begin, f)))
	}
	db.writerStatements.PrepareWanted(ctx)
	conn, err := db.writer.Conn(ctx)
	if err != nil {
		return classifyError(err)
	}
	defer conn.Close() //nolint:errcheck // it goes back to the pool
	if _, err := conn.ExecContext(ctx, "PRAGMA synchronous=NORMAL"); err != nil {
		return classifyError(err)
	}
	defer restoreSynchronous(conn)
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return classifyError(err)
	}
	defer tx.Rollback() //nolint:errcheck // after Commit this is a no-op
	if err := f((*Tx)(db.rows.WriteTx(ctx, tx, &db.writerStatements))); err != nil {
		return classifyError(contextError(ctx, err))
	}
	return classifyError(tx.Commit())
}

// restoreSynchronous makes the connection wait for the disk again, or gives it
// up: an acknowledged write must survive a power cut.
func restoreSynchronous(conn *sql.Conn) {
	if _, err := conn.ExecContext(context.Background(), "PRAGMA synchronous=FULL"); err != nil {
		conn.Raw(func(any) error { return driver.ErrBadConn }) //nolint:errcheck // the pool drops the connection
	}
}

// PoolUsage is the share of read connections in use, 0 to 1.
func (db *DB) PoolUsage() float64 {
	s := db.reader.Stats()
	if s.MaxOpenConnections == 0 {
		return 0
	}
	return float64(s.InUse) / float64(s.MaxOpenConnections)
}

type guardKey struct{}

// WithGuard returns a context whose first [DB.Write] begins with check, inside its
// transaction: what check refuses is not written. So a caller that shows something
// before it is changed can make sure that it is still what was shown.
func WithGuard(ctx context.Context, check func(*Tx) error) context.Context {
	return context.WithValue(ctx, guardKey{}, &check)
}

// runGuard runs the check that a context carries, if no write did so before.
func runGuard(ctx context.Context, tx *Tx) error {
	check, guarded := ctx.Value(guardKey{}).(*func(*Tx) error)
	if !guarded || *check == nil {
		return nil
	}
	err := (*check)(tx)
	if err == nil {
		*check = nil // a write that is part of the same change finds it changed
	}
	return err
}

// errRollback undoes a transaction that was only to find out whether one can be had.
var errRollback = errors.New("nothing was to be written")

// CheckReady tells why the database cannot serve calls now: it cannot be read or
// written, its file was replaced, or a newer program has moved its schema on. It
// takes the write lock for a moment and writes nothing, so a full disk shows only
// with the first write.
func (db *DB) CheckReady(ctx context.Context) error {
	newest := NewestSchema()
	err := db.Write(ctx, func(tx *Tx) error {
		var version int64
		if err := tx.sql().Row(`SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied`).Scan(&version); err != nil {
			return err
		}
		if version != newest {
			return fmt.Errorf("the database has schema %d and this program knows %d: start the newer program", version, newest)
		}
		return errRollback
	})
	if errors.Is(err, errRollback) {
		return nil
	}
	return err
}
