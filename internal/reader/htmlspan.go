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
	columns, rows int // beyond its own
	text          string
}

// Bounds of what one cell takes: a page makes some ten cells of a token at most.
const (
	maxColumnSpan = 12
	maxRowSpan    = 1000
	maxSpanColumn = 20 // in which a cell goes on in the next row
)

func spanOf(cell html.Token) cellSpan {
	span := cellSpan{}
	for _, attribute := range cell.Attr {
		number, _ := strconv.Atoi(attribute.Val)
		switch attribute.Key {
		case "colspan":
			span.columns = min(max(number-1, 0), maxColumnSpan)
		case "rowspan":
			span.rows = min(max(number-1, 0), maxRowSpan)
		}
	}
	return span
}

// addCell adds a cell to the row, behind those that go on from the rows above.
func (table *webTable) addCell(text string) {
	table.addSpans()
	table.cells++
	table.span.text = text
	if at := len(table.row) + table.wide; table.span.rows > 0 && at < maxSpanColumn {
		if table.spans == nil {
			table.spans = map[int]cellSpan{}
		}
		table.spans[at] = table.span
	}
	table.place(text, table.span.columns)
	table.span = cellSpan{}
}

// place puts a text into the next column and leaves those free that it takes besides.
func (table *webTable) place(text string, columns int) {
	table.row = append(append(table.row, make([]string, table.wide)...), text)
	table.wide = columns
}

// addSpans adds the cells that go on from the rows above: numbers are said once, while words and days
// hold for each row.
func (table *webTable) addSpans() {
	at := len(table.row) + table.wide
	span, ok := table.spans[at]
	if !ok {
		return
	}
	if wordDigits(span.text) > 0 && !value.IsDate(span.text) {
		span.text = ""
	}
	table.place(span.text, span.columns)
	table.shorten(at)
	table.addSpans()
}

// shorten takes off a row of a cell that goes on.
func (table *webTable) shorten(at int) {
	span := table.spans[at]
	if span.rows--; span.rows == 0 {
		delete(table.spans, at)
	} else {
		table.spans[at] = span
	}
}

// endSpans adds what goes on behind the last cell of a row.
func (table *webTable) endSpans() {
	table.addSpans()
	for at := range table.spans {
		if at >= len(table.row) {
			table.shorten(at)
		}
	}
}

// addRow adds the row to the table. Of heads in two rows the lower one has all names, and the upper one
// keeps the titles of several.
func (table *webTable) addRow() {
	isHead, above := table.heads > 1 && table.heads == table.cells, len(table.rows)-1
	switch {
	case above < 0:
		table.headed = isHead
	case above > 2*maxPreamble || len(table.row) == table.cells || wordDigits(strings.Join(slices.Concat(table.rows[above], table.row), "")) > 0:
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
