package pockets

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"toolkit/internal/pocketdata"
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

// published is the moment of the source's examples.
var published = at("2026-06-06T08:18:42Z")

func at(text string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		panic(err)
	}
	return t
}

// bench is the family over a database of its own.
type bench struct {
	t        testing.TB
	clock    *clock
	store    *store.DB
	registry *tools.Registry
	pipeline *tools.Pipeline
}

func newBench(t testing.TB) *bench { return openBench(t, Deps{}) }

func openBench(t testing.TB, d Deps) *bench {
	t.Helper()
	b := &bench{t: t, clock: &clock{at: published}}
	var err error
	if b.store, err = store.Open(context.Background(), store.Options{Path: filepath.Join(t.TempDir(), "test.db"), Now: b.clock.now}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.store.Close() })
	d.Store = b.store
	if b.registry, err = tools.NewRegistry(New(d)); err != nil {
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

// refuse expects an error of a text.
func (b *bench) refuse(tool string, in any, want string) {
	b.t.Helper()
	if r := b.respond(tool, in); !r.IsError || r.Text != want {
		b.t.Errorf("%s(%v) says %q (error %v), want %q", tool, in, r.Text, r.IsError, want)
	}
}

// city is a data set of somebody else.
var city = store.Dataset{
	Name: "city-sensors", Source: "city sensors", SourceURL: "https://sensors.example", License: "CC BY 4.0", LicenseURL: "https://sensors.example/licence", AttributionRequired: true,
}

// store writes rows as the data set's.
func (b *bench) put(d store.Dataset, batch pocketdata.Batch) {
	b.t.Helper()
	err := b.store.Write(context.Background(), func(tx *store.Tx) error {
		d, err := tx.PutDataset(d)
		if err != nil {
			return err
		}
		_, err = pocketdata.Store(tx, &batch, d.Seq)
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

// reading is one of a pocket, calm and otherwise plain.
func reading(pocket string, when time.Time, calm float64) store.Reading {
	return store.Reading{Pocket: pocket, CapturedAt: when.UnixMilli(), Stress: 0.18, Calm: calm, SocialEnergy: 0.42, Productive: 0.68, PrimaryState: "calm-productive"}
}

// steps are readings fifteen minutes apart, the last at a moment.
func steps(pocket string, last time.Time, calm ...float64) []store.Reading {
	var list []store.Reading
	for i, c := range calm {
		list = append(list, reading(pocket, last.Add(time.Duration(i-len(calm)+1)*15*time.Minute), c))
	}
	return list
}

// publishedReadings are readings from which the published examples of cluny
// follow.
func publishedReadings() []store.Reading {
	list := steps("cluny", at("2026-06-06T08:15:00Z"),
		.52, .53, .55, .56, .57, .59, .60, .62, .63, .64, .66, .67, .69, .70, .73, .74)
	for i := range list {
		list[i].Saturation = new(0.18)
	}
	return list
}

const plainVanilla = "5f0c5a54-6d0e-4c6c-9a6e-0d3b1f6f2a11"

func bakery(id, name string) store.Outlet {
	return store.Outlet{ID: id, Pocket: "cluny", Name: name, Unit: "#01-15", OpensAt: "08:00", ClosesAt: "20:00", Category: "bakery", Active: true}
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

// sameJSON compares a result with the source's text.
func sameJSON(t testing.TB, what string, got any, want string) {
	t.Helper()
	var w any
	if err := json.Unmarshal([]byte(want), &w); err != nil {
		t.Fatal(err)
	}
	if g := text(got); g != text(w) {
		t.Errorf("%s is\n%s\nwant\n%s", what, g, text(w))
	}
}
