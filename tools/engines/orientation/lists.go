package orientation

import (
	"fmt"
	"strings"
	"sync"

	"toolkit/fixtures"
)

// The words that the rules know are data: fixtures/words/orientation holds every list
// with the reason why it exists. A list is read when a rule first asks for it: most
// starts of the program judge nothing.
var lists = sync.OnceValue(func() map[string][]string { return fixtures.WordLists("orientation") })

// entries returns the lines of a list.
func entries(name string) []string {
	lines, ok := lists()[name]
	if !ok {
		panic(fmt.Sprintf("no list of words is called %q", name)) // the lists are compiled in
	}
	return lines
}

// wordSet asks whether a word stands in a list.
func wordSet(name string) func(word string) bool {
	words := sync.OnceValue(func() map[string]bool {
		known := map[string]bool{}
		for word := range strings.FieldsSeq(strings.Join(entries(name), " ")) {
			known[word] = true
		}
		return known
	})
	return func(word string) bool { return words()[word] }
}

// phrases returns a list that holds one phrase a line, as words.
func phrases(name string) func() [][]string {
	return sync.OnceValue(func() (all [][]string) {
		for _, line := range entries(name) {
			all = append(all, strings.Fields(line))
		}
		return all
	})
}

// table reads a list whose lines map words to what follows the colon.
func table(name string) func() map[string]string {
	return sync.OnceValue(func() map[string]string {
		all := map[string]string{}
		for _, line := range entries(name) {
			words, value, _ := strings.Cut(line, ": ")
			for word := range strings.FieldsSeq(words) {
				all[word] = value
			}
		}
		return all
	})
}

var (
	pronouns     = wordSet("pronouns")
	determiners  = wordSet("determiners")
	prepositions = wordSet("prepositions")
	modals       = wordSet("modals")
	copulas      = wordSet("copulas")
	adverbs      = wordSet("adverbs")
	notAdverbs   = wordSet("not adverbs")
	notGerunds   = wordSet("not gerunds")
	participles  = wordSet("participles")
	arrived      = wordSet("arrived")
	notResults   = wordSet("not results")
	numberWords  = wordSet("numbers")
	months       = wordSet("months")
	calendar     = wordSet("calendar")
	comparatives = wordSet("comparatives")
	contractions = table("contractions")
	clitics      = table("clitics")
)

// isAdverb recognises adverbs of manner, and leaves "family" and "fly" alone.
func isAdverb(word string) bool {
	return adverbs(word) || strings.HasSuffix(word, "ly") && len(word) > 4 && !notAdverbs(word)
}

// isGerund reports whether a word looks like a verb in -ing.
func isGerund(word string) bool {
	return len(word) > 4 && strings.HasSuffix(word, "ing") && !notGerunds(word)
}

// isResult recognises what ends a named result: "published", "written", "live". It leaves
// out what only looks like a participle or names damage instead of a result.
func isResult(word string) bool {
	word = word[strings.LastIndexByte(word, '-')+1:]
	return arrived(word) || !notResults(word) && (len(word) > 4 && strings.HasSuffix(word, "ed") || participles(word))
}

// endsPhrase reports whether nothing that a participle could describe follows at i.
func endsPhrase(s sentence, i int) bool {
	return s.ends(i) || prepositions(s.word(i)) || isAdverb(s.word(i))
}
