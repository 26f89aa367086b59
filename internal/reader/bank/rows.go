package bank

import (
	"cmp"
	"slices"
	"strings"

	"toolkit/internal/lazyregexp"
	"toolkit/internal/reader/value"
)

// prepareMovementRows leaves the rows of the movements in the list.
func (table *Table) prepareMovementRows() {
	rows := make([][]string, len(table.Rows)) // the others stay as they are in the file
	for index, row := range table.Rows {
		rows[index] = slices.Clone(row)
	}
	table.Rows, table.accounts = rows, make([]string, len(rows))
	table.joinDateColumns()
	table.addMissingYearsToDates()
	table.cutRowsBeforeFirstDay()
	table.cutRepeatedHeads()
	table.cutBalanceRows()
	table.cutRowsAfterLastDay()
	table.joinTornCells()
	table.joinAmountColumnsPerCurrency()
}

// dayParts are heads of three columns that have the year, the month and the day: "操作日(年)".
var dayParts = lazyregexp.New(`^[^|]*年[)）]?\|[^|]*月[)）]?\|[^|]*日[)）]?$`)

// joinDateColumns puts days whose parts stand in three columns, as Japanese banks write them, into the first.
func (table *Table) joinDateColumns() {
	for at := range max(len(table.Header)-2, 0) {
		if !dayParts().MatchString(strings.Join(table.Header[at:at+3], "|")) {
			continue
		}
		table.Header = slices.Clone(table.Header)
		table.Header[at] = "年月日"
		for _, row := range table.Rows {
			if len(row) >= at+3 {
				row[at], row[at+1], row[at+2] = strings.Join(row[at:at+3], "/"), "", ""
			}
		}
	}
}

// addMissingYearsToDates gives days that are written without a year the one in which they lie in the period that
// the lines above the list name, or next to it. A day that can be read in two ways stays so.
func (table *Table) addMissingYearsToDates() {
	span := readLinesAroundTable(table.Above, nil).span
	for at, head := range table.Header {
		if span.Start == "" || !IsDateColumn(head) {
			continue
		}
		days := make([]string, len(table.Rows))
		for index, row := range table.Rows {
			if at < len(row) {
				days[index] = stripTextMarks(row[at])
			}
		}
		for index, day := range span.AddYears(days) {
			if day != days[index] {
				table.Rows[index][at] = day
			}
		}
	}
}

// cutRowsBeforeFirstDay takes the first rows from a list without heads where these alone have no day in the
// column of days, or write it the other way round: they say what holds for all of the list. So
// does a last row that has nothing but a day and an amount.
func (table *Table) cutRowsBeforeFirstDay() {
	rows := table.Rows
	if len(table.Header) > 0 || len(rows) < 3 {
		return
	}
	bare := func(row []string) bool { return len(nonEmpty(row)) < 3 }
	if last := len(rows) - 1; bare(rows[last]) && !slices.ContainsFunc(rows[:last], bare) {
		table.Rows, table.below = rows[:last], append(table.below, rows[last])
		rows = table.Rows
	}
	for at := range rows[len(rows)-1] {
		yearFirst := isYearFirst(rows[len(rows)-1][at])
		dated := func(row []string) bool {
			return at < len(row) && value.IsDate(row[at]) && isYearFirst(row[at]) == yearFirst
		}
		first := slices.IndexFunc(rows, dated)
		if first < 0 || first > mostAbove || slices.ContainsFunc(rows[first:], func(row []string) bool { return !dated(row) }) {
			continue
		}
		table.Above, table.Rows = append(table.Above, rows[:first]...), rows[first:]
		table.Lines = table.Lines[min(first, len(table.Lines)):]
		return
	}
}

func isYearFirst(day string) bool {
	year, _, _ := strings.Cut(strings.TrimSpace(day), "-")
	return len(year) == 4
}

func nonEmpty(row []string) []string {
	return slices.DeleteFunc(slices.Clone(row), func(cell string) bool { return strings.TrimSpace(cell) == "" })
}

// dropPlaceholders returns the cells that say something: neither blank nor the nought of a number that there is none of.
func dropPlaceholders(row []string) []string {
	return slices.DeleteFunc(slices.Clone(row), func(cell string) bool { return strings.Trim(cell, "0-. ") == "" })
}

// mostAbove is how many rows without a day stand above a list without heads at most.
const mostAbove = 15

