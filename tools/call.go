package tools

import (
	"context"
	"time"
)

// Call is what a handler may know of the request it serves: the contract's
// ToolContext.
type Call struct {
	Tool          string
	UserID        string // may be empty
	SessionID     string // may be empty
	CorrelationID string // UUID version 7
	TraceID       string // from the caller's traceparent, else new
	AgentID       string // the client's name
	AgentVersion  string
	Timestamp     time.Time // when the request was made, UTC
	// Progress reports how far a long call is; nil when nobody asked.
	Progress func(done, total float64, message string)
}

type callKey struct{}

// WithCall returns a context in which a call is served.
func WithCall(ctx context.Context, c Call) context.Context {
	return context.WithValue(ctx, callKey{}, c)
}

// CallFrom returns the call a handler serves.
func CallFrom(ctx context.Context) Call {
	c, _ := ctx.Value(callKey{}).(Call)
	return c
}

// ReportProgress reports progress to the caller if it asked for that.
func ReportProgress(ctx context.Context, done, total float64, message string) {
	if c := CallFrom(ctx); c.Progress != nil {
		c.Progress(done, total, message)
	}
}
