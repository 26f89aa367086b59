package redact

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// normalizeCharacters writes a text as a plain keyboard does: without what nobody sees, its letters composed, with
// the digits, blanks and hyphens of ASCII. places is where each byte of that stands in the text, nil where
// nothing changed.
func normalizeCharacters(whole string) (folded string, places []int) {
	if norm.NFC.IsNormalString(whole) && !strings.ContainsFunc(whole, func(c rune) bool { return normalizeCharacter(c) != c }) {
		return whole, nil
	}
	var written strings.Builder
	var parts norm.Iter
	parts.InitString(norm.NFC, whole)
	for !parts.Done() {
		at := parts.Pos()
		written.WriteString(strings.Map(normalizeCharacter, string(parts.Next())))
		for len(places) < written.Len() {
			places = append(places, at)
		}
	}
	return written.String(), append(places, len(whole))
}

// normalizeCharacter returns a character as a plain keyboard writes it; negative: it is not seen.
func normalizeCharacter(c rune) rune {
	switch {
	case c < 0x80:
		return c
	case isInvisible(c), 0x300 <= c && c <= 0x36f:
		return -1
	case unicode.IsDigit(c):
		zero := c
		for unicode.IsDigit(zero - 1) {
			zero--
		}
		return '0' + (c-zero)%10 // ranges of digits begin with a zero
	case 0xff21 <= c && c <= 0xff5a && unicode.IsLetter(c):
		return c - 0xfee0 // as wide as a sign of Chinese
	case unicode.Is(unicode.Zs, c):
		return ' '
	case 0x2010 <= c && c <= 0x2012:
		return '-'
	case c == 'ſ': // which patterns take for a letter in other places than keywords
		return 's'
	}
	return c
}

// originalSpan is where something stands in the text as it was given.
func (t *text) originalSpan(s span) span {
	if t.places == nil || s.start >= s.end {
		return s
	}
	end := s.end
	for end+1 < len(t.places) && t.places[end] == t.places[s.end-1] { // within a letter
		end++
	}
	return span{t.places[s.start], t.places[end], s.kind}
}
