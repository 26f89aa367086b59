package redact

import "strings"

// plainSeparators writes what stands between groups, where no line is to break, as on a keyboard.
var plainSeparators = strings.NewReplacer("\u00a0", " ", "\u202f", " ", "\u2010", "-", "\u2011", "-")

// findNumbers finds what is known by its check digits.
func findNumbers(t *text) []span {
	if !strings.ContainsAny(t.whole, "0123456789") {
		return nil
	}
	return append(findCards(t), findAccounts(t)...)
}

// findCards finds numbers of payment cards: of the length and the first digits that
// an issuer has, with a right check digit, and no part of something longer.
func findCards(t *text) []span {
	var found []span
	for start := 0; start < len(t.whole) && !t.stopsAfterSteps(); start++ {
		end, many := scanDigits(t.whole, start)
		if many < minCardDigits {
			start = max(start, end-1)
			continue
		}
		m := [2]int{start, end}
		start = end - 1
		written := plainSeparators.Replace(t.whole[m[0]:m[1]])
		digits := strings.NewReplacer(" ", "", "-", "", ".", "").Replace(written)
		if standsAlone(t.whole, m[0], m[1]) && hasCardGroups(written) && hasIssuerPrefix(digits) && passesLuhn(digits) {
			found = append(found, span{m[0], m[1], "card number"})
		}
	}
	return found
}

// Digits of a card.
const minCardDigits, maxCardDigits = 13, 19

// scanDigits is where digits end, together or in groups, that begin at a place, and how many
// they are.
func scanDigits(text string, at int) (end, many int) {
	for end = at; many < maxCardDigits; {
		next := end
		if many > 0 {
			next += separatorLength(text[end:])
		}
		if next == len(text) || text[next] < '0' || text[next] > '9' {
			break
		}
		end, many = next+1, many+1
	}
	return end, many
}

// separatorLength is how long what stands between two groups is.
func separatorLength(text string) int {
	if text != "" && strings.IndexByte(" .-", text[0]) >= 0 {
		return 1
	}
	for _, mark := range []string{"\u00a0", "\u202f", "\u2010", "\u2011"} {
		if strings.HasPrefix(text, mark) {
			return len(mark)
		}
	}
	return 0
}

// standsAlone reports whether a number is not a part of a longer word or number.
func standsAlone(text string, start, end int) bool {
	joins := func(c byte) bool {
		return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c == '/' || c == '='
	}
	before := start > 0 && (joins(text[start-1]) || (text[start-1] == '.' || text[start-1] == '-') && start > 1 && joins(text[start-2]))
	after := end < len(text) && (joins(text[end]) || (text[end] == '.' || text[end] == '-') && end+1 < len(text) && joins(text[end+1]))
	return !before && !after
}

// hasCardGroups reports whether the groups are those of cards.
func hasCardGroups(written string) bool {
	groups := strings.FieldsFunc(written, func(c rune) bool { return c == ' ' || c == '-' || c == '.' })
	if len(groups) == 1 {
		return true
	}
	if len(groups) == 3 { // American Express
		return len(groups[0]) == 4 && len(groups[1]) == 6 && (len(groups[2]) == 5 || len(groups[2]) == 4)
	}
	for _, g := range groups[:len(groups)-1] {
		if len(g) != 4 {
			return false
		}
	}
	return len(groups) <= 5 && len(groups[len(groups)-1]) <= 4
}

func hasIssuerPrefix(digits string) bool {
	two, four := digits[:2], digits[:4]
	switch n := len(digits); {
	case two == "34" || two == "37":
		return n == 15
	case two == "30" || two == "36" || two == "38" || two == "39":
		return n == 14 || n == 16
	case two == "35":
		return n == 16
	case digits[0] == '4':
		return n == 13 || n == 16 || n == 19
	case "51" <= two && two <= "55", "2221" <= four && four <= "2720":
		return n == 16
	case four == "6011", two == "65", two == "64", two == "62", two == "60", two == "81":
		return n >= 16
	case digits[0] == '5' || digits[0] == '6': // Maestro
		return n == 16 || n == 18 || n == 19
	}
	return false
}

// passesLuhn reports whether the last digit is right, by Luhn.
func passesLuhn(digits string) bool {
	sum := 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0 && strings.Trim(digits, digits[:1]) != ""
}
