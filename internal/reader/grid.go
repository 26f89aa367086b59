package reader

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"toolkit/internal/reader/layout"
	"toolkit/internal/reader/value"
)

// grid is a table found by its head: columns known by their wording.
type grid struct {
	columns []gridColumn
	rows    []gridRow
	side    string // debit or credit, where the title over the table says which way its amounts go
}

type gridColumn struct {
	kind        string
	left, right float64
}

type gridRow struct {
	place
	cells map[string]string // by column kind
}

// Kinds of columns.
const (
	columnText     = "description"
	columnItem     = "item" // a description, or a number beside one
	columnCode     = "code"
	columnQuantity = "quantity"
	columnUnit     = "unit"
	columnPrice    = "unit_price"
	columnAmount   = "amount"
	columnTax      = "tax"
	columnRate     = "tax_rate"
	columnDiscount = "discount"
	columnDate     = "date"
	columnValueDay = "value_date"
	columnDebit    = "debit"
	columnCredit   = "credit"
	columnBalance  = "balance"
	columnSymbol   = "symbol"
	columnValue    = "value"
	columnCost     = "cost"
	columnGain     = "gain"
	columnPosition = "position"
	columnType     = "type" // how a movement was made; no field wants it
	columnOther    = ""     // of a head that says something else
)

// findGrids looks for heads of tables and reads the rows below them. Lines of tables are
// closed to the label reader.
func (read *labeledPages) findGrids() {
	for pageIndex, page := range read.pages {
		for lineIndex := 0; lineIndex < len(page.Lines); lineIndex++ {
			read.proceed()
			columns, height := read.readTableHead(pageIndex, lineIndex)
			if height == 0 {
				continue
			}
			end := lineIndex
			for _, beside := range splitRepeatedHead(columns) {
				end = max(end, read.readAndAddGrid(beside, pageIndex, lineIndex, height)-1)
			}
			lineIndex = end
		}
	}
}

// readAndAddGrid reads the table below a head; it returns the first line that is none of it, 0 where no line
// is.
func (read *labeledPages) readAndAddGrid(columns []gridColumn, pageIndex, lineIndex, height int) int {
	found := grid{columns: resolveDuplicateColumns(columns)}
	found.side = read.findDebitCreditSide(found, pageIndex, lineIndex)
	last := read.readRows(&found, pageIndex, lineIndex+height)
	if len(found.rows) == 0 {
		return 0
	}
	last = read.continueTable(&found, pageIndex, last, len(read.pages[pageIndex].Lines))
	if last == len(read.pages[pageIndex].Lines) && pageIndex+1 < len(read.pages) {
		read.continueTable(&found, pageIndex+1, 0, min(len(read.pages[pageIndex+1].Lines), 7))
	}
	for blocked := lineIndex; blocked < lineIndex+height; blocked++ {
		read.blocked[[2]int{pageIndex, blocked}] = true
	}
	for _, row := range found.rows {
		read.blocked[[2]int{row.page, row.line}] = true
	}
	read.grids = append(read.grids, found)
	return last
}

// splitRepeatedHead parts the columns of a head that says the same twice into those of two tables side by
// side: to each the columns of the other are no field.
func splitRepeatedHead(columns []gridColumn) [][]gridColumn {
	half := len(columns) / 2
	same := func(a, b gridColumn) bool { return a.kind == b.kind }
	if half < 2 || !slices.EqualFunc(columns[:half], columns[half:], same) {
		return [][]gridColumn{columns}
	}
	left, right := slices.Clone(columns), slices.Clone(columns)
	for index := range half {
		left[half+index].kind, right[index].kind = columnOther, columnOther
	}
	return [][]gridColumn{left, right}
}

// findDebitCreditSide returns the side of a table of amounts that the title over it says: "Deposits and other
// credits".
func (read *labeledPages) findDebitCreditSide(found grid, pageIndex, lineIndex int) (side string) {
	if lineIndex == 0 || !found.has(columnAmount) || !found.has(columnDate) || found.has(columnDebit) || found.has(columnCredit) {
		return ""
	}
	for _, cell := range read.pages[pageIndex].Lines[lineIndex-1].Cells {
		named, _ := parseColumnNames(tokensOf(cell))
		for _, column := range named {
			switch {
			case column.kind != columnDebit && column.kind != columnCredit:
			case side != "" && side != column.kind:
				return ""
			default:
				side = column.kind
			}
		}
	}
	return side
}

