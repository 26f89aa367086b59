package transfer_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"toolkit/internal/app"
	"toolkit/internal/soaktest"
	"toolkit/internal/storetest"
	"toolkit/internal/testenv"
	"toolkit/internal/toolstest"
	"toolkit/internal/transfer"
	"toolkit/store"
	"toolkit/tools"
)

var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// unmeasured keeps what calls cost from being written when an app closes, and vectors
// while it is open.
func unmeasured(name string) string {
	return map[string]string{"TOOLKIT_METRICS": "off", "TOOLKIT_ANALYTICS": "off", "TOOLKIT_EMBEDDER": "off"}[name]
}

// filled is a database with content of every family; it stays open.
func filled(t *testing.T, steps int) *app.App {
	t.Helper()
	a, err := app.Open(t.Context(), app.Settings{DB: filepath.Join(t.TempDir(), "toolkit.db"), TimeoutFactor: 60, Getenv: unmeasured})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	w := soaktest.NewWorker(1, 1, soaktest.NewPipelineCaller(a.Server.Pipeline))
	if err := w.CallEveryLoad(t.Context(), steps); err != nil {
		t.Fatal(err)
	}
	return a
}

func create(t *testing.T, database string) (string, *transfer.Manifest) {
	t.Helper()
	target := filepath.Join(t.TempDir(), "copy.zip")
	m, err := transfer.Backup(t.Context(), transfer.BackupOptions{Database: database, Target: target, Now: noon})
	if err != nil {
		t.Fatal(err)
	}
	return target, m
}

func restore(t *testing.T, archive, database string, force bool) (*transfer.Restored, error) {
	t.Helper()
	return transfer.Restore(t.Context(), transfer.RestoreOptions{Archive: archive, Database: database, Force: force, Now: noon})
}

