package bank

import (
	"slices"
	"strings"

	"toolkit/internal/reader/value"
)

// joinTornCells puts together what stands in one cell too many of a row: a text with the delimiter in
// it that nobody quoted. It was torn where joining it puts all days and amounts under the heads
// that they have in the other rows; of several such places the column of the longest texts is.
func (table *Table) joinTornCells() {
	width := len(table.Header)
	torn := func(row []string) bool { return width > 0 && len(row) > width && strings.Join(row[width:], "") != "" }
	if !slices.ContainsFunc(table.Rows, torn) {
		return
	}
	whole := slices.DeleteFunc(slices.Clone(table.Rows), func(row []string) bool { return len(row) < width || torn(row) })
	for index, row := range table.Rows {
		if !torn(row) {
			continue
		}
		best, longest := []string(nil), -1
		for at := range width {
			joined := slices.Concat(row[:at], []string{strings.Join(row[at:at+len(row)-width+1], table.Delimiter)}, row[at+len(row)-width+1:])
			if length := textLength(whole, at); length > longest && fitsCellTypesOfRows(joined, whole) {
				best, longest = joined, length
			}
		}
		if best != nil {
			table.Rows[index] = best
		}
	}
	if !slices.ContainsFunc(table.Rows, torn) {
		table.Names = table.Names[:width]
	}
}

// fitsCellTypesOfRows tells whether each cell of a row is a day or an amount where all rows have one.
func fitsCellTypesOfRows(row []string, rows [][]string) bool {
	for _, is := range []func(string) bool{value.IsDate, isAmount} {
		for at, cell := range row {
			other := func(row []string) bool { return row[at] != "" && !is(strings.TrimSpace(row[at])) }
			if cell != "" && !is(strings.TrimSpace(cell)) && !slices.ContainsFunc(rows, other) && textLength(rows, at) > 0 {
				return false
			}
		}
	}
	return true
}

// textLength is how long the texts of a column are together.
func textLength(rows [][]string, at int) (length int) {
	for _, row := range rows {
		length += len(strings.TrimSpace(row[at]))
	}
	return length
}

// joinAmountColumnsPerCurrency makes one column of amounts and one of currencies of columns that are named by nothing
// but a currency, where no row fills two of them.
func (table *Table) joinAmountColumnsPerCurrency() {
	var at []int
	for index, head := range table.Header {
		if code, ok := value.CurrencyOf(strings.TrimSuffix(strings.TrimSpace(head), "$")); ok && code != "" {
			at = append(at, index)
		}
	}
	filled := func(row []string) (filled []int) {
		for _, index := range at {
			if index < len(row) && strings.TrimSpace(row[index]) != "" {
				filled = append(filled, index)
			}
		}
		return filled
	}
	if len(at) < 2 || slices.ContainsFunc(table.Rows, func(row []string) bool { return len(filled(row)) > 1 }) {
		return
	}
	heads := table.Header
	table.Header, table.Names = slices.Clone(heads), slices.Clone(table.Names)
	for place, name := range map[int]string{at[0]: Amount, at[1]: Currency} {
		table.Header[place], table.Names[place] = name, name
	}
	for number, row := range table.Rows {
		for _, index := range filled(row) {
			row = slices.Concat(row, make([]string, max(at[1]+1-len(row), 0)))
			amount := row[index]
			row[index] = ""
			row[at[0]], row[at[1]] = amount, strings.TrimSuffix(strings.TrimSpace(heads[index]), "$")
			table.Rows[number] = row
		}
	}
}
