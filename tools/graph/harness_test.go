package graph

import (
	"context"
	"encoding/json"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"toolkit/store"
	"toolkit/tools"
)

// bench is the family over a database of its own.
type bench struct {
	t        testing.TB
	store    *store.DB
	family   family
	registry *tools.Registry
	pipeline *tools.Pipeline
}

var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

func newBench(t testing.TB) *bench {
	return openBench(t, filepath.Join(t.TempDir(), "test.db"), false)
}

func openBench(t testing.TB, path string, compat bool) *bench {
	t.Helper()
	b := &bench{t: t}
	var err error
	if b.store, err = store.Open(context.Background(), store.Options{Path: path, Now: func() time.Time { return noon }}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.store.Close(); err != nil {
			t.Error(err)
		}
	})
	d := Deps{Store: b.store, MemoryCompat: compat}
	b.family = family{d}
	if b.registry, err = tools.NewRegistry(New(d)); err != nil {
		t.Fatal(err)
	}
	if b.pipeline, err = tools.NewPipeline(b.options()); err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *bench) options() tools.ServerOptions {
	return tools.ServerOptions{Registry: b.registry, Patience: 60, Classify: tools.StorageError}
}

// args are the arguments of a call.
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

// call makes a call that must succeed and returns its text.
func (b *bench) call(tool string, in any) string {
	b.t.Helper()
	r := b.respond(tool, in)
	if r.IsError {
		b.t.Fatalf("%s %v: %s", tool, in, r.Text)
	}
	return r.Text
}

// graph makes a call that must succeed and returns the graph it reads.
func (b *bench) graph(tool string, in any) Graph {
	b.t.Helper()
	var g Graph
	if err := json.Unmarshal([]byte(b.call(tool, in)), &g); err != nil {
		b.t.Fatal(err)
	}
	return g
}

// names are the entities that a call finds, in order.
func (b *bench) names(tool string, in any) []string {
	b.t.Helper()
	names := []string{}
	for _, e := range b.graph(tool, in).Entities {
		names = append(names, e.Name)
	}
	return names
}

// refusal is the documented error object.
type refusal struct {
	Error   bool           `json:"error"`
	Code    string         `json:"code"`
	Message string         `json:"message"`
	Details map[string]any `json:"details"`
}

// refuse makes a call that must fail.
func (b *bench) refuse(tool string, in any) refusal {
	b.t.Helper()
	r := b.respond(tool, in)
	if !r.IsError {
		b.t.Fatalf("%s %v succeeded: %s", tool, in, r.Text)
	}
	var e refusal
	if err := json.Unmarshal([]byte(r.Text), &e); err != nil {
		b.t.Fatal(err)
	}
	return e
}

func (b *bench) create(entities ...NewEntity) {
	b.t.Helper()
	for i := range entities {
		if entities[i].EntityType == "" {
			entities[i].EntityType = "thing"
		}
		if entities[i].Observations == nil {
			entities[i].Observations = []string{}
		}
	}
	b.call("create_entities", CreateEntitiesInput{Entities: entities})
}

func (b *bench) relate(relations ...Relation) {
	b.t.Helper()
	b.call("create_relations", CreateRelationsInput{Relations: relations})
}

func (b *bench) write(f func(*store.Tx) error) {
	b.t.Helper()
	if err := b.store.Write(context.Background(), f); err != nil {
		b.t.Fatal(err)
	}
}

func same(t testing.TB, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}
