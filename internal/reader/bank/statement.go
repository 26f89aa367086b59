package bank

import (
	"cmp"
	"slices"
	"strings"

	"toolkit/internal/reader/value"
)

// makeStatement makes movements of the rows of a list.
func (l *movementList) makeStatement() Statement {
	statement := Statement{Fields: l.around.fields, Owed: l.owed}
	orders, dates := map[*column]value.DateOrder{}, &movementDates{}
	for _, of := range l.columns {
		if isDay(of.role) {
			orders[of] = l.detectDateOrder(of)
		}
	}
	below := l.table.below
	unread := l.countAmounts(below)
	unsettled := l.newestRowsWithoutBalance()
	for row, amount := range l.computeSignedAmounts(l.signs) {
		awaited := l.isRowBookedLater(row)
		if !l.isDatedRow(row) && !awaited || !l.hasAmount(row) {
			below = append(below, l.table.Rows[row])
			if l.isDatedRow(row) || l.hasAmount(row) {
				unread++
			}
			continue
		}
		movement := l.makeMovement(row, amount.units, orders, dates)
		movement.Pending = unsettled[row] || awaited || IsPending(movement.Fields.text(Status))
		if unsettled[row] || awaited {
			movement.Fields.replace(Status, "pending") // as camt calls it
		}
		if fee := l.feeInTenThousandths(row); amount.units != -fee { // else it is nothing but its fee
			amount.units, movement.fee = amount.units+fee, fee
		}
		if amount.ok {
			movement.Fields[Amount] = float64(amount.units) / 10_000
		}
		statement.Movements = append(statement.Movements, movement)
	}
	l.readLinesBelowTable(&statement, append(below, l.table.void...))
	l.setBalancesFromMovements(&statement)
	l.setCommonFields(&statement)
	l.addWarnings(&statement, len(unsettled), unread)
	dates.warnOfAmbiguousDates(&statement)
	statement.completeAndCheckMovements(l.table.Whole)
	return statement
}

// addWarnings tells of rows that are no movements, of movements that are in no balance and of balances that
// do not follow.
func (l *movementList) addWarnings(statement *Statement, rowsWithoutBalance, unread int) {
	if count := len(l.table.void); count > 0 {
		statement.warn("%d rows say that they moved no money (failed, refused or cancelled); they are no movements and stay in the text", count)
	}
	statement.warnOfPending(rowsWithoutBalance)
	if rowsWithoutBalance > 0 {
		statement.warn("the %d newest movements have no balance yet, as all others have: they were taken for pending", rowsWithoutBalance)
	}
	if l.table.apart > 0 {
		statement.warn("%d rows with a day stand below another head or a title; they were taken for no movements of this list", l.table.apart)
	}
	if unread > 0 {
		statement.warn("%d rows have a day without an amount or an amount without a day; they are no movements and stay in the text", unread)
	}
	balance := findColumnWithRole(l.columns, Balance)
	if statement.Misfits = l.verified && !l.exact || !l.verified && balance != nil && balance.filled > 1; !l.verified && balance != nil && balance.filled > 2 {
		statement.warn("the balances of the column %q do not follow from the amounts", balance.name)
	}
	if l.owed {
		statement.warn("the statement is one of a credit card: its balances are what is owed")
	}
}

func isDay(role string) bool { return role == Date || role == BookingDate || role == ValueDate }

func (l *movementList) isDatedRow(row int) bool {
	return slices.ContainsFunc(l.columns, func(of *column) bool {
		return isDay(of.role) && value.IsDate(of.cells[row])
	})
}

// isRowBookedLater tells whether a word stands in the place of a row's day that says that it is booked later.
func (l *movementList) isRowBookedLater(row int) bool {
	return !l.isDatedRow(row) && slices.ContainsFunc(l.columns, func(of *column) bool {
		return isDay(of.role) && isState(of.cells[row]) && !isVoid(of.cells[row])
	})
}

func (l *movementList) hasAmount(row int) bool {
	return l.feeInTenThousandths(row) != 0 || slices.ContainsFunc([]*column{l.oneAmount, l.debit, l.credit}, func(of *column) bool { return of != nil && of.isAmount[row] })
}

// newestRowsWithoutBalance are the newest rows, where they alone have no balance: they are in none yet.
func (l *movementList) newestRowsWithoutBalance() map[int]bool {
	balance := findColumnWithRole(l.columns, Balance)
	if balance == nil || !l.verified || balance.filled == len(balance.cells) || balance.filled*2 < len(balance.cells) || len(l.groups) != 1 {
		return nil
	}
	count, rows := len(balance.cells)-balance.filled, map[int]bool{}
	for step := range count {
		row := step
		if !l.latest {
			row = len(balance.cells) - 1 - step
		}
		if balance.cells[row] != "" {
			return nil
		}
		rows[row] = true
	}
	return rows
}

