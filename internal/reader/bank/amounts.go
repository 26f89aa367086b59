package bank

import (
	"cmp"
	"slices"
)

// chooseAmountColumns finds the column of amounts, or those of money out and in: by name, else by
// the balances, else by being the only one. why says what cannot be told.
func (l *movementList) chooseAmountColumns() (why string) {
	balance := findColumnWithRole(l.columns, Balance)
	l.oneAmount, l.debit, l.credit = findColumnWithRole(l.columns, Amount), findColumnWithRole(l.columns, roleDebit), findColumnWithRole(l.columns, roleCredit)
	if l.oneAmount != nil && l.debit != nil && l.credit != nil {
		l.chooseAmountOrDebitCredit()
	}
	if l.oneAmount == nil && (l.debit == nil || l.credit == nil || l.debit.filled+l.credit.filled == 0) {
		l.debit, l.credit = nil, nil
		candidates := l.listUnassignedMoneyColumns(balance != nil || len(l.table.Header) == 0)
		balances := candidates
		if balance != nil {
			balances = []*column{balance}
		}
		if own := cmp.Or(l.findAmountInAccountCurrency(candidates), l.findAmountAfterFees(candidates)); own != nil {
			candidates = []*column{own}
		}
		switch len(candidates) {
		case 0:
			return ""
		case 1:
			l.oneAmount = candidates[0]
		default:
			why = l.chooseAmountsByBalances(candidates, balances)
		}
		if why != "" {
			return why
		}
		if l.oneAmount != nil {
			l.oneAmount.role = Amount
		}
	}
	l.useCurrencyColumnRightOf(l.oneAmount)
	l.markForeignCurrencyColumn()
	if l.oneAmount != nil && balance == nil {
		if net := l.findAmountAfterFees(append(l.listUnassignedMoneyColumns(true), l.oneAmount)); net != nil {
			l.oneAmount.role, net.role, l.oneAmount = roleGross, Amount, net
			net.roles = append(net.roles, Amount)
		}
	}
	if l.oneAmount != nil || l.debit != nil {
		l.chooseSigns(findColumnWithRole(l.columns, Balance))
	}
	return ""
}

// chooseAmountOrDebitCredit takes columns of money out and in for the amounts, and not a column of amounts beside
// them, where each row fills one of the two: what stands beside may be in the currency of a purchase
// abroad, or without a sign. Where a few rows fill neither, the two have to say something else.
func (l *movementList) chooseAmountOrDebitCredit() {
	rows, missing, other := len(l.oneAmount.cells), 0, false
	for row := range rows {
		amount, out, in := toTenThousandths(l.oneAmount.values[row].Value), toTenThousandths(l.debit.values[row].Value), toTenThousandths(l.credit.values[row].Value)
		switch {
		case out != 0 && in != 0:
			missing += rows
		case out+in != 0:
			other = other || out+in != amount && out+in != -amount
		case l.isDatedRow(row):
			missing++
		}
	}
	if missing*10 > rows || missing > 0 && !other {
		l.debit.role, l.credit.role, l.debit, l.credit = "", "", nil, nil
	} else {
		l.oneAmount.role, l.oneAmount = roleForeign, nil
	}
}

// listUnassignedMoneyColumns are the columns of numbers that no name gives another meaning. Numbers without
// cents may be money where a balance proves it, if there is more than one column, and where the
// only ones have a minus.
func (l *movementList) listUnassignedMoneyColumns(proven bool) []*column {
	var found, whole []*column
	for _, next := range l.columns {
		switch {
		case next.role != "" || !next.isNearlyAllCells(next.amounts):
		case next.cents*2 >= next.amounts || slices.Contains(next.roles, Amount):
			found = append(found, next)
		case proven:
			whole = append(whole, next)
		}
	}
	if len(found) == 0 && (len(whole) > 1 || len(whole) == 1 && whole[0].negative > 0) {
		return whole
	}
	return found
}

// findAmountInAccountCurrency returns the column called an amount whose head names the currency of the account, nil when
// none does: the one that the lines around the list name, or the one in whose rows the amounts are alike.
func (l *movementList) findAmountInAccountCurrency(candidates []*column) *column {
	own, codes := l.around.fields.text(Currency), findColumnWithRole(l.columns, Currency)
	return findFirstColumn(candidates, func(of *column) bool {
		if own != "" || codes == nil || !codes.distinct[of.currency] {
			return own != "" && slices.Contains(of.roles, Amount) && of.currency == own
		}
		differ := func(row int) bool {
			return slices.ContainsFunc(candidates, func(other *column) bool { return other.values[row].Value != of.values[row].Value })
		}
		for row, code := range codes.cells {
			if differ(row) == (code == of.currency) {
				return false
			}
		}
		return true
	})
}

