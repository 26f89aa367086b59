package language

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
	stem := Of(terms).Stemmer()
	for i, word := range terms {
		terms[i] = stem(word)
	}
	return terms
}

var environments = sync.Pool{New: func() any { return snowballstem.NewEnv("") }}

// Stem gives the index term of a folded English word: its base form where it is
// irregular, stemmed by Porter's second algorithm.
func Stem(word string) string {
	if base, irregular := known().bases[word]; irregular {
		word = base
	}
	return stemWith(english.Stem, word)
}

func germanStem(word string) string {
	if base, irregular := known().germanBases[word]; irregular {
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

// Stemmer is the stemmer of texts in a language; unknown ones are taken as English.
func (l Language) Stemmer() func(word string) string {
	if l == German {
		return germanStem
	}
	return Stem
}

// Forms gives both stems of a word unless its text is surely English: the German
// stemmer would take the end of many an English noun (player, nurse).
func Forms(word string, l Language) []string {
	forms := []string{Stem(word)}
	if l != English {
		if form := germanStem(word); form != forms[0] {
			forms = append(forms, form)
		}
	}
	return forms
}
