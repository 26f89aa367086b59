package integrations

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"toolkit/internal/httpclient"
)

// PlaidSandbox is Plaid's environment for trials.
const PlaidSandbox = "https://sandbox.plaid.com"

const (
	plaidAPIVersion = "2020-09-14"
	// maxPlaidResponse bounds an answer: five hundred transactions are one megabyte.
	maxPlaidResponse = 32 << 20
	// plaidRequestTimeout is for one request; Plaid itself gives up after half a minute.
	plaidRequestTimeout = 30 * time.Second
)

// PlaidClient speaks to one Plaid environment, as far as the toolkit needs it: link
// tokens, the exchange of public tokens, items, accounts and the synchronisation of
// transactions.
//
// It is our own because the six calls are small and documented, and an error of it
// never carries what Plaid echoes: no token, no account number.
type PlaidClient struct {
	base, id, secret string
	http             *http.Client // nil: one of the outgoing client's own
}

// NewPlaidClient returns a client. The base URL must be HTTPS, except on this machine:
// every request carries the secret.
func NewPlaidClient(base, id, secret string, h *http.Client) (*PlaidClient, error) {
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, errors.New("PLAID_BASE_URL is no address, such as " + PlaidSandbox)
	}
	if u.Scheme != "https" && !(u.Scheme == "http" && httpclient.IsLoopback(u.Hostname())) {
		return nil, errors.New("PLAID_BASE_URL must begin with https://")
	}
	return &PlaidClient{strings.TrimSuffix(base, "/"), id, secret, h}, nil
}

// PlaidError is an answer of Plaid that is no success, or no answer. Its text names
// codes only.
type PlaidError struct {
	Status     int    // HTTP status; 0: there was no answer
	Type       string // such as ITEM_ERROR
	Code       string // such as ITEM_LOGIN_REQUIRED
	RequestID  string // for Plaid's support
	RetryAfter time.Duration
	Err        error // cause, when there was no answer
}

// Codes of Plaid that callers tell apart.
const (
	PlaidCodeMutation           = "TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION"
	PlaidCodeLoginRequired      = "ITEM_LOGIN_REQUIRED"
	PlaidCodeInvalidPublicToken = "INVALID_PUBLIC_TOKEN"

	// Codes of our own.
	PlaidCodeUnreachable       = "UNREACHABLE"
	PlaidCodeMalformedResponse = "MALFORMED_RESPONSE"
	PlaidCodeServerError       = "SERVER_ERROR"
	PlaidCodeRateLimit         = "RATE_LIMIT_EXCEEDED"
)

func (e *PlaidError) Error() string {
	return fmt.Sprintf("Plaid answered %s (HTTP %d)", e.Code, e.Status)
}

// errPlaidMalformed is an answer that is not of the documented form.
var errPlaidMalformed = &PlaidError{Status: http.StatusBadGateway, Code: PlaidCodeMalformedResponse}

// Unwrap returns the cause.
func (e *PlaidError) Unwrap() error { return e.Err }

// Retryable reports whether the same request may succeed later.
func (e *PlaidError) Retryable() bool {
	return e.Status == 0 || e.Status == http.StatusTooManyRequests || e.Status >= 500 || e.Code == PlaidCodeMutation || e.Code == "PRODUCT_NOT_READY" || e.Type == "INSTITUTION_ERROR"
}

// call posts a request and reads the answer.
func (c *PlaidClient) call(ctx context.Context, path string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return fmt.Errorf("encoding a request to Plaid: %w", err)
	}
	service := httpclient.Client{
		URL: c.base + path, HTTP: c.http, Timeout: plaidRequestTimeout, MaxAnswer: maxPlaidResponse,
		Header: http.Header{"Content-Type": {"application/json"}, "Plaid-Version": {plaidAPIVersion}, "Plaid-Client-Id": {c.id}, "Plaid-Secret": {c.secret}},
	}
	err = service.Post(ctx, body, func(answer []byte) error {
		d := json.NewDecoder(bytes.NewReader(answer))
		d.UseNumber()
		if d.Decode(out) != nil {
			return errPlaidMalformed
		}
		return nil
	})
	var f *httpclient.Failure
	switch {
	case !errors.As(err, &f):
		return err
	case f.Status == 0:
		return &PlaidError{Code: PlaidCodeUnreachable, Err: f.Err}
	case f.Err != nil:
		return &PlaidError{Status: f.Status, Code: PlaidCodeMalformedResponse}
	}
	return parsePlaidError(f)
}

// parsePlaidError reads an error of the API. What is not of its form, such as the page
// of a proxy, keeps its status.
func parsePlaidError(f *httpclient.Failure) *PlaidError {
	e := &PlaidError{Status: f.Status, RetryAfter: f.RetryAfter.Round(time.Second)}
	var said struct {
		Type      string `json:"error_type"`
		Code      string `json:"error_code"`
		RequestID string `json:"request_id"`
	}
	if json.Unmarshal(f.Body, &said) == nil {
		e.Type, e.Code, e.RequestID = sanitizePlaidCode(said.Type), sanitizePlaidCode(said.Code), sanitizePlaidCode(said.RequestID)
	}
	if e.Code == "" {
		switch {
		case e.Status == http.StatusTooManyRequests:
			e.Code = PlaidCodeRateLimit
		case e.Status >= 500:
			e.Code = PlaidCodeServerError
		default:
			e.Code = PlaidCodeMalformedResponse
		}
	}
	return e
}

// plaidCode is how codes and ids look; nothing else passes.
var plaidCode = regexp.MustCompile(`^[A-Za-z0-9_]{0,100}$`)

func sanitizePlaidCode(text string) string {
	if !plaidCode.MatchString(text) {
		return ""
	}
	return text
}
