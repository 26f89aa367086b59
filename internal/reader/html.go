package reader

import (
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/net/html/charset"

	"toolkit/internal/reader/bank"
	"toolkit/internal/reader/layout"
	"toolkit/internal/reader/value"
)

// readHTML reads a web page as a reader sees it: blocks as lines, tables as tables.
func readHTML(ctx context.Context, data []byte, limits Limits, content *Content) error {
	text, encoding := decodeText(data)
	if found, name, certain := charset.DetermineEncoding(data[:min(len(data), 1024)], ""); certain && name != "utf-8" {
		if decoded, err := found.NewDecoder().Bytes(data); err == nil {
			text, encoding = string(decoded), name
		}
	}
	content.setMetadata("encoding", encoding)
	page, err := renderHTML(ctx, text, limits)
	content.setMetadata("title", page.title)
	for _, table := range page.tables {
		content.addTable(table, limits)
	}
	content.Pages = composeSinglePage(&page.composer)
	content.setBoundedText(&page.text, limits)
	page.readMovements(content)
	return err
}

// readMovements reads the movements of a page that has one list of them with balances, below what it
// says of their account. Several such lists may be parts of one, and one without balances that of an
// invoice: of these the whole page tells. What is reserved mostly stands in a list of its own.
func (page *webPage) readMovements(content *Content) {
	var heads, withBalances []int
	for at, row := range page.rows {
		if bank.HeaderRow([][]string{row}) != 0 {
			continue
		}
		if heads = append(heads, at); slices.ContainsFunc(row, bank.IsBalanceHead) {
			withBalances = append(withBalances, at)
		}
	}
	if len(withBalances) != 1 {
		return
	}
	head, end := withBalances[0], len(page.rows)
	if next := slices.Index(heads, head) + 1; next < len(heads) {
		end = heads[next]
	}
	list := makeTable("", page.rows[head:end], end-head, true, page.limits)
	content.addMovementsOfTable(&list, page.rows[max(0, head-2*maxPreamble):head], page.lines[head+1:end])
	if list.Movements && len(content.Tables) > 1 && len(heads) > 1 {
		content.warn("another list of the page has days and amounts, but no balances: it is kept as rows")
	}
}

// webPage collects what a page shows, token by token. It makes no tree: the library's own
// (x/net/html 0.62) took 10 s and 6 GB for 150 kB of <body a1=b>, and is none at all beyond 512
// levels.
type webPage struct {
	tokens   *html.Tokenizer
	limits   Limits
	title    string
	tables   []Table
	rows     [][]string // of tables and, in one cell each, of other lines
	lines    []int      // of the page, of the rows of tables
	text     boundedText
	composer layout.Composer
	line     strings.Builder // the block at hand
	pre      int             // open blocks whose lines stay as they are written
	open     []*webTable
	unseen   atom.Atom // the element at hand whose content is not shown
	hidden   int       // elements of its name that are open in it
}

// webTable is an open table. One with another inside only arranges: its cells are lines.
type webTable struct {
	arranges bool
	rows     [][]string
	row      []string
	heads    int // cells of the row that are heads
	cells    int // cells of the row
	number   int // of the row, from 0
	headed   bool
	inCell   bool
	cell     boundedText
	span     cellSpan         // of the cell at hand
	spans    map[int]cellSpan // by column, of cells that go on in later rows
	wide     int              // columns that a wide cell takes before the next one
	titles   int              // rows above that of the heads
}

// renderHTML reads a page; with an error it returns what was read before.
func renderHTML(ctx context.Context, text string, limits Limits) (page *webPage, err error) {
	page = &webPage{limits: limits, text: boundedText{limit: limits.MaxText}, tokens: html.NewTokenizer(contextReader{ctx, strings.NewReader(text)})}
	err = page.readTokens()
	for len(page.open) > 0 {
		page.endTable()
	}
	page.endTextBlock()
	return page, err
}

