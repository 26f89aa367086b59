package embed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"toolkit/internal/httpclient"
)

const secret = "sk-test-0123456789abcdef"

// service is a fake of the documented APIs. Each request is answered by the
// next of the scripted answers, or properly when there are none left.
type service struct {
	*httptest.Server
	mu      sync.Mutex
	script  []http.HandlerFunc
	batches [][]string
	bodies  []map[string]any
	headers []http.Header
	paths   []string
}

func newService(t *testing.T, script ...http.HandlerFunc) *service {
	t.Helper()
	s := &service{script: script}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.Close)
	return s
}

func (s *service) serve(w http.ResponseWriter, r *http.Request) {
	var body map[string]any
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var texts []string
	for _, text := range body["input"].([]any) {
		texts = append(texts, text.(string))
	}
	s.mu.Lock()
	s.bodies, s.batches = append(s.bodies, body), append(s.batches, texts)
	s.headers, s.paths = append(s.headers, r.Header), append(s.paths, r.URL.Path)
	var scripted http.HandlerFunc
	if len(s.script) > 0 {
		scripted, s.script = s.script[0], s.script[1:]
	}
	s.mu.Unlock()
	switch {
	case scripted != nil:
		scripted(w, r)
	default:
		var data []map[string]any
		for i := len(texts) - 1; i >= 0; i-- { // the order is the index's business
			data = append(data, map[string]any{"object": "embedding", "index": i, "embedding": vectorOf(texts[i])})
		}
		json.NewEncoder(w).Encode(map[string]any{"object": "list", "data": data, "model": body["model"], "usage": map[string]int{"total_tokens": 1}})
	}
}

// vectorOf tells texts apart by their length and first byte; it has length 5
// or more, so that normalisation shows.
func vectorOf(text string) []float64 { return []float64{float64(len(text)), float64(text[0]), 5} }

