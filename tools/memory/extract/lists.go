package extract

import (
	"fmt"
	"strings"
	"sync"

	"toolkit/fixtures"
)

// lists are read when the first turn is: most starts of the program extract nothing.
var lists = sync.OnceValue(func() map[string][]string { return fixtures.WordLists("extract") })

// guards are the lists that are no patterns, each in the three forms in which rules ask.
var guards = sync.OnceValue(func() map[string]guard {
	all := map[string]guard{}
	for name, lines := range lists() {
		g := guard{words: map[string]bool{}, phrases: map[string][][]string{}, table: map[string]string{}}
		for _, line := range lines {
			keys, value, mapped := strings.Cut(line, ": ")
			fields := strings.Fields(keys)
			for _, word := range fields {
				g.words[word] = true
				if mapped {
					g.table[word] = value
				}
			}
			g.phrases[fields[0]] = append(g.phrases[fields[0]], fields)
		}
		all[name] = g
	}
	return all
})

type guard struct {
	words   map[string]bool       // every word of the list
	phrases map[string][][]string // every line, by its first word
	table   map[string]string     // of lines "word word: value"
}

func list(name string) guard {
	g, ok := guards()[name]
	if !ok {
		panic(fmt.Sprintf("no list of words is called %q", name)) // the lists are compiled in
	}
	return g
}

func words(name string) map[string]bool   { return list(name).words }
func table(name string) map[string]string { return list(name).table }

// phraseAt gives the length of the longest phrase of a list that stands at i, 0 for none.
func (s sentence) phraseAt(i int, name string) int {
	longest := 0
	if i < len(s) {
		for _, phrase := range list(name).phrases[s[i].word] {
			if len(phrase) > longest && s.has(i, phrase) {
				longest = len(phrase)
			}
		}
	}
	return longest
}

// hasWord finds the first of the speaker's own words from i to j that stands in a list, else -1.
func (s sentence) hasWord(i, j int, name string) int {
	set := words(name)
	for ; i < min(j, len(s)); i++ {
		if !s[i].mark && !s[i].aside && set[s[i].word] {
			return i
		}
	}
	return -1
}

// hasPhrase finds the first phrase of a list from i to j, else -1.
func (s sentence) hasPhrase(i, j int, name string) int {
	for ; i < min(j, len(s)); i++ {
		if s.phraseAt(i, name) > 0 {
			return i
		}
	}
	return -1
}
