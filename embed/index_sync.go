package embed

import (
	"context"
	"fmt"
)

// syncBatch is how many changes are read at once: 6 MB of vectors at 1536
// dimensions.
const syncBatch = 1024

// Change is a row of the indexed collection as it is now.
type Change struct {
	// Seq is the row's place in the change sequence, greater than 0.
	Seq int64
	ID  int64
	// Vector is the row's embedding, nil when the row is gone, hidden from
	// search, or not (or no longer) embedded in the index's vector space.
	Vector []float32
}

// Source is where the rows come from: the database that all processes share.
type Source interface {
	// Changes returns up to limit rows changed after a place in the sequence,
	// in ascending order of Seq. Fewer than limit mean that there are no more
	// for now. The index keeps no reference to the vectors.
	Changes(ctx context.Context, after int64, limit int) ([]Change, error)
}

// syncState is how far the index has followed its source.
type syncState struct {
	cursor  int64
	refused int
	last    error
}

// Refused tells how many changes from the source could not be indexed because
// of their vector, and why the last one could not. Such rows cannot be found
// by similarity until they are embedded again.
func (x *Index) Refused() (count int, last error) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.state.refused, x.state.last
}

// Sync takes in what has changed in the source since the last call, the first
// time everything. When it returns, every change that was visible before the
// call has been taken in, whichever goroutine did it. On an error the index
// stays where the last complete batch left it, and the next call goes on from
// there. An index follows one source.
func (x *Index) Sync(ctx context.Context, source Source) error {
	select {
	case x.syncing <- struct{}{}:
		defer func() { <-x.syncing }()
	case <-ctx.Done():
		return ctx.Err()
	}
	changes, err := x.read(ctx, source, x.state.cursor)
	for err == nil && len(changes) > 0 {
		after := changes[len(changes)-1].Seq
		// The next batch is read while this one is encoded.
		next := make(chan batch, 1)
		if len(changes) < syncBatch {
			next <- batch{}
		} else {
			go func() {
				changes, err := x.read(ctx, source, after)
				next <- batch{changes, err}
			}()
		}
		x.take(changes, after)
		read := <-next
		changes, err = read.changes, read.err
	}
	return err
}

// batch is what a read returned.
type batch struct {
	changes []Change
	err     error
}

func (x *Index) read(ctx context.Context, source Source, after int64) ([]Change, error) {
	changes, err := source.Changes(ctx, after, syncBatch)
	if err != nil {
		return nil, fmt.Errorf("read changes of %s after %d: %w", x.collection, after, err)
	}
	for _, change := range changes {
		if change.Seq <= after {
			return nil, fmt.Errorf("read changes of %s: sequence %d does not follow %d", x.collection, change.Seq, after)
		}
		after = change.Seq
	}
	return changes, nil
}

// take applies a batch and moves the cursor.
func (x *Index) take(changes []Change, after int64) {
	refused := x.apply(changes, true)
	x.mu.Lock()
	defer x.mu.Unlock()
	x.state.cursor = after
	for _, err := range refused {
		if err != nil {
			x.state.refused++
			x.state.last = err
		}
	}
}
