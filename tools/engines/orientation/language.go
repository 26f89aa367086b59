package orientation

import (
	"slices"
	"strings"
	"unicode"
)

// isForeign reports whether a word of the text is of another language or has a letter
// that English lacks.
func isForeign(t text) bool {
	return slices.ContainsFunc(t.words(), func(tok token) bool {
		return in("foreign words", tok.word) || strings.ContainsFunc(tok.word, func(r rune) bool { return r > unicode.MaxASCII })
	})
}

// The problem verbs of neighbouring languages, without accents.

// foreignProblem finds a governing problem verb of German (the first word, or the
// infinitive that closes the clause), French or Spanish (the first verb).
func foreignProblem(s sentence) *problem {
	i := s.after(0, "foreign leads")
	p := &problem{class: "removing", sentence: s, from: i, to: i + 1, object: len(s)}
	if n := s.longest(i, "foreign phrases"); n > 0 {
		p.to = i + n
		return p
	}
	if in("romance problems", s.word(i)) {
		return p
	}
	for j := i; !s.ends(j) && s.word(j) != "um"; j++ {
		if in("german problems", s.word(j)) && (j == i || s.ends(j+1) || s.word(j+1) == "und") {
			p.from, p.to = j, j+1
			return p
		}
	}
	return nil
}
