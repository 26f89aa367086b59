package bank

import (
	"slices"
	"strings"

	"toolkit/internal/reader/value"
)

// cutAbove takes the first rows from a list without heads where these alone have no day in the
// column of days: they say what holds for all of the list.
func (table *Table) cutAbove() {
	rows := table.Rows
	if len(table.Header) > 0 || len(rows) < 3 {
		return
	}
	for at := range rows[len(rows)-1] {
		dated := func(row []string) bool { return at < len(row) && value.IsDate(strings.TrimSpace(row[at])) }
		first := slices.IndexFunc(rows, dated)
		if first < 0 || first > mostAbove || slices.ContainsFunc(rows[first:], func(row []string) bool { return !dated(row) }) {
			continue
		}
		table.Above, table.Rows = append(table.Above, rows[:first]...), rows[first:]
		table.Lines = table.Lines[min(first, len(table.Lines)):]
		return
	}
}

// mostAbove is how many rows without a day stand above a list without heads at most.
const mostAbove = 15

// cutBelow takes the rows behind the last day of a column that is named as one from the list:
// they say what holds for all of it.
func (table *Table) cutBelow() {
	at := slices.IndexFunc(table.Header, func(head string) bool {
		roles, _ := named(head)
		return slices.ContainsFunc(roles, isDay)
	})
	if at < 0 {
		return
	}
	for last, row := range slices.Backward(table.Rows) {
		if at < len(row) && value.IsDate(row[at]) {
			table.Rows, table.below = table.Rows[:last+1], append(table.Rows[last+1:len(table.Rows):len(table.Rows)], table.below...)
			return
		}
	}
}

// HeaderRow is the first of the rows that names the columns of a list of movements: a day, an
// amount and something else; -1 when there is none.
func HeaderRow(rows [][]string) int {
	return slices.IndexFunc(rows, func(row []string) bool {
		if len(row) < 3 {
			return false
		}
		days, amounts := 0, 0
		kinds := map[string]bool{}
		for _, cell := range row {
			roles, _ := named(cell)
			if len(roles) == 0 {
				continue
			}
			kinds[roles[0]] = true
			switch roles[0] {
			case Date, BookingDate, ValueDate:
				days++
			case Amount, roleDebit, roleCredit, Balance:
				amounts++
			}
		}
		return days > 0 && amounts > 0 && len(kinds) >= 3
	})
}

// cutSections leaves out the head where it comes again between movements, as on each page, and
// takes what stands below another head, or below a title and the same head, from the list.
func (table *Table) cutSections() {
	if len(table.Header) == 0 {
		return
	}
	rows, lines, words := [][]string(nil), []int(nil), false
	for index, row := range table.Rows {
		switch again := table.isHead(row); {
		case !again && HeaderRow([][]string{row}) < 0:
			rows = append(rows, row)
			if index < len(table.Lines) {
				lines = append(lines, table.Lines[index])
			}
			words = row[0] != "" && !slices.ContainsFunc(row, isDated)
		case !again || words:
			table.below = table.Rows[index:]
			for _, other := range table.below {
				if slices.ContainsFunc(other, isDated) {
					table.apart++
				}
			}
			table.Rows, table.Lines = rows, lines
			return
		}
	}
	table.Rows, table.Lines = rows, lines
}

func isDated(cell string) bool { return value.IsDate(strings.TrimSpace(cell)) }

// isHead tells whether a row is the head of the list again.
func (table *Table) isHead(row []string) bool {
	same := func(a, b string) bool { return strings.TrimSpace(a) == strings.TrimSpace(b) }
	return slices.EqualFunc(row[:min(len(row), len(table.Header))], table.Header, same)
}

// joinBelow puts the text of a row that has nothing else to the description of the row above it.
func (table *Table) joinBelow() {
	rows, lines := [][]string(nil), []int(nil)
	for index, row := range table.Rows {
		at := slices.IndexFunc(row, func(cell string) bool { return strings.TrimSpace(cell) != "" })
		if len(rows) > 0 && at >= 0 && at < len(table.Header) && strings.Join(row[at+1:], "") == "" && !isDated(row[at]) {
			roles, _ := named(table.Header[at])
			if last := rows[len(rows)-1]; slices.Contains(roles, Description) && at < len(last) && last[at] != "" {
				rows[len(rows)-1] = slices.Clone(last)
				rows[len(rows)-1][at] += " " + strings.TrimSpace(row[at])
				continue
			}
		}
		rows = append(rows, row)
		if index < len(table.Lines) {
			lines = append(lines, table.Lines[index])
		}
	}
	table.Rows, table.Lines = rows, lines
}

// takeBalances takes the rows that state the balance before the movements or behind them from
// the list; those of several accounts say nothing of one.
func (table *Table) takeBalances() {
	var rows [][]string
	var lines []int
	found := map[string][][]string{}
	for index, row := range table.Rows {
		kind, said := balanceRow(row)
		if kind == "" {
			rows = append(rows, row)
			if index < len(table.Lines) {
				lines = append(lines, table.Lines[index])
			}
			continue
		}
		found[kind] = append(found[kind], said)
	}
	for _, said := range found {
		if len(said) == 1 {
			table.Above = append(table.Above[:len(table.Above):len(table.Above)], said...)
		}
	}
	table.Rows, table.Lines = rows, lines
}

// balanceRow is what a row states that names a balance: the name and its amount, which is the
// first of those with cents.
func balanceRow(row []string) (kind string, said []string) {
	amount := ""
	for _, cell := range row {
		for _, list := range []string{"opening", "closing"} {
			if is(list, undated(cell)) {
				kind, said = list, []string{cell}
			}
		}
		if read, ok := value.ParseAmount(cell, value.Unknown); ok && !isDated(cell) && (amount == "" || read.Marked()) {
			if before, _ := value.ParseAmount(amount, value.Unknown); !before.Marked() {
				amount = cell
			}
		}
	}
	if kind == "" || amount == "" {
		return "", nil
	}
	return kind, append(said, amount)
}
