package extract

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"toolkit/internal/language"
)

// pattern is a wording that opens a clause. fixtures/words/extract/english.txt explains how
// one is written.
type pattern struct {
	kind Kind
	// manner is where the wording counts: as an answer (to the assistant), in a reply (after a no),
	// confirmed (by the user), with a day by which it is due; or how it does: explicit, once (said
	// once is enough), own (so, and about the speaker in any project), implicit.
	manner   string
	against  bool
	language language.Language
	elements []element
	object   object
	named    bool // what follows begins with a capital letter or a digit
}

// element is one place in a pattern.
type element struct {
	words    []string // alternatives; none for a gap
	optional bool
	gap      int  // words that may stand here at most
	name     bool // a gap for a name
	across   bool // a gap that marks do not end and that may be empty
}

// object is what must follow a pattern.
type object int

const (
	noObject  object = iota
	asSubject        // what follows is part of the subject
	asValue          // what follows is what is said of the subject
)

// Bounds of the gaps: a wider one meets what does not belong together.
const (
	gapWords    = 4
	nameWords   = 3
	acrossWords = 12
)

// anyWord is where patterns stand that open with a gap.
const anyWord = ""

// patterns are all patterns by the words that may open them.
var patterns = sync.OnceValue(func() map[string][]*pattern {
	all := map[string][]*pattern{}
	for name, lines := range lists() {
		head := strings.Fields(name)
		if len(head) != 4 || head[2] != "for" && head[2] != "against" {
			continue
		}
		for _, line := range lines {
			p := compile(line)
			p.kind, p.manner, p.against = Kind(head[0]), head[1], head[2] == "against"
			p.language = languages[head[3]]
			for _, first := range p.openings() {
				all[first] = append(all[first], p)
			}
		}
	}
	return all
})

// languages are those that heads of patterns name.
var languages = map[string]language.Language{"english": language.English, "german": language.German, "french": language.French, "spanish": language.Spanish}

func compile(line string) *pattern {
	p := &pattern{}
	for field := range strings.FieldsSeq(line) {
		var e element
		field, e.optional = strings.CutSuffix(field, "?")
		switch field {
		case "_":
			e.gap = gapWords
		case "@":
			e.gap, e.name = nameWords, true
		case "...":
			e.gap, e.across = acrossWords, true
		case "*":
			p.object = asSubject
			continue
		case "=":
			p.object = asValue
			continue
		case "=@", "*@":
			p.object, p.named = asSubject, true
			if field == "=@" {
				p.object = asValue
			}
			continue
		default:
			e.words = strings.Split(field, "/")
		}
		p.elements = append(p.elements, e)
	}
	return p
}

// openings are the words by which a pattern may begin.
func (p *pattern) openings() (all []string) {
	for _, e := range p.elements {
		if e.gap > 0 {
			return append(all, anyWord)
		}
		all = append(all, e.words...)
		if !e.optional {
			break
		}
	}
	return all
}

// match is a pattern found in a sentence.
type match struct {
	*pattern
	start, end int // the tokens of the pattern itself; what follows is its object
	clause     int // where the clause begins: before a lead-in
}

// matchAt finds the wording that stands at i. Of several the longest is meant.
func (s sentence) matchAt(i int, allowed func(*pattern) bool) (best match, found bool) {
	for _, opening := range []string{s[i].word, anyWord} {
		for _, p := range patterns()[opening] {
			m := match{pattern: p, start: i}
			if allowed(p) && m.fits(s, p.elements, i) && (!found || m.end > best.end || m.end == best.end && m.before(best)) {
				best, found = m, true
			}
		}
	}
	return best, found
}

// before orders wordings of the same length, so that the order of lists decides nothing.
func (m match) before(other match) bool {
	if m.kind != other.kind && m.named != other.named { // "my favourite editor is Helix" is more than a fact
		return other.named
	}
	order := cmp.Or(cmp.Compare(m.rank(), other.rank()), strings.Compare(string(m.kind)+m.manner, string(other.kind)+other.manner))
	return order < 0 || order == 0 && len(m.elements) > len(other.elements)
}

// rank puts first what is kept at once.
func (p *pattern) rank() int {
	switch p.manner {
	case "explicit", "own":
		return 0
	case "once":
		return 1
	}
	return 2
}

// fits tries the rest of a pattern at i.
func (m *match) fits(s sentence, rest []element, i int) bool {
	if len(rest) == 0 {
		m.end = i
		return m.object == noObject || !s.mark(i) && (!m.named || isName(s[i]) || isNumber(s, i))
	}
	e := rest[0]
	switch {
	case e.gap > 0:
		if m.fitsGap(s, e, rest[1:], i) {
			return true
		}
	case i < len(s) && !s[i].aside && slices.Contains(e.words, s[i].word):
		if m.fits(s, rest[1:], i+1) {
			return true
		}
	}
	return e.optional && m.fits(s, rest[1:], i)
}

func (m *match) fitsGap(s sentence, e element, rest []element, i int) bool {
	if e.across && m.fits(s, rest, i) {
		return true
	}
	for k := i; k < min(i+e.gap, len(s)-1); k++ {
		if s[k].mark && !e.across || e.name && !isName(s[k]) {
			return false
		}
		if m.fits(s, rest, k+1) {
			return true
		}
	}
	return false
}

// isNumber takes digits for a value where nothing follows that they could count.
func isNumber(s sentence, i int) bool {
	return isDigit(s[i].word[0]) && !s[i].aside && (s.mark(i+1) || s.hasWord(i+1, i+2, "days and times") > 0 || s.hasWord(i+1, i+2, "now") > 0)
}

// isName takes a word with a capital letter for a name, unless it is one that any sentence may
// begin with.
func isName(t token) bool {
	return t.capital && !t.mark && !t.aside && !language.IsStopWord(t.word)
}
