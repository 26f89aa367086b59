package telemetry

import (
	"context"
	"hash/fnv"
	"log/slog"
	"sync"
	"time"

	"toolkit/store"
	"toolkit/tools"
)

const (
	// flushEvery is how long a call may wait in memory to be written.
	flushEvery = 5 * time.Second
	// flushAt is how many calls are written without waiting for the time.
	flushAt = 512
	// maxPending bounds what waits when the database does not keep up; calls
	// beyond it are counted and forgotten.
	maxPending = 8192
	// flushPatience is how long a write may wait for the database.
	flushPatience = 2 * time.Second
	// closePatience is how long the end of the program may be held up.
	closePatience = 500 * time.Millisecond
)

// Options build a Recorder.
type Options struct {
	Store  *store.DB
	Config Config
	Logger *slog.Logger // nil discards
	// Flushed is called after each write in the background, for tests.
	Flushed func(calls int)
}

// Recorder gathers finished calls and writes them in the background. It does
// nothing, and costs nothing, before the first call.
type Recorder struct {
	store  *store.DB
	config Config
	logger *slog.Logger
	hook   func(calls int)

	mu       sync.Mutex
	pending  []tools.Recorded
	dropped  int64
	peak     float64 // highest use of the connection pool since the last write
	credit   float64 // of sampling: the next duration is kept when it reaches 1
	started  bool
	closed   bool
	wake     chan struct{} // there is something to write
	full     chan struct{} // write at once
	quit     chan struct{}
	finished chan struct{}

	writing sync.Mutex // one write at a time
}

// NewRecorder returns a recorder; it starts its work with the first call.
func NewRecorder(o Options) *Recorder {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return &Recorder{
		store: o.Store, config: o.Config, logger: o.Logger, hook: o.Flushed,
		wake: make(chan struct{}, 1), full: make(chan struct{}, 1), quit: make(chan struct{}), finished: make(chan struct{}),
	}
}

// Config is what the recorder measures.
func (r *Recorder) Config() Config { return r.config }

// Record notes a finished call. It only appends to a list in memory.
func (r *Recorder) Record(c tools.Recorded) {
	usage := r.store.PoolUsage()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return
	}
	r.peak = max(r.peak, usage)
	if len(r.pending) >= maxPending {
		r.dropped++
		return
	}
	r.pending = append(r.pending, c)
	if !r.started {
		r.started = true
		go r.work()
	}
	switch len(r.pending) {
	case 1:
		signal(r.wake)
	case flushAt:
		signal(r.full)
	}
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default: // one is already waiting
	}
}

// work writes until the recorder is closed. It sleeps while nothing waits.
func (r *Recorder) work() {
	defer close(r.finished)
	for {
		select {
		case <-r.quit:
			return
		case <-r.wake:
		}
		timer := time.NewTimer(flushEvery)
		select {
		case <-r.quit:
			timer.Stop()
			return
		case <-timer.C:
		case <-r.full:
			timer.Stop()
		}
		r.writeInBackground()
	}
}

func (r *Recorder) writeInBackground() {
	ctx, cancel := context.WithTimeout(context.Background(), flushPatience)
	defer cancel()
	n, err := r.flush(ctx, true)
	if err != nil {
		r.logger.Warn("measurements were not written; trying again later", "error", err.Error())
		signal(r.wake)
	}
	if r.hook != nil {
		r.hook(n)
	}
}

// Flush writes what has gathered, so that a query sees it.
func (r *Recorder) Flush(ctx context.Context) error {
	_, err := r.flush(ctx, false)
	return err
}

// Close writes the rest, waiting a moment at most, and ends.
func (r *Recorder) Close() error {
	r.mu.Lock()
	if r.closed {
		r.mu.Unlock()
		return nil
	}
	r.closed = true
	started := r.started
	r.mu.Unlock()
	close(r.quit)
	if started {
		<-r.finished
	}
	ctx, cancel := context.WithTimeout(context.Background(), closePatience)
	defer cancel()
	_, err := r.flush(ctx, false)
	return err
}

// Dropped is how many calls were forgotten because the database did not keep up.
func (r *Recorder) Dropped() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.dropped
}

// take empties the list of what waits.
func (r *Recorder) take() (calls []tools.Recorded, peak float64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	calls, r.pending = r.pending, nil
	peak, r.peak = r.peak, 0
	return calls, peak
}

// putBack keeps calls whose write failed for the next one.
func (r *Recorder) putBack(calls []tools.Recorded, peak float64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	room := maxPending - len(r.pending)
	if len(calls) > room {
		r.dropped += int64(len(calls) - room)
		calls = calls[len(calls)-room:]
	}
	r.pending = append(calls, r.pending...)
	r.peak = max(r.peak, peak)
}

// flush writes what has gathered in one transaction. Readings that cost
// something are taken in the background only.
func (r *Recorder) flush(ctx context.Context, background bool) (int, error) {
	r.writing.Lock()
	defer r.writing.Unlock()
	calls, peak := r.take()
	if len(calls) == 0 {
		return 0, nil
	}
	b := newBatch(r.config)
	for _, c := range calls {
		b.add(c, r.sampled())
	}
	now := r.store.Now().UnixMilli()
	b.gauge(poolUsage, now, peak)
	b.gauge(dropped, now, float64(r.Dropped()))
	b.gauge(memoryBytes, now, usedMemory())
	if background {
		if err := r.readGauges(ctx, b, now); err != nil {
			r.logger.Debug("gauges were not read", "error", err.Error())
		}
	}
	err := r.store.WriteTelemetry(ctx, func(tx *store.Tx) error {
		if err := b.write(tx); err != nil {
			return err
		}
		return prune(tx, r.config, now)
	})
	if err != nil {
		r.putBack(calls, peak)
		return 0, err
	}
	return len(calls), nil
}

// sampled decides whether the next duration is kept, evenly at the configured
// share.
func (r *Recorder) sampled() bool {
	r.credit += r.config.Sampling
	if r.credit < 1 {
		return false
	}
	r.credit--
	return true
}

// actorOf is a hash of a user's id; calls without one are of the one local user.
func actorOf(userID string) int64 {
	if userID == "" {
		return 1
	}
	return hash("user:" + userID)
}

// hash is a positive number for a text.
func hash(text string) int64 {
	h := fnv.New64a()
	h.Write([]byte(text)) //nolint:errcheck // never fails
	return int64(h.Sum64() >> 1)
}
