package stdio

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"toolkit/internal/server/rpc"
)

const (
	// defaultMaxLine leaves room for a file of some 12 MB in base64, and bounds what one message can cost.
	defaultMaxLine = 16 << 20
	// defaultGrace covers the slowest ordinary call, and ends before a client's patience does.
	defaultGrace = 30 * time.Second
	// maxSubscriptions bounds the requests that stay open by design.
	maxSubscriptions = 100
)

// ErrOutputClosed reports that the client no longer reads: a write to the output failed. It is the usual end of a
// session whose client died, and no reason to alarm anybody.
var ErrOutputClosed = errors.New("the output is closed")

// Handler answers one JSON-RPC message, and returns nil for a notification. [server.MCPServer] is one; another one may
// wrap it. The context carries the session of the client and what [peer.Notify] needs.
type Handler interface {
	HandleMessage(ctx context.Context, message json.RawMessage) mcp.JSONRPCMessage
}

// Options adjust a [Transport]. The zero value is ready for use.
type Options struct {
	// Handler answers the messages; nil means the MCP server itself.
	Handler Handler

	// Exclusive tells whether a call of the named tool writes, and must therefore run alone. It may be asked about names
	// that no tool has. Nil means that every tool writes.
	Exclusive func(tool string) bool

	// MaxLine is the longest accepted message in bytes, 16 MiB by default. A longer one is answered with an error and
	// skipped without being held in memory.
	MaxLine int
	// Calls decides when a call may run; nil is a scheduler of its own. Transports of one process share one. While a
	// line of it is full, reading pauses.
	Calls *rpc.Scheduler

	// Grace is how long the end of the context waits for the calls already read, and how long the end of input waits for
	// the next answer, 30 s by default. Shortly before it ends the calls still running are cancelled.
	Grace time.Duration

	// Logger receives what went wrong; nil discards it. It must not write to the output.
	Logger *slog.Logger
}

func (o Options) withDefaults(s *server.MCPServer) Options {
	if o.Handler == nil {
		o.Handler = s
	}
	if o.Exclusive == nil {
		o.Exclusive = func(string) bool { return true }
	}
	o.Calls = cmp.Or(o.Calls, &rpc.Scheduler{})
	o.MaxLine = cmp.Or(max(o.MaxLine, 0), defaultMaxLine)
	o.Grace = cmp.Or(max(o.Grace, 0), defaultGrace)
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	return o
}

// Transport serves one client over a pair of streams.
type Transport struct {
	server  *server.MCPServer
	options Options
	current atomic.Pointer[connection]
}

// New returns a transport for the server. It serves nothing before [Transport.Serve].
func New(s *server.MCPServer, options Options) *Transport {
	return &Transport{server: s, options: options.withDefaults(s)}
}

// Serve answers the messages of in on out until the input ends, the context is cancelled or the output fails, and then
// for at most [Options.Grace], or after the end of input for as long as answers keep coming, until everything read so far
// is answered.
//
// It returns nil when everything was answered, [ErrOutputClosed] when the client stopped reading for good,
// [peer.ErrUnfinished] when the grace period ran out, or the error that ended the input. A blocked Read of in, or Write of
// out, cannot be interrupted: it may outlive Serve, without effect. One transport serves one client at a time.
func (t *Transport) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	c := newConnection(ctx, t.server, t.options, out)
	t.current.Store(c)
	defer t.current.CompareAndSwap(c, nil)
	go c.receive(in)
	select {
	case <-c.received:
	case <-ctx.Done():
	case <-c.output.sealed:
	}
	return c.finish(ctx)
}

// ResourceUpdated tells the client that the resource has changed, if it has subscribed to it or, with a query, to a part of it:
// once for resources/subscribe, and once for every open subscriptions/listen stream that names it. It may be called from
// any goroutine at any time, and waits while the client does not read. Without a client it does nothing.
func (t *Transport) ResourceUpdated(uri string) error {
	c := t.current.Load()
	if c == nil {
		return nil
	}
	var err error
	for _, address := range c.client.AddressesOf(uri) {
		line, _ := rpc.Notification(mcp.MethodNotificationResourceUpdated, map[string]any{"uri": address}) // a text has a JSON form
		err = errors.Join(err, c.output.write(line, nil))
	}
	c.mu.Lock()
	streams := slices.Clone(c.streams)
	c.mu.Unlock()
	for _, stream := range streams {
		for _, address := range stream.View.AddressesOf(uri) {
			err = errors.Join(err, stream.Updated(address))
		}
	}
	return err
}
