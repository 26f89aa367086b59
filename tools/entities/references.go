package entities

import (
	"slices"
	"strings"
	"unicode"
)

const (
	// maxReferenceWords is how many words of a text together may be a number: "RE 2025 001".
	maxReferenceWords = 4
	// maxReferences bounds the numbers that are taken from one payment.
	maxReferences = 40
	// minReferenceLength is the letters and digits of a number at least, for a text to name
	// it: "12" stands in too many.
	minReferenceLength = 4
)

// findReferences are the numbers that a payment's text may name, as they are compared.
func findReferences(values object) (list []string) {
	for _, field := range []string{"reference", "description"} {
		text, _ := values[field].(string)
		words := strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;:#+&()", r) })
		for from := range words {
			for n := 1; n <= maxReferenceWords && from+n <= len(words) && len(list) < maxReferences; n++ {
				list = appendReference(list, strings.Join(words[from:from+n], ""))
			}
			for _, piece := range strings.Split(words[from], "/") {
				list = appendReference(list, piece)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func appendReference(list []string, text string) []string {
	if number := compactNumber(text); isReference(number) {
		return append(list, number)
	}
	return list
}

// isReference reports whether a number is long enough to be told in a text, and no year.
func isReference(number string) bool {
	if len(number) < minReferenceLength {
		return false
	}
	return len(number) > 4 || digitsOf(number) != number || number[:2] != "19" && number[:2] != "20"
}
