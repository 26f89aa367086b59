package language

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A full-text index of whole texts is entered as [IndexText] writes them and asked for
// the [Wordings] of a text. Of earlier versions it has texts as they stand.

// mostNumbers bounds the numbers of a text that are looked for in all their writings.
const mostNumbers = 64

// isIndexed reports whether a full-text index takes a character as part of a word.
func isIndexed(r rune) bool { return unicode.In(r, unicode.L, unicode.N, unicode.M) }

// IndexText is a text as a full-text index takes it: folded, a run of a script without
// spaces as the pairs of its characters, and its last one by itself.
func IndexText(text string) string {
	text = FoldText(text)
	if !hasUnspaced(text) {
		return text
	}
	var b strings.Builder
	runes := []rune(text)
	for i, r := range runes {
		b.WriteRune(r)
		switch {
		case !isUnspaced(r) && i+1 < len(runes) && isUnspaced(runes[i+1]):
			b.WriteByte(' ')
		case isUnspaced(r):
			if i+1 < len(runes) && isUnspaced(runes[i+1]) {
				b.WriteRune(runes[i+1])
			}
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// Wording is a word or a number in the ways in which an index may hold it, each one word
// or some side by side. The first is as the text has it.
type Wording []string

// Wordings are the words and numbers of a text, each once.
func Wordings(text string) (list []Wording) {
	spoken := Of(Written(text))
	seen := map[string]bool{}
	add := func(w Wording) {
		if !seen[w[0]] {
			seen[w[0]] = true
			list = append(list, w)
		}
	}
	addWords := func(part string) {
		for word := range strings.FieldsFuncSeq(part, func(r rune) bool { return !isIndexed(r) }) {
			add(wordingOf(strings.ToLower(word), spoken))
		}
	}
	at := 0
	for _, n := range Numbers(text, mostNumbers) {
		addWords(text[at:n.From])
		w := Wording{text[n.From:n.To]}
		for _, parts := range n.Writings[1:] {
			w = append(w, strings.Join(parts, " "))
		}
		add(w)
		at = n.To
	}
	addWords(text[at:])
	return list
}

func wordingOf(word string, spoken Language) Wording {
	w := Wording{word}
	for _, other := range slices.Concat([]string{word}, Spellings(word, spoken), koreanForms(Fold(word))) {
		if other = strings.TrimSpace(withoutLast(IndexText(other))); other != "" && !slices.Contains(w, other) {
			w = append(w, other)
		}
	}
	return w
}

// withoutLast leaves out the last character of a run, with which a text may go on.
func withoutLast(indexed string) string {
	parts := strings.Fields(indexed)
	if last := len(parts) - 1; last > 0 && IsCharacter(parts[last]) && hasUnspaced(parts[last-1]) && !IsCharacter(parts[last-1]) {
		parts = parts[:last]
	}
	return strings.Join(parts, " ")
}

// WithoutWords is a text with a blank for each word that is dropped, by its folded form.
// A clitic is what an apostrophe joins to another word.
func WithoutWords(text string, drop func(word string, clitic bool) bool) string {
	var b strings.Builder
	for rest := text; rest != ""; {
		start := strings.IndexFunc(rest, isIndexed)
		if start < 0 {
			start = len(rest)
		}
		b.WriteString(rest[:start])
		before, _ := utf8.DecodeLastRuneInString(text[:len(text)-len(rest)+start])
		rest = rest[start:]
		end := strings.IndexFunc(rest, func(r rune) bool { return !isIndexed(r) })
		if end < 0 {
			end = len(rest)
		}
		word, behind := rest[:end], rest[end:]
		next, _ := utf8.DecodeRuneInString(behind)
		if rest = behind; word != "" && drop(Fold(word), isApostrophe(before) || isApostrophe(next)) {
			word = " "
		}
		b.WriteString(word)
	}
	return b.String()
}
