package memory

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"toolkit/internal/httpclient"
)

const judgeSecret = "sk-secret-0123456789"

// fakeReply is one answer of a fake service.
type fakeReply struct {
	status int // 0: 200
	header map[string]string
	text   string // what the model says
	raw    string // the whole body, in place of text
	hang   bool   // no answer until the client gives up
	drop   bool   // the connection is closed
}

// service fakes one vendor: it answers with its replies in order, the last one
// again and again.
type fakeJudgeService struct {
	*httptest.Server
	mu       sync.Mutex
	replies  []fakeReply
	requests []map[string]any
	headers  []http.Header
	paths    []string
}

func (s *fakeJudgeService) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.requests)
}

func newFakeJudgeService(t *testing.T, body func(text string) string, replies ...fakeReply) *fakeJudgeService {
	t.Helper()
	s := &fakeJudgeService{replies: replies}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request map[string]any
		raw, _ := io.ReadAll(r.Body)
		if err := json.Unmarshal(raw, &request); err != nil {
			t.Errorf("the request is not JSON: %v", err)
		}
		s.mu.Lock()
		one := s.replies[min(len(s.requests), len(s.replies)-1)]
		s.requests, s.headers, s.paths = append(s.requests, request), append(s.headers, r.Header.Clone()), append(s.paths, r.URL.Path)
		s.mu.Unlock()
		switch {
		case one.hang:
			<-r.Context().Done()
			return
		case one.drop:
			panic(http.ErrAbortHandler)
		}
		for k, v := range one.header {
			w.Header().Set(k, v)
		}
		w.Header().Set("Content-Type", "application/json")
		if one.status != 0 {
			w.WriteHeader(one.status)
		}
		text := one.raw
		if text == "" {
			text = body(one.text)
		}
		fmt.Fprint(w, text)
	}))
	t.Cleanup(s.Close)
	return s
}

// The documented answers of both services.
func openAIBody(text string) string {
	return fmt.Sprintf(`{"id":"chatcmpl-1","object":"chat.completion","created":1736935200,"model":"gpt-4o","choices":[{"index":0,"message":{"role":"assistant","content":%q,"refusal":null},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}`, text)
}

func anthropicBody(text string) string {
	return fmt.Sprintf(`{"id":"msg_1","type":"message","role":"assistant","model":"claude-haiku-4-5","content":[{"type":"text","text":%q}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}`, text)
}

// judgeVendors are the two services; every rule holds for both.
var judgeVendors = map[string]struct {
	body   func(string) string
	client func(url string) *modelJudge
}{
	"openai": {openAIBody, func(url string) *modelJudge {
		return newOpenAIJudge(judgeService{BaseURL: url + "/v1", Model: "gpt-4o", Key: judgeSecret})
	}},
	"anthropic": {anthropicBody, func(url string) *modelJudge {
		return newAnthropicJudge(judgeService{BaseURL: url, Model: "claude-haiku-4-5", Key: judgeSecret})
	}},
}

// patientJudge is a model whose waits are recorded instead of waited for.
func patientJudge(c *modelJudge) (*modelJudge, *httpclient.Client, *[]time.Duration) {
	var mu sync.Mutex
	waits := &[]time.Duration{}
	o := c.Client
	o.Every = 0
	o.Random = func() float64 { return 0.5 }
	o.Sleep = func(ctx context.Context, d time.Duration) error {
		mu.Lock()
		defer mu.Unlock()
		*waits = append(*waits, d)
		return ctx.Err()
	}
	return c, o, waits
}

