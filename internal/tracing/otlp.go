package tracing

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

const (
	defaultTimeout = 10 * time.Second
	// attempts bounds how often a batch is offered to a collector that is busy.
	attempts = 3
	// maxRetryAfter bounds how long a collector may ask to be left alone.
	maxRetryAfter = 5 * time.Second
)

// target is where spans go.
type target struct {
	url     *url.URL
	headers http.Header
	timeout time.Duration
}

// targetFrom reads the variables of the OpenTelemetry specification; nil: none
// names an endpoint, or OTEL_SDK_DISABLED or OTEL_TRACES_EXPORTER=none says no.
func targetFrom(getenv func(string) string) (*target, error) {
	env := func(name string) string { return strings.TrimSpace(getenv(name)) }
	first := func(name string) string {
		if text := env("OTEL_EXPORTER_OTLP_TRACES_" + name); text != "" {
			return text
		}
		return env("OTEL_EXPORTER_OTLP_" + name)
	}
	if strings.EqualFold(env("OTEL_SDK_DISABLED"), "true") || env("OTEL_TRACES_EXPORTER") == "none" || first("ENDPOINT") == "" {
		return nil, nil
	}
	if protocol := first("PROTOCOL"); protocol != "" && protocol != "http/protobuf" {
		return nil, errors.New("OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf; the endpoint is usually on port 4318")
	}
	u, err := url.Parse(first("ENDPOINT"))
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return nil, errors.New("OTEL_EXPORTER_OTLP_ENDPOINT is not an address such as http://localhost:4318")
	}
	if env("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") == "" {
		u = u.JoinPath("v1", "traces") // the general endpoint is a base, that of traces is used as it is
	}
	t := &target{url: u, timeout: defaultTimeout}
	if text := first("TIMEOUT"); text != "" {
		ms, err := strconv.Atoi(text)
		if err != nil || ms < 1 {
			return nil, errors.New("OTEL_EXPORTER_OTLP_TIMEOUT is not a number of milliseconds")
		}
		t.timeout = time.Duration(ms) * time.Millisecond
	}
	t.headers, err = parseHeaders(first("HEADERS"))
	return t, err
}

// parseHeaders reads headers as the specification writes them:
// key=value,key=value with percent escapes.
func parseHeaders(text string) (http.Header, error) {
	headers := http.Header{}
	for part := range strings.SplitSeq(text, ",") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		key, value, found := strings.Cut(part, "=")
		key = strings.TrimSpace(key)
		value, err := url.PathUnescape(strings.TrimSpace(value))
		if !found || err != nil || !token(key) || strings.ContainsAny(value, "\r\n\x00") {
			return nil, errors.New("OTEL_EXPORTER_OTLP_HEADERS is not a list such as key=value,key=value")
		}
		headers.Set(key, value)
	}
	return headers, nil
}

// token reports whether a text may name a header.
func token(text string) bool {
	return text != "" && strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-.^_`|~") == ""
}

// client uploads batches of spans. It is the transport of the official exporter.
type client struct {
	target *target
	http   *http.Client
}

func newClient(t *target) *client {
	return &client{target: t, http: &http.Client{
		Timeout:       t.timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }, // headers may hold a key
	}}
}

// Start does nothing: the first batch opens the connection.
func (c *client) Start(context.Context) error { return nil }

// Stop closes idle connections.
func (c *client) Stop(context.Context) error {
	c.http.CloseIdleConnections()
	return nil
}

// UploadTraces sends a batch. A collector that is busy is asked again.
func (c *client) UploadTraces(ctx context.Context, spans []*tracepb.ResourceSpans) error {
	// On the wire this message is the same as the request of the trace service.
	body, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: spans})
	if err != nil {
		return err
	}
	for attempt := 1; ; attempt++ {
		wait, err := c.send(ctx, body)
		if err == nil || wait == 0 || attempt == attempts {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(wait):
		}
	}
}

// send makes one attempt; wait says after which time another one makes sense.
func (c *client) send(ctx context.Context, body []byte) (wait time.Duration, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.target.url.String(), bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	request.Header = c.target.headers.Clone()
	request.Header.Set("Content-Type", "application/x-protobuf")
	response, err := c.http.Do(request)
	if err != nil {
		return 0, fmt.Errorf("sending traces: %w", err)
	}
	defer response.Body.Close()
	io.Copy(io.Discard, io.LimitReader(response.Body, 1<<20)) //nolint:errcheck // nothing in it is used
	switch response.StatusCode {
	case http.StatusOK, http.StatusAccepted, http.StatusNoContent:
		return 0, nil
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return retryAfter(response.Header.Get("Retry-After")), fmt.Errorf("the collector is busy: status %d", response.StatusCode)
	}
	return 0, fmt.Errorf("the collector refused traces: status %d", response.StatusCode)
}

func retryAfter(text string) time.Duration {
	seconds, err := strconv.Atoi(text)
	if err != nil || seconds < 1 {
		return time.Second
	}
	return min(time.Duration(seconds)*time.Second, maxRetryAfter)
}
