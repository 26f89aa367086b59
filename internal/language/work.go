package language

import (
	"sync"
)

// IsWork reports whether an index term is one that prompts are made of, whatever
// the work is about.
func IsWork(term string) bool { return work()[term] }

var work = sync.OnceValue(func() map[string]bool {
	items := stemsOf("work")
	knownWords := make(map[string]bool, len(items))
	for _, item := range items {
		knownWords[item] = true
	}
	return knownWords
})

// stemsOf are the index terms of the words of a list, in English and in German.
func stemsOf(list string) (terms []string) {
	for _, word := range readListWords(list) {
		terms = append(terms, Stem(word), germanStem(word))
	}
	return terms
}
