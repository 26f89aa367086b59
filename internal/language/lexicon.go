package language

import (
	"strings"
	"sync"

	"toolkit/fixtures"
	"toolkit/internal/set"
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
	stopWords                 map[Language]map[string]bool
	undecided, grammar, light map[string]bool

	bases, germanBases, vectorBases map[string]string

	germanMonths, germanWeekdays  []string
	englishNumbers, germanNumbers []string
}

// known is made at the first word: a start does not wait for it.
var known = sync.OnceValue(func() lexicon {
	return lexicon{
		stopWords: map[Language]map[string]bool{
			English: set.Of(wordsOf("English stop words")),
			German:  set.Of(wordsOf("German stop words")),
			French:  set.Of(wordsOf("French stop words")),
			Spanish: set.Of(wordsOf("Spanish stop words")),
		},
		undecided:   set.Of(wordsOf("undecided")),
		grammar:     set.Of(wordsOf("other grammar")),
		light:       set.Of(wordsOf("light words")),
		bases:       basesOf("irregular", "irregular in the index"),
		germanBases: basesOf("irregular German"),
		vectorBases: basesOf("irregular", "irregular in vectors"),

		germanMonths:   wordsOf("German months"),
		germanWeekdays: wordsOf("German weekdays"),
		englishNumbers: wordsOf("English numbers"),
		germanNumbers:  wordsOf("German numbers"),
	}
})

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
