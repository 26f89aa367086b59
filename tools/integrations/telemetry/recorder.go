package telemetry

import (
	"context"
	"hash/fnv"
	"log/slog"
	"sync"
	"time"

	"toolkit/store"
	"toolkit/store/telemetry"
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
	// flushTimeout is how long a write may wait for the database.
	flushTimeout = 2 * time.Second
	// closeTimeout is how long the end of the program may be held up.
	closeTimeout = 500 * time.Millisecond
)

// Options build a Recorder.
type Options struct {
	Store  *store.DB
	Config Config
	Logger *slog.Logger // nil discards
	// Space names the space whose calls are measured, where a server has several:
	// its metrics carry the name as a label. Empty: no label.
	Space string
	// Flushed is called after each write in the background, for tests.
	Flushed func(calls int)
}

// Recorder gathers finished calls and writes them in the background. It does
// nothing, and costs nothing, before the first call.
type Recorder struct {
	o Options

	mu      sync.Mutex
	pending []tools.CallRecord
	dropped int64
	peak    float64 // highest use of the connection pool since the last write
	closed  bool

	timer   *time.Timer // writes in the background; it runs while something waits
	writing sync.Mutex  // one write at a time
	credit  float64     // of sampling: the next duration is kept when it reaches 1
}

// NewRecorder returns a recorder; it starts its work with the first call.
func NewRecorder(o Options) *Recorder {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	r := &Recorder{o: o}
	r.timer = time.AfterFunc(flushEvery, r.writeInBackground)
	r.timer.Stop()
	return r
}

// Config is what the recorder measures.
func (r *Recorder) Config() Config { return r.o.Config }

// Record notes a finished call. It only appends to a list in memory.
func (r *Recorder) Record(c tools.CallRecord) {
	if c.AgentID == page {
		return // what is counted is what assistants and commands ask for
	}
	usage := r.o.Store.PoolUsage()
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
	switch len(r.pending) {
	case 1:
		r.timer.Reset(flushEvery)
	case flushAt:
		r.timer.Reset(0)
	}
}

func (r *Recorder) writeInBackground() {
	r.writing.Lock()
	defer r.writing.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), flushTimeout)
	defer cancel()
	n, err := r.writePendingAndPrune(ctx, true)
	if err != nil {
		r.o.Logger.Warn("measurements were not written; trying again later", "error", err.Error())
		r.scheduleWrite()
	}
	if r.o.Flushed != nil {
		r.o.Flushed(n)
	}
}

// scheduleWrite has what waits written later, unless nothing is to come after this.
func (r *Recorder) scheduleWrite() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.closed {
		r.timer.Reset(flushEvery)
	}
}

// Flush writes what has gathered, so that a query sees it.
func (r *Recorder) Flush(ctx context.Context) error {
	r.writing.Lock()
	defer r.writing.Unlock()
	_, err := r.writePendingAndPrune(ctx, false)
	return err
}

// Close writes the rest, waiting a moment at most, and ends.
func (r *Recorder) Close() error {
	r.mu.Lock()
	r.closed = true
	r.timer.Stop()
	r.mu.Unlock()
	r.writing.Lock() // a write that is under way ends first
	defer r.writing.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	_, err := r.writePendingAndPrune(ctx, false)
	return err
}

// Dropped is how many calls were forgotten because the database did not keep up.
func (r *Recorder) Dropped() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.dropped
}

// takePending empties the list of what waits.
func (r *Recorder) takePending() (calls []tools.CallRecord, peak float64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	calls, r.pending = r.pending, nil
	peak, r.peak = r.peak, 0
	return calls, peak
}

// putBack keeps calls whose write failed for the next one.
func (r *Recorder) putBack(calls []tools.CallRecord, peak float64) {
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

// writePendingAndPrune writes what has gathered in one transaction; no other write may be under
// way. Readings that cost something are taken in the background only.
func (r *Recorder) writePendingAndPrune(ctx context.Context, background bool) (int, error) {
	calls, peak := r.takePending()
	if len(calls) == 0 {
		return 0, nil
	}
	b := newBatch(r.o.Config)
	for _, c := range calls {
		b.addCall(c, r.chooseForSample())
	}
	now := r.o.Store.Now().UnixMilli()
	b.addGauge(poolUsage, now, peak)
	b.addGauge(dropped, now, float64(r.Dropped()))
	b.addGauge(memoryBytes, now, usedMemory())
	if background {
		if err := r.addDatabaseGaugesIfDue(ctx, b, now); err != nil {
			r.o.Logger.Debug("gauges were not read", "error", err.Error())
		}
	}
	err := r.o.Store.WriteTelemetry(ctx, func(tx *store.Tx) error {
		if err := b.write(telemetry.In(tx)); err != nil {
			return err
		}
		return pruneTelemetryIfDue(telemetry.In(tx), r.o.Config, now)
	})
	if err != nil {
		r.putBack(calls, peak)
		return 0, err
	}
	return len(calls), nil
}

// chooseForSample decides whether the next duration is kept, evenly at the configured
// share.
func (r *Recorder) chooseForSample() bool {
	r.credit += r.o.Config.Sampling
	if r.credit < 1 {
		return false
	}
	r.credit--
	return true
}

// hashUser returns a hash of a user's id; calls without one are of the one local user.
func hashUser(userID string) int64 {
	if userID == "" {
		return 1
	}
	return hashTextToPositive("user:" + userID)
}

// hashTextToPositive is a positive number for a text.
func hashTextToPositive(text string) int64 {
	h := fnv.New64a()
	h.Write([]byte(text)) //nolint:errcheck // never fails
	return int64(h.Sum64() >> 1)
}
