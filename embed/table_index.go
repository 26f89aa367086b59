package embed

import (
	"context"
	"sync"
	"time"
)

// MaxFollowed is how many vectors a search takes in itself. More are read in the
// background, while searches go by words.
const MaxFollowed = 4096

// Table is a table of the store whose rows have vectors.
type Table interface {
	Rows
	// CountUnembedded is how many rows have no vector of their present text.
	CountUnembedded(ctx context.Context, model string) (int, error)
	// DeleteVectors deletes the vectors of all models but one and returns how many there
	// were.
	DeleteVectors(ctx context.Context, except string) (int64, error)
}

// TableIndex keeps the vectors of a table: it makes those that are missing, in the background or
// when it is asked to, and holds those of each space in memory, where they follow the
// changes of every process. It is safe for concurrent use. Close it before the store.
type TableIndex struct {
	*Backlog
	// Exact gives the index of a space what NewIndex asks for; nil: nothing.
	Exact func(space any) Exact
	table Table

	mu      sync.Mutex
	indexes map[any]*spaceIndex // by space
}

// spaceIndex is an index that may be read in the background.
type spaceIndex struct {
	*Index
	isReading bool
}

// NewTableIndex returns the keeper of a table whose vectors come from embedder. Nothing is read
// before it is asked for.
func NewTableIndex(embedder Embedder, table Table, now func() time.Time) *TableIndex {
	return &TableIndex{Backlog: NewBacklog(embedder, table, now), table: table, indexes: map[any]*spaceIndex{}}
}

// VectorIndex is the index of a space as it is, empty before it was followed.
func (k *TableIndex) VectorIndex(space any) *Index { return k.findOrCreateIndex(space).Index }

func (k *TableIndex) findOrCreateIndex(space any) *spaceIndex {
	k.mu.Lock()
	defer k.mu.Unlock()
	x := k.indexes[space]
	if x == nil {
		var exact Exact
		if k.Exact != nil {
			exact = k.Exact(space)
		}
		x = &spaceIndex{Index: NewIndex(exact)}
		k.indexes[space] = x
	}
	return x
}

// UpdateIndex returns the index of a space with what has changed, nil where that is too much to
// wait for: then it is read in the background from beyond, which outlives the caller's
// transaction.
func (k *TableIndex) UpdateIndex(ctx context.Context, space any, feed, beyond Source) (*Index, error) {
	x := k.findOrCreateIndex(space)
	few, err := x.SyncFew(ctx, feed, MaxFollowed)
	switch {
	case err != nil:
		return nil, err
	case !few:
		k.readInBackground(x, beyond)
		return nil, nil
	}
	return x.Index, nil
}

// ReadInBackground begins to read a space, so that no search has to.
func (k *TableIndex) ReadInBackground(space any, source Source) {
	if !k.IsOff() {
		k.readInBackground(k.findOrCreateIndex(space), source)
	}
}

// readInBackground reads what has changed in the background.
func (k *TableIndex) readInBackground(x *spaceIndex, source Source) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if x.isReading {
		return
	}
	x.isReading = k.runInBackground(func(ctx context.Context) {
		x.Sync(ctx, source) //nolint:errcheck // what fails here, the next search tries again
		k.mu.Lock()
		defer k.mu.Unlock()
		x.isReading = false
	})
}

// CountPending returns how many rows have no vector of their present text.
func (k *TableIndex) CountPending(ctx context.Context) (int, error) {
	if k.IsOff() {
		return 0, nil
	}
	return k.table.CountUnembedded(ctx, k.Model())
}

// DeleteOtherModels deletes the vectors of all other models and returns how many there were.
func (k *TableIndex) DeleteOtherModels(ctx context.Context) (int64, error) {
	return k.table.DeleteVectors(ctx, k.Model())
}
