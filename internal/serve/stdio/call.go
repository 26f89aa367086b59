package stdio

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"toolkit/internal/serve/jsonrpc"
	"toolkit/internal/serve/peer"
	"toolkit/tools"
)

// call is a request on its way to its answer.
type call struct {
	jsonrpc.Message
	connection *connection
	key        string
	exclusive  bool
	session    server.ClientSession // a *callSession or a *stream
	group      *sync.WaitGroup      // that waits for the end of the call

	place *list.Element // in the queue; guarded by it

	cancel    context.CancelCauseFunc // nil before the call runs; guarded by connection.mu
	cancelled atomic.Bool
	answered  bool // guarded by the turn of the output
}

// over tells, in the turn of the output, whether nothing more may be said about the call.
func (c *call) over() bool { return c.answered || c.cancelled.Load() }

func (c *call) newSession() *callSession {
	return &callSession{session: c.connection.session, mailbox: peer.Mailbox{Deliver: c.deliver}, call: c}
}

func (c *connection) enqueue(r *call) {
	r.session = r.newSession()
	if !c.queue.push(r) {
		c.turnAway(r)
	}
}

func (c *connection) runQueued(r *call) {
	defer c.queue.done(r) // after the answer: a client that does not read must not pile up finished calls
	c.run(r, c.calls)
}

// listen serves a subscriptions/listen, and waits until it is acknowledged: a write behind it must find the subscription
// established.
func (c *connection) listen(r *call) {
	s := newStream(r)
	r.session = s
	c.mu.Lock()
	c.streams = append(c.streams, s)
	c.mu.Unlock()
	c.leaveOpen(r, func() {
		s.acknowledge() // it may have failed before
		c.mu.Lock()
		defer c.mu.Unlock()
		c.streams = slices.DeleteFunc(c.streams, func(open *stream) bool { return open == s })
	})
	<-s.ready
}

// leaveOpen serves a request that stays open until the client cancels it or leaves.
func (c *connection) leaveOpen(r *call, closed func()) {
	if c.open.Add(1) > maxBackground {
		c.open.Add(-1)
		c.reply(r, failure(jsonrpc.CodeRefused, fmt.Sprintf("not more than %d requests may stay open", maxBackground)))
		closed()
		return
	}
	go func() {
		defer closed()
		defer c.open.Add(-1)
		c.run(r, c.background)
	}()
}

// run lets the handler answer a call. Whatever the handler does, the call is answered once, unless it was cancelled.
func (c *connection) run(r *call, parent context.Context) {
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	c.mu.Lock()
	r.cancel = cancel
	cancelled := r.cancelled.Load()
	c.mu.Unlock()
	if cancelled {
		c.end(r)
		return
	}
	var response mcp.JSONRPCMessage
	returned := false
	defer func() { // deferred, because a handler may also end its goroutine
		if cause := recover(); !returned {
			c.logPanic(r.Method, cause)
			response = internalError
		}
		closeMailbox(r.session)
		c.reply(r, response)
	}()
	ctx = tools.WithAside(ctx, func(work func()) { c.aside(r, work) })
	response = c.options.Handler.HandleMessage(c.server.WithContext(ctx, r.session), r.Text)
	returned = true
}

// patience is how long the calls behind a write wait for work of it that does not touch the
// store. Nearly all such work is done by then, and the order of arrival holds.
const patience = time.Second

// aside does work of a call that does not touch the store, such as reading a hostile file.
// When it takes longer than the others should wait, they go first.
func (c *connection) aside(r *call, work func()) {
	if !r.exclusive {
		work()
		return
	}
	var mu sync.Mutex
	left, done := false, false
	timer := time.AfterFunc(patience, func() {
		mu.Lock()
		defer mu.Unlock()
		if !done {
			left = true
			c.queue.leave()
		}
	})
	defer func() {
		timer.Stop()
		mu.Lock()
		done = true
		mu.Unlock()
		if left {
			c.queue.comeBack()
		}
	}()
	work()
}

func closeMailbox(s server.ClientSession) {
	s.(interface{ of() *callSession }).of().mailbox.Close()
}

var internalError = failure(mcp.INTERNAL_ERROR, "internal error")

func failure(code int, text string) mcp.JSONRPCError {
	return mcp.JSONRPCError{Error: mcp.NewJSONRPCErrorDetails(code, text, nil)}
}

// reply writes the answer of a call and ends it.
func (c *connection) reply(r *call, response mcp.JSONRPCMessage) {
	defer r.group.Done()
	c.forget(r)
	if r.cancelled.Load() {
		return
	}
	if response == nil {
		c.logger.Error("a request was left without an answer", "method", r.Method)
		response = internalError
	}
	if answer, ok := response.(mcp.JSONRPCResponse); ok {
		if closing, ok := answer.Result.(mcp.SubscriptionsListenResult); ok {
			closing.EnsureResultMeta().SetSubscriptionID(r.ID) // the library's copy may have lost digits
			answer.Result = closing
			response = answer
		}
	}
	over := func() bool {
		r.answered = true
		return true
	}
	err := c.output.send(encodeAnswer(r.ID, response), over)
	if err != nil && !errors.Is(err, ErrOutputClosed) {
		c.logger.Error("an answer could not be encoded", "method", r.Method, "error", err)
		c.output.send(encodeAnswer(r.ID, internalError), over)
	}
}

// end ends a call without an answer.
func (c *connection) end(r *call) {
	c.forget(r)
	r.group.Done()
}

func (c *connection) forget(r *call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.inFlight, r.key)
}

// turnAway answers a call that will not run any more.
func (c *connection) turnAway(r *call) {
	c.reply(r, failure(jsonrpc.CodeRefused, "not executed: the server is shutting down"))
}

func (c *connection) logPanic(method string, cause any) {
	c.logger.Error("a handler panicked", "method", method, "panic", fmt.Sprint(cause), "stack", string(debug.Stack()))
}

func (c *connection) openStreams() []*stream {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.streams)
}
