package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

var (
	// ErrNoCall reports that a context does not come from a request that a transport serves.
	ErrNoCall = errors.New("the context belongs to no call")
	// ErrCallOver reports that a call was answered or cancelled, and may not notify the client any more.
	ErrCallOver = errors.New("the call is over")
)

// Server answers one JSON-RPC message, with nil for a notification. The context that WithContext gives it carries the
// session of the client and what [Notify] needs. Writes tells whether a call of the named tool writes, and must therefore
// run alone; it may be asked about names that no tool has.
type Server interface {
	HandleMessage(ctx context.Context, message json.RawMessage) mcp.JSONRPCMessage
	WithContext(ctx context.Context, session server.ClientSession) context.Context
	Writes(tool string) bool
}

// A Call is a message on its way to its answer. The answer comes last; before it stands, in order and without loss, what
// the call tells its client.
type Call struct {
	Message
	Client  *Client         // whose session the handler is given: of a subscription one of its own
	Context context.Context // for its handler; prepared for Notify

	write  func(line []byte, last bool) error
	logger *slog.Logger
	cancel context.CancelCauseFunc
	forget func()      // makes its id free again
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
	return c.writeNotification(method, params)
}

func (c *Call) writeNotification(method string, params any) error {
	line, err := EncodeNotification(method, params)
	if err != nil {
		return fmt.Errorf("encode a notification: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over || context.Cause(c.Context) == ErrCancelled {
		return ErrCallOver
	}
	c.begun.Store(true)
	return c.write(line, false)
}

// EndWithAnswer ends the call and writes its answer. Without one, nothing more is told about it.
func (c *Call) EndWithAnswer(line []byte) error {
	c.forget()
	c.cancel(nil)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.over = true
	if line == nil {
		return nil
	}
	return c.write(line, true)
}

// NotifyUpdated tells a subscription that a resource has changed. Before it is acknowledged it carries nothing else.
func (c *Call) NotifyUpdated(uri string) error {
	if !c.begun.Load() {
		return nil
	}
	meta := map[string]any{mcp.MetaKeySubscriptionID: c.ID}
	return c.writeNotification(mcp.MethodNotificationResourceUpdated, map[string]any{"uri": uri, "_meta": meta})
}

// forwardNotification writes what the library tells the client from within the call: for a subscription under its id, as the client
// wrote it.
func (c *Call) forwardNotification(n mcp.JSONRPCNotification) {
	if c.IsSubscription() {
		n.Params.Meta = map[string]any{mcp.MetaKeySubscriptionID: c.ID}
	}
	c.writeNotification(n.Method, n.Params) //nolint:errcheck // the client left
}

// OpenSubscription has the server handle a subscription, which takes until it ends, and returns when it is acknowledged or has
// failed. Its answer comes when it has ended; the context it returns ends then, too.
func (c *Call) OpenSubscription(ctx context.Context, s Server) (open context.Context, answer <-chan []byte) {
	open, end := context.WithCancel(ctx)
	ended := make(chan []byte, 1)
	go func() {
		defer end()
		ended <- c.Run(ctx, s)
	}()
	select {
	case n := <-c.Client.ClientNotifications():
		c.forwardNotification(n)
	case line := <-ended:
		ended <- line
	}
	return open, ended
}

// Run has the server handle a call under a context made from its own, and returns the line that answers it, with the id as
// the client wrote it: an internal error, of which the reason goes to the log alone, where the handler panics or its
// answer is none or has no JSON form. A notification has no answer.
func (c *Call) Run(ctx context.Context, s Server) (line []byte) {
	defer func() {
		if cause := recover(); cause != nil {
			c.logger.Error("a call failed unexpectedly", "method", c.Method, "cause", fmt.Sprint(cause), "stack", string(debug.Stack()))
			line = c.EncodeError(mcp.INTERNAL_ERROR, "internal error")
		}
	}()
	answer := s.HandleMessage(s.WithContext(ctx, c.Client), c.Text)
	for waiting := true; waiting; {
		select {
		case n := <-c.Client.ClientNotifications():
			c.forwardNotification(n)
		default:
			waiting = false
		}
	}
	if c.ID == nil {
		return nil
	}
	return c.encodeAnswer(answer)
}

// encodeAnswer writes an answer under the id of the call, of which the library's copy may have lost digits.
func (c *Call) encodeAnswer(answer mcp.JSONRPCMessage) []byte {
	switch a := answer.(type) {
	case mcp.JSONRPCResponse:
		if a.ID = mcp.NewRequestId(c.ID); c.IsSubscription() {
			closing := mcp.SubscriptionsListenResult{Result: mcp.Result{ResultType: mcp.ResultTypeComplete}}
			closing.EnsureResultMeta().SetSubscriptionID(c.ID)
			a.Result = closing
		}
		answer = a
	case mcp.JSONRPCError:
		a.ID = mcp.NewRequestId(c.ID)
		answer = a
	default:
		panic(fmt.Sprintf("a %T is no answer", answer))
	}
	line, err := EncodeLine(answer)
	if err != nil {
		panic(err) // what a handler answers has a JSON form
	}
	return line
}

// EncodeError returns the line that answers a call with an error.
func (c *Call) EncodeError(code int, text string) []byte {
	return EncodeErrorLine(c.ID, code, text, nil)
}
