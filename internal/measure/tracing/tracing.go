// Package tracing sends spans of requests to an OpenTelemetry collector by
// OTLP over HTTP. It is off unless the environment names an endpoint.
//
// The protocol library makes the spans through the interfaces it defines; this
// package puts the OpenTelemetry SDK behind them. The exporter is the official
// one with a small HTTP client of ours below it: the official client would link
// all of gRPC into a program that does not use it.
package tracing

import (
	"context"
	"log/slog"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/tracing"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"toolkit/tools"
)

// closePatience is how long the end of the program may wait for the collector.
const closePatience = 2 * time.Second

// Exporter sends spans until it is closed. A nil one does nothing.
type Exporter struct {
	provider *sdktrace.TracerProvider
	tracer   trace.Tracer
}

// New reads the OTEL_ variables and returns the exporter they ask for; nil: no
// endpoint is named. An error names the variable, never its value.
func New(ctx context.Context, getenv func(string) string, version string, logger *slog.Logger) (*Exporter, error) {
	target, err := targetFrom(getenv)
	if target == nil || err != nil {
		return nil, err
	}
	exporter, err := otlptrace.New(ctx, newClient(target))
	if err != nil {
		return nil, err
	}
	// The SDK reports its failures through a global handler that would print.
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { logger.Warn("traces were not sent", "error", err.Error()) }))
	name := getenv("OTEL_SERVICE_NAME")
	if name == "" {
		name = "toolkit"
	}
	provider := sdktrace.NewTracerProvider(
		sdktrace.WithBatcher(exporter),
		sdktrace.WithSampler(sdktrace.ParentBased(sdktrace.AlwaysSample())),
		sdktrace.WithResource(resource.NewSchemaless(attribute.String("service.name", name), attribute.String("service.version", version))),
	)
	return &Exporter{provider: provider, tracer: provider.Tracer("toolkit", trace.WithInstrumentationVersion(version))}, nil
}

// Check reports why New would refuse the OTEL_ variables.
func Check(getenv func(string) string) error {
	_, err := targetFrom(getenv)
	return err
}

// Tracing is what the server needs of the exporter; nil of a nil one.
func (e *Exporter) Tracing() *tools.Tracing {
	if e == nil {
		return nil
	}
	return &tools.Tracing{Tracer: tracer{e.tracer}, Propagator: propagator{}, TraceID: traceID}
}

// Close sends what is left, waiting a moment at most.
func (e *Exporter) Close() error {
	if e == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), closePatience)
	defer cancel()
	return e.provider.Shutdown(ctx)
}

func traceID(ctx context.Context) string {
	if c := trace.SpanContextFromContext(ctx); c.HasTraceID() {
		return c.TraceID().String()
	}
	return ""
}

// tracer gives the protocol library spans of OpenTelemetry.
type tracer struct{ inner trace.Tracer }

var kinds = map[tracing.SpanKind]trace.SpanKind{
	tracing.SpanKindServer: trace.SpanKindServer, tracing.SpanKindClient: trace.SpanKindClient, tracing.SpanKindInternal: trace.SpanKindInternal,
}

func (t tracer) Start(ctx context.Context, name string, kind tracing.SpanKind, attrs ...tracing.Attribute) (context.Context, tracing.Span) {
	ctx, inner := t.inner.Start(ctx, bounded(name), trace.WithSpanKind(kinds[kind]), trace.WithAttributes(attributes(attrs)...))
	s := span{inner}
	return tracing.ContextWithSpan(ctx, s), s
}

// span is a span without the texts of errors: they may repeat what a client
// sent. The code of an error is an attribute.
type span struct{ inner trace.Span }

func (s span) SetAttributes(attrs ...tracing.Attribute) { s.inner.SetAttributes(attributes(attrs)...) }

func (s span) RecordError(error) {}

func (s span) SetStatus(code tracing.StatusCode, _ string) {
	switch code {
	case tracing.StatusError:
		s.inner.SetStatus(codes.Error, "")
	case tracing.StatusOK:
		s.inner.SetStatus(codes.Ok, "")
	}
}

func (s span) End() { s.inner.End() }

func attributes(attrs []tracing.Attribute) []attribute.KeyValue {
	list := make([]attribute.KeyValue, len(attrs))
	for i, a := range attrs {
		list[i] = attribute.String(a.Key, bounded(a.Value))
	}
	return list
}

// longest is how much of a name or id a span repeats: clients choose them.
const longest = 200

func bounded(text string) string {
	if len(text) > longest {
		return text[:longest]
	}
	return text
}

// propagator continues the trace that _meta names.
type propagator struct{}

// carrier reads the two keys of W3C trace context from _meta.
type carrier struct{ meta *mcp.Meta }

func (c carrier) Get(key string) string {
	text, _ := c.meta.AdditionalFields[key].(string)
	return text
}

func (c carrier) Set(string, string) {}

func (c carrier) Keys() []string { return []string{"traceparent", "tracestate"} }

func (propagator) ExtractMeta(ctx context.Context, meta *mcp.Meta) context.Context {
	if meta == nil {
		return ctx
	}
	return propagation.TraceContext{}.Extract(ctx, carrier{meta})
}

func (propagator) InjectMeta(_ context.Context, meta *mcp.Meta) *mcp.Meta { return meta }
