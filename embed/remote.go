package embed

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"
	"unicode"
	"unicode/utf8"

	"toolkit/internal/outgoing"
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
	key             string
	service         *outgoing.Client

	request func(texts []string) any
	answer  func(body []byte, texts int) ([][]float32, error)
	explain func(status int, body []byte) (message string, lasting bool)

	dimension atomic.Int64
}

const (
	// attempts is how often a request is sent before its error is final.
	attempts = 4
	// longestDelay ends the doubling of the pauses between them.
	longestDelay = 20 * time.Second
	// longestWait bounds how long a provider may make a caller wait; beyond it
	// the row is better embedded later.
	longestWait = time.Minute
)

// newRemote returns a remote embedder of a provider without its protocol.
func newRemote(provider, space, endpoint, key string, interval time.Duration, o RemoteOptions) *remote {
	header := http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json"}}
	if key != "" {
		header.Set("Authorization", "Bearer "+key)
	}
	r := &remote{provider: provider, space: space, key: key, service: &outgoing.Client{
		URL: endpoint, Header: header, HTTP: o.Client, Timeout: time.Minute, MaxAnswer: maxAnswerBytes,
		Attempts: attempts, LongestDelay: longestDelay, LongestWait: longestWait, Every: interval,
		Sleep: o.Sleep, Random: o.Random, Now: o.Now,
	}}
	r.service.Lasting = func(f *outgoing.Failure) bool {
		_, lasting := r.explain(f.Status, f.Body)
		return lasting
	}
	r.dimension.Store(int64(o.Dimension))
	return r
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
	err = r.service.Post(ctx, body, func(answer []byte) error {
		if vectors, err = r.answer(answer, len(texts)); err != nil {
			// Half an answer or none is more often a proxy's hiccup than a rule.
			return &outgoing.Failure{Status: http.StatusOK, Passing: true, Err: err}
		}
		return r.check(vectors)
	})
	return vectors, r.describe(err)
}

// describe makes a *ProviderError of a failure.
func (r *remote) describe(err error) error {
	var f *outgoing.Failure
	if !errors.As(err, &f) {
		return err
	}
	message := f.Error()
	if f.Body != nil {
		said, _ := r.explain(f.Status, f.Body)
		if said == "" {
			said = http.StatusText(f.Status)
		}
		if f.Err != nil {
			said = message + " while waiting to try again after: " + said
		}
		message = said
	}
	failure := r.fail(f.Status, f.Passing, message)
	failure.RetryAfter = f.RetryAfter
	if errors.Is(f.Err, context.Canceled) || errors.Is(f.Err, context.DeadlineExceeded) {
		failure.cause = f.Err
	}
	return failure
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

// parseBase checks a base URL.
func parseBase(base string) (*url.URL, error) {
	u, err := outgoing.Base("the embedding URL", base)
	if err == nil && u.User != nil {
		err = errors.New("the embedding URL must not carry a user or a password")
	}
	return u, err
}
