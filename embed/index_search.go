package embed

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

const (
	// Of n rows, finalists + n/finalistShare are scored with all components.
	// The sketches that select them have a noise of about 0.05.
	finalists     = 1280
	finalistShare = 32

	// spare is how many rows beyond k are ranked by their stored vectors,
	// because 8-bit codes may have swapped rows around rank k.
	spare = 16

	// parallelRows is how many rows are worth a second goroutine.
	parallelRows = 1024

	// parallelChanges is how many vectors to encode are worth one.
	parallelChanges = 64
)

// Hit is a row found.
type Hit struct {
	ID int64
	// Similarity is the cosine similarity to the query, in [-1, 1].
	Similarity float64
}

// Search returns the k rows most similar to the vector, the most similar
// first, of equals the greater id (the newer row) first. Fewer rows than k are
// no error. allow, when not nil, says which rows may be found; it is called
// under the index's lock and must not use the index.
//
// With allow every permitted row is scored. Without it chromem-go searches the
// rows themselves, or, when there are many, finds the groups to score.
func (x *Index) Search(ctx context.Context, vector []float32, k int, allow func(id int64) bool) ([]Hit, error) {
	return x.search(ctx, vector, k, func(query *query) ([]candidate, error) {
		if allow == nil {
			return x.nearest(ctx, query)
		}
		allowed := newSlotSet(len(x.ids))
		for slot := range x.used.all() {
			if allow(x.ids[slot]) {
				allowed.add(slot)
			}
		}
		return x.score(query, allowed), nil
	})
}

// SearchAmong is Search restricted to the given ids, as a database selects
// them; unknown ids are ignored. It scores each of them.
func (x *Index) SearchAmong(ctx context.Context, vector []float32, k int, ids []int64) ([]Hit, error) {
	return x.search(ctx, vector, k, func(query *query) ([]candidate, error) {
		allowed := newSlotSet(len(x.ids))
		for _, id := range ids {
			if slot, ok := x.slots[id]; ok {
				allowed.add(slot)
			}
		}
		return x.score(query, allowed), nil
	})
}

// query is what a search looks for.
type query struct {
	unit, projected []float32
	wanted          int // rows to return to the final ranking
}

// candidate is a row with its approximate similarity.
type candidate struct {
	id         int64
	slot       int32
	similarity float32
}

// order sorts the best candidate first: similarity, then the newer row.
func (a candidate) order(b candidate) int {
	if c := cmp.Compare(b.similarity, a.similarity); c != 0 {
		return c
	}
	return cmp.Compare(b.id, a.id)
}

func (x *Index) search(ctx context.Context, vector []float32, k int, find func(*query) ([]candidate, error)) ([]Hit, error) {
	if x.options.Source != nil {
		if err := x.Sync(ctx, x.options.Source); err != nil {
			return nil, err
		}
	}
	unit := slices.Clone(vector)
	if !Normalize(unit) {
		return nil, ErrNoDirection
	}
	found, err := x.candidates(unit, k, find)
	if err != nil || len(found) == 0 {
		return []Hit{}, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return x.finish(ctx, unit, k, found)
}

// candidates runs find under the lock.
func (x *Index) candidates(unit []float32, k int, find func(*query) ([]candidate, error)) ([]candidate, error) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if x.space.from != 0 && len(unit) != x.space.from {
		return nil, &DimensionError{Got: len(unit), Want: x.space.from}
	}
	k = min(k, len(x.slots))
	if k <= 0 {
		return nil, nil
	}
	q := &query{unit: unit, projected: make([]float32, x.space.to), wanted: min(k+k/4+spare, len(x.slots))}
	x.space.apply(unit, q.projected)
	return find(q)
}

