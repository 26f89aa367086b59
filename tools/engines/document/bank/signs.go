package bank

import (
	"fmt"
	"slices"
	"strings"
)

// signs are what amounts are multiplied by, so that what goes out is negative: those that the
// list calls money out or money in, by a column or by a side, and those that it calls neither.
type signs struct{ out, in, plain int64 }

// possibleSigns are all the ways in which banks write amounts: with the sign or without it,
// seen from the account or from the card.
var possibleSigns = []signs{{out: -1, in: 1, plain: 1}, {out: 1, in: 1, plain: 1}, {out: -1, in: -1, plain: -1}}

// trend is the sign that amounts have as a whole, by their sum and by their number; 0 where
// the two disagree or there are none. Reversals are fewer and less than what they reverse.
func trend(amounts []int64) int64 {
	sum, balance := int64(0), 0
	for _, amount := range amounts {
		sum += amount
		balance += sign(amount)
	}
	switch {
	case sum > 0 && balance >= 0:
		return 1
	case sum < 0 && balance <= 0:
		return -1
	}
	return 0
}

func sign(amount int64) int {
	switch {
	case amount > 0:
		return 1
	case amount < 0:
		return -1
	}
	return 0
}

// signsBySide tells the signs by the amounts that are called money out and money in: out is 0
// where these have no sign in common.
func signsBySide(out, in []int64) signs {
	found := signs{out: -trend(out), in: 1, plain: 1}
	if len(out) == 0 {
		found.out = -1
	}
	if trend(in) < 0 && (found.out < 0 || len(out) == 0) { // all the other way round
		found.in = -1
	}
	return found
}

// sideColumn is the column that says which way each amount goes. A column of kinds is one
// when every cell beside an amount is the word of a side.
func (l *list) sideColumn() *column {
	if side := having(l.columns, roleDirection); side != nil || l.oneAmount == nil {
		return side
	}
	at := slices.IndexFunc(l.columns, func(of *column) bool {
		if of.role != Type || of.sides == 0 || of.sides != of.filled {
			return false
		}
		for row, cell := range of.cells {
			if l.oneAmount.isAmount[row] && cell == "" {
				return false
			}
		}
		return true
	})
	if at < 0 {
		return nil
	}
	l.strong++
	return l.columns[at]
}

// chooseSigns takes the signs from which the balances follow, else those that the list itself
// tells. Without either, undecided says what cannot be told.
func (l *list) chooseSigns(balance *column) {
	l.side = l.sideColumn()
	if balance != nil && l.verify(balance) {
		return
	}
	switch out, in := l.sided(); {
	case l.oneAmount == nil || l.side != nil:
		if l.signs = signsBySide(out, in); l.signs.out == 0 && len(out) > 0 {
			l.undecided = l.either("the amounts that go out are written with a minus and without one, and nothing tells which of them are reversals", out[0])
		}
	case l.oneAmount.negative == 0 && !plusSigned(l.oneAmount):
		l.undecided = l.either("its amounts have no signs and nothing tells what goes out", l.firstAmount())
	default:
		if l.signs.plain = l.cardSign(); l.signs.plain == 0 {
			l.undecided = l.either("it may be one of a credit card, and nothing tells whether purchases are positive or negative", l.firstAmount())
		}
	}
}

// either is why a list is kept as rows, with both readings of one of its amounts.
func (l *list) either(why string, amount int64) string {
	number := float64(max(amount, -amount)) / 10_000
	return fmt.Sprintf("the table looks like a list of an account's movements, but %s (%.2f is money in, or is -%.2f): it is kept as rows", why, number, number)
}

func (l *list) firstAmount() int64 {
	return units(l.oneAmount.values[max(slices.Index(l.oneAmount.isAmount, true), 0)].Value)
}

// sided are the amounts that are called money out and money in.
func (l *list) sided() (out, in []int64) {
	for row := range l.table.Rows {
		switch {
		case l.oneAmount == nil:
			if l.debit.values[row].Value != 0 {
				out = append(out, units(l.debit.values[row].Value))
			}
			if l.credit.values[row].Value != 0 {
				in = append(in, units(l.credit.values[row].Value))
			}
		case l.side == nil || !l.oneAmount.isAmount[row]:
		case is("out", l.side.cells[row]):
			out = append(out, units(l.oneAmount.values[row].Value))
		case is("in", l.side.cells[row]):
			in = append(in, units(l.oneAmount.values[row].Value))
		}
	}
	return out, in
}

func plusSigned(of *column) bool {
	return slices.ContainsFunc(of.cells, func(cell string) bool { return strings.HasPrefix(cell, "+") })
}

// cardSign is -1 for lists of credit cards in which purchases are positive, 1 for all others
// and 0 where one cannot be told from the other. Three things tell a card: words of thanks
// for the payment of its bill, kinds such as "Purchase", and names such as "Card Member". One
// of them alone is no proof, for accounts have them too.
func (l *list) cardSign() int64 {
	var thanked, bought, repaid []int64
	for row := range l.table.Rows {
		amount := units(l.oneAmount.values[row].Value)
		if mentions("repayment", strings.Join(l.table.Rows[row], " ")) {
			thanked = append(thanked, amount)
		}
		for _, of := range l.columns {
			if of.role != Type && of.role != "" {
				continue
			}
			if is("purchase", of.cells[row]) {
				bought = append(bought, amount)
			}
			if is("repaid", of.cells[row]) {
				repaid = append(repaid, amount)
			}
		}
	}
	heads := l.table.Header
	for _, line := range l.table.Above {
		heads = append(heads[:len(heads):len(heads)], line...)
	}
	proofs := 0
	for _, proof := range []bool{trend(thanked) < 0, trend(bought) > 0, slices.ContainsFunc(heads, func(head string) bool { return mentions("card", head) })} {
		if proof {
			proofs++
		}
	}
	byWords := trend(thanked) < 0 || trend(bought) > 0
	switch {
	case trend(thanked) > 0 || trend(bought) < 0:
		if byWords {
			return 0
		}
		return 1
	case proofs > 1 || byWords && trend(repaid) < 0:
		return -1
	case byWords || proofs > 0 && l.oneAmount.negative*2 <= l.oneAmount.amounts:
		return 0
	}
	return 1
}
