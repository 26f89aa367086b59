package embed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"time"
	"unicode"
	"unicode/utf8"

	"toolkit/internal/httpclient"
	"toolkit/internal/language"
)

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

// protocol is how one kind of service is asked for vectors.
type protocol struct {
	provider string
	path     string        // below the base URL
	every    time.Duration // least distance between two requests

	request func(texts []string) any
	answer  func(body []byte, texts int) ([][]float32, error)
	// explain reads an error answer. A lasting one is not worth another try,
	// whatever its status.
	explain func(status int, body []byte) (message string, lasting bool)
}

// remote is an embedder behind HTTP. chromem-go's own embedding functions send
// one text at a time and reduce a failure to a string; batches and retries need a
// client of our own.
type remote struct {
	protocol
	space, key string
	service    *httpclient.Client
	dimension  atomic.Int64 // 0: the first answer settles it
}

const (
	// maxAttempts is how often a request is sent before its error is final.
	maxAttempts = 4
	// maxRetryDelay ends the doubling of the pauses between them.
	maxRetryDelay = 20 * time.Second
	// maxRetryTime bounds how long a provider may make a caller wait; beyond it
	// the row is better embedded later.
	maxRetryTime = time.Minute
)

// newRemote completes a client, which may bring a clock of its own.
func newRemote(p protocol, base *url.URL, space, key string, client *httpclient.Client) *remote {
	r := &remote{protocol: p, space: space, key: key, service: client}
	client.URL = base.String() + p.path
	client.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json"}}
	if key != "" {
		client.Header.Set("Authorization", "Bearer "+key)
	}
	client.Timeout, client.MaxAnswer = time.Minute, maxAnswerBytes
	client.Attempts, client.LongestDelay, client.LongestWait, client.Every = maxAttempts, maxRetryDelay, maxRetryTime, p.every
	client.Lasting = func(f *httpclient.Failure) bool {
		_, lasting := r.explain(f.Status, f.Body)
		return lasting
	}
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
		text = prepareInput(text)
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

// prepareInput trims, repairs and bounds a text; "" means that it has no content.
func prepareInput(text string) string {
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
		return nil, fmt.Errorf("%s: the request cannot be encoded: %w", r.provider, err)
	}
	var vectors [][]float32
	err = r.service.Post(ctx, body, func(answer []byte) error {
		if vectors, err = r.answer(answer, len(texts)); err != nil {
			// Half an answer or none is more often a proxy's hiccup than a rule.
			return &httpclient.Failure{Status: http.StatusOK, Passing: true, Err: err}
		}
		if err := r.normalizeToOneDimension(vectors); err != nil {
			return &httpclient.Failure{Status: http.StatusOK, Err: err}
		}
		return nil
	})
	return vectors, r.describeError(err)
}

// normalizeToOneDimension normalises the vectors and holds them to one dimension.
func (r *remote) normalizeToOneDimension(vectors [][]float32) error {
	for _, vector := range vectors {
		if !Normalize(vector) {
			return ErrNoDirection
		}
		if r.dimension.CompareAndSwap(0, int64(len(vector))) {
			continue
		}
		if want := r.Dimension(); len(vector) != want {
			return &DimensionError{Got: len(vector), Want: want}
		}
	}
	return nil
}

// failure is why a service gave no vectors, in one line for a person.
type failure struct {
	text string // never holds the key nor the texts
	*httpclient.Failure
}

func (e *failure) Error() string { return e.text }

// Unwrap makes errors.Is find a cancelled or expired context.
func (e *failure) Unwrap() error { return e.Failure }

// describeError says what the service said.
func (r *remote) describeError(err error) error {
	var f *httpclient.Failure
	if !errors.As(err, &f) {
		return err
	}
	message := f.Error()
	if f.Body != nil {
		reason, _ := r.explain(f.Status, f.Body)
		if reason == "" {
			reason = http.StatusText(f.Status)
		}
		if f.Err != nil {
			reason = message + " while waiting to try again after: " + reason
		}
		message = reason
	}
	text := r.provider + ": "
	if f.Status != 0 {
		text += fmt.Sprintf("HTTP %d: ", f.Status)
	}
	text += redactMessage(message, r.key)
	if f.RetryAfter > 0 {
		text += fmt.Sprintf(" (try again in %s)", f.RetryAfter)
	}
	return &failure{text, f}
}

// maxMessageLength bounds what is kept of a provider's own words.
const maxMessageLength = 300

// secrets matches what looks like a key, whoever's it is.
var secrets = regexp.MustCompile(`(?i)\b(sk|pk|key|token)-[\w*.-]{4,}|bearer\s+\S+`)

// redactMessage makes foreign text safe to show: one line, bounded, without the
// key or anything that looks like one.
func redactMessage(message, key string) string {
	if key != "" {
		message = strings.ReplaceAll(message, key, "[key]")
	}
	message = secrets.ReplaceAllString(message, "[key]")
	message = strings.Join(strings.Fields(strings.ToValidUTF8(message, "")), " ")
	return language.Shorten(message, maxMessageLength)
}

// parseBase checks a base URL.
func parseBase(base string) (*url.URL, error) {
	u, err := httpclient.ParseBaseURL("the embedding URL", base)
	if err == nil && u.User != nil {
		err = errors.New("the embedding URL must not carry a user or a password")
	}
	return u, err
}
