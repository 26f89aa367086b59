package memory

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"toolkit/embed"
	"toolkit/internal/toolstest"
	"toolkit/store"
	"toolkit/tools"
)

// noon is when every test begins.
var noon = time.Date(2026, 1, 15, 12, 0, 0, 0, time.UTC)

type args = toolstest.Args

// bench is the family over a database of its own.
type bench struct {
	*toolstest.Bench
	deps   Deps
	family tools.Family
}

func newBench(t testing.TB, change ...func(*Deps)) *bench { return openBench(t, "", change...) }

// openBench opens a database, a new one without a path.
func openBench(t testing.TB, path string, change ...func(*Deps)) *bench {
	t.Helper()
	b := &bench{Bench: toolstest.NewBench(t, toolstest.NewClock(noon), store.Options{Path: path})}
	b.deps = Deps{Store: b.Store}
	for _, f := range change {
		f(&b.deps)
	}
	if b.deps.Search == nil {
		searchWith(t, embed.Off())(&b.deps)
	}
	b.family = New(b.deps)
	b.BuildPipeline(b.family)
	return b
}

// refuse expects an error of a type whose details contain a text.
func (b *bench) refuse(tool string, in any, kind, details string) *tools.Response {
	b.T.Helper()
	var e struct{ Error, Details, Tool string }
	r := b.CallRefused(tool, in, &e)
	if e.Error != kind || !strings.Contains(e.Details, details) || e.Tool != tool {
		b.T.Fatalf("%s(%v) gave %q, %q of %s; want %q, %q", tool, in, e.Error, e.Details, e.Tool, kind, details)
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
	b.T.Helper()
	out := b.Call(tool, in)
	for _, key := range []string{"id", "added_id"} {
		if id, ok := out[key].(float64); ok {
			return int64(id)
		}
	}
	b.T.Fatalf("%s gave no id: %v", tool, out)
	return 0
}

func (b *bench) say(session, speaker, content string) int64 {
	b.T.Helper()
	return b.id(dialogueName, args{"session_id": session, "speaker": speaker, "content": content})
}

func (b *bench) insight(content string, sources ...int64) int64 {
	b.T.Helper()
	if sources == nil {
		sources = []int64{}
	}
	return b.id(compressName, args{"content": content, "source_ids": sources})
}

// read reads a resource and returns its object.
func (b *bench) read(address string) (args, error) {
	b.T.Helper()
	u, err := url.Parse(address)
	if err != nil {
		b.T.Fatal(err)
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
			b.T.Fatalf("%s is no JSON: %s", address, text)
		}
		return object, nil
	}
	b.T.Fatalf("there is no resource %s", bare)
	return nil, nil
}

// contents reads a resource that must be readable.
func (b *bench) contents(address string) []args {
	b.T.Helper()
	object, err := b.read(address)
	if err != nil {
		b.T.Fatalf("%s: %v", address, err)
	}
	raw, ok := object["contents"].([]any)
	if !ok {
		b.T.Fatalf("%s: contents are %v", address, object["contents"])
	}
	list := make([]args, len(raw))
	for i, one := range raw {
		list[i] = one.(args)
	}
	return list
}

// shows requires that a resource shows the rows of these ids, by query.
func (b *bench) shows(address string, tests map[string]string) {
	b.T.Helper()
	for query, want := range tests {
		if got := values(b.contents(address+"?"+query), "id"); got != want {
			b.T.Errorf("%q shows %s, want %s", query, got, want)
		}
	}
}

// values are one field of each entry, in order, in one string.
func values(list []args, field string) string {
	parts := make([]string, len(list))
	for i, one := range list {
		parts[i] = fmt.Sprint(one[field])
	}
	return strings.Join(parts, " ")
}
