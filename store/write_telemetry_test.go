package store

import (
	"path/filepath"
	"testing"
)

func TestWriteIsSynchronousAfterWriteTelemetry(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "toolkit.db"))
	must(t, db.WriteTelemetry(t.Context(), func(tx *Tx) error { return insertEntity(tx, "a", "b") }))
	var level int
	must(t, db.writer.QueryRowContext(t.Context(), "PRAGMA synchronous").Scan(&level))
	if level != 2 {
		t.Errorf("synchronous is %d, want 2, which is FULL", level)
	}
}
