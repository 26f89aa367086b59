package rpc

import (
	"bufio"
	compare "cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// bubble runs a test with its own clock. It ends only when every goroutine started in it has ended, and fails if one
// never does: each such test also is a test for leaks.
func bubble(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, test)
}

// testServer is a small MCP server whose blocking tool the test controls.
type testServer struct {
	*server.MCPServer
	started chan string // the argument of each call of "block" or "write_block" that has begun
	release chan struct{}

	mu  sync.Mutex
	log []string // what the writing tools did, in order
}

func (s *testServer) record(entry string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log = append(s.log, entry)
}

func (s *testServer) recorded() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string{}, s.log...)
}

func (s *testServer) Writes(tool string) bool { return strings.HasPrefix(tool, "write") }

type toolFunc func(ctx context.Context, text string) (*mcp.CallToolResult, error)

func newTestServer() *testServer {
	s := &testServer{
		MCPServer: server.NewMCPServer("test", "1",
			server.WithToolCapabilities(true),
			server.WithResourceCapabilities(true, true),
			server.WithPromptCapabilities(true),
			server.WithLogging()),
		started: make(chan string, 1000),
		release: make(chan struct{}),
	}
	block := func(ctx context.Context, text string) (*mcp.CallToolResult, error) {
		s.started <- text
		select {
		case <-s.release:
			s.record(text)
			return mcp.NewToolResultText("released"), nil
		case <-ctx.Done():
			return mcp.NewToolResultText(context.Cause(ctx).Error()), nil
		}
	}
	tools := map[string]toolFunc{
		"echo": func(_ context.Context, text string) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultText(text), nil
		},
		"write": func(_ context.Context, text string) (*mcp.CallToolResult, error) {
			s.record(text)
			return mcp.NewToolResultText("written"), nil
		},
		"write_slow": func(_ context.Context, text string) (*mcp.CallToolResult, error) {
			duration, err := time.ParseDuration(text)
			if err != nil {
				return nil, err
			}
			<-time.After(duration) // on the bubble's own clock
			return mcp.NewToolResultText("slept"), nil
		},
		"block":       block,
		"write_block": block,
		"stubborn": func(_ context.Context, text string) (*mcp.CallToolResult, error) {
			s.started <- text
			<-s.release
			return mcp.NewToolResultText("released"), nil
		},
		"panic": func(context.Context, string) (*mcp.CallToolResult, error) { panic("a secret path") },
		"nan": func(context.Context, string) (*mcp.CallToolResult, error) {
			zero := 0.0
			return &mcp.CallToolResult{StructuredContent: map[string]any{"x": zero / zero}}, nil
		},
		"unmarshalable": func(context.Context, string) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{StructuredContent: panickingValue{}}, nil
		},
	}
	for name, f := range tools {
		s.tool(name, f)
	}
	s.AddResource(mcp.Resource{URI: "test://one", Name: "one"},
		func(ctx context.Context, r mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			return []mcp.ResourceContents{mcp.TextResourceContents{URI: r.Params.URI, Text: strings.Join(s.recorded(), ",")}}, nil
		})
	return s
}

type panickingValue struct{}

func (panickingValue) MarshalJSON() ([]byte, error) { panic("a secret value") }

func (s *testServer) tool(name string, f toolFunc) {
	s.AddTool(mcp.Tool{Name: name, RawInputSchema: json.RawMessage(`{"type":"object"}`)},
		func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return f(ctx, r.GetString("text", ""))
		})
}

// testOptions make the limits of a transport smaller, where they are given.
type testOptions struct {
	MaxLine    int
	MaxWaiting int64
	Grace      time.Duration
	Logger     *slog.Logger
}

func (o testOptions) transport(s Server) *Stdio {
	t := NewStdio(s, &Scheduler{}, compare.Or(o.Logger, slog.New(slog.DiscardHandler)))
	t.limits = limits{line: compare.Or(o.MaxLine, defaultLimits.line), waiting: compare.Or(o.MaxWaiting, defaultLimits.waiting), grace: compare.Or(o.Grace, defaultLimits.grace)}
	return t
}

// client is the other end of a Serve.
type client struct {
	t         *testing.T
	transport *Stdio
	in        *io.PipeWriter
	out       *io.PipeReader
	lines     chan string
	err       chan error
	cancel    context.CancelFunc
}

// connect serves s to a client that reads everything.
func connect(t *testing.T, s *testServer, options testOptions) *client {
	t.Helper()
	c := connectSilent(t, s, options)
	go func() {
		defer close(c.lines)
		scanner := bufio.NewScanner(c.out)
		scanner.Buffer(nil, 64<<20)
		for scanner.Scan() {
			c.lines <- scanner.Text()
		}
	}()
	return c
}

