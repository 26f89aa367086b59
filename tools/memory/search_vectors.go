package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"toolkit/embed"
	"toolkit/internal/search"
	"toolkit/store"
	"toolkit/store/memory"
	"toolkit/tools"
)

// maxFilteredRows bounds the rows that a filter hands to the vectors.
const maxFilteredRows = 200_000

// collection is what one index in memory holds: the rows of a source that are
// retired, or those that are not.
type collection struct {
	source  memory.Source
	retired bool
}

// collectionsOf are what a search of a source looks through.
func collectionsOf(source memory.Source, retired bool) []collection {
	if retired && source == memory.SourceInsight {
		return []collection{{source, false}, {source, true}}
	}
	return []collection{{source, false}}
}

// collectionRows are the indexed rows, of which a collection is followed.
type collectionRows struct {
	memory.Rows
	collection
}

// ListVectorChanges returns what changed in the collection; see [memory.Rows.VectorChanges].
func (r collectionRows) ListVectorChanges(model string, after int64, limit int) ([]store.Vector, error) {
	return r.VectorChanges(model, r.source, r.retired, after, limit)
}

// vectorTableOf are the indexed rows as a keeper of their vectors takes them, of which a
// collection is followed.
func vectorTableOf(db *store.DB, c collection) search.VectorTable {
	return search.VectorTable{Store: db, Rows: func(tx *store.Tx) search.VectorRows { return collectionRows{memory.In(tx), c} }}
}

// syncIndex lets the index of a collection take in what has changed up to the
// transaction, by whichever process; nil when that is too much to wait for. The
// index may know later changes already: what the transaction does not see is no
// hit.
func (s *Search) syncIndex(ctx context.Context, tx memory.Rows, c collection) (*embed.Index, error) {
	return s.UpdateIndex(ctx, c, search.NewRowFeed(collectionRows{tx, c}, s.Model()), s.vectorFeed(c))
}

func (s *Search) vectorFeed(c collection) embed.Source {
	return vectorTableOf(s.store, c).Feed(s.Model())
}

// LoadVectorsInBackground begins to read the vectors of a model in the background, so that no
// search has to. Until they are there searches go by words, and say so.
func (s *Search) LoadVectorsInBackground() {
	for _, source := range memory.Sources {
		c := collection{source, false}
		s.ReadInBackground(c, s.vectorFeed(c))
	}
}

// findNearestRows returns the k rows of a source most similar to the query's vector, of
// those that the filter permits. found are rows that words found; with all they
// are the only ones permitted.
func (s *Search) findNearestRows(ctx context.Context, tx memory.Rows, l *searchState, source memory.Source, k int, found []int64, all bool) ([]embed.Hit, error) {
	var only []int64
	if all {
		only = tools.OrEmpty(found)
	} else if l.Filter.Restricts(source) {
		permitted, err := tx.Filter(source, l.Filter, maxFilteredRows)
		if err != nil {
			return nil, err
		}
		only = tools.OrEmpty(permitted)
	}
	return s.searchVectorsAmong(ctx, tx, l, source, k, only)
}

// searchVectorsAmong searches all rows when only is nil. An embedding of another length than
// the stored ones is left out of the search.
func (s *Search) searchVectorsAmong(ctx context.Context, tx memory.Rows, l *searchState, source memory.Source, k int, only []int64) ([]embed.Hit, error) {
	var all []embed.Hit
	for _, c := range collectionsOf(source, l.Filter.IncludeRetired) {
		index, known := l.indexes[c]
		if !known {
			var err error
			if index, err = s.syncIndex(ctx, tx, c); err != nil {
				return nil, err
			}
			l.indexes[c] = index
		}
		if index == nil {
			l.addNote("words alone were ranked: the vectors of " + s.embedder.Model() + " are still being read from the database")
			return nil, nil
		}
		hits, err := index.Search(ctx, l.vector, k, only)
		if dimension, ok := errors.AsType[*embed.DimensionError](err); ok {
			l.addNote(describeLengthMismatch(dimension, s.embedder))
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		all = append(all, hits...)
	}
	return selectBestHits(all, k), nil
}

func describeLengthMismatch(e *embed.DimensionError, of embed.Embedder) string {
	return fmt.Sprintf("words alone were ranked: the query's embedding has %d numbers, the stored ones of %s have %d", e.Got, of.Model(), e.Want)
}

func selectBestHits(hits []embed.Hit, k int) []embed.Hit {
	slices.SortFunc(hits, func(a, b embed.Hit) int {
		return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(b.ID, a.ID))
	})
	return hits[:min(len(hits), k)]
}

// computeSimilarities returns the cosines of the query's vector and those of rows, as far as
// the two can be compared.
func (s *Search) computeSimilarities(ctx context.Context, tx memory.Rows, l *searchState, ids []int64) (map[int64]float64, error) {
	if l.vector == nil {
		return nil, nil
	}
	stored, err := tx.Vectors(s.embedder.Model(), ids)
	cosines := make(map[int64]float64, len(ids))
	for id, data := range stored {
		if vector, err := embed.Unpack(data); err == nil && vector != nil && len(vector) == len(l.vector) {
			cosines[id] = embed.Cosine(l.vector, vector)
		}
	}
	return cosines, err
}
