package payloads

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"toolkit/internal/fileserver"
	"toolkit/store"
	"toolkit/tools"
)

// clock is a time that tests set.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// noon is when every test begins.
var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// bench is the family over a database of its own.
type bench struct {
	t        testing.TB
	path     string
	clock    *clock
	store    *store.DB
	vectors  Vectors
	folder   string // of files to upload
	urls     *fileserver.Server
	registry *tools.Registry
	pipeline *tools.Pipeline
}

func newBench(t testing.TB) *bench {
	return openBench(t, store.Options{Path: filepath.Join(t.TempDir(), "test.db")}, nil)
}

// openBench opens a family; vectors makes its vector channel, nil: without one.
func openBench(t testing.TB, o store.Options, vectors func(*store.DB) Vectors) *bench {
	t.Helper()
	b := &bench{t: t, path: o.Path, clock: &clock{at: noon}}
	o.Now = b.clock.now
	var err error
	if b.store, err = store.Open(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.store.Close() })
	if vectors != nil {
		b.vectors = vectors(b.store)
	}
	b.folder = t.TempDir()
	roots, err := WriteSample(b.folder)
	if err != nil {
		t.Fatal(err)
	}
	b.urls = fileserver.New(fileserver.Options{KeyFile: filepath.Join(filepath.Dir(o.Path), "files.key"), Open: b.openBlob, Now: b.clock.now})
	t.Cleanup(func() { b.urls.Close() })
	files := Files{Roots: roots, URLs: b.urls, EngineCache: engineCache(t)}
	if b.registry, err = tools.NewRegistry(New(Deps{Store: b.store, Vectors: b.vectors, Files: files})); err != nil {
		t.Fatal(err)
	}
	if b.pipeline, err = tools.NewPipeline(b.options()); err != nil {
		t.Fatal(err)
	}
	return b
}

// engineCache keeps the PDF reader's compiled code between test runs.
func engineCache(t testing.TB) string {
	t.Helper()
	folder, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(folder, "toolkit", "pdfium")
}

// openBlob serves stored files as the program does.
func (b *bench) openBlob(ctx context.Context, hash string) (fileserver.File, error) {
	var blob store.Blob
	err := b.store.Read(ctx, func(tx *store.Tx) error {
		found, known, err := tx.BlobByHash(hash)
		if err == nil && !known {
			err = fileserver.ErrNotFound
		}
		blob = found
		return err
	})
	if err != nil {
		return fileserver.File{}, err
	}
	file, err := b.store.OpenBlob(blob)
	return fileserver.File{ReadSeekCloser: file, Name: blob.Name, MIME: blob.MIME}, err
}

func (b *bench) options() tools.ServerOptions {
	return tools.ServerOptions{Registry: b.registry, Patience: 60, Now: b.limitless(), Classify: tools.StorageError}
}

// limitless is a clock that leaps an hour at every look, so that no rate limit
// is ever reached.
func (b *bench) limitless() func() time.Time {
	var mu sync.Mutex
	at := noon
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		at = at.Add(time.Hour)
		return at
	}
}

// args are the arguments of a call, and a result as generic JSON.
type args = map[string]any

func (b *bench) respond(tool string, in any) *tools.Response {
	b.t.Helper()
	raw, err := json.Marshal(in)
	if err != nil {
		b.t.Fatal(err)
	}
	r, err := b.pipeline.Call(context.Background(), tools.Request{Tool: tool, Arguments: raw})
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

// call expects success.
func (b *bench) call(tool string, in any) args {
	b.t.Helper()
	r := b.respond(tool, in)
	if r.IsError {
		b.t.Fatalf("%s(%v) failed: %s", tool, in, r.Text)
	}
	var out args
	if err := json.Unmarshal(r.Data, &out); err != nil {
		b.t.Fatal(err)
	}
	return out
}

// refusal is an error as the documentation prints it.
type refusalText struct {
	Error struct {
		Code    string
		Message string
		Details args
		TraceID string `json:"trace_id"`
	}
}

// refuse expects an error with a code and a field.
func (b *bench) refuse(tool string, in any, code, field string) refusalText {
	b.t.Helper()
	r := b.respond(tool, in)
	if !r.IsError {
		b.t.Fatalf("%s(%v) succeeded: %s; want %s", tool, in, r.Text, code)
	}
	var e refusalText
	if err := json.Unmarshal([]byte(r.Text), &e); err != nil {
		b.t.Fatalf("the error is not JSON: %s", r.Text)
	}
	got, _ := e.Error.Details["field"].(string)
	if e.Error.Code != code || got != field || e.Error.Message == "" || e.Error.TraceID == "" {
		b.t.Fatalf("%s(%v) gave %s on %q; want %s on %q\n%s", tool, in, e.Error.Code, got, code, field, r.Text)
	}
	if e.Error.Details["http_status"] == nil || e.Error.Details["retryable"] == nil {
		b.t.Fatalf("details lack http_status or retryable: %s", r.Text)
	}
	return e
}

// submit makes arguments of submit_payload.
func submit(capability, extractedAt string, body args) args {
	return args{"capability_id": "neotoma:store_" + capability + ":v1", "body": body,
		"provenance": args{"source_refs": []string{}, "extracted_at": extractedAt, "extractor_version": "test:v1"}}
}

// submit stores a payload and returns the id of its own entity.
func (b *bench) submit(capability, extractedAt string, body args) string {
	b.t.Helper()
	return self(b.call(submitName, submit(capability, extractedAt, body)))
}

func self(out args) string {
	return out["entities"].([]any)[0].(args)["entity_id"].(string)
}

// company is the entity id of a company.
func company(name string) string { return entityID(companyType, normaliseName(companyType, name)) }

func (b *bench) snapshot(entity string) args {
	b.t.Helper()
	return b.call(snapshotName, args{"entity_id": entity})
}

// text is a value as JSON.
func text(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(raw)
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

// rebuild checks that every stored snapshot equals what reducing all of its
// observations gives.
func (b *bench) rebuild() {
	b.t.Helper()
	r, err := Rebuild(context.Background(), b.store, true, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	if r.Differing != 0 {
		b.t.Errorf("%d of %d snapshots differ from their observations", r.Differing, r.Entities)
	}
}

// smallBench has room for a few hundred notes only.
func smallBench(t testing.TB) *bench {
	return openBench(t, store.Options{Path: filepath.Join(t.TempDir(), "small.db"), MaxPages: 400}, nil)
}

// standingStill is b with a pipeline whose clock does not move.
func (b *bench) standingStill() *bench {
	b.t.Helper()
	o := b.options()
	o.Now = b.clock.now
	p, err := tools.NewPipeline(o)
	if err != nil {
		b.t.Fatal(err)
	}
	still := *b
	still.pipeline = p
	return &still
}

func decodeInto(t testing.TB, raw json.RawMessage, v any) {
	t.Helper()
	if err := json.Unmarshal(raw, v); err != nil {
		t.Fatal(err)
	}
}
