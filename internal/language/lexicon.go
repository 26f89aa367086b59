package language

import (
	"strings"
	"sync"

	"toolkit/fixtures"
)

// lists are the lists of words of this package, by their names.
var lists = sync.OnceValue(func() map[string][]string { return fixtures.WordLists("language") })

// linesOf gives the lines of a list.
func linesOf(name string) []string {
	lines, known := lists()[name]
	if !known {
		panic("there is no list of words called " + name) // they are compiled in
	}
	return lines
}

func wordsOf(name string) []string { return strings.Fields(strings.Join(linesOf(name), " ")) }

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
			English: wordSetOf("English stop words"),
			German:  wordSetOf("German stop words"),
			French:  wordSetOf("French stop words"),
			Spanish: wordSetOf("Spanish stop words"),
		},
		undecided:   wordSetOf("undecided"),
		grammar:     wordSetOf("other grammar"),
		bases:       basesOf("irregular"),
		germanBases: basesOf("irregular German"),

		germanMonths:   wordsOf("German months"),
		germanWeekdays: wordsOf("German weekdays"),
		englishNumbers: wordsOf("English numbers"),
		germanNumbers:  wordsOf("German numbers"),
	}
})

// wordSetOf tells which words stand in a list.
func wordSetOf(list string) map[string]bool {
	set := make(map[string]bool)
	for _, word := range wordsOf(list) {
		set[word] = true
	}
	return set
}

// basesOf maps the forms of each line to its first word.
func basesOf(names ...string) map[string]string {
	bases := make(map[string]string)
	for _, name := range names {
		for _, line := range linesOf(name) {
			forms := strings.Fields(line)
			for _, form := range forms[1:] {
				bases[form] = forms[0]
			}
		}
	}
	return bases
}
