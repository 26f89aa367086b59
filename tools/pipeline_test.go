package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"toolkit/internal/storetest"
	_ "toolkit/internal/storetest" // new databases begin as copies of one
	"toolkit/store"
)

const good = `{"name":"ann","date":"2026"}`

func TestSuccessTextEqualsStructuredResult(t *testing.T) {
	for _, inMeta := range []bool{false, true} {
		p := pipelineOf(t, func(o *ServerOptions) { o.HintsInMeta = inMeta }, sampleTool(nil))
		r := callSample(t, p, good)
		if r.IsError {
			t.Fatal(r.Text)
		}
		want := `{"echo":{"name":"ann","kind":"red","date":"2026"},"names":[],"ratio":0}`
		if r.Text != want {
			t.Errorf("text is %s, want %s", r.Text, want)
		}
		hints := string(mustEncodeJSON(r.Hints))
		if inMeta {
			if string(r.Structured) != want || string(r.Meta["agentHints"].(json.RawMessage)) != hints {
				t.Errorf("with hints in meta: structured %s, meta %v", r.Structured, r.Meta)
			}
		} else if string(r.Structured) != strings.TrimSuffix(want, "}")+`,"agentHints":`+hints+"}" {
			t.Errorf("structured is %s", r.Structured)
		}
	}
}

func TestMetadataIsComplete(t *testing.T) {
	clock := newClock()
	p := pipelineOf(t, func(o *ServerOptions) { o.Now = clock.Now; o.NewID = func() string { return "id" } }, sampleTool(nil))
	r, err := p.Call(t.Context(), Request{Tool: "do_sample", Arguments: json.RawMessage(good), Call: Call{TraceID: "abc"}})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"toolVersion": "1.2.3", "serviceVersion": "9.9.9", "timestamp": "2026-01-02T03:04:05.000Z", "executionTime": 0.0, "traceId": "abc", "correlationId": "id", "cached": false}
	got := r.Meta["metadata"].(map[string]any)
	for key, value := range want {
		if got[key] != value {
			t.Errorf("%s is %v, want %v", key, got[key], value)
		}
	}
}

func TestEveryWayACallMayFailIsAnErrorOfItsKind(t *testing.T) {
	tests := map[string]struct {
		action string
		kind   Kind
		code   string
	}{
		"a refusal keeps its code":             {"refuse", Business, "NOT_FOUND"},
		"an unexpected error is internal":      {"fail", System, "INTERNAL_ERROR"},
		"a panic is internal":                  {"panic", System, "INTERNAL_ERROR"},
		"a null list breaks the output schema": {"null list", System, "INTERNAL_ERROR"},
		"missing hints are a defect":           {"no hints", System, "INTERNAL_ERROR"},
		"hints without evidence are a defect":  {"no evidence", System, "INTERNAL_ERROR"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			p := pipelineOf(t, nil, sampleTool(nil))
			r := callSample(t, p, `{"name":"ann","date":"2026","action":"`+tc.action+`"}`)
			if !r.IsError || r.Structured != nil {
				t.Fatalf("want an error without structured content, got %s", r.Text)
			}
			var body struct {
				Error      bool
				Code       string
				Message    string
				Details    map[string]any
				AgentHints *Hints
			}
			if err := json.Unmarshal([]byte(r.Text), &body); err != nil {
				t.Fatal(err)
			}
			if !body.Error || body.Code != tc.code || r.Meta["errorKind"] != string(tc.kind) || body.AgentHints == nil {
				t.Errorf("got %s with kind %v", r.Text, r.Meta["errorKind"])
			}
			if strings.Contains(r.Text, "secret") || strings.Contains(r.Text, "/home") {
				t.Errorf("the text leaks: %s", r.Text)
			}
		})
	}
}

func TestATimeoutStopsTheCall(t *testing.T) {
	p := pipelineOf(t, nil, sampleTool(nil))
	ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	// The caller's own deadline stands in for the tool's, which is two seconds.
	r, err := p.Call(ctx, Request{Tool: "do_sample", Arguments: json.RawMessage(`{"name":"ann","date":"2026","action":"wait"}`)})
	if err != nil {
		t.Fatal(err)
	}
	if r.Err.Code != CodeTimeout || !r.Err.Retryable {
		t.Errorf("got %s", r.Text)
	}
}

// Its time is up because another write did not end: nothing is wrong with the call.
func TestACallThatWaitedForTheLockSaysSo(t *testing.T) {
	db := storetest.Open(t, filepath.Join(t.TempDir(), "toolkit.db"))
	p := pipelineOf(t, func(o *ServerOptions) { o.Classify = ToStorageError }, sampleTool(func(tool *Tool[sampleIn, sampleOut]) {
		tool.Handle = func(ctx context.Context, _ sampleIn) (Result[sampleOut], error) {
			return Result[sampleOut]{}, db.Write(ctx, func(*store.Tx) error { return nil })
		}
	}))
	var r *Response
	storetest.Write(t, db, func(*store.Tx) error {
		r = callSample(t, p, `{"name":"ann","date":"2026"}`)
		return nil
	})
	if r.Err == nil || r.Err.Code != CodeBusy || !r.Err.Retryable || !strings.Contains(r.Text, "STORAGE_BUSY") {
		t.Errorf("got %s", r.Text)
	}
}

