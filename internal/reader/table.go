package reader

import (
	"cmp"
	"strconv"
	"strings"
	"unicode/utf8"

	"toolkit/internal/reader/value"
)

// Kinds of columns.
const (
	KindText    = "text"
	KindNumber  = "number"
	KindDate    = "date"
	KindBoolean = "boolean"
)

// Column is a column of a dataset.
type Column struct {
	Name  string // unique: the header made unambiguous, column_3 where it is empty
	Label string // the header as written
	Kind  string // what nearly all its values are
}

// Row is one row: the values as written, and those that are numbers, dates or booleans
// in their typed form (dates as YYYY-MM-DD, a time of day behind a T). Of a table with more than
// 256 columns the blank cells are none.
type Row struct {
	Number int // from 1, in the file's order
	Values map[string]string
	Typed  map[string]any
}

// Dataset is a table with named and typed columns.
type Dataset struct {
	Name      string
	Columns   []Column
	Rows      []Row
	Total     int  // rows in the file
	Truncated bool // not all of them are in Rows
}

// FirstDataset returns the first table of the content as a dataset of at most maximum rows
// (0 = 2000); an empty dataset when the content has no table.
func (content *Content) FirstDataset(maximum int) Dataset {
	if len(content.Tables) == 0 {
		return Dataset{Columns: []Column{}, Rows: []Row{}}
	}
	return content.MakeDataset(content.Tables[0], maximum)
}

// MakeDataset names and types the columns of a table of the content and keeps at most maximum
// rows (0 = 2000). When the caller of Extract gives up meanwhile it is left unfinished.
func (content *Content) MakeDataset(table Table, maximum int) Dataset {
	if maximum <= 0 {
		maximum = 2000
	}
	rows := table.Rows[:min(len(table.Rows), maximum)]
	dataset := Dataset{Name: table.Name, Columns: table.columns(), Rows: make([]Row, 0, len(rows)), Total: table.Count()}
	dataset.Truncated = dataset.Total > len(rows)
	common := detectCellConventions(rows)
	styles := make([]cellConventions, len(dataset.Columns))
	for index := range dataset.Columns {
		if content.isAbandoned() {
			return dataset
		}
		styles[index] = common.detectForColumn(rows, index)
		dataset.Columns[index].Kind = styles[index].detectColumnKind(rows, index)
	}
	for number, cells := range rows {
		if content.isAbandoned() {
			return dataset
		}
		row := Row{Number: number + 1, Values: map[string]string{}, Typed: map[string]any{}}
		for index, cell := range cells {
			if cell == "" && len(dataset.Columns) > maxBlankColumns {
				continue
			}
			column := dataset.Columns[index]
			row.Values[column.Name] = cell
			if kind, item := styles[index].parseCell(cell); kind == column.Kind && item != nil {
				row.Typed[column.Name] = item
			}
		}
		dataset.Rows = append(dataset.Rows, row)
	}
	return dataset
}

// maxBlankColumns is how many columns a table has at most whose blank cells are values of its rows: a few cells that
// stand far out make millions of blank ones.
const maxBlankColumns = 256

// Count is the number of rows in the file.
func (table Table) Count() int { return max(table.Total, len(table.Rows)) }

// Width is the number of columns.
func (table Table) Width() int {
	width := len(table.Header)
	for _, row := range table.Rows {
		width = max(width, len(row))
	}
	return width
}

// columns makes names unique without losing one.
func (table Table) columns() []Column {
	columns := make([]Column, table.Width())
	taken := map[string]bool{}
	doubles := map[string]int{} // by name, so that a thousand equal ones do not try a thousand suffixes each
	for index := range columns {
		label := ""
		if index < len(table.Header) {
			label = strings.Join(strings.Fields(table.Header[index]), " ")
		}
		name := cmp.Or(label, "column_"+strconv.Itoa(index+1))
		base := name
		for taken[name] {
			doubles[base]++
			name = base + "_" + strconv.Itoa(doubles[base]+1)
		}
		taken[name] = true
		columns[index] = Column{Name: name, Label: label, Kind: KindText}
	}
	return columns
}

// names are those of the columns.
func (table Table) names() []string {
	var names []string
	for _, column := range table.columns() {
		names = append(names, column.Name)
	}
	return names
}

// displayedRows are the rows that are given a layout, under their header.
func (table Table) displayedRows() [][]string {
	return append([][]string{table.Header}, table.Rows[:min(len(table.Rows), 200)]...)
}

