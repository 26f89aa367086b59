package tools

import (
	"context"

	"github.com/mark3labs/mcp-go/server"
	"github.com/mark3labs/mcp-go/tracing"
)

// Tracing makes spans of requests through the hooks of the protocol library.
// Spans carry names, ids and outcomes, never arguments or results.
type Tracing struct {
	Tracer     tracing.Tracer
	Propagator tracing.MetaPropagator // continues the trace of _meta.traceparent
	// TraceID is the id of the trace that ctx belongs to, or "".
	TraceID func(ctx context.Context) string
}

// options are the hooks of the protocol library.
func (t *Tracing) options() []server.ServerOption {
	if t == nil {
		return nil
	}
	return []server.ServerOption{server.WithTracer(t.Tracer), server.WithMetaPropagator(t.Propagator)}
}

// identify gives a call the id of its trace.
func (t *Tracing) identify(ctx context.Context, c *Call) {
	if t == nil {
		return
	}
	if id := t.TraceID(ctx); id != "" {
		c.TraceID = id
	}
}

// describe adds to the span of a call what its response says of it.
func (t *Tracing) describe(ctx context.Context, c Call, r *Response) {
	if t == nil {
		return
	}
	span := tracing.SpanFromContext(ctx)
	span.SetAttributes(tracing.String("toolkit.agent", c.AgentID))
	if metadata, ok := r.Meta["metadata"].(map[string]any); ok {
		id, _ := metadata["correlationId"].(string)
		span.SetAttributes(tracing.String("toolkit.correlation_id", id))
	}
	if r.Err != nil {
		span.SetAttributes(tracing.String("error.type", r.code), tracing.String("toolkit.error_kind", string(r.Err.Kind)))
	}
}
