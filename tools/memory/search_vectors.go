package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"toolkit/embed"
	"toolkit/store/memories"
	"toolkit/tools"
)

// mostFiltered bounds the rows that a filter hands to the vectors.
const mostFiltered = 200_000

// collection is what one index in memory holds: the rows of a source that are
// retired, or those that are not.
type collection struct {
	source  memories.Source
	retired bool
}

// collectionsOf are what a search of a source looks through.
func collectionsOf(source memories.Source, retired bool) []collection {
	if retired && source == memories.SourceInsight {
		return []collection{{source, false}, {source, true}}
	}
	return []collection{{source, false}}
}

func (s *Search) index(c collection) *embed.Index {
	s.mu.Lock()
	defer s.mu.Unlock()
	index := s.indexes[c]
	if index == nil {
		index = embed.NewIndex(nil)
		s.indexes[c] = index
	}
	return index
}

// sync lets the index of a collection take in what has changed up to the
// transaction. It may know later changes already: what the transaction does not
// see is no hit.
func (s *Search) sync(ctx context.Context, tx memories.Rows, c collection) (*embed.Index, error) {
	index := s.index(c)
	return index, index.Sync(ctx, changeFeed{tx, s.embedder.Model(), c})
}

// changeFeed is the store as the source of an index.
type changeFeed struct {
	tx    memories.Rows
	model string
	collection
}

func (f changeFeed) Changes(_ context.Context, after int64, limit int) ([]embed.Change, error) {
	rows, err := f.tx.VectorChanges(f.model, f.source, f.retired, after, limit)
	changes := make([]embed.Change, len(rows))
	for i, row := range rows {
		changes[i] = embed.Change{Seq: row.Seq, ID: row.MemoryID}
		// A vector that cannot be read is no vector; Check reports it.
		changes[i].Vector, _ = embed.Unpack(row.Vector)
	}
	return changes, err
}

// nearest returns the k rows of a source most similar to the query's vector, of
// those that the filter permits, or only of those that are given.
func (s *Search) nearest(ctx context.Context, tx memories.Rows, l *look, source memories.Source, k int, only []int64) ([]embed.Hit, error) {
	if err := s.embedded(tx, l); err != nil {
		return nil, err
	}
	if only == nil && l.Filter.Restricts(source) {
		permitted, err := tx.Filter(source, l.Filter, mostFiltered)
		if err != nil {
			return nil, err
		}
		only = tools.OrEmpty(permitted)
	}
	return s.among(ctx, tx, l, source, k, only)
}

// among searches all rows when only is nil. The first search reads all vectors,
// later ones what has changed, by whichever process. An embedding of another
// length than the stored ones is left out of the search.
func (s *Search) among(ctx context.Context, tx memories.Rows, l *look, source memories.Source, k int, only []int64) ([]embed.Hit, error) {
	var all []embed.Hit
	for _, c := range collectionsOf(source, l.Filter.IncludeRetired) {
		index, err := s.sync(ctx, tx, c)
		if err != nil {
			return nil, err
		}
		hits, err := index.Search(ctx, l.vector, k, only)
		var dimension *embed.DimensionError
		if errors.As(err, &dimension) {
			l.say(fmt.Sprintf("words alone were ranked: the query's embedding has %d numbers, the stored ones of %s have %d", dimension.Got, s.embedder.Model(), dimension.Want))
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		all = append(all, hits...)
	}
	slices.SortFunc(all, func(a, b embed.Hit) int {
		return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(b.ID, a.ID))
	})
	return all[:min(len(all), k)], nil
}

// similarity is the cosine of the query's vector and a stored one; nil when there
// is none to compare.
func similarity(query []float32, stored []byte) *float64 {
	vector, err := embed.Unpack(stored)
	if err != nil || vector == nil || len(vector) != len(query) {
		return nil
	}
	cosine := embed.Cosine(query, vector)
	return &cosine
}
