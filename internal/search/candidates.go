package search

import (
	"cmp"
	"slices"
	"strings"
)

// Column is a column of the full-text index over rows. Its name is part of the
// expressions that this package builds.
type Column string

// The columns: the terms of a row's text, see [language.Terms], and of its days, see
// [calendar.Terms].
const (
	BodyColumn Column = "body"
	DayColumn  Column = "day"
)

// Candidate is a term to look for in a column of the full-text index.
type Candidate struct {
	Column Column
	Term   string
}

// Candidates chooses what to look for in the full-text index, so that about
// budget rows match: the terms of the query, the rarest first. Ranking by BM25
// costs the index about a microsecond a matching row, so a word that half the rows
// hold is left out, unless there is no rarer one. Terms that no row holds are left
// out too; no candidate at all means that the full-text index cannot help.
func (s *Scorer) Candidates(budget int) (chosen []Candidate) {
	var own []Candidate
	for _, term := range s.query.Terms {
		for _, form := range term.Forms {
			own = append(own, Candidate{BodyColumn, form})
			if s.query.NamesDay(term) {
				own = append(own, Candidate{DayColumn, form})
			}
		}
	}
	for term := range s.query.days {
		own = append(own, Candidate{DayColumn, term})
	}
	slices.SortFunc(own, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(s.rows(a), s.rows(b)), cmp.Compare(a.Term, b.Term), cmp.Compare(a.Column, b.Column))
	})
	spent := 0
	for _, candidate := range own {
		n := s.rows(candidate)
		if n == 0 || slices.Contains(chosen, candidate) {
			continue
		}
		if len(chosen) > 0 && spent+n > budget {
			break
		}
		chosen, spent = append(chosen, candidate), spent+n
	}
	return chosen
}

// Rows is how many rows hold the candidates, those that hold two counted twice.
func (s *Scorer) Rows(candidates []Candidate) (rows int) {
	for _, c := range candidates {
		rows += s.rows(c)
	}
	return rows
}

func (s *Scorer) rows(candidate Candidate) int {
	if candidate.Column == DayColumn {
		return s.statistics.Day[candidate.Term]
	}
	return s.statistics.Body[candidate.Term]
}

// Incomplete says that the full-text index is not enough: a term of the query
// stands in no row, so a compound, a misspelling or another word may be what it
// means, which its letters may tell; see [Likeness].
func (s *Scorer) Incomplete() bool {
	return len(s.query.Terms) == 0 || slices.Contains(s.unknown, true)
}

// MatchExpression gives the FTS5 expression that finds the rows of any of the
// candidates. It cannot be malformed, for every term stands in quotes. Without
// candidates it is empty, which FTS5 refuses: do not search.
func MatchExpression(candidates []Candidate) string {
	parts := make([]string, len(candidates))
	for i, c := range candidates {
		parts[i] = string(c.Column) + ` : "` + strings.ReplaceAll(c.Term, `"`, `""`) + `"`
	}
	return strings.Join(parts, " OR ")
}
