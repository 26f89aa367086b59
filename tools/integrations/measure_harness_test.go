package integrations

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"toolkit/internal/toolstest"
	"toolkit/store"
	"toolkit/tools"
	"toolkit/tools/integrations/telemetry"
)

type args = toolstest.Args

var same = toolstest.RequireSame

// measured is the family over a database of its own, with calls that tests make
// up.
type measured struct {
	*toolstest.Bench
	recorder *telemetry.Recorder
}

// monday is when every test of measurements begins.
var monday = time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)

// newMeasured configures the family from a made-up environment.
func newMeasured(t testing.TB, env map[string]string) *measured {
	t.Helper()
	m := &measured{Bench: toolstest.NewBench(t, toolstest.NewClock(monday), store.Options{})}
	getenv := func(name string) string { return env[name] }
	config, err := telemetry.ReadConfig(getenv)
	if err != nil {
		t.Fatal(err)
	}
	m.recorder = telemetry.NewRecorder(telemetry.Options{Store: m.Store, Config: config})
	t.Cleanup(func() { m.recorder.Close() })
	d := Deps{Store: m.Store, Measure: MeasurementSources{Recorder: m.recorder}}
	if err := d.Measure.ConfigurePrometheusAndPostHog(getenv); err != nil {
		t.Fatal(err)
	}
	m.BuildPipeline(New(d))
	return m
}

// done makes up a call that ended well.
func done(at time.Time, tool string, took time.Duration) tools.CallRecord {
	return tools.CallRecord{Tool: tool, Category: tools.Query, AgentID: "agent", Started: at, Duration: took}
}

// record makes up calls and writes them.
func (m *measured) record(calls ...tools.CallRecord) {
	m.T.Helper()
	for i, c := range calls {
		m.recorder.Record(c)
		if i%4000 == 3999 {
			m.flush()
		}
	}
	m.flush()
}

func (m *measured) flush() {
	m.T.Helper()
	if err := m.recorder.Flush(context.Background()); err != nil {
		m.T.Fatal(err)
	}
}

// metrics and analytics expect success.
func (m *measured) metrics(in args) (out metricsOutput) {
	m.T.Helper()
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

func (m *measured) analytics(in args) (out analyticsResult) {
	m.T.Helper()
	m.decode(analyticsName, in, &out)
	return out
}

func (m *measured) decode(tool string, in args, out any) {
	m.T.Helper()
	toolstest.Decode(m.T, m.CallAccepted(tool, in).Data, out)
}

// refuse expects an error with a code and a field, and returns its text.
func (m *measured) refuse(tool string, in args, code, field string) string {
	m.T.Helper()
	var e struct {
		Error struct {
			Code, Message string
			Details       args
		}
	}
	r := m.CallRefused(tool, in, &e)
	got, _ := e.Error.Details["field"].(string)
	if e.Error.Code != code || got != field {
		m.T.Errorf("%s(%v) gave %s on %q; want %s on %q\n%s", tool, in, e.Error.Code, got, code, field, r.Text)
	}
	return r.Text
}

func between(from, to time.Time) args {
	return args{"start": from.Format(time.RFC3339Nano), "end": to.Format(time.RFC3339Nano)}
}
