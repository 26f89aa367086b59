package memory

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

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

func (c *clock) set(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = at
}

func (c *clock) advance(d time.Duration) { c.set(c.now().Add(d)) }

// noon is when every test begins.
var noon = time.Date(2026, 1, 15, 12, 0, 0, 0, time.UTC)

// bench is a family over a database of its own.
type bench struct {
	t        testing.TB
	clock    *clock
	store    *store.DB
	search   *scanSearcher
	deps     Deps
	family   tools.Family
	registry *tools.Registry
	pipeline *tools.Pipeline
}

func newBench(t testing.TB, change ...func(*Deps)) *bench {
	return openBench(t, filepath.Join(t.TempDir(), "test.db"), change...)
}

func openBench(t testing.TB, path string, change ...func(*Deps)) *bench {
	t.Helper()
	b := &bench{t: t, clock: &clock{at: noon}}
	var err error
	if b.store, err = store.Open(context.Background(), store.Options{Path: path, Now: b.clock.now}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.store.Close() })
	b.search = &scanSearcher{store: b.store}
	b.deps = Deps{Store: b.store, Search: b.search}
	for _, f := range change {
		f(&b.deps)
	}
	b.family = New(b.deps)
	if b.registry, err = tools.NewRegistry(b.family); err != nil {
		t.Fatal(err)
	}
	if b.pipeline, err = tools.NewPipeline(b.options()); err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *bench) options() tools.ServerOptions {
	return tools.ServerOptions{Registry: b.registry, Patience: 60, Now: b.clock.now, Classify: tools.StorageError}
}

// args are the arguments of a call, and generic JSON.
type args = map[string]any

// respond calls a tool.
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

// call expects success and returns the result as generic JSON.
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

// refuse expects an error of a type whose details contain a text.
func (b *bench) refuse(tool string, in any, kind, details string) *tools.Response {
	b.t.Helper()
	r := b.respond(tool, in)
	if !r.IsError {
		b.t.Fatalf("%s(%v) succeeded: %s; want %q", tool, in, r.Text, kind)
	}
	var e struct{ Error, Details, Tool string }
	if err := json.Unmarshal([]byte(r.Text), &e); err != nil {
		b.t.Fatalf("the error is not the documented object: %s", r.Text)
	}
	if e.Error != kind || !strings.Contains(e.Details, details) || e.Tool != tool {
		b.t.Fatalf("%s(%v) gave %q, %q of %s; want %q, %q", tool, in, e.Error, e.Details, e.Tool, kind, details)
	}
	return r
}

// Error types of the memory documentation.
const (
	invalid   = "Parameter validation failed"
	failed    = "Tool execution failed"
	unknown   = "Resource not found"
	keyAbsent = "API key not configured"
)

func (b *bench) id(tool string, in any) int64 {
	b.t.Helper()
	out := b.call(tool, in)
	for _, key := range []string{"id", "added_id"} {
		if id, ok := out[key].(float64); ok {
			return int64(id)
		}
	}
	b.t.Fatalf("%s gave no id: %v", tool, out)
	return 0
}

func (b *bench) say(session, speaker, content string) int64 {
	b.t.Helper()
	return b.id(dialogueName, args{"session_id": session, "speaker": speaker, "content": content})
}

func (b *bench) insight(content string, sources ...int64) int64 {
	b.t.Helper()
	if sources == nil {
		sources = []int64{}
	}
	return b.id(compressName, args{"content": content, "source_ids": sources})
}

// read reads a resource and returns its object.
func (b *bench) read(address string) (args, error) {
	b.t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		b.t.Fatal(err)
	}
	bare, _, _ := strings.Cut(address, "?")
	for _, r := range b.family.Resources {
		if r.URI != bare {
			continue
		}
		text, err := r.Read(context.Background(), u)
		if err != nil {
			return nil, err
		}
		var object args
		if err := json.Unmarshal([]byte(text), &object); err != nil {
			b.t.Fatalf("%s is no JSON: %s", address, text)
		}
		return object, nil
	}
	b.t.Fatalf("there is no resource %s", bare)
	return nil, nil
}

// contents reads a resource that must be readable.
func (b *bench) contents(address string) []args {
	b.t.Helper()
	object, err := b.read(address)
	if err != nil {
		b.t.Fatalf("%s: %v", address, err)
	}
	raw, ok := object["contents"].([]any)
	if !ok {
		b.t.Fatalf("%s: contents are %v", address, object["contents"])
	}
	list := make([]args, len(raw))
	for i, one := range raw {
		list[i] = one.(args)
	}
	return list
}

// values are one field of each entry, in order, in one string.
func values(list []args, field string) string {
	parts := make([]string, len(list))
	for i, one := range list {
		parts[i] = fmt.Sprint(one[field])
	}
	return strings.Join(parts, " ")
}
