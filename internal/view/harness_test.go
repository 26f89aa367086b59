package view

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"toolkit/embed"
	_ "toolkit/internal/storetest" // new databases begin as copies of one
	"toolkit/internal/testenv"
	"toolkit/internal/toolstest"
	"toolkit/store"
	"toolkit/store/localfile"
	"toolkit/tools"
	"toolkit/tools/charts"
	"toolkit/tools/entities"
	"toolkit/tools/forget"
	"toolkit/tools/graph"
	"toolkit/tools/memory"
	"toolkit/tools/recall"
)

// bench is a running view over a database of its own.
type bench struct {
	t      *testing.T
	store  *store.DB
	folder string // that files may be uploaded from
	search *memory.Search
	writer *tools.Pipeline // what an assistant would use
	server *Server
	base   string // http://127.0.0.1:port
	entry  string // the address that is printed
	client *http.Client
	clock  time.Time // of the store; zero: the time it is
	stop   context.CancelFunc
	ended  chan error
}

func newBench(t *testing.T, change ...func(*Options)) *bench {
	t.Helper()
	return newWritingBench(t, append(change, func(o *Options) { o.Writer = nil })...)
}

// newWritingBench is newBench of a page that may change things.
func newWritingBench(t *testing.T, change ...func(*Options)) *bench {
	t.Helper()
	b := &bench{t: t, folder: t.TempDir(), ended: make(chan error, 1)}
	var err error
	if b.store, err = store.Open(t.Context(), store.Options{Path: filepath.Join(t.TempDir(), "test.db"), Now: b.now}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.store.Close() })
	search := memory.NewSearch(b.store, embed.Off())
	b.search = search
	t.Cleanup(func() { search.Close() })
	b.writer = b.pipeline(search, tools.Access{})
	o := Options{Store: b.store, Pipeline: b.pipeline(search, tools.Access{ReadOnly: true}), Writer: b.writer, Version: "1.2.3"}
	for _, f := range change {
		f(&o)
	}
	b.server = New(o)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b.base, b.entry = "http://"+listener.Addr().String(), b.server.Address(listener)
	ctx, stop := context.WithCancel(context.Background())
	b.stop = stop
	go func() { b.ended <- b.server.Serve(ctx, listener) }()
	t.Cleanup(stop)
	b.client = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	t.Cleanup(b.client.CloseIdleConnections)
	return b
}

func (b *bench) now() time.Time {
	if b.clock.IsZero() {
		return time.Now()
	}
	return b.clock
}

func (b *bench) pipeline(search *memory.Search, access tools.Access) *tools.Pipeline {
	b.t.Helper()
	remembering := memory.Deps{Store: b.store, Search: search}
	registry, err := tools.NewRegistry(
		forget.New(forget.Deps{Store: b.store, Deleters: tools.JoinDeleters(graph.Deleters(), memory.Deleters(), entities.Deleters())}),
		charts.New(charts.Deps{Store: b.store}), graph.New(graph.Deps{Store: b.store}),
		memory.New(remembering), entities.New(entities.Deps{Store: b.store, Files: entities.Files{Roots: localfile.Roots{Folders: []string{b.folder}}, EngineCache: testenv.EngineCache()}}),
		recall.New(recall.Deps{Store: b.store, Remember: remembering.Remember, SearchProviders: []tools.SearchProvider{memory.SearchProvider(nil), graph.SearchProvider(), entities.SearchProvider()}}))
	if err != nil {
		b.t.Fatal(err)
	}
	p, err := tools.NewPipeline(tools.ServerOptions{Registry: registry, Access: access, TimeoutFactor: 60, Classify: tools.ToStorageError})
	if err != nil {
		b.t.Fatal(err)
	}
	return p
}

// remember calls a tool that writes and returns its result.
func (b *bench) remember(tool string, in arguments) map[string]any {
	b.t.Helper()
	raw := []byte(toolstest.EncodeJSON(in))
	r, err := b.writer.Call(b.t.Context(), tools.Request{Tool: tool, Arguments: raw})
	if err != nil || r.IsError {
		b.t.Fatalf("%s: %v %v", tool, err, r)
	}
	var out map[string]any
	toolstest.Decode(b.t, r.Data, &out)
	return out
}

// lockedBuffer collects what several goroutines write.
type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// reply is an answer with its body read.
type reply struct {
	*http.Response
	body string
}

// send makes a request; change may alter it.
func (b *bench) send(method, url string, change ...func(*http.Request)) reply {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), method, url, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, f := range change {
		f(r)
	}
	answer, err := b.client.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return reply{answer, string(body)}
}

func header(name, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

// enter redeems the token and returns the cookie to send from then on.
func (b *bench) enter() func(*http.Request) {
	b.t.Helper()
	r := b.send("GET", b.entry)
	if len(r.Cookies()) != 1 {
		b.t.Fatalf("status %d, cookies %v", r.StatusCode, r.Cookies())
	}
	cookie := r.Cookies()[0]
	return func(r *http.Request) { r.AddCookie(cookie) }
}

// viewReader asks endpoints within a session.
type viewReader struct {
	*bench
	session func(*http.Request)
}

func (b *bench) reader() viewReader { return viewReader{b, b.enter()} }

// ask expects an answer and decodes it.
func ask[T any](r viewReader, path string) T {
	r.t.Helper()
	var out T
	answer := r.send("GET", r.base+"/api/"+path, r.session)
	if answer.StatusCode != http.StatusOK {
		r.t.Fatalf("%s: %d %s", path, answer.StatusCode, answer.body)
	}
	if err := json.Unmarshal([]byte(answer.body), &out); err != nil {
		r.t.Fatalf("%s: %v in %s", path, err, answer.body)
	}
	return out
}

// refused expects a failure and returns its message.
func (r viewReader) refused(path string, status int) string {
	r.t.Helper()
	answer := r.send("GET", r.base+"/api/"+path, r.session)
	var out struct {
		Error struct{ Message string }
	}
	if err := json.Unmarshal([]byte(answer.body), &out); err != nil || answer.StatusCode != status || out.Error.Message == "" {
		r.t.Fatalf("%s: status %d, want %d: %s", path, answer.StatusCode, status, answer.body)
	}
	if strings.Contains(out.Error.Message, "SQL") {
		r.t.Errorf("%s: the message speaks of the inside: %s", path, out.Error.Message)
	}
	return out.Error.Message
}
