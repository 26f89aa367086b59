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
func findCards(t *text) (found []span) {
	for at := 0; !t.stopsAfterSteps(); {
		run := digitGroups.FindStringIndex(t.whole[at:])
		if run == nil {
			break
		}
		start := at + run[0]
		groups := digitRun.FindAllStringIndex(t.whole[start:at+run[1]], -1)
		at = start + groups[0][1]
		for _, group := range slices.Backward(groups) { // a date may follow, or the code on its back
			if end := start + group[1]; isCard(t.whole, start, end) {
				found, at = append(found, span{start, end, "card number"}), end
				break
			}
		}
	}
	return found
}

// digitGroups are as many groups of digits as a card has, and more of what follows.
var digitGroups = regexp.MustCompile(`[0-9]+(?:(?: {1,2}|[.–-])[0-9]+){0,5}`)

func isCard(text string, start, end int) bool {
	groups := strings.FieldsFunc(text[start:end], func(c rune) bool { return c < '0' || c > '9' })
	number := strings.Join(groups, "")
	return cardNumber.MatchString(number) && cardGroups.MatchString(strings.Join(groups, " ")) && standsAlone(text, start, end) && passesLuhn(number)
}

var (
	// cardGroups are the groups that digits stand in on cards; the second is that of American Express.
	cardGroups = regexp.MustCompile(`^(?:[0-9]+|[0-9]{4} [0-9]{6} [0-9]{4,5}|(?:[0-9]{4} ){2,4}[0-9]{1,4})$`)
	// cardNumber is what issuers begin with, and how many digits follow.
	cardNumber = regexp.MustCompile(`^(?:3[47][0-9]{13}|3[0689](?:[0-9]{12}|[0-9]{14})|35[0-9]{14}|4(?:[0-9]{12}|[0-9]{15}|[0-9]{18})|(?:5[1-5]|2[2-7])[0-9]{14}|(?:6[0245]|81)[0-9]{14,17}|[56](?:[0-9]{15}|[0-9]{17,18}))$`)
)

// standsAlone reports whether a number is not a part of a longer word or number.
func standsAlone(text string, start, end int) bool {
	joins := func(c byte) bool {
		return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c == '/'
	}
	before := start > 0 && (joins(text[start-1]) || (text[start-1] == '.' || text[start-1] == '-') && start > 1 && joins(text[start-2]))
	after := end < len(text) && (joins(text[end]) && text[end] != '/' || (text[end] == '.' || text[end] == '-') && end+1 < len(text) && joins(text[end+1]))
	return !before && !after
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
