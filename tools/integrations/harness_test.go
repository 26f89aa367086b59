package integrations_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"toolkit/store"
	"toolkit/tools"
	"toolkit/tools/integrations"
	"toolkit/tools/payloads"
)

// noon is when every test begins.
var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// bench is the family, with the payload store behind it, over a data folder of
// its own.
type bench struct {
	t        testing.TB
	dir      string
	store    *store.DB
	registry *tools.Registry
	pipeline *tools.Pipeline
	log      *bytes.Buffer
	said     *strings.Builder // every response
	env      map[string]string
}

type args = map[string]any

func newBench(t testing.TB) *bench { return openBench(t, t.TempDir(), nil) }

// openBench opens a data folder; pages caps the database file.
func openBench(t testing.TB, dir string, env map[string]string, pages ...int) *bench {
	t.Helper()
	b := &bench{t: t, dir: dir, log: &bytes.Buffer{}, said: &strings.Builder{}, env: env}
	o := store.Options{Path: filepath.Join(dir, "test.db"), Now: func() time.Time { return noon }}
	if len(pages) > 0 {
		o.MaxPages = pages[0]
	}
	var err error
	if b.store, err = store.Open(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.store.Close() })
	b.registry, err = tools.NewRegistry(
		payloads.New(payloads.Deps{Store: b.store}),
		integrations.New(integrations.Deps{Store: b.store, Intake: payloads.Intake{}, Getenv: func(name string) string { return env[name] }}),
	)
	if err != nil {
		t.Fatal(err)
	}
	if b.pipeline, err = tools.NewPipeline(b.options()); err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *bench) options() tools.ServerOptions {
	return tools.ServerOptions{
		Registry: b.registry, Patience: 10, Now: limitless(), Classify: tools.StorageError,
		Logger: slog.New(slog.NewJSONHandler(b.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
}

// limitless is a clock that leaps an hour at every look, so that no rate limit
// is ever reached.
func limitless() func() time.Time {
	var mu sync.Mutex
	at := noon
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		at = at.Add(time.Hour)
		return at
	}
}

func (b *bench) respond(ctx context.Context, tool string, in any) *tools.Response {
	b.t.Helper()
	raw, err := json.Marshal(in)
	if err != nil {
		b.t.Fatal(err)
	}
	r, err := b.pipeline.Call(ctx, tools.Request{Tool: tool, Arguments: raw})
	if err != nil {
		b.t.Fatal(err)
	}
	hints, _ := json.Marshal(r.Hints)
	fmt.Fprintln(b.said, r.Text, string(r.Structured), string(hints))
	return r
}

// call expects success.
func (b *bench) call(tool string, in any) args {
	b.t.Helper()
	r := b.respond(context.Background(), tool, in)
	if r.IsError {
		b.t.Fatalf("%s(%v) failed: %s", tool, in, r.Text)
	}
	var out args
	if err := json.Unmarshal(r.Data, &out); err != nil {
		b.t.Fatal(err)
	}
	return out
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
	b.t.Helper()
	r := b.respond(context.Background(), tool, in)
	if !r.IsError {
		b.t.Fatalf("%s(%v) succeeded: %s; want %s", tool, in, r.Text, code)
	}
	var e refusalText
	if err := json.Unmarshal([]byte(r.Text), &e); err != nil {
		b.t.Fatalf("the error is not JSON: %s", r.Text)
	}
	if e.Error.Code != code {
		b.t.Fatalf("%s(%v) gave %s, want %s: %s", tool, in, e.Error.Code, code, e.Error.Message)
	}
	if strings.Contains(r.Text, b.dir) {
		b.t.Errorf("the error names a path of the machine: %s", r.Text)
	}
	return e
}

// put writes a file below imports/.
func (b *bench) put(name, contents string) {
	b.t.Helper()
	path := filepath.Join(b.dir, "imports", filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(contents), 0o600); err != nil {
		b.t.Fatal(err)
	}
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
	b.t.Helper()
	out := b.call("sync_provider_imports", in)
	s := out["stats"].(args)
	return fmt.Sprintf("%v %v %v %v", s["records_added"], s["records_updated"], s["records_unchanged"], s["errors"]), out
}

// find returns the records of a search.
func (b *bench) find(in args) []args {
	b.t.Helper()
	var found []args
	for _, r := range b.call("retrieve_records", in)["records"].([]any) {
		found = append(found, r.(args))
	}
	return found
}

// one returns the properties of the one record that a search finds.
func (b *bench) one(words ...string) args {
	b.t.Helper()
	found := b.find(args{"search": []string{strings.Join(words, " ")}, "limit": 10})
	if len(found) != 1 {
		b.t.Fatalf("%d records have the words %q, want 1", len(found), words)
	}
	p := found[0]["properties"].(args)
	p["type"] = found[0]["type"]
	return p
}

func (b *bench) count() int {
	b.t.Helper()
	return int(b.call("retrieve_records", args{"limit": 1})["total"].(float64))
}

func same(t testing.TB, what string, got, want any) {
	t.Helper()
	if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
		t.Errorf("%s is\n%s\nwant\n%s", what, g, w)
	}
}

func contains(t testing.TB, what, text, part string) {
	t.Helper()
	if !strings.Contains(text, part) {
		t.Errorf("%s is %q; it should contain %q", what, text, part)
	}
}
