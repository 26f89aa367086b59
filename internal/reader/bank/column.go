package bank

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"toolkit/internal/lazyregexp"
	"toolkit/internal/reader/value"
)

// Roles that columns have beside the fields they become.
const (
	roleDebit     = "debit"
	roleCredit    = "credit"
	roleDirection = "direction"
	rolePayee     = "payee"
	rolePayer     = "payer"
	roleFee       = "fee"
	roleGross     = "gross"
	roleForeign   = "foreign"
	roleGoods     = "goods"
)

// tableRoles are all roles, those first that a name of several rather means.
var tableRoles = []string{
	ValueDate, BookingDate, Date, Time, Amount, roleDebit, roleCredit, roleDirection, Balance, Currency, CounterpartyIBAN, CounterpartyBIC, Account,
	Counterparty, rolePayee, rolePayer, Description, Type, Reference, TransactionID, Status, roleFee, roleGross, roleForeign, roleGoods,
}

// column is a column of a table: its cells, and what they can be.
type column struct {
	head     string // as written
	name     string // unique
	roles    []string
	role     string // "" until it is told
	currency string
	cells    []string
	numbers  value.NumberConvention
	values   []value.Amount // of cells that are amounts
	isAmount []bool
	open     string // a cell whose separator may part thousands or decimals; "" when it is known

	filled, dates, amounts, cents, negative, ibans, codes, sides, clocks, wordy, lettered, length int
	distinct                                                                                      map[string]bool
}

// analyzeColumns describes the columns of a table.
func analyzeColumns(table Table) []*column {
	columns := make([]*column, len(table.Names))
	var all []string
	for index, name := range table.Names {
		next := &column{name: name, cells: make([]string, len(table.Rows)), distinct: map[string]bool{}}
		if index < len(table.Header) {
			next.head = table.Header[index]
			next.roles, next.currency = rolesOfHead(next.head)
		}
		for number, row := range table.Rows {
			if index < len(row) {
				next.cells[number] = stripTextMarks(row[index])
			}
			if slices.Contains(next.roles, Currency) && len(next.cells[number]) == 3 {
				next.cells[number] = strings.ToUpper(next.cells[number])
			}
		}
		if len(table.Header) == 0 || slices.ContainsFunc(next.roles, isDay) {
			next.expandTwoDigitYears()
			next.insertDateSeparators()
		}
		next.countCellTypes()
		if len(next.roles) > 0 || next.wordy == 0 {
			all = append(all, next.cells...)
		}
		columns[index] = next
	}
	splitHeadsOverTwoColumns(columns)
	common := value.ConventionOf(all)
	for _, next := range columns {
		if slices.ContainsFunc(next.roles, isMoney) {
			common = cmp.Or(common, value.ColumnConvention(next.cells))
		}
	}
	if common == value.Unknown && slices.ContainsFunc(table.Header, isEastern) {
		common = value.Point
	}
	for _, next := range columns {
		next.parseAmounts(common)
	}
	return columns
}

// splitHeadsOverTwoColumns gives the name of an amount that stands over two columns, the currency and the
// number, to the number.
func splitHeadsOverTwoColumns(columns []*column) {
	for index, next := range columns[min(1, len(columns)):] {
		if wide := columns[index]; next.head == "" && wide.isNearlyAllCells(wide.codes) && slices.ContainsFunc(wide.roles, isMoney) {
			next.roles, wide.roles = wide.roles, []string{Currency}
		}
	}
}

// formula is a formula of a sheet that is nothing but a text: ="CH93".
var formula = lazyregexp.New(`^="(.*)"$`)

// stripTextMarks returns a cell without the apostrophes, underscores and formulas by which sheets mark numbers as texts, with
// digits of English where it has no letters; two dashes say nothing.
func stripTextMarks(cell string) string {
	if cell == "--" {
		return ""
	}
	cell = formula().ReplaceAllString(strings.TrimSpace(cell), "$1")
	if !strings.ContainsFunc(cell, unicode.IsLetter) {
		cell = value.FoldDigits(cell)
	}
	if marked := strings.TrimLeft(cell, "'_"); marked != cell && (strings.HasSuffix(marked, "'") || strings.Trim(marked, "0123456789 /.-") == "") {
		cell = strings.TrimSpace(strings.TrimSuffix(marked, "'"))
	}
	return cell
}

// isEastern tells names in scripts of eastern Asia, where a comma parts thousands.
func isEastern(head string) bool {
	return strings.ContainsFunc(head, func(character rune) bool {
		return unicode.In(character, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai)
	})
}

func isMoney(role string) bool {
	return slices.Contains([]string{Amount, roleDebit, roleCredit, Balance}, role)
}

// yearLast are days of eight digits that end in the year: 31012020.
var yearLast = lazyregexp.New(`^(\d\d)(\d\d)((?:19|20)\d\d)$`)

