package language

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/german"
)

// readings finds the other word that a form may be of. The index holds each form
// under one word (lives under life, rose under rise), so that a question with the
// other word (live, roses) has to look there too.
type readings struct {
	stem    func(*snowballstem.Env) bool
	bases   map[string]string
	endings []string            // of a word that is spelt like an irregular form
	shared  map[string][]string // irregular forms by the stem that the other word has
}

// They are made at the first question.
var (
	englishReadings = sync.OnceValue(func() *readings { return newReadings(english.Stem, known().bases, "s") })
	germanReadings  = sync.OnceValue(func() *readings { return newReadings(german.Stem, known().germanBases, "en", "s", "es") })
)

func newReadings(stem func(*snowballstem.Env) bool, bases map[string]string, endings ...string) *readings {
	shared := map[string][]string{}
	for form, base := range bases {
		if other := stemWith(stem, form); other != stemWith(stem, base) {
			shared[other] = append(shared[other], form)
		}
	}
	return &readings{stem, bases, endings, shared}
}

// AppendOtherReadings adds to the Forms of a word those of its other readings.
func AppendOtherReadings(forms []string, word string, lang Language) []string {
	forms = englishReadings().appendReadings(appendArabicArticleForm(slices.Clone(forms), word), word, Stem(word))
	if lang == German || lang == Unknown {
		forms = germanReadings().appendReadings(forms, word, germanStem(word))
	}
	return forms
}

// arabicArticle is written as a part of its word.
const arabicArticle = "ال"

// appendArabicArticleForm adds to the forms of an Arabic word the one with the article, or without.
func appendArabicArticleForm(forms []string, word string) []string {
	if r, _ := utf8.DecodeRuneInString(word); !unicode.Is(unicode.Arabic, r) {
		return forms
	}
	if bare, found := strings.CutPrefix(word, arabicArticle); found {
		if utf8.RuneCountInString(bare) < minNounRunes {
			return forms
		}
		return append(forms, bare)
	}
	return append(forms, arabicArticle+word)
}

// minNounRunes is the shortest word that may stand behind an article.
const minNounRunes = 3

// appendReadings adds the readings of a word whose stem, that of its base form, is known.
func (r *readings) appendReadings(forms []string, word, stem string) []string {
	stems, more := []string{stem}, []string{}
	if _, irregular := r.bases[word]; irregular {
		stems = append(stems, stemWith(r.stem, word))
		more = stems[1:]
	}
	for _, stem := range stems {
		for _, form := range r.shared[stem] {
			if r.isSpeltLike(form, stem, word) {
				more = append(more, stemWith(r.stem, r.bases[form]))
			}
		}
	}
	for _, form := range more {
		if !slices.Contains(forms, form) {
			forms = append(forms, form)
		}
	}
	return forms
}

// isSpeltLike reports whether an irregular form may be of the same word as
// another of its stem. One that has an ending is (lives, as lived and living). One
// that has none is spelt like a word itself: its plural belongs to it (roses), but
// a past does not (founded, which the found of find seldom is).
func (r *readings) isSpeltLike(form, stem, word string) bool {
	return form != stem || slices.ContainsFunc(r.endings, func(ending string) bool { return word == form+ending })
}
