package layout

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/bidi"
)

// orderWordsForReading puts the words of a cell, which stand from left to right, into the order in which
// they are read by Unicode's rules: Hebrew and Arabic run from the right, Latin words and the
// numbers among them from the left. The letters of a word are in that order already.
func (cell *Cell) orderWordsForReading() {
	words := strings.Fields(cell.Text)
	right, left := 0, 0
	for _, word := range words {
		switch {
		case hasClass(word, bidi.R, bidi.AL):
			right++
		case hasClass(word, bidi.L):
			left++
		}
	}
	if right == 0 {
		return
	}
	if right > left {
		slices.Reverse(words)
		reverseRuns(words, func(word string) bool { return !hasClass(word, bidi.R, bidi.AL) }, bidi.L)
	} else {
		reverseRuns(words, func(word string) bool { return hasClass(word, bidi.R, bidi.AL) }, bidi.R, bidi.AL)
	}
	cell.Text = strings.Join(words, " ")
}

// reverseRuns turns the longest rows of words that belong together, if one of them has letters
// of a class: numbers alone have no direction.
func reverseRuns(words []string, belongs func(string) bool, classes ...bidi.Class) {
	for start := 0; start < len(words); {
		end, lettered := start, start
		for end < len(words) && belongs(words[end]) {
			end++
			if hasClass(words[end-1], classes...) {
				lettered = end
			}
		}
		slices.Reverse(words[start:lettered])
		start = end + 1
	}
}

func hasClass(word string, classes ...bidi.Class) bool {
	return strings.ContainsFunc(word, func(character rune) bool {
		property, _ := bidi.LookupRune(character)
		return slices.Contains(classes, property.Class())
	})
}
