package language

import (
	"slices"
	"strings"
	"sync"

	"toolkit/fixtures"
)

// lists are the lists of words of this package, by their names.
var lists = sync.OnceValue(func() map[string][]string { return fixtures.WordLists("language") })

func readListWords(name string) []string { return strings.Fields(strings.Join(lists()[name], " ")) }

// lexicon is what stemming and telling languages apart look up for every word.
type lexicon struct {
	stopWords          map[Language]map[string]bool
	undecided, grammar map[string]bool

	bases, germanBases map[string]string

	germanMonths, germanWeekdays  []string
	englishNumbers, germanNumbers []string
}

// known is made at the first word: a start does not wait for it.
var known = sync.OnceValue(func() lexicon {
	return lexicon{
		stopWords: map[Language]map[string]bool{
			English: wordsOfList("English stop words"),
			German:  wordsOfList("German stop words"),
			French:  wordsOfList("French stop words"),
			Spanish: wordsOfList("Spanish stop words"),
		},
		undecided:   wordsOfList("undecided"),
		grammar:     wordsOfList("other grammar"),
		bases:       readBaseForms("irregular"),
		germanBases: readBaseForms("irregular German"),

		germanMonths:   readListWords("German months"),
		germanWeekdays: readListWords("German weekdays"),
		englishNumbers: readListWords("English numbers"),
		germanNumbers:  readListWords("German numbers"),
	}
})

// wordSets are the words of every list.
var wordSets = sync.OnceValue(func() map[string]map[string]bool {
	sets := map[string]map[string]bool{}
	for name := range lists() {
		sets[name] = makeWordSet(readListWords(name))
	}
	return sets
})

func makeWordSet(words []string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, word := range words {
		set[word] = true
	}
	return set
}

// wordsOfList are the words of one list.
func wordsOfList(name string) map[string]bool {
	set, known := wordSets()[name]
	if !known {
		panic("there is no list of words called " + name) // they are compiled in
	}
	return set
}

// isListed reports whether a word stands in a list.
func isListed(list, word string) bool { return wordsOfList(list)[word] }

// hasListedWord reports whether a text has a word that stands in a list.
func hasListedWord(text, list string) bool {
	return slices.ContainsFunc(Words(text), func(word string) bool { return isListed(list, word) })
}

// readBaseForms maps the forms of each line to its first word.
func readBaseForms(name string) map[string]string {
	bases := make(map[string]string)
	for _, line := range lists()[name] {
		forms := strings.Fields(line)
		for _, form := range forms[1:] {
			bases[form] = forms[0]
		}
	}
	return bases
}
