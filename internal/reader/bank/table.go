package bank

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"toolkit/internal/reader/value"
)

// Table is a list as a file has it.
type Table struct {
	Names     []string // of the columns, each once
	Header    []string // as written; empty when the file has none
	Rows      [][]string
	Lines     []int      // of the text that the rows stand in; empty when not known
	Above     [][]string // rows above the list
	Whole     bool       // no row was left out
	Delimiter string     // between the cells, where there is one
	Sure      bool       // it lists an account's movements, whatever its names say
	Card      bool       // it is one of a credit card

	below [][]string // rows below the list
	void  [][]string // rows whose state says that they moved no money
	apart int        // rows with a day below another head

	accounts []string // by row, that titles name; "" for none
	begun    int      // rows that state a balance before movements
}

// strong are the roles whose names only lists of an account's movements have.
var strong = []string{BookingDate, ValueDate, Balance, CounterpartyIBAN, roleDirection, roleDebit, roleCredit, Account, CounterpartyBIC}

// Bounds of the tables that are looked at: a list of movements has a few dozen columns, and
// days in most of its rows.
const (
	widest    = 120
	firstRows = 100
)

// movementList is a table on its way to a statement.
type movementList struct {
	table     Table
	columns   []*column
	around    surroundings
	strong    int  // names of strong roles
	verified  bool // the balances follow from the amounts
	exact     bool // all of them
	owed      bool // they are what is owed
	signs     signs
	rowSigns  []int   // of amounts that say none, by row; 0 where it is not known
	groups    [][]int // rows of one account and currency each, in the file's order
	latest    bool    // the latest row stands first
	undecided string  // why the list cannot be read, "" when it can
	oneAmount *column
	fee       *column // taken off the amount besides; nil where it is not
	debit     *column
	credit    *column
	side      *column // which way the one amount goes
}

// ReadMovements tells whether a table is a list of an account's movements and reads it. When it
// is one by all but what cannot be told, why says what that is: "its amounts have no signs".
func ReadMovements(table Table) (statement Statement, why string, ok bool) {
	if len(table.Rows) == 0 || len(table.Names) < 3 || len(table.Names) > widest {
		return Statement{}, "", false
	}
	table.prepareMovementRows()
	table.cutVoidRows()
	if len(table.Rows) == 0 {
		return Statement{}, fmt.Sprintf("all %d rows say that they moved no money", len(table.void)), false
	}
	l := movementList{table: table, columns: analyzeColumns(table), signs: possibleSigns[0]}
	assignRolesByName(l.columns)
	for _, role := range strong {
		if findColumnWithRole(l.columns, role) != nil {
			l.strong++
		}
	}
	l.around = readLinesAroundTable(table.Above, table.below)
	l.strong += l.around.evidence
	l.assignDateAndStatusRoles()
	l.assignAccountAndSideRoles()
	l.assignCurrencyRole()
	if !l.hasDay() {
		return Statement{}, "", false
	}
	l.groupRowsByAccount()
	nameless := len(l.table.Header) == 0 && l.hasTexts(func(of *column) int { return of.lettered })
	if why = l.chooseAmountColumns(); l.isSalesList() && !l.verified && !l.isBrokerStatement() {
		return Statement{}, "", false
	}
	if why != "" {
		if l.strong == 0 && !l.hasMovementHeads() && !nameless {
			why = ""
		}
		return Statement{}, why, false
	}
	if !table.Sure && !l.isAccountMovements() {
		if nameless && l.oneAmount != nil && l.oneAmount.negative > 0 {
			why = "it has no names of columns that tell"
		}
		return Statement{}, why, false
	}
	if table.begun > 1 && findColumnWithRole(l.columns, Balance) != nil && !l.exact {
		l.undecided = "it lists several accounts one below the other, and nothing tells which of them are owed"
	}
	if why = cmp.Or(l.describeAmbiguousNumbers(), l.undecided); why != "" {
		return Statement{}, why, false
	}
	l.assignDescriptionRole()
	return l.makeStatement(), "", true
}

// isSalesList tells a list of goods, invoices or shares by its names.
func (l *movementList) isSalesList() bool {
	goods := 0
	for _, of := range l.columns {
		if of.role == roleGoods && of.hasNonZeroCell() {
			goods++
		}
	}
	return goods > 1 || goods == 1 && findColumnWithRole(l.columns, Balance, CounterpartyIBAN) == nil
}

// isBrokerStatement tells a list of what moved on the account of a broker: kinds and money in and out beside
// securities.
func (l *movementList) isBrokerStatement() bool {
	if l.oneAmount == nil || l.oneAmount.negative == 0 || l.oneAmount.negative == l.oneAmount.amounts || findColumnWithRole(l.columns, Type, Description) == nil {
		return false
	}
	return slices.ContainsFunc(l.columns, func(of *column) bool { return isListedWord("securities", of.head) })
}

