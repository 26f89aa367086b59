package stdio

import (
	"container/list"
	"sync"
)

// queue lets calls run in the order of their arrival: one that writes runs alone, those that read run side by side up to
// a limit. Nothing overtakes: a read behind a waiting write waits as well, so every read sees the writes before it and
// none behind it.
type queue struct {
	start      func(*call) // runs on a goroutine of its own, and has to end in done
	maxReads   int
	maxWaiting int

	mu        sync.Mutex
	room      sync.Cond
	turn      sync.Cond // of a call that comes back
	waiting   list.List // of *call
	bytes     int       // of the waiting messages
	reads     int       // running
	writing   bool
	returning int // calls that come back from aside
	closed    bool
}

func newQueue(maxWaiting, maxReads int, start func(*call)) *queue {
	q := &queue{start: start, maxReads: maxReads, maxWaiting: maxWaiting}
	q.room.L, q.turn.L = &q.mu, &q.mu
	return q
}

// push adds a call, and blocks while the queue is full. It returns false when the queue is closed.
func (q *queue) push(c *call) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.closed && q.full(c) {
		q.room.Wait()
	}
	if q.closed {
		return false
	}
	c.place = q.waiting.PushBack(c)
	q.bytes += len(c.Text)
	q.advance()
	return true
}

// full tells whether the call has to wait for a place. An empty queue takes every call, however long.
func (q *queue) full(c *call) bool {
	n := q.waiting.Len()
	return n >= q.maxWaiting || n > 0 && q.bytes+len(c.Text) > maxQueuedBytes
}

// advance starts the calls whose turn it is.
func (q *queue) advance() {
	for front := q.waiting.Front(); front != nil && !q.writing && q.returning == 0; front = q.waiting.Front() {
		next := front.Value.(*call)
		switch {
		case next.exclusive && q.reads > 0, !next.exclusive && q.reads >= q.maxReads:
			return
		case next.exclusive:
			q.writing = true
		default:
			q.reads++
		}
		q.drop(next)
		go q.start(next)
	}
}

func (q *queue) drop(c *call) {
	q.waiting.Remove(c.place)
	c.place = nil
	q.bytes -= len(c.Text)
	q.room.Signal()
}

// done makes way for the calls behind one that was started.
func (q *queue) done(c *call) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if c.exclusive {
		q.writing = false
	} else {
		q.reads--
	}
	q.turn.Broadcast()
	q.advance()
}

// leave lets the calls behind one that runs alone go first.
func (q *queue) leave() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.writing = false
	q.turn.Broadcast()
	q.advance()
}

// comeBack lets a call that left run alone again, before those that wait.
func (q *queue) comeBack() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.returning++
	for q.writing || q.reads > 0 {
		q.turn.Wait()
	}
	q.returning--
	q.writing = true
}

// remove takes back a call that still waits. It returns false for one that was started.
func (q *queue) remove(c *call) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if c.place == nil {
		return false
	}
	q.drop(c)
	q.advance()
	return true
}

// close takes back all calls that still wait, and lets no other in.
func (q *queue) close() []*call {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.room.Broadcast()
	var left []*call
	for front := q.waiting.Front(); front != nil; front = q.waiting.Front() {
		c := front.Value.(*call)
		q.drop(c)
		left = append(left, c)
	}
	return left
}
