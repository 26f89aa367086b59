package charts

import (
	"testing"
	"time"

	"toolkit/internal/orientation"
	"toolkit/internal/storetest"
	"toolkit/internal/toolstest"
	"toolkit/store"
)

// noon is when every test begins.
var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

type args = toolstest.Args

var (
	same     = toolstest.RequireSame
	contains = toolstest.RequireContains
)

// bench is the family over a database of its own.
type bench struct{ *toolstest.Bench }

func newBench(t testing.TB) *bench { return openBench(t, "", orientation.Standard) }

// openBench opens a database, a new one without a path.
func openBench(t testing.TB, path string, level orientation.Level) *bench {
	t.Helper()
	b := &bench{toolstest.NewBench(t, toolstest.NewClock(noon), store.Options{Path: path})}
	b.BuildPipeline(New(Deps{Store: b.Store, Orientation: level}))
	return b
}

// refusal is an error response.
type refusal struct {
	Error   bool   `json:"error"`
	Code    string `json:"code"`
	Message string `json:"message"`
	Details args   `json:"details"`
}

// refuse expects an error with a code and a field.
func (b *bench) refuse(tool string, in any, code, field string) refusal {
	b.T.Helper()
	var e refusal
	r := b.CallRefused(tool, in, &e)
	if !e.Error || e.Code != code || e.Details["field"] != field {
		b.T.Fatalf("%s(%v) gave %s on %v; want %s on %s\n%s", tool, in, e.Code, e.Details["field"], code, field, r.Text)
	}
	if _, ok := e.Details["constraint"].(string); !ok || e.Message == "" {
		b.T.Fatalf("the error lacks a message or a constraint: %s", r.Text)
	}
	return e
}

// refusedCall is a call that must be refused.
type refusedCall struct {
	name        string
	in          args
	code, field string
}

// refuseAll expects that calls of a tool are refused and change nothing.
func (b *bench) refuseAll(t *testing.T, tool string, calls []refusedCall) {
	t.Helper()
	before := b.contents()
	for _, c := range calls {
		t.Run(c.name, func(t *testing.T) {
			b.T = t
			b.refuse(tool, c.in, c.code, c.field)
		})
	}
	b.T = t
	b.unchanged(before)
}

// chart creates a master chart and returns its id.
func (b *bench) chart(outcome string, steps ...string) string {
	b.T.Helper()
	out := b.Call(createName, args{"desiredOutcome": outcome, "currentReality": "Have a desk", "dueDate": "2026-05-01T12:00:00Z", "actionSteps": nonNil(steps)})
	return out["chartId"].(string)
}

func nonNil(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

func (b *bench) progressOf(chart string) args {
	b.T.Helper()
	return b.Call("get_chart_progress", args{"chartId": chart})
}

func (b *bench) realityOf(chart string) string {
	b.T.Helper()
	return b.progressOf(chart)["currentReality"].(string)
}

// active is the ids of the active charts in order.
func (b *bench) active() []string {
	b.T.Helper()
	ids := []string{}
	for _, c := range b.Call("list_active_charts", args{})["charts"].([]any) {
		ids = append(ids, c.(args)["chartId"].(string))
	}
	return ids
}

func (b *bench) complete(step string) args {
	b.T.Helper()
	return b.Call("mark_action_complete", args{"actionStepName": step})
}

// contents stand for every row of the file.
func (b *bench) contents() map[string]string {
	b.T.Helper()
	return storetest.FingerprintTables(b.T, b.Store.Path())
}

// unchanged requires that the file is as it was.
func (b *bench) unchanged(before map[string]string) {
	b.T.Helper()
	storetest.RequireSameContents(b.T, b.contents(), before)
}

func texts(list any) []string {
	out := []string{}
	for _, v := range list.([]any) {
		out = append(out, v.(string))
	}
	return out
}
