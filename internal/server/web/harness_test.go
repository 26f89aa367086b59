package web

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"toolkit/internal/server/rpc"
	"toolkit/tools"
)

type in struct {
	PocketID string `json:"pocket_id,omitempty" jsonschema:"maxLength=20" jsonschema_description:"A pocket"`
	N        int    `json:"n,omitempty" jsonschema:"minimum=0,maximum=1000" jsonschema_description:"How often"`
}

type out struct {
	PocketID string `json:"pocket_id" jsonschema_description:"The pocket"`
}

// world is a server over a family that does as tests need, behind a port.
type world struct {
	t      testing.TB
	server *Server
	url    string
	clock  atomic.Int64 // seconds

	started chan string   // a tool that waits has begun
	release chan struct{} // lets it end
	ended   chan error    // why its context ended, nil if released
	writing atomic.Int32
}

func define(name string, category tools.Category, handle func(context.Context, in) (out, error)) *tools.Definition {
	return tools.Define(tools.Tool[in, out]{
		Name: name, Title: name, Description: "Does what a test of the transport needs, and nothing that anybody else would.",
		Permissions: []tools.Permission{}, Category: category, ResponseTime: tools.Slow, Idempotent: true,
		Version: "1.0.0", Tags: []string{"test"}, Examples: []tools.Example[in, out]{{Description: "a call"}},
		Handle: func(ctx context.Context, given in) (tools.Result[out], error) {
			result, err := handle(ctx, given)
			hints := tools.NewHints(tools.NewReadEvidence(1)).SuggestCall("echo", tools.PriorityLow, nil, "again").Because("a test asked")
			return tools.Result[out]{Data: result, Hints: hints, Voice: "said " + result.PocketID, Meta: map[string]any{"source": "local-demo"}}, err
		},
	})
}

func (w *world) family(legitimacy bool) tools.Family {
	list := []*tools.Definition{
		define("echo", tools.Query, func(_ context.Context, given in) (out, error) { return out{given.PocketID}, nil }),
		define("hold", tools.Query, func(ctx context.Context, given in) (out, error) {
			w.started <- "hold"
			select {
			case <-w.release:
				w.ended <- nil
				return out{given.PocketID}, nil
			case <-ctx.Done():
				w.ended <- context.Cause(ctx)
				return out{}, ctx.Err()
			}
		}),
		define("count", tools.Query, func(ctx context.Context, given in) (out, error) {
			for i := range given.N {
				tools.ReportProgress(ctx, float64(i+1), float64(given.N), "")
			}
			return out{"counted"}, nil
		}),
		define("write_it", tools.Mutation, func(context.Context, in) (out, error) {
			if w.writing.Add(1) > 1 {
				return out{}, tools.Refused("OVERLAP", "", "", "two writes ran at a time")
			}
			defer w.writing.Add(-1)
			runtime.Gosched()
			return out{"written"}, nil
		}),
	}
	if legitimacy {
		list = append(list, define("score_legitimacy", tools.Analysis, func(_ context.Context, given in) (out, error) {
			switch given.PocketID {
			case "":
				return out{}, tools.Invalid(tools.CodeMissing, "pocket_id", "required", "pocket_id is required")
			case "nowhere":
				return out{}, tools.Refused("NOT_FOUND", "", "", "there is no such pocket")
			case "broken":
				panic("a secret")
			}
			return out{given.PocketID}, nil
		}))
	}
	return tools.Family{
		Name: "test", Subject: "nothing", Dialect: tools.FormatStandardError, Tools: list,
		Resources: []tools.ServedResource{{
			URI: "test://one", Name: "one", Title: "One", Description: "A document.", MIMEType: "text/plain",
			Read: func(context.Context, *url.URL) (string, error) { return "text", nil },
		}},
	}
}

// newServer builds the server without a port.
func newServer(t testing.TB, o Options, access tools.Access) *world {
	t.Helper()
	w := &world{t: t, started: make(chan string, 100), release: make(chan struct{}), ended: make(chan error, 100)}
	registry, err := tools.NewRegistry(w.family(true))
	if err != nil {
		t.Fatal(err)
	}
	s, err := tools.NewServer(tools.ServerOptions{Registry: registry, Version: "9.9.9", Access: access}, func(ctx context.Context, method string, params map[string]any) error {
		return rpc.Notify(ctx, method, params)
	})
	if err != nil {
		t.Fatal(err)
	}
	w.server = New(s, o)
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	w.server.now = func() time.Time { return start.Add(time.Duration(w.clock.Load()) * time.Second) }
	return w
}

func newWorld(t *testing.T, o Options) *world {
	t.Helper()
	w := newServer(t, o, tools.Access{})
	port := httptest.NewServer(w.server)
	t.Cleanup(func() {
		w.server.cancelCalls(rpc.ErrShutdown)
		port.CloseClientConnections()
		port.Close()
	})
	w.url = port.URL
	return w
}

type answer struct {
	status int
	header http.Header
	body   string
}

func (a answer) json(t testing.TB) map[string]any {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal([]byte(a.body), &m); err != nil {
		t.Fatalf("%q is not JSON: %v", a.body, err)
	}
	return m
}

