package embed

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"
	"unicode/utf8"
)

// RemoteOptions are the parts of a remote embedder that callers may replace.
// The zero value is the default.
type RemoteOptions struct {
	// Client sends the requests; by default one with a timeout of a minute.
	Client *http.Client
	// Dimension is asked for and expected. 0 leaves it to the model: the first
	// answer settles it.
	Dimension int
	// Sleep waits, or returns the context's error when it ends first.
	Sleep func(ctx context.Context, d time.Duration) error
	// Random returns a number in [0, 1) for the jitter.
	Random func() float64
	// Now is the clock of the rate limit.
	Now func() time.Time
}

func (o *RemoteOptions) setDefaults() {
	if o.Client == nil {
		o.Client = &http.Client{Timeout: time.Minute}
	}
	if o.Sleep == nil {
		o.Sleep = sleepContext
	}
	if o.Random == nil {
		o.Random = rand.Float64
	}
	if o.Now == nil {
		o.Now = time.Now
	}
}

const (
	// maxInputBytes bounds one text. The common limit is 8191 tokens, of
	// about four bytes in English and fewer elsewhere; the rest is cut off.
	maxInputBytes = 24_000
	// maxBatchBytes and maxBatchTexts bound one request.
	maxBatchBytes = 240_000
	maxBatchTexts = 96
	// maxAnswerBytes bounds what is read of an answer.
	maxAnswerBytes = 64 << 20
)

// remote is an embedder behind HTTP. chromem-go's own embedding functions send
// one text at a time and reduce a failure to a string; batches, retries and
// typed errors need a client of our own.
type remote struct {
	provider, space string
	endpoint, key   string
	options         RemoteOptions
	interval        time.Duration // least time between two requests

	request func(texts []string) any
	answer  func(body []byte, texts int) ([][]float32, error)
	explain func(status int, body []byte) (message string, final bool)

	dimension atomic.Int64
	mu        sync.Mutex
	next      time.Time // when the next request may go
}

func (r *remote) Model() string  { return r.space }
func (r *remote) Dimension() int { return int(r.dimension.Load()) }

func (r *remote) Query(ctx context.Context, text string) ([]float32, error) {
	vectors, err := r.Embed(ctx, []string{text})
	if err != nil {
		return nil, err
	}
	return vectors[0], nil
}

func (r *remote) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	var batch []string
	var places []int
	size := 0
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		found, err := r.embedBatch(ctx, batch)
		if err != nil {
			return err
		}
		for i, place := range places {
			vectors[place] = found[i]
		}
		batch, places, size = batch[:0], places[:0], 0
		return nil
	}
	for i, text := range texts {
		text = sendable(text)
		if text == "" {
			continue
		}
		if len(batch) == maxBatchTexts || size+len(text) > maxBatchBytes {
			if err := flush(); err != nil {
				return nil, err
			}
		}
		batch, places, size = append(batch, text), append(places, i), size+len(text)
	}
	return vectors, flush()
}

// sendable trims, repairs and bounds a text; "" means that it has no content.
func sendable(text string) string {
	text = strings.TrimFunc(strings.ToValidUTF8(text, "\uFFFD"), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	})
	if len(text) <= maxInputBytes {
		return text
	}
	end := maxInputBytes
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

func (r *remote) embedBatch(ctx context.Context, texts []string) ([][]float32, error) {
	body, err := json.Marshal(r.request(texts))
	if err != nil {
		return nil, r.fail(0, false, "the request cannot be encoded: "+err.Error())
	}
	var vectors [][]float32
	err = r.retry(ctx, func() error {
		if err := r.pace(ctx); err != nil {
			return r.interrupted(ctx, nil)
		}
		answer, err := r.post(ctx, body)
		if err != nil {
			return err
		}
		vectors, err = r.answer(answer, len(texts))
		if err != nil {
			// Half an answer or none is more often a proxy's hiccup than a rule.
			return r.fail(http.StatusOK, true, err.Error())
		}
		return r.check(vectors)
	})
	return vectors, err
}

