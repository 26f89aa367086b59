package admin_test

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"toolkit/internal/admin"
	"toolkit/internal/app"
	"toolkit/internal/soaktest"
	_ "toolkit/internal/storetest" // new databases begin as copies of one
	"toolkit/internal/testenv"
	"toolkit/store"
)

// soundFolder is the folder of a sound database with content of every family, closed; made once.
var soundFolder = sync.OnceValues(func() (fstest.MapFS, error) {
	folder, err := os.MkdirTemp("", "toolkit-doctor-test-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder) //nolint:errcheck // a leftover temporary folder harms nobody
	a, err := app.Open(context.Background(), app.Settings{DB: filepath.Join(folder, "toolkit.db"), TimeoutFactor: 60})
	if err != nil {
		return nil, err
	}
	err = soaktest.NewWorker(1, 1, soaktest.NewPipelineCaller(a.Server.Pipeline)).CallEveryLoad(context.Background(), 30)
	if err = errors.Join(err, a.Close()); err != nil {
		return nil, err
	}
	files := fstest.MapFS{}
	err = fs.WalkDir(os.DirFS(folder), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(folder, path))
		files[path] = &fstest.MapFile{Data: text}
		return err
	})
	return files, err
})

// filled is a sound database with content of every family, closed.
func filled(t *testing.T) string {
	t.Helper()
	files, err := soundFolder()
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), "data")
	for name, file := range files {
		testenv.Write(t, filepath.Join(folder, name), file.Data)
	}
	return filepath.Join(folder, "toolkit.db")
}

