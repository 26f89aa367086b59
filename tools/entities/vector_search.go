package entities

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"toolkit/embed"
	"toolkit/internal/search"
	"toolkit/store"
)

const (
	// queryTimeout is how long a search waits for a remote model; without it
	// words alone are compared.
	queryTimeout = 10 * time.Second
	// firstDepth is how many records a search by vectors looks at first. While
	// all of them are similar enough it looks at deepening times as many.
	firstDepth = 64
	deepening  = 8
	// depthMargin is how far the order of the index may be off the exact one.
	depthMargin = 0.01
	// maxEmbeddingLength bounds an embedding that a caller supplies. Any length up to it
	// will do; embeddings are compared with those of the same length.
	maxEmbeddingLength = 4096
	// defaultThreshold is the source document's.
	defaultThreshold = 0.7
	// suppliedModel names embeddings that callers supply.
	suppliedModel = "supplied"
)

// errOff says that the user chose words alone.
var errOff = errors.New("embedding is off (TOOLKIT_EMBEDDER)")

// VectorSearch is Vectors over an embedder and the vectors in the store. The
// index in memory is filled at the first search and follows the store from then
// on. It is safe for concurrent use. Close it before the store.
type VectorSearch struct {
	*embed.TableIndex
	store    *store.DB
	embedder embed.Embedder
	table    *recordTable
}

var _ Vectors = (*VectorSearch)(nil)

// NewVectorSearch returns the search of a store, whose vectors come from the
// embedder and, in spaces of their own, from callers. Nothing is read before the
// first search.
func NewVectorSearch(db *store.DB, embedder embed.Embedder) *VectorSearch {
	s := &VectorSearch{store: db, embedder: embedder, table: newRecordTable(db)}
	s.TableIndex = embed.NewTableIndex(embedder, s.table, func() time.Time { return db.Now() })
	s.Exact = func(space any) embed.Exact {
		return func(ctx context.Context, list []int64) (map[int64][]float32, error) {
			return exactVectors(ctx, db, space.(string), list)
		}
	}
	if db != nil {
		db.OnCommit(func([]store.Topic) { s.Committed() })
	}
	return s
}

// Similar compares stored vectors with those of the terms, or with an embedding.
func (s *VectorSearch) Similar(ctx context.Context, q VectorQuery) (Similar, error) {
	if len(q.Embedding) > 0 {
		return s.similarTo(ctx, q)
	}
	if s.IsOff() {
		return Similar{Failure: errOff}, nil
	}
	found := Similar{Model: s.Model()}
	vectors, err := s.vectorsOf(ctx, q.Terms)
	if err != nil {
		if ctx.Err() != nil {
			return found, ctx.Err()
		}
		return Similar{Failure: fmt.Errorf("the embedding model failed: %w", err)}, nil
	}
	if err := s.catchUp(ctx, &found); err != nil {
		return found, err
	}
	err = s.compare(ctx, &found, q, []string{found.Model}, vectors)
	return found, err
}

// similarTo compares with the embeddings that came with records and, as far as
// the caller may have used the same model, with those of the model.
func (s *VectorSearch) similarTo(ctx context.Context, q VectorQuery) (Similar, error) {
	found := Similar{Model: suppliedModel}
	vector, ok := normalizeVector(q.Embedding)
	if !ok {
		return found, nil
	}
	spaces := []string{suppliedSpace(len(vector))}
	if s.embedder.Dimension() == len(vector) {
		if err := s.catchUp(ctx, &found); err != nil {
			return found, err
		}
		spaces, found.Model = append(spaces, s.Model()), s.Model()
	}
	err := s.compare(ctx, &found, q, spaces, [][]float32{vector})
	return found, err
}

// compare finds the records of vector spaces that are similar to one of the vectors.
func (s *VectorSearch) compare(ctx context.Context, found *Similar, q VectorQuery, spaces []string, vectors [][]float32) error {
	found.Records = map[int64]float64{}
	for _, space := range spaces {
		for _, vector := range vectors {
			if err := s.collect(ctx, found, space, vector, q); err != nil {
				return err
			}
		}
	}
	return nil
}

