package embed

import (
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
