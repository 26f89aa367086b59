package integrations

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	// remoteTime bounds a query to a service; the call itself has 10 s.
	remoteTime = 8 * time.Second
	// maxAnswer bounds what a service may send.
	maxAnswer = 32 << 20
)

var (
	errTooLong  = errors.New("the service answered with more than can be read")
	errRedirect = errors.New("the service redirects; configure the address it redirects to")
)

// parseBase reads the address of a service from an environment variable. An
// error does not repeat the value, which may hold a password.
func parseBase(name, text string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimRight(strings.TrimSpace(text), "/"))
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return nil, fmt.Errorf("%s is not an address such as https://example.com", name)
	}
	if u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("%s must not have a query or fragment", name)
	}
	return u, nil
}

// remoteClient speaks to the configured service and to no other: it follows no
// redirects, so that credentials never travel on.
func remoteClient() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConns, transport.ResponseHeaderTimeout = 2, remoteTime
	return &http.Client{
		Transport: bounded{transport}, Timeout: remoteTime,
	}
}

// bounded cuts off answers that are too long and refuses redirects.
type bounded struct{ next http.RoundTripper }

func (b bounded) RoundTrip(q *http.Request) (*http.Response, error) {
	r, err := b.next.RoundTrip(q)
	if err != nil {
		return nil, err
	}
	if r.StatusCode/100 == 3 {
		r.Body.Close() //nolint:errcheck // nothing in it is used
		return nil, errRedirect
	}
	r.Body = &boundedBody{ReadCloser: r.Body, left: maxAnswer}
	return r, nil
}

type boundedBody struct {
	io.ReadCloser
	left int64
}

func (b *boundedBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errTooLong
	}
	if int64(len(p)) > b.left {
		p = p[:b.left]
	}
	n, err := b.ReadCloser.Read(p)
	b.left -= int64(n)
	return n, err
}
