package embed

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
)

// ErrNoDirection refuses a vector that is zero or holds NaN or Inf: its
// similarity to anything is undefined.
var ErrNoDirection = errors.New("the vector has no direction: it is zero, or holds NaN or Inf")

// DimensionError refuses a vector of another length than the index holds.
type DimensionError struct{ Got, Want int }

func (e *DimensionError) Error() string {
	return fmt.Sprintf("invalid embedding dimension: %d, expected %d", e.Got, e.Want)
}

// Options say how an index works. The zero value is the default.
type Options struct {
	// Dimension is the length of every vector; 0 takes that of the first one.
	Dimension int
	// Source, when set, is followed: every search first takes in what has
	// changed since the last one, the first search everything.
	Source Source
	// Exact returns the stored vectors of rows, for the final ranking. Ids that
	// are missing from its answer are dropped from the hits. Without it
	// similarities come from 8-bit codes and are off by up to about 0.002.
	Exact func(ctx context.Context, ids []int64) (map[int64][]float32, error)
}

// Index finds the rows whose vectors are closest to a query's, for one
// collection and one vector space. It is safe for concurrent use.
type Index struct {
	collection, model string
	options           Options

	mu     sync.RWMutex
	space  projection
	full   codes // the vectors
	sketch codes // their projections
	slots  map[int64]int32
	ids    []int64    // by slot; rows lie without gaps
	rows   *documents // one document a row; nil once there are too many

	syncing chan struct{} // holds one token: the right to advance the cursor
	state   syncState
}

// NewIndex returns an empty index of a collection ("l2", "episodes") in the
// vector space that Embedder.Model names.
func NewIndex(collection, model string, options Options) *Index {
	x := &Index{collection: collection, model: model, options: options, syncing: make(chan struct{}, 1)}
	x.reset()
	return x
}

// Collection is the name given to NewIndex.
func (x *Index) Collection() string { return x.collection }

// Model is the vector space given to NewIndex.
func (x *Index) Model() string { return x.model }

// Len is the number of rows.
func (x *Index) Len() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return len(x.slots)
}

// Dimension is the length of the vectors, 0 while the index is empty and none
// was given.
func (x *Index) Dimension() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.space.from
}

// Contains tells whether a row is indexed.
func (x *Index) Contains(id int64) bool {
	x.mu.RLock()
	defer x.mu.RUnlock()
	_, ok := x.slots[id]
	return ok
}

// Upsert adds a row or replaces its vector, which need not have length 1. It
// returns a *DimensionError or ErrNoDirection and leaves the index unchanged
// when the vector cannot be indexed.
func (x *Index) Upsert(id int64, vector []float32) error {
	if vector == nil {
		return ErrNoDirection
	}
	refused := x.apply([]Change{{ID: id, Vector: vector}}, false)
	return refused[0]
}

// Delete removes a row; an unknown id is no error.
func (x *Index) Delete(id int64) {
	x.apply([]Change{{ID: id}}, true)
}

// Reset empties the index; the next search or Sync starts from the beginning.
func (x *Index) Reset() {
	x.syncing <- struct{}{}
	defer func() { <-x.syncing }()
	x.mu.Lock()
	defer x.mu.Unlock()
	x.state = syncState{}
	x.reset()
}

func (x *Index) reset() {
	x.slots, x.ids = make(map[int64]int32), nil
	x.rows = newDocuments()
	x.setDimension(x.options.Dimension)
}

func (x *Index) setDimension(dimension int) {
	x.space = newProjection(dimension, sketchDimension)
	x.full, x.sketch = newCodes(dimension), newCodes(x.space.to)
}

// prepared is a change encoded outside the lock. Its full code has no words
// when the row is to be removed.
type prepared struct {
	id           int64
	unit         []float32
	full, sketch code
}

// apply takes in changes in order and returns one error, or nil, for each. A
// refused vector removes its row when removeRefused is set: what was indexed
// before is no longer what the row holds.
func (x *Index) apply(changes []Change, removeRefused bool) []error {
	space := x.spaceFor(changes)
	batch, refused := prepare(&space, changes)
	x.mu.Lock()
	defer x.mu.Unlock()
	// Other goroutines may have emptied the index meanwhile, which forgets the
	// dimension, and even filled it with vectors of another length.
	if len(x.slots) == 0 && space.from != 0 && x.space.from != space.from {
		x.setDimension(space.from)
	}
	for i, p := range batch {
		switch {
		case refused[i] != nil && !removeRefused:
		case p.full.words == nil:
			x.remove(p.id)
		case x.space.from != space.from:
			refused[i] = &DimensionError{Got: space.from, Want: x.space.from}
		default:
			x.insert(p)
		}
	}
	x.settle()
	return refused
}

// spaceFor returns the projection of the index. While no dimension is known,
// most of the vectors decide, so that a stray first one cannot shut out the
// rest.
func (x *Index) spaceFor(changes []Change) projection {
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

// prepare encodes changes, many of them on several processors.
func prepare(space *projection, changes []Change) ([]prepared, []error) {
	batch, refused := make([]prepared, len(changes)), make([]error, len(changes))
	inParallel(len(changes), parallelChanges, func(start, end int) {
		for i := start; i < end; i++ {
			batch[i].id = changes[i].ID
			if vector := changes[i].Vector; vector != nil {
				refused[i] = batch[i].encode(space, vector)
			}
		}
	})
	return batch, refused
}

// inParallel runs parts of 0 … n-1, each of at least the given length, on as
// many goroutines as there are processors, the caller's among them.
func inParallel(n, least int, run func(start, end int)) {
	processors := runtime.GOMAXPROCS(0)
	part := max(least, (n+processors-1)/processors)
	var wait sync.WaitGroup
	start := 0
	for ; start+part < n; start += part {
		first := start
		wait.Go(func() { run(first, first+part) })
	}
	run(start, n)
	wait.Wait()
}

// encode checks and encodes a vector.
func (p *prepared) encode(space *projection, vector []float32) error {
	if space.from != 0 && len(vector) != space.from {
		return &DimensionError{Got: len(vector), Want: space.from}
	}
	unit := slices.Clone(vector)
	if !Normalize(unit) {
		return ErrNoDirection
	}
	words := (space.from + 7) / 8
	storage := make([]uint64, words+(space.to+7)/8)
	folded := make([]float32, space.to)
	space.apply(unit, folded)
	p.unit, p.full, p.sketch = unit, encode(unit, storage[:words]), encode(folded, storage[words:])
	return nil
}

func (x *Index) insert(p prepared) {
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

// settle decides after a batch who searches: beyond exactRows the scan.
func (x *Index) settle() {
	switch {
	case len(x.slots) == 0:
		x.reset() // and the next vector may have another length
	case len(x.slots) > exactRows:
		x.rows = nil
	}
}
