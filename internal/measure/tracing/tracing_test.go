package tracing

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"toolkit/tools"
)

// collector is a stand-in that keeps what it receives.
type collector struct {
	*httptest.Server
	mu       sync.Mutex
	spans    []*tracepb.Span
	raw      []byte
	requests []*http.Request
	answers  []int // statuses, one a request; then 200
}

func newCollector(t *testing.T, answers ...int) *collector {
	t.Helper()
	c := &collector{answers: answers}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		body, err := io.ReadAll(q.Body)
		if err != nil {
			t.Error(err)
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.requests = append(c.requests, q)
		if len(c.answers) > 0 {
			status := c.answers[0]
			c.answers = c.answers[1:]
			w.WriteHeader(status)
			return
		}
		var data tracepb.TracesData
		if err := proto.Unmarshal(body, &data); err != nil {
			t.Error(err)
		}
		c.raw = append(c.raw, body...)
		for _, r := range data.ResourceSpans {
			for _, s := range r.ScopeSpans {
				c.spans = append(c.spans, s.Spans...)
			}
		}
	}))
	t.Cleanup(c.Close)
	return c
}

func (c *collector) span(t *testing.T, name string) *tracepb.Span {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.spans {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("there is no span %s among %d", name, len(c.spans))
	return nil
}

type greetIn struct {
	Name string `json:"name" jsonschema:"required" jsonschema_description:"Whom to greet"`
}

type greetOut struct {
	Text string `json:"text"`
}

// server is one with a single tool, which fails for "nobody".
func server(t *testing.T, tracing *tools.Tracing) *tools.Server {
	t.Helper()
	greet := tools.Define(tools.Tool[greetIn, greetOut]{
		Name: "greet", Title: "Greet", Description: "Greets whoever is named, so that tests can see the spans of a call that ends well or not.",
		Permissions: []tools.Permission{}, Category: tools.Query, ResponseTime: tools.Fast, Idempotent: true, Version: "1.0.0", Tags: []string{"test"},
		Examples: []tools.Example[greetIn, greetOut]{{Description: "a greeting", Params: greetIn{"Anna"}, Result: greetOut{"Hello Anna"}}},
		Handle: func(_ context.Context, in greetIn) (tools.Result[greetOut], error) {
			if in.Name == "nobody" {
				return tools.Result[greetOut]{}, tools.Refused("NOT_FOUND", "name", "exists", "%s is not there", in.Name)
			}
			return tools.Result[greetOut]{Data: greetOut{"Hello " + in.Name}, Hints: tools.NewHints(tools.Read(1)).Because("asked")}, nil
		},
	})
	registry, err := tools.NewRegistry(tools.Family{Name: "greetings", Dialect: tools.StandardDialect, Tools: []*tools.Definition{greet}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := tools.NewServer(tools.ServerOptions{Registry: registry, Tracing: tracing}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func environment(values map[string]string) func(string) string {
	return func(name string) string { return values[name] }
}

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

const (
	parentTrace = "0af7651916cd43dd8448eb211c80319c"
	parentSpan  = "b7ad6b7169203331"
)

func callMessage(name string) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"greet","arguments":{"name":%q},"_meta":{"traceparent":"00-%s-%s-01"}}}`, name, parentTrace, parentSpan))
}

func TestCallsBecomeSpansOfTheCallersTraceWithoutTheirArguments(t *testing.T) {
	c := newCollector(t)
	e, err := New(t.Context(), environment(map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": c.URL, "OTEL_EXPORTER_OTLP_HEADERS": "x-key=a%20b, other=2"}), "1.2.3", quiet())
	if err != nil {
		t.Fatal(err)
	}
	s := server(t, e.Tracing())
	answer, err := json.Marshal(s.HandleMessage(t.Context(), callMessage("topsecret")))
	if err != nil || !strings.Contains(string(answer), `"traceId":"`+parentTrace+`"`) {
		t.Errorf("the answer does not name the trace: %s, %v", answer, err)
	}
	s.HandleMessage(t.Context(), callMessage("nobody"))
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	message, tool := c.span(t, "mcp.tools/call"), c.span(t, "tool.greet")
	if fmt.Sprintf("%x", message.TraceId) != parentTrace || fmt.Sprintf("%x", message.ParentSpanId) != parentSpan || string(tool.ParentSpanId) != string(message.SpanId) || message.Kind != tracepb.Span_SPAN_KIND_SERVER {
		t.Errorf("the spans are not the caller's: %v, %v", message, tool)
	}
	if q := c.requests[0]; q.URL.Path != "/v1/traces" || q.Header.Get("X-Key") != "a b" || q.Header.Get("Content-Type") != "application/x-protobuf" {
		t.Errorf("the request is %s with %v", q.URL.Path, q.Header)
	}
	for _, text := range []string{"topsecret", "nobody", "is not there"} {
		if strings.Contains(string(c.raw), text) {
			t.Errorf("%q left the machine", text)
		}
	}
	failed := 0
	for _, span := range c.spans {
		if span.Status.GetCode() == tracepb.Status_STATUS_CODE_ERROR && span.Name == "tool.greet" {
			failed++
			for _, a := range span.Attributes {
				if a.Key == "error.type" && a.Value.GetStringValue() != "NOT_FOUND" {
					t.Errorf("the error is %v", a.Value)
				}
			}
		}
	}
	if failed != 1 {
		t.Errorf("%d spans failed, want 1", failed)
	}
}

func TestWithoutAnEndpointNothingIsTraced(t *testing.T) {
	for name, env := range map[string]map[string]string{
		"nothing set": {}, "switched off": {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://x", "OTEL_SDK_DISABLED": "true"},
		"another exporter": {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://x", "OTEL_TRACES_EXPORTER": "none"},
	} {
		e, err := New(t.Context(), environment(env), "1", quiet())
		if err != nil || e != nil || e.Tracing() != nil || e.Close() != nil {
			t.Errorf("%s: %v, %v", name, e, err)
		}
	}
}

func TestMistakesInTheEnvironmentAreNamedWithoutTheirValues(t *testing.T) {
	for name, env := range map[string]map[string]string{
		"no address":       {"OTEL_EXPORTER_OTLP_ENDPOINT": "geheim:4318"},
		"another protocol": {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://x", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"},
		"headers":          {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://x", "OTEL_EXPORTER_OTLP_HEADERS": "geheim"},
		"a split header":   {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://x", "OTEL_EXPORTER_OTLP_HEADERS": "a=geheim%0d%0ab"},
		"a time":           {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://x", "OTEL_EXPORTER_OTLP_TIMEOUT": "geheim"},
	} {
		_, err := New(t.Context(), environment(env), "1", quiet())
		if err == nil || strings.Contains(err.Error(), "geheim") || !strings.Contains(err.Error(), "OTEL_") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestABusyCollectorIsAskedAgainAndARefusalIsNot(t *testing.T) {
	for name, test := range map[string]struct {
		answers  []int
		requests int
		fails    bool
	}{"busy once": {[]int{503}, 2, false}, "refused": {[]int{400}, 1, true}, "a redirect": {[]int{307}, 1, true}} {
		c := newCollector(t, test.answers...)
		target, err := targetFrom(environment(map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": c.URL + "/own/path"}))
		if err != nil {
			t.Fatal(err)
		}
		err = newClient(target).UploadTraces(t.Context(), nil)
		if len(c.requests) != test.requests || (err != nil) != test.fails || c.requests[0].URL.Path != "/own/path" {
			t.Errorf("%s: %d requests, %v", name, len(c.requests), err)
		}
	}
}

func FuzzHeaders(f *testing.F) {
	f.Add("a=b,c=d%20e")
	f.Add("=,%zz,a=\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		headers, err := parseHeaders(text)
		if err != nil {
			return
		}
		for key, values := range headers {
			if key == "" || strings.ContainsAny(strings.Join(values, ""), "\r\n") {
				t.Errorf("%q gives %q: %q", text, key, values)
			}
		}
	})
}
