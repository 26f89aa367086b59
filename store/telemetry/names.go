// Package telemetry keeps what was measured of the program itself: calls, samples of
// metrics, and what each actor did first.
package telemetry

import (
	"toolkit/store"
	"toolkit/store/internal/query"
)

// Rows are what a transaction sees of all this.
type Rows struct{ sql *query.Tx }

// In returns the rows of a transaction.
func In(tx *store.Tx) Rows { return Rows{(*query.Tx)(tx)} }

// maxTelemetryNames bounds the dictionary: clients name themselves.
const maxTelemetryNames = 2000

// FindOrAddName returns the number of a tool's or an agent's name, never 0. Once the
// dictionary is full, new names share one entry.
func (tx Rows) FindOrAddName(name string) (int64, error) {
	id, err := tx.FindName(name)
	if id != 0 || err != nil {
		return id, err
	}
	known, err := query.Value[int](tx.sql, `SELECT count(*) FROM telemetry_names`)
	if err != nil {
		return 0, err
	}
	if known >= maxTelemetryNames {
		name = "other"
		if id, err := tx.FindName(name); id != 0 || err != nil {
			return id, err
		}
	}
	return tx.sql.Insert(`INSERT INTO telemetry_names(name) VALUES(?)`, name)
}

// FindName returns the number of a name, or 0.
func (tx Rows) FindName(name string) (id int64, err error) {
	_, err = query.RowFound(tx.sql.Row(`SELECT id FROM telemetry_names WHERE name = ?`, name).Scan(&id))
	return id, err
}

// State reads a number of the telemetry itself, 0 when absent.
func (tx Rows) State(key string) (value int64, err error) {
	_, err = query.RowFound(tx.sql.Row(`SELECT value FROM telemetry_state WHERE key = ?`, key).Scan(&value))
	return value, err
}

// SetState keeps a number of the telemetry itself.
func (tx Rows) SetState(key string, value int64) error {
	return tx.sql.Exec(`INSERT INTO telemetry_state(key, value) VALUES(?, ?) ON CONFLICT(key) DO UPDATE SET value = excluded.value`, key, value)
}
