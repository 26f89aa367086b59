package store

import (
	"strings"
	"unicode"
)

// Words splits a text as the full-text index does: letters, digits and marks
// make words, in lower case; everything else separates them. Each word is given once,
// in order.
func Words(text string) []string {
	seen := map[string]bool{}
	parts := []string{}
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.In(r, unicode.L, unicode.N, unicode.M) }) {
		if !seen[word] {
			seen[word] = true
			parts = append(parts, word)
		}
	}
	return parts
}

// QuotedWord makes any text a full-text query for itself, free of operators.
func QuotedWord(word string) string {
	return `"` + strings.NewReplacer(`"`, `""`, "\x00", " ").Replace(word) + `"`
}

// AllWords is the full-text query for texts that contain every word of a text;
// suffix "*" takes words as beginnings.
func AllWords(text, suffix string) string {
	words := Words(text)
	for i, w := range words {
		words[i] = QuotedWord(w) + suffix
	}
	return strings.Join(words, " AND ")
}