// examine runs doctor with nothing configured unless change says otherwise.
func examine(t *testing.T, path string, change func(*admin.ExamineOptions)) *admin.ExamineReport {
	t.Helper()
	o := admin.ExamineOptions{Database: path, Given: true, Default: true, Getenv: func(string) string { return "" }, Now: time.Now}
	if change != nil {
		change(&o)
	}
	r, err := admin.ExamineDatabase(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func deep(o *admin.ExamineOptions)    { o.Deep = true }
func fix(o *admin.ExamineOptions)     { o.Fix = true }
func deepFix(o *admin.ExamineOptions) { o.Deep, o.Fix = true, true }

// states are the states of a check's findings, joined.
func states(r *admin.ExamineReport, check string) string {
	var all []string
	for _, f := range r.Findings {
		if f.Check == check {
			all = append(all, string(f.State))
		}
	}
	return strings.Join(all, " ")
}

// alter changes a database behind the program's back.
func alter(t *testing.T, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

func chmod(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	testenv.Write(t, path, text)
}

func age(t *testing.T, path string) {
	t.Helper()
	old := time.Now().Add(-48 * time.Hour)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
}

func TestASoundInstallationHasNoProblemsAndEveryCheckSpeaks(t *testing.T) {
	path := filled(t)
	for name, change := range map[string]func(*admin.ExamineOptions){"plain": nil, "deep": deep, "fix": fix, "deep and fix": deepFix} {
		r := examine(t, path, change)
		if r.Problems != 0 {
			t.Errorf("%s: %+v", name, r.Findings)
		}
		for _, check := range admin.CheckNames() {
			if s := states(r, check); s == "" || strings.Contains(s, "problem") || strings.Contains(s, "fixed") || strings.Contains(s, "note") {
				t.Errorf("%s: %s is %q", name, check, s)
			}
		}
	}
}

const (
	fileText = "the text of a file"
	filesSQL = `CREATE TABLE IF NOT EXISTS blobs (sha256 TEXT PRIMARY KEY, size INTEGER NOT NULL, mime TEXT NOT NULL, name TEXT NOT NULL, created_at INTEGER NOT NULL, text TEXT NOT NULL DEFAULT '');
CREATE TABLE IF NOT EXISTS record_blobs (record INTEGER NOT NULL, sha256 TEXT NOT NULL, PRIMARY KEY (record, sha256));`
)

// keepFile makes the first record hold a file and returns its path.
func keepFile(t *testing.T, path string) string {
	t.Helper()
	sum := sha256.Sum256([]byte(fileText))
	hash := hex.EncodeToString(sum[:])
	alter(t, path, filesSQL, fmt.Sprintf(`INSERT INTO blobs VALUES('%s', %d, 'text/plain', 'a.txt', 0, '')`, hash, len(fileText)),
		fmt.Sprintf(`INSERT INTO record_blobs SELECT min(seq), '%s' FROM records`, hash))
	place := filepath.Join(filepath.Dir(path), filepath.FromSlash(store.FilePlace(hash)))
	write(t, place, fileText)
	return place
}

func TestEachDamageIsFoundAndRepairedWhereThatIsSafe(t *testing.T) {
	if testing.Short() {
		t.Skip("much work; the run without the race detector does it")
	}
	if runtime.GOOS == "windows" {
		t.Skip("modes mean nothing on Windows")
	}
	tests := map[string]struct {
		damage func(t *testing.T, path string)
		look   func(*admin.ExamineOptions)
		check  string
		found  string
		mend   func(*admin.ExamineOptions)
		mended string // after --fix
		again  string // looked at once more
	}{
		"a database that others can read":   {func(t *testing.T, path string) { chmod(t, path, 0o644) }, nil, "permissions", "problem", fix, "fixed", "ok"},
		"a database that cannot be written": {func(t *testing.T, path string) { chmod(t, path, 0o400) }, nil, "permissions", "problem", fix, "fixed", "ok"},
		"a folder that others can enter":    {func(t *testing.T, path string) { chmod(t, filepath.Dir(path), 0o755) }, nil, "permissions", "problem", fix, "fixed", "ok"},
		"a key that others can read": {func(t *testing.T, path string) {
			key := filepath.Join(filepath.Dir(path), "files.key")
			write(t, key, "secret")
			chmod(t, key, 0o640)
		}, nil, "permissions", "problem", fix, "fixed", "ok"},
		"an empty key": {func(t *testing.T, path string) { write(t, filepath.Join(filepath.Dir(path), "files.key"), "") }, nil, "key files", "problem", fix, "problem", "problem"},
		"a row missing in an index": {func(t *testing.T, path string) {
			alter(t, path, `DELETE FROM entity_words WHERE rowid = (SELECT min(id) FROM entities)`)
		}, nil, "full-text indexes", "problem", fix, "fixed", "ok"},
		"a row alone in an index": {func(t *testing.T, path string) {
			alter(t, path, `INSERT INTO record_words(rowid, type, words) VALUES(99999, 'x', 'y')`)
		}, nil, "full-text indexes", "problem", fix, "fixed", "ok"},
		"an index whose pages are damaged": {func(t *testing.T, path string) {
			alter(t, path, `DELETE FROM entity_words_data WHERE id > 10`)
		}, nil, "integrity", "problem", fix, "fixed", "ok"},
		"wrong terms of memory": {func(t *testing.T, path string) {
			alter(t, path, `UPDATE memory_rows SET terms = 'else' WHERE id = (SELECT min(id) FROM memory_rows)`)
		}, nil, "memory indexes", "problem", fix, "fixed", "ok"},
		"a wrong snapshot": {func(t *testing.T, path string) {
			alter(t, path, `UPDATE snapshots SET observation_count = 99`)
		}, nil, "snapshots", "problem", fix, "fixed", "ok"},
		"a row that refers to nothing": {func(t *testing.T, path string) {
			alter(t, path, `INSERT INTO observations(entity_id, content, created_at) VALUES(99999, 'x', 0)`)
		}, nil, "references", "problem", fix, "problem", "problem"},
		"a newer schema": {func(t *testing.T, path string) {
			alter(t, path, `INSERT INTO goose_db_version(version_id, is_applied) VALUES(9999, 1)`)
		}, nil, "schema", "problem", fix, "problem", "problem"},
		"a schema that is too old": {func(t *testing.T, path string) {
			alter(t, path, `UPDATE goose_db_version SET version_id = 34`)
		}, nil, "schema", "problem", fix, "problem", "problem"},
		"a folder left by a command that was killed": {func(t *testing.T, path string) {
			left := filepath.Join(filepath.Dir(path), ".toolkit-restore-1")
			write(t, filepath.Join(left, "toolkit.db"), "x")
			age(t, left)
		}, nil, "leftovers", "note", fix, "fixed", "ok"},
		"a folder of a command at work": {func(t *testing.T, path string) {
			write(t, filepath.Join(filepath.Dir(path), ".toolkit-restore-1", "toolkit.db"), "x")
		}, nil, "leftovers", "ok", fix, "ok", "ok"},
		"a file of an upload that was killed": {func(t *testing.T, path string) {
			left := filepath.Join(store.StagingFolder(path), "1.part")
			write(t, left, "x")
			age(t, left)
		}, nil, "leftovers", "note", fix, "fixed", "ok"},
		"a file of an upload at work, or killed just now": {func(t *testing.T, path string) {
			write(t, filepath.Join(store.StagingFolder(path), "1.part"), "x")
		}, nil, "leftovers", "note", fix, "note", "note"},
		"a file that is missing": {func(t *testing.T, path string) { os.Remove(keepFile(t, path)) }, nil, "files", "problem", fix, "problem", "problem"},
		"a file that is damaged": {func(t *testing.T, path string) { write(t, keepFile(t, path), "the text of a fime") }, nil, "files", "problem", fix, "problem", "problem"},
		"a file as it was":       {func(t *testing.T, path string) { keepFile(t, path) }, nil, "files", "ok", fix, "ok", "ok"},
		"a file of nothing": {func(t *testing.T, path string) {
			place := keepFile(t, path)
			orphan := filepath.Join(filepath.Dir(place), strings.Repeat("ab", 32))
			write(t, orphan, "x")
			age(t, orphan)
		}, nil, "files", "note", fix, "fixed", "ok"},
		"a file of another database": {func(t *testing.T, path string) {
			place := keepFile(t, path)
			orphan := filepath.Join(filepath.Dir(place), strings.Repeat("ab", 32))
			write(t, orphan, "x")
			age(t, orphan)
			write(t, filepath.Join(filepath.Dir(path), "other.db"), "x")
			write(t, filepath.Join(filepath.Dir(path), "files", "databases", "other.db"), "")
		}, nil, "files", "note", fix, "note", "note"},
		"a file that is no database":    {func(t *testing.T, path string) { write(t, path, strings.Repeat("text ", 999)) }, nil, "database", "problem", fix, "problem", "problem"},
		"a database of another program": {func(t *testing.T, path string) { alter(t, path, `PRAGMA application_id=7`) }, nil, "database", "problem", fix, "problem", "problem"},
		"no database":                   {func(t *testing.T, path string) { os.Remove(path) }, nil, "database", "problem", fix, "problem", "problem"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			path := filled(t)
			tc.damage(t, path)
			for _, step := range []struct {
				change func(*admin.ExamineOptions)
				want   string
			}{{tc.look, tc.found}, {tc.mend, tc.mended}, {tc.look, tc.again}} {
				r := examine(t, path, step.change)
				if got := states(r, tc.check); got != step.want {
					t.Errorf("%s is %q, want %q: %+v", tc.check, got, step.want, r.Findings)
				}
				if (r.Problems > 0) != (step.want == "problem") {
					t.Errorf("%d problems: %+v", r.Problems, r.Findings)
				}
			}
		})
	}
}

func TestDoctorLooksWithoutChangingAnything(t *testing.T) {
	path := filled(t)
	alter(t, path, `DELETE FROM entity_words WHERE rowid = (SELECT min(id) FROM entities)`, `UPDATE snapshots SET observation_count = 99`)
	before := testenv.Read(t, path)
	if r := examine(t, path, deep); r.Problems < 2 {
		t.Errorf("%+v", r.Findings)
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
		t.Errorf("the file changed, %v", err)
	}
}

func TestMisspeltAndMeaninglessSettingsAreTold(t *testing.T) {
	path := filled(t)
	tests := map[string]struct{ variable, value, check, want string }{
		"a misspelt name":            {"TOOLKIT_EMBEDER", "ollama", "environment", "problem"},
		"a name in small letters":    {"toolkit_db", "x", "environment", "problem"},
		"a name of something else":   {"TOOLKIT_OF_ANOTHER_KIND", "x", "environment", "ok"},
		"an unknown embedder":        {"TOOLKIT_EMBEDDER", "best", "settings", "problem"},
		"an embedder of before":      {"TOOLKIT_EMBEDDER", "static", "settings", "ok note"},
		"a key that is missing":      {"TOOLKIT_JUDGES", "llm", "settings", "problem"},
		"a threshold that is none":   {"TOOLKIT_FIDELITY_THRESHOLD", "high", "settings", "problem"},
		"an address that is none":    {"TOOLKIT_JUDGE1_URL", "http://", "services", "problem"},
		"nothing listening":          {"TOOLKIT_JUDGE1_URL", "http://127.0.0.1:1", "services", "problem"},
		"nothing there for a model":  {"TOOLKIT_EMBED_URL", "http://127.0.0.1:1", "services", "problem"},
		"a model that is not remote": {"TOOLKIT_EMBEDDER", "off", "services", "ok"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			r := examine(t, path, func(o *admin.ExamineOptions) {
				o.Environ = []string{tc.variable + "=" + tc.value}
				o.Getenv = func(n string) string {
					if n == tc.variable {
						return tc.value
					}
					return ""
				}
			})
			if got := states(r, tc.check); got != tc.want {
				t.Errorf("%s is %q: %+v", tc.check, got, r.Findings)
			}
		})
	}
}

func TestAServiceIsReachedWithoutTellingItAnything(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	heard := make(chan int, 1)
	go func() {
		conn, err := l.Accept()
		if err != nil {
			heard <- -1
			return
		}
		defer conn.Close()
		text, _ := io.ReadAll(conn)
		heard <- len(text)
	}()
	r := examine(t, filled(t), func(o *admin.ExamineOptions) { o.Environ = []string{"TOOLKIT_JUDGE2_URL=http://" + l.Addr().String()} })
	if got := states(r, "services"); got != "ok" {
		t.Errorf("%+v", r.Findings)
	}
	if n := <-heard; n != 0 {
		t.Errorf("it heard %d bytes", n)
	}
}

func TestADamagedPageIsFoundWhereverItIs(t *testing.T) {
	if testing.Short() {
		t.Skip("much work; the run without the race detector does it")
	}
	path := filled(t)
	whole := testenv.Read(t, path)
	const page = 4096
	damaged := filepath.Join(t.TempDir(), "toolkit.db")
	unnoticed := 0
	for n := 1; n < len(whole)/page; n += testenv.Choose(25, 5) { // the first page is the header
		broken := append([]byte(nil), whole...)
		for i := range page {
			broken[n*page+i] = byte(0xA5 ^ i)
		}
		testenv.Write(t, damaged, broken)
		r := examine(t, damaged, nil)
		if got := states(r, "integrity"); got != "problem" || r.Problems == 0 {
			unnoticed++
			t.Logf("page %d: integrity %q", n+1, got)
		}
	}
	if unnoticed > 0 {
		t.Errorf("%d damaged pages go unnoticed", unnoticed)
	}
}

func TestAnInterruptedExaminationEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := admin.ExamineDatabase(ctx, admin.ExamineOptions{Database: filled(t), Getenv: func(string) string { return "" }, Now: time.Now})
	if err == nil {
		t.Error("no error")
	}
}

func TestAnImportThatWasKilledIsNoProblem(t *testing.T) {
	path := filepath.Join(t.TempDir(), "toolkit.db")
	if got := states(examine(t, path, deep), "database"); got != string(admin.CheckProblem) {
		t.Errorf("of a database that never was: %s", got)
	}
	if err := os.Mkdir(filepath.Join(filepath.Dir(path), ".toolkit-restore-1"), 0o700); err != nil {
		t.Fatal(err)
	}
	if got := states(examine(t, path, deep), "database"); got != string(admin.CheckNote) {
		t.Errorf("of one whose import was killed: %s", got)
	}
}