// useCurrencyColumnRightOf takes the currencies behind an amount for those of the account.
func (l *movementList) useCurrencyColumnRightOf(amount *column) {
	next := slices.Index(l.columns, amount) + 1
	if amount == nil || next == len(l.columns) || !l.columns[next].canHaveRole(Currency) || l.columns[next].role != "" {
		return
	}
	if other := findColumnWithRole(l.columns, Currency); other != nil {
		other.role = roleForeign
	}
	l.columns[next].role, l.groups = Currency, nil
	l.groupRowsByAccount()
}

// markForeignCurrencyColumn takes currencies for those of another amount, in which something was bought, where
// the head of the amount names one that they are not, or where they stand beside the other amount.
func (l *movementList) markForeignCurrencyColumn() {
	codes, amount := findColumnWithRole(l.columns, Currency), cmp.Or(l.oneAmount, l.debit)
	if codes == nil || amount == nil {
		return
	}
	named := func() bool {
		return amount.currency != "" && slices.ContainsFunc(codes.cells, func(cell string) bool { return cell != "" && cell != amount.currency })
	}
	beside := func() bool {
		at := slices.Index(l.columns, codes)
		before, after := l.columns[max(at-1, 0)], l.columns[min(at+1, len(l.columns)-1)]
		return len(codes.distinct) > 1 && (l.isForeignAmount(before, amount) || l.isForeignAmount(after, amount) && before != amount)
	}
	if named() || beside() {
		codes.role, l.groups = roleForeign, nil
		l.groupRowsByAccount()
	}
}

// isForeignAmount tells whether a column has the same movements in other currencies: amounts that are not nought,
// with the signs of the amount where it has some.
func (l *movementList) isForeignAmount(of, amount *column) bool {
	if of == amount || of.role != "" && of.role != roleForeign || !of.isNearlyAllCells(of.amounts) || slices.Equal(of.cells, amount.cells) {
		return false
	}
	for row, other := range of.values {
		sign := cmp.Compare(other.Value, 0)
		if of.isAmount[row] && (sign == 0 || l.oneAmount != nil && sign != cmp.Compare(amount.values[row].Value, 0)) {
			return false
		}
	}
	return amount.negative > 0 || of.role == roleForeign
}

// findAmountAfterFees returns the column of those that is another one less the fees of all rows, whether these have
// no signs, those of what goes out or those of what is taken off; nil when there is none.
func (l *movementList) findAmountAfterFees(candidates []*column) *column {
	fee := findColumnWithRole(l.columns, roleFee)
	if fee == nil {
		return nil
	}
	trend, _ := fee.dominantSign(func(int) bool { return true })
	for _, gross := range candidates {
		for _, net := range candidates {
			taken, plain, out, off := false, true, trend < 0, trend > 0
			for row := range net.values {
				less := toTenThousandths(gross.values[row].Value) - toTenThousandths(net.values[row].Value)
				of := toTenThousandths(fee.values[row].Value)
				taken, plain, out, off = taken || less != 0, plain && less == max(of, -of), out && less == -of, off && less == of
			}
			if taken && (plain || out || off) {
				return net
			}
		}
	}
	return nil
}

const openAmount = "which of its columns is the amount cannot be told"

// chooseAmountsByBalances takes the only column, or the only pair of columns, from which the balances of
// one that may hold them follow: all amounts with their signs, or where there are none in either
// direction.
func (l *movementList) chooseAmountsByBalances(candidates, balances []*column) string {
	var found, prior [][2]*column
	for _, balance := range balances {
		for _, amount := range candidates {
			if len(candidates) > 6 || amount == balance || amount.filled*10 < len(amount.cells)*9 {
				continue
			}
			switch chain, ok := l.findBalanceChain(numbersOf(amount), balance); {
			case !ok || amount.negative > 0 && chain.turned > 0 && chain.whole > 0:
			case chain.prior:
				prior = append(prior, [2]*column{amount, balance})
			default:
				found = append(found, [2]*column{amount, balance})
			}
		}
	}
	if len(found) == 0 {
		found = prior
	}
	if len(found) == 1 {
		l.oneAmount, found[0][1].role = found[0][0], Balance
		return ""
	}
	for _, balance := range balances {
		others := slices.DeleteFunc(slices.Clone(candidates), func(of *column) bool { return of == balance })
		if len(found) == 0 && l.chooseDebitCreditPair(others, balance) {
			balance.role = Balance
			return ""
		}
	}
	return openAmount
}