// isJournal tells the books of a business, in which each day as much is debited as is credited.
func (l *movementList) isJournal() bool {
	days, sums := findColumnWithRole(l.columns, Date, BookingDate, ValueDate), map[string]int64{}
	for row, day := range days.cells {
		sums[day] += toTenThousandths(l.debit.values[row].Value) - toTenThousandths(l.credit.values[row].Value)
	}
	return !slices.ContainsFunc(slices.Collect(maps.Values(sums)), func(sum int64) bool { return sum != 0 })
}

func (l *movementList) hasDay() bool {
	return findColumnWithRole(l.columns, Date, BookingDate, ValueDate) != nil
}

// hasMovementHeads tells whether the names are those of a list: who or what for.
func (l *movementList) hasMovementHeads() bool {
	return findColumnWithRole(l.columns, Counterparty, rolePayee, rolePayer, Description) != nil
}

// fewStates is how many states bookings have at most.
const fewStates = 4

// assignDateAndStatusRoles finds days by content where no name tells: the first column of dates is the
// day, the second the day it counts from. Times and states are found as well.
func (l *movementList) assignDateAndStatusRoles() {
	for _, next := range l.columns {
		if next.role != "" || !next.isNearlyAllCells(next.dates) {
			continue
		}
		switch {
		case !l.hasDay():
			next.role = Date
		case findColumnWithRole(l.columns, ValueDate, BookingDate) == nil && len(next.roles) == 0:
			next.role = ValueDate
		}
	}
	for _, next := range l.columns {
		if next.role == "" && len(next.distinct) <= fewStates && findColumnWithRole(l.columns, Status) == nil && slices.ContainsFunc(next.cells, isState) {
			next.role = Status
		}
	}
}

// assignCurrencyRole finds the column of currencies by content where no name tells: the one beside the
// amount, or the only one, be it there twice.
func (l *movementList) assignCurrencyRole() {
	var found []*column
	for index, next := range l.columns {
		switch {
		case next.role == Currency:
			return
		case next.role != "" || !next.canHaveRole(Currency):
		case index+1 < len(l.columns) && l.columns[index+1].role == Amount, index > 0 && l.columns[index-1].role == Amount:
			next.role = Currency
			return
		default:
			found = append(found, next)
		}
	}
	if len(found) > 0 && !slices.ContainsFunc(found, func(of *column) bool { return !slices.Equal(of.cells, found[0].cells) }) {
		found[0].role = Currency
	}
}

// assignAccountAndSideRoles tells the account itself, which is one, from those of others, and finds sides.
func (l *movementList) assignAccountAndSideRoles() {
	own, others := findColumnWithRole(l.columns, Account), findColumnWithRole(l.columns, CounterpartyIBAN)
	for _, next := range l.columns {
		unknown := next.role == "" || next.role == Account || next.role == CounterpartyIBAN
		switch {
		case unknown && next.isNearlyAllCells(next.ibans):
			same := len(next.distinct) == 1 && (next.filled > 2 || next.distinct[l.around.iban])
			switch {
			case same && next.role != CounterpartyIBAN && (own == nil || own == next):
				next.role, own = Account, next
			case !same && next.role != Account && (others == nil || others == next):
				next.role, others = CounterpartyIBAN, next
				l.strong++
			}
		case next.role == "" && next.isNearlyAllCells(next.sides) && len(next.distinct) == 2 && findColumnWithRole(l.columns, roleDirection) == nil:
			next.role = roleDirection
			l.strong++
		case next.role == Type && next.sides > 0 && next.canHaveRole(roleDirection) && next.filled*10 >= len(l.table.Rows)*9:
			l.side = next // most of its kinds are sides
			l.strong++
		}
	}
}

// groupRowsByAccount parts the rows by account, part of it and currency: each has balances of its own.
func (l *movementList) groupRowsByAccount() {
	account, currency := findColumnWithRole(l.columns, Account), findColumnWithRole(l.columns, Currency)
	keys := slices.DeleteFunc(slices.Clone(l.columns), func(of *column) bool {
		return of != account && of != currency && (of.filled < len(of.cells) || !isCalled("part of an account", of.head))
	})
	at := map[string]int{}
	for row := range l.table.Rows {
		key := l.table.accounts[row]
		for _, of := range keys {
			key += of.cells[row] + "\n"
		}
		index, known := at[key]
		if !known {
			index = len(l.groups)
			at[key], l.groups = index, append(l.groups, nil)
		}
		l.groups[index] = append(l.groups[index], row)
	}
}

