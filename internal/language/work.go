package language

import (
	"sync"

	"toolkit/internal/set"
)

// IsWork reports whether an index term is one that prompts are made of, whatever
// the work is about.
func IsWork(term string) bool { return work()[term] }

var work = sync.OnceValue(func() map[string]bool { return stemsOf("work") })

func stemsOf(list string) map[string]bool {
	var terms []string
	for _, word := range wordsOf(list) {
		terms = append(terms, Stem(word), germanStem(word))
	}
	return set.Of(terms)
}
