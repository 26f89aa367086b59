package orientation

import (
	"fmt"
	"slices"
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

// wordSet asks whether a word stands in one of the lists.
func wordSet(names ...string) func(word string) bool {
	words := sync.OnceValue(func() map[string]bool {
		known := make(map[string]bool)
		items := make([][]string, len(names))
		for i, name := range names {
			items[i] = entries(name)
		}
		for _, word := range strings.Fields(strings.Join(slices.Concat(items...), " ")) {
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

// The closed classes of English that finding a governing verb needs.
var (
	pronouns         = wordSet("pronouns")
	objectPronouns   = wordSet("object pronouns")
	determiners      = wordSet("determiners")
	prepositions     = wordSet("prepositions")
	relatives        = wordSet("relatives")
	modals           = wordSet("modals")
	copulas          = wordSet("copulas")
	adverbs          = wordSet("adverbs")
	notAdverbs       = wordSet("not adverbs")
	notGerunds       = wordSet("not gerunds")
	irregularPlurals = wordSet("irregular plurals")
	numberWords      = wordSet("numbers")
	calendar         = wordSet("calendar", "months")
)

// isAdverb recognises adverbs of manner, and leaves "family" and "fly" alone.
func isAdverb(word string) bool {
	return adverbs(word) || strings.HasSuffix(word, "ly") && len(word) > 4 && !notAdverbs(word)
}

// isGerund reports whether a word looks like a verb in -ing.
func isGerund(word string) bool {
	return len(word) > 4 && strings.HasSuffix(word, "ing") && !notGerunds(word)
}

func isPlural(word string) bool {
	return irregularPlurals(word) || len(word) > 3 && hasSuffix(word, "s") && !hasSuffix(word, "ss", "us", "is")
}

func hasSuffix(word string, suffixes ...string) bool {
	return slices.ContainsFunc(suffixes, func(suffix string) bool { return strings.HasSuffix(word, suffix) })
}
