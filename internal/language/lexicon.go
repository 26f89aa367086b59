package language

import (
	"strings"
	"sync"

	"toolkit/fixtures"
)

// lists are the lists of words of this package, by their names.
var lists = sync.OnceValue(func() map[string][]string { return fixtures.WordLists("language") })

// readListLines gives the lines of a list.
func readListLines(name string) []string {
	lines, known := lists()[name]
	if !known {
		panic("there is no list of words called " + name) // they are compiled in
	}
	return lines
}

func readListWords(name string) []string {
	return strings.Fields(strings.Join(readListLines(name), " "))
}

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
		bases:       readBaseForms("irregular"),
		germanBases: readBaseForms("irregular German"),

		germanMonths:   readListWords("German months"),
		germanWeekdays: readListWords("German weekdays"),
		englishNumbers: readListWords("English numbers"),
		germanNumbers:  readListWords("German numbers"),
	}
})

// wordSetOf tells which words stand in a list.
func wordSetOf(list string) map[string]bool {
	set := make(map[string]bool)
	for _, word := range readListWords(list) {
		set[word] = true
	}
	return set
}

// readBaseForms maps the forms of each line to its first word.
func readBaseForms(names ...string) map[string]string {
	bases := make(map[string]string)
	for _, name := range names {
		for _, line := range readListLines(name) {
			forms := strings.Fields(line)
			for _, form := range forms[1:] {
				bases[form] = forms[0]
			}
		}
	}
	return bases
}
