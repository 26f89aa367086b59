package rpc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"golang.org/x/sync/semaphore"
)

// maxStreams bounds the requests that stay open by design.
const maxStreams = 100

// minWaiting is what each call that waits counts for at least, so that their number is bounded too, to more than any
// client pipelines.
const minWaiting = 6 << 10

// limits are made smaller by tests alone.
type limits struct {
	line    int           // bytes of a message; a longer one is skipped without being held in memory
	waiting int64         // bytes of the calls that wait for their turn; beyond it reading pauses
	grace   time.Duration // how long the end waits for calls, and after the end of input for the next answer
}

// defaultLimits leave room for a file of some 12 MB in base64, and for the slowest ordinary call, which ends before a
// client's patience does.
var defaultLimits = limits{line: 16 << 20, waiting: 64 << 20, grace: 30 * time.Second}

var (
	// ErrOutputClosed reports that the client no longer reads: a write to the output failed. It is the usual end of a
	// session whose client died, and no reason to alarm anybody.
	ErrOutputClosed = errors.New("the output is closed")
	// ErrShutdown is the cause in the context of a request that the end of the server cut off.
	ErrShutdown = errors.New("the server is shutting down; look whether the call took effect before you repeat it")
	// ErrUnfinished reports that calls were still running, or answers still unread, when the grace period ended.
	ErrUnfinished = errors.New("calls were unfinished at the end of the grace period")
)

// Stdio carries MCP over standard input and output: one JSON-RPC message a line, in both directions.
//
// It reads and writes itself instead of using the library's own stdio server, because durable memory needs promises that
// one does not make:
//
//   - Whatever was read is answered: at the end of input and at the first SIGTERM the calls under way are finished first.
//   - Calls take effect in the order in which they arrived, see [CallQueue].
//   - A cancelled call that still waits never starts, and a cancelled call is never answered.
//   - An answer carries the id exactly as the client wrote it, also beyond 2^53.
//   - What a call reports with [Notify] stands before its answer, in order, without loss.
//   - Bad input is answered with an error and costs bounded memory; a panic in a call costs that call only.
type Stdio struct {
	server Server
	logger *slog.Logger
	limits
	client  *Client
	room    *semaphore.Weighted // of the calls that wait
	streams *semaphore.Weighted
	queue   chan func() // begins the calls that wait, in the order of arrival

	out     io.Writer
	writing *semaphore.Weighted     // held while writing
	open    context.Context         // of the output; its cause is why it was sealed
	seal    context.CancelCauseFunc // ends writing
	written atomic.Int64            // lines so far

	// Held while a message is dispatched, and from the end of Serve on.
	dispatching *semaphore.Weighted

	// The context of calls outlives the one of Serve: its end only stops reading.
	calls       context.Context
	cancelCalls context.CancelCauseFunc

	work          sync.WaitGroup // the calls that wait or run
	subscriptions sync.WaitGroup
}

// NewStdio returns a transport for the server, whose calls run when the scheduler allows it. It serves nothing before
// [Stdio.BuildPipeline]. The logger must not write to the output.
func NewStdio(s Server, calls *Scheduler, logger *slog.Logger) *Stdio {
	return &Stdio{
		server: s, logger: logger, limits: defaultLimits, client: NewClient("stdio", calls.NewQueue()), // the process has one client
		streams: semaphore.NewWeighted(maxStreams), dispatching: semaphore.NewWeighted(1), writing: semaphore.NewWeighted(1),
	}
}

// Serve answers the messages of in on out until the input ends, the context is cancelled or the output fails, and then
// for at most 30 seconds, or after the end of input for as long as answers keep coming, until everything read so far is
// answered. Shortly before that ends the calls still running are cancelled.
//
// It returns nil when everything was answered, [ErrOutputClosed] when the client stopped reading for good,
// [ErrUnfinished] when the grace period ran out, or the error that ended the input. A blocked Read of in, or Write of
// out, cannot be interrupted: it may outlive Serve, without effect.
func (c *Stdio) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	c.out = out
	c.open, c.seal = context.WithCancelCause(context.Background())
	c.room, c.queue = semaphore.NewWeighted(c.waiting), make(chan func(), c.waiting/minWaiting)
	c.calls, c.cancelCalls = context.WithCancelCause(context.WithoutCancel(ctx))
	ended := make(chan error, 1)
	go func() { ended <- c.receiveMessages(in) }()
	go func() {
		for begin := range c.queue {
			begin()
		}
	}()
	var failed error
	select {
	case failed = <-ended:
	case <-ctx.Done():
	case <-c.open.Done():
	}
	unfinished := c.waitForCallsThenCancel(ctx)
	switch closed := context.Cause(c.open); {
	case closed != context.Canceled:
		return fmt.Errorf("%w: %w", ErrOutputClosed, closed)
	case unfinished:
		return ErrUnfinished
	case failed != nil && failed != io.EOF:
		return fmt.Errorf("read the input: %w", failed)
	}
	return nil
}

// NotifyResourceUpdated tells the client that the resource has changed, if it has subscribed to it or, with a query, to a part
// of it: once for resources/subscribe, and once for every open subscriptions/listen stream that names it. It may be
// called from any goroutine at any time, and waits while the client does not read. Without a client it does nothing.
func (c *Stdio) NotifyResourceUpdated(uri string) error {
	var err error
	for _, address := range c.client.WatchedAddresses(uri) {
		line, _ := EncodeNotification(mcp.MethodNotificationResourceUpdated, map[string]any{"uri": address}) // a text has a JSON form
		err = errors.Join(err, c.writeLine(line, false))
	}
	for _, one := range c.client.calls.Range {
		if call := one.(*Call); call.IsSubscription() {
			for _, address := range call.Client.WatchedAddresses(uri) {
				err = errors.Join(err, call.NotifyUpdated(address))
			}
		}
	}
	return err
}

// waitForCallsThenCancel ends dispatching, waits for the calls under way and ends the connection; it tells whether some were cut off.
// After the end of the input, a pile of calls may take longer than the grace period, as long as answers keep coming and
// nobody asks the server to stop.
func (c *Stdio) waitForCallsThenCancel(ctx context.Context) (unfinished bool) {
	defer c.seal(nil)
	defer c.cancelCalls(ErrShutdown)
	idle := make(chan struct{})
	go func() {
		c.dispatching.Acquire(context.Background(), 1) //nolint:errcheck // its context does not end
		c.work.Wait()
		c.client.CancelAllRequests(ErrShutdown) // subscriptions, which have nothing left to report
		c.subscriptions.Wait()
		close(idle)
	}()
	// The last part of the grace period is for calls that answer when they are cancelled.
	last := min(time.Second, c.grace/10)
	wait, written := c.grace-last, c.written.Load()
	unfinished = !waitAtMost(idle, wait)
	for unfinished && ctx.Err() == nil && c.written.Load() > written {
		written = c.written.Load()
		unfinished = !waitAtMost(idle, wait)
	}
	if unfinished {
		c.logger.Warn("calls are cut off at the end of the grace period")
		c.cancelCalls(ErrShutdown)
		waitAtMost(idle, last)
	}
	return unfinished
}

func waitAtMost(done <-chan struct{}, limit time.Duration) bool {
	select {
	case <-done:
		return true
	case <-time.After(limit):
		return false
	}
}
