package reader

import (
	"maps"
	"math"
	"slices"
	"strings"

	"toolkit/internal/lazyregexp"
	"toolkit/internal/reader/layout"
	"toolkit/internal/reader/value"
)

// quantityWithUnit is a number with its unit: "2 Std.", "3 m²", "-5 Stk", "1 H87".
var quantityWithUnit = lazyregexp.New(`^([-−]?\d+(?:[.,]\d{3})*(?:[.,]\d+)?)\s?[x×]?\s?(\pL{0,7}[²³]?\.?|[A-Z]\d\d)$`)

const (
	maxRowGap   = 6   // line heights between two rows of one table
	maxTextGap  = 2.3 // line heights between a row and a line of its text
	maxRowLines = 6   // lines of text that a row goes on for
)

// readRows reads the rows below a head; it returns the first line that is none of them. A line
// with money is a row, or the rest of the one above; a line of words is part of a row near it.
func (read *labeledPages) readRows(found *grid, pageIndex, from int) int {
	lines := read.pages[pageIndex].Lines
	first, day := len(found.rows), "" // of the rows below a line that says it
	var texts []gridRow
	at := from
	for ; at < len(lines); at++ {
		if countLetters(lines[at].Text())+countDigits(lines[at].Text()) == 0 {
			continue // a rule drawn with characters
		}
		row := read.assignCellsToColumns(found.columns, pageIndex, at)
		started := len(found.rows) > first
		if read.endsTable(found, row, from, started) {
			break
		}
		if _, stated, is := read.parsePartyDetail(place{pageIndex, at, 0}); is && !row.hasAnyColumn(columnAmount) {
			if value.IsDate(stated.text) {
				day = stated.text
			}
			if started && read.isLabel(row.place) && labelLexicon()[phraseKey(read.cell(row.place).Text)] != nil {
				break
			}
			continue
		}
		switch {
		case started && found.mergeContinuationLine(row, lines[at].Base-lines[found.rows[len(found.rows)-1].line].Base < 0.85*lines[at].Size):
		case row.hasMoneyAndText() || row.hasAnyColumn(columnQuantity) && row.hasAnyColumn(columnText, columnCode):
			found.setDayIfAbsent(row, day)
			found.rows = append(found.rows, row)
		case row.countNumbers() == 0 && row.hasAnyColumn(columnText):
			texts = append(texts, row)
		case started && row.countNumbers() > 0:
			return read.finishTableRows(found, first, texts, at)
		}
	}
	return read.finishTableRows(found, first, texts, at)
}

// finishTableRows leaves the rows that have money, with their texts.
func (read *labeledPages) finishTableRows(found *grid, first int, texts []gridRow, at int) int {
	found.rows = slices.DeleteFunc(found.rows, func(row gridRow) bool { return !row.hasMoney() })
	if len(found.rows) > first {
		read.addTextLinesToRows(found.rows[first:], texts)
	}
	return at
}

// endsTable tells whether a table is over before a line: at a wide gap, a sum, another head.
func (read *labeledPages) endsTable(found *grid, row gridRow, from int, started bool) bool {
	lines := read.pages[row.page].Lines
	line, above := lines[row.line], lines[max(row.line-1, 0)]
	if line.Aside || line.Base-above.Base > maxRowGap*max(min(line.Size, above.Size), 1) || !started && row.line-from > maxRowLines-1 {
		return true
	}
	if _, height := read.readTableHead(row.page, row.line); height > 0 {
		return true
	}
	return read.isSumRow(found, row)
}

// countNumbers returns how many columns of numbers a row has.
func (row gridRow) countNumbers() (numbers int) {
	for kind := range row.cells {
		if isNumericColumn(kind) {
			numbers++
		}
	}
	return numbers
}

// mergeContinuationLine joins a line to the row above where it has numbers for columns that are empty
// there: the line is set half a line lower, or has the amount that the row lacks.
func (found *grid) mergeContinuationLine(row gridRow, adjacent bool) bool {
	last := found.rows[len(found.rows)-1]
	lacks := row.line-last.line <= 2 && !last.hasAnyColumn(columnAmount) && row.hasAnyColumn(columnAmount) && last.hasAnyColumn(columnPrice, columnQuantity)
	if row.countNumbers() == 0 || !adjacent && !lacks {
		return false
	}
	for kind := range row.cells {
		if isNumericColumn(kind) && last.hasAnyColumn(kind) {
			return false
		}
	}
	for kind, text := range row.cells {
		if kind == columnText && strings.Contains(text, ":") {
			continue // it says something else of the row
		}
		last.cells[kind] = strings.TrimSpace(last.cells[kind] + " " + text)
	}
	return true
}

