package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
)

// WriteTelemetry runs f in one transaction whose commit does not wait for the
// disk: a power cut may lose it, never damage it, and the write lock is held
// for a moment only. It touches no topic, so no cache and no index notices.
// Only measurements may be written this way.
func (db *DB) WriteTelemetry(ctx context.Context, f func(*Tx) error) error {
	if db.server != nil {
		begin := fmt.Sprintf(`BEGIN; SET LOCAL synchronous_commit = off; SELECT pg_advisory_xact_lock(%d)`, db.server.lock+1)
		return classify(contextError(ctx, db.server.transact(ctx, db.writer, &db.rows, begin, f)))
	}
	db.writerStatements.PrepareWanted(ctx)
	conn, err := db.writer.Conn(ctx)
	if err != nil {
		return classify(err)
	}
	defer conn.Close() //nolint:errcheck // it goes back to the pool
	if _, err := conn.ExecContext(ctx, "PRAGMA synchronous=NORMAL"); err != nil {
		return classify(err)
	}
	defer restoreSynchronous(conn)
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return classify(err)
	}
	defer tx.Rollback() //nolint:errcheck // after Commit this is a no-op
	if err := f((*Tx)(db.rows.WriteTx(ctx, tx, &db.writerStatements))); err != nil {
		return classify(contextError(ctx, err))
	}
	return classify(tx.Commit())
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
