package search

import (
	"slices"
	"strings"

	"toolkit/internal/language"
)

// number is what a query writes with points or commas, such as 4.2, 49,90 or 1,000. Its
// parts are terms, and a row holds them only where they stand side by side: 2.4.0 is not
// 4.2, and 49.09 not 49.90.
type number struct {
	terms   []int      // its parts
	written [][]string // the ways in which rows may write it, as index terms
}

// addNumbers notes the numbers of a query, and gives their parts the forms by which rows
// may write them.
func (q *Query) addNumbers(text string) {
	for _, found := range language.FindNumbers(text, MaxQueryTerms) {
		n := number{written: found.Writings}
		parts := n.written[0]
		for i, term := range q.Terms {
			if term.day == 0 && slices.Contains(parts, term.Word) {
				n.terms = append(n.terms, i)
			}
		}
		if len(n.terms) == 0 {
			continue
		}
		last := &q.Terms[n.terms[len(n.terms)-1]]
		for _, form := range slices.Concat(n.written[1:]...) {
			if !slices.Contains(parts, form) && !slices.Contains(last.Forms, form) {
				last.Forms = append(slices.Clone(last.Forms), form)
			}
		}
		q.numbers = append(q.numbers, n)
	}
}

// countNumbersAsWhole makes the parts of a number count in a row that holds it in one of its
// writings, and in no other.
func (s *Scorer) countNumbersAsWhole(e *Evidence, terms []string) {
	for _, n := range s.query.numbers {
		held := containsNumber(terms, n.written[0], false) ||
			slices.ContainsFunc(n.written[1:], func(parts []string) bool { return containsNumber(terms, parts, len(parts) == 1) })
		for _, t := range n.terms {
			if held {
				e.terms[t].exact = max(1, e.terms[t].exact)
			} else {
				e.terms[t].exact = 0
			}
		}
	}
}

// containsNumber reports whether parts stand side by side, or apart from other numbers, of which
// they may be a part.
func containsNumber(terms, parts []string, apart bool) bool {
	isNumber := func(at int) bool { return at >= 0 && at < len(terms) && strings.Trim(terms[at], "0123456789") == "" }
	for at := 0; at+len(parts) <= len(terms); at++ {
		if slices.Equal(terms[at:at+len(parts)], parts) && (!apart || !isNumber(at-1) && !isNumber(at+len(parts))) {
			return true
		}
	}
	return false
}