// addTextLinesToRows adds lines of words to the rows they stand nearest to: of the lines between two rows
// the widest gap parts those of the one from those of the other.
func (read *labeledPages) addTextLinesToRows(rows, texts []gridRow) {
	for index := range rows {
		parting := read.findFirstLineOfRow(rows, texts, index)
		start := parting
		if index > 0 {
			read.addAdjacentTextLines(rows[index-1], texts, parting-1, 1)
			start = max(parting, rows[index-1].line+1)
		}
		read.addAdjacentTextLines(rows[index], texts, start, -1)
	}
	read.addAdjacentTextLines(rows[len(rows)-1], texts, rows[len(rows)-1].line+maxRowLines, 1)
}

// findFirstLineOfRow returns the first line that belongs to a row rather than to the one above it.
func (read *labeledPages) findFirstLineOfRow(rows, texts []gridRow, index int) (parting int) {
	if index == 0 {
		return 0
	}
	row, at, widest := rows[index], rows[index-1], 0.0
	for _, next := range append(slices.Clone(texts), row) {
		if next.line <= at.line || next.line > row.line {
			continue
		}
		if next.hasAnyColumn(columnDate) && !row.hasAnyColumn(columnDate) {
			return next.line // the day of the row
		}
		lines := read.pages[row.page].Lines
		if gap := lines[next.line].Base - lines[at.line].Base; gap > widest-0.05*lines[at.line].Size {
			widest, parting = gap, next.line
		}
		at = next
	}
	if !row.hasAnyColumn(columnDate) && slices.ContainsFunc(texts, func(text gridRow) bool { return read.isDay(text.cells[columnDate]) }) {
		return rows[index-1].line + 1 // amounts stand in the last line of each movement
	}
	return parting
}

// addAdjacentTextLines adds to a row the lines of words above it (step -1) or below it, as far as a line, one
// after the other until a gap.
func (read *labeledPages) addAdjacentTextLines(row gridRow, texts []gridRow, until, step int) {
	lines := read.pages[row.page].Lines
	at := row.line
	if step < 0 {
		texts = slices.Clone(texts)
		slices.Reverse(texts)
	}
	for _, text := range texts {
		gap := abs(lines[text.line].Base - lines[at].Base)
		if (text.line-at)*step <= 0 || (until-text.line)*step < 0 {
			continue
		}
		if gap > maxTextGap*lines[text.line].Size {
			return
		}
		read.addTextToRow(row, text, step < 0)
		at = text.line
	}
}

func (read *labeledPages) addTextToRow(row, text gridRow, before bool) {
	read.blocked[[2]int{text.page, text.line}] = true
	parts := []string{row.cells[columnText], text.cells[columnText]}
	if before {
		slices.Reverse(parts)
		if !row.hasAnyColumn(columnDate) && text.hasAnyColumn(columnDate) {
			row.cells[columnDate] = text.cells[columnDate]
		}
	}
	row.cells[columnText] = strings.TrimSpace(strings.Join(parts, " "))
}

// setDayIfAbsent gives a row the day that a line over it says: "Buchungsdatum: 02.03.2026".
func (found *grid) setDayIfAbsent(row gridRow, day string) {
	if day == "" || row.hasAnyColumn(columnDate) {
		return
	}
	row.cells[columnDate] = day
	if !found.has(columnDate) {
		found.columns = append(found.columns, gridColumn{kind: columnDate, left: math.Inf(1), right: math.Inf(1)})
	}
}

// continueTable reads the rows that go on with a table without a head of their own: on the next page, or
// behind a sum, where their days tell, such as those of a second card. It returns the line behind them.
func (read *labeledPages) continueTable(found *grid, pageIndex, from, until int) (end int) {
	end = from
	for at := from; at < until; at++ {
		if _, height := read.readTableHead(pageIndex, at); height > 0 {
			break
		}
		row := read.assignCellsToColumns(found.columns, pageIndex, at)
		if row.hasMoneyAndText() && len(row.cells) >= min(len(found.columns), 3) && !read.isSumRow(found, row) && (from == 0 || read.isDay(row.cells[columnDate])) {
			end = max(at+1, read.readRows(found, pageIndex, at))
			at = end - 1
		}
	}
	return end
}