// countAmounts counts the rows below the list that have an amount.
func (l *movementList) countAmounts(below [][]string) (count int) {
	for index, of := range l.columns {
		for _, row := range below {
			if (of == l.oneAmount || of == l.debit || of == l.credit) && index < len(row) {
				if _, ok := value.ParseAmount(row[index], of.numbers); ok {
					count++
				}
			}
		}
	}
	return count
}

// makeMovement is what a row says, but for the amount, whose sign tells whose name is the other's.
func (l *movementList) makeMovement(row int, amount int64, orders map[*column]value.DateOrder, dates *movementDates) Movement {
	fields := Fields{}
	movement := Movement{Fields: fields}
	if row < len(l.table.Lines) {
		movement.Line = l.table.Lines[row]
	}
	var description []string
	var others []*column
	for _, of := range l.columns {
		cell := of.cells[row]
		if cell == "" {
			continue
		}
		switch of.role {
		case Date, BookingDate, ValueDate:
			if dates.order = orders[of]; !isState(cell) {
				dates.setDay(fields, of.role, cell)
			}
		case Time:
			fields[Time] = value.TimeOf(cell)
		case Amount, roleDebit, roleCredit, roleDirection:
			if of.isAmount[row] {
				fields.setIfAbsent(Currency, of.values[row].StatedCurrency())
			}
		case Balance, roleFee:
			l.setNumberField(fields, of.role, of, row)
		case Currency:
			fields[Currency] = cell
		case Description:
			description = append(description, strings.Join(strings.Fields(cell), " "))
		case CounterpartyBIC:
			fields.setCounterpartyBank(cell)
		case CounterpartyIBAN:
			fields.setIBANOrAccountNumber(cell, CounterpartyIBAN, CounterpartyAccount)
		case Account:
			number, ok := value.ParseIBAN(cell)
			if !ok {
				number = cell
			}
			fields[Account] = number
		case rolePayee, rolePayer, "", roleGross, roleForeign, roleGoods:
			others = append(others, of)
		default:
			fields.setIfAbsent(of.role, cell)
		}
	}
	fields.setIfAbsent(Account, l.table.accounts[row])
	fields.setIfAbsent(Description, strings.Join(description, " "))
	l.setCounterpartyAndCurrency(fields, row, amount)
	fields.setOtherColumns(others, row)
	return movement
}

func (l *movementList) setNumberField(fields Fields, name string, of *column, row int) {
	if of.isAmount[row] && of.open == "" {
		fields.setIfAbsent(name, of.values[row].Value)
	} else {
		fields.setIfAbsent(of.name, of.cells[row])
	}
}

// setCounterpartyAndCurrency sets who the money went to, or came from, of two columns of names.
func (l *movementList) setCounterpartyAndCurrency(fields Fields, row int, amount int64) {
	payee, payer := findColumnWithRole(l.columns, rolePayee), findColumnWithRole(l.columns, rolePayer)
	switch {
	case payee != nil && (payer == nil || amount < 0):
		fields.setIfAbsent(Counterparty, payee.cells[row])
	case payer != nil && (payee == nil || amount > 0):
		fields.setIfAbsent(Counterparty, payer.cells[row])
	}
	fields.setIfAbsent(Currency, l.currencyOfHead())
}

func (l *movementList) currencyOfHead() string {
	for _, of := range []*column{l.oneAmount, l.debit, l.credit, findColumnWithRole(l.columns, Balance)} {
		if of != nil && of.currency != "" {
			return of.currency
		}
	}
	return l.around.fields.text(Currency)
}

// setOtherColumns keeps the cells of the columns that no field is made of, under their own names: nothing
// of a row is lost.
func (fields Fields) setOtherColumns(others []*column, row int) {
	for _, of := range others {
		cell := of.cells[row]
		if cell == fields.text(Counterparty) && of.role != "" {
			continue
		}
		name := of.name
		if _, taken := fields[name]; taken {
			name += "_column"
		}
		fields[name] = cell
	}
}

// readLinesBelowTable keeps what the lines behind the list say of its account.
func (l *movementList) readLinesBelowTable(statement *Statement, lines [][]string) {
	const most = 50
	for _, line := range lines[:min(len(lines), most)] {
		l.around.readAccountFieldsFromLine(splitCellsIntoLabelAndValue(line))
		if said := strings.Join(splitCellsIntoLabelAndValue(line), ": "); said != "" {
			statement.Other = append(statement.Other, said)
		}
	}
}

