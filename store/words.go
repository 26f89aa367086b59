package store

import (
	"strings"

	"toolkit/internal/language"
)

// QuotedWord makes any text a full-text query for itself, free of operators.
func QuotedWord(word string) string {
	return `"` + strings.NewReplacer(`"`, `""`, "\x00", " ").Replace(word) + `"`
}

// AnyWording is the full-text query for a word or number, however it is written; suffix
// "*" takes it as a beginning.
func AnyWording(w language.Wording, suffix string) string {
	parts := make([]string, len(w))
	for i, way := range w {
		parts[i] = QuotedWord(way) + suffix
		if suffix == "" && language.IsCharacter(way) { // indexes hold pairs
			parts[i] += "*"
		}
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return "(" + strings.Join(parts, " OR ") + ")"
}

// AllWords is the full-text query for texts that contain every word of a text;
// suffix "*" takes words as beginnings.
func AllWords(text, suffix string) string {
	wordings := language.Wordings(text)
	parts := make([]string, len(wordings))
	for i, w := range wordings {
		parts[i] = AnyWording(w, suffix)
	}
	return strings.Join(parts, " AND ")
}

// Phrase is the full-text query for the words of a text in their order.
func Phrase(text string) string {
	if indexed := strings.TrimSpace(language.IndexText(text)); indexed != strings.ToLower(text) {
		return "(" + QuotedWord(text) + " OR " + QuotedWord(indexed) + ")"
	}
	return QuotedWord(text)
}
