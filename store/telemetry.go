package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
)

// WriteTelemetry runs f in one transaction whose commit does not wait for the
// disk: a power cut may lose it, never damage it, and the write lock is held
// for a moment only. It touches no topic, so no cache and no index notices.
// Only measurements may be written this way.
func (db *DB) WriteTelemetry(ctx context.Context, f func(*Tx) error) error {
	db.writerStatements.prepareWanted(ctx)
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
	if err := f(&Tx{ctx: ctx, db: db, tx: tx, statements: &db.writerStatements, touched: map[Topic]bool{}}); err != nil {
		return classify(interrupted(ctx, err))
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

// Synchronous is how the connection of writes waits for the disk: 2 is FULL.
func (db *DB) Synchronous(ctx context.Context) (level int, err error) {
	err = db.writer.QueryRowContext(ctx, "PRAGMA synchronous").Scan(&level)
	return level, err
}

// maxTelemetryNames bounds the dictionary: clients name themselves.
const maxTelemetryNames = 2000

// TelemetryName is the number of a tool's or an agent's name, never 0. Once the
// dictionary is full, new names share one entry.
func (tx *Tx) TelemetryName(name string) (int64, error) {
	id, err := tx.telemetryName(name)
	if !errors.Is(err, sql.ErrNoRows) {
		return id, err
	}
	var known int
	if err := tx.row(`SELECT count(*) FROM telemetry_names`).Scan(&known); err != nil {
		return 0, err
	}
	if known >= maxTelemetryNames {
		name = "other"
		if id, err := tx.telemetryName(name); !errors.Is(err, sql.ErrNoRows) {
			return id, err
		}
	}
	return tx.insert(`INSERT INTO telemetry_names(name) VALUES(?)`, name)
}

// KnownTelemetryName is the number of a name, or 0.
func (tx *Tx) KnownTelemetryName(name string) (int64, error) {
	id, err := tx.telemetryName(name)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return id, err
}

func (tx *Tx) telemetryName(name string) (id int64, err error) {
	err = tx.row(`SELECT id FROM telemetry_names WHERE name = ?`, name).Scan(&id)
	return id, err
}

// TelemetryState reads a number of the telemetry itself, 0 when absent.
func (tx *Tx) TelemetryState(key string) (value int64, err error) {
	err = tx.row(`SELECT value FROM telemetry_state WHERE key = ?`, key).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return value, err
}

// SetTelemetryState keeps a number of the telemetry itself.
func (tx *Tx) SetTelemetryState(key string, value int64) error {
	return tx.exec(`INSERT INTO telemetry_state(key, value) VALUES(?, ?) ON CONFLICT(key) DO UPDATE SET value = excluded.value`, key, value)
}

// PoolUsage is the share of read connections in use, 0 to 1.
func (db *DB) PoolUsage() float64 {
	s := db.reader.Stats()
	if s.MaxOpenConnections == 0 {
		return 0
	}
	return float64(s.InUse) / float64(s.MaxOpenConnections)
}

// SizeBytes is the size of the database without free pages.
func (tx *Tx) SizeBytes() (int64, error) {
	var pages, free, size int64
	err := errors.Join(
		tx.tx.QueryRowContext(tx.ctx, "PRAGMA page_count").Scan(&pages),
		tx.tx.QueryRowContext(tx.ctx, "PRAGMA freelist_count").Scan(&free),
		tx.tx.QueryRowContext(tx.ctx, "PRAGMA page_size").Scan(&size))
	return (pages - free) * size, err
}

// CountOrphans counts the nodes of the knowledge graph without a relation, and
// the entities of documents without a relationship. It looks at every node.
func (tx *Tx) CountOrphans() (graph, documents int64, err error) {
	err = tx.row(`SELECT count(*) FROM entities e
		WHERE NOT EXISTS (SELECT 1 FROM relations WHERE from_id = e.id)
		AND NOT EXISTS (SELECT 1 FROM relations WHERE to_id = e.id)`).Scan(&graph)
	if err != nil {
		return 0, 0, err
	}
	err = tx.row(`SELECT count(*) FROM truth_entities e WHERE e.root = e.seq
		AND NOT EXISTS (SELECT 1 FROM typed_relationships WHERE source_root = e.seq)
		AND NOT EXISTS (SELECT 1 FROM typed_relationships WHERE target_root = e.seq)`).Scan(&documents)
	return graph, documents, err
}