// nearest returns candidates from all rows.
func (x *Index) nearest(ctx context.Context, q *query) ([]candidate, error) {
	if x.rows != nil {
		matches, err := x.rows.nearest(ctx, q.unit, q.wanted)
		if err != nil {
			return nil, err
		}
		found := make([]candidate, len(matches))
		for i, m := range matches {
			// chromem-go's own figure may differ in the last bit between
			// platforms.
			found[i] = candidate{x.ids[m.number], m.number, Dot(q.unit, m.vector)}
		}
		return found, nil
	}
	total := x.groups.documents.count
	want := max(q.wanted, leastGroups+int(float64(total)*min(1, x.options.Breadth)))
	if want >= total {
		return x.score(q, x.used), nil
	}
	found := newSlotSet(len(x.ids))
	if err := x.groups.rank(ctx, q.projected, want, found); err != nil {
		return nil, err
	}
	return x.score(q, found), nil
}

// score ranks rows by their sketches, and the best of them by all components.
func (x *Index) score(q *query, rows slotSet) []candidate {
	slots := rows.list()
	last := max(finalists+len(x.slots)/finalistShare, 4*q.wanted)
	if len(slots) > last {
		sketched := codeQuery(q.projected, 1)
		best := newSlotSet(len(x.ids))
		for _, c := range nearestOf(x.scoreWith(&x.sketch, &sketched, slots), last) {
			best.add(c.slot)
		}
		slots = best.list()
	}
	full := codeQuery(q.unit, 2)
	return x.scoreWith(&x.full, &full, slots)
}

// scoreWith scores rows on as many processors as are worth it.
func (x *Index) scoreWith(c *codes, q *codedQuery, slots []int32) []candidate {
	scored := make([]candidate, len(slots))
	inParallel(len(slots), parallelRows, func(start, end int) {
		for i := start; i < end; i++ {
			scored[i] = candidate{x.ids[slots[i]], slots[i], c.score(q, slots[i])}
		}
	})
	return scored
}

// nearestOf returns the n best candidates, in no particular order. It counts
// similarities in steps of 0.001, which is faster than comparing them with each
// other, and sorts only those that share the step of the last one taken.
func nearestOf(scored []candidate, n int) []candidate {
	var counts [4096]int32
	for i := range scored {
		counts[rankStep(scored[i].similarity)]++
	}
	limit, above := len(counts)-1, 0
	for above+int(counts[limit]) < n {
		above += int(counts[limit])
		limit--
	}
	taken := make([]candidate, 0, n)
	var boundary []candidate
	for _, c := range scored {
		switch step := rankStep(c.similarity); {
		case step > limit:
			taken = append(taken, c)
		case step == limit:
			boundary = append(boundary, c)
		}
	}
	slices.SortFunc(boundary, candidate.order)
	return append(taken, boundary[:n-above]...)
}

// rankStep is the step of a similarity; those of sketches may exceed 1 a bit.
func rankStep(similarity float32) int {
	return max(0, min(4095, int((similarity+2)*1024)))
}

// finish ranks the best candidates by their stored vectors, if there is a way
// to get them, and returns the first k.
func (x *Index) finish(ctx context.Context, unit []float32, k int, found []candidate) ([]Hit, error) {
	found = nearestOf(found, min(len(found), k+k/4+spare))
	slices.SortFunc(found, candidate.order)
	hits := make([]Hit, 0, len(found))
	if x.options.Exact == nil {
		for _, c := range found[:min(len(found), k)] {
			hits = append(hits, Hit{c.id, max(-1, min(1, float64(c.similarity)))})
		}
		return hits, nil
	}
	ids := make([]int64, len(found))
	for i, c := range found {
		ids[i] = c.id
	}
	vectors, err := x.options.Exact(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("read the stored vectors of %d candidates: %w", len(ids), err)
	}
	for _, id := range ids {
		// A row that is gone, or whose vector changed its space meanwhile, is
		// no longer a hit.
		if vector := vectors[id]; len(vector) == len(unit) {
			hits = append(hits, Hit{id, Cosine(unit, vector)})
		}
	}
	slices.SortFunc(hits, func(a, b Hit) int {
		if c := cmp.Compare(b.Similarity, a.Similarity); c != 0 {
			return c
		}
		return cmp.Compare(b.ID, a.ID)
	})
	return hits[:min(len(hits), k)], nil
}