// chooseDebitCreditPair takes two columns of which each row fills one: out and in as the balances say.
func (l *movementList) chooseDebitCreditPair(candidates []*column, balance *column) bool {
	for out := 0; out < 2 && len(candidates) == 2; out++ {
		l.debit, l.credit = candidates[out], candidates[1-out]
		if slices.ContainsFunc(possibleSigns, func(by signs) bool { return l.acceptSignsIfBalanced(balance, by) }) {
			l.debit.role, l.credit.role = roleDebit, roleCredit
			l.strong++
			return true
		}
	}
	l.debit, l.credit = nil, nil
	return false
}

// computeSignedAmounts are the signed amounts of the rows: by their sign, their column or their side.
func (l *movementList) computeSignedAmounts(by signs) []number {
	if l.oneAmount == nil {
		numbers := make([]number, len(l.debit.cells))
		for row := range numbers {
			out, in := toTenThousandths(l.debit.values[row].Value), toTenThousandths(l.credit.values[row].Value)
			numbers[row] = number{by.in*in + by.out*out - l.feeInTenThousandths(row), l.hasAmount(row)}
		}
		return numbers
	}
	numbers := numbersOf(l.oneAmount)
	for row := range numbers {
		next := &numbers[row]
		switch {
		case l.rowSigns != nil:
			next.ok = next.ok && (l.rowSigns[row] != 0 || next.units == 0)
			next.units *= int64(l.rowSigns[row])
		case l.side == nil:
			next.units *= by.plain
		case l.isSide("out", row):
			next.units *= by.out
		case l.isSide("in", row):
			next.units *= by.in
		case by == possibleSigns[0]:
			next.ok = false // nothing tells its sign
		default:
			next.units *= by.plain
		}
		next.units -= l.feeInTenThousandths(row)
	}
	return numbers
}

// isSide tells whether a row is one of money out or in: by the column of sides, or where that
// says neither by the state.
func (l *movementList) isSide(side string, row int) bool {
	cell := l.side.cells[row]
	if state := findColumnWithRole(l.columns, Status); state != nil && !isListedWord("out", cell) && !isListedWord("in", cell) {
		cell = state.cells[row]
	}
	return isListedWord(side, cell)
}

// feeInTenThousandths is the fee of a row that its amount does not hold.
func (l *movementList) feeInTenThousandths(row int) int64 {
	if l.fee == nil {
		return 0
	}
	return max(toTenThousandths(l.fee.values[row].Value), -toTenThousandths(l.fee.values[row].Value))
}

// deductFeesIfBalancesFit takes fees of a column of their own off the amounts where more balances follow then.
func (l *movementList) deductFeesIfBalancesFit(balance *column, sides signs) {
	fee := findColumnWithRole(l.columns, roleFee)
	if fee == nil || balance == nil {
		return
	}
	plain, _ := l.findBalanceChain(l.computeSignedAmounts(sides), balance)
	l.fee = fee
	if net, ok := l.findBalanceChain(l.computeSignedAmounts(sides), balance); !ok || net.turned > 0 || net.fits <= plain.fits {
		l.fee = nil
	}
}

// chooseSignsThatBalance takes the signs from which the balances follow, the likely ones first, and from the
// balances those of amounts that have none. Balances of sides that are told may be what is owed.
// It tells whether the balances follow.
func (l *movementList) chooseSignsThatBalance(balance *column, likely signs) bool {
	if l.acceptSignsIfBalanced(balance, likely) {
		return true
	}
	sided := l.oneAmount == nil || l.side != nil
	if l.owed = sided; sided && l.acceptSignsIfBalanced(balance, likely) {
		return true
	}
	l.owed = false
	return slices.ContainsFunc(possibleSigns, func(by signs) bool { return l.acceptSignsIfBalanced(balance, by) })
}

// acceptSignsIfBalanced takes signs from which the balances follow, else tells that they do not.
func (l *movementList) acceptSignsIfBalanced(balance *column, by signs) bool {
	amounts := l.computeSignedAmounts(by)
	if l.owed {
		for row := range amounts {
			amounts[row].units = -amounts[row].units
		}
	}
	found, ok := l.findBalanceChain(amounts, balance)
	if ok && l.oneAmount != nil && l.oneAmount.hasNoSigns() && !found.either && l.side == nil && balance != nil {
		l.rowSigns = found.signs // where they are not known, none is the sign of the others
	} else if !ok || found.turned > 0 {
		return false
	}
	l.verified, l.exact, l.signs, l.latest = true, found.fits == found.steps, by, found.latest
	for row := range amounts {
		if found.prior && amounts[row].ok {
			balance.values[row].Value += float64(amounts[row].units) / 10_000 // the balance behind it
		}
	}
	return true
}
