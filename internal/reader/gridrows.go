package reader

import (
	"maps"
	"math"
	"slices"
	"strings"

	"toolkit/internal/reader/layout"
	"toolkit/internal/reader/pattern"
	"toolkit/internal/reader/value"
)

// quantityWithUnit is a number with its unit: "2 Std.", "3 m²", "-5 Stk", "1 H87".
var quantityWithUnit = pattern.New(`^([-−]?\d+(?:[.,]\d{3})*(?:[.,]\d+)?)\s?[x×]?\s?(\pL{0,7}[²³]?\.?|[A-Z]\d\d)$`)

// Distances in line heights that end a table's body.
const (
	gapBetweenRows  = 6
	gapContinuation = 2.3
)

// body reads rows from a line on; it returns the index of the first line that is none.
// Lines of text alone belong to the row they are nearest to: cells of several lines stand
// above, below or around their row's numbers.
func (read *form) body(found *grid, pageIndex, from int) int {
	lines := read.pages[pageIndex].Lines
	first := len(found.rows)
	var texts []gridRow
	lineIndex := from
	for ; lineIndex < len(lines); lineIndex++ {
		line := lines[lineIndex]
		previous := lines[max(lineIndex-1, 0)]
		gap := (line.Base - previous.Base) / max(min(line.Size, previous.Size), 1)
		if line.Aside || gap > gapBetweenRows || (len(found.rows) == first && lineIndex-from > 5) {
			break
		}
		if _, height := read.head(pageIndex, lineIndex); height > 0 {
			break
		}
		if text := line.Text(); len(found.rows) > first && countLetters(text)+wordDigits(text) == 0 {
			continue // a rule drawn with characters
		}
		row := read.row(found.columns, pageIndex, lineIndex)
		numbers := row.countNumbers()
		if read.isSum(found, pageIndex, lineIndex, numbers) {
			break
		}
		if len(row.cells) == 0 && len(line.Cells) > 0 && line.Cells[len(line.Cells)-1].Right < found.columns[0].left {
			continue // of what stands beside the table
		}
		if read.remarks(found, row, pageIndex, lineIndex, first) {
			continue
		}
		middle := len(texts) > 0 && texts[len(texts)-1].line == lineIndex-1 && gap < 1.2 // numbers set in the middle of their text
		if numbers > 0 && len(found.rows) > first && gap < 0.85 && found.complements(row, lineIndex) {
			continue
		}
		if len(found.rows) > first && found.completes(row, lineIndex) {
			continue
		}
		if numbers > 0 && (row.isRow() || (middle && row.hasMoney())) {
			found.rows = append(found.rows, row)
			continue
		}
		delete(row.cells, columnPosition)
		if numbers == 0 && len(row.cells) == 2 && row.says(columnText) && row.says(columnDate) && found.isMovements() {
			texts = append(texts, row) // of a movement whose amount stands on a line below
			continue
		}
		if numbers > 0 || row.cells[columnText] == "" || len(row.cells) > 2 || row.cells[columnDate] != "" {
			break
		}
		texts = append(texts, row)
	}
	if len(found.rows) == first {
		return lineIndex
	}
	read.attach(found.rows[first:], texts, pageIndex)
	return lineIndex
}

// countNumbers is how many columns of numbers a row has.
func (row gridRow) countNumbers() (numbers int) {
	for kind := range row.cells {
		if numeric(kind) {
			numbers++
		}
	}
	return numbers
}

// remarks tells lines that are no rows and do not end a table: what goes on with the head in
// the first columns, a number of the article below its row, a statement such as "List price: 9.90".
func (read *form) remarks(found *grid, row gridRow, pageIndex, lineIndex, first int) bool {
	started := len(found.rows) > first
	if started && lineIndex-found.rows[len(found.rows)-1].line > longestCell {
		return false
	}
	if started && !row.says(columnAmount) && !(row.says(columnQuantity) && row.hasMoney()) { // too few numbers for a row
		if title, _, stated := read.statement(place{pageIndex, lineIndex, 0}); stated && labelLexicon()[title] == nil {
			return true
		}
	}
	if row.hasMoney() || row.says(columnQuantity, columnText, columnDate) {
		return false
	}
	for cellIndex := range read.pages[pageIndex].Lines[lineIndex].Cells {
		if read.isLabel(place{pageIndex, lineIndex, cellIndex}) || started && cellIndex > 0 {
			return false
		}
	}
	return true
}

