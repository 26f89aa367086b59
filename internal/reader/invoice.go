package reader

import (
	"slices"
	"strings"

	"toolkit/internal/reader/value"
)

// longestTerm is how many days after its date an invoice falls due at most.
const longestTerm = 120

// setNumberNearTitle sets the number that a sign announces - "# 17", "No. 2025-03", "Número" above
// it - when it is the only one and stands beside or right below the title of a kind of document.
func (result *extraction) setNumberNearTitle(key, kind string) {
	read := result.form
	numbers := map[string]Source{}
	for at := range read.cells(1, every) {
		next := read.candidateOf(at, read.tokens[at])
		if len(next.tokens) == 0 || next.tokens[0].norm != "no" || read.isInTableOrStamp(at) || !read.isNearTitle(at, kind) {
			continue
		}
		if cell := read.cell(at); len(next.tokens) == 1 {
			next, _ = read.findLabelValue(label{at: at, end: 1, size: cell.Size, left: cell.Left, right: cell.Right, whole: true}, read.isIdentifier)
		}
		if number := read.identifierText(next); number != "" {
			numbers[number] = foundAs(next, labelKind(key)).source()
		}
	}
	result.setIfSingleValue(key, numbers)
}

// isNearTitle tells whether a title of the kind stands on the cell's line, on one of the
// three lines above it, or reaches up to it from the line below.
func (read *labeledPages) isNearTitle(at place, kind string) bool {
	lines := read.pages[at.page].Lines
	for index := max(at.line-3, 0); index <= min(at.line+1, len(lines)-1); index++ {
		if index > at.line && lines[index].Base-lines[index].Size > lines[at.line].Base {
			continue
		}
		for _, cell := range lines[index].Cells {
			if found, ok := matchKindTitle(cell.Text); ok && found == kind && lines[at.line].Base-lines[index].Base < 3*max(lines[index].Size, lines[at.line].Size) {
				return true
			}
		}
	}
	return false
}

// setPaymentMethod sets how a receipt was paid.
func (result *extraction) setPaymentMethod() {
	words := func(next candidate) bool {
		return len(next.tokens) > 0 && len(next.tokens) <= 5 && !result.form.isDate(next) && countDigits(next.text) <= 4
	}
	for _, item := range result.form.findValues(labelPayment, words) {
		result.setField("payment_method", item.candidate.text, item.source())
		return
	}
}

// setDateOfPayment sets the day that a line names which says how or that it was paid: "Paid with Visa on 1 March 2024".
func (result *extraction) setDateOfPayment() {
	days := map[string]Source{}
	for at, line := range result.form.lines(every, every) {
		tokens := result.form.lineTokens(at.page, at.line)
		if len(tokens) == 0 || !inList("slip paid words", tokens[0].norm) {
			continue
		}
		if found := value.FindDates(line.Text(), result.form.order); len(found) == 1 {
			days[found[0].String()] = result.form.source(at)
		}
	}
	result.setIfSingleValue("date", days)
}

// setSoleDate sets the date of a document that labels none but holds exactly one.
func (result *extraction) setSoleDate() {
	seen := map[string]Source{}
	for at, line := range result.form.lines(every, every) {
		for _, date := range value.FindDates(line.Text(), result.form.order) {
			if _, known := seen[date.String()]; !known {
				seen[date.String()] = result.form.source(at)
			}
		}
	}
	result.setIfSingleValue("date", seen)
}

// chooseGrossOnTotalLines settles lines of totals with several amounts - net, tax, gross: the last is the
// whole when the others add up to it; else the line does not say which one is. Of three amounts
// the others are the net sum and the tax.
func (read *labeledPages) chooseGrossOnTotalLines(items []money, f *figures) []money {
	kept := make([]money, 0, len(items))
	for _, item := range items {
		var amounts []money
		sum := 0.0
		cells := read.pages[item.at.page].Lines[item.at.line].Cells
		for index := item.at.cell; index < len(cells) && !item.inline; index++ {
			at, next := place{item.at.page, item.at.line, index}, item
			if _, plain := value.ParseAmount(cells[index].Text, read.numbers); !read.hasCurrencyOrCents(at) && !(read.centless && plain) {
				if countLetters(cells[index].Text) > 1 {
					break
				}
				continue // the rate, or a mark where there is none
			}
			next.candidate = read.candidateOf(at, read.tokens[at])
			next.amount, _ = value.ParseAmount(amountText(next.candidate), read.numbers)
			sum, amounts = sum+next.amount.Value, append(amounts, next)
		}
		if len(amounts) < 2 || item.below {
			kept = append(kept, item)
			continue
		}
		last := amounts[len(amounts)-1]
		if !near(sum, 2*last.amount.Value) {
			continue
		}
		kept = append(kept, last)
		if len(amounts) == 3 && amounts[0].amount.Value > amounts[1].amount.Value {
			f.net, f.tax = append(f.net, amounts[0]), append(f.tax, amounts[1])
		}
	}
	return kept
}

