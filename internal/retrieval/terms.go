package retrieval

import (
	"sync"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/german"
)

// Terms gives the index terms of a text in order, with repetitions: its words
// by their stems, irregular forms under their base form. A text is taken as
// English unless its function words say that it is German.
func Terms(text string) []string {
	terms := Words(text)
	stem := Stem
	if languageOf(terms) == germanText {
		stem = germanStem
	}
	for i, word := range terms {
		terms[i] = stem(word)
	}
	return terms
}

type language int

const (
	unknownLanguage language = iota
	englishText
	germanText
)

// languageOf counts the function words that only one of the languages has.
func languageOf(words []string) language {
	votes := 0
	for _, word := range words {
		english, german := englishStopWords[word], germanStopWords[word]
		switch {
		case english && !german:
			votes++
		case german && !english && !undecided[word]:
			votes--
		}
	}
	switch {
	case votes > 0:
		return englishText
	case votes < 0:
		return germanText
	}
	return unknownLanguage
}

var environments = sync.Pool{New: func() any { return snowballstem.NewEnv("") }}

// Stem gives the index term of a folded English word: its base form where it is
// irregular, stemmed by Porter's second algorithm.
func Stem(word string) string {
	if base, irregular := baseForms[word]; irregular {
		word = base
	}
	return stemWith(english.Stem, word)
}

func germanStem(word string) string {
	if base, irregular := germanBaseForms[word]; irregular {
		word = base
	}
	return stemWith(german.Stem, word)
}

// stemWith leaves alone what has no ending to lose: short words, and words
// that begin with a digit.
func stemWith(stem func(*snowballstem.Env) bool, word string) string {
	if len(word) < 3 || word[0] <= '9' {
		return word
	}
	env := environments.Get().(*snowballstem.Env)
	defer environments.Put(env)
	env.SetCurrent(word)
	stem(env)
	return env.Current()
}
