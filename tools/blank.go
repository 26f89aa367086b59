package tools

import (
	"strings"
	"unicode"
)

// Blank reports whether a text shows nothing: it is empty, or white space and
// characters without a form of their own, such as a zero-width space.
func Blank(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsGraphic(r) && !unicode.IsSpace(r) })
}
