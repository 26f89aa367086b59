package search

import (
	"slices"
	"strings"
)

// Column is a column of the full-text index over rows. Its name is part of the
// expressions that this package builds.
type Column string

// The columns: the terms of a row's text, see [language.Terms], and of its days, see
// [language.CalendarTerms].
const (
	BodyColumn Column = "body"
	DayColumn  Column = "day"
)

// Candidate is a term to look for in a column of the full-text index.
type Candidate struct {
	Column Column
	Term   string
}

// HasUnknownTerms says that the full-text index is not enough: a term of the query
// stands in no row, so a compound, a misspelling or another word may be what it
// means, which its letters may tell; see [language.Likeness].
func (s *Scorer) HasUnknownTerms() bool {
	return len(s.query.Terms) == 0 || slices.Contains(s.unknown, true)
}

// BuildMatchExpression gives the FTS5 expression that finds the rows of any of the
// candidates. It cannot be malformed, for every term stands in quotes. Without
// candidates it is empty, which FTS5 refuses: do not search.
func BuildMatchExpression(candidates []Candidate) string {
	parts := make([]string, len(candidates))
	for i, c := range candidates {
		parts[i] = string(c.Column) + ` : "` + strings.ReplaceAll(c.Term, `"`, `""`) + `"`
	}
	return strings.Join(parts, " OR ")
}