// hasMoneyAndText tells whether the cells make a row of this table: money, and what it is for.
func (row gridRow) hasMoneyAndText() bool {
	return row.hasMoney() && row.hasAnyColumn(columnText, columnSymbol, columnCode, columnDate, columnQuantity)
}

func (row gridRow) hasMoney() bool {
	return row.hasAnyColumn(columnAmount, columnPrice, columnDebit, columnCredit, columnBalance, columnValue)
}

// hasAnyColumn tells whether any of some columns has something in the row.
func (row gridRow) hasAnyColumn(kinds ...string) bool {
	return slices.ContainsFunc(kinds, func(kind string) bool { return row.cells[kind] != "" })
}

// isSumRow tells lines of sums, which end a table, from rows: a cell is the label of one,
// and besides there is no more than an amount.
func (read *labeledPages) isSumRow(found *grid, row gridRow) bool {
	numbers := row.countNumbers()
	if numbers == 0 && read.isDay(row.cells[columnDate]) {
		return false // "09 Jan  TOTAL CHARGES" begins a movement whose amount stands below
	}
	for cellIndex := range read.line(row.place).Cells {
		tokens := read.tokens[place{row.page, row.line, cellIndex}]
		kinds, length := matchLabel(tokens, 0)
		if length == 0 {
			continue
		}
		sum := label{kinds: kinds, at: place{row.page, row.line, cellIndex}, end: length, colon: tokens[length-1].colon}
		read.extendLabelByQualifiers(&sum, tokens)
		whole := sum.colon || sum.end == len(tokens) || read.isNumber(rawText(tokens[sum.end:]))
		for _, kind := range kinds {
			switch kind {
			case labelSubtotal, labelGrandTotal, labelTotal, labelAmountDue, labelTotalValue:
				if whole || (length > 1 && numbers <= 1) {
					return true
				}
			case labelClosing:
				if whole && !found.has(columnBalance) {
					return true
				}
			case labelTax, labelDiscount, labelShipping, labelTip, labelService, labelPaid, labelWithheld:
				if whole && numbers <= 1 && found.has(columnText) && !found.has(columnDate) {
					return true
				}
			}
		}
	}
	return false
}

// isDay tells whether a cell is a day, be it without its year.
func (read *labeledPages) isDay(text string) bool {
	_, dated := value.ParseDayMonth(text, read.order, func(int) int { return 2000 })
	return dated || value.IsDate(text)
}

