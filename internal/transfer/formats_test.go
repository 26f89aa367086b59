package transfer_test

import (
	"bytes"
	"compress/gzip"
	"database/sql"
	"io"
	"os"
	"path/filepath"
	"testing"

	"toolkit/internal/app"
	"toolkit/internal/storetest"
	"toolkit/internal/transfer"
	"toolkit/store"
)

// readEarlierExport is what an earlier program exported at schema 35.
func readEarlierExport(t *testing.T) []byte {
	t.Helper()
	packed, err := os.Open("testdata/schema-35.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	in, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	file, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// An export and a backup of one database of an earlier program come in and are equal.
func TestExportAndBackupOfAnEarlierProgramComeIn(t *testing.T) {
	imported, restored := newFile(t), newFile(t)
	in, err := read(t, readEarlierExport(t), transfer.Target{Database: imported})
	if err != nil || in.Rows != 79 || in.Tables != 84 || in.Files != 1 || in.Schema != 35 {
		t.Fatalf("%+v, %v", in, err)
	}
	back, err := restore(t, "testdata/schema-35.zip", restored, false)
	if err != nil || back.Manifest.TotalRows() != 79 || back.Manifest.CountRecordFiles() != 1 {
		t.Fatalf("%+v, %v", back, err)
	}
	db, err := store.Open(t.Context(), store.Options{Path: restored}) // brings it to the newest schema
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	storetest.RequireSameContents(t, storetest.FingerprintTables(t, imported), storetest.FingerprintTables(t, restored))
	for _, path := range []string{imported, restored} {
		requireEarlierContents(t, path)
	}
}

func requireEarlierContents(t *testing.T, path string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var entities, words int
	err = db.QueryRow(`SELECT (SELECT count(*) FROM entities WHERE name IN ('Ada', 'Engine')), (SELECT count(*) FROM observation_words('maple'))`).Scan(&entities, &words)
	if err != nil || entities != 2 || words != 1 {
		t.Errorf("%d entities, %d rows of a word, %v", entities, words, err)
	}
	file := filepath.Join(filepath.Dir(path), filepath.FromSlash(store.FilePlace(sumOf([]byte("RECEIPT\nVendor: Corner Bookshop\n")))))
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file of a record: %v, %v", info, err)
	}
}

func TestExportOfAnEarlierProgramComesInOnPostgres(t *testing.T) {
	imported, moved := newFile(t), newSpace(t)
	for _, place := range []string{imported, moved} {
		target := transfer.Target{Database: place, Now: noon, Derive: app.DeriveIndexes}
		if _, err := transfer.Import(t.Context(), bytes.NewReader(readEarlierExport(t)), target); err != nil {
			t.Fatal(err)
		}
	}
	storetest.RequireSameContents(t, contents(t, moved), contents(t, imported))
}
