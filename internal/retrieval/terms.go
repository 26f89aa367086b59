package retrieval

import (
	"sync"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
)

// Terms gives the index terms of a text in order, with repetitions: its words
// by their stems, irregular forms under their base form.
func Terms(text string) []string {
	terms := Words(text)
	for i, word := range terms {
		terms[i] = Stem(word)
	}
	return terms
}

var environments = sync.Pool{New: func() any { return snowballstem.NewEnv("") }}

// Stem gives the index term of a folded word.
func Stem(word string) string {
	if base, irregular := baseForms[word]; irregular {
		word = base
	}
	if len(word) < 3 || word[0] <= '9' {
		return word
	}
	env := environments.Get().(*snowballstem.Env)
	defer environments.Put(env)
	env.SetCurrent(word)
	english.Stem(env)
	return env.Current()
}