// assignCellsToColumns assigns the cells of a line to columns, from the right, where amounts stand in line. What
// does not fit a column of numbers is text.
func (read *labeledPages) assignCellsToColumns(columns []gridColumn, pageIndex, lineIndex int) gridRow {
	row := gridRow{place: place{page: pageIndex, line: lineIndex}, cells: map[string]string{}}
	if read.fillRowInOrder(columns, row) {
		return row
	}
	var cells []layout.Cell
	for _, cell := range read.pages[pageIndex].Lines[lineIndex].Cells {
		cells = append(cells, read.splitCellAtColumns(cell, columns)...)
	}
	beyond := math.Inf(1) // where the head of the text ends
	for _, column := range columns {
		if column.kind == columnText {
			beyond = column.right
		}
	}
	left := len(columns) // columns that are not taken
	for _, cell := range slices.Backward(cells) {
		if cell.Right < columns[0].left-1.5*cell.Size || left == 0 || cell.Left > beyond && read.isNoteUnderNumberColumn(cell, columns) {
			continue
		}
		at := read.nearestColumn(cell, columns[:left])
		if left = at + 1; isNumericColumn(columns[at].kind) {
			left = max(at, 1)
		}
		if kind := columns[at].kind; kind != columnOther && kind != columnPosition {
			row.cells[kind] = strings.TrimSpace(cell.Text + " " + row.cells[kind])
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(row.cells)) {
		text := row.cells[kind]
		if isNumericColumn(kind) && !read.canFitNumericColumn(text, kind) {
			delete(row.cells, kind)
			if row.cells[columnText] == "" {
				row.cells[columnText] = text
			}
		}
	}
	return row
}

// fillRowInOrder fills a row whose line has a cell for each column, numbers where the columns are those of
// numbers and words under the others, whatever stands below what.
func (read *labeledPages) fillRowInOrder(columns []gridColumn, row gridRow) bool {
	cells := read.line(row.place).Cells
	if len(cells) != len(columns) {
		return false
	}
	for index, cell := range cells {
		number, kind := read.isNumber(cell.Text), columns[index].kind
		underText := index > 0 && columns[index-1].kind == columnText && cell.Right < columns[index-1].right // the number of a cheque
		if isNumericColumn(kind) && underText || isNumericColumn(kind) != number && !(isNumericColumn(kind) && read.canFitNumericColumn(cell.Text, kind)) && kind != columnCode && kind != columnPosition && kind != columnOther {
			return false
		}
	}
	for index, cell := range cells {
		if kind := columns[index].kind; kind != columnOther && kind != columnPosition {
			row.cells[kind] = strings.TrimSpace(row.cells[kind] + " " + cell.Text)
		}
	}
	return true
}

// isNoteUnderNumberColumn tells words that stand exactly under the head of a column of numbers, like
// "+ VAT" under a price: they are no part of the text beside them.
func (read *labeledPages) isNoteUnderNumberColumn(cell layout.Cell, columns []gridColumn) bool {
	return !read.canFitNumericColumn(cell.Text, columnRate) && slices.ContainsFunc(columns, func(column gridColumn) bool {
		return isNumericColumn(column.kind) && misalignment(column.left, column.right, cell) < 2
	})
}

// nearestColumn is the column that a cell fits best.
func (read *labeledPages) nearestColumn(cell layout.Cell, columns []gridColumn) (best int) {
	least := math.Inf(1)
	for index, column := range columns {
		if distance := read.columnDistance(cell, column); distance < least {
			best, least = index, distance
		}
	}
	return best
}

// splitCellAtColumns parts a cell that runs across columns set close to each other: before a
// word that is aligned with a column, or where a number meets words at a column's border.
func (read *labeledPages) splitCellAtColumns(cell layout.Cell, columns []gridColumn) []layout.Cell {
	counted := slices.ContainsFunc(columns, func(column gridColumn) bool { return column.kind == columnQuantity || column.kind == columnPrice })
	if !counted && read.isNumber(cell.Text) {
		return []layout.Cell{cell} // "1 249,00" is one number where no quantities stand beside it
	}
	var cuts []int
	for index := 1; index < len(cell.Words); index++ {
		before, after := cell.Words[index-1], cell.Words[index]
		gap := after.Left - before.Right
		for column := 1; column < len(columns); column++ {
			border := [2]float64{columns[column-1].right, columns[column].left}
			marked, _ := value.ParseAmount(after.Text, read.numbers)
			aligned := math.Abs(after.Left-columns[column].left) < 1.5 && (gap > 0.3*after.Size || marked.HasCurrencyOrCents() && gap > 0.12*after.Size && !read.isNumber(before.Text))
			beside := misalignment(columns[column].left, columns[column].right, layout.Cell{Left: after.Left, Right: after.Right}) < after.Size
			between := before.Right <= border[1] && after.Left >= border[0] && (gap > 0.55*after.Size || (gap > 0.3*after.Size && beside))
			number := read.isNumber(after.Text) || isCurrencyWord(after.Text)
			if isNumericColumn(columns[column].kind) && !number {
				continue
			}
			if aligned || (between && (isNumericColumn(columns[column].kind) || isNumericColumn(columns[column-1].kind))) {
				cuts = append(cuts, index)
				break
			}
		}
	}
	if len(cuts) == 0 {
		return []layout.Cell{cell}
	}
	return cell.Split(cuts...)
}

// parseLeadingPercent is the rate that words begin with: "19%", "19 %", "@20%".
func parseLeadingPercent(words []layout.Word) (float64, bool) {
	text := strings.TrimPrefix(words[0].Text, "@")
	if len(words) > 1 && words[1].Text == "%" {
		text += "%"
	}
	return value.ParsePercent(text)
}
