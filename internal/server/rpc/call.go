package rpc

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"runtime/debug"
	"sync"

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
	View *View
	// Write writes one line, if permit, asked when it is the line's turn, allows it.
	Write  func(line []byte, permit func() bool) error
	Logger *slog.Logger

	ctx          context.Context
	acknowledged chan struct{} // closed when a subscription is
	established  bool          // it is; guarded by the turn of Write
	answered     bool          // guarded by the turn of Write
}

type callKey struct{}

// NewCall makes a call of a client's message. Its context is prepared for [Notify].
func NewCall(ctx context.Context, m Message, client *Client) (*Call, context.Context) {
	c := &Call{Message: m, View: &View{Client: client}, acknowledged: make(chan struct{})}
	c.ctx = context.WithValue(ctx, callKey{}, c)
	return c, c.ctx
}

// Notify sends the client a notification about the call that the context belongs to, such as notifications/progress. It
// is written when Notify returns, hence before the answer and in the order of the calls of Notify: the library's own
// channel drops what its reader is too slow for. The parameters are anything that marshals into a JSON object, or nil.
//
// It returns [ErrNoCall], [ErrCallOver], or why the transport could not write. A call can go on after any error: a
// notification is a courtesy. While the client does not read, Notify waits.
func Notify(ctx context.Context, method string, params any) error {
	c, ok := ctx.Value(callKey{}).(*Call)
	if !ok {
		return ErrNoCall
	}
	over := false
	err := c.send(method, params, func() bool {
		over = c.Over()
		return !over
	})
	if err == nil && over {
		return ErrCallOver
	}
	return err
}

func (c *Call) send(method string, params any, permit func() bool) error {
	line, err := Notification(method, params)
	if err != nil {
		return fmt.Errorf("encode a notification: %w", err)
	}
	return c.Write(line, permit)
}

// Over tells, in the turn of Write, whether nothing more may be said about the call.
func (c *Call) Over() bool { return c.answered || c.Cancelled() }

// Cancelled tells whether the client cancelled the call.
func (c *Call) Cancelled() bool { return context.Cause(c.ctx) == ErrCancelled }

// Listens tells whether the call is a subscription, which stays open.
func (c *Call) Listens() bool { return c.Method == string(mcp.MethodSubscriptionsListen) }

// Acknowledged is closed when a subscription is.
func (c *Call) Acknowledged() <-chan struct{} { return c.acknowledged }

// deliver writes what the library tells the client from within the call.
func (c *Call) deliver(n mcp.JSONRPCNotification) {
	acknowledges := n.Method == mcp.MethodNotificationSubscriptionsAcknowledged
	c.send(n.Method, c.params(n.Params), func() bool { //nolint:errcheck // the client left
		c.established = c.established || acknowledges
		return !c.Over()
	})
	if acknowledges { // which the library does once
		close(c.acknowledged)
	}
}

// deliverMeanwhile delivers what the library sends as it comes, until the returned function has returned.
func (c *Call) deliverMeanwhile() (stop func()) {
	over := make(chan struct{})
	var delivering sync.WaitGroup
	delivering.Go(func() {
		for {
			select {
			case n := <-c.View.channel():
				c.deliver(n)
			case <-over:
				return
			}
		}
	})
	return func() {
		close(over)
		delivering.Wait()
	}
}

// Updated tells a subscription that a resource has changed. Before it is acknowledged it carries nothing else.
func (c *Call) Updated(uri string) error {
	params := c.params(mcp.NotificationParams{AdditionalFields: map[string]any{"uri": uri}})
	return c.send(mcp.MethodNotificationResourceUpdated, params, func() bool { return c.established && !c.Over() })
}

// params are those of a notification as they are written: nil for none, and with the subscription that carries it, by
// the id as the client wrote it.
func (c *Call) params(p mcp.NotificationParams) any {
	if c.Listens() {
		p.Meta = maps.Clone(p.Meta) // other streams may share it
		if p.Meta == nil {
			p.Meta = map[string]any{}
		}
		p.Meta[mcp.MetaKeySubscriptionID] = c.ID
	}
	if len(p.Meta)+len(p.AdditionalFields) == 0 {
		return nil
	}
	return p
}

// Closing is the result of a subscription that ends.
func (c *Call) Closing() mcp.SubscriptionsListenResult {
	closing := mcp.SubscriptionsListenResult{Result: mcp.Result{ResultType: mcp.ResultTypeComplete}}
	closing.EnsureResultMeta().SetSubscriptionID(c.ID)
	return closing
}

// Run has a call handled and returns the line that answers it: an internal error, of which the reason goes to the log
// alone, where the handler panics or what it returns has no JSON form. The member is "result" or "error"; without one
// there is no answer.
func (c *Call) Run(handle func() (member string, value any)) (line []byte) {
	defer func() {
		for n, ok := c.View.next(); ok; n, ok = c.View.next() {
			c.deliver(n)
		}
	}()
	if c.Listens() {
		defer c.deliverMeanwhile()()
	}
	defer func() {
		if cause := recover(); cause != nil {
			c.Logger.Error("a handler panicked", "method", c.Method, "panic", fmt.Sprint(cause), "stack", string(debug.Stack()))
			line = c.Fail(mcp.INTERNAL_ERROR, "internal error")
		}
	}()
	member, value := handle()
	if member == "" {
		return nil
	}
	line, err := Answer(c.ID, member, value)
	if err != nil {
		c.Logger.Error("an answer could not be encoded", "method", c.Method, "error", err.Error())
		line = c.Fail(mcp.INTERNAL_ERROR, "internal error")
	}
	return line
}

// Fail is the line that answers a call with an error.
func (c *Call) Fail(code int, text string) []byte {
	line, _ := Answer(c.ID, "error", mcp.NewJSONRPCErrorDetails(code, text, nil)) // texts have a JSON form
	return line
}

// Answer writes the answer. A call that is over is not answered.
func (c *Call) Answer(line []byte) error {
	return c.Write(line, func() bool {
		over := c.Over()
		c.answered = true
		return !over
	})
}
