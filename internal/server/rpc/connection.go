package rpc

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"
)

// receive dispatches the messages of the input until it ends, and returns why. It runs no call that may take long, so
// that a cancellation is seen while calls run; it waits only for a full queue and for a client that does not read. It
// runs on a goroutine of its own, since a Read that blocks cannot be stopped.
func (c *Stdio) receive(in io.Reader) error {
	defer close(c.queue)
	reader := bufio.NewReaderSize(in, 64<<10)
	for {
		next, err := readLine(reader, c.limits.line)
		if err != nil {
			return err
		}
		c.dispatch(next)
	}
}

// dispatch sends a message on its way, unless the connection ends.
func (c *Stdio) dispatch(next line) {
	if !c.dispatching.TryAcquire(1) {
		return
	}
	defer c.dispatching.Release(1)
	if len(next.text) == 0 && !next.tooLong {
		return
	}
	if next.tooLong {
		c.refuse(next.id, mcp.INVALID_REQUEST, fmt.Sprintf("the message is longer than %d bytes", c.limits.line))
		return
	}
	m, fault := Parse(next.text)
	switch {
	case fault != nil:
		c.refuse(m.ID, fault.Code, fault.Message)
	case m.Response:
		c.logger.Debug("a response to no request was ignored")
	case m.Method == string(mcp.MethodNotificationCancelled):
		c.client.Cancel(m.Cancels)
	case m.ID == nil:
		call := c.client.Begin(c.calls, m, c.output.write, c.logger)
		c.run(call.Context, call) // in the order of arrival, and without an answer
		call.End()
	default:
		c.request(m)
	}
}

// refuse answers a message that becomes no call.
func (c *Stdio) refuse(id json.RawMessage, code int, text string) {
	c.logger.Debug("a message was refused", "code", code, "reason", text)
	c.output.write(ErrorLine(id, code, text, nil)) //nolint:errcheck // the end of the output ends Serve
}

// request makes a call of a message and sends it on its way. A request that does not wait for a turn is answered right
// here, so that what it changes (the handshake, the log level, a subscription) holds for the next message.
func (c *Stdio) request(m Message) {
	group := &c.work
	if m.Listens() {
		group = &c.subscriptions
	}
	call := c.client.Begin(c.calls, m, c.output.write, c.logger)
	if call == nil {
		c.refuse(m.ID, mcp.INVALID_REQUEST, "a request with this id is still under way")
		return
	}
	group.Add(1)
	answer := func(line []byte) {
		defer group.Done()
		call.Answer(line) //nolint:errcheck // the end of the output ends Serve
	}
	waits, writes := Classify(m, c.server.Writes)
	switch {
	case m.Listens():
		c.listen(call, answer)
	case waits:
		c.enqueue(call, writes, answer)
	default:
		answer(c.run(call.Context, call))
	}
}

// enqueue has a call run in its turn. It is answered before its turn ends, so that answers have the order of effect.
func (c *Stdio) enqueue(call *Call, writes bool, answer func(line []byte)) {
	refuse := func() { answer(call.Fail(CodeRefused, "not executed: the server is shutting down")) }
	room := min(max(int64(len(call.Text)), minWaiting), c.waiting)
	if c.room.Acquire(call.Context, room) != nil {
		refuse()
		return
	}
	c.queue <- func() {
		running, leave, err := c.client.Line.Enter(call.Context, writes, len(call.Text))
		c.room.Release(room)
		if err != nil {
			refuse()
			return
		}
		go func() {
			defer leave()
			answer(c.run(running, call))
		}()
	}
}

// listen serves a subscriptions/listen, which stays open until the client cancels it or leaves. It waits until the
// subscription is acknowledged: a write behind it must find it established.
func (c *Stdio) listen(call *Call, answer func(line []byte)) {
	call.Client = NewClient(sessionID, nil) // it watches resources of its own
	c.mu.Lock()
	full := len(c.streams) >= maxStreams
	if !full {
		c.streams = append(c.streams, call)
	}
	c.mu.Unlock()
	if full {
		answer(call.Fail(CodeRefused, fmt.Sprintf("not more than %d requests may stay open", maxStreams)))
		return
	}
	ended := call.Open(func() []byte { return c.run(call.Context, call) })
	go func() {
		line := <-ended
		c.mu.Lock()
		c.streams = slices.DeleteFunc(c.streams, func(open *Call) bool { return open == call })
		c.mu.Unlock()
		answer(line)
	}()
}

// run lets the handler answer a call.
func (c *Stdio) run(ctx context.Context, call *Call) (line []byte) {
	return call.Run(func() mcp.JSONRPCMessage {
		return c.server.HandleMessage(c.server.WithContext(ctx, call.Client), call.Text)
	})
}
