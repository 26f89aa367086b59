package reader

import (
	"slices"
	"strconv"
	"strings"

	"toolkit/internal/reader/value"
)

// balances sets the balances and the movements between them.
func (result *extraction) balances() {
	opening, hasOpening := result.balanceField("opening_balance", labelOpening, false)
	closing, hasClosing := result.balanceField("closing_balance", labelClosing, true)
	if !hasClosing {
		closing, hasClosing = result.balanceField("closing_balance", labelAmountDue, true)
	}
	result.transactions(opening, closing, hasOpening, hasClosing)
	if hasClosing {
		result.currencyField(closing, true)
	} else {
		result.currencyField(opening, hasOpening)
	}
}

// headLines are the lines at the top of a statement among which its account stands.
const headLines = 14

// holder sets the account and whose it is: who stands beside its number, above it or below it,
// or the one postal address.
func (result *extraction) holder() {
	read := result.form
	accounts, holders := map[string]Source{}, map[string]Source{}
	for at, cell := range read.cells(1, headLines) {
		if read.inTable(at) {
			break
		}
		source := read.source(at)
		source.Label = "iban"
		for _, number := range ibansIn(cell.Text) {
			accounts[number] = source
		}
		if !accountNumber().MatchString(cell.Text) {
			continue
		}
		for _, text := range read.besideAccount(at) {
			if name := read.nameText(candidate{text: text, tokens: wordTokens(strings.Fields(text)), at: at}); result.mayHold(name) {
				holders[name] = read.source(at)
			}
		}
	}
	result.only("iban", accounts)
	if !result.has("account_holder") {
		result.only("account_holder", holders)
	}
	result.recipient("account_holder", "institution")
}

// accountNumber is an account's number alone in a cell or among other things of a line.
var accountNumber = value.NewPattern(`\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{2,4}){3,8}\b|^[*xX•]*\d{6,14}$`)

// besideAccount are the texts around an account's number: those of its line, else those of the
// lines above and below in its column.
func (read *form) besideAccount(at place) (texts []string) {
	lines, cell := read.pages[at.page].Lines, read.cell(at)
	if texts = parts(cell.Text); len(texts) > 1 {
		return texts
	}
	texts = nil
	for index := max(at.line-2, 0); index <= min(at.line+2, len(lines)-1); index++ {
		for position, other := range lines[index].Cells {
			beside := place{at.page, index, position}
			if index != at.line && abs(lines[index].Base-lines[at.line].Base) < 2.2*cell.Size && misalignment(cell.Left, cell.Right, other) < 0.6*cell.Size && !read.isLabel(beside) {
				texts = append(texts, other.Text)
			}
		}
	}
	return texts
}

// mayHold tells whether a name can be that of a person or firm other than the bank.
func (result *extraction) mayHold(name string) bool {
	bank, _ := result.values["institution"].(string)
	return !saysTitle(name) && wordDigits(name) == 0 && len(strings.Fields(name)) > 1 && !strings.EqualFold(name, bank) && !streetEnd().MatchString(name)
}

// balanceField reads a balance.
func (result *extraction) balanceField(key string, kind labelKind, last bool) (money, bool) {
	read := result.form
	var items []money
	for label := range read.labelled(kind) {
		if next, ok := read.value(label, read.amount); ok {
			amount, _ := value.ParseAmount(amountText(next), read.numbers)
			if amount.Currency == "" {
				amount.Currency = label.currency
			}
			items = append(items, money{found{candidate: next, label: label}, amount})
		}
	}
	if row, ok := result.balanceRow(kind); len(items) == 0 && ok {
		items = append(items, row)
	}
	if len(items) == 0 {
		return money{}, false
	}
	item := items[0]
	if last {
		item = items[len(items)-1]
	}
	result.set(key, item.amount.Value, item.source())
	return item, true
}

// balanceRow finds a balance that stands in the table of movements as a row of its own.
func (result *extraction) balanceRow(kind labelKind) (money, bool) {
	for _, grid := range result.form.grids {
		for index, row := range grid.rows {
			if !grid.has(columnDate) || grid.balanceKind(index) != kind {
				continue
			}
			for _, column := range []string{columnBalance, columnAmount, columnCredit, columnDebit} {
				if amount, ok := value.ParseAmount(row.cells[column], result.form.numbers); ok {
					at := result.form.source(row.place)
					return money{found{candidate: candidate{page: at.Page, line: at.Line, at: row.place}, label: label{kinds: []labelKind{kind}}}, amount}, true
				}
			}
		}
	}
	return money{}, false
}

