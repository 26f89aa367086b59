package store

import (
	"strings"

	"toolkit/internal/language"
)

// QuoteWord makes any text a full-text query for itself, free of operators.
func QuoteWord(word string) string {
	return `"` + strings.NewReplacer(`"`, `""`, "\x00", " ").Replace(word) + `"`
}

// MatchAnyWording returns the full-text query for a word or number, however it is written; suffix
// "*" takes it as a beginning.
func MatchAnyWording(w language.Wording, suffix string) string {
	parts := make([]string, len(w))
	for i, way := range w {
		parts[i] = QuoteWord(way) + suffix
		if suffix == "" && language.IsUnspacedCharacter(way) { // indexes hold pairs
			parts[i] += "*"
		}
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return "(" + strings.Join(parts, " OR ") + ")"
}

// MatchAllWords returns the full-text query for texts that contain every word of a text;
// suffix "*" takes words as beginnings.
func MatchAllWords(text, suffix string) string {
	wordings := language.Wordings(text)
	parts := make([]string, len(wordings))
	for i, w := range wordings {
		parts[i] = MatchAnyWording(w, suffix)
	}
	return strings.Join(parts, " AND ")
}

// MatchPhrase returns the full-text query for the words of a text in their order.
func MatchPhrase(text string) string {
	if indexed := strings.TrimSpace(language.PrepareIndexText(text)); indexed != strings.ToLower(text) {
		return "(" + QuoteWord(text) + " OR " + QuoteWord(indexed) + ")"
	}
	return QuoteWord(text)
}
