// Package httpclient sends requests to services that the user has named: models,
// banks, collectors. One client bounds their answers, paces and repeats
// requests, follows no redirect (it would carry keys and texts to a host nobody
// named), and reports failures without addresses.
package httpclient

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Client asks one address. Fill in what differs from the defaults before
// the first use; it is safe for concurrent use after that.
type Client struct {
	URL    string
	Header http.Header  // keys among it
	HTTP   *http.Client // nil: NewHTTP of Timeout and MaxAnswer

	Timeout   time.Duration // of one request, its answer included; 0: none but the context's
	MaxAnswer int64         // bytes of an answer; 0: 1 MB

	Attempts     int           // how often a request is sent while its failures are passing; 0: once
	LongestDelay time.Duration // the time between two attempts begins at half a second, doubles, and ends here
	LongestWait  time.Duration // a service that asks for a longer pause is not waited for
	Every        time.Duration // least distance between the starts of two requests

	Lasting func(*Failure) bool // refusals that no waiting helps, whatever their status; nil: none

	Sleep  func(context.Context, time.Duration) error // nil: real time
	Random func() float64                             // 0..1, for the jitter
	Now    func() time.Time

	once sync.Once
	mu   sync.Mutex
	next time.Time // when the next request may start
}

const (
	firstDelay       = 500 * time.Millisecond
	defaultMaxAnswer = 1 << 20
)

// Failure is a request that did not succeed. Its text names neither the address
// nor anything that the service said.
type Failure struct {
	Status     int // HTTP status; 0: there was no answer
	Body       []byte
	RetryAfter time.Duration // what the service asks for, 0: it does not say
	Passing    bool          // the same request may succeed later
	Err        error         // cause, when there was no whole answer; the context's error when that ended
}

func (f *Failure) Error() string {
	var timeout net.Error
	switch {
	case errors.Is(f.Err, context.Canceled):
		return "the request was cancelled"
	case errors.Is(f.Err, context.DeadlineExceeded), errors.As(f.Err, &timeout) && timeout.Timeout():
		return "no answer in time"
	case f.Status == 0:
		return "no connection: " + f.Err.Error()
	case f.Err != nil:
		return f.Err.Error()
	}
	return fmt.Sprintf("HTTP %d (%s)", f.Status, strings.ToLower(http.StatusText(f.Status)))
}

// Unwrap returns the cause.
func (f *Failure) Unwrap() error { return f.Err }

// passingStatus are the answers that are worth another try.
var passingStatus = []int{408, 409, 425, 429, 500, 502, 503, 504, 529}

// NewHTTP returns an HTTP client that bounds answers and refuses redirects.
func NewHTTP(timeout time.Duration, maxAnswer int64) *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConns = 2
	return &http.Client{Transport: boundedTransport{transport, maxAnswer}, Timeout: timeout, CheckRedirect: refuseRedirect}
}

var errRedirect = errors.New("the service redirects; configure the address it redirects to")

func refuseRedirect(*http.Request, []*http.Request) error { return errRedirect }

func (c *Client) setDefaults() {
	if c.MaxAnswer == 0 {
		c.MaxAnswer = defaultMaxAnswer
	}
	if c.HTTP == nil {
		c.HTTP = NewHTTP(c.Timeout, c.MaxAnswer)
	} else {
		given := *c.HTTP
		given.CheckRedirect = refuseRedirect
		c.HTTP = &given
	}
	if c.Sleep == nil {
		c.Sleep = Sleep
	}
	if c.Random == nil {
		c.Random = rand.Float64
	}
	if c.Now == nil {
		c.Now = time.Now
	}
}

// Post sends a body, again while it fails for a passing reason, and gives the
// answer to read, whose failure is passing when it is a *Failure that says so.
// Errors are *Failure unless they are read's own.
func (c *Client) Post(ctx context.Context, body []byte, read func(answer []byte) error) error {
	return c.sendWithRetries(ctx, http.MethodPost, body, read)
}

// Get asks for what is at the address, and is like Post in all else.
func (c *Client) Get(ctx context.Context, read func(answer []byte) error) error {
	return c.sendWithRetries(ctx, http.MethodGet, nil, read)
}

func (c *Client) sendWithRetries(ctx context.Context, method string, body []byte, read func(answer []byte) error) error {
	c.once.Do(c.setDefaults)
	delay := firstDelay
	var before error
	for attempt := 1; ; attempt++ {
		if err := c.waitBetweenRequests(ctx); err != nil {
			return newInterruptedFailure(err, before)
		}
		answer, err := c.sendOnce(ctx, method, body)
		if err == nil {
			err = read(answer)
		}
		var f *Failure
		if err == nil || !errors.As(err, &f) || !f.Passing || attempt >= c.Attempts || ctx.Err() != nil {
			return err
		}
		// Half of the delay is fixed; the rest keeps processes apart.
		wait := max(f.RetryAfter, delay/2+time.Duration(c.Random()*float64(delay)/2))
		if wait > c.LongestWait {
			return err
		}
		if err := c.Sleep(ctx, wait); err != nil {
			return newInterruptedFailure(err, f)
		}
		before, delay = f, min(2*delay, c.LongestDelay)
	}
}

