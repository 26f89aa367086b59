package graph

import (
	"unicode"
	"unicode/utf8"
)

// fieldEnd separates the fields of a folded text. The byte never occurs in
// UTF-8, so no query can match across two fields.
const fieldEnd = 0xFF

// appendFolded appends s in the form in which the substring search compares:
// each character in lower case, as JavaScript's toLowerCase does, which the
// official memory server searches with. Two characters are special:
//
//   - İ becomes i and a combining dot above, its full lower case;
//   - Σ and both its small forms become σ, because whether toLowerCase makes a
//     ς depends on the neighbours, and a part of a text has others.
//
// Folding goes character by character, so the fold of a part is always a part
// of the fold; and what toLowerCase().includes() finds, it finds: fold(lower(s))
// = fold(s). Bytes that are not UTF-8 become U+FFFD.
func appendFolded(dst []byte, s string) []byte {
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			dst = append(dst, c)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		switch r {
		case 'İ':
			dst = append(dst, "i\u0307"...)
		case 'Σ', 'ς':
			dst = append(dst, "σ"...)
		default:
			dst = utf8.AppendRune(dst, unicode.ToLower(r))
		}
	}
	return dst
}

// startsWord reports whether no letter, digit or mark stands before position at.
func startsWord(text []byte, at int) bool {
	if at == 0 || text[at-1] == fieldEnd {
		return true
	}
	r, _ := utf8.DecodeLastRune(text[:at])
	return !unicode.In(r, unicode.L, unicode.N, unicode.M)
}
