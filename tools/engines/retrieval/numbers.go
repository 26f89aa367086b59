package retrieval

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"toolkit/internal/language"
)

// number is what a query writes with points or commas, such as 4.2, 49,90 or 1,000. Its
// parts are terms, and a row holds them only where they stand side by side: 2.4.0 is not
// 4.2, and 49.09 not 49.90.
type number struct {
	terms   []int      // its parts
	written [][]string // the ways in which rows may write it, as index terms
}

var (
	parted    = regexp.MustCompile(`\pL*\d+(?:[.,]\d+)+|\d{4,}`)
	thousands = regexp.MustCompile(`^\d{1,3}([.,]\d{3})+$`)
	// amount is a number of which 49.9 and 49.90 are the same: a version has seldom
	// two digits before its only point.
	amount = regexp.MustCompile(`^(\d{2,})[.,](\d|\d0)$`)
	price  = regexp.MustCompile(`^(\d+)[.,](\d|\d0)$`)
)

// addNumbers notes the numbers of a query, and gives their parts the forms by which rows
// may write them.
func (q *Query) addNumbers(text string) {
	for _, at := range parted.FindAllStringIndex(text, MaxQueryTerms) {
		name := text[at[0]:at[1]]
		n := number{written: writings(name, isPrice(text[:at[0]], text[at[1]:]))}
		if len(n.written) == 0 {
			continue
		}
		parts := language.Words(name)
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

// writings are the ways to write a number, the given one first.
func writings(name string, money bool) [][]string {
	list := [][]string{language.Terms(name)}
	first, _ := utf8.DecodeRuneInString(name)
	whole := len(list[0]) == 1
	switch {
	case unicode.IsLetter(first): // v4.2
		if bare := strings.TrimLeftFunc(name, unicode.IsLetter); name[:len(name)-len(bare)] == "v" {
			list = append(list, language.Terms(bare))
		}
	case whole && len(name) <= 12: // 1000
		list = append(list, language.Terms(grouped(name)))
	case thousands.MatchString(name):
		list = append(list, []string{strings.Join(list[0], "")})
	case amount.MatchString(name) || money && price.MatchString(name):
		list = append(list, otherZeros(list[0])...)
	}
	return list
}

// otherZeros writes 49.90 as 49.9, the other way round, and 49.0 as 49.
func otherZeros(parts []string) (list [][]string) {
	units, rest := parts[0], parts[1]
	bare := strings.TrimRight(rest, "0")
	for _, other := range []string{bare, bare + "0", bare + "00"} {
		if len(other) <= 2 && other != rest {
			list = append(list, append([]string{units}, slices.DeleteFunc([]string{other}, func(s string) bool { return s == "" })...))
		}
	}
	return list
}

// grouped writes 1000 as 1,000.
func grouped(digits string) string {
	var groups []string
	for ; len(digits) > 3; digits = digits[:len(digits)-3] {
		groups = append(groups, digits[len(digits)-3:])
	}
	groups = append(groups, digits)
	slices.Reverse(groups)
	return strings.Join(groups, ",")
}

// isPrice reports whether a sign of money stands before or behind.
func isPrice(before, behind string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(before, " \u00a0"))
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(behind, " \u00a0"))
	return unicode.Is(unicode.Sc, last) || unicode.Is(unicode.Sc, first)
}

// keepNumbers makes the parts of a number count in a row that holds it in one of its
// writings, and in no other.
func (s *Scorer) keepNumbers(e *Evidence, terms []string) {
	for _, n := range s.query.numbers {
		held := holds(terms, n.written[0], false) ||
			slices.ContainsFunc(n.written[1:], func(parts []string) bool { return holds(terms, parts, len(parts) == 1) })
		for _, t := range n.terms {
			if held {
				e.terms[t].exact = max(1, e.terms[t].exact)
			} else {
				e.terms[t].exact = 0
			}
		}
	}
}

// holds reports whether parts stand side by side, or apart from other numbers, of which
// they may be a part.
func holds(terms, parts []string, apart bool) bool {
	isNumber := func(at int) bool { return at >= 0 && at < len(terms) && strings.Trim(terms[at], "0123456789") == "" }
	for at := 0; at+len(parts) <= len(terms); at++ {
		if slices.Equal(terms[at:at+len(parts)], parts) && (!apart || !isNumber(at-1) && !isNumber(at+len(parts))) {
			return true
		}
	}
	return false
}
