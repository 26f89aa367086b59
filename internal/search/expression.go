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

// MatchWords returns up to limit rows that hold rare words, as match finds and ranks them
// for an FTS5 expression, or of frequent ones the newest that hold several: ranking by BM25
// costs the index some microseconds for each row that matches, and budget is about how many
// may.
func MatchWords(words []WordQuery, budget, limit int, match func(expression string, newest bool) ([]int64, error)) (rows []int64, err error) {
	words = slices.DeleteFunc(slices.Clone(words), func(w WordQuery) bool { return w.Rows == 0 })
	slices.SortStableFunc(words, func(a, b WordQuery) int { return cmp.Compare(a.Rows, b.Rows) })
	if len(words) == 0 {
		return nil, nil
	}
	if words[0].Rows <= budget {
		return match(rareExpression(words[:min(len(words), maxExpressionWords)], budget), false)
	}
	for n := min(len(words), maxJoinedWords); n > 0 && len(rows) < limit; n-- {
		found, err := match(joinExpressions(words[:n], " AND "), true)
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

// rareExpression finds the rows of words, the rarest first while the budget of rows lasts,
// and of the next one only those that hold another wanted word too: two frequent words may
// be rare together.
func rareExpression(words []WordQuery, budget int) string {
	for i, w := range words {
		if budget -= w.Rows; budget < 0 {
			others := slices.Delete(slices.Clone(words), i, i+1)
			return joinExpressions(words[:i], " OR ") + " OR (" + w.Expression + " AND (" + joinExpressions(others, " OR ") + "))"
		}
	}
	return joinExpressions(words, " OR ")
}

func joinExpressions(words []WordQuery, by string) string {
	expressions := make([]string, len(words))
	for i, w := range words {
		expressions[i] = w.Expression
	}
	return strings.Join(expressions, by)
}
