package language

import (
	"slices"
	"strings"
	"unicode"
)

// Naming is how surely a text, or another name, means what bears a name.
type Naming int

// From not at all to surely. All but the last are likely at best.
const (
	NotNamed    Naming = iota
	FirstNamed         // by the first of several names alone
	LongerNamed        // by a name that goes on
	FormNamed          // with or without the legal form of a company
	Respelt            // in another spelling, such as Mueller for Müller
	InsideNamed        // inside a run of a script that sets no spaces
	Named
)

// Name is a name that texts are read for.
type Name struct {
	exact, folded, stem []nameWord
	form                *LegalForm
	person              bool
}

// nameWord is a word of a text, as names are compared.
type nameWord struct {
	text   string
	joined bool // to the word before it, as in Anna-Lena or anna@example.org
	run    bool // it is one character of a run of a script without spaces
	upper  bool // it begins with a capital letter
}

// maxNameWords bounds a name. What has more words is a text, such as a note without a
// title, that nothing else names.
const maxNameWords = 16

// ParseName prepares a name. Persons may be meant by their first names.
func ParseName(name string, person bool) Name {
	if len(nameWords(name)) > maxNameWords {
		return Name{}
	}
	stem, form := SplitLegalForm(name)
	return Name{exact: nameWords(name), folded: foldNameWords(nameWords(name)), stem: foldNameWords(nameWords(stem)), form: form, person: person}
}

// IsBlank tells that there is nothing in the name to find it by.
func (n Name) IsBlank() bool { return len(n.exact) == 0 }

// MatchText tells how a text names it; the surest place counts.
func (n Name) MatchText(text string) Naming {
	if n.IsBlank() {
		return NotNamed
	}
	words := nameWords(text)
	folded := foldNameWords(words)
	best := NotNamed
	for at := range words {
		best = max(best, n.matchAt(words, folded, at))
	}
	return best
}

func (n Name) matchAt(words, folded []nameWord, at int) Naming {
	switch {
	case begins(words[at:], n.exact):
		return n.limitByBoundaries(words, at, len(n.exact), Named)
	case begins(folded[at:], n.folded):
		return n.limitByBoundaries(words, at, len(n.folded), Respelt)
	case n.form != nil && begins(folded[at:], n.stem) && legalFormAt(words, at+len(n.stem)) == nil:
		return n.limitByBoundaries(words, at, len(n.stem), FormNamed)
	case n.person && len(n.exact) > 1 && begins(words[at:], n.exact[:1]) && !continuesName(words, at+1):
		return n.limitByBoundaries(words, at, 1, FirstNamed)
	}
	return NotNamed
}

// limitByBoundaries returns the naming of some words of a text, once what stands around them was seen.
func (n Name) limitByBoundaries(words []nameWord, at, length int, naming Naming) Naming {
	end := at + length
	if inside := words[at].run && words[at].joined || end < len(words) && words[end].run && words[end].joined && !unicode.Is(unicode.Hiragana, []rune(words[end].text)[0]); inside {
		return min(naming, InsideNamed)
	}
	if !words[at].run && (words[at].joined || end < len(words) && words[end].joined && !words[end].run) {
		return NotNamed
	}
	if n.form == nil && legalFormAt(words, end) != nil {
		return min(naming, FormNamed)
	}
	if length == 1 && n.form == nil && !words[at].run && naming >= LongerNamed && continuesName(words, end) {
		return LongerNamed
	}
	return naming
}

// MatchName tells how another name means the same.
func (n Name) MatchName(other string) Naming {
	words := nameWords(other)
	if n.IsBlank() || len(words) == 0 {
		return NotNamed
	}
	stem, form := SplitLegalForm(other)
	switch {
	case equal(words, n.exact):
		return Named
	case equal(foldNameWords(words), n.folded):
		return Respelt
	case (form == nil || n.form == nil) && form != n.form && equal(foldNameWords(nameWords(stem)), n.stem):
		return FormNamed
	case n.person && min(len(words), len(n.exact)) == 1 && words[0].text == n.exact[0].text:
		return FirstNamed
	}
	return NotNamed
}

// SearchTexts are texts whose words, in their order, lead to texts that may hold the name.
func (n Name) SearchTexts() []string {
	var list []string
	add := func(words []nameWord) {
		parts := make([]string, len(words))
		for i, w := range words {
			parts[i] = w.text
			if i > 0 && !(w.run && w.joined) {
				parts[i] = " " + w.text
			}
		}
		if text := strings.Join(parts, ""); text != "" && !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	add(n.exact)
	add(n.folded)
	for _, word := range n.exact {
		for _, other := range OtherSpellings(word.text, Unknown) {
			respelled := respellWords(n.exact, word.text, other)
			add(respelled)
			if n.form != nil && begins(n.folded, n.stem) {
				add(respelled[:len(n.stem)])
			}
		}
	}
	if n.form != nil {
		add(n.stem)
		if begins(n.folded, n.stem) {
			add(n.exact[:len(n.stem)]) // as it is written
		}
	}
	if n.person && len(n.exact) > 1 && !n.exact[0].run {
		add(n.exact[:1])
	}
	return list
}

func respellWords(words []nameWord, from, to string) []nameWord {
	list := slices.Clone(words)
	for i := range list {
		if list[i].text == from {
			list[i].text = to
		}
	}
	return list
}

// continuesName tells whether a name seems to go on with a word.
func continuesName(words []nameWord, at int) bool { return at < len(words) && words[at].upper }

// legalFormAt returns the legal form that a text goes on with, if any.
func legalFormAt(words []nameWord, at int) *LegalForm {
	for n := min(companies().longest, len(words)-at); n > 0; n-- {
		text := ""
		for _, w := range words[at : at+n] {
			text += w.text
		}
		if form := LegalFormOf(text); form != nil {
			return form
		}
	}
	return nil
}

// nameWords splits a text at all that is no letter, digit or mark. Characters of scripts
// without spaces are words.
func nameWords(text string) (list []nameWord) {
	start, between := -1, ""
	runes := []rune(text)
	end := func(at int) {
		if start < 0 {
			return
		}
		word := string(runes[start:at])
		list = append(list, nameWord{text: strings.ToLower(word), upper: unicode.IsUpper(runes[start]), joined: len(list) > 0 && (between == "" || joinsNameWords(between))})
		start, between = -1, ""
	}
	for i, r := range runes {
		switch {
		case isUnspaced(r) && isWordRune(r):
			end(i)
			list = append(list, nameWord{text: string(r), run: true, joined: len(list) > 0 && between == ""})
			between = ""
		case isWordRune(r):
			if start < 0 {
				start = i
			}
		default:
			end(i)
			between += string(r)
		}
	}
	end(len(runes))
	return list
}

// joinsNameWords tells whether what stands between two words makes them one name.
func joinsNameWords(between string) bool {
	return len(between) == 1 && strings.Contains("-_@.", between)
}

// foldNameWords returns words in the letters in which all searches compare, and Mueller as
// Müller.
func foldNameWords(words []nameWord) []nameWord {
	list := slices.Clone(words)
	for i := range list {
		list[i].text = withoutDigraphs(Fold(list[i].text))
	}
	return list
}

func begins(words, with []nameWord) bool {
	return len(with) > 0 && len(words) >= len(with) && equal(words[:len(with)], with)
}

func equal(a, b []nameWord) bool {
	return slices.EqualFunc(a, b, func(x, y nameWord) bool { return x.text == y.text })
}
