package language

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// EditDistance counts the bytes to insert, delete or replace to make b of a.
func EditDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

const (
	// maxComparedLength is how much of a wrong name is compared.
	maxComparedLength = 100
	// minPartLength is from which length a part of a name is enough to find it.
	minPartLength = 4
)

// NearestNames returns up to most of the known names that may have been meant, the
// nearest first. Case and the kind of dash do not count.
func NearestNames(name string, known []string, limit int) []string {
	type candidate struct {
		name  string
		apart int
	}
	wanted := normalizeName(name)
	if len(wanted) > maxComparedLength {
		return nil
	}
	tolerated := max(2, len(wanted)/3)
	var near []candidate
	for _, k := range known {
		form := normalizeName(k)
		apart := EditDistance(wanted, form)
		switch {
		case apart <= tolerated:
			near = append(near, candidate{k, apart})
		case len(wanted) >= minPartLength && strings.Contains(form, wanted):
			near = append(near, candidate{k, maxComparedLength + apart})
		}
	}
	slices.SortStableFunc(near, func(a, b candidate) int { return a.apart - b.apart })
	var names []string
	for _, c := range near[:min(limit, len(near))] {
		names = append(names, c.name)
	}
	return names
}

func normalizeName(name string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimSpace(name)), "-", "_")
}

// WithinOneEdit reports whether two words differ by one letter more, less,
// other, or by two neighbours swapped.
func WithinOneEdit(a, b string) bool {
	if len(a)-len(b) > utf8.UTFMax || len(b)-len(a) > utf8.UTFMax {
		return false
	}
	x, y := []rune(a), []rune(b)
	for len(x) > 0 && len(y) > 0 && x[0] == y[0] {
		x, y = x[1:], y[1:]
	}
	for len(x) > 0 && len(y) > 0 && x[len(x)-1] == y[len(y)-1] {
		x, y = x[:len(x)-1], y[:len(y)-1]
	}
	if len(x) <= 1 && len(y) <= 1 {
		return true
	}
	return len(x) == 2 && len(y) == 2 && x[0] == y[1] && x[1] == y[0]
}

// Likeness tells from 0 to 1 how many pairs of neighbouring letters two words
// share, their beginnings and ends counted as letters.
func Likeness(a, b string) float64 {
	pairs := map[[2]rune]int{}
	all, shared := 0, 0
	eachPair(a, func(pair [2]rune) { pairs[pair]++; all++ })
	eachPair(b, func(pair [2]rune) {
		all++
		if pairs[pair]--; pairs[pair] >= 0 {
			shared++
		}
	})
	return 2 * float64(shared) / float64(all)
}

func eachPair(word string, f func([2]rune)) {
	before := rune(0)
	for _, r := range word {
		f([2]rune{before, r})
		before = r
	}
	f([2]rune{before, 0})
}
