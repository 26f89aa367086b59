package language

import (
	"slices"
	"strings"
)

// derivedEndings make another word of a word, which the stemmers take for a form of it.
var derivedEndings = []string{"ion", "ions", "ive", "ives", "al", "als", "ity", "ities", "ation", "ations", "ization", "izations", "isation", "isations", "ional"}

// plainEndings may stand in the place of one.
var plainEndings = []string{"", "e", "s", "es"}

// minDerivedLength is how long what two words share must be, in bytes.
const minDerivedLength = 5

// IsDerivation reports whether of two folded words one is made from the other and may mean something else:
// production of product, university of universe.
func IsDerivation(word, other string) bool {
	if len(word) > len(other) {
		word, other = other, word
	}
	shared := 0
	for shared < len(word) && word[shared] == other[shared] {
		shared++
	}
	for ; shared >= minDerivedLength; shared-- { // productive and products share no more than product
		if slices.Contains(plainEndings, word[shared:]) && slices.Contains(derivedEndings, other[shared:]) {
			return true
		}
	}
	return false
}

// HasOnlyDerivation reports whether a text has a word only as one that is derived from it, or from which it is.
func HasOnlyDerivation(text, word string) bool {
	if len(word) < minDerivedLength {
		return false
	}
	derived, stem := false, ""
	for _, other := range Words(text) {
		switch {
		case other == word:
			return false
		case !strings.HasPrefix(other, word[:minDerivedLength]):
		case IsDerivation(word, other):
			derived = true
		default:
			if stem == "" {
				stem = Stem(word)
			}
			if Stem(other) == stem {
				return false
			}
		}
	}
	return derived
}
