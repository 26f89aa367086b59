package entities

import (
	"cmp"
	"context"
	"slices"

	"toolkit/store"
	"toolkit/store/records"
)

// Vectors finds records by meaning. It follows the changes of every process, so
// a record that was just written is found.
type Vectors interface {
	// Enter takes note of a record in the transaction that writes it.
	UpdateRecord(tx *store.Tx, r records.Record) error
	// Similar returns the records whose similarity to one of the terms, or to the
	// given embedding when there is one, is at least the threshold. That the
	// embedder fails is no error, for words can still be compared: see Failure.
	Similar(ctx context.Context, q VectorQuery) (Similar, error)
}

// VectorQuery is what to look for.
type VectorQuery struct {
	Terms     []string
	Embedding []float64
	Threshold float64 // 0 to 1
	// Limit is how many records are compared exactly and returned at most.
	Limit int
	// Among lists the rows of the records that count. It is asked only when more
	// than Limit records are similar, for the caller filters anyway.
	Among func(ctx context.Context) ([]int64, error)
}

// Similar is what was found by meaning.
type Similar struct {
	Records map[int64]float64 // the greatest similarity, 0 to 1, by row
	Model   string            // whose vectors were compared
	More    bool              // there are more than the limit
	Failure error             // of the embedder: nothing was compared
	Note    string            // why some records could not be compared; mostly empty
}

// maxSimilar bounds what the vector channel may contribute to one answer.
const maxSimilar = 10_000

// rankSimilar cuts what was found by meaning to the best: by similarity, then
// the newest, then by id.
func rankSimilar(matches []records.Match, similarity map[int64]float64, limit int) []int64 {
	slices.SortFunc(matches, func(a, b records.Match) int {
		return cmp.Or(cmp.Compare(similarity[b.Seq], similarity[a.Seq]), cmp.Compare(b.CreatedAt, a.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	rows := make([]int64, min(limit, len(matches)))
	for i := range rows {
		rows[i] = matches[i].Seq
	}
	return rows
}
