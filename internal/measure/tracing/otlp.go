package tracing

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"toolkit/internal/outgoing"
)

const (
	defaultTimeout = 10 * time.Second
	// attempts bounds how often a batch is offered to a collector that is busy.
	attempts = 3
	// longestDelay bounds how long a collector is left alone.
	longestDelay = 5 * time.Second
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
type client struct{ collector *outgoing.Client }

func newClient(t *target) *client {
	header := t.headers.Clone()
	header.Set("Content-Type", "application/x-protobuf")
	return &client{&outgoing.Client{
		URL: t.url.String(), Header: header, Timeout: t.timeout, Attempts: attempts, LongestDelay: longestDelay, LongestWait: longestDelay,
	}}
}

// Start does nothing: the first batch opens the connection.
func (c *client) Start(context.Context) error { return nil }

// Stop has nothing to end: idle connections close by themselves.
func (c *client) Stop(context.Context) error { return nil }

// UploadTraces sends a batch. A collector that is busy is asked again.
func (c *client) UploadTraces(ctx context.Context, spans []*tracepb.ResourceSpans) error {
	// On the wire this message is the same as the request of the trace service.
	body, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: spans})
	if err != nil {
		return err
	}
	if err := c.collector.Post(ctx, body, func([]byte) error { return nil }); err != nil {
		return fmt.Errorf("sending traces: %w", err)
	}
	return nil
}
