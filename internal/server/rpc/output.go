package rpc

import (
	"io"
	"sync"
	"sync/atomic"
)

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
