package rpc

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/mark3labs/mcp-go/mcp"
)

var (
	// ErrNoCall reports that a context does not come from a request that a transport serves.
	ErrNoCall = errors.New("the context belongs to no call")
	// ErrCallOver reports that a call was answered or cancelled, and may not notify the client any more.
	ErrCallOver = errors.New("the call is over")
)

// A Call is a message on its way to its answer. The answer comes last; before it stands, in order and without loss, what
// the call tells its client.
type Call struct {
	Message
	Client  *Client
	Context context.Context // for its handler; prepared for Notify

	write  func(line []byte) error
	logger *slog.Logger
	forget func()      // makes its id free again and ends its context
	mu     sync.Mutex  // held while writing
	begun  atomic.Bool // something was written, in a subscription its acknowledgement
	over   bool
}

type callKey struct{}

// Notify sends the client a notification about the call that the context belongs to, such as notifications/progress. It
// is written when Notify returns, hence before the answer and in the order of the calls of Notify: the library's own
// channel drops what its reader is too slow for. The parameters are anything that marshals into a JSON object.
//
// It returns [ErrNoCall], [ErrCallOver], or why the transport could not write. A call can go on after any error: a
// notification is a courtesy. While the client does not read, Notify waits.
func Notify(ctx context.Context, method string, params any) error {
	c, ok := ctx.Value(callKey{}).(*Call)
	if !ok {
		return ErrNoCall
	}
	return c.notify(method, params)
}

func (c *Call) notify(method string, params any) error {
	line, err := Notification(method, params)
	if err != nil {
		return fmt.Errorf("encode a notification: %w", err)
	}
	return c.send(line, false)
}

// send writes a line of the call, if it is not over.
func (c *Call) send(line []byte, last bool) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over || context.Cause(c.Context) == ErrCancelled {
		return ErrCallOver
	}
	c.over = last
	c.begun.Store(true)
	return c.write(line)
}

// Answer ends the call and writes its answer. A call that was cancelled is not answered.
func (c *Call) Answer(line []byte) error {
	c.forget()
	return c.send(line, true)
}

// End ends the call without an answer: nothing more can be told about it.
func (c *Call) End() {
	c.forget()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.over = true
}

// Updated tells a subscription that a resource has changed. Before it is acknowledged it carries nothing else.
func (c *Call) Updated(uri string) error {
	if !c.begun.Load() {
		return nil
	}
	n := mcp.JSONRPCNotification{}
	n.Method, n.Params.AdditionalFields = mcp.MethodNotificationResourceUpdated, map[string]any{"uri": uri}
	return c.deliver(n)
}

// deliver writes what the library tells the client from within the call: for a subscription under its id, as the client
// wrote it.
func (c *Call) deliver(n mcp.JSONRPCNotification) error {
	if c.Listens() {
		n.Params.Meta = map[string]any{mcp.MetaKeySubscriptionID: c.ID}
	}
	return c.notify(n.Method, n.Params)
}

// Open has a subscription handled, which takes until it ends, and returns when it is acknowledged or has failed. Its
// answer comes when it has ended.
func (c *Call) Open(run func() (line []byte)) (answer <-chan []byte) {
	ended := make(chan []byte, 1)
	go func() { ended <- run() }()
	select {
	case n := <-c.Client.ClientNotifications():
		c.deliver(n) //nolint:errcheck // the client left
	case line := <-ended:
		ended <- line
	}
	return ended
}

// Run has a call handled and returns the line that answers it, with the id as the client wrote it: an internal error, of
// which the reason goes to the log alone, where the handler panics or its answer is none or has no JSON form. A
// notification has no answer.
func (c *Call) Run(handle func() mcp.JSONRPCMessage) (line []byte) {
	defer func() {
		if cause := recover(); cause != nil {
			c.logger.Error("a handler panicked", "method", c.Method, "panic", fmt.Sprint(cause), "stack", string(debug.Stack()))
			line = c.Fail(mcp.INTERNAL_ERROR, "internal error")
		}
	}()
	answer := handle()
	for waiting := true; waiting; {
		select {
		case n := <-c.Client.ClientNotifications():
			c.deliver(n) //nolint:errcheck // the client left
		default:
			waiting = false
		}
	}
	if c.ID == nil {
		return nil
	}
	line, err := c.encode(answer)
	if err != nil {
		c.logger.Error("an answer could not be encoded", "method", c.Method, "error", err.Error())
		return c.Fail(mcp.INTERNAL_ERROR, "internal error")
	}
	return line
}

func (c *Call) encode(answer mcp.JSONRPCMessage) ([]byte, error) {
	id := mcp.NewRequestId(c.ID) // the library's copy may have lost digits
	switch a := answer.(type) {
	case mcp.JSONRPCResponse:
		a.ID = id
		if c.Listens() {
			closing := mcp.SubscriptionsListenResult{Result: mcp.Result{ResultType: mcp.ResultTypeComplete}}
			closing.EnsureResultMeta().SetSubscriptionID(c.ID)
			a.Result = closing
		}
		return encodeLine(a)
	case mcp.JSONRPCError:
		a.ID = id
		return encodeLine(a)
	}
	return nil, fmt.Errorf("a %T is no answer", answer)
}

// Fail is the line that answers a call with an error.
func (c *Call) Fail(code int, text string) []byte { return ErrorLine(c.ID, code, text, nil) }
