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

// encodeAnswer returns the encoder of the answer to the request with the id. Only the result or the error is taken from
// the response: its id went through the library and may have lost digits.
func encodeAnswer(id json.RawMessage, response mcp.JSONRPCMessage) func(*bytes.Buffer) error {
	return func(b *bytes.Buffer) error {
		name, value, err := content(response)
		if err != nil {
			return err
		}
		b.WriteString(`{"jsonrpc":"2.0","id":`)
		b.Write(id)
		b.WriteString(`,"` + name + `":`)
		return appendMember(b, value)
	}
}

// content returns the member of an answer that carries its meaning.
func content(response mcp.JSONRPCMessage) (name string, value any, err error) {
	switch r := response.(type) {
	case mcp.JSONRPCResponse:
		return "result", r.Result, nil
	case mcp.JSONRPCError:
		return "error", r.Error, nil
	}
	data, err := json.Marshal(response)
	if err != nil {
		return "", nil, err
	}
	var answer struct {
		Result json.RawMessage `json:"result"`
		Error  json.RawMessage `json:"error"`
	}
	switch err := json.Unmarshal(data, &answer); {
	case err != nil:
		return "", nil, err
	case answer.Error != nil:
		return "error", answer.Error, nil
	case answer.Result != nil:
		return "result", answer.Result, nil
	}
	return "", nil, fmt.Errorf("%T is no answer", response)
}

// encodeNotification returns the encoder of a notification.
func encodeNotification(method string, params any) func(*bytes.Buffer) error {
	return func(b *bytes.Buffer) error {
		b.WriteString(`{"jsonrpc":"2.0","method":`)
		name, _ := json.Marshal(method) // a string cannot fail
		b.Write(name)
		if params == nil {
			b.WriteString("}\n")
			return nil
		}
		b.WriteString(`,"params":`)
		return appendMember(b, params)
	}
}

// appendMember appends the last value of an object, the end of the object and the end of the line.
func appendMember(b *bytes.Buffer, value any) error {
	if err := json.NewEncoder(b).Encode(value); err != nil {
		return err
	}
	b.Truncate(b.Len() - 1) // the line feed of the encoder
	b.WriteString("}\n")
	return nil
}