func answer(status int, body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

// recorder is a clock that only sleeping advances.
type recorder struct {
	mu    sync.Mutex
	now   time.Time
	slept []time.Duration
}

func (r *recorder) options() *httpclient.Client {
	r.now = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	return &httpclient.Client{
		Random: func() float64 { return 0.5 },
		Now: func() time.Time {
			r.mu.Lock()
			defer r.mu.Unlock()
			return r.now
		},
		Sleep: func(ctx context.Context, d time.Duration) error {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.slept = append(r.slept, d)
			r.now = r.now.Add(d)
			return ctx.Err()
		},
	}
}

// backoffs are the sleeps that are not the rate limit's.
func (r *recorder) backoffs() []time.Duration {
	var found []time.Duration
	for _, d := range r.slept {
		if d > openAIInterval {
			found = append(found, d)
		}
	}
	return found
}

func openAI(t *testing.T, s *service, options *httpclient.Client) Embedder {
	t.Helper()
	embedder, err := OpenAI(s.URL+"/v1/", secret, "test-model", options)
	if err != nil {
		t.Fatal(err)
	}
	return embedder
}

func TestOpenAISpeaksTheDocumentedProtocol(t *testing.T) {
	s, clock := newService(t), &recorder{}
	options := clock.options()
	embedder := openAI(t, s, options)
	vectors, err := embedder.Embed(t.Context(), []string{"harbour", " \n", "boat", ""})
	if err != nil {
		t.Fatal(err)
	}
	want := []float32{7, 'h', 5}
	Normalize(want)
	if diff := cmp.Diff(want, vectors[0]); diff != "" || vectors[1] != nil || len(vectors[2]) != 3 || vectors[3] != nil || len(vectors) != 4 {
		t.Errorf("got %v\n%s", vectors, diff)
	}
	wantBody := map[string]any{"model": "test-model", "input": []any{"harbour", "boat"}, "encoding_format": "float"}
	if diff := cmp.Diff([]map[string]any{wantBody}, s.bodies); diff != "" {
		t.Errorf("request:\n%s", diff)
	}
	if s.paths[0] != "/v1/embeddings" || s.headers[0].Get("Authorization") != "Bearer "+secret || s.headers[0].Get("Content-Type") != "application/json" {
		t.Errorf("sent to %s with %v", s.paths[0], s.headers[0])
	}
	if name := embedder.Model(); !strings.HasPrefix(name, "openai:test-model@127.0.0.1:") {
		t.Errorf("the space of another host is named %q", name)
	}
}

func TestRemoteFailures(t *testing.T) {
	many := func(h http.HandlerFunc) []http.HandlerFunc { return []http.HandlerFunc{h, h, h, h, h, h} }
	const two = `{"data":[{"index":0,"embedding":[1,0,0]},{"index":1,"embedding":[0,1,0]}]}`
	for _, c := range []struct {
		name      string
		script    []http.HandlerFunc
		requests  int
		status    int
		retryable bool
		message   string
	}{
		{"a server error is tried four times", many(answer(500, `{"error":{"message":"boom"}}`)), 4, 500, true, "boom"},
		{"a bad gateway without JSON", many(answer(502, "<html>")), 4, 502, true, "Bad Gateway"},
		{"a wrong key is not tried again", many(answer(401, `{"error":{"message":"Incorrect API key provided: `+secret+`"}}`)), 1, 401, false, "Incorrect API key provided: [key]"},
		{"a masked key is masked wholly", many(answer(401, `{"error":{"message":"bad sk-te***cdef, Bearer abc"}}`)), 1, 401, false, "bad [key], [key]"},
		{"an unknown model", many(answer(404, `{"error":{"message":"no such model"}}`)), 1, 404, false, "no such model"},
		{"an exhausted quota does not come back", many(answer(429, `{"error":{"message":"quota","code":"insufficient_quota"}}`)), 1, 429, false, "quota"},
		{"a long wait is left to the caller", many(answer(429, `{}`, "Retry-After", "3600")), 1, 429, true, "Too Many Requests (try again in 1h0m0s)"},
		{"malformed JSON", many(answer(200, `{"data":[{"index":0,"emb`)), 4, 200, true, "not the documented JSON"},
		{"a number that is none", many(answer(200, `{"data":[{"index":0,"embedding":[1e999]}]}`)), 4, 200, true, "not the documented JSON"},
		{"half an answer", many(answer(200, `{"data":[{"index":0,"embedding":[1,0,0]}]}`)), 4, 200, true, "covers 1 of 2 texts"},
		{"no answer", many(answer(200, `{}`)), 4, 200, true, "covers 0 of 2 texts"},
		{"the same text twice", many(answer(200, `{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}`)), 4, 200, true, "double"},
		{"a text that was not sent", many(answer(200, `{"data":[{"index":0,"embedding":[1]},{"index":7,"embedding":[1]}]}`)), 4, 200, true, "item 7"},
		{"an empty vector", many(answer(200, `{"data":[{"index":0,"embedding":[]},{"index":1,"embedding":[1]}]}`)), 4, 200, true, "empty"},
		{"a zero vector", many(answer(200, `{"data":[{"index":0,"embedding":[0,0,0]},{"index":1,"embedding":[1,0,0]}]}`)), 1, 200, false, "no direction"},
		{"vectors of two lengths", many(answer(200, `{"data":[{"index":0,"embedding":[1,0,0]},{"index":1,"embedding":[1,0]}]}`)), 1, 200, false, "invalid embedding dimension: 2, expected 3"},
		{"a redirect", many(answer(302, ``)), 1, 302, false, "Found"},
		{"an error, then success", []http.HandlerFunc{answer(503, ""), answer(200, two)}, 2, 0, false, ""},
		{"no room, then success", []http.HandlerFunc{answer(429, "", "Retry-After", "7"), answer(200, two)}, 2, 0, false, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, clock := newService(t, c.script...), &recorder{}
			vectors, err := openAI(t, s, clock.options()).Embed(t.Context(), []string{"harbour", "boat"})
			if len(s.batches) != c.requests {
				t.Errorf("%d requests, want %d", len(s.batches), c.requests)
			}
			if c.message == "" {
				if err != nil || len(vectors) != 2 || vectors[1] == nil {
					t.Errorf("%v, %v", vectors, err)
				}
				return
			}
			var failed *failure
			if !errors.As(err, &failed) {
				t.Fatalf("error %v (%T)", err, err)
			}
			if failed.Status != c.status || failed.Passing != c.retryable || !strings.HasPrefix(err.Error(), "openai: ") || !strings.Contains(err.Error(), c.message) {
				t.Errorf("%+v, want status %d, retryable %v, message %q", failed, c.status, c.retryable, c.message)
			}
			if strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), secret) {
				t.Errorf("the key leaks: %#v", err)
			}
		})
	}
}

func TestRetriesBackOffAndHeedTheProvider(t *testing.T) {
	clock := &recorder{}
	options := clock.options()
	date := time.Date(2026, 1, 2, 3, 5, 0, 0, time.UTC)
	s := newService(t, answer(500, ""), answer(429, "", "Retry-After", "5.5"), answer(503, "", "Retry-After", date.Format(http.TimeFormat)))
	if _, err := openAI(t, s, options).Query(t.Context(), "harbour"); err != nil {
		t.Fatal(err)
	}
	// Half of 500 ms plus half of the other half; then what the headers say.
	want := []time.Duration{375 * time.Millisecond, 5500 * time.Millisecond, date.Sub(time.Date(2026, 1, 2, 3, 4, 10, 0, time.UTC).Add(875 * time.Millisecond))}
	if diff := cmp.Diff(want, clock.backoffs()); diff != "" {
		t.Errorf("sleeps:\n%s", diff)
	}
}