// complements joins a line to the row it is set half a line below: cells of one row that
// stand at different heights. Their numbers are in different columns.
func (found *grid) complements(row gridRow, lineIndex int) bool {
	last := found.rows[len(found.rows)-1]
	if last.line < lineIndex-1 {
		return false
	}
	for kind := range row.cells {
		if numeric(kind) && last.cells[kind] != "" {
			return false
		}
	}
	for kind, text := range row.cells {
		last.cells[kind] = strings.TrimSpace(last.cells[kind] + " " + text)
	}
	return true
}

// completes gives the row above the amount that stands on the line below it, alone or beside
// what goes on of its text.
func (found *grid) completes(row gridRow, lineIndex int) bool {
	last := found.rows[len(found.rows)-1]
	if lineIndex-last.line > 2 || last.says(columnAmount) || !row.says(columnAmount) || row.says(columnQuantity, columnPrice) || !last.says(columnPrice) {
		return false
	}
	last.cells[columnAmount] = row.cells[columnAmount]
	last.cells[columnText] = strings.TrimSpace(last.cells[columnText] + " " + row.cells[columnText])
	return true
}

// attach adds lines of text to the descriptions of the rows they are nearest to, in
// reading order; what is far from every row is left alone.
func (read *form) attach(rows, texts []gridRow, pageIndex int) {
	lines := read.pages[pageIndex].Lines
	texts = read.trailing(rows, texts, pageIndex)
	before := make([]string, len(rows))
	after := make([]string, len(rows))
	next := 0   // the first row below the text
	begun := -1 // the row that a line with a day opens
	for index, text := range texts {
		for next < len(rows) && rows[next].line < text.line {
			next++
		}
		if text.says(columnDate) && next < len(rows) && !rows[next].says(columnDate) {
			begun, rows[next].cells[columnDate] = next, text.cells[columnDate]
		}
		if begun == next {
			read.blocked[[2]int{pageIndex, text.line}] = true
			before[next] = strings.TrimSpace(before[next] + " " + text.cells[columnText])
			continue
		}
		best, bestDistance := -1, math.Inf(1)
		if next > 0 { // equally far from both rows, the one above it is
			best, bestDistance = next-1, read.chained(texts, index, rows[next-1], pageIndex)-0.05*lines[text.line].Size
		}
		if next < len(rows) {
			if distance := lines[rows[next].line].Base - lines[text.line].Base; distance < bestDistance {
				best, bestDistance = next, distance
			}
		}
		if best < 0 || bestDistance > gapContinuation*lines[text.line].Size {
			continue
		}
		read.blocked[[2]int{pageIndex, text.line}] = true
		if text.line < rows[best].line {
			before[best] = strings.TrimSpace(before[best] + " " + text.cells[columnText])
		} else {
			after[best] = strings.TrimSpace(after[best] + " " + text.cells[columnText])
		}
	}
	for index, row := range rows {
		row.cells[columnText] = strings.TrimSpace(strings.Join(nonBlank([]string{before[index], row.cells[columnText], after[index]}), " "))
	}
}

// longestCell is the number of lines of text a row may go on for after its numbers.
const longestCell = 6

// trailing cuts the texts after the last row where they cannot belong to it: at a label
// that a colon marks, at an amount, or when they go on for long.
func (read *form) trailing(rows, texts []gridRow, pageIndex int) []gridRow {
	last := rows[len(rows)-1].line
	for index, text := range texts {
		if text.line <= last {
			continue
		}
		if text.line-last > longestCell {
			return texts[:index]
		}
		for cellIndex, cell := range read.pages[pageIndex].Lines[text.line].Cells {
			tokens := read.tokens[place{pageIndex, text.line, cellIndex}]
			_, length := matchLabel(tokens, 0)
			if (length > 0 && tokens[length-1].colon) || (len(tokens) > 0 && tokens[len(tokens)-1].colon) || (cellIndex > 0 && read.isNumber(cell.Text)) {
				return texts[:index]
			}
		}
	}
	return texts
}

