package value

import "strings"

// ParseIBAN is the international account number that a text is, without its spaces; false when
// its check digits do not say that it is one.
func ParseIBAN(text string) (string, bool) {
	number := strings.ToUpper(strings.Map(func(character rune) rune {
		if character == ' ' || character == '\u00a0' {
			return -1
		}
		return character
	}, strings.TrimPrefix(strings.TrimSpace(text), "IBAN ")))
	if len(number) < 15 || len(number) > 34 {
		return "", false
	}
	rest := 0
	for index, character := range []byte(number[4:] + number[:4]) {
		at := (index + 4) % len(number)
		switch {
		case character >= '0' && character <= '9' && at > 1:
			rest = (rest*10 + int(character-'0')) % 97
		case character >= 'A' && character <= 'Z' && (at < 2 || at > 3):
			rest = (rest*100 + int(character-'A') + 10) % 97
		default:
			return "", false
		}
	}
	return number, rest == 1
}
