package judge

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	requestTimeout = 20 * time.Second       // one request; a judgement is a few tokens
	attempts       = 4                      // of a request that fails for a passing reason
	firstDelay     = 500 * time.Millisecond // doubles with each attempt, with jitter
	longestDelay   = 8 * time.Second        // also the longest Retry-After that is waited for
	maxTokens      = 16                     // a number
	// paceOfSource is the documented rate of both services: 1 request a second.
	paceOfSource = time.Second
)

// turn is one message of the short conversation with a model.
type turn struct {
	answer bool // said by the model
	text   string
}

// client asks one vendor's service. Its errors are *failure.
type client interface {
	model() string
	ask(ctx context.Context, turns []turn) (string, error)
}

// failure is a request that did not succeed, described without the address, the
// key or the body of the answer.
type failure struct {
	text       string
	passing    bool          // the same request may succeed later
	retryAfter time.Duration // Retry-After, 0: not said
}

func (f *failure) Error() string { return f.text }

// model is a Judge that asks a service.
type model struct {
	client  client
	timeout time.Duration // of one request
	pace    *pace
	sleep   func(context.Context, time.Duration) error
	jitter  func() float64 // 0..1
}

func newModel(c client) *model {
	return &model{client: c, timeout: requestTimeout, pace: newPace(paceOfSource, time.Now, sleep), sleep: sleep, jitter: rand.Float64}
}

func (m *model) Model() string { return m.client.model() }

// Rate asks for a number, and once more when the answer was none.
func (m *model) Rate(ctx context.Context, query, document string) (float64, error) {
	turns := []turn{{text: question(query, document)}}
	for range 2 {
		answer, err := m.ask(ctx, turns)
		if err != nil {
			return 0, err
		}
		if score, ok := parseScore(answer); ok {
			return score, nil
		}
		turns = append(turns, turn{answer: true, text: nonEmpty(answer)}, turn{text: repair})
	}
	return 0, errNoNumber
}

// nonEmpty keeps an empty answer sayable: services refuse empty messages.
func nonEmpty(answer string) string {
	if strings.TrimSpace(answer) == "" {
		return "(no answer)"
	}
	return answer
}

// ask repeats a request that failed for a passing reason, ever more slowly.
func (m *model) ask(ctx context.Context, turns []turn) (string, error) {
	delay := firstDelay
	for attempt := 1; ; attempt++ {
		if err := m.pace.wait(ctx); err != nil {
			return "", errOutOfTime
		}
		answer, err := m.askOnce(ctx, turns)
		var f *failure
		if err == nil || !errors.As(err, &f) || !f.passing || attempt == attempts || f.retryAfter > longestDelay {
			return answer, err
		}
		// Full jitter would lose the rising floor; half of the delay is fixed.
		wait := max(f.retryAfter, delay/2+time.Duration(m.jitter()*float64(delay)/2))
		if err := m.sleep(ctx, wait); err != nil {
			return "", errOutOfTime
		}
		delay = min(2*delay, longestDelay)
	}
}

func (m *model) askOnce(ctx context.Context, turns []turn) (string, error) {
	limited, cancel := context.WithTimeout(ctx, m.timeout)
	defer cancel()
	answer, err := m.client.ask(limited, turns)
	if err != nil && ctx.Err() != nil {
		return "", errOutOfTime
	}
	return answer, err
}

var errOutOfTime = errors.New("the time of the call was over")

// fromStatus describes an HTTP status that is no success.
func fromStatus(status int, header http.Header) *failure {
	f := &failure{text: fmt.Sprintf("the service answered HTTP %d (%s)", status, strings.ToLower(http.StatusText(status)))}
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		f.text += "; check its key"
	case status == http.StatusNotFound:
		f.text += "; check its address and model"
	case status == http.StatusRequestTimeout, status == http.StatusConflict, status == http.StatusTooManyRequests, status >= 500:
		f.passing = true
		f.retryAfter = retryAfter(header)
	}
	return f
}

func retryAfter(header http.Header) time.Duration {
	if ms, err := strconv.ParseFloat(header.Get("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return time.Duration(ms * float64(time.Millisecond))
	}
	if s, err := strconv.ParseFloat(header.Get("Retry-After"), 64); err == nil && s > 0 {
		return time.Duration(s * float64(time.Second))
	}
	return 0
}

// fromTransport describes a request without a whole answer.
func fromTransport(err error) *failure {
	var timeout net.Error
	if errors.Is(err, context.DeadlineExceeded) || (errors.As(err, &timeout) && timeout.Timeout()) {
		return &failure{text: "the service did not answer in time", passing: true}
	}
	return &failure{text: "the service could not be reached, or broke off", passing: true}
}

// sleep waits, or gives up with the context.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