// chained is the distance of a text to the row above it along the lines of text between
// them: the widest step counts.
func (read *form) chained(texts []gridRow, index int, row gridRow, pageIndex int) float64 {
	lines := read.pages[pageIndex].Lines
	widest, at := 0.0, texts[index].line
	for ; index > 0 && texts[index-1].line == at-1 && texts[index-1].line > row.line; index-- {
		widest = max(widest, lines[at].Base-lines[at-1].Base)
		at--
	}
	return max(widest, lines[at].Base-lines[row.line].Base)
}

// overleaf reads the rows that continue a table on the next page without a head.
func (read *form) overleaf(found *grid, pageIndex int) {
	for lineIndex := range read.pages[pageIndex].Lines {
		if lineIndex > 6 {
			return
		}
		if _, height := read.head(pageIndex, lineIndex); height > 0 {
			return
		}
		row := read.row(found.columns, pageIndex, lineIndex)
		if !row.isRow() || len(row.cells) < min(len(found.columns), 3) || read.isSum(found, pageIndex, lineIndex, len(row.cells)) {
			continue
		}
		read.body(found, pageIndex, lineIndex)
		return
	}
}

// isRow tells whether the cells make a row of this table: money, and what it is for.
func (row gridRow) isRow() bool {
	return row.hasMoney() && row.says(columnText, columnSymbol, columnCode, columnDate, columnQuantity)
}

func (row gridRow) hasMoney() bool {
	return row.says(columnAmount, columnPrice, columnDebit, columnCredit, columnBalance, columnValue)
}

// says tells whether any of some columns has something in the row.
func (row gridRow) says(kinds ...string) bool {
	return slices.ContainsFunc(kinds, func(kind string) bool { return row.cells[kind] != "" })
}

// isSum tells lines of sums, which end a table, from rows: a cell is the label of one,
// and besides there is no more than an amount.
func (read *form) isSum(found *grid, pageIndex, lineIndex, numbers int) bool {
	for cellIndex := range read.pages[pageIndex].Lines[lineIndex].Cells {
		tokens := read.tokens[place{pageIndex, lineIndex, cellIndex}]
		kinds, length := matchLabel(tokens, 0)
		if length == 0 {
			continue
		}
		sum := label{end: length, colon: tokens[length-1].colon}
		read.qualify(&sum, tokens)
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
			case labelTax, labelDiscount, labelShipping, labelPaid:
				if whole && numbers <= 1 && found.has(columnText) && !found.has(columnBalance) && !found.has(columnDebit) && !found.isHoldings() {
					return true
				}
			}
		}
	}
	return false
}

// row assigns the cells of a line to columns, in order and at the least distance.
func (read *form) row(columns []gridColumn, pageIndex, lineIndex int) gridRow {
	line := read.pages[pageIndex].Lines[lineIndex]
	var cells []layout.Cell
	for _, cell := range line.Cells {
		if !read.besideTable(columns, pageIndex, lineIndex, cell) {
			cells = append(cells, read.cutAtColumns(cell, columns)...)
		}
	}
	row := gridRow{place: place{page: pageIndex, line: lineIndex}, cells: map[string]string{}}
	beyond := math.Inf(1) // where the column of text ends
	for _, column := range columns {
		if column.kind == columnText {
			beyond = column.right
		}
	}
	for index, column := range read.assign(cells, columns) {
		kind := columns[column].kind
		if kind == columnOther {
			continue
		}
		if cells[index].Left > beyond && read.isRemark(cells[index], columns) {
			continue
		}
		if row.cells[kind] != "" {
			row.cells[kind] += " "
		}
		row.cells[kind] += cells[index].Text
	}
	for _, kind := range slices.Sorted(maps.Keys(row.cells)) {
		text := row.cells[kind]
		if numeric(kind) && !read.fits(text, kind) {
			delete(row.cells, kind)
			if row.cells[columnText] == "" {
				row.cells[columnText] = text
			}
		}
	}
	return row
}

