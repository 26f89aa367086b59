package redact

import (
	"strings"

	account "toolkit/internal/reader/value"

	"toolkit/internal/lazyregexp"
)

// accountShape is how the number of a bank account (IBAN) begins, and more than
// there can be of it.
var accountShape = lazyregexp.New(`(?i)^[A-Z]{2}[0-9]{2}(?:[ -]?[A-Z0-9]){11,30}`)

// longestAccount bounds what that takes in, in bytes.
const longestAccount = 64

// accountLength is how many characters such a number has in a country.
var accountLength = map[string]int{
	"AD": 24, "AE": 23, "AT": 20, "BE": 16, "BG": 22, "CH": 21, "CY": 28, "CZ": 24, "DE": 22, "DK": 18, "EE": 20, "ES": 24, "FI": 18, "FR": 27, "GB": 22, "GR": 27, "HR": 21,
	"HU": 28, "IE": 22, "IL": 23, "IS": 26, "IT": 27, "LI": 21, "LT": 20, "LU": 20, "LV": 21, "MC": 27, "MT": 31, "NL": 18, "NO": 15, "PL": 28, "PT": 25, "RO": 24, "SA": 24,
	"SE": 24, "SI": 19, "SK": 24, "SM": 27, "TR": 26, "UA": 29,
}

// findBankAccounts finds numbers of bank accounts: of the length that their country has,
// with right check digits, and no part of something longer.
func findBankAccounts(t *text) (found []span) {
	for at := 0; at+4 < len(t.whole) && !t.isStoppedAfterSteps(); at++ {
		if !isDigit(t.whole[at+2]) || !isDigit(t.whole[at+3]) || !isLetter(t.whole[at]) || !isLetter(t.whole[at+1]) || at > 0 && (isLetterOrDigitAt(t.whole, at-1) || t.whole[at-1] == '_') {
			continue
		}
		shape := accountShape().FindStringIndex(t.whole[at:min(len(t.whole), at+longestAccount)])
		if shape == nil {
			continue
		}
		end := at + shape[1]
		if last := findIBANEnd(t.whole, at, end); last > 0 && isStandaloneNumber(t.whole, at, last) {
			found = append(found, span{at, last, KindAccount})
		}
		at = end - 1
	}
	return found
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// findIBANEnd returns where the number ends that begins at a place; 0 when it is none.
func findIBANEnd(text string, start, end int) int {
	length, characters := accountLength[strings.ToUpper(text[start:start+2])], ""
	last := start
	for ; last < end && len(characters) < length; last++ {
		if c := text[last]; c != ' ' && c != '-' {
			characters += strings.ToUpper(string(c))
		}
	}
	if _, right := account.ParseIBAN(characters); right && len(characters) == length {
		return last
	}
	return 0
}