// connectSilent serves s to a client that reads nothing by itself.
func connectSilent(t *testing.T, s *testServer, options testOptions) *client {
	t.Helper()
	input, in := io.Pipe()
	out, output := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	c := &client{t: t, transport: options.transport(s), in: in, out: out, cancel: cancel,
		lines: make(chan string, 100_000), err: make(chan error, 1)}
	go func() {
		c.err <- c.transport.Serve(ctx, input, output)
		input.Close() // a process would exit now
		output.Close()
	}()
	t.Cleanup(cancel)
	return c
}

// send writes lines, as a client that does not wait for answers does.
func (c *client) send(lines ...string) {
	c.t.Helper()
	if _, err := io.WriteString(c.in, strings.Join(lines, "\n")+"\n"); err != nil {
		c.t.Fatalf("send: %v", err)
	}
}

// next returns the next line of output, which has to come.
func (c *client) next() string {
	c.t.Helper()
	line, ok := <-c.lines
	if !ok {
		c.t.Fatal("the output ended")
	}
	return line
}

// end closes the input, and returns the rest of the output.
func (c *client) end() []string {
	c.t.Helper()
	c.in.Close()
	lines, err := c.wait()
	if err != nil {
		c.t.Fatalf("Serve: %v", err)
	}
	return lines
}

// wait waits for Serve to return, and returns the rest of the output.
func (c *client) wait() ([]string, error) {
	err := <-c.err
	var lines []string
	for line := range c.lines {
		lines = append(lines, line)
	}
	return lines, err
}

// wantSilence fails if the server says anything before it has come to rest.
func (c *client) wantSilence() {
	c.t.Helper()
	synctest.Wait()
	select {
	case line := <-c.lines:
		c.t.Errorf("unexpected output: %s", line)
	default:
	}
}

// wantStarted waits for the next blocking call.
func (s *testServer) wantStarted(t *testing.T, text string) {
	t.Helper()
	if got := <-s.started; got != text {
		t.Errorf("the call %q started, want %q", got, text)
	}
}

func toolCall(id any, tool, text string) string {
	return request(id, "tools/call", map[string]any{"name": tool, "arguments": map[string]any{"text": text}})
}

func request(id any, method string, params any) string {
	return encode(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

// modern is a request of protocol version 2026-07-28, which carries its own handshake.
func modern(id any, method string, params map[string]any) string {
	params = maps.Clone(params)
	params["_meta"] = map[string]any{
		mcp.MetaKeyProtocolVersion:    mcp.LATEST_PROTOCOL_VERSION,
		mcp.MetaKeyClientCapabilities: map[string]any{},
	}
	return request(id, method, params)
}

func cancelled(id any) string {
	return encode(map[string]any{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": map[string]any{"requestId": id}})
}

var initialize = request(0, "initialize", map[string]any{
	"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "c", "version": "1"}})

func encode(value any) string {
	data, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// answer is what the tests look at in a line of output.
type answer struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  map[string]any  `json:"params"`
	Result  map[string]any  `json:"result"`
	Error   *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

func decode(t *testing.T, line string) answer {
	t.Helper()
	var a answer
	if err := json.Unmarshal([]byte(line), &a); err != nil || a.JSONRPC != "2.0" {
		t.Fatalf("%q is no JSON-RPC message: %v", line, err)
	}
	return a
}

// text returns the text content of the result of a tool.
func (a answer) text() string {
	content, _ := a.Result["content"].([]any)
	if len(content) == 0 {
		return fmt.Sprintf("no content: %+v", a)
	}
	text, _ := content[0].(map[string]any)["text"].(string)
	return text
}

// summary is an answer as "id:text", "id:error code" or "method".
func summary(t *testing.T, line string) string {
	t.Helper()
	a := decode(t, line)
	switch {
	case a.Method != "":
		return a.Method
	case a.Error != nil:
		return fmt.Sprintf("%s:error %d", a.ID, a.Error.Code)
	case a.Result["content"] != nil:
		return fmt.Sprintf("%s:%s", a.ID, a.text())
	}
	return fmt.Sprintf("%s:result", a.ID)
}

func wantLines(t *testing.T, lines []string, want ...string) {
	t.Helper()
	got := []string{}
	for _, line := range lines {
		got = append(got, summary(t, line))
	}
	if diff := cmp.Diff(append([]string{}, want...), got); diff != "" {
		t.Errorf("output (-want +got):\n%s", diff)
	}
}

func wantEqual[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// oddServer gives every message the same answer.
type oddServer struct {
	*testServer
	answer func() any
}

func (s oddServer) HandleMessage(context.Context, json.RawMessage) mcp.JSONRPCMessage {
	return s.answer()
}