// readTableHead recognises the columns of a table's head, which may take one line or two.
func (read *labeledPages) readTableHead(pageIndex, lineIndex int) ([]gridColumn, int) {
	line := read.pages[pageIndex].Lines[lineIndex]
	for position := range line.Cells {
		if _, titled := matchKindTitle(joinTwoWordTitle(line.Cells, position)); titled {
			return nil, 0
		}
	}
	if line.Aside || read.blocked[[2]int{pageIndex, lineIndex}] {
		return nil, 0
	}
	columns, unknown := read.headColumns(pageIndex, lineIndex)
	height := 1
	if lineIndex+1 < len(read.pages[pageIndex].Lines) {
		next := read.pages[pageIndex].Lines[lineIndex+1]
		if lower, left := read.headColumns(pageIndex, lineIndex+1); unknown > 0 && (left == 0 || len(line.Cells) == 1) && isHead(lower, left) && lower[0].kind == columnDate {
			return nil, 0 // a title over the head
		}
		if !next.Aside && next.Base-line.Base < 1.7*max(line.Size, next.Size) && countLetters(next.Text()) > 0 && countDigits(next.Text()+line.Text()) == 0 && len(columns) > 0 {
			if merged, left := read.readTwoLineHead(pageIndex, lineIndex); len(merged) >= len(columns) && len(merged) >= 3 && left <= unknown {
				if _, below := read.headColumns(pageIndex, lineIndex+1); len(merged) > len(columns) || left < unknown || below == 0 {
					columns, unknown, height = merged, left, 2
				}
			}
		}
	}
	if !isHead(columns, unknown) {
		return nil, 0
	}
	if height == 1 {
		columns = read.addUnknownColumns(columns, line)
	}
	return columns, height
}

// addUnknownColumns adds the columns whose heads say something that no field is made of, so that what
// stands under them is taken for nothing else.
func (read *labeledPages) addUnknownColumns(columns []gridColumn, line layout.Line) []gridColumn {
	for _, cell := range line.Cells {
		if found, _ := parseColumnNames(tokensOf(cell)); len(found) == 0 {
			columns = append(columns, gridColumn{columnOther, cell.Left, cell.Right})
		}
	}
	slices.SortStableFunc(columns, func(a, b gridColumn) int { return cmp.Compare(a.left, b.left) })
	return columns
}

// resolveDuplicateColumns tells two dates apart, the first is that of the movement, and two columns of text.
func resolveDuplicateColumns(columns []gridColumn) []gridColumn {
	dated := slices.ContainsFunc(columns, func(column gridColumn) bool { return column.kind == columnDate })
	isText := func(column gridColumn) bool { return column.kind == columnText }
	first := slices.IndexFunc(columns, isText)
	if !dated && first >= 0 && slices.ContainsFunc(columns[first+1:], isText) && slices.ContainsFunc(columns, func(column gridColumn) bool { return column.kind == columnValueDay }) {
		columns[first].kind = columnDate // "Buchung" beside "Valuta" and what it was for
	}
	dated = false
	described := slices.ContainsFunc(columns, isText)
	for index, column := range columns {
		switch {
		case column.kind == columnItem && described: // "Item" beside "Description" is a number
			columns[index].kind = columnCode
		case column.kind == columnItem:
			columns[index].kind = columnText
		}
		if dated && column.kind == columnDate {
			columns[index].kind = columnValueDay
		}
		dated = dated || column.kind == columnDate
	}
	return resolveValueColumn(resolveBalanceColumn(columns))
}

// resolveBalanceColumn takes a second column of words behind those of money out and in for the balance: "Operación".
func resolveBalanceColumn(columns []gridColumn) []gridColumn {
	sides, described := 0, false
	for index, column := range columns {
		switch {
		case column.kind == columnDebit || column.kind == columnCredit:
			sides++
		case column.kind == columnText && sides == 2 && described:
			columns[index].kind = columnBalance
		case column.kind == columnText:
			described = true
		}
	}
	return columns
}

// resolveValueColumn settles "Valeur" and "Valor" in a table of movements: the day of the value, or the
// amount where no other column is one.
func resolveValueColumn(columns []gridColumn) []gridColumn {
	dated, money, meaning := false, false, columnAmount
	for _, column := range columns {
		switch column.kind {
		case columnSymbol, columnQuantity, columnPrice, columnCost, columnGain:
			return columns
		case columnAmount, columnDebit, columnCredit:
			money, meaning = true, columnValueDay
		case columnBalance:
			money = true
		case columnDate:
			dated = true
		}
	}
	for index := range columns {
		if dated && money && columns[index].kind == columnValue {
			columns[index].kind = meaning
		}
	}
	return columns
}

// isHead demands columns that make a table of the kinds read here, and few unknown ones.
func isHead(columns []gridColumn, unknown int) bool {
	has := map[string]bool{}
	for _, column := range columns {
		has[column.kind] = true
	}
	money := has[columnAmount] || has[columnPrice] || has[columnDebit] || has[columnCredit] || has[columnBalance] || has[columnValue]
	named := has[columnText] || has[columnItem] || has[columnDate] || has[columnSymbol] || has[columnQuantity] || has[columnCode]
	movements := has[columnDate] && has[columnDebit] && has[columnCredit]
	return money && named && len(columns) >= 2 && (unknown <= len(columns)/2 || movements && unknown < len(columns))
}