func TestCancelledCallReturnsCancelledError(t *testing.T) {
	p := pipelineOf(t, nil, sampleTool(nil))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r, err := p.Call(ctx, Request{Tool: "do_sample", Arguments: json.RawMessage(`{"name":"ann","date":"2026","action":"wait"}`)})
	if err != nil {
		t.Fatal(err)
	}
	if r.Err.Code != CodeCancelled {
		t.Errorf("got %s", r.Text)
	}
}

func TestUnknownToolsAreNoResults(t *testing.T) {
	p := pipelineOf(t, nil, sampleTool(nil))
	_, err := p.Call(t.Context(), Request{Tool: "nothing"})
	var unknown *ErrUnknownTool
	if !errors.As(err, &unknown) || err.Error() != "unknown tool: nothing" {
		t.Errorf("got %v", err)
	}
}

func TestTheKebabFormOfAPublishedNameIsCallable(t *testing.T) {
	p := pipelineOf(t, nil, sampleTool(nil))
	if r, err := p.Call(t.Context(), Request{Tool: "do-sample", Arguments: json.RawMessage(good)}); err != nil || r.IsError {
		t.Errorf("got %v, %v", r, err)
	}
}

func TestAccessDecidesWhatIsServedAndPermitted(t *testing.T) {
	write := sampleTool(func(t *Tool[sampleIn, sampleOut]) {
		t.Name, t.Category, t.Permissions = "write_sample", Mutation, []Permission{"samples:update"}
	})
	tests := map[string]struct {
		access Access
		listed string // names in the list
		denied string // permission named when write_sample is called; "unknown" when it is not served
	}{
		"everything by default":          {Access{}, "do_sample write_sample", ""},
		"read-only denies writing tools": {Access{ReadOnly: true}, "do_sample", "samples:update"},
		"only what is granted":           {Access{Grants: []string{"samples:read"}}, "do_sample", "samples:update"},
		"a grant of every action":        {Access{Grants: []string{"samples:*"}}, "do_sample write_sample", ""},
		"a grant on every resource":      {Access{Grants: []string{"*:read"}}, "do_sample", "samples:update"},
		"named tools":                    {Access{Tools: []string{"do-sample"}}, "do_sample", "unknown"},
		"excluded tools":                 {Access{Exclude: []string{"write_sample"}}, "do_sample", "unknown"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			p := pipelineOf(t, func(o *ServerOptions) { o.Access = tc.access }, sampleTool(nil), write)
			var names []string
			for _, d := range p.ListVisibleTools() {
				names = append(names, d.Name)
			}
			if got := strings.Join(names, " "); got != tc.listed {
				t.Errorf("listed %q, want %q", got, tc.listed)
			}
			r, err := p.Call(t.Context(), Request{Tool: "write_sample", Arguments: json.RawMessage(good)})
			switch {
			case tc.denied == "unknown":
				if err == nil {
					t.Error("a tool that is not served was called")
				}
			case err != nil:
				t.Error(err)
			case tc.denied == "" && r.IsError:
				t.Error(r.Text)
			case tc.denied != "" && (!r.IsError || r.Err.Kind != Business || !strings.Contains(r.Text, tc.denied)):
				t.Errorf("got %s", r.Text)
			}
		})
	}
}

func TestAccessThatNamesNothingKnownIsRefused(t *testing.T) {
	registry, err := NewRegistry(Family{Name: "samples", Dialect: FormatStandardError, Tools: []*Definition{sampleTool(nil)}})
	if err != nil {
		t.Fatal(err)
	}
	for _, access := range []Access{{Families: []string{"x"}}, {Tools: []string{"x"}}, {Exclude: []string{"x"}}, {Grants: []string{"x"}}, {Grants: []string{"x:write"}}} {
		if _, err := NewPipeline(ServerOptions{Registry: registry, Access: access}); err == nil {
			t.Errorf("%+v was accepted", access)
		}
	}
}

