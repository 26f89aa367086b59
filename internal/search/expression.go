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

// maxExpressionWords bounds the words of one expression: of a long prompt the rarest count.
const maxExpressionWords = 10

// Expression gives the FTS5 expression that finds the rows of rare words, the
// rarest first while the budget of rows lasts, and of the next one only those
// that hold another wanted word too: two frequent words may be rare together. It
// is empty when no row holds any. Unranked says that more rows than the budget
// may match, so that ranking them all would cost too much.
func Expression(words []WordQuery, budget int) (expression string, unranked bool) {
	words = slices.DeleteFunc(slices.Clone(words), func(w WordQuery) bool { return w.Rows == 0 })
	slices.SortStableFunc(words, func(a, b WordQuery) int { return cmp.Compare(a.Rows, b.Rows) })
	words = words[:min(len(words), maxExpressionWords)]
	var parts []string
	for i, w := range words {
		if w.Rows <= budget {
			budget -= w.Rows
			parts = append(parts, w.Expression)
			continue
		}
		if others := slices.Delete(slices.Clone(words), i, i+1); len(others) > 0 {
			parts = append(parts, "("+w.Expression+" AND ("+orExpression(others)+"))")
		} else {
			parts = append(parts, w.Expression)
		}
		return strings.Join(parts, " OR "), i == 0
	}
	return strings.Join(parts, " OR "), false
}

func orExpression(words []WordQuery) string {
	expressions := make([]string, len(words))
	for i, w := range words {
		expressions[i] = w.Expression
	}
	return strings.Join(expressions, " OR ")
}