// vectorsOf asks the embedder for the vectors of terms; a term without content
// has none.
func (s *VectorSearch) vectorsOf(ctx context.Context, terms []string) ([][]float32, error) {
	if s.IsPaused() {
		return nil, s.Failure()
	}
	patient, cancel := context.WithTimeout(ctx, queryTimeout)
	defer cancel()
	var vectors [][]float32
	for _, term := range terms {
		vector, err := s.embedder.Query(patient, term)
		if err != nil {
			s.RecordResult(err)
			return nil, err
		}
		if vector != nil {
			vectors = append(vectors, vector)
		}
	}
	return vectors, nil
}

// catchUp embeds records that came without a vector.
func (s *VectorSearch) catchUp(ctx context.Context, found *Similar) error {
	complete, err := s.CatchUp(ctx)
	if err == nil && !complete {
		found.Note = "some records have no vector yet and are found by words alone; they are being embedded"
		if failure := s.Failure(); failure != nil {
			found.Note = fmt.Sprintf("records stored since the embedding model failed are found by words alone until it answers again: %v", failure)
		}
	}
	return err
}

// collect adds the records of a space that are similar to a vector.
func (s *VectorSearch) collect(ctx context.Context, found *Similar, space string, vector []float32, q VectorQuery) error {
	index, err := s.follow(ctx, space)
	if err != nil {
		return err
	}
	if index == nil {
		found.Note = "the vectors of records are still being read from the database; words alone were compared"
		return nil
	}
	hits, more, err := s.deepen(q, func(k int) ([]embed.Hit, error) { return index.Search(ctx, vector, k, nil) })
	if err == nil && more && q.Among != nil {
		var among []int64
		if among, err = q.Among(ctx); err == nil {
			among = slices.Concat([]int64{}, among) // none are not all
			hits, more, err = s.deepen(q, func(k int) ([]embed.Hit, error) { return index.Search(ctx, vector, k, among) })
		}
	}
	if _, changed := errors.AsType[*embed.DimensionError](err); changed { // the model, under its name
		return nil
	}
	for _, h := range hits {
		if similarity := roundSimilarity(h.Similarity); similarity >= q.Threshold {
			found.Records[h.ID] = max(found.Records[h.ID], similarity)
		}
	}
	found.More = found.More || more
	return err
}

// deepen searches for more until one is found that is not similar enough.
func (s *VectorSearch) deepen(q VectorQuery, look func(k int) ([]embed.Hit, error)) (hits []embed.Hit, more bool, err error) {
	for k := firstDepth; ; k *= deepening {
		k = min(k, q.Limit+1)
		hits, err = look(k)
		if err != nil || len(hits) < k || roundSimilarity(hits[k-1].Similarity) < q.Threshold-depthMargin {
			return hits, false, err
		}
		if k > q.Limit {
			return hits[:q.Limit], roundSimilarity(hits[k-1].Similarity) >= q.Threshold, nil
		}
	}
}

// follow returns the index of a space with what has changed, nil while it is read in the
// background.
func (s *VectorSearch) follow(ctx context.Context, space string) (*embed.Index, error) {
	feed := s.table.Feed(space)
	return s.UpdateIndex(ctx, space, feed, feed)
}

// Nearest returns the likeness of up to k records whose meaning is nearest to a vector of
// the model, by their rows. complete is false where some have no vector yet.
func (s *VectorSearch) Nearest(ctx context.Context, vector []float32, k int) (near map[int64]float64, complete bool, err error) {
	return search.NearestRows(ctx, s.TableIndex, s.table.VectorTable, vector, k)
}

// roundSimilarity is the similarity, 0 to 1, of two vectors of a model by their cosine. It
// drops what stored vectors cannot tell, so that equal texts have a similarity of 1
// and what is printed is what was compared with the threshold.
func roundSimilarity(similarity float64) float64 {
	return max(0, min(1, math.Round(similarity*1e4)/1e4))
}
