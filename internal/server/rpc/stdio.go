package rpc

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
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

// StdioHandler answers one JSON-RPC message, and returns nil for a notification. [server.MCPServer] is one; another one may
// wrap it. The context carries the session of the client and what [Notify] needs.
type StdioHandler interface {
	HandleMessage(ctx context.Context, message json.RawMessage) mcp.JSONRPCMessage
}

// StdioOptions adjust a [Stdio]. The zero value is ready for use.
type StdioOptions struct {
	// Handler answers the messages; nil means the MCP server itself.
	Handler StdioHandler

	// Exclusive tells whether a call of the named tool writes, and must therefore run alone. It may be asked about names
	// that no tool has. Nil means that every tool writes.
	Exclusive func(tool string) bool

	// MaxLine is the longest accepted message in bytes, 16 MiB by default. A longer one is answered with an error and
	// skipped without being held in memory.
	MaxLine int
	// Calls decides when a call may run; nil is a scheduler of its own. Transports of one process share one. While a
	// line of it is full, reading pauses.
	Calls *Scheduler

	// Grace is how long the end of the context waits for the calls already read, and how long the end of input waits for
	// the next answer, 30 s by default. Shortly before it ends the calls still running are cancelled.
	Grace time.Duration

	// Logger receives what went wrong; nil discards it. It must not write to the output.
	Logger *slog.Logger
}

func (o StdioOptions) withDefaults(s *server.MCPServer) StdioOptions {
	if o.Handler == nil {
		o.Handler = s
	}
	if o.Exclusive == nil {
		o.Exclusive = func(string) bool { return true }
	}
	o.Calls = cmp.Or(o.Calls, &Scheduler{})
	o.MaxLine = cmp.Or(max(o.MaxLine, 0), defaultMaxLine)
	o.Grace = cmp.Or(max(o.Grace, 0), defaultGrace)
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	return o
}

// sessionID is a constant: the process has one client.
const sessionID = "stdio"

// Stdio carries MCP over standard input and output: one JSON-RPC message a line, in both directions.
//
// It drives [server.MCPServer.HandleMessage] itself instead of using the library's own stdio server, because durable
// memory needs promises that one does not make:
//
//   - Whatever was read is answered: at the end of input and at the first SIGTERM the calls under way are finished first.
//   - Calls take effect in the order in which they arrived. A call that writes runs alone; calls that read run side by
//     side, but never overtake a write. See [StdioOptions.Exclusive].
//   - A cancelled call that still waits never starts, and a cancelled call is never answered.
//   - An answer carries the id exactly as the client wrote it, also beyond 2^53.
//   - What a call reports with [Notify] stands before its answer, in order, without loss.
//   - Bad input is answered with an error and costs bounded memory; a panic in a call costs that call only.
//
// The parts, in the order in which a message meets them: lines cuts the input,
type Stdio struct {
	server  *server.MCPServer
	options StdioOptions
	output  *output
	client  *Client

	// stop ends reading; received is closed when the last message read was dispatched, with the failure of the input.
	stop     chan struct{}
	received chan struct{}
	inputErr error

	// The contexts of calls outlive the one of Serve: its end only stops reading. That of subscriptions ends when nothing
	// is left that they could report.
	calls               context.Context
	cancelCalls         context.CancelCauseFunc
	subscribed          context.Context
	cancelSubscriptions context.CancelCauseFunc

	work          sync.WaitGroup // the requests not answered yet, but for subscriptions
	subscriptions sync.WaitGroup

	mu      sync.Mutex
	streams []*Call // the subscriptions
}

// NewStdio returns a transport for the server. It serves nothing before [Transport.Serve].
func NewStdio(s *server.MCPServer, options StdioOptions) *Stdio {
	o := options.withDefaults(s)
	return &Stdio{
		server: s, options: o, client: NewClient(sessionID, o.Calls.Line()),
		stop: make(chan struct{}), received: make(chan struct{}),
	}
}

// Serve answers the messages of in on out until the input ends, the context is cancelled or the output fails, and then
// for at most [Options.Grace], or after the end of input for as long as answers keep coming, until everything read so far
// is answered.
//
// It returns nil when everything was answered, [ErrOutputClosed] when the client stopped reading for good,
// [ErrUnfinished] when the grace period ran out, or the error that ended the input. A blocked Read of in, or Write of
// out, cannot be interrupted: it may outlive Serve, without effect.
func (c *Stdio) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	c.output = newOutput(out)
	c.calls, c.cancelCalls = context.WithCancelCause(context.WithoutCancel(ctx))
	c.subscribed, c.cancelSubscriptions = context.WithCancelCause(c.calls)
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
func (c *Stdio) ResourceUpdated(uri string) error {
	var err error
	for _, address := range c.client.AddressesOf(uri) {
		line, _ := Notification(mcp.MethodNotificationResourceUpdated, map[string]any{"uri": address}) // a text has a JSON form
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