// isAccountMovements tells whether the columns are those of a list of an account's movements and of
// nothing else: names that only such lists have, balances that follow from the amounts, or
// amounts of both signs beside words.
func (l *movementList) isAccountMovements() bool {
	lettered := l.hasTexts(func(of *column) int { return of.lettered })
	words := l.hasTexts(func(of *column) int { return of.wordy }) || l.verified && lettered // "Baker" is who, where the balances prove the rest
	if l.oneAmount == nil && l.debit == nil {
		return false
	}
	if l.oneAmount == nil { // money out and in, each row one of both
		return l.verified && words || l.strong >= 2 && (lettered || l.hasMovementHeads()) && !l.isJournal()
	}
	if l.verified && (words || l.strong > 0) || l.strong >= 2 {
		return true
	}
	money := l.oneAmount.cents*10 >= l.oneAmount.amounts*9 && l.oneAmount.amounts > 0
	called := l.oneAmount.role == Amount && slices.Contains(l.oneAmount.roles, Amount)
	switch {
	case l.strong == 1:
		return called || l.oneAmount.negative > 0 || l.side != nil
	case called && l.hasMovementHeads():
		return l.oneAmount.negative > 0
	}
	return l.oneAmount.negative > 0 && (words && (money || len(l.table.Header) == 0) || called && lettered)
}

// hasTexts tells whether most cells of a column that may say who or what for are what count
// counts.
func (l *movementList) hasTexts(count func(*column) int) bool {
	return slices.ContainsFunc(l.columns, func(of *column) bool {
		return slices.Contains([]string{"", Description, Counterparty, rolePayee, rolePayer, Type}, of.role) && of.filled > 0 && count(of)*2 >= of.filled && of.filled*2 >= len(l.table.Rows)
	})
}

// describeAmbiguousNumbers says so when nothing tells whether amounts have thousands or decimals: only a
// currency tells, most of which have no three decimals.
func (l *movementList) describeAmbiguousNumbers() string {
	currencies := findColumnWithRole(l.columns, Currency)
	for _, of := range []*column{l.oneAmount, l.debit, l.credit, findColumnWithRole(l.columns, Balance)} {
		if of == nil || of.open == "" {
			continue
		}
		for row, amount := range of.values {
			code := cmp.Or(amount.Currency, of.currency, l.around.fields.text(Currency))
			if code == "" && currencies != nil {
				code = currencies.cells[row]
			}
			if of.isAmount[row] && (code == "" || value.HasThousandths(code)) {
				return fmt.Sprintf("whether its amounts have thousands or decimals cannot be told (%s)", value.DescribeBothReadings(of.open))
			}
		}
		of.open = ""
	}
	return ""
}

// assignDescriptionRole finds who and what for among the columns of words that no name tells.
func (l *movementList) assignDescriptionRole() {
	if findColumnWithRole(l.columns, Counterparty, Description) == nil {
		// "Buchungstext" is the kind beside a purpose, else the purpose.
		if kind := l.findLongestTextColumn(func(of *column) bool { return of.role == Type }); kind != nil {
			kind.role = Description
		}
	}
	if findColumnWithRole(l.columns, Description, Counterparty, rolePayee) != nil {
		return
	}
	free := func(of *column) bool {
		return of.role == "" && of.filled*2 >= len(l.table.Rows) && !of.isNearlyAllCells(of.amounts) && !of.isNearlyAllCells(of.dates)
	}
	if longest := l.findLongestTextColumn(free); longest != nil {
		longest.role = Description
		return
	}
	lettered := slices.DeleteFunc(slices.Clone(l.columns), func(of *column) bool { return !free(of) || of.lettered*2 < of.filled })
	if len(lettered) == 1 {
		lettered[0].role = Description
	}
}

// findLongestTextColumn is the column with the most text of those that hold several words in a cell.
func (l *movementList) findLongestTextColumn(among func(*column) bool) *column {
	var longest *column
	for _, next := range l.columns {
		if next.wordy*2 >= next.filled && among(next) && (longest == nil || next.length > longest.length) {
			longest = next
		}
	}
	return longest
}

// detectDateOrder is how the dates of a column are written: as they show themselves, as those of the
// other columns do, as the days of the statement allow, as the lines around the list are, or as
// the country of the bank writes.
func (l *movementList) detectDateOrder(of *column) value.DateOrder {
	running := value.RunningDays
	if l.verified && findColumnWithRole(l.columns, Balance) != nil {
		running = verifiedDays
	}
	for _, other := range append([]*column{of}, l.columns...) {
		if other == of || other.isNearlyAllCells(other.dates) {
			if order := value.ColumnOrder(other.cells, l.around.span, running); order != value.UnknownOrder {
				return order
			}
		}
	}
	if l.around.order != value.UnknownOrder {
		return l.around.order
	}
	if own := findColumnWithRole(l.columns, Account); l.around.iban != "" || own != nil && own.ibans > 0 {
		return value.DayFirst // as all countries do whose accounts have IBANs
	}
	return value.OrderOfCountry(slices.Concat(append(l.table.Above[:len(l.table.Above):len(l.table.Above)], l.table.Header)...))
}
