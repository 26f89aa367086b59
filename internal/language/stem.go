package language

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/spanish"
	"golang.org/x/text/unicode/norm"
)

// Terms gives the index terms of a text in order, with repetitions: its words
// by their stems, irregular forms under their base form. A text is taken as
// English unless its function words say that it is in another language.
func Terms(text string) []string { return termsOf(text, normalizeWord) }

// TermsOfEarlierVersions returns the terms of versions that folded fewer letters, which databases hold.
func TermsOfEarlierVersions(text string) []string {
	return termsOf(text, func(word string) string {
		return cmp.Or(ordinalToNumber(foldAsEarlierVersion(word)), normalizeWord(word))
	})
}

func termsOf(text string, fold func(word string) string) []string {
	written := SurfaceWords(text)
	words := make([]string, len(written))
	for i, word := range written {
		words[i] = fold(word)
	}
	lang := DetectLanguage(written)
	for i := range words {
		words[i] = lang.stem(words[i], written[i], fold)
	}
	return words
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
// It takes words folded or as they are written.
func (l Language) Stemmer() func(word string) string {
	return func(word string) string { return l.stem(normalizeWord(word), word, normalizeWord) }
}

// stem gives the index term of a word. The endings of French and Spanish are told by
// their accents: what is left of the word is folded.
func (l Language) stem(word, written string, fold func(string) string) string {
	switch l {
	case German:
		return germanStem(word)
	case French:
		return fold(stemWith(french.Stem, lowerWithAccents(word, written)))
	case Spanish:
		return fold(stemWith(spanish.Stem, lowerWithAccents(word, written)))
	}
	return Stem(word)
}

// lowerWithAccents returns a word in lower case with its accents, and the folded one where it has
// none.
func lowerWithAccents(word, written string) string {
	if IsASCII(written) || len(written) > maxWordRunes {
		return word
	}
	return strings.ToLower(norm.NFC.String(written))
}

// StemForms are the index terms under which a word of a question may stand, which is in a
// language: the English one, for short texts count as English, and that of the
// language; all where that is unknown. One of a surely English question has no other:
// the German stemmer would take the end of many an English noun (player, nurse). A
// Korean noun stands under its particles, and one of an earlier version as that wrote it.
func StemForms(written string, l Language) []string {
	word := normalizeWord(written)
	forms := []string{Stem(word)}
	add := func(form string) {
		if !slices.Contains(forms, form) {
			forms = append(forms, form)
		}
	}
	for _, other := range []Language{German, French, Spanish} {
		if l == other || l == Unknown {
			add(other.stem(word, written, normalizeWord))
		}
	}
	if before := foldAsEarlierVersion(written); before != "" {
		add(Stem(before))
		add(germanStem(before))
	}
	for _, noun := range koreanForms(word) {
		add(Fold(noun))
	}
	return forms
}
