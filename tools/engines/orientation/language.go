package orientation

import (
	"slices"
	"strings"
	"unicode"
)

var foreignWords = wordSet("foreign words")

// isForeign reports whether a word of the text is of another language or has a letter
// that English lacks.
func isForeign(t text) bool {
	return slices.ContainsFunc(t.words(), func(tok token) bool {
		return foreignWords(tok.word) || strings.ContainsFunc(tok.word, func(r rune) bool { return r > unicode.MaxASCII })
	})
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
func foreignProblem(s sentence) *problem {
	i := s.after(0, foreignLeads)
	p := &problem{class: "removing", sentence: s, from: i, to: i + 1, object: len(s)}
	if n := s.longest(i, foreignPhrases()); n > 0 {
		p.to = i + n
		return p
	}
	if romanceProblems(s.word(i)) {
		return p
	}
	for j := i; !s.ends(j) && s.word(j) != "um"; j++ {
		if germanProblems(s.word(j)) && (j == i || s.ends(j+1) || s.word(j+1) == "und") {
			p.from, p.to = j, j+1
			return p
		}
	}
	return nil
}