// shortDays are days whose year has two digits: 26/03/02, or 02/03/26.
var shortDays = lazyregexp.New(`^(\d\d)([-/.])\d\d[-/.](\d\d)$`)

// expandTwoDigitYears writes years of two digits that stand first with four. They do where the first
// numbers of a column are those of a year or two and the last ones lie further apart.
func (of *column) expandTwoDigitYears() {
	var firsts, lasts []string
	for _, cell := range of.cells {
		match := shortDays().FindStringSubmatch(cell)
		switch {
		case match != nil:
			firsts, lasts = append(firsts, match[1]), append(lasts, match[3])
		case cell != "":
			return
		}
	}
	if len(firsts) == 0 || spread(firsts) > 1 || spread(lasts) < 2 {
		return
	}
	for row, cell := range of.cells {
		if cell != "" {
			of.cells[row] = "20" + cell
		}
	}
}

// spread is how far the least and the greatest of some numbers lie apart.
func spread(numbers []string) int {
	least, _ := strconv.Atoi(slices.Min(numbers))
	most, _ := strconv.Atoi(slices.Max(numbers))
	return most - least
}

// insertDateSeparators parts the days of a column that writes all of them in digits, the year last.
func (of *column) insertDateSeparators() {
	parted := make([]string, len(of.cells))
	for row, cell := range of.cells {
		parted[row] = yearLast().ReplaceAllString(cell, "$1/$2/$3")
		if cell != "" && (parted[row] == cell || !value.IsDate(parted[row])) {
			return
		}
	}
	of.cells = parted
}

// countCellTypes counts what the cells can be.
func (of *column) countCellTypes() {
	for _, cell := range of.cells {
		if cell == "" {
			continue
		}
		of.filled++
		of.length += utf8.RuneCountInString(cell)
		of.distinct[cell] = true
		if utf8.RuneCountInString(cell) > 48 {
			of.wordy++
			continue
		}
		if value.IsDate(cell) {
			of.dates++
		}
		if _, ok := value.ParseIBAN(cell); ok {
			of.ibans++
		}
		if value.IsCurrencyCode(cell) {
			of.codes++
		}
		if isListedWord("in", cell) || isListedWord("out", cell) || isListedWord("neither side", cell) {
			of.sides++
		}
		if len(cell) <= 12 && value.TimeOf(cell) != "" {
			of.clocks++
		}
		if strings.ContainsFunc(cell, unicode.IsLetter) {
			of.lettered++
			if strings.ContainsRune(cell, ' ') {
				of.wordy++
			}
		}
	}
}

// parseAmounts reads the cells as amounts in the column's own convention, else in the table's.
func (of *column) parseAmounts(common value.NumberConvention) {
	if of.numbers = value.ColumnConvention(of.cells); of.numbers == value.Unknown {
		of.numbers = common
	}
	if at := slices.IndexFunc(of.cells, value.IsAmbiguousNumber); at >= 0 && of.numbers == value.Unknown {
		of.open, of.numbers = of.cells[at], value.Point
		if strings.Contains(of.open, ".") {
			of.numbers = value.Comma
		}
	}
	of.values, of.isAmount = make([]value.Amount, len(of.cells)), make([]bool, len(of.cells))
	for index, cell := range of.cells {
		if cell == "" || value.IsZeroPaddedCode(cell) {
			continue
		}
		amount, ok := value.ParseAmount(cell, of.numbers)
		if !ok {
			continue
		}
		of.values[index], of.isAmount[index] = amount, true
		of.amounts++
		if amount.HasCurrencyOrCents() {
			of.cents++
		}
		if amount.Value < 0 {
			of.negative++
		}
	}
}

// hasNonZeroCell tells whether a cell is something else than nothing or nought.
func (of *column) hasNonZeroCell() bool {
	return slices.ContainsFunc(of.cells, func(cell string) bool { return strings.Trim(cell, "0.,-+ ") != "" })
}

// isNearlyAllCells tells whether at least nine in ten filled cells are something, and there are any.
func (of *column) isNearlyAllCells(count int) bool { return of.filled > 0 && count*10 >= of.filled*9 }

// canHaveRole tells whether the cells can be what a role says.
func (of *column) canHaveRole(role string) bool {
	switch role {
	case Date, BookingDate, ValueDate:
		return of.dates > 0 && of.dates*2 >= of.filled // "pending" may stand there, or a line below the list
	case Amount, Balance, roleFee, roleGross:
		return of.isNearlyAllCells(of.amounts)
	case roleDebit, roleCredit:
		return of.filled == 0 || of.isNearlyAllCells(of.amounts)
	case Time:
		return of.isNearlyAllCells(of.clocks)
	case Currency:
		return of.isNearlyAllCells(of.codes) && of.filled*2 >= len(of.cells) // that of a purchase abroad stands in few rows
	case roleDirection:
		return of.sides*3 >= of.filled*2 // some movements have neither side
	case CounterpartyIBAN:
		return of.filled == 0 || !of.isNearlyAllCells(of.wordy-of.ibans)
	case Counterparty, rolePayee, rolePayer, Description, Type:
		return !of.isNearlyAllCells(of.amounts) && !of.isNearlyAllCells(of.dates) && !of.isNearlyAllCells(of.ibans)
	}
	return true
}

