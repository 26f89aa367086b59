package redact

import (
	"slices"
	"strings"

	"toolkit/internal/lazyregexp"
)

// findCardsAndAccounts finds what is known by its check digits.
func findCardsAndAccounts(t *text) []span {
	if !strings.ContainsAny(t.whole, "0123456789") {
		return nil
	}
	return append(findCardNumbers(t), findBankAccounts(t)...)
}

// maxCardGroups is how many groups of digits are looked at together: those of a card, and what may follow.
const maxCardGroups = 6

// findCardNumbers finds numbers of payment cards: of the length and the first digits that
// an issuer has, with a right check digit, and no part of something longer.
func findCardNumbers(t *text) (found []span) {
	groups, last := t.findDigitGroups(), 0
	for i, first := range groups {
		if first.start < last {
			continue
		}
		end := i + 1
		for end < len(groups) && end < i+maxCardGroups && canJoinDigits(t.whole[groups[end-1].end:groups[end].start]) {
			end++
		}
		for _, group := range slices.Backward(groups[i:end]) { // a date may follow, or the code on its back
			if isCardNumber(t.whole, first.start, group.end) {
				found, last = append(found, span{first.start, group.end, KindCard}), group.end
				break
			}
		}
	}
	return found
}

// findDigitGroups returns the groups of digits of a text.
func (t *text) findDigitGroups() (groups []span) {
	for at := 0; at < len(t.whole) && !t.isStoppedAfterSteps(); at++ {
		start := at
		for at < len(t.whole) && isDigit(t.whole[at]) {
			at++
		}
		if at > start {
			groups = append(groups, span{start: start, end: at})
		}
	}
	return groups
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// canJoinDigits reports whether two groups of digits may be of one number with this between them.
func canJoinDigits(between string) bool {
	switch between {
	case " ", "  ", ".", "-", "–":
		return true
	}
	return false
}

// The shortest and the longest numbers of cards.
const minCardDigits, maxCardDigits = 13, 19

func isCardNumber(text string, start, end int) bool {
	count := 0
	for i := start; i < end; i++ {
		if isDigit(text[i]) {
			count++
		}
	}
	if count < minCardDigits || count > maxCardDigits {
		return false
	}
	groups := strings.FieldsFunc(text[start:end], func(c rune) bool { return c < '0' || c > '9' })
	number := strings.Join(groups, "")
	return cardNumber().MatchString(number) && cardGroups().MatchString(strings.Join(groups, " ")) && isStandaloneNumber(text, start, end) && passesLuhn(number)
}

var (
	// cardGroups are the groups that digits stand in on cards; the second is that of American Express.
	cardGroups = lazyregexp.New(`^(?:[0-9]+|[0-9]{4} [0-9]{6} [0-9]{4,5}|(?:[0-9]{4} ){2,4}[0-9]{1,4})$`)
	// cardNumber is what issuers begin with, and how many digits follow.
	cardNumber = lazyregexp.New(`^(?:3[47][0-9]{13}|3[0689](?:[0-9]{12}|[0-9]{14})|35[0-9]{14}|4(?:[0-9]{12}|[0-9]{15}|[0-9]{18})|(?:5[1-5]|2[2-7])[0-9]{14}|(?:6[0245]|81)[0-9]{14,17}|[56](?:[0-9]{15}|[0-9]{17,18}))$`)
)

// isStandaloneNumber reports whether a number is not a part of a longer word or number.
func isStandaloneNumber(text string, start, end int) bool {
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
