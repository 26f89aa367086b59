package stdio

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"toolkit/internal/serve/jsonrpc"
	"toolkit/internal/serve/peer"
	"toolkit/internal/serve/schedule"
)

// call is a request on its way to its answer.
type call struct {
	jsonrpc.Message
	connection *connection
	ctx        context.Context
	cancel     context.CancelCauseFunc
	session    server.ClientSession // a *callSession or a *stream
	mailbox    *peer.Mailbox        // of the session
	group      *sync.WaitGroup      // that waits for the end of the call

	answered bool // guarded by the turn of the output
}

// over tells, in the turn of the output, whether nothing more may be said about the call.
func (c *call) over() bool { return c.answered || c.cancelled() }

func (c *call) cancelled() bool { return context.Cause(c.ctx) == peer.ErrCancelled }

// request makes a call of a message and sends it on its way. A request that does not wait for a turn is answered right
// here, so that what it changes (the handshake, the log level, a subscription) holds for the next message.
func (c *connection) request(m jsonrpc.Message) {
	listening := m.Method == string(mcp.MethodSubscriptionsListen)
	r := &call{Message: m, connection: c}
	parent := c.calls
	if r.group = &c.work; listening {
		parent, r.group = c.background, &c.openWork
	}
	r.ctx, r.cancel = context.WithCancelCause(parent)
	if !c.inFlight.Begin(m.ID, r.cancel) {
		r.cancel(nil)
		c.refuse(jsonrpc.NewRefusal(m.ID, mcp.INVALID_REQUEST, "a request with this id is still under way"))
		return
	}
	r.group.Add(1)
	if listening {
		c.listen(r)
		return
	}
	s := &callSession{session: c.session, mailbox: peer.Mailbox{Deliver: r.deliver}}
	r.session, r.mailbox = s, &s.mailbox
	waits, writes := schedule.Classify(m, c.options.Exclusive)
	if !waits {
		c.run(r.ctx, r)
		return
	}
	turn, err := c.line.Enter(r.ctx, writes, len(m.Text))
	if err != nil {
		c.turnAway(r)
		return
	}
	c.aside(func() {
		if turn.Run(r.ctx, func(ctx context.Context) { c.run(ctx, r) }) != nil {
			c.turnAway(r)
		}
	})
}

// aside does work on a goroutine of its own: the one that rests since an earlier call, if there is one. The stack of that
// has grown to what calls need; a new one would be copied with every doubling, a tenth of the time of a short call.
func (c *connection) aside(work func()) {
	select {
	case c.rested <- work:
		return
	default:
	}
	go func() {
		for work != nil {
			work()
			if !c.resting.CompareAndSwap(false, true) {
				return // one is enough: most clients wait for the answer
			}
			select {
			case work = <-c.rested:
			case <-c.calls.Done():
				work = nil
			}
			c.resting.Store(false)
		}
	}()
}

// listen serves a subscriptions/listen, which stays open until the client cancels it or leaves. It waits until the
// subscription is acknowledged: a write behind it must find it established.
func (c *connection) listen(r *call) {
	if c.open.Add(1) > maxBackground {
		c.open.Add(-1)
		c.reply(r, failure(jsonrpc.CodeRefused, fmt.Sprintf("not more than %d requests may stay open", maxBackground)))
		return
	}
	s := newStream(r)
	r.session, r.mailbox = s, &s.mailbox
	c.mu.Lock()
	c.streams = append(c.streams, s)
	c.mu.Unlock()
	go func() {
		defer c.open.Add(-1)
		c.run(r.ctx, r)
		s.acknowledge() // it may have failed before
		c.mu.Lock()
		defer c.mu.Unlock()
		c.streams = slices.DeleteFunc(c.streams, func(open *stream) bool { return open == s })
	}()
	<-s.ready
}

// run lets the handler answer a call. Whatever the handler does, the call is answered once, unless it was cancelled.
func (c *connection) run(ctx context.Context, r *call) {
	var response mcp.JSONRPCMessage
	returned := false
	defer func() { // deferred, because a handler may also end its goroutine
		if cause := recover(); !returned {
			c.logPanic(r.Method, cause)
			response = internalError
		}
		r.mailbox.Close()
		c.reply(r, response)
	}()
	ctx = peer.WithNotifier(ctx, r.notify)
	response = c.options.Handler.HandleMessage(c.server.WithContext(ctx, r.session), r.Text)
	returned = true
}

var internalError = failure(mcp.INTERNAL_ERROR, "internal error")

func failure(code int, text string) mcp.JSONRPCError {
	return mcp.JSONRPCError{Error: mcp.NewJSONRPCErrorDetails(code, text, nil)}
}

// reply writes the answer of a call and ends it.
func (c *connection) reply(r *call, response mcp.JSONRPCMessage) {
	defer r.group.Done()
	defer r.cancel(nil)
	c.inFlight.End(r.ID)
	if r.cancelled() {
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
	err := c.output.send(answerLine(r.ID, response), over)
	if err != nil && !errors.Is(err, ErrOutputClosed) {
		c.logger.Error("an answer could not be encoded", "method", r.Method, "error", err)
		c.output.send(answerLine(r.ID, internalError), over)
	}
}

// turnAway answers a call that will not run any more, unless it was cancelled.
func (c *connection) turnAway(r *call) {
	c.reply(r, failure(jsonrpc.CodeRefused, "not executed: the server is shutting down"))
}

func (c *connection) logPanic(method string, cause any) {
	c.logger.Error("a handler panicked", "method", method, "panic", fmt.Sprint(cause), "stack", string(debug.Stack()))
}
