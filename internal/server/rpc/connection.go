package rpc

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"
)

// receiveMessages dispatches the messages of the input until it ends, and returns why. It runs no call that may take long, so
// that a cancellation is seen while calls run; it waits only for a full queue and for a client that does not read. It
// runs on a goroutine of its own, since a Read that blocks cannot be stopped.
func (c *Stdio) receiveMessages(in io.Reader) error {
	defer close(c.queue)
	reader := bufio.NewReaderSize(in, 64<<10)
	for {
		next, err := readLine(reader, c.limits.line)
		if err != nil {
			return err
		}
		c.dispatchLine(next)
	}
}

// dispatchLine sends a message on its way, unless the connection ends.
func (c *Stdio) dispatchLine(next line) {
	if !c.dispatching.TryAcquire(1) {
		return
	}
	defer c.dispatching.Release(1)
	if next.tooLong {
		c.refuseMessage(next.id, mcp.INVALID_REQUEST, fmt.Sprintf("the message is longer than %d bytes", c.limits.line))
		return
	}
	if len(next.text) == 0 {
		return
	}
	m, fault := ParseMessage(next.text)
	switch {
	case fault != nil:
		c.refuseMessage(m.ID, fault.Code, fault.Message)
	case m.Response:
		c.logger.Debug("a response to no request was ignored")
	case m.Method == string(mcp.MethodNotificationCancelled):
		c.client.CancelRequest(m.Cancels)
	default:
		c.beginCall(m)
	}
}

// refuseMessage answers a message that becomes no call.
func (c *Stdio) refuseMessage(id json.RawMessage, code int, text string) {
	c.logger.Debug("a message was refused", "code", code, "reason", text)
	c.writeLine(EncodeErrorLine(id, code, text, nil), true) //nolint:errcheck // the end of the output ends Serve
}

// beginCall makes a call of a message and sends it on its way. One that does not wait for a turn is answered right here, so
// that what it changes (the handshake, the log level, a subscription) holds for the next message.
func (c *Stdio) beginCall(m Message) {
	call := c.client.BeginCall(c.calls, m, c.writeLine, c.logger)
	switch waits, writes := ClassifyMessage(m, c.server.Writes); {
	case call == nil:
		c.refuseMessage(m.ID, mcp.INVALID_REQUEST, "a request with this id is still under way")
	case m.ID == nil: // in the order of arrival, and without an answer
		call.Run(call.Context, c.server)
		c.answerCall(call, nil)
	case m.IsSubscription():
		c.serveSubscription(call)
	case waits:
		c.enqueueCall(call, writes)
	default:
		c.answerCall(call, call.Run(call.Context, c.server))
	}
}

// enqueueCall has a call run in its turn. It is answered before its turn ends, so that answers have the order of effect.
func (c *Stdio) enqueueCall(call *Call, writes bool) {
	c.work.Add(1)
	room := min(max(int64(len(call.Text)), minWaiting), c.waiting)
	if c.room.Acquire(call.Context, room) != nil {
		room = 0 // the connection ends, and so does whatever is in the queue
	}
	c.queue <- func() {
		running, leave, err := c.client.Queue.Enter(call.Context, writes, len(call.Text))
		c.room.Release(room)
		if err != nil {
			defer c.work.Done()
			c.answerCall(call, call.EncodeError(CodeRefused, "not executed: the server is shutting down"))
			return
		}
		go func() {
			defer c.work.Done()
			defer leave()
			c.answerCall(call, call.Run(running, c.server))
		}()
	}
}

// serveSubscription serves a subscriptions/listen, which stays open until the client cancels it or leaves. It waits until the
// subscription is acknowledged: a write behind it must find it established.
func (c *Stdio) serveSubscription(call *Call) {
	if !c.streams.TryAcquire(1) {
		c.answerCall(call, call.EncodeError(CodeRefused, fmt.Sprintf("not more than %d requests may stay open", maxStreams)))
		return
	}
	_, ended := call.OpenSubscription(call.Context, c.server)
	c.subscriptions.Go(func() {
		line := <-ended
		c.streams.Release(1)
		c.answerCall(call, line)
	})
}

// answerCall ends a call. One that was cancelled is not answered.
func (c *Stdio) answerCall(call *Call, line []byte) {
	if context.Cause(call.Context) == ErrCancelled {
		line = nil
	}
	call.EndWithAnswer(line) //nolint:errcheck // the end of the output ends Serve
}

// writeLine writes a line in one Write, if the output is open: what waits for its turn when it is sealed is not written.
func (c *Stdio) writeLine(line []byte, _ bool) error {
	if c.writing.Acquire(c.open, 1) != nil {
		return ErrOutputClosed
	}
	defer c.writing.Release(1)
	if _, err := c.out.Write(line); err != nil {
		c.seal(err)
		return ErrOutputClosed
	}
	c.written.Add(1)
	return nil
}

// edge is how far into a line that exceeds the limit, from either end, its id is looked for.
const edge = 4 << 10

// A line is one line of input without its end.
type line struct {
	text    []byte
	tooLong bool            // it exceeded the limit; its text is missing
	id      json.RawMessage // of one that exceeded the limit; nil where it was not found
}

// readLine returns the next line. The last one needs no end; one that a failure of the input cuts off is not returned.
func readLine(reader *bufio.Reader, limit int) (l line, err error) {
	for {
		part, err := reader.ReadSlice('\n')
		l.text = append(l.text, bytes.TrimSuffix(part, []byte("\n"))...)
		if !l.tooLong && len(l.text) > limit {
			l.tooLong, l.id = true, findID(idAtStart, l.text[:min(edge, len(l.text))])
		}
		if l.tooLong {
			l.text = append(l.text[:0], l.text[max(0, len(l.text)-edge):]...)
		}
		switch {
		case err == nil && l.tooLong && l.id == nil:
			l.id = findID(idAtEnd, l.text)
			return l, nil
		case err == nil, errors.Is(err, io.EOF) && len(l.text) > 0:
			l.text = bytes.Trim(bytes.TrimPrefix(l.text, []byte("\ufeff")), " \t\r")
			return l, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return line{}, err
		}
	}
}

// The id of a message whose middle is missing, beside which stand none but members of the envelope. Clients write it
// before or behind the parameters. A quote within a text has a backslash, so that nothing in the parameters looks like it.
var (
	idAtStart = regexp.MustCompile(`^(?:\x{feff})?\s*\{\s*(?:` + shortMember + `\s*,\s*)*` + idMember + `\s*,`)
	idAtEnd   = regexp.MustCompile(`,\s*` + idMember + `(?:\s*,\s*` + shortMember + `)*\s*\}\s*$`)
)

const (
	idMember    = `"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*)`
	shortMember = `"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"`
)

func findID(pattern *regexp.Regexp, part []byte) json.RawMessage {
	found := pattern.FindSubmatch(part)
	if found == nil || !json.Valid(found[1]) || !utf8.Valid(found[1]) {
		return nil
	}
	return bytes.Clone(found[1])
}