func TestOpenAISendsThreeRequestsASecond(t *testing.T) {
	s, clock := newService(t), &recorder{}
	embedder := openAI(t, s, clock.options())
	for range 7 {
		if _, err := embedder.Query(t.Context(), "harbour"); err != nil {
			t.Fatal(err)
		}
	}
	total := time.Duration(0)
	for _, d := range clock.slept {
		total += d
	}
	if total != 6*openAIInterval {
		t.Errorf("7 requests slept %v in all, want %v", total, 6*openAIInterval)
	}
}

func TestLargeInputsAreSplitAndBounded(t *testing.T) {
	s, clock := newService(t), &recorder{}
	texts := []string{strings.Repeat("ä", maxInputBytes), "bad \xff byte"}
	for i := range 2 * maxBatchTexts {
		texts = append(texts, fmt.Sprintf("text %d", i))
	}
	for range 15 {
		texts = append(texts, strings.Repeat("x", 20_000))
	}
	vectors, err := openAI(t, s, clock.options()).Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	sent := 0
	for _, batch := range s.batches {
		size := 0
		for _, text := range batch {
			size += len(text)
			if len(text) > maxInputBytes {
				t.Errorf("a text of %d bytes was sent", len(text))
			}
			if v := vectorOf(text); math.Abs(float64(vectors[sent][0])*math.Hypot(math.Hypot(v[0], v[1]), v[2])-v[0]) > 0.05 {
				t.Errorf("text %d has another one's vector", sent)
			}
			sent++
		}
		if len(batch) > maxBatchTexts || size > maxBatchBytes {
			t.Errorf("a batch of %d texts, %d bytes", len(batch), size)
		}
	}
	if sent != len(texts) || len(s.batches) < 4 {
		t.Errorf("%d of %d texts in %d batches", sent, len(texts), len(s.batches))
	}
}

func TestRemoteCancellationAndSilence(t *testing.T) {
	hang := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

	t.Run("a cancelled call ends at once", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s := newService(t, func(w http.ResponseWriter, r *http.Request) { cancel(); hang(w, r) })
		_, err := openAI(t, s, &httpclient.Client{}).Query(ctx, "harbour")
		var failed *failure
		if !errors.As(err, &failed) || failed.Passing || !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("a call cancelled between two tries says what happened before", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s, options := newService(t, answer(503, `{"error":{"message":"overloaded"}}`)), &httpclient.Client{}
		options.Sleep = func(ctx context.Context, d time.Duration) error { cancel(); return ctx.Err() }
		_, err := openAI(t, s, options).Query(ctx, "harbour")
		if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "overloaded") {
			t.Errorf("error %v", err)
		}
	})
	t.Run("a provider that never answers can be tried later", func(t *testing.T) {
		s, clock := newService(t, hang, hang, hang, hang), &recorder{}
		options := clock.options()
		options.HTTP = &http.Client{Timeout: time.Millisecond}
		_, err := openAI(t, s, options).Query(t.Context(), "harbour")
		var failed *failure
		if !errors.As(err, &failed) || !failed.Passing || failed.Status != 0 {
			t.Errorf("error %v", err)
		}
	})
	t.Run("a provider that is not there can be tried later", func(t *testing.T) {
		s, clock := newService(t), &recorder{}
		s.Close()
		_, err := openAI(t, s, clock.options()).Query(t.Context(), "harbour")
		var failed *failure
		if !errors.As(err, &failed) || !failed.Passing || strings.Contains(err.Error(), "/v1") {
			t.Errorf("error %v", err)
		}
	})
	t.Run("nothing to embed needs no provider", func(t *testing.T) {
		s := newService(t)
		if v, err := openAI(t, s, &httpclient.Client{}).Query(t.Context(), " "); v != nil || err != nil || len(s.batches) != 0 {
			t.Errorf("%v, %v, %d requests", v, err, len(s.batches))
		}
	})
}

func TestOpenAIKnowsItsModels(t *testing.T) {
	embedder, err := OpenAI("", secret, "", &httpclient.Client{})
	if err != nil || embedder.Model() != "openai:text-embedding-3-small" || embedder.Dimension() != 1536 {
		t.Errorf("%v, %v", embedder, err)
	}
}
