package payloads

import (
	"cmp"
	"context"
	"slices"

	"toolkit/store"
)

// Vectors finds records by meaning. It follows the change sequence of
// store.TopicPayloads, so a record that was just written is found.
type Vectors interface {
	// Model names the embedder.
	Model() string
	// Similar returns records whose similarity to the terms, or to the given
	// embedding when there is one, is at least the threshold; the best first.
	Similar(ctx context.Context, q VectorQuery) ([]SimilarRecord, error)
}

// VectorQuery is what to look for.
type VectorQuery struct {
	Terms     []string
	Embedding []float64
	Threshold float64 // 0 to 1
	Limit     int
}

// SimilarRecord is a record with its similarity, 0 to 1.
type SimilarRecord struct {
	ID         string
	Similarity float64
}

// maxSimilar bounds what the vector channel may contribute to one answer.
const maxSimilar = 1000

// hit is a record that was found, with its similarity when it was found by
// meaning.
type hit struct {
	store.Record
	similarity *float64
}

// addSimilar merges what was found by meaning into what was found by words:
// similarity first, then the order of the words, which is by BM25, time and id.
func addSimilar(byWords, byMeaning []hit) []hit {
	position := map[string]int{}
	for i, h := range byWords {
		position[h.ID] = i
	}
	all := slices.Clone(byWords)
	for _, h := range byMeaning {
		if at, both := position[h.ID]; both {
			all[at].similarity = h.similarity
			continue
		}
		all = append(all, h)
	}
	slices.SortStableFunc(all, func(a, b hit) int {
		switch {
		case a.similarity != nil && b.similarity != nil:
			return cmp.Or(cmp.Compare(*b.similarity, *a.similarity), cmp.Compare(b.CreatedAt, a.CreatedAt), cmp.Compare(a.ID, b.ID))
		case a.similarity != nil:
			return -1
		case b.similarity != nil:
			return 1
		}
		return 0
	})
	return all
}
