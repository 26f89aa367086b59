package memory

import (
	"context"
	"errors"
	"fmt"
	"time"

	"toolkit/store"
)

const (
	// refreshBatch is how many rows are embedded in one request and one
	// transaction.
	refreshBatch = 64
	// atOnce is how many pending rows a search embeds before it looks; more are
	// embedded in the background.
	atOnce = 2 * refreshBatch
	// restAfterFailure is how long a model that failed is left alone.
	restAfterFailure = 30 * time.Second
)

// Refresh embeds up to most rows (0: all) that have no vector of the present
// model yet, reports how many are done after each batch, and returns how many it
// embedded. What is done stays done when it fails.
func (s *Search) Refresh(ctx context.Context, most int, report func(done int)) (done int, err error) {
	s.refreshing.Lock()
	defer s.refreshing.Unlock()
	return s.refresh(ctx, most, report)
}

func (s *Search) refresh(ctx context.Context, most int, report func(done int)) (done int, err error) {
	for most == 0 || done < most {
		n, err := s.refreshSome(ctx)
		done += n
		if n > 0 && report != nil {
			report(done)
		}
		if err != nil || n == 0 {
			return done, err
		}
	}
	return done, nil
}

// refreshSome embeds the next rows. The write lock is held only to store what
// the model has answered.
func (s *Search) refreshSome(ctx context.Context) (int, error) {
	s.mu.Lock()
	after := s.embedded
	s.mu.Unlock()
	var ids []int64
	var rows map[int64]store.MemoryRow
	var last int64
	err := s.store.Read(ctx, func(tx *store.Tx) (err error) {
		if ids, err = tx.UnembeddedMemory(s.embedder.Model(), after, refreshBatch); err != nil {
			return err
		}
		if len(ids) == 0 {
			last, err = tx.LastMemory()
			return err
		}
		last = ids[len(ids)-1]
		rows, err = tx.MemoryRows(ids)
		return err
	})
	if err != nil {
		return 0, err
	}
	if len(ids) > 0 {
		texts := make([]string, len(ids))
		for i, id := range ids {
			texts[i] = rows[id].EmbeddedText()
		}
		vectors, err := s.embedTexts(ctx, texts)
		s.outcome(err)
		if err != nil {
			return 0, err
		}
		if err := s.storeVectors(ctx, ids, vectors); err != nil {
			return 0, err
		}
	}
	s.mu.Lock()
	s.embedded = max(s.embedded, last)
	s.mu.Unlock()
	return len(ids), nil
}

func (s *Search) storeVectors(ctx context.Context, ids []int64, vectors [][]byte) error {
	list := make([]store.MemoryVector, len(ids))
	for i, id := range ids {
		list[i] = store.MemoryVector{MemoryID: id, Vector: vectors[i]}
	}
	return s.store.Write(ctx, func(tx *store.Tx) error {
		return tx.InsertMemoryVectors(s.embedder.Model(), list)
	})
}

// wake embeds pending rows in the background, unless the model has just failed.
func (s *Search) wake() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.queued || s.background.Err() != nil || s.store.Now().Before(s.retryAt) {
		return
	}
	s.queued = true
	s.working.Go(func() {
		s.refreshing.Lock()
		defer s.refreshing.Unlock()
		s.mu.Lock()
		s.queued = false
		s.mu.Unlock()
		s.refresh(s.background, 0, nil) //nolint:errcheck // remembered by outcome; the next search tries again
	})
}

// catchUp embeds rows that came without a vector before a search by vectors. It
// leaves a model that has just failed alone, and leaves long work to the
// background.
func (s *Search) catchUp(ctx context.Context, l *look) error {
	if s.resting() || !s.refreshing.TryLock() {
		l.pending(s)
		return nil
	}
	done, err := s.refresh(ctx, atOnce, nil)
	s.refreshing.Unlock()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err == nil && done >= atOnce {
		s.wake()
	}
	l.pending(s)
	return nil
}

// pending tells the reader of a result that some vectors are missing, if the
// model is the reason.
func (l *look) pending(s *Search) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failure != nil && l.note == "" {
		l.note = fmt.Sprintf("rows stored since the embedding model failed are found by words alone until it answers again: %v", s.failure)
	}
}

// resting says that the model has failed just now.
func (s *Search) resting() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.store.Now().Before(s.retryAt)
}

// outcome remembers whether the model works.
func (s *Search) outcome(err error) {
	if errors.Is(err, context.Canceled) {
		return // by the caller
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failure, s.retryAt = err, time.Time{}
	if err != nil {
		s.retryAt = s.store.Now().Add(restAfterFailure)
	}
}
