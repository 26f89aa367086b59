package reader

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"toolkit/internal/lazyregexp"
	"toolkit/internal/reader/bank"
	"toolkit/internal/reader/value"
)

// Columns of movements as a bank would export them.
var movementHead = []string{"Date", "Description", "Reference", "Balance", "Amount", "Debit", "Credit"}

// Places in movementHead.
const (
	atDate        = 0
	atDescription = 1
	atBalance     = 3
	atAmount      = 4
	atDebit       = 5
	atCredit      = 6
)

// printedRow is a movement as a paper prints it.
type printedRow struct {
	place
	cells []string // of movementHead
	side  int      // atDebit or atCredit, by a title over the table or a mark behind the amount; 0 for neither
}

// setTransactions sets the movements: those of the tables where they add up, else those of lines without
// heads where the balances prove them.
func (result *extraction) setTransactions() {
	rows := result.collectMovementRows()
	why := result.setMovementsIfTheyAddUp(rows)
	if why == "" && len(rows) > 0 {
		return
	}
	lines := result.readMovementLines()
	unproven := ""
	switch {
	case result.canProveMovements(lines):
		unproven = result.setMovementsIfTheyAddUp(lines)
	case len(lines) > 1:
		unproven = unfitting
	}
	if why = cmp.Or(why, unproven); why == "" && result.hasField("opening_balance") && result.hasField("closing_balance") && result.values["opening_balance"] != result.values["closing_balance"] {
		why = "the balances of the statement were read, and none of the movements between them"
	}
	if why != "" && !result.hasField("transactions") {
		result.content.warn(why)
	}
}

// setMovementsIfTheyAddUp sets the movements where they add up. Those that do not are left out, and why
// says so: one of them was not read, or its side was not.
func (result *extraction) setMovementsIfTheyAddUp(rows []printedRow) (why string) {
	if len(rows) == 0 {
		return ""
	}
	statement, why, ok := bank.ReadMovements(result.movementTable(rows))
	switch {
	case ok && statement.Misfits:
		return unfitting
	case !ok:
		return "the movements were left out: " + cmp.Or(why, "nothing tells what goes out")
	}
	for _, warning := range statement.Warnings {
		result.content.warn(warning)
	}
	var movements itemList
	for _, movement := range statement.Movements {
		movements.addItem(movement.Fields, result.form.source(rows[movement.Line].place))
	}
	result.setList("transactions", movements)
	return ""
}

const unfitting = "the movements that were read do not add up to the balances of the statement and were left out"

// movementTable is a table of the movements as a bank would export it.
func (result *extraction) movementTable(rows []printedRow) bank.Table {
	card := slices.ContainsFunc(listPossibleTitles(result.form.pages), bank.NamesCard)
	table := bank.Table{Names: movementHead, Header: movementHead, Whole: true, Sure: true, Card: card}
	assignDebitCreditSides(rows)
	for index, row := range rows {
		table.Rows, table.Lines = append(table.Rows, row.cells), append(table.Lines, index)
	}
	for key, name := range map[string]string{"opening_balance": "Opening balance", "closing_balance": "Closing balance"} {
		if balance, ok := result.values[key].(float64); ok {
			table.Above = append(table.Above, []string{name, withCents(balance)})
		}
	}
	table.Above = append(table.Above, []string{"Currency", result.textField("currency")}, []string{result.textField("period_start") + " - " + result.textField("period_end")})
	return table
}

// assignDebitCreditSides gives amounts that have no signs the sides that titles over them or marks behind them
// tell. Where only what comes in has a mark, the others go out.
func assignDebitCreditSides(rows []printedRow) {
	isTold := func(row printedRow) bool { return row.side != 0 }
	hasSign := func(row printedRow) bool { return strings.HasPrefix(row.cells[atAmount], "-") }
	if !slices.ContainsFunc(rows, isTold) || slices.ContainsFunc(rows, hasSign) {
		return
	}
	for _, row := range rows {
		if row.cells[atAmount] != "" {
			row.cells[cmp.Or(row.side, atDebit)], row.cells[atAmount] = row.cells[atAmount], ""
		}
	}
}

func withCents(number float64) string { return strconv.FormatFloat(number, 'f', 2, 64) }

// movementAmount reads an amount with the side that a letter behind it may say: "50,00 D".
func (read *labeledPages) movementAmount(text string) (value.Amount, bool) {
	return value.ParseAmount(sideLetter().ReplaceAllString(strings.TrimSpace(text), "$1 ${2}R"), read.numbers)
}

var sideLetter = lazyregexp.New(`(\d) ([DC])$`)

// collectMovementRows returns the rows of the tables of movements.
func (result *extraction) collectMovementRows() (rows []printedRow) {
	read, day := result.form, ""
	for _, grid := range read.grids {
		if !grid.has(columnDate) || !(grid.has(columnAmount) || grid.has(columnDebit) || grid.has(columnCredit)) || !(grid.has(columnText) || grid.has(columnCode)) {
			continue // days and amounts alone are balances of days
		}
		for index, row := range grid.rows {
			if result.parseRowDate(row.cells[columnDate]) == "" && read.isSummaryLine(row.place) {
				continue
			}
			day = cmp.Or(row.cells[columnDate], day) // often printed once for all its movements
			if grid.balanceKind(index) != "" || day == "" || row.hasAnyColumn(columnDebit) && row.hasAnyColumn(columnCredit) {
				continue // a balance before the first day, or the sums of both
			}
			next := read.newPrintedRow(row.place, result.parseRowDate(day), row.cells)
			next.side = cmp.Or(next.side, map[string]int{columnDebit: atDebit, columnCredit: atCredit}[grid.side])
			rows = append(rows, next)
		}
	}
	return rows
}

// newPrintedRow makes a movement of what stands in the columns of a line.
func (read *labeledPages) newPrintedRow(at place, day string, columns map[string]string) printedRow {
	row := printedRow{place: at, cells: []string{day, columns[columnText], columns[columnCode]}}
	for _, column := range []string{columnBalance, columnAmount, columnDebit, columnCredit} {
		text := "" // the amount with its sign and cents
		amount, ok := read.movementAmount(columns[column])
		if ok {
			text = withCents(amount.Value)
		}
		if row.cells = append(row.cells, text); column == columnAmount && amount.Side > 0 {
			row.side = atCredit
		}
	}
	return row
}
