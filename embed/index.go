package embed

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// ErrNoDirection refuses a vector that is zero or holds NaN or Inf: its
// similarity to anything is undefined.
var ErrNoDirection = errors.New("the vector has no direction: it is zero, or holds NaN or Inf")

// DimensionError refuses a vector of another length than the index holds.
type DimensionError struct{ Got, Want int }

func (e *DimensionError) Error() string {
	return fmt.Sprintf("invalid embedding dimension: %d, expected %d", e.Got, e.Want)
}

// Exact returns the stored vectors of rows.
type Exact func(ctx context.Context, ids []int64) (map[int64][]float32, error)

// Index finds the rows whose vectors are closest to a query's, for one
// collection and one vector space. It is safe for concurrent use.
type Index struct {
	exact Exact

	mu     sync.RWMutex
	space  projection
	full   quantizedVectors // the vectors
	sketch quantizedVectors // their projections
	slots  map[int64]int32
	ids    []int64           // by slot; rows lie without gaps
	rows   *vectorCollection // one document a row; nil once there are too many

	syncing chan struct{} // holds one token: the right to advance the cursor
	cursor  atomic.Int64  // how far the index has followed its source
}

// NewIndex returns an empty index. The stored vectors of rows, where there is a
// way to them, decide the final ranking: ids that are missing among them are no
// hits. Without it (nil) similarities beyond exactRows come from 8-bit codes and
// are off by up to about 0.002.
func NewIndex(exact Exact) *Index {
	x := &Index{exact: exact, syncing: make(chan struct{}, 1)}
	x.reset()
	return x
}

// Contains tells whether a row is indexed.
func (x *Index) Contains(id int64) bool {
	x.mu.RLock()
	defer x.mu.RUnlock()
	_, ok := x.slots[id]
	return ok
}

// Cursor is how far the index has followed its source.
func (x *Index) Cursor() int64 { return x.cursor.Load() }

func (x *Index) reset() {
	x.slots, x.ids = make(map[int64]int32), nil
	x.rows = newVectorCollection()
	x.setDimension(0)
}

func (x *Index) setDimension(dimension int) {
	x.space = newProjection(dimension, sketchDimension)
	x.full, x.sketch = newCodes(dimension), newCodes(x.space.to)
}

// preparedVector is a change encoded outside the lock. Its full code has no words
// when the row is to be removed, or its vector cannot be indexed: what was
// indexed before is no longer what the row holds.
type preparedVector struct {
	id           int64
	unit         []float32
	full, sketch quantizedVector
}

// applyChanges takes in changes in order.
func (x *Index) applyChanges(changes []Change) {
	space := x.chooseProjection(changes)
	batch := quantizeChanges(&space, changes)
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, p := range batch {
		if p.full.words == nil {
			x.remove(p.id)
		} else {
			x.insert(p)
		}
	}
	x.selectSearchMode()
}

// chooseProjection returns the projection of the index. While no dimension is known,
// most of the vectors decide, so that a stray first one cannot shut out the
// rest.
func (x *Index) chooseProjection(changes []Change) projection {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.space.from == 0 {
		votes, dimension := make(map[int]int), 0
		for _, change := range changes {
			if length := Norm(change.Vector); !(length > 0) || math.IsInf(length, 0) {
				continue
			}
			n := len(change.Vector)
			if votes[n]++; votes[n] > votes[dimension] {
				dimension = n
			}
		}
		x.setDimension(dimension)
	}
	return x.space
}

// quantizeChanges encodes changes, many of them on several processors.
func quantizeChanges(space *projection, changes []Change) []preparedVector {
	batch := make([]preparedVector, len(changes))
	runInParallel(len(changes), parallelChanges, func(start, end int) {
		for i := start; i < end; i++ {
			batch[i].id = changes[i].ID
			batch[i].quantize(space, changes[i].Vector)
		}
	})
	return batch
}

// runInParallel runs parts of 0 … n-1, each of at least the given length, on as
// many goroutines as there are processors, the caller's among them.
func runInParallel(n, minimum int, run func(start, end int)) {
	processors := runtime.GOMAXPROCS(0)
	part := max(minimum, (n+processors-1)/processors)
	var wait sync.WaitGroup
	start := 0
	for ; start+part < n; start += part {
		first := start
		wait.Go(func() { run(first, first+part) })
	}
	run(start, n)
	wait.Wait()
}

// quantize encodes a vector that has the length of the others and a direction.
func (p *preparedVector) quantize(space *projection, vector []float32) {
	unit := slices.Clone(vector)
	if len(vector) != space.from || !Normalize(unit) {
		return
	}
	words := (space.from + 7) / 8
	storage := make([]uint64, words+(space.to+7)/8)
	folded := make([]float32, space.to)
	space.project(unit, folded)
	p.unit, p.full, p.sketch = unit, quantizeVector(unit, storage[:words]), quantizeVector(folded, storage[words:])
}

func (x *Index) insert(p preparedVector) {
	slot, known := x.slots[p.id]
	if !known {
		slot = int32(len(x.ids))
		x.slots[p.id], x.ids = slot, append(x.ids, p.id)
		x.full.grow(len(x.ids))
		x.sketch.grow(len(x.ids))
	}
	x.full.put(slot, p.full)
	x.sketch.put(slot, p.sketch)
	if x.rows != nil {
		x.rows.put(p.id, p.unit)
	}
}

// remove moves the last row into the gap.
func (x *Index) remove(id int64) {
	slot, known := x.slots[id]
	if !known {
		return
	}
	last := int32(len(x.ids) - 1)
	moved := x.ids[last]
	x.full.move(last, slot)
	x.sketch.move(last, slot)
	x.slots[moved], x.ids[slot] = slot, moved
	delete(x.slots, id)
	x.ids = x.ids[:last]
	if x.rows != nil {
		x.rows.remove(id)
	}
}

// selectSearchMode decides after a batch who searches: beyond exactRows the scan.
func (x *Index) selectSearchMode() {
	switch {
	case len(x.slots) == 0:
		x.reset() // and the next vector may have another length
	case len(x.slots) > exactRows:
		x.rows = nil
	}
}
