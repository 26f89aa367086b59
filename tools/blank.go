package tools

import (
	"strings"
	"unicode"
)

// IsBlank reports whether a text shows nothing: it is empty, or white space and
// characters without a form of their own, such as a zero-width space.
func IsBlank(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsGraphic(r) && !unicode.IsSpace(r) })
}
