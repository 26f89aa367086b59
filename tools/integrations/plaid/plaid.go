// Package plaid is a client of the Plaid API, as far as the toolkit speaks it:
// link tokens, the exchange of public tokens, items, accounts and the
// synchronisation of transactions.
//
// It is our own because the six calls are small and documented, and an error of
// it never carries what Plaid echoes: no token, no account number.
package plaid

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"toolkit/internal/httpclient"
)

// Sandbox is Plaid's environment for trials.
const Sandbox = "https://sandbox.plaid.com"

const (
	apiVersion = "2020-09-14"
	// maxResponse bounds an answer: five hundred transactions are one megabyte.
	maxResponse = 32 << 20
	// requestTimeout is for one request; Plaid itself gives up after half a minute.
	requestTimeout = 30 * time.Second
)

// Client speaks to one Plaid environment.
type Client struct {
	base, id, secret string
	http             *http.Client // nil: one of the outgoing client's own
}

// New returns a client. The base URL must be HTTPS, except on this machine:
// every request carries the secret.
func New(base, id, secret string, h *http.Client) (*Client, error) {
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, errors.New("PLAID_BASE_URL is no address, such as " + Sandbox)
	}
	if u.Scheme != "https" && !(u.Scheme == "http" && httpclient.Loopback(u.Hostname())) {
		return nil, errors.New("PLAID_BASE_URL must begin with https://")
	}
	return &Client{strings.TrimSuffix(base, "/"), id, secret, h}, nil
}

// Error is an answer of Plaid that is no success, or no answer. Its text names
// codes only.
type Error struct {
	Status     int    // HTTP status; 0: there was no answer
	Type       string // such as ITEM_ERROR
	Code       string // such as ITEM_LOGIN_REQUIRED
	RequestID  string // for Plaid's support
	RetryAfter time.Duration
	Err        error // cause, when there was no answer
}

// Codes of Plaid that callers tell apart.
const (
	CodeMutation      = "TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION"
	CodeLoginRequired = "ITEM_LOGIN_REQUIRED"
	CodeInvalidPublic = "INVALID_PUBLIC_TOKEN"

	// Codes of our own.
	CodeUnreachable = "UNREACHABLE"
	CodeMalformed   = "MALFORMED_RESPONSE"
	CodeServer      = "SERVER_ERROR"
	CodeRateLimit   = "RATE_LIMIT_EXCEEDED"
)

func (e *Error) Error() string { return fmt.Sprintf("Plaid answered %s (HTTP %d)", e.Code, e.Status) }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Retryable reports whether the same request may succeed later.
func (e *Error) Retryable() bool {
	return e.Status == 0 || e.Status == http.StatusTooManyRequests || e.Status >= 500 || e.Code == CodeMutation || e.Code == "PRODUCT_NOT_READY" || e.Type == "INSTITUTION_ERROR"
}

// call posts a request and reads the answer.
func (c *Client) call(ctx context.Context, path string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return fmt.Errorf("encoding a request to Plaid: %w", err)
	}
	service := httpclient.Client{
		URL: c.base + path, HTTP: c.http, Timeout: requestTimeout, MaxAnswer: maxResponse,
		Header: http.Header{"Content-Type": {"application/json"}, "Plaid-Version": {apiVersion}, "Plaid-Client-Id": {c.id}, "Plaid-Secret": {c.secret}},
	}
	err = service.Post(ctx, body, func(answer []byte) error {
		d := json.NewDecoder(bytes.NewReader(answer))
		d.UseNumber()
		if d.Decode(out) != nil {
			return &Error{Status: http.StatusBadGateway, Code: CodeMalformed}
		}
		return nil
	})
	var f *httpclient.Failure
	switch {
	case !errors.As(err, &f):
		return err
	case f.Status == 0:
		return &Error{Code: CodeUnreachable, Err: f.Err}
	case f.Err != nil:
		return &Error{Status: f.Status, Code: CodeMalformed}
	}
	return refused(f)
}

// refused reads an error of the API. What is not of its form, such as the page
// of a proxy, keeps its status.
func refused(f *httpclient.Failure) *Error {
	e := &Error{Status: f.Status, RetryAfter: f.RetryAfter.Round(time.Second)}
	var said struct {
		Type      string `json:"error_type"`
		Code      string `json:"error_code"`
		RequestID string `json:"request_id"`
	}
	if json.Unmarshal(f.Body, &said) == nil {
		e.Type, e.Code, e.RequestID = symbol(said.Type), symbol(said.Code), symbol(said.RequestID)
	}
	if e.Code == "" {
		switch {
		case e.Status == http.StatusTooManyRequests:
			e.Code = CodeRateLimit
		case e.Status >= 500:
			e.Code = CodeServer
		default:
			e.Code = CodeMalformed
		}
	}
	return e
}

// symbol lets codes and ids pass and nothing else.
func symbol(text string) string {
	const longest = 100
	if len(text) > longest {
		return ""
	}
	for _, r := range text {
		if !(r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_') {
			return ""
		}
	}
	return text
}
