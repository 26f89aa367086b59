package orientation

import (
	"strings"
	"unicode"
)

// isForeign reports whether a text has more words of another language or script than small
// words of English.
func isForeign(t text) bool {
	foreign := 0
	for _, tok := range t.words() {
		switch w := tok.word; {
		case in("determiners", w) || in("prepositions", w) || in("pronouns", w) || in("copulas", w):
			foreign--
		case in("foreign words", w) || strings.ContainsFunc(w, func(r rune) bool { return r > unicode.MaxASCII && unicode.IsLetter(r) }):
			foreign++
		}
	}
	return foreign > 0
}

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
