package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"toolkit/internal/app"
	"toolkit/internal/testenv"
	"toolkit/internal/transfer"
	"toolkit/store"
)

func TestALongCommandPrintsALineForEachStepWhereThereIsNoTerminal(t *testing.T) {
	for name, report := range map[string]func(p *progress, second int){
		"of a known size":   func(p *progress, second int) { p.update(second*10, 36_000) },
		"bytes":             func(p *progress, second int) { p.updateBytes(int64(second)<<10, 3600<<10) },
		"of an unknown one": func(p *progress, second int) { p.updateCount(second) },
	} {
		var out strings.Builder
		now := time.Unix(0, 0)
		p := newProgress(&out, "importing", "lines")
		p.now, p.start = func() time.Time { return now }, now
		for second := range 3601 {
			now = time.Unix(int64(second), 0)
			report(p, second)
		}
		p.clearAndReportIfLong(7200)
		if want := "importing: 7200 lines took 3600.0 s, 2 a second\n"; out.String() != want {
			t.Errorf("%s: got %q, want %q", name, out.String(), want)
		}
	}
}

func TestALongCommandShowsABarOnATerminalAndClearsIt(t *testing.T) {
	var out strings.Builder
	now := time.Unix(0, 0)
	p := newProgress(&out, "importing", "lines")
	p.now, p.start, p.bar = func() time.Time { return now }, now, true
	for step := range 4 {
		now = time.Unix(int64(step), 0)
		p.update(step, 4)
		p.update(step, 4) // too soon to draw again
	}
	p.clearAndReportIfLong(3)
	drawn := strings.Split(out.String(), "\r")
	if len(drawn) != 6 || drawn[2] != "importing [###############               ] 50% " || strings.TrimSpace(drawn[4]) != "" {
		t.Errorf("drew %q", drawn)
	}
}

func TestAShortCommandShowsNoProgress(t *testing.T) {
	var out strings.Builder
	p := newProgress(&out, "importing", "lines")
	p.now = func() time.Time { return p.start }
	p.update(1, 2)
	p.clearAndReportIfLong(2)
	if out.String() != "" {
		t.Errorf("printed %q", out.String())
	}
}

func TestAFailedImportSaysWhatToDo(t *testing.T) {
	for want, err := range map[string]error{
		"interrupted; run the import again to bring in the rest":                                                            fmt.Errorf("import: %w", context.Canceled),
		"the disk is full; free some space and run the import again to bring in the rest":                                   fmt.Errorf("import: %w", store.ErrFull),
		"another process was writing to the database and did not finish in time; run the import again to bring in the rest": store.ErrBusy,
		"import: the database server cannot be reached; run the import again to bring in the rest":                          fmt.Errorf("import: %w", store.ErrUnreachable),
		"import: PostgreSQL cannot keep this":                                                                               fmt.Errorf("import: %w", store.ErrUnfit),
	} {
		if got := explainImportError(err).Error(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestAFailedExportNamesTheFileThatWasNotWritten(t *testing.T) {
	for want, err := range map[string]error{
		"the disk is full; a.jsonl was not written: free some space or choose another place": &os.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC},
		"interrupted; a.jsonl was not written":                                               context.Canceled,
		"a.jsonl was not written: why ever":                                                  errors.New("why ever"),
	} {
		if got := explainExportError("a.jsonl", err).Error(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestAnExportNeverReplacesADatabase(t *testing.T) {
	path := database(t)
	if err := os.WriteFile(path, nil, 0o600); err != nil { // the log then holds how the database was made
		t.Fatal(err)
	}
	a, err := app.Open(t.Context(), app.Settings{DB: path})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close() //nolint:errcheck // nothing was written
	link := filepath.Join(t.TempDir(), "linked.jsonl")
	if err := os.Symlink(path, link); err != nil {
		t.Skip("no links here")
	}
	for _, name := range []string{path, path + "-wal", link} {
		if err := (&settings{streams: Streams{Getenv: os.Getenv}}).checkExportTarget(name, true); err == nil || !strings.Contains(err.Error(), "is a database") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAFailedExportLeavesTheFolderAsItWas(t *testing.T) {
	dir := t.TempDir()
	a, err := app.Open(t.Context(), app.Settings{DB: database(t)})
	if err != nil {
		t.Fatal(err)
	}
	a.Close() //nolint:errcheck // the export is to fail
	target := filepath.Join(dir, "copy.jsonl")
	testenv.Write(t, target, "mine")
	err = (&settings{streams: Streams{Getenv: os.Getenv}}).writeExportFile(target, true, func(file io.Writer) error {
		_, err := transfer.ExportExchange(t.Context(), a.Store, file, "coaia")
		return err
	})
	if err == nil {
		t.Error("no error")
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
	if text, err := os.ReadFile(target); err != nil || string(text) != "mine" {
		t.Errorf("%q, %v", text, err)
	}
}

func TestAFolderThatALinkLeadsToIsTakenIn(t *testing.T) {
	folder := t.TempDir()
	testenv.Write(t, filepath.Join(folder, "note.txt"), "The mill is closed on Monday.\n")
	link := filepath.Join(t.TempDir(), "invoices")
	if err := os.Symlink(folder, link); err != nil {
		t.Skip("links cannot be made here:", err)
	}
	out, errs, code := run(t, "", "import", link, "--db", database(t))
	if code != 0 || !strings.Contains(out, ": 1 new, 0 known, 0 skipped, 0 could not be read") {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
}

// What a client wrote of a session is taken in by capture, which leaves out what is secret or private.
func TestASessionIsNotImportedAsMemory(t *testing.T) {
	prompt := `{"type":"user","sessionId":"s","uuid":"1","timestamp":"2026-03-02T09:00:00Z","message":{"role":"user","content":"sessionId"}}` + "\n"
	for name, test := range map[string]struct{ content, says string }{
		"a session":                   {prompt, "toolkit capture"},
		"a memory that speaks of one": {`{"type":"entity","name":"sessionId","entityType":"user","observations":[]}` + "\n", ""},
		"an export of conversations":  {`[{"title":"a","mapping":{}}]`, "toolkit capture"},
	} {
		file := filepath.Join(t.TempDir(), "file.jsonl")
		if err := os.WriteFile(file, []byte(test.content), 0o600); err != nil {
			t.Fatal(err)
		}
		db := filepath.Join(t.TempDir(), "toolkit.db")
		_, stderr, code := run(t, "", "import", file, "--db", db)
		if (code == exitOK) != (test.says == "") || !strings.Contains(stderr, test.says) {
			t.Errorf("%s: %d, %s", name, code, stderr)
		}
		if _, err := os.Stat(db); test.says != "" && err == nil {
			t.Errorf("%s: a database was made", name)
		}
	}
}
