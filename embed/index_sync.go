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
	// search, or not (or no longer) embedded in the index's vector space. A
	// vector of another length than the others, or without a direction, counts
	// as none.
	Vector []float32
}

// Source is where the rows come from: the database that all processes share.
type Source interface {
	// Changes returns up to limit rows changed after a place in the sequence,
	// in ascending order of Seq. Fewer than limit mean that there are no more
	// for now. The index keeps no reference to the vectors.
	Changes(ctx context.Context, after int64, limit int) ([]Change, error)
}

// Sync takes in what has changed in the source since the last call, the first
// time everything. When it returns, every change that was visible before the
// call has been taken in, whichever goroutine did it. On an error the index
// stays where the last complete batch left it, and the next call goes on from
// there. An index follows one source.
func (x *Index) Sync(ctx context.Context, source Source) error {
	if err := x.lockSync(ctx); err != nil {
		return err
	}
	defer x.unlockSync()
	return x.syncRest(ctx, source)
}

// SyncFew is Sync where at most so many changes are behind. Otherwise it takes in nothing, does not
// wait for others that do, and returns false.
func (x *Index) SyncFew(ctx context.Context, source Source, most int) (few bool, err error) {
	after := x.Cursor()
	changes, err := readChanges(ctx, source, after, most+1)
	if err != nil || len(changes) == 0 || len(changes) > most {
		return len(changes) <= most, err
	}
	if err := x.lockSync(ctx); err != nil {
		return false, err
	}
	defer x.unlockSync()
	if x.Cursor() != after { // another goroutine took some of them in
		return true, x.syncRest(ctx, source)
	}
	x.applyChanges(changes)
	x.cursor.Store(changes[len(changes)-1].Seq)
	return true, nil
}

func (x *Index) lockSync(ctx context.Context) error {
	select {
	case x.syncing <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (x *Index) unlockSync() { <-x.syncing }

// syncRest needs the lock.
func (x *Index) syncRest(ctx context.Context, source Source) error {
	changes, err := readChanges(ctx, source, x.Cursor(), syncBatch)
	for err == nil && len(changes) > 0 {
		after := changes[len(changes)-1].Seq
		// The next batch is read while this one is encoded.
		next := make(chan batch, 1)
		if len(changes) < syncBatch {
			next <- batch{}
		} else {
			go func() {
				changes, err := readChanges(ctx, source, after, syncBatch)
				next <- batch{changes, err}
			}()
		}
		x.applyChanges(changes)
		x.cursor.Store(after)
		following := <-next
		changes, err = following.changes, following.err
	}
	return err
}

// batch is what a read returned.
type batch struct {
	changes []Change
	err     error
}

func readChanges(ctx context.Context, source Source, after int64, limit int) ([]Change, error) {
	changes, err := source.Changes(ctx, after, limit)
	if err != nil {
		return nil, fmt.Errorf("read changes of vectors after %d: %w", after, err)
	}
	for _, change := range changes {
		if change.Seq <= after {
			return nil, fmt.Errorf("read changes of vectors: sequence %d does not follow %d", change.Seq, after)
		}
		after = change.Seq
	}
	return changes, nil
}
