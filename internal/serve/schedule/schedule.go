// Package schedule decides when a call may run. All transports of a process
// share one [Scheduler], so that the server has one order of effect:
//
//   - Within a [Line], which is a session or a client, nothing overtakes. A call
//     that writes runs alone, those that read run side by side: every read sees
//     the writes before it and none behind it. Only while a write reads a file,
//     which touches no store, for longer than [Patience], those behind it go first.
//   - Lines do not wait for each other, but for two bounds of the whole process:
//     one write at a time, since the database takes no more, and so many reads
//     that the machine stays usable.
//   - A call whose context ends before its turn comes never runs.
//
// A transport enters each call in the order of arrival and runs it on any goroutine, or does both with [Line.Run]:
//
//	turn, err := line.Enter(ctx, writes, len(message))
//	…
//	err = turn.Run(ctx, func(ctx context.Context) { … })
package schedule

import (
	"cmp"
	"container/list"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"golang.org/x/sync/semaphore"

	"toolkit/internal/serve/jsonrpc"
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
)

// Scheduler is what the lines of a process share. The zero value is ready for use.
type Scheduler struct {
	Reads   int // calls that read and run at a time, 8 by default
	Waiting int // calls that may wait in a line, 10 000 by default

	mu      sync.Mutex
	reading int
	writing bool
	lines   []*Line // in which calls wait; the one that had its turn longest ago comes first
}

// A Line is the calls of one client in the order in which they were sent.
type Line struct {
	scheduler *Scheduler
	ctx       context.Context
	room      *semaphore.Weighted // in bytes, of the calls that wait
	least     int64               // what the smallest call takes of it, so that it bounds their number too

	// Guarded by the mutex of the scheduler.
	waiting list.List // of *Turn
	reading int
	writing bool
}

// Line begins a line. When the context ends, nothing in it starts any more.
func (s *Scheduler) Line(ctx context.Context) *Line {
	return &Line{scheduler: s, ctx: ctx, room: semaphore.NewWeighted(maxBytes), least: maxBytes / int64(cmp.Or(s.Waiting, defaultWaiting))}
}

// A Turn is the place of one call in its line.
type Turn struct {
	line    *Line
	writes  bool
	room    int64
	place   *list.Element // nil when it does not wait
	running bool
	come    chan struct{}
}

// Classify tells whether a message has to wait for its turn, and whether it writes. Requests about the session itself
// never wait: they are quick, and what they change holds for the next message. A tool without a name is taken for one
// that writes.
func Classify(m jsonrpc.Message, writing func(tool string) bool) (waits, writes bool) {
	switch mcp.MCPMethod(m.Method) {
	case mcp.MethodToolsCall:
		tool := m.ToolName()
		return true, tool == "" || writing(tool)
	case mcp.MethodResourcesRead, mcp.MethodPromptsGet:
		return true, false
	}
	return false, false
}

// Enter takes the next place in the line for a call of so many bytes. It blocks while the line is full; an empty one
// takes every call, however long. The error is why the context ended.
func (l *Line) Enter(ctx context.Context, writes bool, bytes int) (*Turn, error) {
	t := &Turn{line: l, writes: writes, room: min(max(int64(bytes), l.least), maxBytes), come: make(chan struct{})}
	if l.room.Acquire(ctx, t.room) != nil {
		return nil, context.Cause(ctx)
	}
	l.scheduler.mu.Lock()
	defer l.scheduler.mu.Unlock()
	t.place = l.waiting.PushBack(t)
	if l.waiting.Len() == 1 {
		l.scheduler.lines = append(l.scheduler.lines, l)
	}
	l.scheduler.advance()
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
// context, or of that of the line. The turn ends with the call, so it should answer before it returns.
func (t *Turn) Run(ctx context.Context, call func(context.Context)) error {
	defer t.end()
	select {
	case <-t.come:
	case <-ctx.Done():
	case <-t.line.ctx.Done():
	}
	for _, ended := range []context.Context{ctx, t.line.ctx} {
		if ended.Err() != nil {
			return context.Cause(ended)
		}
	}
	call(tools.WithAside(ctx, t.aside))
	return nil
}

// end makes way for the calls behind, whether the turn has come or not.
func (t *Turn) end() {
	t.line.scheduler.mu.Lock()
	defer t.line.scheduler.mu.Unlock()
	t.leave()
}

// leave gives up the place in the line, or the right to run.
func (t *Turn) leave() {
	l, s := t.line, t.line.scheduler
	switch {
	case t.place != nil:
		l.drop(t)
	case t.running && t.writes:
		s.writing, l.writing = false, false
	case t.running:
		s.reading--
		l.reading--
	}
	t.running = false
	s.advance()
}

// drop takes a turn out of those that wait.
func (l *Line) drop(t *Turn) {
	l.waiting.Remove(t.place)
	l.room.Release(t.room)
	t.place, t.room = nil, 0
	if l.waiting.Len() == 0 {
		l.scheduler.lines = slices.DeleteFunc(l.scheduler.lines, func(other *Line) bool { return other == l })
	}
}

// advance lets every call run whose turn it is. Lines take turns too: after a call of it a line stands behind the others.
func (s *Scheduler) advance() {
	for i := 0; i < len(s.lines); {
		l := s.lines[i]
		next := l.waiting.Front().Value.(*Turn)
		if !next.mayRun() {
			i++
			continue
		}
		l.drop(next)
		if l.waiting.Len() > 0 {
			s.lines = append(slices.Delete(s.lines, i, i+1), l)
		}
		if next.running = true; next.writes {
			s.writing, l.writing = true, true
		} else {
			s.reading++
			l.reading++
		}
		close(next.come)
	}
}

// mayRun tells whether the first call of a line may begin.
func (t *Turn) mayRun() bool {
	l, s := t.line, t.line.scheduler
	if t.writes {
		return !s.writing && !l.writing && l.reading == 0
	}
	return !l.writing && s.reading < cmp.Or(s.Reads, DefaultReads)
}

// aside does work of a running call that does not touch the store, such as reading a hostile file. Other lines write
// meanwhile. When it takes longer than its own line should wait, that goes first too. The call goes on before those
// that wait then.
func (t *Turn) aside(work func()) {
	if !t.writes {
		work()
		return
	}
	l, s := t.line, t.line.scheduler
	done, waited := false, false
	s.mu.Lock()
	s.writing = false
	s.advance()
	s.mu.Unlock()
	timer := time.AfterFunc(Patience, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if !done {
			l.writing, waited = false, true
			s.advance()
		}
	})
	defer func() {
		timer.Stop()
		s.mu.Lock()
		if done = true; !waited {
			l.writing = false
		}
		t.comeBack()
		s.mu.Unlock()
		<-t.come
	}()
	work()
}

// comeBack takes the first place of the first line. Another write of the line may be under way since the line waits no
// more; then that one ends first.
func (t *Turn) comeBack() {
	l, s := t.line, t.line.scheduler
	t.come = make(chan struct{})
	t.place = l.waiting.PushFront(t)
	s.lines = slices.Insert(slices.DeleteFunc(s.lines, func(other *Line) bool { return other == l }), 0, l)
	s.advance()
}
