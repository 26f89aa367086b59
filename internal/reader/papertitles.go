package reader

import "sync"

// Titles of papers whose fields are not read; they are told apart so that their sums are not
// taken for an invoice's. Wordings stand in fixtures/words/documents/titles.txt.
var (
	payTitles = sync.OnceValue(func() map[string][]string { return indexPhrases[string](lists(), "title payslip") })
	taxTitles = sync.OnceValue(func() map[string][]string { return indexPhrases[string](lists(), "tax titles") })
)

// longestPaperTitle is the number of words looked at when such a title is matched.
const longestPaperTitle = 2 * longestPhrase

// hasTitle tells whether a title stands at the beginning of a cell near the top.
func (read *labeledPages) hasTitle(titles map[string][]string) bool {
	for at := range read.cells(1, headLines) {
		if read.inTable(at) {
			continue // a salary among the movements makes no payslip
		}
		tokens := read.tokens[at]
		for start := range tokens {
			if start > 0 && tokens[start-1].norm != "" {
				continue // a title begins a cell, or stands behind a dash
			}
			if _, length := matchLongestPhrase(titles, tokens, start, longestPaperTitle); length > 0 && len(tokens)-start-length <= 8 {
				return true
			}
		}
	}
	return false
}
