package language

import "sync"

// IsWork reports whether an index term is one that prompts are made of, whatever
// the work is about.
func IsWork(term string) bool { return work()[term] }

var work = sync.OnceValue(func() map[string]bool { return makeWordSet(stemsOfList("work")) })

// stemsOfList are the index terms of the words of a list, in English and in German.
func stemsOfList(list string) (terms []string) {
	for _, word := range readListWords(list) {
		terms = append(terms, Stem(word), germanStem(word))
	}
	return terms
}
