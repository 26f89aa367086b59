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
	// Patience is how long the calls behind a write wait for work of it that does not touch the store. Nearly all such
	// work is done by then, and the order of arrival holds.
	Patience = time.Second
	// MinLong is from how many bytes on a call is a long one.
	MinLong = 4 << 10
	// whole is what a write takes of its line, in which a read takes one.
	whole = 1 << 30
)

// Scheduler is what the lines of a process share. The zero value is ready for use.
type Scheduler struct {
	Reads int // calls that read and run at a time, 8 by default

	once                  sync.Once
	reads, writes         *semaphore.Weighted
	longReads, longWrites *semaphore.Weighted // of the long calls among those
}

// A CallQueue is the calls of one client in the order in which they were sent. Its semaphores serve who asks first.
type CallQueue struct {
	scheduler *Scheduler
	first     *semaphore.Weighted // the call that waits for a place: a line has one among those of all
	running   *semaphore.Weighted
}

// NewQueue begins a line.
func (s *Scheduler) NewQueue() *CallQueue {
	s.once.Do(func() {
		reads := int64(cmp.Or(s.Reads, DefaultReads))
		s.reads, s.longReads = semaphore.NewWeighted(reads), semaphore.NewWeighted(max(1, reads/2))
		s.writes, s.longWrites = semaphore.NewWeighted(1), semaphore.NewWeighted(1)
	})
	return &CallQueue{scheduler: s, first: semaphore.NewWeighted(1), running: semaphore.NewWeighted(whole)}
}

// slot is what a call takes of a semaphore while it runs.
type slot struct {
	of *semaphore.Weighted
	n  int64
}

func acquireSlots(ctx context.Context, slots []slot) error {
	for i, s := range slots {
		if err := s.of.Acquire(ctx, s.n); err != nil {
			releaseSlots(slots[:i])
			return err
		}
	}
	return nil
}

func releaseSlots(slots []slot) {
	for _, s := range slots {
		s.of.Release(s.n)
	}
}

// ClassifyMessage tells whether a message has to wait for its turn, and whether it writes. Requests about the session itself
// never wait: they are quick, and what they change holds for the next message. A tool without a name is taken for one
// that writes.
func ClassifyMessage(m Message, writing func(tool string) bool) (waits, writes bool) {
	switch mcp.MCPMethod(m.Method) {
	case mcp.MethodToolsCall:
		return true, m.Tool == "" || writing(m.Tool)
	case mcp.MethodResourcesRead, mcp.MethodPromptsGet:
		return true, false
	}
	return false, false
}

// Enter waits for the turn of a call of so many bytes, behind those of the line that entered before. The call runs under
// the context that Enter returns, and leaves at its end. The error says why its turn did not come: the cause of the end
// of its context.
func (l *CallQueue) Enter(ctx context.Context, writes bool, bytes int) (running context.Context, leave func(), err error) {
	s := l.scheduler
	slots, long, all := []slot{{l.running, 1}}, s.longReads, s.reads
	if writes {
		slots[0].n, long, all = whole, s.longWrites, s.writes
	}
	if bytes >= MinLong {
		slots = append(slots, slot{long, 1})
	}
	slots = append(slots, slot{all, 1})
	if l.first.Acquire(ctx, 1) != nil {
		return nil, nil, context.Cause(ctx)
	}
	defer l.first.Release(1)
	if acquireSlots(ctx, slots) != nil {
		return nil, nil, context.Cause(ctx)
	}
	if writes {
		ctx = tools.WithUnlockedRunner(ctx, func(work func()) { runUnlocked(slots, work) })
	}
	return ctx, func() { releaseSlots(slots) }, nil
}

// runUnlocked does work of a running write that does not touch the store, such as reading a hostile file. Other lines
// write meanwhile. When it takes longer than its own line should wait, that goes first too.
func runUnlocked(slots []slot, work func()) {
	again := slots[1:] // all but that of the line
	releaseSlots(again)
	patience := time.AfterFunc(Patience, func() { releaseSlots(slots[:1]) })
	defer func() {
		if !patience.Stop() {
			again = slots
		}
		acquireSlots(context.Background(), again) //nolint:errcheck // its context does not end
	}()
	work()
}
