package stdio

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"toolkit/internal/serve/jsonrpc"
)

// connection is the state of one Serve.
type connection struct {
	server  *server.MCPServer
	options Options
	logger  *slog.Logger
	output  *output
	session *session
	queue   *queue

	// stop ends reading; received is closed when the last message read was dispatched, with the failure of the input.
	stop     chan struct{}
	received chan struct{}
	inputErr error

	// The contexts of calls outlive the one of Serve: its end only stops reading. That of the requests which stay open
	// by design ends when nothing is left that they could report.
	calls            context.Context
	cancelCalls      context.CancelCauseFunc
	background       context.Context
	cancelBackground context.CancelCauseFunc

	work     sync.WaitGroup // the requests not answered yet, but for those that stay open by design
	openWork sync.WaitGroup // those

	mu       sync.Mutex
	inFlight map[string]*call
	streams  []*stream

	open atomic.Int32 // requests that stay open by design
}

func newConnection(ctx context.Context, s *server.MCPServer, options Options, out io.Writer) *connection {
	c := &connection{
		server:   s,
		options:  options,
		logger:   options.Logger,
		output:   newOutput(out),
		stop:     make(chan struct{}),
		received: make(chan struct{}),
		inFlight: map[string]*call{},
	}
	c.session = newSession(c.broadcast)
	c.queue = newQueue(options.MaxQueued, options.MaxReads, c.runQueued)
	c.calls, c.cancelCalls = context.WithCancelCause(context.WithoutCancel(ctx))
	c.background, c.cancelBackground = context.WithCancelCause(c.calls)
	return c
}

// receive dispatches the messages of the input. It runs no call that may take long, so that a cancellation is seen while
// calls run; it waits only for a full queue and for a client that does not read.
func (c *connection) receive(l *lines) {
	defer close(c.received)
	for {
		next, err := l.next()
		if err != nil {
			if err != io.EOF && err != errStopped {
				c.inputErr = err
			}
			return
		}
		c.dispatch(next)
	}
}

func (c *connection) dispatch(next line) {
	if next.tooLong {
		c.refuse(c.refuseTooLong(next.id()))
		return
	}
	m, refused := jsonrpc.Parse(next.text)
	switch {
	case refused != nil:
		c.refuse(refused)
	case m.Response:
		c.logger.Debug("a response to no request was ignored")
	case m.ID != nil:
		c.request(m)
	case m.Method == string(mcp.MethodNotificationCancelled):
		c.cancel(m)
	default:
		c.notification(m)
	}
}

func (c *connection) refuseTooLong(id []byte) *jsonrpc.Refusal {
	if id != nil {
		c.mu.Lock()
		_, taken := c.inFlight[jsonrpc.IDKey(id)]
		c.mu.Unlock()
		if taken {
			id = nil
		}
	}
	if id == nil {
		id = jsonrpc.Null
	}
	return jsonrpc.NewRefusal(id, mcp.INVALID_REQUEST, fmt.Sprintf("the message is longer than %d bytes", c.options.MaxLine))
}

// refuse answers a message that becomes no call.
func (c *connection) refuse(r *jsonrpc.Refusal) {
	c.logger.Debug("a message was refused", "code", r.Error.Code, "reason", r.Error.Message)
	c.output.send(encodeAnswer(r.ID, mcp.JSONRPCError{Error: r.Error}), nil)
}

// notification hands a notification to the handlers registered for it, in the order of arrival.
func (c *connection) notification(m jsonrpc.Message) {
	defer func() {
		if cause := recover(); cause != nil {
			c.logPanic(m.Method, cause)
		}
	}()
	c.options.Handler.HandleMessage(c.server.WithContext(c.calls, c.session), m.Text)
}

// request makes a call of a message and sends it on its way. Requests about the session itself are answered right here:
// they are quick, and what they change (the handshake, the log level, a subscription) holds for the next message.
func (c *connection) request(m jsonrpc.Message) {
	r := &call{Message: m, connection: c, key: jsonrpc.IDKey(m.ID)}
	c.mu.Lock()
	_, taken := c.inFlight[r.key]
	if !taken {
		c.inFlight[r.key] = r
	}
	c.mu.Unlock()
	if taken {
		c.refuse(jsonrpc.NewRefusal(m.ID, mcp.INVALID_REQUEST, "a request with this id is still under way"))
		return
	}
	r.group = &c.work
	if method := mcp.MCPMethod(m.Method); method == mcp.MethodSubscriptionsListen || method == mcp.MethodTasksResult {
		r.group = &c.openWork
	}
	r.group.Add(1)
	switch mcp.MCPMethod(m.Method) {
	case mcp.MethodToolsCall:
		tool := m.ToolName()
		r.exclusive = tool == "" || c.options.Exclusive(tool)
		c.enqueue(r)
	case mcp.MethodResourcesRead, mcp.MethodPromptsGet, mcp.MethodCompletionComplete:
		c.enqueue(r)
	case mcp.MethodSubscriptionsListen:
		c.listen(r)
	case mcp.MethodTasksResult:
		r.session = r.newSession()
		c.leaveOpen(r, func() {})
	default:
		r.session = r.newSession()
		c.run(r, c.calls)
	}
}

// cancel ends the call that a notifications/cancelled names. One that still waits never starts.
func (c *connection) cancel(m jsonrpc.Message) {
	id := m.CancelledID()
	if id == nil {
		c.logger.Debug("a cancellation without a valid requestId was ignored")
		return
	}
	c.mu.Lock()
	r := c.inFlight[jsonrpc.IDKey(id)]
	if r == nil { // answered already
		c.mu.Unlock()
		return
	}
	r.cancelled.Store(true)
	stop := r.cancel
	c.mu.Unlock()
	if stop != nil {
		stop(ErrCancelled)
	} else if c.queue.remove(r) {
		c.end(r)
	} // else it is about to start, and will see that it is cancelled
}

// finish ends reading, waits for the calls under way and ends the connection. After the end of the input, a pile of
// calls may take longer than the grace period, as long as answers keep coming and nobody asks the server to stop.
func (c *connection) finish(ctx context.Context) error {
	close(c.stop)
	defer c.cancelCalls(ErrShutdown)
	idle := make(chan struct{})
	go func() {
		<-c.received
		c.work.Wait()
		c.session.mailbox.Close() // before the streams that it delivers to
		c.cancelBackground(ErrShutdown)
		c.openWork.Wait()
		close(idle)
	}()
	// The last part of the grace period is for calls that answer when they are cancelled.
	last := min(time.Second, c.options.Grace/10)
	wait, written := c.options.Grace-last, c.output.written.Load()
	unfinished := !within(idle, wait)
	for unfinished && ctx.Err() == nil && c.output.written.Load() > written {
		written = c.output.written.Load()
		unfinished = !within(idle, wait)
	}
	if unfinished {
		c.logger.Warn("calls are cut off at the end of the grace period")
		left := c.queue.close() // first, or the end of a cancelled call would let one of them start
		c.cancelCalls(ErrShutdown)
		go func() {
			for _, r := range left {
				c.turnAway(r)
			}
		}()
		within(idle, last)
	}
	c.output.seal(nil)
	switch failed := c.output.failed; {
	case failed != nil:
		return fmt.Errorf("%w: %w", ErrOutputClosed, failed)
	case unfinished:
		return ErrUnfinished
	case c.inputErr != nil:
		return fmt.Errorf("read the input: %w", c.inputErr)
	}
	return nil
}

func within(done <-chan struct{}, limit time.Duration) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		return false
	}
}