func (page *webPage) readTokens() error {
	for range maxNodes {
		switch kind := page.tokens.Next(); kind {
		case html.ErrorToken:
			if err := page.tokens.Err(); !errors.Is(err, io.EOF) {
				return err
			}
			return nil
		case html.TextToken:
			if page.unseen == 0 {
				page.writeText(strings.ReplaceAll(page.tokens.Token().Data, "\x00", ""))
			} else if page.unseen == atom.Title && page.title == "" {
				page.title = strings.Join(strings.Fields(page.tokens.Token().Data), " ")
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			page.startElement(page.tokens.Token(), kind == html.SelfClosingTagToken)
		case html.EndTagToken:
			name, _ := page.tokens.TagName()
			page.endElement(atom.Lookup(name))
		}
	}
	return errNodes
}

// innermostTable is the innermost open table, nil without one.
func (page *webPage) innermostTable() *webTable {
	if len(page.open) == 0 {
		return nil
	}
	return page.open[len(page.open)-1]
}

// endTextBlock ends the block at hand: a line of the open cell, else of the page.
func (page *webPage) endTextBlock() {
	line := strings.Join(strings.Fields(page.line.String()), " ")
	page.line.Reset()
	if line == "" {
		return
	}
	if table := page.innermostTable(); table != nil && table.inCell && !table.arranges {
		table.cell.WriteString(line + "\n")
		return
	}
	page.text.WriteString(line + "\n")
	page.composer.AddParagraph(line)
	page.rows, page.lines = append(page.rows, []string{line}), append(page.lines, 0)
}

func (page *webPage) writeText(text string) {
	if page.pre == 0 {
		page.line.WriteString(text)
		return
	}
	for line := range strings.Lines(text) {
		page.line.WriteString(line)
		if strings.HasSuffix(line, "\n") {
			page.endTextBlock()
		}
	}
}

// notShown are the elements whose content is not shown.
var notShown = []atom.Atom{atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Svg, atom.Iframe, atom.Title}

func (page *webPage) startElement(token html.Token, closed bool) {
	tag := token.DataAtom
	switch {
	case page.unseen != 0:
		if page.unseen == atom.Svg { // a title in it is none of the page's
			page.tokens.NextIsNotRawText()
		}
		if tag == page.unseen && !closed {
			page.hidden++
		}
		return
	case slices.Contains(notShown, tag):
		if !closed || tag == atom.Title || tag == atom.Script || tag == atom.Style {
			page.unseen = tag
		}
		return
	case !isBlock(tag):
		return
	}
	table := page.innermostTable()
	part := slices.Contains(tableParts, tag)
	if part && table == nil {
		return
	}
	if tag != atom.Option {
		page.endTextBlock()
	}
	switch {
	case tag == atom.Table:
		if table != nil {
			page.flattenTable(table)
		}
		page.open = append(page.open, &webTable{spans: map[int]cellSpan{}})
	case part:
		page.endCellOrRow(table, tag != atom.Td && tag != atom.Th)
		page.pre = 0
		if tag == atom.Td || tag == atom.Th {
			table.inCell, table.cell = true, boundedText{limit: longestField}
			if tag == atom.Th {
				table.heads++
			}
			table.readSpan(token)
		}
	case tag == atom.Pre:
		page.pre++
	}
}

func (page *webPage) endElement(tag atom.Atom) {
	switch {
	case page.unseen != 0:
		if tag != page.unseen {
			return
		}
		if page.hidden--; page.hidden < 0 {
			page.unseen, page.hidden = 0, 0
		}
	case tag == atom.Table:
		if len(page.open) > 0 {
			page.endTextBlock()
			page.endTable()
		}
	case slices.Contains(tableParts, tag):
		if table := page.innermostTable(); table != nil {
			page.endTextBlock()
			page.endCellOrRow(table, tag != atom.Td && tag != atom.Th)
		}
	case isBlock(tag):
		page.endTextBlock()
		if tag == atom.Pre {
			page.pre = max(page.pre-1, 0)
		}
	}
}

// flattenTable turns a table into lines, since another one stands in it.
func (page *webPage) flattenTable(table *webTable) {
	if table.arranges {
		return
	}
	table.arranges = true
	for _, row := range append(table.rows, append(table.row, table.cell.String())) {
		for _, cell := range row {
			for line := range strings.Lines(cell) {
				page.line.WriteString(line)
				page.endTextBlock()
			}
		}
	}
	table.rows, table.row, table.cell = nil, nil, boundedText{}
}

// endCellOrRow ends the cell at hand, and the row too where whole says so.
func (page *webPage) endCellOrRow(table *webTable, whole bool) {
	if table.inCell && !table.arranges {
		table.addCell(strings.TrimSpace(table.cell.String()))
	}
	table.inCell = false
	if !whole || table.cells == 0 {
		return
	}
	table.addSpannedCells()
	if len(dropBlankCells(table.row)) > 0 {
		table.addRow()
	}
	table.row, table.heads, table.cells, table.wide = nil, 0, 0, 0
	table.number++
}

// endTable keeps the innermost table. One that only arranges, in a single column, is lines.
func (page *webPage) endTable() {
	page.endTextBlock()
	table := page.innermostTable()
	page.endCellOrRow(table, true)
	page.open = page.open[:len(page.open)-1]
	if len(table.rows) == 0 {
		return
	}
	lines := page.composer.AddTable(table.rows)
	page.rows, page.lines = append(page.rows, table.rows...), append(page.lines, lines...)
	width := 0
	for _, row := range table.rows {
		page.text.WriteString(rowText(row))
		width = max(width, len(row))
	}
	if width > 1 {
		page.tables = append(page.tables, makeTable("", table.rows[table.titles:], len(table.rows)-table.titles, table.headed, page.limits))
	}
}

func isBlock(tag atom.Atom) bool {
	switch tag {
	case atom.A, atom.Abbr, atom.B, atom.Bdi, atom.Cite, atom.Code, atom.Em, atom.Font, atom.I, atom.Img, atom.Label, atom.Mark, atom.Q, atom.S,
		atom.Small, atom.Span, atom.Strong, atom.Sub, atom.Sup, atom.Time, atom.U, atom.Var, atom.Wbr, atom.Kbd, atom.Samp, atom.Ins, atom.Del, atom.Input, 0:
		return false
	}
	return true
}

// tableParts are the parts of a table that end its open cell.
var tableParts = []atom.Atom{atom.Td, atom.Th, atom.Tr, atom.Thead, atom.Tbody, atom.Tfoot, atom.Caption, atom.Colgroup, atom.Col}

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
