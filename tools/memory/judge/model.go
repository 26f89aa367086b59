package judge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"toolkit/internal/httpclient"
)

const (
	requestTimeout = 20 * time.Second // one request; a judgement is a few tokens
	maxAttempts    = 4                // of a request that fails for a passing reason
	maxRetryDelay  = 8 * time.Second  // also the longest Retry-After that is waited for
	maxTokens      = 16               // a number
	// requestInterval is the documented rate of both services: 1 request a second.
	requestInterval = time.Second
)

// model is a Judge that asks a service. Its errors name neither address nor key.
type model struct {
	name string
	dialect
	*httpclient.Client
}

// dialect is what the services say differently.
type dialect struct {
	request func(request map[string]any, turns []message)
	answer  func(body []byte) (string, error)
}

// message is one turn of the short conversation with a model.
type message struct {
	Role    string `json:"role"` // system, user or assistant
	Content string `json:"content"`
}

func (m *model) Model() string { return m.name }

// Rate asks for a number, and once more when the answer was none.
func (m *model) Rate(ctx context.Context, query, document string) (float64, error) {
	turns := []message{{"user", formatQuestion(query, document)}}
	for range 2 {
		answer, err := m.ask(ctx, turns)
		if err != nil {
			return 0, err
		}
		if score, ok := parseScore(answer); ok {
			return score, nil
		}
		if strings.TrimSpace(answer) == "" { // services refuse empty messages
			answer = "(no answer)"
		}
		turns = append(turns, message{"assistant", answer}, message{"user", repair})
	}
	return 0, errNoNumber
}

func (m *model) ask(ctx context.Context, turns []message) (text string, err error) {
	request := map[string]any{"model": m.name, "max_tokens": maxTokens, "temperature": 0}
	m.request(request, turns)
	body, err := json.Marshal(request)
	if err != nil {
		return "", errors.New("the request cannot be encoded")
	}
	err = m.Post(ctx, body, func(answer []byte) error {
		if text, err = m.answer(answer); err != nil {
			return errors.New("the answer could not be read")
		}
		return nil
	})
	if err != nil && ctx.Err() != nil {
		return "", errOutOfTime
	}
	return text, describeError(err)
}

var errOutOfTime = errors.New("the time of the call was over")

// describeError says what a person may do about a failure.
func describeError(err error) error {
	var f *httpclient.Failure
	switch {
	case !errors.As(err, &f):
		return err
	case f.Status == http.StatusUnauthorized || f.Status == http.StatusForbidden:
		return fmt.Errorf("the service answered %w; check its key", f)
	case f.Status == http.StatusNotFound:
		return fmt.Errorf("the service answered %w; check its address and model", f)
	case f.Status != 0:
		return fmt.Errorf("the service answered %w", f)
	}
	return fmt.Errorf("the service could not be reached, or broke off: %w", f)
}
