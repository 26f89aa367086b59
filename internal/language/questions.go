package language

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"toolkit/fixtures"
)

// eastern are the lists for languages that set no spaces between words, or none between
// a noun and its particles.
var eastern = sync.OnceValue(func() map[string][]string {
	lists := fixtures.WordLists("eastern")
	for _, name := range []string{"question words", "question words in hiragana", "particles beside", "around hiragana"} {
		lists[name] = strings.Fields(strings.Join(lists[name], " "))
		slices.SortStableFunc(lists[name], func(a, b string) int { return len(b) - len(a) })
	}
	return lists
})

// WithoutQuestionWords is a text with a blank for each word of Chinese and Japanese that
// asks. These set no spaces, so that such a word would be a part of its neighbours.
func WithoutQuestionWords(text string) string {
	if !hasUnspaced(text) {
		return text
	}
	text = norm.NFC.String(text)
	var b strings.Builder
	for at := 0; at < len(text); {
		_, size := utf8.DecodeRuneInString(text[at:])
		asking := questionWordLength(text, at)
		if asking == 0 {
			b.WriteString(text[at : at+size])
			at += size
			continue
		}
		before := b.String()
		b.Reset()
		for _, particle := range eastern()["particles beside"] {
			before = strings.TrimSuffix(before, particle)
			if rest, found := strings.CutPrefix(text[at+asking:], particle); found && questionWordLength(text, at+asking) == 0 {
				asking = len(text) - len(rest) - at
			}
		}
		b.WriteString(before + " ")
		at += asking
	}
	return b.String()
}

// questionWordLength returns the length of a question word that stands at a place.
func questionWordLength(text string, at int) int {
	for _, word := range eastern()["question words"] {
		if strings.HasPrefix(text[at:], word) {
			return len(word)
		}
	}
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	for _, word := range eastern()["question words in hiragana"] {
		if rest, found := strings.CutPrefix(text[at:], word); found {
			behind, _ := utf8.DecodeRuneInString(rest)
			if endsHiragana(before) && endsHiragana(behind) {
				return len(word)
			}
		}
	}
	return 0
}

// endsHiragana reports whether a word in hiragana may end beside a character.
func endsHiragana(neighbour rune) bool {
	return !unicode.Is(unicode.Hiragana, neighbour) ||
		slices.Contains(eastern()["particles beside"], string(neighbour)) || slices.Contains(eastern()["around hiragana"], string(neighbour))
}
