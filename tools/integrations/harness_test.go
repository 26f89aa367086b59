package integrations_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"toolkit/internal/testenv"
	"toolkit/internal/toolstest"
	"toolkit/store"
	"toolkit/tools"
	"toolkit/tools/entities"
	"toolkit/tools/integrations"
)

// noon is when every test begins.
var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

type args = toolstest.Args

var (
	same     = toolstest.RequireSame
	contains = toolstest.RequireContains
)

// bench is the family, with the payload store behind it, over a data folder of
// its own.
type bench struct {
	*toolstest.Bench
	dir  string
	log  *bytes.Buffer
	said *strings.Builder // every response
}

func newBench(t testing.TB) *bench { return openBench(t, t.TempDir(), nil) }

// openBench opens a data folder; pages caps the database file.
func openBench(t testing.TB, dir string, env map[string]string, pages ...int) *bench {
	t.Helper()
	o := store.Options{Path: filepath.Join(dir, "test.db")}
	if len(pages) > 0 {
		o.MaxPages = pages[0]
	}
	b := &bench{Bench: toolstest.NewBench(t, toolstest.NewClock(noon), o), dir: dir, log: &bytes.Buffer{}, said: &strings.Builder{}}
	b.Options.Logger = slog.New(slog.NewJSONHandler(b.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	b.Heard = func(r *tools.Response) {
		fmt.Fprintln(b.said, r.Text, string(r.Structured), toolstest.EncodeJSON(r.Hints))
	}
	serve(b.Bench, env, nil)
	return b
}

// serve offers the family and the payload store, without limits.
func serve(b *toolstest.Bench, env map[string]string, client *http.Client) {
	b.T.Helper()
	b.Options.Now = toolstest.NewLeapingClock(noon)
	b.BuildPipeline(entities.New(entities.Deps{Store: b.Store}), integrations.New(integrations.Deps{
		Store: b.Store, Intake: entities.Intake{}, Getenv: func(name string) string { return env[name] }, HTTP: client,
	}))
}

// refusalText is an error as the documentation prints it.
type refusalText struct {
	Error struct {
		Code    string
		Message string
		Details args
	}
}

// refuse expects an error with a code.
func (b *bench) refuse(tool string, in any, code string) refusalText {
	b.T.Helper()
	var e refusalText
	r := b.CallRefused(tool, in, &e)
	if e.Error.Code != code {
		b.T.Fatalf("%s(%v) gave %s, want %s: %s", tool, in, e.Error.Code, code, e.Error.Message)
	}
	if strings.Contains(r.Text, b.dir) {
		b.T.Errorf("the error names a path of the machine: %s", r.Text)
	}
	return e
}

// put writes a file below imports/.
func (b *bench) put(name, contents string) {
	b.T.Helper()
	path := filepath.Join(b.dir, "imports", filepath.FromSlash(name))
	testenv.Write(b.T, path, contents)
}

// member is a file inside a ZIP archive.
type member struct {
	name, contents string
	mode           fs.FileMode
}

func zipped(t testing.TB, members ...member) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, m := range members {
		h := &zip.FileHeader{Name: m.name, Method: zip.Deflate}
		if m.mode != 0 {
			h.SetMode(m.mode)
		}
		f, err := w.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(m.contents)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// sync imports and returns added, updated, unchanged and errors.
func (b *bench) sync(in args) (string, args) {
	b.T.Helper()
	out := b.Call("sync_provider_imports", in)
	s := out["stats"].(args)
	return fmt.Sprintf("%v %v %v %v", s["records_added"], s["records_updated"], s["records_unchanged"], s["errors"]), out
}

// find returns the records of a search.
func (b *bench) find(in args) []args {
	b.T.Helper()
	var found []args
	for _, r := range b.Call("retrieve_records", in)["records"].([]any) {
		found = append(found, r.(args))
	}
	return found
}

// one returns the properties of the one record that a search finds.
func (b *bench) one(words ...string) args {
	b.T.Helper()
	found := b.find(args{"search": []string{strings.Join(words, " ")}, "limit": 10})
	if len(found) != 1 {
		b.T.Fatalf("%d records have the words %q, want 1", len(found), words)
	}
	p := found[0]["properties"].(args)
	p["type"] = found[0]["type"]
	return p
}

func (b *bench) count() int {
	b.T.Helper()
	return int(b.Call("retrieve_records", args{"limit": 1})["total"].(float64))
}
