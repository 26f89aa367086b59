package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"toolkit/embed"
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

// sync lets the index of a collection take in what has changed up to the
// transaction, by whichever process; nil when that is too much to wait for. The
// index may know later changes already: what the transaction does not see is no
// hit.
func (s *Search) sync(ctx context.Context, tx memory.Rows, c collection) (*embed.Index, error) {
	return s.Follow(ctx, c, changeFeed{tx, s.Model(), c}, s.storeFeed(c))
}

// LoadVectorsInBackground begins to read the vectors of a model in the background, so that no
// search has to. Until they are there searches go by words, and say so.
func (s *Search) LoadVectorsInBackground() {
	for _, source := range memory.Sources {
		c := collection{source, false}
		s.ReadInBackground(c, s.storeFeed(c))
	}
}

func (s *Search) storeFeed(c collection) storeFeed {
	return storeFeed{s.store, changeFeed{model: s.Model(), collection: c}}
}

// storeFeed is a feed that is read in many short transactions.
type storeFeed struct {
	store *store.DB
	feed  changeFeed
}

func (r storeFeed) Changes(ctx context.Context, after int64, limit int) (changes []embed.Change, err error) {
	err = r.store.Read(ctx, func(tx *store.Tx) error {
		r.feed.tx = memory.In(tx)
		changes, err = r.feed.Changes(ctx, after, limit)
		return err
	})
	return changes, err
}

// changeFeed is the store as the source of an index.
type changeFeed struct {
	tx    memory.Rows
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

func (f changeFeed) CountChanges(_ context.Context, after int64, limit int) (int, error) {
	return f.tx.CountVectorChanges(f.model, f.source, after, limit)
}

// nearest returns the k rows of a source most similar to the query's vector, of
// those that the filter permits. found are rows that words found; with all they
// are the only ones permitted.
func (s *Search) nearest(ctx context.Context, tx memory.Rows, l *searchState, source memory.Source, k int, found []int64, all bool) ([]embed.Hit, error) {
	if err := s.requireVectors(tx, l); err != nil {
		return nil, err
	}
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
	return s.searchAmong(ctx, tx, l, source, k, only)
}

// searchAmong searches all rows when only is nil. An embedding of another length than
// the stored ones is left out of the search.
func (s *Search) searchAmong(ctx context.Context, tx memory.Rows, l *searchState, source memory.Source, k int, only []int64) ([]embed.Hit, error) {
	var all []embed.Hit
	for _, c := range collectionsOf(source, l.Filter.IncludeRetired) {
		index, known := l.indexes[c]
		if !known {
			var err error
			if index, err = s.sync(ctx, tx, c); err != nil {
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
			l.addNote(otherLength(dimension, s.embedder))
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		all = append(all, hits...)
	}
	return best(all, k), nil
}

func otherLength(e *embed.DimensionError, of embed.Embedder) string {
	return fmt.Sprintf("words alone were ranked: the query's embedding has %d numbers, the stored ones of %s have %d", e.Got, of.Model(), e.Want)
}

func best(hits []embed.Hit, k int) []embed.Hit {
	slices.SortFunc(hits, func(a, b embed.Hit) int {
		return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(b.ID, a.ID))
	})
	return hits[:min(len(hits), k)]
}

// similarities are the cosines of the query's vector and those of rows, as far as
// the two can be compared.
func (s *Search) similarities(ctx context.Context, tx memory.Rows, l *searchState, ids []int64) (map[int64]float64, error) {
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