// errorCode is the code of a JSON-RPC error, 0 for a result.
func (a answer) errorCode(t testing.TB) int {
	t.Helper()
	e, ok := a.json(t)["error"].(map[string]any)
	if !ok {
		return 0
	}
	return int(e["code"].(float64))
}

func (w *world) request(ctx context.Context, method, path, body string, headers ...string) *http.Request {
	w.t.Helper()
	r, err := http.NewRequestWithContext(ctx, method, w.url+path, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		}
		r.Header.Set(headers[i], headers[i+1])
	}
	return r
}

func (w *world) do(method, path, body string, headers ...string) answer {
	w.t.Helper()
	response, err := http.DefaultClient.Do(w.request(w.t.Context(), method, path, body, headers...))
	if err != nil {
		w.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return answer{response.StatusCode, response.Header, string(text)}
}

func (w *world) post(body string, headers ...string) answer {
	w.t.Helper()
	return w.do(http.MethodPost, PathMCP, body, headers...)
}

// background makes a request and hands over its answer when it comes.
func (w *world) background(ctx context.Context, body string, headers ...string) <-chan answer {
	w.t.Helper()
	r := w.request(ctx, http.MethodPost, PathMCP, body, headers...)
	got := make(chan answer, 1)
	go func() {
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			got <- answer{body: err.Error()}
			return
		}
		defer response.Body.Close()
		text, _ := io.ReadAll(response.Body)
		got <- answer{response.StatusCode, response.Header, string(text)}
	}()
	return got
}

func rpcMessage(id any, method string, params any) string {
	message := map[string]any{"jsonrpc": "2.0", "method": method}
	if id != nil {
		message["id"] = id
	}
	if params != nil {
		message["params"] = params
	}
	text, err := json.Marshal(message)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func call(id any, tool string, arguments map[string]any) string {
	return rpcMessage(id, "tools/call", map[string]any{"name": tool, "arguments": arguments})
}

const modernVersion = "2026-07-28"

// modernCall is a message of revision 2026-07-28, with the headers it needs.
func modernCall(id any, method string, params map[string]any) (body string, headers []string) {
	params["_meta"] = map[string]any{
		"io.modelcontextprotocol/protocolVersion":    modernVersion,
		"io.modelcontextprotocol/clientInfo":         map[string]any{"name": "test", "version": "1"},
		"io.modelcontextprotocol/clientCapabilities": map[string]any{},
	}
	headers = []string{"MCP-Protocol-Version", modernVersion, "Mcp-Method", method}
	if name, ok := params["name"].(string); ok {
		headers = append(headers, "Mcp-Name", name)
	}
	return rpcMessage(id, method, params), headers
}

const initializeBody = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`

// begin starts a session and returns the headers that name it.
func (w *world) begin() []string {
	w.t.Helper()
	a := w.post(initializeBody)
	id := a.header.Get("Mcp-Session-Id")
	if a.status != http.StatusOK || id == "" {
		w.t.Fatalf("initialize: %+v", a)
	}
	return []string{"Mcp-Session-Id", id, "MCP-Protocol-Version", "2025-11-25"}
}

// events reads the messages of a stream, one a call.
type events struct {
	t        testing.TB
	response *http.Response
	lines    *bufio.Scanner
}

func (w *world) stream(r *http.Request) *events {
	w.t.Helper()
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { response.Body.Close() })
	if kind := response.Header.Get("Content-Type"); kind != "text/event-stream" {
		text, _ := io.ReadAll(response.Body)
		w.t.Fatalf("no stream but %s, %s: %s", response.Status, kind, text)
	}
	return &events{w.t, response, bufio.NewScanner(response.Body)}
}

// next returns the next message, or nil at the end of the stream.
func (e *events) next() map[string]any {
	e.t.Helper()
	for e.lines.Scan() {
		if text, ok := strings.CutPrefix(e.lines.Text(), "data: "); ok {
			var m map[string]any
			if err := json.Unmarshal([]byte(text), &m); err != nil {
				e.t.Fatalf("%q is not JSON: %v", text, err)
			}
			return m
		}
	}
	return nil
}

func path(m any, keys ...string) any {
	for _, key := range keys {
		object, ok := m.(map[string]any)
		if !ok {
			return nil
		}
		m = object[key]
	}
	return m
}

const acceptBoth = "application/json, text/event-stream"

func wantStatus(t *testing.T, what string, a answer, status int) {
	t.Helper()
	if a.status != status {
		t.Errorf("%s: %d %s, want %d", what, a.status, a.body, status)
	}
}

func text(v any) string { return fmt.Sprint(v) }

// started is a new session of a caller, in use.
func started(t *testing.T, w *world, caller string) *session {
	t.Helper()
	one := newSession(rpc.NewClient(rand.Text(), w.server.base.turns.NewQueue()), caller)
	if _, room := w.server.base.sessions.acquireOrCreateEntry(one.SessionID(), func() *session { return one }); !room {
		t.Fatal("there is no room for a session")
	}
	return one
}

// entered is the session of an id, in use.
func entered(t *testing.T, w *world, id string) *session {
	t.Helper()
	one, found := w.server.base.sessions.acquireOrCreateEntry(id, nil)
	if !found {
		t.Fatalf("there is no session %s", id)
	}
	return one
}
