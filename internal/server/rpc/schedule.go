package rpc

import (
	"cmp"
	"context"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"golang.org/x/sync/semaphore"

	"toolkit/tools"
)

const (
	// DefaultReads keeps reading calls from starving the machine that the assistant itself runs on.
	DefaultReads = 8
	// defaultWaiting is more than any client pipelines; beyond it the client has to wait.
	defaultWaiting = 10_000
	// maxBytes bounds the memory of the messages that wait in a line, which their number alone would not.
	maxBytes = 64 << 20
	// Patience is how long the calls behind a write wait for work of it that does not touch the
	// store. Nearly all such work is done by then, and the order of arrival holds.
	Patience = time.Second
	// minLong is from how many bytes on a call is a long one.
	minLong = 4 << 10
	// whole is what a write takes of its line, in which a read takes one.
	whole = 1 << 30
)

// Scheduler is what the lines of a process share. The zero value is ready for use.
type Scheduler struct {
	Reads   int // calls that read and run at a time, 8 by default
	Waiting int // calls that may wait in a line, 10 000 by default

	once                  sync.Once
	reads, writes         *semaphore.Weighted
	longReads, longWrites *semaphore.Weighted // of the long calls among those
}

// A Line is the calls of one client in the order in which they were sent.
type Line struct {
	scheduler *Scheduler
	room      *semaphore.Weighted // in bytes, of the calls that wait
	least     int64               // what the smallest call takes of it, so that it bounds their number too
	running   *semaphore.Weighted // serves who asks first, also a write that waits for reads

	mu   sync.Mutex
	last <-chan struct{} // closed when the last call that entered no longer waits
}

// Line begins a line.
func (s *Scheduler) Line() *Line {
	s.once.Do(func() {
		reads := int64(cmp.Or(s.Reads, DefaultReads))
		s.reads, s.longReads = semaphore.NewWeighted(reads), semaphore.NewWeighted(max(1, reads/2))
		s.writes, s.longWrites = semaphore.NewWeighted(1), semaphore.NewWeighted(1)
	})
	first := make(chan struct{})
	close(first)
	return &Line{
		scheduler: s, last: first, running: semaphore.NewWeighted(whole),
		room: semaphore.NewWeighted(maxBytes), least: maxBytes / int64(cmp.Or(s.Waiting, defaultWaiting)),
	}
}

// A Turn is the place of one call in its line.
type Turn struct {
	line   *Line
	gates  []*semaphore.Weighted // of the scheduler, for calls of this kind, in order
	weight int64                 // in the line
	room   int64
	before <-chan struct{} // closed when the call in front no longer waits
	begun  chan struct{}   // closed when this one does not
}

// Classify tells whether a message has to wait for its turn, and whether it writes. Requests about the session itself
// never wait: they are quick, and what they change holds for the next message. A tool without a name is taken for one
// that writes.
func Classify(m Message, writing func(tool string) bool) (waits, writes bool) {
	switch mcp.MCPMethod(m.Method) {
	case mcp.MethodToolsCall:
		tool := m.ToolName()
		return true, tool == "" || writing(tool)
	case mcp.MethodResourcesRead, mcp.MethodPromptsGet:
		return true, false
	}
	return false, false
}

// Enter takes the next place in the line for a call of so many bytes, which must then run. It blocks while the line is
// full; an empty one takes every call, however long. The error is why the context ended.
func (l *Line) Enter(ctx context.Context, writes bool, bytes int) (*Turn, error) {
	s := l.scheduler
	t := &Turn{line: l, weight: 1, room: min(max(int64(bytes), l.least), maxBytes), begun: make(chan struct{})}
	long, all := s.longReads, s.reads
	if writes {
		long, all, t.weight = s.longWrites, s.writes, whole
	}
	if bytes >= minLong {
		t.gates = append(t.gates, long)
	}
	t.gates = append(t.gates, all)
	if l.room.Acquire(ctx, t.room) != nil {
		return nil, context.Cause(ctx)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	t.before, l.last = l.last, t.begun
	return t, nil
}

// Run enters a call and runs it.
func (l *Line) Run(ctx context.Context, writes bool, bytes int, call func(context.Context)) error {
	turn, err := l.Enter(ctx, writes, bytes)
	if err != nil {
		return err
	}
	return turn.Run(ctx, call)
}

// Run waits for the turn and makes the call. An error says why the call was not made: the cause of the end of its
// context.
func (t *Turn) Run(ctx context.Context, call func(context.Context)) error {
	select {
	case <-t.before:
	case <-ctx.Done():
		t.line.room.Release(t.room)
		go func() { // those behind still wait for those in front
			<-t.before
			close(t.begun)
		}()
		return context.Cause(ctx)
	}
	err := t.take(ctx, true)
	t.line.room.Release(t.room)
	close(t.begun) // only now, so that a line has one call at a time among those that wait for a place of all
	if err != nil {
		return context.Cause(ctx)
	}
	defer t.line.running.Release(t.weight)
	defer leave(t.gates)
	call(tools.WithUnlockedRunner(ctx, t.aside))
	return nil
}

// take takes the right to run, in the line unless it has that, and among all.
func (t *Turn) take(ctx context.Context, inLine bool) error {
	if inLine {
		if err := t.line.running.Acquire(ctx, t.weight); err != nil {
			return err
		}
	}
	for i, gate := range t.gates {
		if err := gate.Acquire(ctx, 1); err != nil {
			leave(t.gates[:i])
			t.line.running.Release(t.weight)
			return err
		}
	}
	return nil
}

func leave(gates []*semaphore.Weighted) {
	for _, gate := range gates {
		gate.Release(1)
	}
}

// aside does work of a running call that does not touch the store, such as reading a hostile file. Other lines write
// meanwhile. When it takes longer than its own line should wait, that goes first too.
func (t *Turn) aside(work func()) {
	if t.weight != whole {
		work()
		return
	}
	leave(t.gates)
	patience := time.AfterFunc(Patience, func() { t.line.running.Release(t.weight) })
	defer func() {
		t.take(context.Background(), !patience.Stop()) //nolint:errcheck // its context does not end
	}()
	work()
}
