package memory

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
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
	rows, err := read(ctx, f.store, func(tx *store.Tx) ([]store.MemoryVector, error) {
		return tx.MemoryVectorChanges(f.model, f.source, f.retired, after, limit)
	})
	changes := make([]embed.Change, len(rows))
	for i, row := range rows {
		changes[i] = embed.Change{Seq: row.Seq, ID: row.MemoryID}
		// A vector that cannot be read is no vector; Check reports it.
		changes[i].Vector, _ = unpackVector(row.Vector)
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
		only, err = read(ctx, s.store, func(tx *store.Tx) ([]int64, error) {
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
			l.note = fmt.Sprintf("words alone were ranked: the query's embedding has %d numbers, the stored ones of %s have %d", dimension.Got, s.embedder.Model(), dimension.Want)
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
	vector, err := unpackVector(stored)
	if err != nil || vector == nil || len(vector) != len(query) {
		return nil
	}
	cosine := embed.Cosine(query, vector)
	return &cosine
}

// The first byte of a stored vector says how it is written.
const (
	dense  = 1 // all components in half precision
	sparse = 2 // dimension, then place and value of each component that is not 0
)

// packVector writes a vector for the store. Hashed vectors are nearly empty, so
// they take a tenth of the room when their zeros are left out.
func packVector(v []float32) ([]byte, error) {
	if v == nil {
		return nil, nil
	}
	filled := 0
	for _, x := range v {
		if x != 0 {
			filled++
		}
	}
	if 3*filled >= len(v) || len(v) > math.MaxUint16 {
		half, err := embed.EncodeFloat16(v)
		return append([]byte{dense}, half...), err
	}
	data := make([]byte, 0, 3+6*filled)
	data = binary.LittleEndian.AppendUint16(append(data, sparse), uint16(len(v)))
	for i, x := range v {
		if x != 0 {
			data = binary.LittleEndian.AppendUint16(data, uint16(i))
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
		}
	}
	return data, nil
}

var errVector = errors.New("the stored vector is damaged")

// unpackVector reads what packVector wrote; nil for nil.
func unpackVector(data []byte) ([]float32, error) {
	switch {
	case len(data) == 0:
		return nil, nil
	case data[0] == dense:
		return embed.DecodeFloat16(data[1:])
	case data[0] != sparse || len(data) < 3 || (len(data)-3)%6 != 0:
		return nil, errVector
	}
	v := make([]float32, binary.LittleEndian.Uint16(data[1:]))
	for rest := data[3:]; len(rest) > 0; rest = rest[6:] {
		i, x := int(binary.LittleEndian.Uint16(rest)), math.Float32frombits(binary.LittleEndian.Uint32(rest[2:]))
		if i >= len(v) || x-x != 0 {
			return nil, errVector
		}
		v[i] = x
	}
	return v, nil
}