// findLastAmount finds the last line that ends with the amount sought behind some words: what
// net and tax add up to is the sum, whatever its label is called.
func (read *labeledPages) findLastAmount(sought float64) (found money, ok bool) {
	for at, line := range read.lines(every, every) {
		at.cell = len(line.Cells) - 1
		tokens := read.tokens[at]
		if line.Aside || len(tokens) == 0 || countLetters(line.Text()) < 2 || read.inTable(at) {
			continue
		}
		first := 0
		if countLetters(tokens[0].raw) > 1 && !isCurrencyWord(tokens[0].raw) { // words and amount in one cell
			first = max(1, len(tokens)-4)
		}
		for start := first; start < len(tokens) && (start == 0 || first > 0); start++ {
			next := read.candidateOf(at, tokens[start:])
			amount, isAmount := value.ParseAmount(amountText(next), read.numbers)
			if isAmount && amount.HasCurrencyOrCents() && near(amount.Value, sought) {
				found, ok = money{foundAs(next, labelTotal), amount}, true
				break
			}
		}
	}
	return found, ok
}

func foundAs(next candidate, kind labelKind) labelValue {
	return labelValue{candidate: next, label: label{kinds: []labelKind{kind}}, text: next.text}
}

// setLineItems sets the rows of the table of goods or services.
func (result *extraction) setLineItems() {
	var items itemList
	for _, grid := range result.form.grids {
		if grid.has(columnBalance) || grid.has(columnDebit) || grid.has(columnSymbol) || !(grid.has(columnText) || grid.has(columnCode)) {
			continue
		}
		for _, row := range grid.rows {
			if item := result.makeLineItem(row); item != nil {
				items.addItem(item, result.form.source(row.place))
			}
		}
	}
	if result.isItemSumConfirmed(items.items) {
		result.setList("line_items", items)
	}
}

// isItemSumConfirmed tells whether lines can be those of the document's sums: together they are the net
// sum, the whole, or another sum that is printed. Lines without amounts cannot be checked.
func (result *extraction) isItemSumConfirmed(items []map[string]any) bool {
	sum := 0.0
	for _, item := range items {
		amount, known := item[columnAmount].(float64)
		if !known {
			return true
		}
		sum += amount
	}
	net, hasNet := result.values["subtotal"].(float64)
	total, hasWhole := result.values["amount"].(float64)
	if !hasNet && !hasWhole {
		return true
	}
	for _, between := range result.listPossibleReductions() {
		if hasNet && near(sum+between, net) || hasWhole && near(sum+between, total) {
			return true
		}
	}
	_, printed := result.form.findLastAmount(roundToCents(sum))
	return printed
}

func (result *extraction) makeLineItem(row gridRow) map[string]any {
	item := map[string]any{}
	description := row.cells[columnText]
	if description == "" {
		description = row.cells[columnCode]
	} else if code := row.cells[columnCode]; len(code) > 3 || strings.Trim(code, "0123456789.") != "" { // no running number
		item["code"] = code
	}
	if description == "" {
		return nil
	}
	item["description"] = description
	if unit := row.cells[columnUnit]; unit != "" {
		if price, ok := value.ParseAmount(unit, result.form.numbers); ok { // "Unit" heads prices too
			item[columnPrice] = price.Value
		} else {
			item["unit"] = unit
		}
	}
	for _, kind := range []string{columnQuantity, columnPrice, columnAmount, columnTax, columnDiscount} {
		if number, unit, ok := result.form.parseNumberWithUnit(row.cells[kind]); ok {
			item[kind] = number
			if kind == columnQuantity && unit != "" && item["unit"] == nil {
				item["unit"] = unit
			}
		}
	}
	for _, kind := range []string{columnRate, columnTax} { // a column "VAT" may hold rates
		text := row.cells[kind]
		if kind == columnRate && text != "" && !strings.Contains(text, "%") {
			text += "%" // the head says so
		}
		if rate, ok := parseRate(text); ok && item[columnRate] == nil {
			item[columnRate] = rate
		}
	}
	if item[columnAmount] == nil && item[columnPrice] == nil {
		return nil
	}
	return item
}

// parseRate reads the rate of a cell, which may go on with the name of the tax: "19 % VAT (S)".
func parseRate(text string) (float64, bool) {
	if before, _, found := strings.Cut(text, "%"); found {
		text = strings.TrimSpace(before) + "%"
	}
	return value.ParsePercent(text)
}

// parseNumberWithUnit reads a cell of a column of numbers, with the unit some quantities carry.
func (read *labeledPages) parseNumberWithUnit(text string) (number float64, unit string, ok bool) {
	if amount, ok := value.ParseAmount(text, read.numbers); ok {
		return amount.Value, "", true
	}
	if match := quantityWithUnit().FindStringSubmatch(text); match != nil {
		if amount, ok := value.ParseAmount(match[1], read.numbers); ok {
			return amount.Value, strings.Trim(match[2], "."), true
		}
	}
	return 0, "", false
}

func (found grid) has(kind string) bool {
	return slices.ContainsFunc(found.columns, func(column gridColumn) bool { return column.kind == kind })
}
