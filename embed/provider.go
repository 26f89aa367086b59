package embed

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"
)

// ProviderError says why a remote model gave no vectors. It never holds the
// key nor the texts.
type ProviderError struct {
	// Provider is "openai" or "ollama".
	Provider string
	// Status is the HTTP status, 0 when there was no answer.
	Status int
	// Retryable tells that the same request may succeed later: keep the row
	// and embed it again. Otherwise the configuration has to change first.
	Retryable bool
	// RetryAfter is how long the provider asks to wait, 0 when it does not say.
	RetryAfter time.Duration
	// Message is one line for a person.
	Message string

	cause error // context.Canceled, context.DeadlineExceeded or nil
}

func (e *ProviderError) Error() string {
	var text strings.Builder
	text.WriteString(e.Provider)
	if e.Status != 0 {
		fmt.Fprintf(&text, ": HTTP %d", e.Status)
	}
	text.WriteString(": " + e.Message)
	if e.RetryAfter > 0 {
		fmt.Fprintf(&text, " (try again in %s)", e.RetryAfter)
	}
	return text.String()
}

// Unwrap makes errors.Is find a cancelled or expired context.
func (e *ProviderError) Unwrap() error { return e.cause }

// retryableStatus tells which answers are worth another try.
func retryableStatus(status int) bool {
	switch status {
	case 408, 425, 429, 500, 502, 503, 504, 529:
		return true
	}
	return false
}

// longestMessage bounds what is kept of a provider's own words.
const longestMessage = 300

// secrets matches what looks like a key, whoever's it is.
var secrets = regexp.MustCompile(`(?i)\b(sk|pk|key|token)-[\w*.-]{4,}|bearer\s+\S+`)

// presentable makes foreign text safe to show: one line, bounded, without the
// key or anything that looks like one.
func presentable(message, key string) string {
	if key != "" {
		message = strings.ReplaceAll(message, key, "[key]")
	}
	message = secrets.ReplaceAllString(message, "[key]")
	message = strings.Join(strings.Fields(strings.ToValidUTF8(message, "")), " ")
	if runes := []rune(message); len(runes) > longestMessage {
		message = string(runes[:longestMessage]) + "…"
	}
	return message
}

const (
	// attempts is how often a request is sent before its error is final.
	attempts = 4
	// firstBackoff doubles with every attempt, up to longestBackoff.
	firstBackoff   = 500 * time.Millisecond
	longestBackoff = 20 * time.Second
	// longestWait bounds how long a provider may make a caller wait; beyond it
	// the row is better embedded later.
	longestWait = time.Minute
)

// retry calls try until it succeeds, fails for good or has been called
// attempts times. Between two calls it sleeps, doubling, with a jitter of half
// the time so that several processes do not come back together.
func (r *remote) retry(ctx context.Context, try func() error) error {
	for attempt := 1; ; attempt++ {
		err := try()
		var failure *ProviderError
		if err == nil || !errors.As(err, &failure) || !failure.Retryable || attempt == attempts || ctx.Err() != nil {
			return err
		}
		backoff := min(firstBackoff<<(attempt-1), longestBackoff)
		wait := backoff/2 + time.Duration(r.options.Random()*float64(backoff/2))
		wait = max(wait, failure.RetryAfter)
		if wait > longestWait {
			return err
		}
		if r.options.Sleep(ctx, wait) != nil {
			return r.interrupted(ctx, failure)
		}
	}
}

// interrupted is the error of a request whose context ended; what went wrong
// before explains why it took so long.
func (r *remote) interrupted(ctx context.Context, before *ProviderError) error {
	failure := &ProviderError{Provider: r.provider, Message: "the request was cancelled", cause: ctx.Err()}
	if errors.Is(failure.cause, context.DeadlineExceeded) {
		failure.Message, failure.Retryable = "no answer in time", true
	}
	if before != nil {
		failure.Status, failure.RetryAfter = before.Status, before.RetryAfter
		failure.Message += " while waiting to try again after: " + before.Message
	}
	return failure
}

// sleepContext sleeps unless the context ends first.
func sleepContext(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
