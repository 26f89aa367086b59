package embed

import (
	"context"
	"errors"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"toolkit/internal/capture/redact"
)

const (
	// BacklogBatch is how many rows are embedded in one request and stored in
	// one transaction.
	BacklogBatch = 64
	// MaxCatchUpRows is how many rows CatchUp embeds; more are embedded in the
	// background.
	MaxCatchUpRows = 2 * BacklogBatch
	// catchUpBatch is how many rows the model in the program embeds at once while a search waits:
	// what is done stays done when the search has no more time.
	catchUpBatch = 8
	// searchShare is the share of its time that a search keeps for itself.
	searchShare = 4
	// catchUpTimeout is how long a search waits for rows that others embed.
	catchUpTimeout = 2 * time.Second
	// RetryDelay is how long a model that failed is left alone.
	RetryDelay = 30 * time.Second
	// quietPeriod is how long nothing was written and no call answered before the model in
	// the program, which takes processor time from them, is asked in the background. What
	// does not end puts a batch off by maxPostponed.
	quietPeriod  = 300 * time.Millisecond
	maxPostponed = 5 * time.Second
)

// EmbedsInBackground says that writes leave vectors to the background although no network is
// needed: one takes longer than the write.
func EmbedsInBackground(e Embedder) bool { return e.Model() == BuiltInModel }

// Row is a stored row on its way to its vector.
type Row struct {
	ID int64
	// Version tells the text from a later one of the same row; Store leaves a
	// row alone that has another version by then.
	Version int64
	Text    string
	Vector  []byte // packed, nil when the text has no content
}

// Rows is the store of a Backlog.
type Rows interface {
	// Unembedded returns up to limit rows without a vector of the model, in
	// order. Rows up to after were seen before and matter only if they changed.
	// last is the place up to which no other row lacks its vector.
	Unembedded(ctx context.Context, model string, after int64, limit int) (rows []Row, last int64, err error)
	// StoreVectors stores the vectors of rows in one transaction.
	StoreVectors(ctx context.Context, model string, rows []Row) error
}

// Backlog gives rows their vectors that were stored without one: because no model is
// asked while the write lock is held, because it failed, or because another process has
// another model. It is safe for concurrent use.
type Backlog struct {
	embedder Embedder
	rows     Rows
	now      func() time.Time

	background context.Context // ends with Close
	stop       context.CancelFunc
	working    sync.WaitGroup

	mu      sync.Mutex
	done    int64     // every row up to this place has its vector
	retryAt time.Time // after a failure of the model: not to be asked before
	failure error     // that failure
	queued  bool      // work in the background has begun or is about to
	again   bool      // and has rows that it may not have seen
	active  time.Time // when this process last wrote anything, or answered a call

	waiting       atomic.Bool   // rows without a vector are about to be committed
	backlogIsLong atomic.Bool   // work in the background takes its time
	refreshing    chan struct{} // holds one token: the right to embed
}

// NewBacklog returns the backlog of some rows. Nothing is read before it is
// asked for.
func NewBacklog(embedder Embedder, rows Rows, now func() time.Time) *Backlog {
	b := &Backlog{embedder: embedder, rows: rows, now: now, refreshing: make(chan struct{}, 1)}
	b.background, b.stop = context.WithCancel(context.Background())
	return b
}

// Close ends work in the background and waits for it.
func (b *Backlog) Close() {
	b.mu.Lock()
	b.stop()
	b.mu.Unlock()
	b.working.Wait()
}

// IsOff reports whether no row gets a vector.
func (b *Backlog) IsOff() bool { return IsOff(b.embedder) }

// Model names the vector space.
func (b *Backlog) Model() string { return b.embedder.Model() }

// ExpectRows says that rows without a vector are about to be committed.
func (b *Backlog) ExpectRows() { b.waiting.Store(true) }

// NoteCommit is called after each write of this process. It embeds expected rows in the
// background, and returns at once.
func (b *Backlog) NoteCommit() {
	b.mu.Lock()
	b.active = time.Now()
	b.mu.Unlock()
	if b.waiting.Swap(false) {
		b.StartInBackground()
	}
}