// balanceKind tells whether a row states a balance: by its words, and where these are the
// same for both balances ("Kontostand am …") by its place before or behind the movements.
func (found grid) balanceKind(index int) labelKind {
	row := found.rows[index]
	opening, closing := rowIs(row, labelOpening), rowIs(row, labelClosing)
	switch {
	case opening:
		return labelOpening
	case closing && index == 0 && len(found.rows) > 2 && rowIs(found.rows[len(found.rows)-1], labelClosing):
		return labelOpening
	case closing:
		return labelClosing
	}
	return ""
}

// rowIs tells whether a row's text is a label of the kind, not a movement.
func rowIs(row gridRow, kind labelKind) bool {
	for _, column := range []string{columnText, columnDate} { // the words may begin under the first head
		if kinds, _ := matchLabel(wordTokens(strings.Fields(row.cells[column])), 0); slices.Contains(kinds, kind) {
			return true
		}
	}
	return false
}

var periodSeparator = value.NewPattern(`(?i)^\s*(-|–|—|to|through|thru|until|bis|bis zum|au|al|a|hasta)\s*$`)

// period sets the first and last day a statement covers: two dates joined by a dash or a
// word, beside a label of a period if there is one.
func (result *extraction) period() {
	read := result.form
	if result.labelledPeriod(); result.has("period_start") {
		return
	}
	for at, cell := range read.cells(2, every) {
		if first, last, ok := read.datePair(cell.Text); ok && len(cell.Words) <= 16 {
			result.setPeriod(first, last, read.source(at))
			return
		}
	}
	result.field("period_start", (*form).dateText, labelStart)
	result.field("period_end", (*form).dateText, labelEnd)
}

// labelledPeriod sets the first and the last day of the time that a label of one names.
func (result *extraction) labelledPeriod() {
	for _, item := range result.form.find(labelPeriod, result.form.isPeriod) {
		first, last, _ := result.form.datePair(item.candidate.text)
		result.setPeriod(first, last, item.source())
		return
	}
}

func (read *form) isPeriod(next candidate) bool { _, _, ok := read.datePair(next.text); return ok }

func (result *extraction) setPeriod(first, last string, source Source) {
	result.set("period_start", first, source)
	result.set("period_end", last, source)
}

var sharedYear = value.NewPattern(`(?i)\b(\pL{3,}\.? \d{1,2}|\d{1,2}\.? \pL{3,}|\d{1,2}\.\d{1,2}\.)\s*(?:-|–|—|to|through|bis)\s*(\pL{3,}\.? \d{1,2},? \d{4}|\d{1,2}\.? \pL{3,} \d{4}|\d{1,2}\.\d{1,2}\.\d{4})`)

// datePair finds two dates joined as a span of time.
func (read *form) datePair(text string) (first, last string, ok bool) {
	dates := value.FindDates(text, read.order)
	for index := 1; index < len(dates); index++ {
		if !periodSeparator().MatchString(text[dates[index-1].End:dates[index].Start]) {
			continue
		}
		a, b := dates[index-1], dates[index]
		if a.Ambiguous || b.Ambiguous {
			return a.Text, b.Text, true
		}
		if a.ISO <= b.ISO {
			return a.ISO, b.ISO, true
		}
	}
	// "January 1 - January 31, 2025": the year stands once.
	if match := sharedYear().FindStringSubmatch(text); match != nil {
		if end, known := value.ParseDate(match[2], read.order); known && end.ISO != "" {
			year, _ := strconv.Atoi(end.ISO[:4])
			start, known := value.ParseDayMonth(match[1], read.order, func(month int) int {
				if endMonth, _ := strconv.Atoi(end.ISO[5:7]); month > endMonth {
					return year - 1
				}
				return year
			})
			if known && start.ISO != "" && start.ISO <= end.ISO {
				return start.ISO, end.ISO, true
			}
		}
	}
	return "", "", false
}

// transactions sets the movements: those of the tables where they add up, else those of all lines
// that look like one.
func (result *extraction) transactions(opening, closing money, opened, closed bool) {
	result.orderOfRows()
	book := ledger{opening: opening.amount.Value, closing: closing.amount.Value, opened: opened, closed: closed}
	movements := result.tableMovements()
	why := result.reconcileMovements(movements, book)
	if opened && closed && (why != "" || len(movements.items) == 0) {
		if lines := result.listedMovements(); len(lines.items) > 0 {
			why = result.reconcileMovements(lines, book)
		}
	}
	if why != "" {
		result.content.warn(why)
	}
}

// tableMovements are the rows of the tables of movements: debits negative, credits positive, as far
// as the table tells them apart.
func (result *extraction) tableMovements() (movements listed) {
	signed, day := result.form.hasSigns(), ""
	for _, grid := range result.form.grids {
		if !grid.has(columnDate) || !(grid.has(columnAmount) || grid.has(columnDebit) || grid.has(columnCredit)) {
			continue
		}
		for index, row := range grid.rows {
			if row.cells[columnDate] == "" { // a day is often printed once for all its movements
				row.cells[columnDate] = day
			}
			day = row.cells[columnDate]
			if grid.balanceKind(index) != "" || day == "" { // what stands before the first day is a balance, too
				continue
			}
			if grid.side != "" && !signed {
				row.cells[grid.side] = row.cells[columnAmount]
				delete(row.cells, columnAmount)
			}
			if movement := result.movement(row); movement != nil {
				movements.add(movement, result.form.source(row.place))
			}
		}
	}
	return movements
}