func left(t *testing.T, folder string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestARestoredBackupIsWhatWasBackedUp(t *testing.T) {
	a := filled(t, 40)
	archive, m := create(t, a.Store.Path())
	if m.TotalRows() < 300 || len(m.Members) != 1 {
		t.Errorf("%+v", m)
	}
	if info, err := os.Stat(archive); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if names := left(t, filepath.Dir(archive)); len(names) != 1 {
		t.Errorf("left behind: %v", names)
	}
	target := filepath.Join(t.TempDir(), "new", "toolkit.db")
	if _, err := restore(t, archive, target, false); err != nil {
		t.Fatal(err)
	}
	storetest.RequireSameContents(t, storetest.FingerprintTables(t, target), storetest.FingerprintTables(t, a.Store.Path()))
	if names := left(t, filepath.Dir(target)); len(names) != 1 {
		t.Errorf("left behind: %v", names)
	}
}

func TestABackupUnderWritesIsOneMoment(t *testing.T) {
	a := filled(t, 5)
	stop := make(chan struct{})
	var writers sync.WaitGroup
	for id := range 2 {
		writers.Go(func() {
			w := soaktest.NewWorker(10+id, 1, soaktest.NewPipelineCaller(a.Server.Pipeline))
			for {
				select {
				case <-stop:
					return
				default:
					if err := w.CallEveryLoad(t.Context(), 1); err != nil {
						t.Error(err)
						return
					}
				}
			}
		})
	}
	rows := 0
	for range 4 {
		archive, m := create(t, a.Store.Path())
		target := filepath.Join(t.TempDir(), "toolkit.db")
		// Restoring checks structure, references by count and every hash.
		if _, err := restore(t, archive, target, false); err != nil {
			t.Error(err)
		}
		if m.TotalRows() < rows {
			t.Errorf("%d rows, before %d", m.TotalRows(), rows)
		}
		rows = m.TotalRows()
		i, err := store.OpenInspection(t.Context(), target)
		if err != nil {
			t.Fatal(err)
		}
		if faults, err := i.FindForeignKeyFaults(t.Context(), 1); err != nil || len(faults) > 0 {
			t.Errorf("%v, %v", faults, err)
		}
		i.Close()
	}
	close(stop)
	writers.Wait()
}

func TestNothingThatExistsIsOverwritten(t *testing.T) {
	a := filled(t, 3)
	archive, _ := create(t, a.Store.Path())
	again := transfer.BackupOptions{Database: a.Store.Path(), Target: archive, Now: noon}
	if _, err := transfer.Backup(t.Context(), again); err == nil || !strings.Contains(err.Error(), "--force") {
		t.Errorf("over an archive: %v", err)
	}
	again.Force = true
	if _, err := transfer.Backup(t.Context(), again); err != nil {
		t.Errorf("with force: %v", err)
	}
	for _, target := range []string{a.Store.Path(), a.Store.Path() + "-wal"} {
		again.Target = target
		if _, err := transfer.Backup(t.Context(), again); err == nil || !strings.Contains(err.Error(), "is a database") {
			t.Errorf("over the database itself, with force: %v", err)
		}
	}
	if _, err := restore(t, archive, a.Store.Path(), false); err == nil || !strings.Contains(err.Error(), "--force") {
		t.Errorf("over a database: %v", err)
	}
	before := storetest.FingerprintTables(t, a.Store.Path())
	if _, err := restore(t, archive, a.Store.Path(), true); !errors.Is(err, store.ErrInUse) {
		t.Errorf("over one that is open: %v", err)
	}
	storetest.RequireSameContents(t, storetest.FingerprintTables(t, a.Store.Path()), before)
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	for n := range 2 { // in the same second, too
		r, err := restore(t, archive, a.Store.Path(), true)
		if err != nil || len(r.Aside) != 1 {
			t.Fatalf("%+v, %v", r, err)
		}
		storetest.RequireSameContents(t, storetest.FingerprintTables(t, r.Aside[0]), before)
		if names := left(t, filepath.Dir(a.Store.Path())); len(names) != 3+n { // with the note of the newest backup
			t.Errorf("%v", names)
		}
	}
}

// A folder that is not there yet is made; it is never taken for an archive.
func TestAnythingButTheNameOfAnArchiveIsAFolder(t *testing.T) {
	a := filled(t, 1)
	root := t.TempDir()
	in := func(names ...string) string { return filepath.Join(append([]string{root}, names...)...) }
	for _, tc := range []struct{ target, archive, again string }{
		{in("backups") + "/", in("backups", "toolkit-20260101-120000.zip"), in("backups", "toolkit-20260101-120000-2.zip")},
		{in("deep", "er") + string(filepath.Separator), in("deep", "er", "toolkit-20260101-120000.zip"), in("deep", "er", "toolkit-20260101-120000-2.zip")},
		{in("of.2026") + "/", in("of.2026", "toolkit-20260101-120000.zip"), in("of.2026", "toolkit-20260101-120000-2.zip")},
		{in("x.zip") + "/", in("x.zip", "toolkit-20260101-120000.zip"), in("x.zip", "toolkit-20260101-120000-2.zip")},
		{in("novel.toolkit"), in("novel.toolkit"), ""},
		{in("NOVEL.ZIP"), in("NOVEL.ZIP"), ""},
	} {
		for n, want := range []string{tc.archive, tc.again} {
			m, err := transfer.Backup(t.Context(), transfer.BackupOptions{Database: a.Store.Path(), Target: tc.target, Now: noon, Force: n > 0 && want != ""})
			if want == "" {
				if err == nil || !strings.Contains(err.Error(), "--force") {
					t.Errorf("%s is replaced: %v", tc.target, err)
				}
				continue
			}
			if err != nil || m.Archive != want {
				t.Fatalf("%s: %+v, %v, want %s", tc.target, m, err, want)
			}
			if _, err := transfer.Verify(t.Context(), want, nil); err != nil {
				t.Error(err)
			}
			if info, err := os.Stat(filepath.Dir(want)); err != nil || info.Mode().Perm() != 0o700 && filepath.Dir(want) != root && runtime.GOOS != "windows" {
				t.Errorf("%s is open to others: %v, %v", filepath.Dir(want), info.Mode(), err)
			}
		}
	}
}

func TestBackupMakesNoFolderUnasked(t *testing.T) {
	a := filled(t, 1)
	missing := filepath.Join(t.TempDir(), "backups")
	_, err := transfer.Backup(t.Context(), transfer.BackupOptions{Database: a.Store.Path(), Target: missing, Now: noon})
	if err == nil || !strings.Contains(err.Error(), "end the name with") {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(missing); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder was made: %v", err)
	}
}

func TestBackupsAtOnceIntoOneFolderAllGetANameOfTheirOwn(t *testing.T) {
	a := filled(t, 1)
	folder := filepath.Join(t.TempDir(), "backups") + "/"
	var backups sync.WaitGroup
	for range 4 {
		backups.Go(func() {
			if _, err := transfer.Backup(t.Context(), transfer.BackupOptions{Database: a.Store.Path(), Target: folder, Now: noon}); err != nil {
				t.Error(err)
			}
		})
	}
	backups.Wait()
	if names := left(t, folder); len(names) != 4 {
		t.Errorf("%v", names)
	}
}

func TestABackupThatCannotBeMadeMakesNoFolderAndKeepsTheFileOfItsName(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "backups")
	if _, err := transfer.Backup(t.Context(), transfer.BackupOptions{Database: filepath.Join(t.TempDir(), "none.db"), Target: folder + "/", Now: noon}); err == nil {
		t.Error("a backup of nothing")
	}
	if _, err := os.Stat(folder); err == nil {
		t.Error("a folder was made for nothing")
	}
	testenv.Write(t, folder, "an archive of an earlier program")
	o := transfer.BackupOptions{Database: filled(t, 1).Store.Path(), Target: folder, Now: noon, Force: true}
	if _, err := transfer.Backup(t.Context(), o); err == nil || !strings.Contains(err.Error(), "ends in .zip or .toolkit") {
		t.Errorf("a file of no archive's name is replaced: %v", err)
	}
	o.Target = ""
	if _, err := transfer.Backup(t.Context(), o); err == nil || !strings.Contains(err.Error(), "empty") {
		t.Errorf("without a name: %v", err)
	}
}