// isBetterForRole tells whether a column has more of its role than another of the same: amounts than
// noughts, numbers of accounts than their names, "name of the counterparty" than "name", the bank of
// the other side than a bank.
func (of *column) isBetterForRole(than *column, role string) bool {
	switch role {
	case Amount:
		return of.hasNonZeroCell() && (!than.hasNonZeroCell() || isCalled("booked amount", of.head) && !isCalled("booked amount", than.head))
	case Account:
		return of.ibans > than.ibans || than.ibans == 0 && of.lettered < than.lettered
	case CounterpartyBIC:
		return len(strings.Fields(normalizeText(of.head))) > len(strings.Fields(normalizeText(than.head)))
	case Counterparty:
		return than.filled > 2 && len(than.distinct) == 1 || len(strings.Fields(normalizeText(of.head))) > len(strings.Fields(normalizeText(than.head)))
	}
	return false
}

// hasTimeOfDay tells whether dates of the column have a time of day.
func (of *column) hasTimeOfDay() bool {
	return slices.ContainsFunc(of.cells, func(cell string) bool { return value.TimeOf(cell) != "" })
}

// hasLaterDatesThan tells whether the days of a column are never before those of another one, and are not the
// same.
func (of *column) hasLaterDatesThan(than *column) bool {
	later := false
	for row, cell := range of.cells {
		day, ok := value.ParseDate(cell, value.UnknownOrder)
		other, known := value.ParseDate(than.cells[row], value.UnknownOrder)
		if ok && known && (day.Ambiguous || other.Ambiguous || day.ISO < other.ISO) {
			return false
		}
		later = later || ok && known && day.ISO > other.ISO
	}
	return later
}

// several are the roles that more than one column may have.
var several = []string{Description, roleForeign, roleGoods, Reference, Type, roleFee}

// assignRolesByName gives columns the roles that their names say and their cells allow. Of two
// with the name of an amount neither has it: the cells have to tell.
func assignRolesByName(columns []*column) {
	taken := map[string]*column{}
	for _, next := range columns {
		for _, role := range next.roles {
			if !next.canHaveRole(role) {
				continue
			}
			if before := taken[role]; before != nil && !slices.Contains(several, role) {
				switch {
				case role == before.role && next.isBetterForRole(before, role):
					before.role, next.role, taken[role] = "", role, next
				case role == Amount && before.isBetterForRole(next, role):
				case role == Amount && before.role == Amount && before.hasNonZeroCell() && next.hasNonZeroCell() && !slices.Equal(before.cells, next.cells):
					before.role = ""
				case role == Date && next.hasTimeOfDay() && !before.hasTimeOfDay() && taken[Time] == nil:
					next.role, taken[Time] = Time, next // the day again, with its time
				case role == BookingDate && before.role == role && taken[Date] == nil && next.hasLaterDatesThan(before):
					before.role, taken[Date] = Date, before
					next.role, taken[role] = role, next
				}
				continue
			}
			next.role, taken[role] = role, next
			break
		}
	}
	dropSideOnlyDescriptions(columns)
	assignBranchAccountRole(columns)
}

// assignBranchAccountRole takes a number of an account that stands beside the number of its branch for that
// of the account itself, as Swedish banks write it. Elsewhere it is the other side's.
func assignBranchAccountRole(columns []*column) {
	named := func(list string) *column {
		return findFirstColumn(columns, func(of *column) bool { return isListedWord(list, of.head) })
	}
	number := named("branch account")
	if number != nil && number.role == CounterpartyIBAN && named("branch number") != nil && findColumnWithRole(columns, Account) == nil {
		number.role = Account
	}
}

// dropSideOnlyDescriptions leaves a description to the columns that describe, where one holds
// the sides only.
func dropSideOnlyDescriptions(columns []*column) {
	wordy := func(of *column) bool { return of.role == Description && of.wordy > 0 }
	if !slices.ContainsFunc(columns, wordy) {
		return
	}
	for _, next := range columns {
		if next.role == Description && next.filled > 0 && next.wordy == 0 && next.sides > 0 {
			next.role = ""
		}
	}
}

// findColumnWithRole returns the first column of one of some roles, nil when none has one.
func findColumnWithRole(columns []*column, roles ...string) *column {
	return findFirstColumn(columns, func(of *column) bool { return slices.Contains(roles, of.role) })
}

// findFirstColumn is the first column that is something, nil when none is.
func findFirstColumn(columns []*column, is func(*column) bool) *column {
	if at := slices.IndexFunc(columns, is); at >= 0 {
		return columns[at]
	}
	return nil
}