// newInterruptedFailure is the failure of a request whose context ended while it waited
// to be sent again; what went wrong before explains why it took so long.
func newInterruptedFailure(err, before error) *Failure {
	f := &Failure{Err: err, Passing: errors.Is(err, context.DeadlineExceeded)}
	var earlier *Failure
	if errors.As(before, &earlier) {
		f.Status, f.Body, f.RetryAfter = earlier.Status, earlier.Body, earlier.RetryAfter
	}
	return f
}

// waitBetweenRequests returns when it is the caller's turn, in the order of the calls. A call
// that has ended, or will have ended by then, takes no turn from later ones.
func (c *Client) waitBetweenRequests(ctx context.Context) error {
	wait, err := c.reserveSendTime(ctx)
	if err != nil || wait <= 0 {
		return err
	}
	return c.Sleep(ctx, wait)
}

func (c *Client) reserveSendTime(ctx context.Context) (time.Duration, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := ctx.Err(); err != nil || c.Every == 0 {
		return 0, err
	}
	now, turn := c.Now(), c.next
	if turn.Before(now) {
		turn = now
	}
	if deadline, ok := ctx.Deadline(); ok && turn.After(deadline) {
		return 0, context.DeadlineExceeded
	}
	c.next = turn.Add(c.Every)
	return turn.Sub(now), nil
}

// sendOnce makes one attempt.
func (c *Client) sendOnce(ctx context.Context, method string, body []byte) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, method, c.URL, bytes.NewReader(body))
	if err != nil {
		return nil, &Failure{Err: errors.New("the address is not usable")}
	}
	request.Header = c.Header.Clone()
	response, err := c.HTTP.Do(request)
	switch {
	case errors.Is(err, errRedirect):
		return nil, &Failure{Status: response.StatusCode}
	case err != nil:
		return nil, newBrokenFailure(ctx, err)
	}
	defer response.Body.Close() //nolint:errcheck // it was only read
	answer, err := io.ReadAll(io.LimitReader(response.Body, c.MaxAnswer+1))
	switch {
	case response.StatusCode/100 != 2:
		return nil, c.newStatusFailure(response, answer)
	case errors.Is(err, ErrTooLong) || int64(len(answer)) > c.MaxAnswer:
		return nil, &Failure{Status: response.StatusCode, Err: ErrTooLong}
	case err != nil:
		return nil, newBrokenFailure(ctx, err)
	}
	return answer, nil
}

func (c *Client) newStatusFailure(response *http.Response, body []byte) *Failure {
	f := &Failure{
		Status: response.StatusCode, Body: body, Passing: slices.Contains(passingStatus, response.StatusCode),
		RetryAfter: parseRetryAfter(response.Header, c.Now()),
	}
	if c.Lasting != nil && c.Lasting(f) {
		f.Passing = false
	}
	return f
}

// newBrokenFailure describes a request without a whole answer. The address is left out:
// it may carry a secret.
func newBrokenFailure(ctx context.Context, err error) *Failure {
	var address *url.Error
	if errors.As(err, &address) {
		err = address.Err
	}
	if ctx.Err() != nil {
		return &Failure{Err: ctx.Err(), Passing: errors.Is(ctx.Err(), context.DeadlineExceeded)}
	}
	return &Failure{Err: err, Passing: true}
}

// parseRetryAfter reads how long a service asks to be left alone: seconds or a date,
// or milliseconds in a header of OpenAI's.
func parseRetryAfter(header http.Header, now time.Time) time.Duration {
	const longest = 24 * 3600.0
	number := func(text string) float64 {
		n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || !(n > 0) {
			return 0
		}
		return min(n, 1000*longest)
	}
	if ms := number(header.Get("Retry-After-Ms")); ms > 0 {
		return time.Duration(ms * float64(time.Millisecond))
	}
	if s := number(header.Get("Retry-After")); s > 0 {
		return time.Duration(min(s, longest) * float64(time.Second))
	}
	if at, err := http.ParseTime(header.Get("Retry-After")); err == nil && at.After(now) {
		return at.Sub(now)
	}
	return 0
}

// ErrTooLong is an answer beyond the bound.
var ErrTooLong = errors.New("the service answered with more than can be read")

// boundedTransport cuts off answers that are too long.
type boundedTransport struct {
	next http.RoundTripper
	most int64
}

func (b boundedTransport) RoundTrip(q *http.Request) (*http.Response, error) {
	r, err := b.next.RoundTrip(q)
	if err == nil {
		r.Body = &boundedBody{r.Body, b.most}
	}
	return r, err
}

type boundedBody struct {
	io.ReadCloser
	left int64
}

func (b *boundedBody) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, ErrTooLong
	}
	n, err := b.ReadCloser.Read(p[:min(int64(len(p)), b.left+1)])
	b.left -= int64(n)
	return n, err
}

// ParseBaseURL reads the address of a service from a setting. An error does not repeat
// the value, which may hold a password.
func ParseBaseURL(name, text string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimRight(strings.TrimSpace(text), "/"))
	switch {
	case err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https"):
		return nil, fmt.Errorf("%s is not an address such as https://example.com", name)
	case u.RawQuery != "" || u.Fragment != "":
		return nil, fmt.Errorf("%s must not have a query or fragment", name)
	}
	return u, nil
}

// IsLoopback reports whether a host is this machine itself.
func IsLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Sleep waits, or gives up with the context.
func Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