// pace waits until the rate limit admits another request.
func (r *remote) pace(ctx context.Context) error {
	if r.interval == 0 {
		return ctx.Err()
	}
	r.mu.Lock()
	now := r.options.Now()
	at := r.next
	if at.Before(now) {
		at = now
	}
	r.next = at.Add(r.interval)
	r.mu.Unlock()
	if wait := at.Sub(now); wait > 0 {
		return r.options.Sleep(ctx, wait)
	}
	return ctx.Err()
}

// post sends one request and returns the body of a successful answer.
func (r *remote) post(ctx context.Context, body []byte) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, r.endpoint, bytes.NewReader(body))
	if err != nil {
		return nil, r.fail(0, false, "the address is not usable")
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json")
	if r.key != "" {
		request.Header.Set("Authorization", "Bearer "+r.key)
	}
	response, err := r.options.Client.Do(request)
	if err != nil {
		return nil, r.unreachable(ctx, err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, maxAnswerBytes+1))
	switch {
	case response.StatusCode != http.StatusOK:
		return nil, r.refused(response, answer)
	case err != nil:
		return nil, r.unreachable(ctx, err)
	case len(answer) > maxAnswerBytes:
		return nil, r.fail(response.StatusCode, false, fmt.Sprintf("the answer exceeds %d MB", maxAnswerBytes>>20))
	}
	return answer, nil
}

// refused is the error of an answer that is not 200.
func (r *remote) refused(response *http.Response, body []byte) error {
	message, final := r.explain(response.StatusCode, body)
	if message == "" {
		message = http.StatusText(response.StatusCode)
	}
	failure := r.fail(response.StatusCode, retryableStatus(response.StatusCode) && !final, message)
	failure.RetryAfter = retryAfter(response.Header.Get("Retry-After"), r.options.Now())
	return failure
}

// retryAfter reads a Retry-After header: seconds or a date.
func retryAfter(header string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseFloat(header, 64); err == nil && seconds > 0 && seconds < 1e6 {
		return time.Duration(seconds * float64(time.Second))
	}
	if at, err := http.ParseTime(header); err == nil && at.After(now) {
		return at.Sub(now)
	}
	return 0
}

// unreachable is the error of a request without an answer. The address is left
// out: it may carry a secret.
func (r *remote) unreachable(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return r.interrupted(ctx, nil)
	}
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		return r.fail(0, true, "no answer in time")
	}
	var address *url.Error
	if errors.As(err, &address) {
		err = address.Err
	}
	return r.fail(0, true, "no connection: "+err.Error())
}

func (r *remote) fail(status int, retryable bool, message string) *ProviderError {
	return &ProviderError{Provider: r.provider, Status: status, Retryable: retryable, Message: presentable(message, r.key)}
}

// check normalises the vectors and holds them to one dimension.
func (r *remote) check(vectors [][]float32) error {
	for _, vector := range vectors {
		if !Normalize(vector) {
			return r.fail(http.StatusOK, false, ErrNoDirection.Error())
		}
		if r.dimension.CompareAndSwap(0, int64(len(vector))) {
			continue
		}
		if want := r.Dimension(); len(vector) != want {
			return r.fail(http.StatusOK, false, (&DimensionError{Got: len(vector), Want: want}).Error())
		}
	}
	return nil
}

// parseBase checks a base URL and returns it without a trailing slash.
func parseBase(base string) (*url.URL, error) {
	parsed, err := url.Parse(strings.TrimRight(base, "/"))
	switch {
	case err != nil:
		return nil, errors.New("the embedding URL is not a URL, e.g. https://api.openai.com/v1")
	case parsed.Scheme != "http" && parsed.Scheme != "https" || parsed.Host == "":
		return nil, fmt.Errorf("the embedding URL must start with http:// or https:// and name a host, got scheme %q", parsed.Scheme)
	case parsed.User != nil || parsed.RawQuery != "" || parsed.Fragment != "":
		return nil, errors.New("the embedding URL must not carry a user, a password, a query or a fragment")
	}
	return parsed, nil
}
