package embed

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxWordBytes bounds one word. Longer runs of letters (base64, minified code)
// are cut into words of this size, so that hostile input costs no more than
// its length.
const maxWordBytes = 64

// eachWord calls visit with every folded word of the text, in order: lower case,
// without diacritics, ß as ss. Letters and digits form words; an apostrophe inside
// a word is dropped with what follows when that is a contraction's tail ("it's",
// "don't" → "it", "don"). Scripts written without spaces give one word per
// character, and so do symbols such as emoji. Punctuation gives nothing. The slice
// is valid during the call only.
func eachWord(text string, visit func(word []byte)) {
	var storage [maxWordBytes + utf8.UTFMax]byte
	word := storage[:0]
	skipping := false // inside the tail of a contraction
	flush := func() {
		if len(word) > 0 {
			visit(word)
			word = word[:0]
		}
		skipping = false
	}
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			i++
			switch {
			case 'A' <= c && c <= 'Z':
				c += 'a' - 'A'
			case 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
			case c == '\'' && len(word) > 0 && contractionFollows(text[i:]):
				skipping = true
				continue
			default:
				flush()
				continue
			}
			if !skipping {
				word = append(word, c)
			}
		} else {
			r, size := utf8.DecodeRuneInString(text[i:])
			i += size
			switch {
			case r == '’' && len(word) > 0 && contractionFollows(text[i:]):
				skipping = true
				continue
			case unicode.Is(unicode.Mn, r):
				continue // a combining accent belongs to the letter before it
			case standsAlone(r):
				flush()
				word = utf8.AppendRune(word, r)
				flush()
				continue
			case !unicode.IsLetter(r) && !unicode.IsNumber(r):
				flush()
				continue
			case !skipping:
				word = appendFolded(word, r)
			}
		}
		if len(word) >= maxWordBytes {
			word = word[:cutRune(word, maxWordBytes)]
			flush()
		}
	}
	flush()
}

// cutRune returns the greatest length ≤ limit that does not split a rune.
func cutRune(word []byte, limit int) int {
	if len(word) <= limit {
		return len(word)
	}
	for limit > 0 && !utf8.RuneStart(word[limit]) {
		limit--
	}
	return limit
}

// contractions are the tails of English contractions and possessives.
var contractions = []string{"s", "t", "d", "m", "re", "ve", "ll"}

// contractionFollows tells whether the text after an apostrophe starts with
// the tail of an English contraction or possessive.
func contractionFollows(rest string) bool {
	rest = rest[:min(3, len(rest))]
	end := strings.IndexFunc(rest, func(r rune) bool { return r|0x20 < 'a' || r|0x20 > 'z' })
	if end < 0 {
		end = len(rest)
	}
	return slices.Contains(contractions, strings.ToLower(rest[:end]))
}

// appendFolded appends the lower-case base letters of a rune beyond ASCII.
// Canonical decomposition is fixed by Unicode's stability policy, so the
// result does not depend on the version of the tables.
func appendFolded(word []byte, r rune) []byte {
	switch r {
	case 'ß', 'ẞ':
		return append(word, "ss"...)
	case 'æ', 'Æ':
		return append(word, "ae"...)
	case 'œ', 'Œ':
		return append(word, "oe"...)
	case 'ø', 'Ø':
		return append(word, 'o')
	case 'đ', 'Đ':
		return append(word, 'd')
	case 'ł', 'Ł':
		return append(word, 'l')
	}
	var encoded [utf8.UTFMax]byte
	n := utf8.EncodeRune(encoded[:], r)
	decomposition := norm.NFD.Properties(encoded[:n]).Decomposition()
	if decomposition == nil {
		return utf8.AppendRune(word, unicode.ToLower(r))
	}
	for len(decomposition) > 0 {
		part, size := utf8.DecodeRune(decomposition)
		decomposition = decomposition[size:]
		if !unicode.Is(unicode.Mn, part) {
			word = utf8.AppendRune(word, unicode.ToLower(part))
		}
	}
	return word
}

// standsAlone tells whether a rune is a token by itself: ideographs and kana,
// which are written without spaces, and symbols, so that a text of emoji alone
// still has a vector.
func standsAlone(r rune) bool {
	switch {
	case r == utf8.RuneError:
		return false
	case unicode.Is(unicode.So, r):
		return true
	case r < 0x0e00:
		return false
	}
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