// Postpone puts work in the background off, which takes processor time from calls: one was
// answered just now, and others may follow.
func (b *Backlog) Postpone() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.active = time.Now()
}

// Restart looks through all rows again.
func (b *Backlog) Restart() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.done = 0
}

// EmbedAll embeds all rows, reports how many are done after each batch, and
// returns how many it embedded. What is done stays done when it fails.
func (b *Backlog) EmbedAll(ctx context.Context, report func(done int)) (done int, err error) {
	if b.IsOff() {
		return 0, nil
	}
	if err := b.lockRefresh(ctx); err != nil {
		return 0, err
	}
	defer b.unlockRefresh()
	for {
		n, err := b.embedNextBatch(ctx, BacklogBatch)
		done += n
		if n > 0 && report != nil {
			report(done)
		}
		if err != nil || n == 0 {
			return done, err
		}
	}
}

func (b *Backlog) lockRefresh(ctx context.Context) error {
	select {
	case b.refreshing <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (b *Backlog) unlockRefresh() { <-b.refreshing }

// embedNextBatch embeds up to limit next rows. The store is not asked to write before the
// model has answered. The caller has acquired it.
func (b *Backlog) embedNextBatch(ctx context.Context, limit int) (int, error) {
	b.mu.Lock()
	after := b.done
	b.mu.Unlock()
	rows, last, err := b.rows.Unembedded(ctx, b.embedder.Model(), after, limit)
	if err != nil {
		return 0, err
	}
	if len(rows) > 0 {
		texts := make([]string, len(rows))
		for i, row := range rows {
			texts[i] = row.Text
		}
		vectors, err := RedactEmbedAndPack(ctx, b.embedder, texts)
		b.RecordResult(err)
		if err != nil {
			return 0, err
		}
		for i := range rows {
			rows[i].Vector = vectors[i]
		}
		if err := b.rows.StoreVectors(ctx, b.embedder.Model(), rows); err != nil {
			return 0, err
		}
	}
	b.markDone(last)
	return len(rows), nil
}

// RedactEmbedAndPack returns the packed vectors of texts, without the secrets in them: a model may be somebody else's.
func RedactEmbedAndPack(ctx context.Context, embedder Embedder, texts []string) ([][]byte, error) {
	clean := make([]string, len(texts))
	for i, text := range texts {
		clean[i], _ = redact.Text(ctx, text)
	}
	if err := ctx.Err(); err != nil {
		return nil, err // a text that was not looked through to the end is empty
	}
	vectors, err := embedder.Embed(ctx, clean)
	if err != nil {
		return nil, err
	}
	packed := make([][]byte, len(vectors))
	for i, v := range vectors {
		if packed[i], err = Pack(v); err != nil {
			return nil, err
		}
	}
	return packed, nil
}

// StartInBackground embeds rows in the background, unless the model has just failed.
func (b *Backlog) StartInBackground() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.startInBackground()
}

// startInBackground needs the lock.
func (b *Backlog) startInBackground() {
	if b.IsOff() {
		return
	}
	if b.queued {
		b.again = true
		return
	}
	if b.background.Err() != nil || b.now().Before(b.retryAt) {
		return
	}
	b.queued = true
	b.working.Go(b.embedUntilDone)
}

// runInBackground does something else in the background, unless this has ended.
func (b *Backlog) runInBackground(work func(ctx context.Context)) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.background.Err() != nil {
		return false
	}
	b.working.Go(func() { work(b.background) })
	return true
}

// embedUntilDone embeds rows until there are no more. Between two batches a search may embed
// what it needs. The outcome is remembered; the next search tries again.
func (b *Backlog) embedUntilDone() {
	for done := 0; ; {
		b.awaitQuiet()
		n, err := b.lockAndEmbedBatch()
		done += n
		b.backlogIsLong.Store(done >= MaxCatchUpRows)
		if (err != nil || n == 0) && b.endUnlessMoreWork(err) {
			if done >= MaxCatchUpRows && EmbedsInBackground(b.embedder) {
				debug.FreeOSMemory() // what the model worked with; an idle process keeps it
			}
			return
		}
	}
}

