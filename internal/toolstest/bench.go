// Package toolstest is the bench on which the tests of every family of tools
// stand, and what they require alike. Only tests import it.
package toolstest

import (
	"context"
	"encoding/json"
	"path/filepath"
	"sync"
	"testing"
	"time"

	_ "toolkit/internal/storetest" // lets the tests run on another engine
	_ "toolkit/internal/testenv"   // temporary folders lie in memory
	"toolkit/store"
	"toolkit/tools"
)

// Args are the arguments of a call, or a result as generic JSON.
type Args = map[string]any

// Clock is a time that tests set.
type Clock struct {
	mu sync.Mutex
	at time.Time
}

// NewClock is a clock that stands at a moment.
func NewClock(at time.Time) *Clock { return &Clock{at: at} }

// Now is the moment at which the clock stands.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

// Set moves the clock to a moment.
func (c *Clock) Set(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = at
}

// Advance moves the clock on.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// NewLeapingClock is a time that leaps an hour at every look, so that no rate limit
// is ever reached.
func NewLeapingClock(from time.Time) func() time.Time {
	c := NewClock(from)
	return func() time.Time {
		c.Advance(time.Hour)
		return c.Now()
	}
}

// Bench is tools over a database of their own, called as a client calls them.
type Bench struct {
	T        testing.TB
	Clock    *Clock // of the store and, unless Options say otherwise, of the pipeline
	Store    *store.DB
	Options  tools.ServerOptions // of the pipeline; to be changed before Serve
	Registry *tools.Registry
	Pipeline *tools.Pipeline
	Heard    func(*tools.Response) // optional: is shown every response
}

// NewBench opens a database, a new one unless o.Path names one, and closes it
// when the test ends. Serve gives the bench its tools.
func NewBench(t testing.TB, clock *Clock, o store.Options) *Bench {
	t.Helper()
	if o.Path == "" {
		o.Path = filepath.Join(t.TempDir(), "test.db")
	}
	o.Now = clock.Now
	db, err := store.Open(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return &Bench{T: t, Clock: clock, Store: db, Options: tools.ServerOptions{TimeoutFactor: 60, Now: clock.Now, Classify: tools.ToStorageError}}
}

// BuildPipeline offers the tools of families, and of no others.
func (b *Bench) BuildPipeline(families ...tools.Family) {
	b.T.Helper()
	var err error
	if b.Registry, err = tools.NewRegistry(families...); err != nil {
		b.T.Fatal(err)
	}
	b.Options.Registry = b.Registry
	if b.Pipeline, err = tools.NewPipeline(b.Options); err != nil {
		b.T.Fatal(err)
	}
}

// Send makes a call and returns whatever comes back.
func (b *Bench) Send(ctx context.Context, request tools.Request) *tools.Response {
	b.T.Helper()
	r, err := b.Pipeline.Call(ctx, request)
	if err != nil {
		b.T.Fatal(err)
	}
	if b.Heard != nil {
		b.Heard(r)
	}
	b.checkSuggestions(request.Tool, r)
	return r
}

// CallAllowingRefusal calls a tool with in as JSON and returns whatever comes back.
func (b *Bench) CallAllowingRefusal(tool string, in any) *tools.Response {
	b.T.Helper()
	raw, err := json.Marshal(in)
	if err != nil {
		b.T.Fatal(err)
	}
	return b.Send(context.Background(), tools.Request{Tool: tool, Arguments: raw})
}

// CallAccepted makes a call that must succeed.
func (b *Bench) CallAccepted(tool string, in any) *tools.Response {
	b.T.Helper()
	r := b.CallAllowingRefusal(tool, in)
	if r.IsError {
		b.T.Fatalf("%s(%v) failed: %s", tool, in, r.Text)
	}
	return r
}

// Call makes a call that must succeed and returns its result.
func (b *Bench) Call(tool string, in any) Args {
	b.T.Helper()
	var out Args
	Decode(b.T, b.CallAccepted(tool, in).Data, &out)
	return out
}

// CallRefused makes a call that must fail and decodes what the error says, which is
// an object of the family's dialect.
func (b *Bench) CallRefused(tool string, in, object any) *tools.Response {
	b.T.Helper()
	r := b.CallAllowingRefusal(tool, in)
	if !r.IsError {
		b.T.Fatalf("%s(%v) succeeded: %s", tool, in, r.Text)
	}
	Decode(b.T, []byte(r.Text), object)
	return r
}
