package charts

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"toolkit/internal/orientation"
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

// bench is a family over a database of its own.
type bench struct {
	t        testing.TB
	path     string
	clock    *clock
	store    *store.DB
	registry *tools.Registry
	pipeline *tools.Pipeline
}

func newBench(t testing.TB) *bench {
	return openBench(t, filepath.Join(t.TempDir(), "test.db"), orientation.Standard)
}

func openBench(t testing.TB, path string, level orientation.Level) *bench {
	t.Helper()
	b := &bench{t: t, path: path, clock: &clock{at: noon}}
	var err error
	if b.store, err = store.Open(context.Background(), store.Options{Path: path, Now: b.clock.now}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.store.Close() })
	if b.registry, err = tools.NewRegistry(New(Deps{Store: b.store, Orientation: level})); err != nil {
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

// args are the arguments of a call.
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

// refusal is an error response.
type refusal struct {
	Error   bool   `json:"error"`
	Code    string `json:"code"`
	Message string `json:"message"`
	Details args   `json:"details"`
}

// refuse expects an error with a code and a field.
func (b *bench) refuse(tool string, in any, code, field string) refusal {
	b.t.Helper()
	r := b.respond(tool, in)
	if !r.IsError {
		b.t.Fatalf("%s(%v) succeeded: %s; want %s", tool, in, r.Text, code)
	}
	var e refusal
	if err := json.Unmarshal([]byte(r.Text), &e); err != nil {
		b.t.Fatalf("the error is not JSON: %s", r.Text)
	}
	if !e.Error || e.Code != code || e.Details["field"] != field {
		b.t.Fatalf("%s(%v) gave %s on %v; want %s on %s\n%s", tool, in, e.Code, e.Details["field"], code, field, r.Text)
	}
	if _, ok := e.Details["constraint"].(string); !ok || e.Message == "" {
		b.t.Fatalf("the error lacks a message or a constraint: %s", r.Text)
	}
	return e
}

// chart creates a master chart and returns its id.
func (b *bench) chart(outcome string, steps ...string) string {
	b.t.Helper()
	out := b.call(createName, args{"desiredOutcome": outcome, "currentReality": "Have a desk", "dueDate": "2026-05-01T12:00:00Z", "actionSteps": nonNil(steps)})
	return out["chartId"].(string)
}

func nonNil(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

func (b *bench) progressOf(chart string) args {
	b.t.Helper()
	return b.call("get_chart_progress", args{"chartId": chart})
}

func (b *bench) realityOf(chart string) string {
	b.t.Helper()
	return b.progressOf(chart)["currentReality"].(string)
}

// active is the ids of the active charts in order.
func (b *bench) active() []string {
	b.t.Helper()
	ids := []string{}
	for _, c := range b.call("list_active_charts", args{})["charts"].([]any) {
		ids = append(ids, c.(args)["chartId"].(string))
	}
	return ids
}

func (b *bench) complete(step string) args {
	b.t.Helper()
	return b.call("mark_action_complete", args{"actionStepName": step})
}

// dump is every row of the file but the change sequence, as text.
func (b *bench) dump() string {
	b.t.Helper()
	return dumpFile(b.t, b.path)
}

func texts(list any) []string {
	out := []string{}
	for _, v := range list.([]any) {
		out = append(out, v.(string))
	}
	return out
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

// request is a call with raw arguments.
func request(tool, raw string) tools.Request {
	return tools.Request{Tool: tool, Arguments: json.RawMessage(raw)}
}
