package store

import (
	"database/sql"
	"os"
	"path/filepath"
	"testing"
	"time"
)

const litestreamTables = `CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER); CREATE TABLE _litestream_lock (id INTEGER); INSERT INTO _litestream_seq VALUES(1, 1)`

func TestLitestreamTablesAreIgnored(t *testing.T) {
	path := filepath.Join(t.TempDir(), "toolkit.db")
	must(t, os.WriteFile(path, nil, 0o600))
	raw(t, path, litestreamTables) // it may find a new file before this program has written to it
	db := open(t, path)
	tables, err := readCatalog(t.Context(), db.reader)
	must(t, err)
	for _, table := range tables {
		if table.Name == "_litestream_seq" || table.Name == "_litestream_lock" {
			t.Errorf("%s would be exported, and imported nowhere", table.Name)
		}
	}
}

func TestLastLitestreamReturnsTimeOfLastCopy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "toolkit.db")
	if last, err := LastLitestreamTime(path); err != nil || !last.IsZero() {
		t.Errorf("without a folder: %s, %v", last, err)
	}
	noon := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	for i, name := range []string{"0/0000000000000002-0000000000000002.ltx", "0/0000000000000001-0000000000000001.ltx", "1/0000000000000001-0000000000000001.ltx.tmp"} {
		file := filepath.Join(LitestreamFolder(path), "ltx", filepath.FromSlash(name))
		must(t, os.MkdirAll(filepath.Dir(file), 0o700))
		must(t, os.WriteFile(file, nil, 0o600))
		at := noon.Add(time.Duration([]int{0, -1, 1}[i]) * time.Hour)
		must(t, os.Chtimes(file, at, at))
	}
	if last, err := LastLitestreamTime(path); err != nil || !last.Equal(noon) {
		t.Errorf("%s, %v", last, err)
	}
}

// Litestream reads for as long as it runs, so writes must not wait for it each time.
func TestWriteDoesNotWaitForReaderHoldingLog(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "toolkit.db"))
	must(t, db.Write(t.Context(), func(tx *Tx) error { return insertEntity(tx, "Ada", "a") }))
	reader, err := open(t, db.Path()).reader.BeginTx(t.Context(), &sql.TxOptions{ReadOnly: true})
	must(t, err)
	t.Cleanup(func() { reader.Rollback() }) //nolint:errcheck // it only read
	var n int
	must(t, reader.QueryRow(`SELECT count(*) FROM entities`).Scan(&n))
	must(t, db.Forget(t.Context(), func(tx *Tx) error { return nil }))
	if left, err := db.EraseTraces(t.Context(), false); err != nil || !left.Log {
		t.Fatalf("%+v, %v", left, err)
	}
	fastest := time.Hour
	for range 5 {
		db.erased = time.Time{} // the next write looks at the log
		begun := time.Now()
		must(t, db.Write(t.Context(), func(tx *Tx) error { tx.sql().Touch(TopicGraph); return nil }))
		fastest = min(fastest, time.Since(begun))
	}
	if fastest >= readerTimeout {
		t.Errorf("each write waits for %s", fastest)
	}
	must(t, reader.Rollback())
	db.erased = time.Time{}
	must(t, db.Write(t.Context(), func(tx *Tx) error { tx.sql().Touch(TopicGraph); return nil }))
	if left := count(t, db, `SELECT count(*) FROM forgetting`); left != 0 {
		t.Error("once it has let go, the next write does not remove the traces")
	}
}