// hasSigns tells whether amounts of the tables have a minus.
func (read *form) hasSigns() bool {
	for _, found := range read.grids {
		for _, row := range found.rows {
			if amount, ok := signedAmount(row.cells[columnAmount], read.numbers); ok && amount.Value < 0 {
				return true
			}
		}
	}
	return false
}

// orderOfRows decides how the days of the tables are read where the words do not tell: by the
// column as a whole and the period it has to lie in.
func (result *extraction) orderOfRows() {
	if result.form.order != value.UnknownOrder {
		return
	}
	var cells []string
	for _, grid := range result.form.grids {
		for _, row := range grid.rows {
			if _, date := value.ParseDate(row.cells[columnDate], value.UnknownOrder); date {
				cells = append(cells, row.cells[columnDate])
			}
		}
	}
	start, _ := result.values["period_start"].(string)
	end, _ := result.values["period_end"].(string)
	result.form.order = value.ColumnOrder(cells, value.Span{Start: start, End: end}, value.RunningDays)
}

func (result *extraction) movement(row gridRow) map[string]any {
	read := result.form
	movement := map[string]any{}
	if date := result.rowDate(row.cells[columnDate]); date != "" {
		movement["date"] = date
	}
	if text := row.cells[columnText]; text != "" {
		movement["description"] = text
	}
	if code := row.cells[columnCode]; code != "" {
		movement["reference"] = code
	}
	if amount, ok := signedAmount(row.cells[columnAmount], read.numbers); ok {
		movement["amount"] = amount.Value
		if isCredited(row.cells[columnAmount]) {
			movement[creditMark] = true
		}
	}
	credit, _ := value.ParseAmount(row.cells[columnCredit], read.numbers)
	debit, _ := value.ParseAmount(row.cells[columnDebit], read.numbers)
	switch {
	case credit.Value != 0 && debit.Value != 0: // the sums of both
		return nil
	case credit.Value != 0:
		movement["amount"] = credit.Value
	case debit.Value != 0:
		movement["amount"] = -max(debit.Value, -debit.Value)
	}
	if balance, ok := signedAmount(row.cells[columnBalance], read.numbers); ok {
		movement["balance"] = balance.Value
	}
	if movement["amount"] == nil || (movement["date"] == nil && movement["description"] == nil) {
		return nil
	}
	return movement
}

// rowDate reads the date of a row, "" for none; one without a year takes it from the period,
// else from the head.
func (result *extraction) rowDate(text string) string {
	if date, ok := value.ParseDate(text, result.form.order); ok {
		return date.String()
	}
	if wordDigits(text) == 0 {
		return ""
	}
	start, _ := result.values["period_start"].(string)
	end, _ := result.values["period_end"].(string)
	if end == "" {
		end, _ = result.values["date"].(string)
	}
	if len(end) != len("2006-01-02") || end[4] != '-' {
		day, ok := value.ParseDayMonth(text, result.form.order, func(int) int { return result.statementYear() })
		if !ok || day.Ambiguous {
			return ""
		}
		return day.ISO
	}
	year, _ := strconv.Atoi(end[:4])
	date, ok := value.ParseDayMonth(text, result.form.order, func(month int) int {
		if endMonth, _ := strconv.Atoi(end[5:7]); month > endMonth && (start == "" || start[:4] != end[:4]) {
			return year - 1
		}
		return year
	})
	if ok && date.ISO != "" {
		return date.ISO
	}
	return ""
}

var numberOfYear = value.NewPattern(`(?:^|[^\d/.-])(\d{1,3})/((?:19|20)\d{2})(?:$|[^\d/.-])`)

// statementYear is the one year that the head of a statement names, 0 for none or several.
func (result *extraction) statementYear() (year int) {
	read := result.form
	for at, line := range read.lines(1, every) {
		if read.inTable(at) {
			continue
		}
		var years []string
		if match := numberOfYear().FindStringSubmatch(line.Text()); match != nil {
			years = append(years, match[2])
		}
		for _, cell := range line.Cells {
			if date, ok := read.dateIn(cell.Text); ok && date.ISO != "" {
				years = append(years, date.ISO[:4])
			}
		}
		for _, text := range years {
			if next, _ := strconv.Atoi(text); year != 0 && next != year {
				return 0
			} else {
				year = next
			}
		}
	}
	return year
}
