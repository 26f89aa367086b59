package memory

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
	judgeRequestTimeout = 20 * time.Second // one request; a judgement is a few tokens
	maxJudgeAttempts    = 4                // of a request that fails for a passing reason
	maxJudgeRetryDelay  = 8 * time.Second  // also the longest Retry-After that is waited for
	maxJudgeTokens      = 16               // a number
	// judgeRequestInterval is the documented rate of both services: 1 request a second.
	judgeRequestInterval = time.Second
)

// modelJudge is a Judge that asks a service. Its errors name neither address nor key.
type modelJudge struct {
	name string
	judgeDialect
	*httpclient.Client
}

// judgeDialect is what the services say differently.
type judgeDialect struct {
	request func(request map[string]any, turns []judgeMessage)
	answer  func(body []byte) (string, error)
}

// judgeMessage is one turn of the short conversation with a model.
type judgeMessage struct {
	Role    string `json:"role"` // system, user or assistant
	Content string `json:"content"`
}

func (m *modelJudge) Model() string { return m.name }

// Rate asks for a number, and once more when the answer was none.
func (m *modelJudge) Rate(ctx context.Context, query, document string) (float64, error) {
	turns := []judgeMessage{{"user", formatJudgeQuestion(query, document)}}
	for range 2 {
		answer, err := m.requestAnswer(ctx, turns)
		if err != nil {
			return 0, err
		}
		if score, ok := parseJudgeScore(answer); ok {
			return score, nil
		}
		if strings.TrimSpace(answer) == "" { // services refuse empty messages
			answer = "(no answer)"
		}
		turns = append(turns, judgeMessage{"assistant", answer}, judgeMessage{"user", judgeRepair})
	}
	return 0, errJudgeNoNumber
}

func (m *modelJudge) requestAnswer(ctx context.Context, turns []judgeMessage) (text string, err error) {
	request := map[string]any{"model": m.name, "max_tokens": maxJudgeTokens, "temperature": 0}
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
		return "", errJudgeOutOfTime
	}
	return text, describeJudgeError(err)
}

var errJudgeOutOfTime = errors.New("the time of the call was over")

// describeJudgeError says what a person may do about a failure.
func describeJudgeError(err error) error {
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