func TestCachedResultsEndWithTimeAndWithAnyWrite(t *testing.T) {
	clock, sequence, runs, hits := newClock(), int64(1), 0, 0
	d := sampleTool(func(t *Tool[sampleIn, sampleOut]) {
		t.CacheTTL, t.Reads = time.Minute, []string{"samples"}
		t.Handle = func(ctx context.Context, in sampleIn) (Result[sampleOut], error) {
			runs++
			return handleSample(ctx, in)
		}
	})
	p := pipelineOf(t, func(o *ServerOptions) {
		o.Now = clock.Now
		o.Observe = func(c CallRecord) {
			if c.Cached {
				hits++
			}
		}
		o.Sequence = func(_ context.Context, topics []string) (int64, error) {
			if !slices.Equal(topics, []string{"samples"}) {
				t.Errorf("asked for topics %v", topics)
			}
			return sequence, nil
		}
	}, d)
	steps := []struct {
		name   string
		change func()
		args   string
		runs   int
		cached bool
	}{
		{"the first call runs", func() {}, good, 1, false},
		{"the same call is cached", func() {}, good, 1, true},
		{"the order of keys does not matter", func() {}, `{"date":"2026","name":"ann"}`, 1, true},
		{"other arguments run", func() {}, `{"name":"bob","date":"2026"}`, 2, false},
		{"a write by anybody invalidates", func() { sequence++ }, good, 3, false},
		{"time invalidates", func() { clock.now = clock.now.Add(time.Minute) }, good, 4, false},
		{"errors are not kept", func() {}, `{"name":"ann","date":"2026","action":"refuse"}`, 5, false},
		{"errors are not kept", func() {}, `{"name":"ann","date":"2026","action":"refuse"}`, 6, false},
	}
	for _, s := range steps {
		s.change()
		r := callSample(t, p, s.args)
		if cached := r.Meta["metadata"].(map[string]any)["cached"]; runs != s.runs || cached != s.cached {
			t.Errorf("%s: %d runs, cached %v", s.name, runs, cached)
		}
	}
	if hits != 2 {
		t.Errorf("%d cache hits were observed, want 2", hits)
	}
}

func TestSuggestionsOfToolsThatAreNotServedAreDropped(t *testing.T) {
	p := pipelineOf(t, nil, sampleTool(nil))
	r := callSample(t, p, `{"name":"ann","date":"2026","action":"unknown suggestion"}`)
	if r.IsError || len(r.Hints.SuggestedNextActions) != 1 || r.Hints.SuggestedNextActions[0].Action != "do-sample" {
		t.Errorf("got %s with %+v", r.Text, r.Hints.SuggestedNextActions)
	}
}

func TestADeprecatedToolWorksAndWarns(t *testing.T) {
	var log bytes.Buffer
	day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	d := sampleTool(func(t *Tool[sampleIn, sampleOut]) {
		t.Deprecated = &Deprecation{Since: "1.1.0", Replacement: "other_tool", Announced: day, RemovalDate: day.AddDate(0, 6, 0)}
	})
	p := pipelineOf(t, func(o *ServerOptions) { o.Logger = slog.New(slog.NewJSONHandler(&log, nil)) }, d)
	r := callSample(t, p, good)
	w := r.Hints.Warnings
	if r.IsError || len(w) != 1 || w[0].Type != "deprecation" || !strings.Contains(w[0].SuggestedFix, "other_tool") || !strings.Contains(w[0].Message, "2026-07-01") {
		t.Errorf("warnings are %+v", w)
	}
	if !strings.Contains(log.String(), "deprecated tool called") {
		t.Error("nothing was logged")
	}
}

// Logs carry sizes and ids, never values.
func TestLogsHaveStartAndEndWithTraceAndNoValues(t *testing.T) {
	var log bytes.Buffer
	p := pipelineOf(t, func(o *ServerOptions) { o.Logger = slog.New(slog.NewJSONHandler(&log, nil)) }, sampleTool(nil))
	callSample(t, p, `{"name":"hush","date":"2026"}`)
	callSample(t, p, `{"name":"hush","date":"hush"}`)
	callSample(t, p, `{"name":"hush","date":"2026","action":"panic"}`)
	text := log.String()
	if strings.Contains(text, "hush") {
		t.Errorf("a value was logged: %s", text)
	}
	for _, want := range []string{`"msg":"tool call"`, `"msg":"tool done"`, `"msg":"tool refused"`, `"msg":"tool failed"`, `"stack"`, `"argumentBytes":29`} {
		if !strings.Contains(text, want) {
			t.Errorf("the log lacks %s:\n%s", want, text)
		}
	}
	if calls := strings.Count(text, `"traceId"`); calls < 6 {
		t.Errorf("%d lines with a trace id", calls)
	}
}

func TestObserveHearsOfCallsAndErrors(t *testing.T) {
	var seen []CallRecord
	p := pipelineOf(t, func(o *ServerOptions) { o.Observe = func(c CallRecord) { seen = append(seen, c) } }, sampleTool(nil))
	callSample(t, p, good)
	callSample(t, p, `{}`)
	if len(seen) != 2 || seen[0].Tool != "do_sample" || seen[0].Kind != "" || seen[1].Kind != Validation {
		t.Errorf("got %+v", seen)
	}
}

func TestASuggestionNamesItsToolAsItIsListed(t *testing.T) {
	r, err := pipelineOf(t, nil, sampleTool(nil)).Call(t.Context(), Request{Tool: "do_sample", Arguments: []byte(`{"name":"ann","date":"2026"}`)})
	if err != nil || len(r.Hints.SuggestedNextActions) != 1 {
		t.Fatal(err, r.Hints)
	}
	if a := r.Hints.SuggestedNextActions[0]; a.Action != "do-sample" || a.Tool != "do_sample" || !strings.Contains(string(r.Structured), `"action":"do-sample","tool":"do_sample"`) {
		t.Errorf("it suggests %+v in %s", a, r.Structured)
	}
}
