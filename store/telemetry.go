package store

import (
	"toolkit/store/internal/query"
)

// maxTelemetryNames bounds the dictionary: clients name themselves.
const maxTelemetryNames = 2000

// TelemetryName is the number of a tool's or an agent's name, never 0. Once the
// dictionary is full, new names share one entry.
func (tx *Tx) TelemetryName(name string) (int64, error) {
	id, err := tx.KnownTelemetryName(name)
	if id != 0 || err != nil {
		return id, err
	}
	var known int
	if err := tx.row(`SELECT count(*) FROM telemetry_names`).Scan(&known); err != nil {
		return 0, err
	}
	if known >= maxTelemetryNames {
		name = "other"
		if id, err := tx.KnownTelemetryName(name); id != 0 || err != nil {
			return id, err
		}
	}
	return tx.insert(`INSERT INTO telemetry_names(name) VALUES(?)`, name)
}

// KnownTelemetryName is the number of a name, or 0.
func (tx *Tx) KnownTelemetryName(name string) (id int64, err error) {
	_, err = query.Found(tx.row(`SELECT id FROM telemetry_names WHERE name = ?`, name).Scan(&id))
	return id, err
}

// TelemetryState reads a number of the telemetry itself, 0 when absent.
func (tx *Tx) TelemetryState(key string) (value int64, err error) {
	_, err = query.Found(tx.row(`SELECT value FROM telemetry_state WHERE key = ?`, key).Scan(&value))
	return value, err
}

// SetTelemetryState keeps a number of the telemetry itself.
func (tx *Tx) SetTelemetryState(key string, value int64) error {
	return tx.exec(`INSERT INTO telemetry_state(key, value) VALUES(?, ?) ON CONFLICT(key) DO UPDATE SET value = excluded.value`, key, value)
}
