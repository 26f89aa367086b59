package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"toolkit/embed"
	"toolkit/store"
)

// mostFiltered bounds the rows that a filter hands to the vectors.
const mostFiltered = 200_000

// collection is what one index in memory holds: the rows of a source that are
// retired, or those that are not.
type collection struct {
	source  store.MemorySource
	retired bool
}

// indexesFor returns the indexes of a source. They follow the store: the first
// search reads all vectors, later ones what has changed, by whichever process.
func (s *Search) indexesFor(source store.MemorySource, retired bool) []*embed.Index {
	indexes := []*embed.Index{s.index(collection{source, false})}
	if retired && source == store.SourceInsight {
		indexes = append(indexes, s.index(collection{source, true}))
	}
	return indexes
}

func (s *Search) index(c collection) *embed.Index {
	s.mu.Lock()
	defer s.mu.Unlock()
	index := s.indexes[c]
	if index == nil {
		feed := changeFeed{store: s.store, model: s.embedder.Model(), collection: c}
		index = embed.NewIndex(string(c.source), feed.model, embed.Options{Source: feed})
		s.indexes[c] = index
	}
	return index
}

// changeFeed is the store as the source of an index.
type changeFeed struct {
	store *store.DB
	model string
	collection
}

func (f changeFeed) Changes(ctx context.Context, after int64, limit int) ([]embed.Change, error) {
	rows, err := store.ReadValue(ctx, f.store, func(tx *store.Tx) ([]store.MemoryVector, error) {
		return tx.MemoryVectorChanges(f.model, f.source, f.retired, after, limit)
	})
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
func (s *Search) nearest(ctx context.Context, l *look, source store.MemorySource, k int, only []int64) ([]embed.Hit, error) {
	if err := s.catchUp(ctx, l); err != nil {
		return nil, err
	}
	if only == nil && l.filter.Restricts(source) {
		var err error
		only, err = store.ReadValue(ctx, s.store, func(tx *store.Tx) ([]int64, error) {
			return tx.FilterMemory(source, l.filter, mostFiltered)
		})
		if err != nil {
			return nil, err
		}
		if only == nil {
			only = []int64{}
		}
	}
	return s.among(ctx, l, source, k, only)
}

// among searches all rows when only is nil. An embedding of another length than
// the stored ones is left out of the search.
func (s *Search) among(ctx context.Context, l *look, source store.MemorySource, k int, only []int64) ([]embed.Hit, error) {
	var all []embed.Hit
	for _, index := range s.indexesFor(source, l.filter.IncludeRetired) {
		var hits []embed.Hit
		var err error
		if only != nil {
			hits, err = index.SearchAmong(ctx, l.vector, k, only)
		} else {
			hits, err = index.Search(ctx, l.vector, k, nil)
		}
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
