package redact

import (
	"regexp"
	"slices"
	"strings"
)

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
		ends := scanGroups(t.whole, start)
		if len(ends) == 0 {
			continue
		}
		next := ends[0]
		for _, end := range slices.Backward(ends) { // a date may follow, or the code on its back
			if isCard(t.whole, start, end) {
				found, next = append(found, span{start, end, "card number"}), end
				break
			}
		}
		start = next - 1
	}
	return found
}

// Digits of a card.
const minCardDigits, maxCardDigits = 13, 19

// scanGroups is where the groups of digits that begin at a place end, until a card has no more.
func scanGroups(text string, at int) (ends []int) {
	for first := at; at < len(text) && at-first < 2*maxCardDigits; {
		end := at + len(text[at:]) - len(strings.TrimLeft(text[at:], digits))
		if end == at {
			break
		}
		ends = append(ends, end)
		if at = end + len(groupSeparator.FindString(text[end:min(len(text), end+4)])); at == end {
			break
		}
	}
	return ends
}

// groupSeparator is what stands between two groups.
var groupSeparator = regexp.MustCompile(`^(?: {1,2}|[.–-])`)

func isCard(text string, start, end int) bool {
	groups := strings.FieldsFunc(text[start:end], func(c rune) bool { return c < '0' || c > '9' })
	number := strings.Join(groups, "")
	return minCardDigits <= len(number) && len(number) <= maxCardDigits && standsAlone(text, start, end) && hasCardGroups(groups) && hasIssuerPrefix(number) && passesLuhn(number)
}

// standsAlone reports whether a number is not a part of a longer word or number.
func standsAlone(text string, start, end int) bool {
	joins := func(c byte) bool {
		return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c == '/' || c == '='
	}
	before := start > 0 && (joins(text[start-1]) || (text[start-1] == '.' || text[start-1] == '-') && start > 1 && joins(text[start-2]))
	after := end < len(text) && (joins(text[end]) && text[end] != '/' || (text[end] == '.' || text[end] == '-') && end+1 < len(text) && joins(text[end+1]))
	return !before && !after
}

// hasCardGroups reports whether the groups are those of cards.
func hasCardGroups(groups []string) bool {
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
