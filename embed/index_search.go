package embed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
)

const (
	// exactRows is how many rows chromem-go searches with their full vectors.
	// Each costs it about 1.2 µs at 1536 dimensions, so beyond this the scan of
	// codes is faster.
	exactRows = 2048

	// Of n rows, finalists + n/finalistShare are scored with all components.
	// The sketches that select them have a noise of about 0.05; scoring every
	// row in full would take four times as long at 1536 dimensions.
	baseFinalists   = 1280
	finalistShare   = 32
	sketchDimension = 384

	// spareCandidates is how many rows beyond k are ranked by their stored vectors,
	// because 8-bit codes may have swapped rows around rank k.
	spareCandidates = 16

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

// candidate is a row with its approximate similarity.
type candidate struct {
	id         int64
	slot       int32
	similarity float32
}

// order sorts the best candidate first: similarity, then the newer row.
func (a candidate) order(b candidate) int {
	return cmp.Or(cmp.Compare(b.similarity, a.similarity), cmp.Compare(b.id, a.id))
}

// Search returns the k rows most similar to the vector, the most similar
// first, of equals the greater id (the newer row) first. Fewer rows than k are
// no error. It looks among the given ids, as a database selects them, unknown ones
// ignored; nil are all rows.
//
// chromem-go searches a small index as a whole; everything else is a scan of
// codes.
func (x *Index) Search(ctx context.Context, vector []float32, k int, among []int64) ([]Hit, error) {
	unit := slices.Clone(vector)
	if !Normalize(unit) {
		return nil, ErrNoDirection
	}
	found, err := x.findCandidates(ctx, unit, k, among)
	if err != nil || len(found) == 0 {
		return []Hit{}, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return x.rankByStoredVectors(ctx, unit, k, found)
}

// Nearest returns the likeness of the k rows most similar to a vector, by their ids.
// known is false where the vector has another length than those indexed: its model
// has changed under one name.
func (x *Index) Nearest(ctx context.Context, vector []float32, k int) (similarities map[int64]float64, known bool, err error) {
	hits, err := x.Search(ctx, vector, k, nil)
	if _, other := errors.AsType[*DimensionError](err); other {
		return nil, false, nil
	}
	similarities = make(map[int64]float64, len(hits))
	for _, h := range hits {
		similarities[h.ID] = h.Similarity
	}
	return similarities, true, err
}

// findCandidates returns more than k of the nearest rows, or all.
func (x *Index) findCandidates(ctx context.Context, unit []float32, k int, among []int64) ([]candidate, error) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if x.space.from != 0 && len(unit) != x.space.from {
		return nil, &DimensionError{Got: len(unit), Want: x.space.from}
	}
	k = min(k, len(x.slots))
	if k <= 0 {
		return nil, nil
	}
	wanted := min(k+k/4+spareCandidates, len(x.slots))
	if among == nil && x.rows != nil {
		return x.findNearestExactly(ctx, unit, wanted)
	}
	return x.scanSketches(unit, wanted, x.slotsOf(among)), nil
}

// slotsOf gives the slots of rows in order, each once; of all rows for nil.
func (x *Index) slotsOf(among []int64) []int32 {
	if among == nil {
		slots := make([]int32, len(x.ids))
		for i := range slots {
			slots[i] = int32(i)
		}
		return slots
	}
	slots := make([]int32, 0, len(among))
	for _, id := range among {
		if slot, ok := x.slots[id]; ok {
			slots = append(slots, slot)
		}
	}
	slices.Sort(slots)
	return slices.Compact(slots)
}

// findNearestExactly asks chromem-go.
func (x *Index) findNearestExactly(ctx context.Context, unit []float32, wanted int) ([]candidate, error) {
	matches, err := x.rows.nearest(ctx, unit, wanted)
	// chromem-go's own figure may differ in the last bit between platforms.
	candidates := make([]candidate, len(matches))
	for i, m := range matches {
		candidates[i] = candidate{m.id, x.slots[m.id], Dot(unit, m.vector)}
	}
	return candidates, err
}

// scanSketches ranks rows by their sketches, and the best of them by all components.
func (x *Index) scanSketches(unit []float32, wanted int, slots []int32) []candidate {
	if last := max(baseFinalists+len(x.slots)/finalistShare, 4*wanted); len(slots) > last {
		folded := make([]float32, x.space.to)
		x.space.project(unit, folded)
		coarse := quantizeQuery(folded, 1)
		best := selectNearest(x.scoreSlots(&x.sketch, &coarse, slots), last)
		slots = slots[:len(best)]
		for i, c := range best {
			slots[i] = c.slot
		}
		slices.Sort(slots) // as the codes lie in memory: twice as fast as any other order
	}
	fine := quantizeQuery(unit, 2)
	return x.scoreSlots(&x.full, &fine, slots)
}

// scoreSlots scores rows on as many processors as are worth it.
func (x *Index) scoreSlots(c *quantizedVectors, q *quantizedQuery, slots []int32) []candidate {
	scored := make([]candidate, len(slots))
	runInParallel(len(slots), parallelRows, func(start, end int) {
		for i := start; i < end; i++ {
			scored[i] = candidate{x.ids[slots[i]], slots[i], c.approximateDot(q, slots[i])}
		}
	})
	return scored
}

// selectNearest returns the n best candidates, in no particular order. It counts
// similarities in steps of 0.001, which is faster than comparing them with each
// other, and sorts only those that share the step of the last one taken.
func selectNearest(scored []candidate, n int) []candidate {
	var counts [4096]int32
	for i := range scored {
		counts[similarityStep(scored[i].similarity)]++
	}
	limit, above := len(counts)-1, 0
	for above+int(counts[limit]) < n {
		above += int(counts[limit])
		limit--
	}
	taken := make([]candidate, 0, n)
	var boundary []candidate
	for _, c := range scored {
		switch step := similarityStep(c.similarity); {
		case step > limit:
			taken = append(taken, c)
		case step == limit:
			boundary = append(boundary, c)
		}
	}
	slices.SortFunc(boundary, candidate.order)
	return append(taken, boundary[:n-above]...)
}

// similarityStep returns the step of a similarity; coarse ones may exceed 1 a bit.
func similarityStep(similarity float32) int {
	return max(0, min(4095, int((similarity+2)*1024)))
}

// rankByStoredVectors ranks the best candidates by their stored vectors, if there is a way
// to get them, and returns the first k.
func (x *Index) rankByStoredVectors(ctx context.Context, unit []float32, k int, found []candidate) ([]Hit, error) {
	found = selectNearest(found, min(len(found), k+k/4+spareCandidates))
	slices.SortFunc(found, candidate.order)
	if x.exact == nil {
		shown := found[:min(len(found), k)]
		allHits := make([]Hit, len(shown))
		for i, c := range shown {
			allHits[i] = Hit{c.id, max(-1, min(1, float64(c.similarity)))}
		}
		return allHits, nil
	}
	ids := make([]int64, len(found))
	for i, c := range found {
		ids[i] = c.id
	}
	vectors, err := x.exact(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("read the stored vectors of %d candidates: %w", len(ids), err)
	}
	hits := make([]Hit, 0, len(found))
	for _, id := range ids {
		// A row that is gone, or whose vector changed its space meanwhile, is
		// no longer a hit.
		if vector := vectors[id]; len(vector) == len(unit) {
			hits = append(hits, Hit{id, Cosine(unit, vector)})
		}
	}
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(b.ID, a.ID))
	})
	return hits[:min(len(hits), k)], nil
}
