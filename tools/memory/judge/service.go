package judge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"toolkit/internal/outgoing"
)

const (
	requestTimeout = 20 * time.Second // one request; a judgement is a few tokens
	attempts       = 4                // of a request that fails for a passing reason
	longestDelay   = 8 * time.Second  // also the longest Retry-After that is waited for
	maxTokens      = 16               // a number
	// paceOfSource is the documented rate of both services: 1 request a second.
	paceOfSource = time.Second
)

// connection sends requests to one service. It uses the given service alone, no
// setting of the process's environment but the usual ones for proxies.
type connection struct{ *outgoing.Client }

// newConnection reaches a path below a base URL.
func newConnection(base, path string) connection {
	return connection{&outgoing.Client{
		URL:     strings.TrimRight(base, "/") + path,
		Header:  http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json"}},
		Timeout: requestTimeout, Attempts: attempts, LongestDelay: longestDelay, LongestWait: longestDelay, Every: paceOfSource,
	}}
}

// post sends a request and decodes the answer.
func (c connection) post(ctx context.Context, request, answer any) error {
	body, err := json.Marshal(request)
	if err != nil {
		return errors.New("the request cannot be encoded")
	}
	err = c.Post(ctx, body, func(text []byte) error {
		if json.Unmarshal(text, answer) != nil {
			return errors.New("the answer could not be read")
		}
		return nil
	})
	switch {
	case err != nil && ctx.Err() != nil:
		return errOutOfTime
	case err != nil:
		return describe(err)
	}
	return nil
}

var errOutOfTime = errors.New("the time of the call was over")

// describe says what a person may do about a failure.
func describe(err error) error {
	var f *outgoing.Failure
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

// message is one turn as both services take it.
type message struct {
	Role    string `json:"role"` // system, user or assistant
	Content string `json:"content"`
}

func messages(turns []turn) []message {
	list := make([]message, 0, len(turns)+1)
	for _, t := range turns {
		role := "user"
		if t.answer {
			role = "assistant"
		}
		list = append(list, message{role, t.text})
	}
	return list
}
