package orientation

import (
	"slices"
	"strings"
	"unicode"
)

var (
	englishWords = wordSet("english words")
	loanWords    = wordSet("loan words")
	foreignWords = wordSet("foreign words")
)

// isEnglish reports whether the English rules can be applied: the text does not hold more
// words of another language or script than of English. A text without any tell-tale
// word ("Yoga studio") counts as English.
func isEnglish(t text) bool {
	english, other := 0, 0
	for _, tok := range t.words() {
		switch {
		case englishWords(tok.word):
			english++
		case foreignWords(tok.word) || hasForeignLetter(tok.word):
			other++
		}
	}
	return english >= other
}

// hasForeignLetter recognises words by a letter that English has only in loan words.
func hasForeignLetter(w string) bool {
	return !loanWords(w) && strings.ContainsFunc(w, func(r rune) bool { return r > unicode.MaxASCII && unicode.IsLetter(r) })
}

// The problem verbs of neighbouring languages, without accents.
var (
	germanProblems  = wordSet("german problems")
	romanceProblems = wordSet("romance problems")
	foreignPhrases  = phrases("foreign phrases")
	foreignLeads    = wordSet("foreign leads")
)

// foreignProblem finds a governing problem verb of German (the first word, or the
// infinitive that closes the clause), French or Spanish (the first verb).
func foreignProblem(t text) *problem {
	if len(t.sentences) == 0 {
		return nil
	}
	s := t.sentences[0]
	plain := slices.Clone(s)
	for i := range plain {
		plain[i].word = unaccent(s[i].word)
	}
	i := 0
	for i < len(s)-1 && foreignLeads(plain.word(i)) {
		i++
	}
	p := &problem{class: removing, sentence: s, from: i, to: i + 1, object: i + 1, quote: true}
	if romanceProblems(plain.word(i)) {
		return p
	}
	for _, phrase := range foreignPhrases() {
		if p.to = i + len(phrase); p.to < len(s) && plain.has(i, phrase) {
			return p
		}
	}
	for j := i; !s.ends(j) && s.word(j) != "um"; j++ {
		if germanProblems(plain.word(j)) && (j == i || s.ends(j+1) || s.word(j+1) == "und") {
			p.from, p.to = j, j+1
			return p
		}
	}
	return nil
}