func TestAModelIsAskedUntilItGivesOneNumber(t *testing.T) {
	tests := map[string]struct {
		replies  []fakeReply
		want     float64
		err      string // part of the error; empty: none
		requests int
	}{
		"a number":                                     {[]fakeReply{{text: "0.7"}}, 0.7, "", 1},
		"a number in white space":                      {[]fakeReply{{text: " 1.0\n"}}, 1, "", 1},
		"a sentence, then a number":                    {[]fakeReply{{text: "I would say 0.7"}, {text: "0.7"}}, 0.7, "", 2},
		"a number over 1, then one in range":           {[]fakeReply{{text: "7"}, {text: "0"}}, 0, "", 2},
		"nothing, then a number":                       {[]fakeReply{{text: ""}, {text: ".5"}}, 0.5, "", 2},
		"no number twice":                              {[]fakeReply{{text: "NaN"}}, 0, "not a single number", 2},
		"too many requests, then a number":             {[]fakeReply{{status: 429, raw: "{}"}, {text: "0.4"}}, 0.4, "", 2},
		"a failing server, then a number":              {[]fakeReply{{status: 500, raw: "oops"}, {status: 529, raw: "{}"}, {text: "0.4"}}, 0.4, "", 3},
		"a server that keeps failing":                  {[]fakeReply{{status: 503, raw: "{}"}}, 0, "HTTP 503", 4},
		"a connection that breaks, then a number":      {[]fakeReply{{drop: true}, {text: "0.2"}}, 0.2, "", 2},
		"a refused key":                                {[]fakeReply{{status: 401, raw: `{"error":{"message":"bad key ` + judgeSecret + `"}}`}}, 0, "HTTP 401", 1},
		"an unknown model":                             {[]fakeReply{{status: 404, raw: "{}"}}, 0, "check its address and model", 1},
		"a refused request":                            {[]fakeReply{{status: 400, raw: `{"error":{"message":"no"}}`}}, 0, "HTTP 400", 1},
		"an answer that is no JSON":                    {[]fakeReply{{raw: "<html>garbage</html>"}}, 0, "could not be read", 1},
		"an answer that breaks off, then a number":     {[]fakeReply{{header: map[string]string{"Content-Length": "5000"}, raw: "{"}, {text: "0.3"}}, 0.3, "", 2},
		"JSON of another form":                         {[]fakeReply{{raw: `{"hello":"world"}`}}, 0, "not a single number", 2},
		"a pause asked for that is too long to wait":   {[]fakeReply{{status: 429, raw: "{}", header: map[string]string{"Retry-After": "3600"}}}, 0, "HTTP 429", 1},
		"a pause asked for that is worth waiting once": {[]fakeReply{{status: 429, raw: "{}", header: map[string]string{"Retry-After": "2"}}, {text: "0.9"}}, 0.9, "", 2},
	}
	for vendor, v := range judgeVendors {
		for name, tc := range tests {
			t.Run(vendor+": "+name, func(t *testing.T) {
				s := newFakeJudgeService(t, v.body, tc.replies...)
				m, _, _ := patientJudge(v.client(s.URL))
				got, err := m.Rate(t.Context(), "what is tea", "a drink")
				if (tc.err == "") != (err == nil) || (err != nil && !strings.Contains(err.Error(), tc.err)) {
					t.Fatalf("error is %v, want %q", err, tc.err)
				}
				if got != tc.want || s.count() != tc.requests {
					t.Errorf("score %v after %d requests, want %v after %d", got, s.count(), tc.want, tc.requests)
				}
				if err != nil && (strings.Contains(fmt.Sprintf("%+v", err), judgeSecret) || strings.Contains(err.Error(), s.URL)) {
					t.Errorf("the error tells too much: %v", err)
				}
			})
		}
	}
}

func TestAServiceThatDoesNotAnswerInTimeIsGivenUp(t *testing.T) {
	for vendor, v := range judgeVendors {
		t.Run(vendor, func(t *testing.T) {
			s := newFakeJudgeService(t, v.body, fakeReply{hang: true})
			m, o, waits := patientJudge(v.client(s.URL))
			o.Timeout = 20 * time.Millisecond
			if _, err := m.Rate(t.Context(), "q", "d"); err == nil || !strings.Contains(err.Error(), "in time") {
				t.Errorf("error is %v", err)
			}
			// A request that is given up may never have reached the service.
			if len(*waits) != maxJudgeAttempts-1 {
				t.Errorf("%d pauses between requests", len(*waits))
			}
		})
	}
}

func TestACallThatEndsStopsAsking(t *testing.T) {
	for vendor, v := range judgeVendors {
		t.Run(vendor, func(t *testing.T) {
			s := newFakeJudgeService(t, v.body, fakeReply{hang: true})
			m, _, _ := patientJudge(v.client(s.URL))
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
			defer cancel()
			if _, err := m.Rate(ctx, "q", "d"); !errors.Is(err, errJudgeOutOfTime) {
				t.Errorf("error is %v", err)
			}
		})
	}
}

func TestWaitsGrowAndHonourRetryAfter(t *testing.T) {
	v := judgeVendors["openai"]
	s := newFakeJudgeService(t, v.body, fakeReply{status: 500, raw: "{}"}, fakeReply{status: 429, raw: "{}", header: map[string]string{"Retry-After": "3"}}, fakeReply{status: 500, raw: "{}"}, fakeReply{text: "1"})
	m, _, waits := patientJudge(v.client(s.URL))
	if _, err := m.Rate(t.Context(), "q", "d"); err != nil {
		t.Fatal(err)
	}
	// Half of 0.5 s, 1 s, 2 s fixed, the other half times the jitter of 0.5.
	want := []time.Duration{375 * time.Millisecond, 3 * time.Second, 1500 * time.Millisecond}
	if fmt.Sprint(*waits) != fmt.Sprint(want) {
		t.Errorf("waits are %v, want %v", *waits, want)
	}
}

