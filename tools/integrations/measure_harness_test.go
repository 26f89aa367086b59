package integrations

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"toolkit/internal/telemetry"
	"toolkit/store"
	"toolkit/tools"
)

// measured is the family over a database of its own, with a clock that tests
// set and calls that tests make up.
type measured struct {
	t        testing.TB
	at       time.Time
	store    *store.DB
	recorder *telemetry.Recorder
	registry *tools.Registry
	pipeline *tools.Pipeline
}

// monday is when every test of measurements begins.
var monday = time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)

type measuredArgs = map[string]any

// newMeasured configures the family from a made-up environment.
func newMeasured(t testing.TB, env map[string]string) *measured {
	t.Helper()
	m := &measured{t: t, at: monday}
	var err error
	if m.store, err = store.Open(context.Background(), store.Options{Path: filepath.Join(t.TempDir(), "measured.db"), Now: func() time.Time { return m.at }}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.store.Close() })
	getenv := func(name string) string { return env[name] }
	config, err := telemetry.Configure(getenv)
	if err != nil {
		t.Fatal(err)
	}
	m.recorder = telemetry.NewRecorder(telemetry.Options{Store: m.store, Config: config})
	t.Cleanup(func() { m.recorder.Close() })
	d := Deps{Store: m.store, Measure: Measure{Recorder: m.recorder}}
	if err := d.Measure.Configure(getenv); err != nil {
		t.Fatal(err)
	}
	if m.registry, err = tools.NewRegistry(New(d)); err != nil {
		t.Fatal(err)
	}
	if m.pipeline, err = tools.NewPipeline(m.options()); err != nil {
		t.Fatal(err)
	}
	return m
}

func (m *measured) options() tools.ServerOptions {
	return tools.ServerOptions{Registry: m.registry, Patience: 60, Now: func() time.Time { return m.at }, Classify: tools.StorageError}
}

// done makes up a call that ended well.
func done(at time.Time, tool string, took time.Duration) tools.Recorded {
	return tools.Recorded{Tool: tool, Category: tools.Query, AgentID: "agent", Started: at, Duration: took}
}

// record makes up calls and writes them.
func (m *measured) record(calls ...tools.Recorded) {
	m.t.Helper()
	for i, c := range calls {
		m.recorder.Record(c)
		if i%4000 == 3999 {
			m.flush()
		}
	}
	m.flush()
}

func (m *measured) flush() {
	m.t.Helper()
	if err := m.recorder.Flush(context.Background()); err != nil {
		m.t.Fatal(err)
	}
}

func (m *measured) respond(tool string, in any) *tools.Response {
	m.t.Helper()
	raw, err := json.Marshal(in)
	if err != nil {
		m.t.Fatal(err)
	}
	r, err := m.pipeline.Call(context.Background(), tools.Request{Tool: tool, Arguments: raw})
	if err != nil {
		m.t.Fatal(err)
	}
	return r
}

// metrics and analytics expect success.
func (m *measured) metrics(in measuredArgs) (out metricsOutput) {
	m.t.Helper()
	m.decode(metricsName, in, &out)
	return out
}

type analyticsResult struct {
	analyticsOutput
	Value json.RawMessage `json:"value"`
}

func (r analyticsResult) number(t testing.TB) (n float64) {
	t.Helper()
	if err := json.Unmarshal(r.Value, &n); err != nil {
		t.Fatalf("value is %s, no number", r.Value)
	}
	return n
}

func (r analyticsResult) points(t testing.TB) (points []analyticsPoint) {
	t.Helper()
	if err := json.Unmarshal(r.Value, &points); err != nil {
		t.Fatalf("value is %s, no series", r.Value)
	}
	return points
}

func (m *measured) analytics(in measuredArgs) (out analyticsResult) {
	m.t.Helper()
	m.decode(analyticsName, in, &out)
	return out
}

func (m *measured) decode(tool string, in measuredArgs, out any) {
	m.t.Helper()
	r := m.respond(tool, in)
	if r.IsError {
		m.t.Fatalf("%s(%v) failed: %s", tool, in, r.Text)
	}
	if err := json.Unmarshal(r.Data, out); err != nil {
		m.t.Fatal(err)
	}
}

// refuse expects an error with a code and a field, and returns its text.
func (m *measured) refuse(tool string, in measuredArgs, code, field string) string {
	m.t.Helper()
	r := m.respond(tool, in)
	var e struct {
		Error struct {
			Code, Message string
			Details       measuredArgs
		}
	}
	if !r.IsError || json.Unmarshal([]byte(r.Text), &e) != nil {
		m.t.Fatalf("%s(%v) gave %s; want %s", tool, in, r.Text, code)
	}
	got, _ := e.Error.Details["field"].(string)
	if e.Error.Code != code || got != field {
		m.t.Errorf("%s(%v) gave %s on %q; want %s on %q\n%s", tool, in, e.Error.Code, got, code, field, r.Text)
	}
	return r.Text
}

func between(from, to time.Time) measuredArgs {
	return measuredArgs{"start": from.Format(time.RFC3339Nano), "end": to.Format(time.RFC3339Nano)}
}

func wantSame(t testing.TB, what string, got, want any) {
	t.Helper()
	if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
		t.Errorf("%s is\n%s\nwant\n%s", what, g, w)
	}
}
