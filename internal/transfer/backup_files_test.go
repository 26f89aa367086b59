package transfer_test

import (
	"bytes"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"toolkit/internal/storetest"
	"toolkit/internal/testenv"
	"toolkit/internal/transfer"
	"toolkit/store"
)

const filesSQL = `CREATE TABLE IF NOT EXISTS blobs (sha256 TEXT PRIMARY KEY, size INTEGER NOT NULL, mime TEXT NOT NULL, name TEXT NOT NULL, created_at INTEGER NOT NULL, text TEXT NOT NULL DEFAULT '')`

// keep makes a database know a file, and puts other bytes in its place if given.
func keep(t *testing.T, database string, text, bytes []byte) (hash, place string) {
	t.Helper()
	db, err := sql.Open("sqlite", database)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	hash = sumOf(text)
	if _, err := db.Exec(filesSQL); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(`INSERT INTO blobs(sha256, size, mime, name, created_at) VALUES(?, ?, 'text/plain', 'a.txt', 0)`, hash, len(text)); err != nil {
		t.Fatal(err)
	}
	place = filepath.Join(filepath.Dir(database), filepath.FromSlash(store.FilePlace(hash)))
	if bytes == nil {
		return hash, place
	}
	testenv.Write(t, place, bytes)
	return hash, place
}

func TestFilesTravelWithTheDatabaseAndLostOnesAreNamed(t *testing.T) {
	a := filled(t, 1)
	source := a.Store.Path()
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	text, other := bytes.Repeat([]byte("page "), 100_000), []byte("another")
	hash, _ := keep(t, source, text, text)
	keep(t, source, other, other)
	lost, _ := keep(t, source, []byte("lost"), nil)
	damaged, _ := keep(t, source, []byte("damaged"), []byte("damabed"))
	if _, link := keep(t, source, []byte("elsewhere"), nil); os.MkdirAll(filepath.Dir(link), 0o700) != nil || os.Symlink("/etc/hostname", link) != nil {
		t.Log("no symbolic links here")
	}
	archive, m := create(t, source)
	if m.CountRecordFiles() != 2 || len(m.Missing) != 3 || !slices.Contains(m.Missing, lost) || !slices.Contains(m.Missing, damaged) {
		t.Errorf("%+v", m)
	}
	target := filepath.Join(t.TempDir(), "toolkit.db")
	// A damaged file in its place is replaced by the right one.
	place := filepath.Join(filepath.Dir(target), filepath.FromSlash(store.FilePlace(hash)))
	testenv.Write(t, place, "damaged")
	if _, err := restore(t, archive, target, false); err != nil {
		t.Fatal(err)
	}
	if came, err := os.ReadFile(place); err != nil || !bytes.Equal(came, text) {
		t.Errorf("%d bytes, %v", len(came), err)
	}
	storetest.RequireSameContents(t, storetest.FingerprintTables(t, target), storetest.FingerprintTables(t, source))
	if came, err := os.ReadFile(filepath.Join(filepath.Dir(source), filepath.FromSlash(store.FilePlace(hash)))); err != nil || !bytes.Equal(came, text) {
		t.Errorf("the source has %d bytes, %v", len(came), err)
	}
}

// The files of a database that was set aside must outlive the one in its place.
func TestADatabaseSetAsideKeepsItsFiles(t *testing.T) {
	a := filled(t, 1)
	source := a.Store.Path()
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	archive, _ := create(t, source)
	keep(t, source, []byte("mine"), []byte("mine"))
	r, err := restore(t, archive, source, true)
	if err != nil || len(r.Aside) != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	sharers, err := store.ListSharingDatabases(source)
	if err != nil || len(sharers) != 1 || sharers[0] != filepath.Base(r.Aside[0]) {
		t.Errorf("%v, %v", sharers, err)
	}
	if err := os.Remove(r.Aside[0]); err != nil {
		t.Fatal(err)
	}
	if sharers, err := store.ListSharingDatabases(source); err != nil || len(sharers) != 0 {
		t.Errorf("once it is gone: %v, %v", sharers, err)
	}
}

func TestABackupOfNothingSaysSo(t *testing.T) {
	_, err := transfer.Backup(t.Context(), transfer.BackupOptions{Database: filepath.Join(t.TempDir(), "none.db"), Target: filepath.Join(t.TempDir(), "x.zip"), Now: noon})
	var open *store.OpenError
	if !errors.As(err, &open) || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
}
