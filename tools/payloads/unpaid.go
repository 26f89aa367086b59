package payloads

import (
	"slices"
	"strings"
	"unicode"

	"toolkit/internal/language"
)

// wantsUnpaid reports whether a question asks for invoices that are not paid.
func wantsUnpaid(text string) bool {
	var invoices, unpaid bool
	for _, word := range strings.FieldsFunc(language.FoldLetters(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		begins := func(start string) bool { return strings.HasPrefix(word, start) }
		invoices = invoices || slices.ContainsFunc(payWords()["invoices"], begins)
		unpaid = unpaid || slices.ContainsFunc(payWords()["unpaid"], begins)
	}
	return invoices && unpaid
}
