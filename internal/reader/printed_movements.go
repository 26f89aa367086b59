package reader

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"toolkit/internal/lazyregexp"
	"toolkit/internal/reader/bank"
	"toolkit/internal/reader/layout"
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

// readMovementLines returns the movements of lines that stand in no table with heads: a line begins with a day, or
// stands under one, and ends in the amount, with the balance behind it where there are two. Lines set further in
// that have no amount below those of the others say what the movement above them was for, unless amounts stand in
// the last line of each movement.
func (result *extraction) readMovementLines() (rows []printedRow) {
	read, day, left := result.form, "", -1.0        // where the days stand
	right, last := result.findAmountEdge(), place{} // the last line of a movement
	purposes, amountsLast := map[int]string{}, false
	for at, line := range read.lines(every, every) {
		if line.Aside || len(line.Cells) == 0 || read.isSummaryLine(at) {
			continue
		}
		words, amounts := read.splitAmountsAtEnd(line.Cells)
		begins := left >= 0 && math.Abs(line.Cells[0].Left-left) < line.Size
		isFurtherIn := left >= 0 && line.Cells[0].Left > left+line.Size
		date, behind, dated := result.splitDayAtStart(words)
		switch {
		case isFurtherIn && len(behind) > 0 && (len(amounts) == 0 || amounts[len(amounts)-1].Right < right-line.Size):
			if len(rows) > 0 && at.page == last.page && at.line == last.line+1 && at.line <= rows[len(rows)-1].line+maxRowLines {
				purposes[len(rows)-1] += " " + wordsText(line.Words())
				last = at
			}
			continue
		case dated && len(amounts) > 0:
			day, words, left = date, behind, line.Cells[0].Left
		case dated && (begins || len(behind) == 0):
			day, words, amountsLast = date, behind, amountsLast || len(behind) > 0
		case begins && len(amounts) > 0:
			day = "" // what stands in the place of one cannot be read
		}
		text := strings.TrimSpace(wordsText(words))
		if len(amounts) == 0 || day == "" || countLetters(text) < 2 {
			continue
		}
		if len(amounts) > 2 {
			return nil // only heads tell what each of them is
		}
		columns := map[string]string{columnText: text, columnAmount: amounts[0].Text}
		if len(amounts) > 1 {
			columns[columnBalance] = amounts[1].Text
		}
		rows, last = append(rows, read.newPrintedRow(at, day, columns)), at
	}
	for index, purpose := range purposes {
		if !amountsLast {
			rows[index].cells[atDescription] += purpose
		}
	}
	return rows
}

// findAmountEdge returns where the amounts end that stand furthest left in lines that begin with a day.
func (result *extraction) findAmountEdge() float64 {
	right := math.Inf(1)
	for _, line := range result.form.lines(every, every) {
		words, amounts := result.form.splitAmountsAtEnd(line.Cells)
		if _, _, dated := result.splitDayAtStart(words); dated && len(amounts) > 0 {
			right = min(right, amounts[0].Right)
		}
	}
	return right
}

// splitAmountsAtEnd parts the amounts at the end of a line from the words before them.
func (read *labeledPages) splitAmountsAtEnd(cells []layout.Cell) (words []layout.Word, amounts []layout.Cell) {
	first := len(cells)
	for ; first > 0; first-- {
		text := cells[first-1].Text
		amount, ok := read.movementAmount(text)
		other := value.ConventionOf([]string{text})
		if !ok || amount.Decimals != 2 || read.numbers != value.Unknown && other != value.Unknown && other != read.numbers {
			break // "12.03" is a day where amounts have commas
		}
	}
	return layout.Line{Cells: cells[:first]}.Words(), cells[first:]
}

// splitDayAtStart reads the day at the beginning of a line's words, of its year or of the statement's; a
// second day behind it, that of the booking or the value, is passed.
func (result *extraction) splitDayAtStart(words []layout.Word) (day string, rest []layout.Word, ok bool) {
	for end := min(len(words), 4); end > 0; end-- {
		found := result.parseRowDate(wordsText(words[:end]))
		if found == "" {
			continue
		}
		rest = words[end:]
		for length := min(len(rest), 3); length > 0; length-- {
			if result.parseRowDate(wordsText(rest[:length])) != "" {
				return found, rest[length:], true
			}
		}
		return found, rest, true
	}
	return "", words, false
}

// isSummaryLine tells lines that state a balance, a sum or another labelled value.
func (read *labeledPages) isSummaryLine(at place) bool {
	kinds, length := matchLabel(read.lineTokens(at.page, at.line), 0)
	return length > 0 && slices.ContainsFunc(kinds, func(kind labelKind) bool {
		switch kind {
		case labelOpening, labelClosing, labelPeriod, labelTotal, labelGrandTotal, labelAmountDue, labelAccountNumber, labelHolder:
			return true
		}
		return length > 1 && kind == labelOther
	})
}

// lineTokens are the tokens of all cells of a line.
func (read *labeledPages) lineTokens(pageIndex, lineIndex int) (tokens []token) {
	for cellIndex := range read.pages[pageIndex].Lines[lineIndex].Cells {
		tokens = append(tokens, read.tokens[place{pageIndex, lineIndex, cellIndex}]...)
	}
	return tokens
}

// minBalances is how many balances behind movements are enough where those before and behind all of them
// are not known, and something else tells what goes out: a plan of payments has balances too.
const minBalances = 3

// canProveMovements tells whether balances of the statement can prove movements that no heads name.
func (result *extraction) canProveMovements(rows []printedRow) bool {
	if result.hasField("opening_balance") && result.hasField("closing_balance") {
		return len(rows) > 0
	}
	balances, signed := 0, false
	for _, row := range rows {
		signed = signed || row.side != 0 || strings.HasPrefix(row.cells[atAmount], "-")
		if row.cells[atBalance] != "" {
			balances++
		}
	}
	return signed && balances >= minBalances
}
