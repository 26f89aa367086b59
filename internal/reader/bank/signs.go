package bank

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// signs are what amounts are multiplied by, so that what goes out is negative: those that the
// list calls money out or money in, by a column or by a side, and those that it calls neither.
type signs struct{ out, in, plain int64 }

// possibleSigns are all the ways in which banks write amounts: with the sign or without it,
// seen from the account or from the card.
var possibleSigns = []signs{{out: -1, in: 1, plain: 1}, {out: 1, in: 1, plain: 1}, {out: -1, in: -1, plain: -1}}

// dominantSign is the sign that the amounts of some rows of a column have as a whole, by their sum
// and by their number; 0 where the two disagree or there are none. Reversals are fewer and
// less than what they reverse. mixed tells that there are some without one.
func (of *column) dominantSign(among func(row int) bool) (trend int, mixed bool) {
	sum, count := int64(0), 0
	for row, amount := range of.values {
		if amount.Value != 0 && among(row) {
			mixed = true
			sum += toTenThousandths(amount.Value)
			count += cmp.Compare(amount.Value, 0)
		}
	}
	if trend = cmp.Compare(sum, 0); trend*count < 0 {
		trend = 0
	}
	return trend, mixed && trend == 0
}

// dominantSignOfPhrase is the trend of the amounts in rows that mention a phrase of a list.
func (l *movementList) dominantSignOfPhrase(phrases string) int {
	trend, _ := l.oneAmount.dominantSign(func(row int) bool { return mentionsListedPhrase(phrases, strings.Join(l.table.Rows[row], " ")) })
	return trend
}

// chooseSigns takes the signs from which the balances follow, else those that the list itself
// tells. Without either, undecided says what cannot be told.
func (l *movementList) chooseSigns(balance *column) {
	if side := findColumnWithRole(l.columns, roleDirection); side != nil {
		l.side = side
	}
	sides, why := l.signsOfSides()
	l.deductFeesIfBalancesFit(balance, sides)
	switch {
	case l.chooseSignsThatBalance(balance, sides):
		why = l.detectOwedBalances()
	case l.oneAmount == nil || l.side != nil:
		l.signs = sides
	case l.oneAmount.hasNoSigns():
		why = "its amounts have no signs and nothing tells what goes out"
	default:
		if l.signs.plain = l.detectCardSignConvention(); l.signs.plain == 0 {
			why = openCard
		}
	}
	if why != "" {
		amounts := l.computeSignedAmounts(signs{1, 1, 1})
		at := slices.IndexFunc(amounts, func(of number) bool { return of.units != 0 })
		sample := math.Abs(float64(amounts[max(at, 0)].units) / 10_000)
		l.undecided = fmt.Sprintf("%s (%.2f is money in, or is -%.2f)", why, sample, sample)
	}
}

const openCard = "it may be one of a credit card, and nothing tells whether purchases are positive or negative"

// detectOwedBalances tells from the amounts whether the balances that follow from them are what is owed.
func (l *movementList) detectOwedBalances() (why string) {
	if l.owed && !l.table.Sure && !l.isCards() {
		return "its balances rise with what it calls money out, as those of a card do and those in books"
	}
	if l.oneAmount == nil || l.oneAmount.negative == 0 || l.side != nil {
		return ""
	}
	card := l.detectCardSignConvention()
	switch {
	case l.signs.plain > 0 && card < 0 && !l.table.Card:
		return "it is one of a credit card, and nothing tells whether its balances are what is owed"
	case l.signs.plain*card < 0:
		l.signs.plain, l.owed = card, true
	case card == 0 && findColumnWithRole(l.columns, Balance) == nil && l.statedEndBalances()[1].units > 0: // which may be owed
		return openCard
	}
	return ""
}

