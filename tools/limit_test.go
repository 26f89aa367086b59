package tools

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

func twiceAMinute(t *Tool[sampleIn, sampleOut]) {
	t.RateLimit = &RateLimit{MaxCalls: 2, Window: time.Minute}
}

func TestALimitIsASlidingWindowPerUser(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	p := pipelineOf(t, func(o *ServerOptions) { o.Now = func() time.Time { return at } }, sampleTool(twiceAMinute))
	call := func(user, arguments string) *Response {
		t.Helper()
		r, err := p.Call(t.Context(), Request{Tool: "do_sample", Arguments: json.RawMessage(arguments), Call: Call{UserID: user}})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	accept := func(user string) {
		t.Helper()
		if r := call(user, good); r.IsError {
			t.Fatal(r.Text)
		}
	}
	refuse := func(user string, seconds int) {
		t.Helper()
		r := call(user, good)
		if r.Err == nil || r.Err.Code != CodeRateLimited || r.Err.Details["retry_after_seconds"] != seconds || !r.Err.Retryable {
			t.Fatalf("want a refusal for %d s, got %+v", seconds, r.Err)
		}
	}
	call("", `{}`) // invalid calls do not count
	accept("")
	at = at.Add(20 * time.Second)
	accept("")
	refuse("", 40)
	accept("another")
	at = at.Add(39*time.Second + 500*time.Millisecond)
	refuse("", 1) // half a second is rounded up, never down to nothing
	at = at.Add(500 * time.Millisecond)
	accept("") // the first call left the window; refused ones never were in it
	refuse("", 20)
}

func TestLimitsCanBeChangedLiftedAndAdded(t *testing.T) {
	free := sampleTool(func(s *Tool[sampleIn, sampleOut]) { s.Name = "be_free" })
	for text, allowed := range map[string]int{"": 2, "do-sample=3/1h": 3, "do_sample=off": 10, "do_sample = 1/30s , be_free=1/1m": 1} {
		limits, err := ParseRateLimits(text)
		if err != nil {
			t.Fatal(err)
		}
		at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
		p := pipelineOf(t, func(o *ServerOptions) { o.RateLimits = limits; o.Now = func() time.Time { return at } }, sampleTool(twiceAMinute), free)
		n := 0
		for range 10 {
			if !callSample(t, p, good).IsError {
				n++
			}
		}
		if n != allowed {
			t.Errorf("with %q %d calls went through, want %d", text, n, allowed)
		}
	}
	for _, text := range []string{"do_sample", "=1/1m", "do_sample=0/1m", "do_sample=1/0s", "do_sample=1/25h", "do_sample=x/1m", "do_sample=1"} {
		if _, err := ParseRateLimits(text); err == nil {
			t.Errorf("%q is taken for a limit", text)
		}
	}
	limits, _ := ParseRateLimits("unknown=1/1m")
	registry, err := NewRegistry(Family{Name: "samples", Dialect: FormatStandardError, Tools: []*Definition{sampleTool(nil)}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewPipeline(ServerOptions{Registry: registry, RateLimits: limits}); err == nil || !strings.Contains(err.Error(), "unknown") {
		t.Errorf("a limit of an unknown tool gives %v", err)
	}
}

func TestObserverGetsEveryCallWithoutContent(t *testing.T) {
	var seen []CallRecord
	p := pipelineOf(t, func(o *ServerOptions) { o.Observe = func(r CallRecord) { seen = append(seen, r) } }, sampleTool(nil))
	callSample(t, p, good)
	callSample(t, p, `{"name":"ann","date":"2026","action":"refuse"}`)
	callSample(t, p, `{"name":"a secret"}`)
	if len(seen) != 3 {
		t.Fatalf("%d calls were seen", len(seen))
	}
	for i, want := range []struct {
		kind Kind
		code string
	}{{"", ""}, {Business, "NOT_FOUND"}, {Validation, "MISSING_REQUIRED"}} {
		if got := seen[i]; got.Kind != want.kind || got.Tool != "do_sample" || got.AgentID == "" || got.Started.IsZero() || (want.code != "" && got.Code == "") {
			t.Errorf("call %d was seen as %+v, want %v", i, got, want)
		}
	}
}

func FuzzRateLimits(f *testing.F) {
	f.Add("upload_file=10/1m, plaid_sync=off")
	f.Add("a=1/1ns,,=")
	f.Fuzz(func(t *testing.T, text string) {
		limits, err := ParseRateLimits(text)
		if err != nil {
			return
		}
		for name, l := range limits {
			if name == "" || l != nil && (l.MaxCalls < 1 || l.Window <= 0) {
				t.Errorf("%q gives %s %+v", text, name, l)
			}
		}
	})
}
