package language

import "sync"

// IsEveryday reports whether an index term says little, whatever it stands in.
func IsEveryday(term string) bool { return everyday()[term] }

// IsWork reports whether an index term is one that prompts are made of, whatever
// the work is about.
func IsWork(term string) bool { return work()[term] }

var work = sync.OnceValue(func() map[string]bool { return stemsOf("work") })

// everyday are the index terms of the everyday words, made at the first search.
var everyday = sync.OnceValue(func() map[string]bool { return stemsOf("everyday") })

func stemsOf(list string) map[string]bool {
	var terms []string
	for _, word := range wordsOf(list) {
		terms = append(terms, Stem(word), germanStem(word))
	}
	return setOf(terms)
}