// awaitQuiet waits until writes have come to an end for now. Only the model in the
// program is in their way.
func (b *Backlog) awaitQuiet() {
	if !EmbedsInBackground(b.embedder) {
		return
	}
	for end := time.Now().Add(maxPostponed); ; {
		b.mu.Lock()
		quiet := b.active.Add(quietPeriod)
		b.mu.Unlock()
		if end.Before(quiet) {
			quiet = end
		}
		if !time.Now().Before(quiet) {
			return
		}
		select {
		case <-time.After(time.Until(quiet)):
		case <-b.background.Done():
			return
		}
	}
}

// lockAndEmbedBatch embeds a batch in the background.
func (b *Backlog) lockAndEmbedBatch() (int, error) {
	if err := b.lockRefresh(b.background); err != nil {
		return 0, err
	}
	defer b.unlockRefresh()
	if err := b.background.Err(); err != nil {
		return 0, err
	}
	b.mu.Lock()
	b.again = false
	b.mu.Unlock()
	return b.embedNextBatch(b.background, BacklogBatch)
}

// endUnlessMoreWork ends work in the background, unless rows came meanwhile.
func (b *Backlog) endUnlessMoreWork(err error) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err == nil && b.again {
		return false
	}
	b.queued = false
	b.backlogIsLong.Store(false)
	return true
}

// CatchUp embeds rows before a search. It leaves a model that has just failed
// alone, and leaves long work to the background, also where it has too little time. Rows that
// are left behind are no error: complete says that there are none, and Failure whether the model
// is the reason.
func (b *Backlog) CatchUp(ctx context.Context) (complete bool, err error) {
	if b.IsOff() {
		return true, nil
	}
	if b.IsPausedAfterFailure() || b.backlogIsLong.Load() {
		return false, nil
	}
	patient, cancel := reserveSearchTime(ctx)
	defer cancel()
	limited, cancelWait := context.WithTimeout(patient, catchUpTimeout)
	defer cancelWait()
	if b.lockRefresh(limited) != nil {
		return false, ctx.Err()
	}
	done, complete, err := b.embedForSearch(patient)
	b.unlockRefresh()
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if !complete && (err == nil || patient.Err() != nil) {
		b.mu.Lock()
		b.startInBackground()
		b.backlogIsLong.Store(b.queued && done >= MaxCatchUpRows)
		b.mu.Unlock()
	}
	return complete, nil
}

// reserveSearchTime ends before a search does, which compares then what there is.
func reserveSearchTime(ctx context.Context) (context.Context, context.CancelFunc) {
	end, is := ctx.Deadline()
	if !is {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, end.Add(-time.Until(end)/searchShare))
}

// embedForSearch embeds rows for a search, up to MaxCatchUpRows. complete says that there are no
// more.
func (b *Backlog) embedForSearch(ctx context.Context) (done int, complete bool, err error) {
	batch := BacklogBatch
	if EmbedsInBackground(b.embedder) {
		batch = catchUpBatch
	}
	for done < MaxCatchUpRows {
		n, err := b.embedNextBatch(ctx, batch)
		done += n
		if err != nil || n == 0 {
			return done, err == nil, err
		}
	}
	return done, false, nil
}

// markDone remembers that every row up to a place has its vector.
func (b *Backlog) markDone(last int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.done = max(b.done, last)
}

// Failure is why the model failed when it was last asked, nil when it did not.
func (b *Backlog) Failure() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.failure
}

// IsPausedAfterFailure says that the model has failed just now.
func (b *Backlog) IsPausedAfterFailure() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.now().Before(b.retryAt)
}

// RecordResult remembers whether the model works. The one in the program does not fail for
// want of time: it is its caller who had too little.
func (b *Backlog) RecordResult(err error) {
	isLate := errors.Is(err, context.DeadlineExceeded) && EmbedsInBackground(b.embedder)
	if isLate || errors.Is(err, context.Canceled) {
		return // by the caller
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.failure, b.retryAt = err, time.Time{}
	if err != nil {
		b.retryAt = b.now().Add(RetryDelay)
	}
}