// signsOfSides are the signs of lists that tell sides, by columns or by words: what goes out has
// a minus or none, which most of it says. Where it does not, why says so.
func (l *movementList) signsOfSides() (by signs, why string) {
	by = possibleSigns[0]
	if l.oneAmount != nil && l.side == nil {
		return by, ""
	}
	all := func(int) bool { return true }
	outward, inward, isOut, isIn := l.debit, l.credit, all, all
	if l.oneAmount != nil {
		outward, inward = l.oneAmount, l.oneAmount
		isOut, isIn = func(row int) bool { return isListedWord("out", l.side.cells[row]) }, func(row int) bool { return isListedWord("in", l.side.cells[row]) }
	}
	out, mixed := outward.dominantSign(isOut)
	in, _ := inward.dominantSign(isIn)
	switch {
	case mixed:
		return by, "the amounts that go out are written with a minus and without one, and nothing tells which of them are reversals"
	case in < 0 && out >= 0: // all the other way round
		return signs{-1, -1, -1}, ""
	case out < 0, out == 0 && outward.negative > 0: // amounts have their signs
		by.out = 1
	}
	return by, ""
}

// detectCardSignConvention is -1 for lists of credit cards in which purchases are positive, 1 for all others
// and 0 where one cannot be told from the other. Three things tell a card: words of thanks
// for the payment of its bill, kinds such as "Purchase", and names such as "Card Member". One
// of them alone is no proof, for accounts have them too, unless the thanks are for a payment
// received.
func (l *movementList) detectCardSignConvention() int64 {
	kinds := func(words string) (trend int) {
		trend, _ = l.oneAmount.dominantSign(func(row int) bool {
			return slices.ContainsFunc(l.columns, func(of *column) bool { return (of.role == Type || of.role == "") && isListedWord(words, of.cells[row]) })
		})
		return trend
	}
	thanked, _ := l.oneAmount.dominantSign(func(row int) bool {
		received := slices.ContainsFunc(l.columns, func(of *column) bool { return isListedWord("payment received", of.cells[row]) })
		return received || mentionsListedPhrase("repayment", strings.Join(l.table.Rows[row], " "))
	})
	bought := kinds("purchase")
	named := l.isCards()
	byThanks, byKinds := thanked < 0, bought > 0
	mostOut := l.oneAmount.negative*2 > l.oneAmount.amounts
	switch {
	case (thanked > 0 || bought < 0) && (byThanks || byKinds):
		return 0
	case thanked > 0 || bought < 0:
		return 1
	case l.dominantSignOfPhrase("payment acknowledged") < 0: // whoever pays does not acknowledge that he was paid
		return -1
	case byThanks && byKinds, (byThanks || byKinds) && (named || kinds("repaid") < 0), named && !mostOut && l.dominantSignOfPhrase("repaid") < 0:
		return -1
	case byThanks, byKinds, named && !mostOut, l.isMostlyIncoming():
		return 0
	}
	return 1
}

// isCards tells whether the paper, the lines above the list or its heads name a card.
func (l *movementList) isCards() bool {
	return l.table.Card || slices.ContainsFunc(append(l.table.Above[:len(l.table.Above):len(l.table.Above)], l.table.Header), func(cells []string) bool {
		return slices.ContainsFunc(cells, func(cell string) bool { return mentionsListedPhrase("card", cell) })
	})
}

// hasNoSigns tells whether none of the amounts has a sign.
func (of *column) hasNoSigns() bool {
	return of.negative == 0 && !slices.ContainsFunc(of.cells, func(cell string) bool { return strings.HasPrefix(cell, "+") })
}

// fewAmounts are too few to tell how most of them go.
const fewAmounts = 4

// isMostlyIncoming tells whether most amounts would come in, as on an account of sales or as on a card
// whose purchases are positive, and nothing says that it is an account: no income that cards
// never have, no accounts of others, no fees of sales.
func (l *movementList) isMostlyIncoming() bool {
	if l.dominantSignOfPhrase("income") > 0 || findColumnWithRole(l.columns, CounterpartyIBAN, roleFee, roleGross) != nil {
		return false
	}
	return l.oneAmount.amounts >= fewAmounts && l.oneAmount.negative*3 <= l.oneAmount.amounts
}
