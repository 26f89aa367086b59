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

// eastern are the lists for languages that write words without spaces, or nouns
// together with their particles.
var eastern = sync.OnceValue(func() map[string][]string {
	lists := fixtures.WordLists("eastern")
	for name, lines := range lists {
		lists[name] = strings.Fields(strings.Join(lines, " "))
		slices.SortStableFunc(lists[name], func(a, b string) int { return len(b) - len(a) })
	}
	return lists
})

// koreanForms are a Korean noun alone and with each of its particles, whether the word
// has one or not; of a word in another script there are none. Words without a particle
// that end like one (어린이) are taken for both.
func koreanForms(word string) (forms []string) {
	first, _ := utf8.DecodeRuneInString(word)
	if !unicode.Is(unicode.Hangul, first) {
		return nil
	}
	word = norm.NFC.String(word)
	forms = append(forms, word)
	nouns := []string{word}
	for list, particles := range eastern() {
		for _, particle := range particles {
			noun, found := strings.CutSuffix(word, particle)
			if found && takes(noun, particle, list) && !(utf8.RuneCountInString(noun) == 1 && slices.Contains(eastern()["endings"], particle)) {
				nouns = append(nouns, noun)
			}
		}
	}
	for _, noun := range nouns {
		forms = append(forms, noun)
		for _, list := range []string{"particles", "particles after a consonant", "particles after a vowel"} {
			for _, particle := range eastern()[list] {
				short := utf8.RuneCountInString(noun) == 1 && particle != "이" && particle != "가" && slices.Contains(eastern()["endings"], particle)
				if takes(noun, particle, list) && !short {
					forms = append(forms, noun+particle)
				}
			}
		}
	}
	return forms
}

// takes reports whether a noun is followed by particles of a list: most go by its last
// sound.
func takes(noun, particle, list string) bool {
	const first, last, finals, rieul = 0xAC00, 0xD7A3, 28, 8 // how Unicode orders syllables
	syllable, _ := utf8.DecodeLastRuneInString(noun)
	if syllable < first || syllable > last {
		return false
	}
	final := (syllable - first) % finals
	switch list {
	case "particles":
		return true
	case "particles after a consonant":
		return final != 0 && !(final == rieul && strings.HasPrefix(particle, "으로"))
	case "particles after a vowel":
		return final == 0 || final == rieul && strings.HasPrefix(particle, "로")
	}
	return false
}