// setBalancesFromMovements sets the opening and closing balance from the balances of the rows, where these
// follow from the amounts and are of one account.
func (l *movementList) setBalancesFromMovements(statement *Statement) {
	movements := slices.DeleteFunc(slices.Clone(statement.Movements), func(movement Movement) bool { return movement.Pending })
	if !l.verified || len(l.groups) != 1 || len(movements) == 0 || !l.table.Whole {
		return
	}
	first, last := movements[0], movements[len(movements)-1]
	if l.latest {
		first, last = last, first
	}
	balance, known := first.Fields.number(Balance)
	amount, ok := first.Fields.number(Amount)
	moved := toTenThousandths(amount) - first.fee
	if l.owed {
		moved = -moved
	}
	if known && ok {
		statement.setBalanceIfAbsent(OpeningBalance, float64(toTenThousandths(balance)-moved)/10_000, first.Place)
	}
	if closing, known := last.Fields.number(Balance); known {
		statement.setBalanceIfAbsent(ClosingBalance, closing, last.Place)
	}
}

// setCommonFields sets what all movements say alike of the account.
func (l *movementList) setCommonFields(statement *Statement) {
	if slices.Max(l.table.accounts) != "" { // what stands above is of the first of them
		for _, movement := range statement.Movements {
			movement.Fields.setIfAbsent(Account, cmp.Or(statement.Fields.text(AccountIBAN), statement.Fields.text(AccountNumber)))
		}
		for _, name := range []string{OpeningBalance, ClosingBalance, Balance, "balance_date", AccountIBAN, AccountNumber} {
			delete(statement.Fields, name)
		}
	}
	for _, name := range []string{Currency, Account} {
		same := ""
		if len(statement.Movements) > 0 {
			same = statement.Movements[0].Fields.text(name)
		}
		switch {
		case slices.ContainsFunc(statement.Movements, func(movement Movement) bool { return movement.Fields.text(name) != same }):
		case name == Account:
			statement.Fields.setIBANOrAccountNumber(same, AccountIBAN, AccountNumber)
		default:
			statement.Fields.setIfAbsent(name, same)
		}
	}
}

// verifiedDays is how many days tell their order by running up or down in a list whose
// balances show that its rows are sorted.
const verifiedDays = 3

// movementDates is how a list writes its dates, and how many dates stay open.
type movementDates struct {
	order     value.DateOrder
	ambiguous int
	first     string // of them
	unread    int
}

// setDay keeps a date; one whose day and month cannot be told apart stays as written.
func (read *movementDates) setDay(fields Fields, name, text string) {
	if strings.Trim(text, "- ") == "" {
		return
	}
	date, ok := value.ParseDate(text, read.order)
	switch {
	case !ok:
		read.unread++
		fields.setIfAbsent(name, text)
	case date.Ambiguous:
		if read.ambiguous++; read.ambiguous == 1 {
			read.first = text
		}
		fields.setIfAbsent(name, text)
	default:
		fields.setIfAbsent(name, date.ISO)
		fields.setIfAbsent(Time, parseTimeUnlessMidnight(text))
	}
}

// warnOfAmbiguousDates tells once of the dates that stay as written.
func (read *movementDates) warnOfAmbiguousDates(statement *Statement) {
	if read.ambiguous > 0 {
		statement.warn("%d dates can be read with the day or the month first, and nothing in the file decides; they are kept as written: %s is %s or %s",
			read.ambiguous, read.first, value.ISO(read.first, value.DayFirst), value.ISO(read.first, value.MonthFirst))
	}
	if read.unread > 0 {
		statement.warn("%d dates cannot be read; they are kept as written", read.unread)
	}
}

// MovesNoMoney tells whether the state of a booking says that it has not moved money: it is
// still to come, or it failed, was refused or was cancelled.
func MovesNoMoney(state string) bool { return mentionsListedPhrase("void", state) || IsPending(state) }

// IsPending tells whether the state of a booking says that it is still to come.
func IsPending(state string) bool { return mentionsListedPhrase("pending", state) }

// isState tells whether a cell says nothing but that a booking is still to come or never will.
func isState(cell string) bool {
	return len(strings.Fields(cell)) < 7 && !strings.ContainsAny(cell, "0123456789") && MovesNoMoney(cell)
}

// cutVoidRows takes the rows whose state says that they moved no money from the list, before its
// balances are compared: no balance has them.
func (table *Table) cutVoidRows() {
	l := movementList{table: *table, columns: analyzeColumns(*table)}
	assignRolesByName(l.columns)
	l.assignDateAndStatusRoles()
	state := findColumnWithRole(l.columns, Status)
	if state == nil || !l.hasDay() || !slices.ContainsFunc(state.cells, isVoid) {
		return
	}
	table.deleteRows(func(row int, cells []string) bool {
		if isVoid(state.cells[row]) {
			table.void = append(table.void, cells)
		}
		return isVoid(state.cells[row])
	})
}

func isVoid(state string) bool { return mentionsListedPhrase("void", state) }

// warnOfPending tells of movements that are in no balance yet, but for those that another warning counts.
func (statement *Statement) warnOfPending(others int) {
	count := -others
	for _, movement := range statement.Movements {
		if movement.Pending {
			count++
		}
	}
	if count > 0 {
		statement.warn("%d movements are still to come by their state (pending or authorised); they are in no balance", count)
	}
}
