package judge

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
)

// maxAnswer bounds the body of an answer, in bytes; a rating takes few.
const maxAnswer = 1 << 20

// connection sends requests to one service. It uses the given service alone, no
// setting of the process's environment but the usual ones for proxies.
type connection struct {
	endpoint string
	header   http.Header // the key among it
	client   *http.Client
}

// newConnection reaches a path below a base URL.
func newConnection(base, path string) *connection {
	return &connection{
		endpoint: strings.TrimRight(base, "/") + path,
		header:   http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json"}},
		// A redirect would carry the key and the texts to a host nobody named.
		client: &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
	}
}

// post sends a request and decodes the answer. Its errors are *failure.
func (c *connection) post(ctx context.Context, request, answer any) error {
	body, err := json.Marshal(request)
	if err != nil {
		return &failure{text: "the request cannot be encoded"}
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.endpoint, bytes.NewReader(body))
	if err != nil {
		return &failure{text: "the address is not usable"}
	}
	r.Header = c.header
	response, err := c.client.Do(r)
	if err != nil {
		return fromTransport(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fromStatus(response.StatusCode, response.Header)
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return fromTransport(err)
	}
	if json.Unmarshal(text, answer) != nil {
		return &failure{text: "the answer could not be read"}
	}
	return nil
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
