package search

import (
	"cmp"
	"slices"
	"strings"
)

// WordQuery is a word to look for: as an expression of the full-text index, and how
// many rows hold it.
type WordQuery struct {
	Expression string
	Rows       int
}

const (
	// maxExpressionWords bounds the words of one expression: of a long prompt the rarest count.
	maxExpressionWords = 10
	// maxJoinedWords is how many frequent words are looked for together.
	maxJoinedWords = 6
)

// FindRowsByWords returns up to limit rows that hold rare words, as match finds and ranks them
// for an FTS5 expression, and behind them the newest that hold frequent words together:
// ranking by BM25 costs the index some microseconds for each row that matches, and budget is
// about how many may.
func FindRowsByWords(words []WordQuery, budget, limit int, match func(expression string, newest bool) ([]int64, error)) (rows []int64, err error) {
	words = slices.DeleteFunc(slices.Clone(words), func(w WordQuery) bool { return w.Rows == 0 })
	slices.SortStableFunc(words, func(a, b WordQuery) int { return cmp.Compare(a.Rows, b.Rows) })
	words = words[:min(len(words), maxExpressionWords)]
	rare := 0
	for ; rare < len(words) && words[rare].Rows <= budget; rare++ {
		budget -= words[rare].Rows
	}
	if rare > 0 {
		if rows, err = match(joinExpressions(words[:rare], " OR "), false); err != nil {
			return nil, err
		}
	}
	for n := min(len(words), rare+maxJoinedWords); n > rare && len(rows) < limit; n-- {
		found, err := match(joinExpressions(words[rare:n], " AND "), true)
		if err != nil {
			return nil, err
		}
		for _, row := range found {
			if len(rows) < limit && !slices.Contains(rows, row) {
				rows = append(rows, row)
			}
		}
	}
	return rows, nil
}

func joinExpressions(words []WordQuery, by string) string {
	expressions := make([]string, len(words))
	for i, w := range words {
		expressions[i] = w.Expression
	}
	return strings.Join(expressions, by)
}