// conventionCells are the cells that tell how numbers and dates are written: 500 rows of a
// hundred columns.
const conventionCells = 50_000

func detectCellConventions(rows [][]string) cellConventions {
	var texts []string
	for _, row := range rows[:min(len(rows), 500)] {
		if texts = append(texts, row...); len(texts) >= conventionCells {
			break
		}
	}
	return cellConventions{value.ConventionOf(texts), value.OrderOf(texts)}
}

// cellConventions is how numbers and dates are written.
type cellConventions struct {
	numbers value.NumberConvention
	dates   value.DateOrder
}

// detectForColumn returns how a column writes them: as its own cells tell, else as the table does.
func (column cellConventions) detectForColumn(rows [][]string, index int) cellConventions {
	var cells []string
	for _, row := range rows[:min(len(rows), 500)] {
		if index < len(row) && row[index] != "" && len(row[index]) <= 48 {
			cells = append(cells, row[index])
		}
	}
	if numbers := value.ColumnConvention(cells); numbers != value.Unknown {
		column.numbers = numbers
	}
	if dates := value.ColumnOrder(cells, value.Span{}, value.RunningDays); dates != value.UnknownOrder {
		column.dates = dates
	}
	return column
}

// detectColumnKind returns the type of at least nine in ten filled cells of a column.
func (column cellConventions) detectColumnKind(rows [][]string, index int) string {
	filled := 0
	counts := map[string]int{}
	for _, row := range rows {
		if index >= len(row) || strings.TrimSpace(row[index]) == "" {
			continue
		}
		filled++
		kind, _ := column.parseCell(row[index])
		counts[kind]++
	}
	for _, kind := range []string{KindNumber, KindDate, KindBoolean} {
		if filled > 0 && counts[kind]*10 >= filled*9 {
			return kind
		}
	}
	return KindText
}

// parseCell returns what a cell is, with its value; nil for a text, and for a day that may be one of two.
func (column cellConventions) parseCell(cell string) (kind string, item any) {
	cell = strings.TrimSpace(cell)
	switch strings.ToLower(cell) {
	case "true", "yes", "ja":
		return KindBoolean, true
	case "false", "no", "nein":
		return KindBoolean, false
	}
	if utf8.RuneCountInString(cell) > 48 {
		return KindText, nil
	}
	if amount, ok := value.ParseAmount(cell, column.numbers); ok && !value.IsZeroPaddedCode(cell) {
		return KindNumber, amount.Value
	}
	date, ok := value.ParseDate(cell, column.dates)
	switch clock := value.TimeOf(cell); {
	case !ok:
		return KindText, nil
	case date.Ambiguous:
		return KindDate, nil
	case clock != "" && !strings.HasPrefix(clock, "00:00:00"):
		return KindDate, date.ISO + "T" + clock
	}
	return KindDate, date.ISO
}

// makeTable makes a table of rows, of which the file has total: the first is a header if the
// file says so or it looks like one, and no more are kept than the limits say.
func makeTable(name string, rows [][]string, total int, headed bool, limits Limits) Table {
	table := Table{Name: name}
	if headed || hasHeader(rows) {
		table.Header, rows = trimCells(rows[0]), rows[1:]
		total--
	}
	if len(rows) > limits.MaxRows {
		rows = rows[:limits.MaxRows]
	}
	table.Rows, table.Total, table.Truncated = rows, total, total > len(rows)
	return table
}

// hasHeader tells whether the first row names the columns: it is all text, without
// doubles or long texts, and either a column below it is of another type or none of its
// cells comes again in its column.
func hasHeader(rows [][]string) bool {
	if len(rows) == 0 {
		return false
	}
	head := trimCells(rows[0])
	seen := map[string]bool{}
	filled := 0
	for _, cell := range head {
		if cell == "" {
			continue
		}
		filled++
		if kind, _ := (cellConventions{}).parseCell(cell); kind != KindText || utf8.RuneCountInString(cell) > 80 {
			return false
		}
		seen[strings.ToLower(cell)] = true
	}
	if filled == 0 || filled*2 < len(head) {
		return false
	}
	body := rows[1:min(len(rows), 200)]
	common := detectCellConventions(body)
	for index := range head {
		if common.detectColumnKind(body, index) != KindText {
			return true
		}
	}
	for index, cell := range head {
		for _, row := range body {
			if cell != "" && index < len(row) && strings.EqualFold(strings.TrimSpace(row[index]), cell) {
				return false
			}
		}
	}
	return len(seen) == filled
}