// headColumns reads the columns named in a line; unknown counts the cells that name none, or
// more than one.
func (read *labeledPages) headColumns(pageIndex, lineIndex int) (columns []gridColumn, unknown int) {
	for cellIndex, cell := range read.pages[pageIndex].Lines[lineIndex].Cells {
		if amount, ok := value.ParseAmount(cell.Text, read.numbers); ok && amount.HasCurrencyOrCents() {
			return nil, 0 // a head names money, a row has it
		}
		found, left := parseColumnNames(read.tokens[place{pageIndex, lineIndex, cellIndex}])
		if left > 0 {
			unknown++
		}
		if left > 0 && len(found) > 1 && !slices.ContainsFunc(found, func(column gridColumn) bool { return column.kind == columnDate || isNumericColumn(column.kind) }) {
			found = []gridColumn{{columnText, cell.Left, cell.Right}} // "Payment type and details" is one
		}
		columns = append(columns, found...)
	}
	return columns, unknown
}

// parseColumnNames reads a run of column names; left counts the words that are none. Names of
// currencies and remarks in brackets are parts of a name.
func parseColumnNames(tokens []token) (columns []gridColumn, left int) {
	for at := 0; at < len(tokens); {
		kind, length := "", 0
		phrase := ""
		for end := at; end < len(tokens) && end-at < 5; end++ {
			phrase = strings.TrimSpace(phrase + " " + tokens[end].norm)
			if found, ok := columnLexicon()[phrase]; ok {
				kind, length = found, end-at+1
			}
		}
		if first, _, perUnit := strings.Cut(tokens[at].norm, "/"); length == 0 && perUnit && columnLexicon()[first] == columnPrice { // "Preis/kg"
			kind, length = columnPrice, 1
		}
		switch {
		case length > 0:
			columns = append(columns, gridColumn{kind: kind, left: tokens[at].left, right: tokens[at+length-1].right})
			at += length
		case len(columns) > 0 && (strings.HasPrefix(tokens[at].raw, "(") || strings.HasSuffix(tokens[at].raw, ")") || isCurrencyWord(tokens[at].raw) || tokens[at].norm == "" || tokens[at].norm == "in"):
			columns[len(columns)-1].right = tokens[at].right
			at++
		case tokens[at].norm == "":
			at++
		default:
			left++
			at++
		}
	}
	return columns, left
}

// readTwoLineHead reads a head of two lines: what stands below each other is one name.
func (read *labeledPages) readTwoLineHead(pageIndex, lineIndex int) (columns []gridColumn, unknown int) {
	var cells []layout.Cell
	cells = append(cells, read.pages[pageIndex].Lines[lineIndex].Cells...)
	for _, lower := range read.pages[pageIndex].Lines[lineIndex+1].Cells {
		joined := false
		for index, upper := range cells {
			if min(upper.Right, lower.Right)-max(upper.Left, lower.Left) > 0.3*min(upper.Right-upper.Left, lower.Right-lower.Left) {
				cells[index].Words = append(append([]layout.Word{}, upper.Words...), lower.Words...)
				cells[index].Left, cells[index].Right = min(upper.Left, lower.Left), max(upper.Right, lower.Right)
				joined = true
				break
			}
		}
		if !joined {
			cells = append(cells, lower)
		}
	}
	for _, cell := range cells {
		found, left := parseColumnNames(tokensOf(cell))
		if left > 0 || len(found) == 0 {
			unknown++
		}
		for _, column := range found {
			if len(found) == 1 {
				column.left, column.right = cell.Left, cell.Right
			}
			columns = append(columns, column)
		}
	}
	slices.SortStableFunc(columns, func(a, b gridColumn) int { return cmp.Compare(a.left, b.left) })
	return columns, unknown
}

// isNumericColumn tells the columns whose cells are numbers.
func isNumericColumn(kind string) bool {
	switch kind {
	case columnQuantity, columnPrice, columnAmount, columnTax, columnRate, columnDiscount, columnDebit, columnCredit, columnBalance, columnValue, columnCost, columnGain:
		return true
	}
	return false
}

func (read *labeledPages) isNumber(text string) bool {
	if _, ok := value.ParsePercent(text); ok {
		return true
	}
	_, ok := value.ParseAmount(text, read.numbers)
	return ok || text == "-" || text == "–"
}

// canFitNumericColumn tells whether a text can stand in a column of numbers: a number, one with its unit, a rate
// with the name of the tax.
func (read *labeledPages) canFitNumericColumn(text, kind string) bool {
	if read.isNumber(text) || quantityWithUnit().MatchString(text) {
		return true
	}
	_, rate := parseRate(text)
	return rate && (kind == columnRate || kind == columnTax)
}

// columnDistance is how badly a cell fits a column: by alignment, and much worse when a column
// of numbers is given words.
func (read *labeledPages) columnDistance(cell layout.Cell, column gridColumn) float64 {
	away := min(misalignment(column.left, column.right, cell), math.Abs(column.left-cell.Left))
	if overlap := min(column.right, cell.Right) - max(column.left, cell.Left); overlap > 0 {
		away = min(away, 2)
	}
	number := read.canFitNumericColumn(cell.Text, column.kind)
	switch {
	case isNumericColumn(column.kind) && !number:
		away += 400
	case !isNumericColumn(column.kind) && number && column.kind != columnPosition && column.kind != columnCode && column.kind != columnOther:
		away += 20
	}
	return away
}
