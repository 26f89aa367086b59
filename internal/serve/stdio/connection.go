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
	"toolkit/internal/serve/peer"
	"toolkit/internal/serve/schedule"
)

// connection is the state of one Serve.
type connection struct {
	server  *server.MCPServer
	options Options
	logger  *slog.Logger
	output  *output
	session *session
	line    *schedule.Line

	inFlight peer.InFlight

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

	rested  chan func() // to the goroutine that waits for work
	resting atomic.Bool // there is one

	mu      sync.Mutex
	streams []*stream
	open    atomic.Int32 // requests that stay open by design
}

func newConnection(ctx context.Context, s *server.MCPServer, options Options, out io.Writer) *connection {
	c := &connection{
		server:   s,
		options:  options,
		logger:   options.Logger,
		output:   newOutput(out),
		stop:     make(chan struct{}),
		received: make(chan struct{}),
		rested:   make(chan func()),
	}
	c.session = newSession(c.broadcast)
	c.calls, c.cancelCalls = context.WithCancelCause(context.WithoutCancel(ctx))
	c.line = options.Calls.Line(c.calls)
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
		c.inFlight.Cancel(m)
	default:
		c.notification(m)
	}
}

func (c *connection) refuseTooLong(id []byte) *jsonrpc.Refusal {
	if id == nil || c.inFlight.Has(id) {
		id = jsonrpc.Null
	}
	return jsonrpc.NewRefusal(id, mcp.INVALID_REQUEST, fmt.Sprintf("the message is longer than %d bytes", c.options.MaxLine))
}

// refuse answers a message that becomes no call.
func (c *connection) refuse(r *jsonrpc.Refusal) {
	c.logger.Debug("a message was refused", "code", r.Error.Code, "reason", r.Error.Message)
	c.output.send(answerLine(r.ID, mcp.JSONRPCError{Error: r.Error}), nil)
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

// finish ends reading, waits for the calls under way and ends the connection. After the end of the input, a pile of
// calls may take longer than the grace period, as long as answers keep coming and nobody asks the server to stop.
func (c *connection) finish(ctx context.Context) error {
	close(c.stop)
	defer c.cancelCalls(peer.ErrShutdown)
	idle := make(chan struct{})
	go func() {
		<-c.received
		c.work.Wait()
		c.session.mailbox.Close() // before the streams that it delivers to
		c.cancelBackground(peer.ErrShutdown)
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
		c.cancelCalls(peer.ErrShutdown)
		within(idle, last)
	}
	c.output.seal(nil)
	switch failed := c.output.failed; {
	case failed != nil:
		return fmt.Errorf("%w: %w", ErrOutputClosed, failed)
	case unfinished:
		return peer.ErrUnfinished
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
