package rpc

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// receive dispatches the messages of the input. It runs no call that may take long, so that a cancellation is seen while
// calls run; it waits only for a full queue and for a client that does not read.
func (c *Stdio) receive(in io.Reader) {
	defer close(c.received)
	lines := make(chan line)
	go readLines(in, c.options.MaxLine, lines, c.stop)
	for {
		select {
		case next := <-lines:
			if next.err != nil {
				c.inputErr = next.err
				return
			}
			c.dispatch(next)
		case <-c.stop:
			return
		}
	}
}

func (c *Stdio) dispatch(next line) {
	if next.tooLong {
		c.refuse(NewRefusal(Null, mcp.INVALID_REQUEST, fmt.Sprintf("the message is longer than %d bytes", c.options.MaxLine)))
		return
	}
	m, refused := Parse(next.text)
	switch {
	case refused != nil:
		c.refuse(refused)
	case m.Response:
		c.options.Logger.Debug("a response to no request was ignored")
	case m.Method == string(mcp.MethodNotificationCancelled):
		c.client.Cancel(m)
	case m.ID == nil:
		c.run(c.newCall(c.calls, m, c.client)) // in the order of arrival, and without an answer
	default:
		c.request(m)
	}
}

// refuse answers a message that becomes no call.
func (c *Stdio) refuse(r *Refusal) {
	c.options.Logger.Debug("a message was refused", "code", r.Error.Code, "reason", r.Error.Message)
	line, _ := Answer(r.ID, "error", r.Error) // texts have a JSON form
	c.output.write(line, nil)                 //nolint:errcheck // the end of the output ends Serve
}

func (c *Stdio) newCall(ctx context.Context, m Message, client *Client) (context.Context, *Call) {
	call, ctx := NewCall(ctx, m, client)
	call.Write, call.Logger = c.output.write, c.options.Logger
	return ctx, call
}

// request makes a call of a message and sends it on its way. A request that does not wait for a turn is answered right
// here, so that what it changes (the handshake, the log level, a subscription) holds for the next message.
func (c *Stdio) request(m Message) {
	parent, group, client := c.calls, &c.work, c.client
	listens := m.Method == string(mcp.MethodSubscriptionsListen)
	if listens { // which watches resources of its own
		parent, group, client = c.subscribed, &c.subscriptions, NewClient(sessionID, nil)
	}
	ctx, cancel := context.WithCancelCause(parent)
	if !c.client.Begin(m.ID, cancel) {
		cancel(nil)
		c.refuse(NewRefusal(m.ID, mcp.INVALID_REQUEST, "a request with this id is still under way"))
		return
	}
	group.Add(1)
	ctx, call := c.newCall(ctx, m, client)
	answer := func(line []byte) {
		defer group.Done()
		defer cancel(nil)
		c.client.End(m.ID)
		call.Answer(line) //nolint:errcheck // the end of the output ends Serve
	}
	waits, writes := Classify(m, c.options.Exclusive)
	switch {
	case listens:
		c.listen(ctx, call, answer)
	case waits:
		c.enter(ctx, call, writes, answer)
	default:
		answer(c.run(ctx, call))
	}
}

// enter runs a call in its turn. It answers before the turn ends, so that answers have the order of effect.
func (c *Stdio) enter(ctx context.Context, call *Call, writes bool, answer func(line []byte)) {
	refuse := func() { answer(call.Fail(CodeRefused, "not executed: the server is shutting down")) }
	turn, err := c.client.Line.Enter(ctx, writes, len(call.Text))
	if err != nil {
		refuse()
		return
	}
	go func() {
		if turn.Run(ctx, func(ctx context.Context) { answer(c.run(ctx, call)) }) != nil {
			refuse()
		}
	}()
}

// listen serves a subscriptions/listen, which stays open until the client cancels it or leaves. It waits until the
// subscription is acknowledged: a write behind it must find it established.
func (c *Stdio) listen(ctx context.Context, call *Call, answer func(line []byte)) {
	c.mu.Lock()
	full := len(c.streams) >= maxSubscriptions
	if !full {
		c.streams = append(c.streams, call)
	}
	c.mu.Unlock()
	if full {
		answer(call.Fail(CodeRefused, fmt.Sprintf("not more than %d requests may stay open", maxSubscriptions)))
		return
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		line := c.run(ctx, call)
		c.mu.Lock()
		c.streams = slices.DeleteFunc(c.streams, func(open *Call) bool { return open == call })
		c.mu.Unlock()
		answer(line)
	}()
	select {
	case <-call.Acknowledged():
	case <-ended:
	}
}

// run lets the handler answer a call.
func (c *Stdio) run(ctx context.Context, call *Call) (line []byte) {
	return call.Run(func() (member string, value any) {
		switch answer := c.options.Handler.HandleMessage(c.server.WithContext(ctx, call.View), call.Text).(type) {
		case mcp.JSONRPCResponse:
			if _, ends := answer.Result.(mcp.SubscriptionsListenResult); ends {
				return "result", call.Closing()
			}
			return "result", answer.Result
		case mcp.JSONRPCError:
			return "error", answer.Error
		}
		if call.ID == nil {
			return "", nil
		}
		c.options.Logger.Error("a request was left without an answer", "method", call.Method)
		return "error", mcp.NewJSONRPCErrorDetails(mcp.INTERNAL_ERROR, "internal error", nil)
	})
}

// finish ends reading, waits for the calls under way and ends the connection. After the end of the input, a pile of
// calls may take longer than the grace period, as long as answers keep coming and nobody asks the server to stop.
func (c *Stdio) finish(ctx context.Context) error {
	close(c.stop)
	defer c.cancelCalls(ErrShutdown)
	idle := make(chan struct{})
	go func() {
		<-c.received
		c.work.Wait()
		c.cancelSubscriptions(ErrShutdown)
		c.subscriptions.Wait()
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
		c.options.Logger.Warn("calls are cut off at the end of the grace period")
		c.cancelCalls(ErrShutdown)
		within(idle, last)
	}
	c.output.seal(nil)
	switch failed := c.output.failed; {
	case failed != nil:
		return fmt.Errorf("%w: %w", ErrOutputClosed, failed)
	case unfinished:
		return ErrUnfinished
	case c.inputErr != nil && c.inputErr != io.EOF:
		return fmt.Errorf("read the input: %w", c.inputErr)
	}
	return nil
}

func within(done <-chan struct{}, limit time.Duration) bool {
	select {
	case <-done:
		return true
	case <-time.After(limit):
		return false
	}
}