// besideTable tells a cell of what stands to the left of a table: words that end well before its
// first column, where the text of this line or of one near it begins exactly under its head.
func (read *form) besideTable(columns []gridColumn, pageIndex, lineIndex int, cell layout.Cell) bool {
	if columns[0].kind != columnText || cell.Right > columns[0].left-1.5*cell.Size {
		return false
	}
	lines := read.pages[pageIndex].Lines
	for _, line := range lines[max(lineIndex-2, 0):min(lineIndex+3, len(lines))] {
		for _, other := range line.Cells[:min(len(line.Cells), 6)] {
			if math.Abs(other.Left-columns[0].left) < 0.5*cell.Size && !read.isColumnHead(other) {
				return true
			}
		}
	}
	return false
}

// isColumnHead tells whether a cell names a column.
func (read *form) isColumnHead(cell layout.Cell) bool {
	found, _ := columnsOf(tokensOf(cell))
	return len(found) > 0
}

// isRemark tells words that stand exactly under the head of a column of numbers, like
// "+ VAT" under a price: they are no part of the text beside them.
func (read *form) isRemark(cell layout.Cell, columns []gridColumn) bool {
	if read.fits(cell.Text, columnRate) {
		return false
	}
	for _, column := range columns {
		if numeric(column.kind) && misalignment(column.left, column.right, cell) < 2 {
			return true
		}
	}
	return false
}

// assign finds, for each cell, its column: columns ascend with the cells, and two cells
// share one only at a price.
func (read *form) assign(cells []layout.Cell, columns []gridColumn) []int {
	if len(cells) == 0 || len(columns) == 0 {
		return nil
	}
	const sharing = 30
	cost := make([][]float64, len(cells))
	from := make([][]int, len(cells))
	for index, cell := range cells {
		cost[index], from[index] = make([]float64, len(columns)), make([]int, len(columns))
		for column := range columns {
			here := read.distance(cell, columns[column])
			best, bestFrom := 0.0, -1
			if index > 0 {
				best = math.Inf(1)
				for before := 0; before <= column; before++ {
					total := cost[index-1][before]
					if before == column {
						total += sharing
						if numeric(columns[column].kind) {
							total += 100
						}
					}
					if total < best {
						best, bestFrom = total, before
					}
				}
			}
			cost[index][column], from[index][column] = here+best, bestFrom
		}
	}
	assigned := make([]int, len(cells))
	last := len(cells) - 1
	for column := range columns {
		if cost[last][column] < cost[last][assigned[last]] {
			assigned[last] = column
		}
	}
	for index := last; index > 0; index-- {
		assigned[index-1] = from[index][assigned[index]]
	}
	return assigned
}

// cutAtColumns parts a cell that runs across columns set close to each other: before a
// word that is aligned with a column, or where a number meets words at a column's border.
func (read *form) cutAtColumns(cell layout.Cell, columns []gridColumn) []layout.Cell {
	var cuts []int
	for index := 1; index < len(cell.Words); index++ {
		before, after := cell.Words[index-1], cell.Words[index]
		gap := after.Left - before.Right
		for column := 1; column < len(columns); column++ {
			border := [2]float64{columns[column-1].right, columns[column].left}
			marked, _ := value.ParseAmount(after.Text, read.numbers)
			aligned := math.Abs(after.Left-columns[column].left) < 1.5 && (gap > 0.3*after.Size || marked.Marked() && gap > 0.12*after.Size && !read.isNumber(before.Text))
			beside := misalignment(columns[column].left, columns[column].right, layout.Cell{Left: after.Left, Right: after.Right}) < after.Size
			between := before.Right <= border[1] && after.Left >= border[0] && (gap > 0.55*after.Size || (gap > 0.3*after.Size && beside))
			number := read.isNumber(after.Text) || isCurrencyWord(after.Text)
			if numeric(columns[column].kind) && !number {
				continue
			}
			rate := false
			if (columns[column].kind == columnRate || columns[column].kind == columnTax) && after.Left >= border[0] {
				_, rate = rateAt(cell.Words[index:])
			}
			if rate || aligned || (between && (numeric(columns[column].kind) || numeric(columns[column-1].kind))) {
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

// rateAt is the rate that words begin with: "19%", "19 %".
func rateAt(words []layout.Word) (float64, bool) {
	text := words[0].Text
	if len(words) > 1 && words[1].Text == "%" {
		text += "%"
	}
	return value.ParsePercent(text)
}