func TestADamagedDatabaseIsKeptAsideAndItsLogDoesNotMeetTheNewOne(t *testing.T) {
	a := filled(t, 3)
	archive, _ := create(t, a.Store.Path())
	target := filepath.Join(t.TempDir(), "toolkit.db")
	for name, text := range map[string]string{target: strings.Repeat("no database ", 999), target + "-wal": "a log of something else"} {
		testenv.Write(t, name, text)
	}
	r, err := restore(t, archive, target, true)
	if err != nil || len(r.Aside) == 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	if names := left(t, filepath.Dir(target)); slices.Contains(names, "toolkit.db-wal") {
		t.Errorf("the log is still there: %v", names)
	}
	if text, err := os.ReadFile(r.Aside[len(r.Aside)-1]); err != nil || !strings.HasPrefix(string(text), "no database") {
		t.Errorf("%.20q, %v", text, err)
	}
	storetest.RequireSameContents(t, storetest.FingerprintTables(t, target), storetest.FingerprintTables(t, a.Store.Path()))
}

func TestKeysTravelOnlyWhenAskedFor(t *testing.T) {
	a := filled(t, 1)
	folder := filepath.Dir(a.Store.Path())
	testenv.Write(t, filepath.Join(folder, "files.key"), "secret")
	_, without := create(t, a.Store.Path())
	if without.Keys || len(without.Members) != 1 {
		t.Errorf("%+v", without.Members)
	}
	archive := filepath.Join(t.TempDir(), "keys.zip")
	with, err := transfer.Backup(t.Context(), transfer.BackupOptions{Database: a.Store.Path(), Target: archive, Keys: true, Now: noon})
	if err != nil || !with.Keys || len(with.Members) != 2 {
		t.Fatalf("%+v, %v", with, err)
	}
	target := filepath.Join(t.TempDir(), "toolkit.db")
	testenv.Write(t, filepath.Join(filepath.Dir(target), "files.key"), "another")
	r, err := restore(t, archive, target, false)
	if err != nil || len(r.Aside) != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	for file, want := range map[string]string{filepath.Join(filepath.Dir(target), "files.key"): "secret", r.Aside[0]: "another"} {
		if text, err := os.ReadFile(file); err != nil || string(text) != want {
			t.Errorf("%s: %q, %v", file, text, err)
		}
	}
}

func TestAnInterruptedBackupLeavesNothing(t *testing.T) {
	a := filled(t, 1)
	folder := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := transfer.Backup(ctx, transfer.BackupOptions{Database: a.Store.Path(), Target: filepath.Join(folder, "x.zip"), Now: noon}); err == nil {
		t.Error("no error")
	}
	if names := left(t, folder); len(names) != 0 {
		t.Errorf("left behind: %v", names)
	}
}

// What is deleted stays in the full-text indexes of the database until they are merged.
func TestWordsOfDeletedRowsStandInNoIndexOfANewBackup(t *testing.T) {
	a := filled(t, 0)
	call := func(tool, arguments string) json.RawMessage {
		t.Helper()
		r, err := a.Server.Pipeline.Call(t.Context(), tools.Request{Tool: tool, Arguments: json.RawMessage(arguments)})
		if err != nil {
			t.Fatal(err)
		}
		return r.Data
	}
	call("create_entities", `{"entities":[{"name":"Zorbanuk","entityType":"thing","observations":["keeps vlimpross"]},{"name":"kept","entityType":"thing","observations":[]}]}`)
	var record struct{ ID string }
	toolstest.Decode(t, call("store_record", `{"type":"note","properties":{"title":"grumbelfax"}}`), &record)
	call("compress_to_l2_insight", `{"content":"we like drizzlepop","source_ids":[]}`)
	call("delete_entities", `{"entityNames":["Zorbanuk"]}`)
	call("delete_record", fmt.Sprintf(`{"id":%q}`, record.ID))
	archive, _ := create(t, a.Store.Path())
	z, err := zip.OpenReader(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	in, err := z.Open("toolkit.db")
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	copied, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	for word, stays := range map[string]bool{"zorbanuk": false, "vlimpross": false, "grumbelfax": false, "drizzlepop": true} {
		if found := bytes.Contains(bytes.ToLower(copied), []byte(word)); found != stays {
			t.Errorf("%s is in the backup: %t, want %t", word, found, stays)
		}
	}
}
