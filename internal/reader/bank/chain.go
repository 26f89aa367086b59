package bank

import (
	"slices"

	"toolkit/internal/reader/value"
)

// number is the amount of a row; false where the cell has none.
type number struct {
	units int64
	ok    bool
}

func numbersOf(of *column) []number {
	numbers := make([]number, len(of.cells))
	for row := range of.cells {
		numbers[row] = number{toTenThousandths(of.values[row].Value), of.isAmount[row]}
	}
	return numbers
}

// leastSteps is how many balances have to follow from an amount that is not zero before they
// count as proof.
const leastSteps = 2

// findBalanceChain tells whether each balance is the one before it and the amount, from the first row
// to the last or from the last to the first, and the closing balance the opening one and all of
// them. Amounts without signs fit either way: signs has theirs.
func (l *movementList) findBalanceChain(amounts []number, balance *column) (found chain, ok bool) {
	ends := l.statedEndBalances()
	if ends != nil {
		if found, ok = l.findChainBetween(amounts, balance, ends); ok || balance == nil {
			return found, ok
		}
	}
	if balance == nil {
		return found, false
	}
	found, ok = l.findChainBetween(amounts, balance, &[2]number{}) // the ends may be those of another time
	if prior, is := l.findChainOfPriorBalances(amounts, balance); is && !ok {
		return prior, true
	}
	return found, ok
}

// findChainOfPriorBalances tells whether each balance is the one before its movement, as few banks write it, and
// so the one behind the movement before: all of them, with the signs that the amounts have.
func (l *movementList) findChainOfPriorBalances(amounts []number, balance *column) (found chain, ok bool) {
	before := numbersOf(balance)
	for _, latest := range l.possibleRowOrders() {
		found = chain{prior: true, signs: make([]int, len(amounts))}
		for _, rows := range l.groups {
			rows, behind := slices.Clone(rows), make([]number, len(before))
			if latest {
				slices.Reverse(rows)
			}
			for at, row := range rows[1:] {
				behind[rows[at]] = before[row]
			}
			found.countFittingSteps(rows, amounts, behind, &[2]number{before[rows[0]]})
		}
		if found.latest = latest; found.fits >= leastSteps && found.fits == found.steps && found.turned == 0 {
			return found, true
		}
	}
	return found, false
}

// statedEndBalances are the balances before and behind the rows that the lines around a list state; nil where
// there are none, or rows of several accounts.
func (l *movementList) statedEndBalances() *[2]number {
	opening, opened := l.around.fields.number(OpeningBalance)
	closing, closed := l.around.fields.number(ClosingBalance)
	if !opened || !closed || len(l.groups) != 1 {
		return nil
	}
	return &[2]number{{toTenThousandths(opening), true}, {toTenThousandths(closing), true}}
}

func (l *movementList) findChainBetween(amounts []number, balance *column, ends *[2]number) (found chain, ok bool) {
	balances := make([]number, len(amounts))
	least := 1 // its name says what it is
	if balance != nil {
		balances = numbersOf(balance)
		if !slices.Contains(balance.roles, Balance) {
			least = leastSteps
		}
	}
	unsigned := !slices.ContainsFunc(amounts, func(of number) bool { return of.units < 0 })
	for _, latest := range l.possibleRowOrders() {
		tried := chain{latest: latest, signs: make([]int, len(amounts))}
		for _, rows := range l.groups {
			tried.countFittingSteps(rows, amounts, balances, ends)
		}
		same := tried.fits == found.fits && found.signs != nil
		if tried.fits > found.fits || same && tried.turned < found.turned || found.signs == nil {
			found = tried
		}
		found.either = same && (unsigned || tried.turned == found.turned)
	}
	// A few rows may be missing or out of order, but not many.
	return found, found.fits >= least && found.fits*10 >= found.steps*8
}

// possibleRowOrders are the ways in which the rows can follow one another, the latest last or first:
// both, unless their days tell.
func (l *movementList) possibleRowOrders() []bool {
	for _, of := range l.columns {
		if isDay(of.role) {
			if direction := value.DateDirection(of.cells, l.detectDateOrder(of)); direction != 0 {
				return []bool{direction < 0}
			}
		}
	}
	return []bool{false, true}
}

// chain is how balances follow from amounts.
type chain struct {
	latest        bool // the latest movement stands first
	prior         bool // the balances are those before the movements
	either        bool // or last: the balances fit both
	steps, fits   int
	turned, whole int // amounts that had to change their sign, and those that did not
	signs         []int
}

// countFittingSteps goes through the rows of one account, oldest first, from one end to the other.
func (of *chain) countFittingSteps(rows []int, amounts, balances []number, ends *[2]number) {
	before, sum := ends[0], int64(0)
	var since []int // rows behind the last balance: some banks print only the last of a day
	for step := range rows {
		row := rows[step]
		if of.latest {
			row = rows[len(rows)-1-step]
		}
		amount := amounts[row]
		if !amount.ok {
			continue
		}
		sum, since = sum+amount.units, append(since, row)
		if !balances[row].ok {
			continue
		}
		if before.ok && amount.units != 0 {
			of.steps++
			switch balances[row].units - before.units {
			case sum:
				of.addFittingSign(since, 1)
			case amount.units:
				of.addFittingSign([]int{row}, 1)
			case -amount.units:
				of.addFittingSign([]int{row}, -1)
			}
		}
		before, sum, since = balances[row], 0, nil
	}
	if ends[1].ok && before.ok && (len(since) > 0 || before != ends[1]) {
		of.steps++
		if before.units+sum == ends[1].units {
			of.addFittingSign(since, 1)
		}
	}
}

// addFittingSign keeps the sign of amounts from which a balance follows.
func (of *chain) addFittingSign(rows []int, sign int) {
	of.fits++
	if sign < 0 {
		of.turned++
	} else {
		of.whole++
	}
	for _, row := range rows {
		of.signs[row] = sign
	}
}
