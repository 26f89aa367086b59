package rpc

import (
	"context"
	"io"
	"sync/atomic"

	"golang.org/x/sync/semaphore"
)

// output writes lines, one Write each, until it is sealed.
type output struct {
	writer  io.Writer
	turn    *semaphore.Weighted // held while writing
	open    context.Context     // its cause is why it was sealed
	seal    context.CancelCauseFunc
	written atomic.Int64 // lines so far
}

func newOutput(w io.Writer) *output {
	o := &output{writer: w, turn: semaphore.NewWeighted(1)}
	o.open, o.seal = context.WithCancelCause(context.Background())
	return o
}

// write writes a line, if the output is open: what waits for its turn when it is sealed is not written.
func (o *output) write(line []byte, _ bool) error {
	if o.turn.Acquire(o.open, 1) != nil {
		return ErrOutputClosed
	}
	defer o.turn.Release(1)
	if _, err := o.writer.Write(line); err != nil {
		o.seal(err)
		return ErrOutputClosed
	}
	o.written.Add(1)
	return nil
}
