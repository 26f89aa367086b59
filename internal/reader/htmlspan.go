package reader

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"toolkit/internal/reader/bank"
	"toolkit/internal/reader/value"
)

// cellSpan is how far a cell of a web page's table goes.
type cellSpan struct {
	columns int // beyond its own
	last    int // row in which it stands
	text    string
}

// Bounds of what one cell takes: a page makes some ten cells of a token at most.
const (
	maxColumnSpan = 12
	maxRowSpan    = 1000
	maxSpanColumn = 20 // in which a cell goes on in the next row
)

// readSpan keeps how far the cell at hand goes.
func (table *webTable) readSpan(cell html.Token) {
	table.span = cellSpan{last: table.number}
	for _, attribute := range cell.Attr {
		number, _ := strconv.Atoi(attribute.Val)
		switch attribute.Key {
		case "colspan":
			table.span.columns = min(max(number-1, 0), maxColumnSpan)
		case "rowspan":
			table.span.last += min(max(number-1, 0), maxRowSpan)
		}
	}
}

// addCell adds a cell to the row, behind those that go on from the rows above.
func (table *webTable) addCell(text string) {
	table.addSpannedCells()
	table.cells++
	table.span.text = text
	if at := len(table.row) + table.wide; table.span.last > table.number && at < maxSpanColumn {
		table.spans[at] = table.span
	}
	table.placeCell(text, table.span.columns)
}

// placeCell puts a text into the next column and leaves those free that it takes besides.
func (table *webTable) placeCell(text string, columns int) {
	table.row = append(append(table.row, make([]string, table.wide)...), text)
	table.wide = columns
}

// addSpannedCells adds the cells that go on from the rows above: numbers are said once, while words and days
// hold for each row.
func (table *webTable) addSpannedCells() {
	for {
		span, ok := table.spans[len(table.row)+table.wide]
		if !ok || span.last < table.number {
			return
		}
		if countDigits(span.text) > 0 && !value.IsDate(span.text) {
			span.text = ""
		}
		table.placeCell(span.text, span.columns)
	}
}

// addRow adds the row to the table. Of heads in two rows the lower one has all names, and the upper one
// keeps the titles of several.
func (table *webTable) addRow() {
	isHead, above := table.heads > 1 && table.heads == table.cells, len(table.rows)-1
	switch {
	case above < 0:
		table.headed = isHead
	case above > 2*maxPreamble || len(table.row) == table.cells || countDigits(strings.Join(slices.Concat(table.rows[above], table.row), "")) > 0:
	case table.headed && isHead && above == 0, bank.HeaderRow([][]string{table.row}) == 0:
		for at := range table.rows[above] {
			if at < len(table.row) && table.row[at] == table.rows[above][at] {
				table.rows[above][at] = ""
			}
		}
		table.headed, table.titles = true, above+1
	}
	table.rows = append(table.rows, table.row)
}
