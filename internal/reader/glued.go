package reader

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"toolkit/internal/reader/layout"
)

// parted splits cells that stand so close that two words became one, where the second begins the
// name of a role: "Brightwell LtdInvoice to".
func parted(cells []layout.Cell) []layout.Cell {
	for index, cell := range cells {
		for at, word := range cell.Words {
			second := trailingWord(word.Text)
			if second == "" || !beginsRole(second, cell.Words[at+1:]) {
				continue
			}
			first := word
			first.Text = word.Text[:len(word.Text)-len(second)]
			first.Right -= (word.Right - word.Left) * float64(utf8.RuneCountInString(second)) / float64(utf8.RuneCountInString(word.Text))
			word.Text, word.Left = second, first.Right
			cell.Words = slices.Concat(cell.Words[:at], []layout.Word{first, word}, cell.Words[at+1:])
			return slices.Concat(cells[:index], cell.Split(at+1), cells[index+1:])
		}
	}
	return cells
}

// beginsRole tells whether a word and those behind it are the name of a role and nothing else.
func beginsRole(word string, behind []layout.Word) bool {
	words := []string{word}
	for _, next := range behind[:min(len(behind), longestPhrase)] {
		words = append(words, next.Text)
	}
	tokens := wordTokens(words)
	kinds, length := matchLabel(tokens, 0)
	return length > 1 && length == len(tokens) && (slices.Contains(kinds, labelVendor) || slices.Contains(kinds, labelCustomer))
}

// trailingWord is the second of two words that were set without a space: "LtdInvoice".
func trailingWord(word string) string {
	previous := rune(0)
	for index, character := range word {
		if index > 1 && unicode.IsUpper(character) && unicode.IsLower(previous) {
			return word[index:]
		}
		previous = character
	}
	return ""
}
