package sentence

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// spaceMark stands for a space in pieces.
const spaceMark = "▁"

// normalizer rewrites a text as nmt_nfkc does: compatibility forms are replaced,
// spaces of all kinds become one mark, and a mark stands before the first word.
type normalizer struct {
	trie         trie
	replacements string
}

// normalize returns the text in which pieces are looked up, in valid UTF-8. It is
// empty if the text has nothing but spaces.
func (n *normalizer) normalize(text string) []byte {
	normal := make([]byte, 0, len(text)+len(text)/4+len(spaceMark))
	normal = append(normal, spaceMark...)
	afterSpace := true
	for len(text) > 0 {
		part, size := n.replacePrefix(text)
		text = text[size:]
		if afterSpace {
			part = strings.TrimLeft(part, " ")
		}
		if part == "" {
			continue
		}
		afterSpace = strings.HasSuffix(part, " ")
		for i := range len(part) {
			if part[i] == ' ' {
				normal = append(normal, spaceMark...)
			} else {
				normal = append(normal, part[i])
			}
		}
	}
	for bytes.HasSuffix(normal, []byte(spaceMark)) {
		normal = normal[:len(normal)-len(spaceMark)]
	}
	return normal
}

// replacePrefix returns what the beginning of a text is replaced by, and the
// length of that beginning. The longest key wins; a character without one stays,
// and a byte that is no UTF-8 becomes U+FFFD.
func (n *normalizer) replacePrefix(text string) (part string, size int) {
	walk, value := n.trie.rootCursor(), -1
	for i := range len(text) {
		found, ok := walk.advance(text[i])
		if !ok {
			break
		}
		if found >= 0 && found < len(n.replacements) {
			value, size = found, i+1
		}
	}
	if value >= 0 {
		part, _, _ = strings.Cut(n.replacements[value:], "\x00")
		return part, size
	}
	r, size := utf8.DecodeRuneInString(text)
	if r == utf8.RuneError && size == 1 {
		return string(utf8.RuneError), 1
	}
	return text[:size], size
}
