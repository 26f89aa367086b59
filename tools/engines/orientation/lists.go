package orientation

import (
	"strings"
	"sync"

	"toolkit/fixtures"
)

// The words that the rules know are data: fixtures/words/orientation holds every list
// with the reason why it exists. A list is read when a rule first asks for it: most
// starts of the program judge nothing.
var lists = sync.OnceValue(func() map[string][]string { return fixtures.WordLists("orientation") })

// values holds, by list, every word with what follows the colon of its line, or "".
var values = sync.OnceValue(func() map[string]map[string]string {
	all := map[string]map[string]string{}
	for list, lines := range lists() {
		all[list] = map[string]string{}
		for _, line := range lines {
			words, value, _ := strings.Cut(line, ": ")
			for word := range strings.FieldsSeq(words) {
				all[list][word] = value
			}
		}
	}
	return all
})

// in reports whether a word stands in a list.
func in(list, word string) bool {
	_, ok := values()[list][word]
	return ok
}

// isAdverb recognises adverbs of manner, and leaves "family" and "fly" alone.
func isAdverb(word string) bool {
	return in("adverbs", word) || strings.HasSuffix(word, "ly") && len(word) > 4 && !in("not adverbs", word)
}

// isGerund reports whether a word looks like a verb in -ing.
func isGerund(word string) bool {
	return len(word) > 4 && strings.HasSuffix(word, "ing") && !in("not gerunds", word)
}

// isResult recognises what ends a named result: "published", "written", "live". It leaves
// out what only looks like a participle or names damage instead of a result.
func isResult(word string) bool {
	word = word[strings.LastIndexByte(word, '-')+1:]
	return in("arrived", word) || !in("not results", word) && (len(word) > 4 && strings.HasSuffix(word, "ed") || in("participles", word))
}

// endsPhrase reports whether nothing that a participle could describe follows at i.
func endsPhrase(s sentence, i int) bool {
	return s.ends(i) || in("prepositions", s.word(i)) || isAdverb(s.word(i))
}