func TestBothServicesHearTheSameRubricAndTheDocument(t *testing.T) {
	open := newFakeJudgeService(t, openAIBody, fakeReply{text: "no"}, fakeReply{text: "0.5"})
	other := newFakeJudgeService(t, anthropicBody, fakeReply{text: "no"}, fakeReply{text: "0.5"})
	for _, m := range []*modelJudge{judgeVendors["openai"].client(open.URL), judgeVendors["anthropic"].client(other.URL)} {
		patientModel, _, _ := patientJudge(m)
		if _, err := patientModel.Rate(t.Context(), "what is tea", "a drink"); err != nil {
			t.Fatal(err)
		}
	}
	text := func(v any) string { raw, _ := json.Marshal(v); return string(raw) }
	first, second := open.requests[0], other.requests[0]
	if first["model"] != "gpt-4o" || second["model"] != "claude-haiku-4-5" || first["temperature"] != 0.0 || second["temperature"] != 0.0 {
		t.Errorf("models or temperatures differ: %v, %v", first, second)
	}
	messages := first["messages"].([]any)
	if system := messages[0].(map[string]any); system["role"] != "system" || system["content"] != judgeRubric {
		t.Errorf("the first judge hears %v", system)
	}
	if system := second["system"]; system != judgeRubric {
		t.Errorf("the second judge hears %v", system)
	}
	for _, request := range []map[string]any{first, second} {
		if s := text(request["messages"]); !strings.Contains(s, "what is tea") || !strings.Contains(s, "a drink") {
			t.Errorf("query or document is missing in %s", s)
		}
	}
	for _, request := range []map[string]any{open.requests[1], other.requests[1]} {
		if s := text(request["messages"]); !strings.Contains(s, `"no"`) || !strings.Contains(s, judgeRepair) {
			t.Errorf("the second try does not say what was wrong: %s", s)
		}
	}
	if open.paths[0] != "/v1/chat/completions" || other.paths[0] != "/v1/messages" {
		t.Errorf("paths are %s, %s", open.paths[0], other.paths[0])
	}
	if open.headers[0].Get("Authorization") != "Bearer "+judgeSecret || other.headers[0].Get("X-Api-Key") != judgeSecret || other.headers[0].Get("Anthropic-Version") == "" {
		t.Errorf("headers are %v, %v", open.headers[0], other.headers[0])
	}
}

func TestARedirectIsNotFollowedWithKeyAndTexts(t *testing.T) {
	for vendor, v := range judgeVendors {
		t.Run(vendor, func(t *testing.T) {
			elsewhere := newFakeJudgeService(t, v.body, fakeReply{text: "1"})
			s := newFakeJudgeService(t, v.body, fakeReply{status: http.StatusTemporaryRedirect, header: map[string]string{"Location": elsewhere.URL}, raw: "{}"})
			m, _, _ := patientJudge(v.client(s.URL))
			if _, err := m.Rate(t.Context(), "q", "d"); err == nil || !strings.Contains(err.Error(), "HTTP 307") {
				t.Errorf("error is %v", err)
			}
			if s.count() != 1 || elsewhere.count() != 0 {
				t.Errorf("%d requests, and %d to the other host", s.count(), elsewhere.count())
			}
		})
	}
}

// A local service needs no key, and must not be sent one meant for others.
func TestWithoutAKeyNoneIsSent(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", judgeSecret)
	t.Setenv("ANTHROPIC_API_KEY", judgeSecret)
	t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:1")
	t.Setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:1")
	for vendor, v := range judgeVendors {
		t.Run(vendor, func(t *testing.T) {
			s := newFakeJudgeService(t, v.body, fakeReply{text: "0.5"})
			c := newOpenAIJudge(judgeService{BaseURL: s.URL, Model: "m"})
			if vendor == "anthropic" {
				c = newAnthropicJudge(judgeService{BaseURL: s.URL, Model: "m"})
			}
			m, _, _ := patientJudge(c)
			if got, err := m.Rate(t.Context(), "q", "d"); got != 0.5 || err != nil {
				t.Fatalf("%v, %v", got, err)
			}
			if h := fmt.Sprint(s.headers[0]); strings.Contains(h, judgeSecret) {
				t.Errorf("a key was sent: %s", h)
			}
		})
	}
}

// Memory documentation, rate limits: one request a second to each judge.
func TestRequestsStartOneSecondApart(t *testing.T) {
	for vendor, v := range judgeVendors {
		if v.client("http://127.0.0.1:1").Every != time.Second {
			t.Errorf("%s is asked more often", vendor)
		}
	}
}

func TestLongDocumentsAreCut(t *testing.T) {
	if q := formatJudgeQuestion("q", strings.Repeat("ä", maxJudgedLength+5)); strings.Count(q, "ä") != maxJudgedLength {
		t.Errorf("%d characters of the document are sent", strings.Count(q, "ä"))
	}
}