// cutRowsAfterLastDay takes the rows behind the last day of a column that is named as one from the list: they
// say what holds for all of it. What is still to come belongs to the list where it has a balance.
func (table *Table) cutRowsAfterLastDay() {
	at := slices.IndexFunc(table.Header, IsDateColumn)
	if at < 0 && len(table.Header) > 0 {
		at, _ = findDateColumn(table.Rows[:min(len(table.Rows), firstRows)])
	}
	if at < 0 {
		return
	}
	awaited := func(row []string) bool {
		return isState(stripTextMarks(row[at])) && len(slices.DeleteFunc(slices.Clone(row), func(cell string) bool { return !isMoneyCell(cell) })) > 1
	}
	for last, row := range slices.Backward(table.Rows) {
		if at < len(row) && (value.IsDate(row[at]) || awaited(row)) {
			table.Rows, table.below = table.Rows[:last+1], append(table.Rows[last+1:len(table.Rows):len(table.Rows)], table.below...)
			return
		}
	}
}

// IsDateColumn tells whether a name is that of a column of days.
func IsDateColumn(head string) bool {
	roles, _ := rolesOfHead(head)
	return slices.ContainsFunc(roles, isDay)
}

// IsBalanceHead tells whether a name is that of a column of balances.
func IsBalanceHead(head string) bool {
	roles, _ := rolesOfHead(head)
	return slices.Contains(roles, Balance)
}

// HeaderRow is the first of the rows that names the columns of a list of movements: a day, an
// amount and something else; -1 when there is none.
func HeaderRow(rows [][]string) int {
	return slices.IndexFunc(rows, func(row []string) bool {
		kinds := map[string]bool{}
		for _, cell := range row {
			if roles, _ := rolesOfHead(cell); len(roles) > 0 {
				kinds[roles[0]] = true
			}
		}
		hasAny := func(roles ...string) bool {
			return slices.ContainsFunc(roles, func(role string) bool { return kinds[role] })
		}
		return hasAny(Date, BookingDate, ValueDate) && hasAny(Amount, roleDebit, roleCredit, Balance) && len(kinds) >= 3
	})
}

// FindHeadAboveDates returns the row that names the columns of a list by its place: above the first of the rows that
// have a day in the same column; -1 when there is none.
func FindHeadAboveDates(rows [][]string) int {
	_, first := findDateColumn(rows)
	if first < 1 || len(nonEmpty(rows[first-1])) < 3 || strings.ContainsAny(strings.Join(rows[first-1], ""), "0123456789") {
		return -1
	}
	return first - 1
}

// findDateColumn is the first column that has a day in most rows from the first of these on, -1 for none.
func findDateColumn(rows [][]string) (at, first int) {
	for at := range widest {
		dated := func(row []string) bool { return at < len(row) && value.IsDate(row[at]) }
		first := slices.IndexFunc(rows, dated)
		if first < 0 {
			continue
		}
		count := 0
		for _, row := range rows[first:] {
			if dated(row) {
				count++
			}
		}
		if count > 1 && count*10 >= len(rows[first:])*6 {
			return at, first
		}
	}
	return -1, -1
}

// IsMovement tells whether a row of some cells has a day and an amount with cents.
func IsMovement(row []string) bool {
	return len(row) > 3 && slices.ContainsFunc(row, value.IsDate) && slices.ContainsFunc(row, isMoneyCell)
}

// isMoneyCell tells whether a cell is an amount with cents or a currency.
func isMoneyCell(cell string) bool {
	amount, ok := value.ParseAmount(cell, value.Unknown)
	return ok && amount.HasCurrencyOrCents()
}

func isAmount(cell string) bool { _, ok := value.ParseAmount(cell, value.Unknown); return ok }

// longNumber is the number of an account in a title.
var longNumber = lazyregexp.New(`\d{6}`)

// isAccountTitle tells whether a row names an account.
func isAccountTitle(row []string) bool {
	return len(row) > 0 && matchBalanceLabel(row[0]) == "" && (mentionsListedPhrase("number", row[0]) || longNumber().MatchString(row[0]))
}

