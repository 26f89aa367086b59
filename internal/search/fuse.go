package search

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// rankConstant is the k of reciprocal rank fusion.
const rankConstant = 60

// Hit is a row that a channel found.
type Hit struct {
	ID    int64
	Time  int64 // when the row was created, in any unit; orders equal scores
	Score float64
}

// RankHits sorts hits best first, and equal scores newer first, then by lower id. It
// keeps the first depth hits and drops those that do not match: a score of zero
// or less, or none (NaN).
func RankHits(hits []Hit, depth int) []Hit {
	hits = slices.DeleteFunc(hits, func(h Hit) bool { return !(h.Score > 0) })
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.Time, a.Time), cmp.Compare(a.ID, b.ID))
	})
	return hits[:min(len(hits), max(depth, 0))]
}

// Weights are the shares of the two channels; they sum to 1.
type Weights struct {
	Semantic float64 `json:"semantic"`
	Keyword  float64 `json:"keyword"`
}

// DefaultWeights are those of the source's hybrid search.
var DefaultWeights = Weights{Semantic: 0.7, Keyword: 0.3}

// ResolveWeights completes the weights that a caller gave: one of them fixes the
// other, none means the default. It refuses weights outside 0 … 1 and weights
// that do not sum to 1.
func ResolveWeights(semantic, keyword *float64) (Weights, error) {
	w := DefaultWeights
	switch {
	case semantic != nil && keyword != nil:
		w = Weights{Semantic: *semantic, Keyword: *keyword}
	case semantic != nil:
		w = Weights{Semantic: *semantic, Keyword: 1 - *semantic}
	case keyword != nil:
		w = Weights{Semantic: 1 - *keyword, Keyword: *keyword}
	}
	if sum := w.Semantic + w.Keyword; !(math.Abs(sum-1) <= 1e-9) {
		return Weights{}, fmt.Errorf("Weights must sum to 1.0, got %v", sum) //nolint:staticcheck // the source's wording
	}
	if w.Semantic < 0 || w.Keyword < 0 {
		return Weights{}, fmt.Errorf("weights must be between 0 and 1, got semantic %v and keyword %v", w.Semantic, w.Keyword)
	}
	return w, nil
}

// Fused is a row after fusion. A rank counts from 1; 0 means that the channel
// did not find the row.
type Fused struct {
	ID           int64
	Time         int64
	Score        float64
	SemanticRank int
	KeywordRank  int
}

// NormalizedScore is the score on a scale from 0 to 1, where 1 is a row that both
// channels rank first: exactly 1, so the last digits, in which fractions err,
// are rounded away.
func (f Fused) NormalizedScore() float64 {
	const digits = 1e12
	return min(1, math.Round(f.Score*(rankConstant+1)*digits)/digits)
}

// FuseRankedHits joins two ranked lists by weighted reciprocal rank:
//
//	score(d) = w.Semantic/(60 + semantic rank) + w.Keyword/(60 + keyword rank)
//
// where a channel that did not find d adds nothing. Equal scores come newer
// first, then by lower id. An id that stands twice in a list counts at its first
// place.
func FuseRankedHits(semantic, keyword []Hit, w Weights) []Fused {
	at := make(map[int64]int, len(semantic)+len(keyword))
	fused := make([]Fused, 0, len(semantic)+len(keyword))
	rank := func(hits []Hit, of func(*Fused) *int) {
		for i, h := range hits {
			if _, known := at[h.ID]; !known {
				at[h.ID] = len(fused)
				fused = append(fused, Fused{ID: h.ID, Time: h.Time})
			}
			if r := of(&fused[at[h.ID]]); *r == 0 {
				*r = i + 1
			}
		}
	}
	rank(semantic, func(f *Fused) *int { return &f.SemanticRank })
	rank(keyword, func(f *Fused) *int { return &f.KeywordRank })
	for i := range fused {
		fused[i].Score = reciprocalRankScore(w.Semantic, fused[i].SemanticRank) + reciprocalRankScore(w.Keyword, fused[i].KeywordRank)
	}
	fused = slices.DeleteFunc(fused, func(f Fused) bool { return f.Score == 0 })
	slices.SortFunc(fused, func(a, b Fused) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.Time, a.Time), cmp.Compare(a.ID, b.ID))
	})
	return fused
}

func reciprocalRankScore(weight float64, rank int) float64 {
	if rank == 0 {
		return 0
	}
	return weight / float64(rankConstant+rank)
}
