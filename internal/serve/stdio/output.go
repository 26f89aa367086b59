package stdio

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/mark3labs/mcp-go/mcp"

	"toolkit/internal/serve/jsonrpc"
)

// maxPooled keeps a single huge answer from holding its memory for the rest of the session.
const maxPooled = 1 << 20

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// output writes lines, one Write each. After it is sealed it writes nothing any more.
type output struct {
	writer io.Writer
	turn   chan struct{} // held while writing: a mutex that can be given up when the output is sealed
	sealed chan struct{}
	once   sync.Once
	failed error // what the writer returned; written before sealed is closed

	written atomic.Int64 // lines so far
}

func newOutput(w io.Writer) *output {
	return &output{writer: w, turn: make(chan struct{}, 1), sealed: make(chan struct{})}
}

// seal refuses all further lines. A non-nil error is the reason.
func (o *output) seal(err error) {
	o.once.Do(func() {
		o.failed = err
		close(o.sealed)
	})
}

// write writes one line, if permit, asked when it is the line's turn, allows it.
func (o *output) write(line []byte, permit func() bool) error {
	select {
	case o.turn <- struct{}{}:
	case <-o.sealed:
		return ErrOutputClosed
	}
	defer func() { <-o.turn }()
	select {
	case <-o.sealed:
		return ErrOutputClosed
	default:
	}
	if permit != nil && !permit() {
		return nil
	}
	n, err := o.writer.Write(line)
	if err == nil && n < len(line) {
		err = io.ErrShortWrite
	}
	if err != nil {
		o.seal(err)
		return ErrOutputClosed
	}
	o.written.Add(1)
	return nil
}

// send encodes a line and writes it. An error other than ErrOutputClosed says that nothing was written, because the
// value has no JSON form.
func (o *output) send(encode func(*bytes.Buffer) error, permit func() bool) error {
	buffer := buffers.Get().(*bytes.Buffer)
	buffer.Reset()
	if err := safely(encode, buffer); err != nil {
		return err
	}
	err := o.write(buffer.Bytes(), permit)
	if buffer.Cap() <= maxPooled {
		buffers.Put(buffer)
	}
	return err
}

// safely turns a panic in somebody's MarshalJSON into an error.
func safely(encode func(*bytes.Buffer) error, buffer *bytes.Buffer) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v\n%s", cause, debug.Stack())
		}
	}()
	return encode(buffer)
}

// answerLine returns the encoder of the answer to the request with the id. Only the result or the error is taken from
// the response.
func answerLine(id json.RawMessage, response mcp.JSONRPCMessage) func(*bytes.Buffer) error {
	return func(b *bytes.Buffer) error {
		switch r := response.(type) {
		case mcp.JSONRPCResponse:
			return jsonrpc.WriteAnswer(b, id, "result", r.Result)
		case mcp.JSONRPCError:
			return jsonrpc.WriteAnswer(b, id, "error", r.Error)
		}
		return fmt.Errorf("%T is no answer", response)
	}
}

func notificationLine(method string, params any) func(*bytes.Buffer) error {
	return func(b *bytes.Buffer) error { return jsonrpc.WriteNotification(b, method, params) }
}