// cutRepeatedHeads leaves out the head where it comes again between movements, as on each page. Below the title
// of another account it begins the movements of that one; what stands below another title or another head is
// taken from the list.
func (table *Table) cutRepeatedHeads() {
	if len(table.Header) == 0 {
		return
	}
	none := make([]bool, len(table.Rows)) // rows that are none of the list
	account, title := "", -1              // the row that names the next account
	titled, cut := false, false
	for index, row := range table.Rows {
		again, dated := table.isRepeatedHead(row), slices.ContainsFunc(row, value.IsDate)
		isHead := again || !strings.ContainsAny(strings.Join(row, ""), "0123456789") && HeaderRow([][]string{row}) == 0
		cut = cut || isHead && (!again || titled && title < 0)
		none[index], table.accounts[index] = cut || isHead, account
		switch {
		case cut:
			table.below = append(table.below, row)
			if dated {
				table.apart++
			}
		case isHead && title >= 0:
			fields := readLinesAroundTable(table.Rows[title:index], nil).fields
			account = cmp.Or(fields.text(AccountIBAN), fields.text(AccountNumber), strings.TrimSpace(table.Rows[title][0]))
			for at := title; at < index; at++ {
				none[at] = true
			}
			title = -1
		case dated, slices.ContainsFunc(row, isState): // of what is still to come
			title = -1
		case title < 0 && isAccountTitle(row):
			title = index
		}
		titled = len(row) > 0 && row[0] != "" && !dated
	}
	table.deleteRows(func(index int, _ []string) bool { return none[index] })
}

// deleteRows deletes rows of the list, asked from the first to the last.
func (table *Table) deleteRows(isNone func(index int, row []string) bool) {
	rows, lines, accounts := table.Rows, table.Lines, table.accounts
	table.Rows, table.Lines, table.accounts = nil, nil, nil
	for index, row := range rows {
		if isNone(index, row) {
			continue
		}
		table.Rows, table.accounts = append(table.Rows, row), append(table.accounts, accounts[index])
		if index < len(lines) {
			table.Lines = append(table.Lines, lines[index])
		}
	}
}

// isRepeatedHead tells whether a row is the head of the list again.
func (table *Table) isRepeatedHead(row []string) bool {
	same := func(a, b string) bool { return strings.TrimSpace(a) == strings.TrimSpace(b) }
	return slices.EqualFunc(row[:min(len(row), len(table.Header))], table.Header, same)
}

// cutBalanceRows takes the rows that state the balance before the movements or behind them, and
// their sums, from the list; the balances of several accounts say nothing of one.
func (table *Table) cutBalanceRows() {
	found := map[string][][]string{}
	table.deleteRows(func(_ int, row []string) bool {
		kind, said := parseBalanceRow(row)
		if kind == "" || table.isBudgetEntry(row) {
			return false
		}
		found[kind] = append(found[kind], said)
		return true
	})
	table.begun = len(found["opening"])
	for _, said := range found {
		if len(said) == 1 {
			table.Above = append(table.Above[:len(table.Above):len(table.Above)], said...)
		}
	}
}

// isBudgetEntry tells whether a row books a balance as money of a budget: it names the balance in the place of who
// was paid, and a category.
func (table *Table) isBudgetEntry(row []string) bool {
	paid, categorized := false, false
	for at, cell := range row[:min(len(row), len(table.Header))] {
		roles, _ := rolesOfHead(table.Header[at])
		paid = paid || slices.Contains(roles, rolePayee) && matchBalanceLabel(cell) != ""
		categorized = categorized || isCalled("category", table.Header[at]) && strings.TrimSpace(cell) != ""
	}
	return paid && categorized
}

// parseBalanceRow is what a row states that names a balance: the name, its amount, which is the first of
// those with cents, nought only where all of them are, and its days. The balance of a day stands in a row that says nothing else.
func parseBalanceRow(row []string) (kind string, values []string) {
	for _, cell := range row {
		list, label := matchBalanceLabel(cell), stripLabelDate(cell)
		if list != "" && label != "new balance" && (list != "standing" || len(dropPlaceholders(row)) <= 3) { // New Balance sells shoes
			kind, values = list, []string{cell}
		}
	}
	isNumber := func(cell string) bool { return isAmount(cell) && !value.IsDate(cell) }
	isSum := func(cell string) bool { return isMoneyCell(cell) && strings.ContainsAny(cell, "123456789") }
	at := slices.IndexFunc(row, isSum)
	if at < 0 {
		at = max(slices.IndexFunc(row, isMoneyCell), slices.IndexFunc(row, isNumber))
	}
	if kind == "" || at < 0 {
		return "", nil
	}
	return kind, append(append(values, row[at]), slices.DeleteFunc(slices.Clone(row), func(cell string) bool { return !value.IsDate(cell) })...)
}

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
