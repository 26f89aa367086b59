package language

import (
	"slices"
	"strings"
	"unicode/utf8"

	"toolkit/internal/lazyregexp"
)

// A full-text index of whole texts is entered as [PrepareIndexText] writes them and asked for
// the [Wordings] of a text. Of earlier versions it has texts as they stand.

// maxNumbers bounds the numbers of a text that are looked for in all their writings.
const maxNumbers = 64

// PrepareIndexText is a text as a full-text index takes it: folded, a run of a script without
// spaces as the pairs of its characters, and its last one by itself.
func PrepareIndexText(text string) string {
	text = FoldText(text)
	if !hasUnspaced(text) {
		return text
	}
	var b strings.Builder
	before := ' '
	for _, r := range text {
		switch {
		case isUnspaced(before) && isUnspaced(r):
			b.WriteString(string(r) + " ")
		case isUnspaced(before) || isUnspaced(r):
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		before = r
	}
	return b.String()
}

// Wording is a word or a number in the ways in which an index may hold it, each one word
// or some side by side. The first is as the text has it.
type Wording []string

// Wordings are the words and numbers of a text, each once.
func Wordings(text string) (list []Wording) {
	lang := DetectLanguage(SurfaceWords(text))
	seen := map[string]bool{}
	add := func(w Wording) {
		if !seen[w[0]] {
			seen[w[0]] = true
			list = append(list, w)
		}
	}
	addWords := func(part string) {
		for _, word := range indexedWord().FindAllString(part, -1) {
			add(listWordings(strings.ToLower(word), lang))
		}
	}
	at := 0
	for _, n := range FindNumbers(text, maxNumbers) {
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

func listWordings(word string, lang Language) Wording {
	w := Wording{word}
	for _, other := range slices.Concat([]string{word}, OtherSpellings(word, lang), koreanForms(Fold(word))) {
		if other = strings.TrimSpace(dropTrailingUnspaced(PrepareIndexText(other))); other != "" && !slices.Contains(w, other) {
			w = append(w, other)
		}
	}
	return w
}

// dropTrailingUnspaced leaves out the last character of a run, with which a text may go on.
func dropTrailingUnspaced(indexed string) string {
	parts := strings.Fields(indexed)
	if last := len(parts) - 1; last > 0 && IsUnspacedCharacter(parts[last]) && hasUnspaced(parts[last-1]) && !IsUnspacedCharacter(parts[last-1]) {
		parts = parts[:last]
	}
	return strings.Join(parts, " ")
}

var indexedWord = lazyregexp.New(`[\pL\pN\pM]+`)

// WithoutWords is a text with a blank for each word that is dropped, by its folded form.
// A clitic is what an apostrophe joins to another word.
func WithoutWords(text string, drop func(word string, clitic bool) bool) string {
	var b strings.Builder
	end := 0
	for _, at := range indexedWord().FindAllStringIndex(text, -1) {
		before, _ := utf8.DecodeLastRuneInString(text[:at[0]])
		behind, _ := utf8.DecodeRuneInString(text[at[1]:])
		if drop(Fold(text[at[0]:at[1]]), isApostrophe(before) || isApostrophe(behind)) {
			b.WriteString(text[end:at[0]] + " ")
			end = at[1]
		}
	}
	return b.String() + text[end:]
}
