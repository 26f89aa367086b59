package reader

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"toolkit/internal/reader/layout"
	"toolkit/internal/reader/value"
)

// figures are the amounts that a document names by their labels.
type figures struct {
	whole         []money // with tax, the strongest wording first
	net, tax, due []money
	deducted      deductions
	reduction     []float64 // what lies between the net sum and the one that is taxed
}

// setSums reads net sum, tax, whole and what is due. Labels propose them and arithmetic decides:
// net and tax are the whole, and a tax or net sum that fits nothing is left out.
func (result *extraction) setSums() {
	f := result.collectFiguresAndSetCharges()
	grandTotal, known := result.chooseAndSetSums(f)
	result.setAmountDue(f, grandTotal, known)
	result.subtractCarriedBalance()
	for _, paid := range f.deducted.paid {
		if tip := result.numberField("tip"); known && tip > 0 && near(paid.amount.Value, grandTotal.amount.Value+tip) {
			result.setField("amount", paid.amount.Value, paid.source())
		}
	}
	result.setCurrencyField(grandTotal, known)
}

func (result *extraction) collectFiguresAndSetCharges() figures {
	read := result.form
	f := figures{
		net: prependSumOfLines(result.findAmounts(labelSubtotal)), due: result.findAmounts(labelAmountDue), tax: prependSumOfLines(read.sumTaxesOfLines(result.findAmounts(labelTax))),
		deducted: deductions{paid: firstAmountPerLine(result.findAmounts(labelPaid)), withheld: firstAmountPerLine(result.findAmounts(labelWithheld))},
	}
	grand, plain := read.chooseGrossOnTotalLines(result.findAmounts(labelGrandTotal), &f), read.chooseGrossOnTotalLines(result.findAmounts(labelTotal), &f)
	slices.Reverse(grand)
	slices.Reverse(plain)
	f.whole = append(grand, plain...)
	if proven := result.slip.slipSum(true); proven != nil {
		f.whole, f.due = proven, nil
	} else if len(f.whole)+len(f.due) == 0 {
		f.whole = result.slip.slipSum(false)
	}
	result.setAmountField("discount", labelDiscount)
	result.setAmountField("shipping", labelShipping)
	result.setAmountField("tip", labelTip)
	result.setAmountField("service_charge", labelService)
	f.reduction = result.listPossibleReductions()
	for _, rounding := range result.findAmounts(labelRounding) {
		f.reduction = append(f.reduction, rounding.amount.Value)
	}
	return f
}

// listPossibleReductions are what discount, shipping, tip and service may take off a sum or add to it, nothing first.
func (result *extraction) listPossibleReductions() []float64 {
	discount := math.Abs(result.numberField("discount"))
	shipping := result.numberField("shipping") + result.numberField("tip") + result.numberField("service_charge")
	var found []float64
	for _, value := range []float64{0, -discount, shipping, shipping - discount} {
		if !slices.Contains(found, value) {
			found = append(found, value)
		}
	}
	return found
}

// prependSumOfLines are amounts of one label, a line each, and before them what several are together, for each rate
// may have its own: all of them, and those of lines below each other, which a table of rates may name again.
func prependSumOfLines(found []money) []money {
	items := firstAmountPerLine(found)
	if len(items) < 2 {
		return items
	}
	all := sumOfAmounts(items)
	sums := []money{all}
	for first, end := 0, 0; first < len(items); first = end {
		for end = first + 1; end < len(items) && items[end].page == items[first].page && items[end].line == items[end-1].line+1 && items[end].amount.Value > 0; end++ {
		}
		if end-first > 1 && end-first < len(items) {
			sums = append(sums, sumOfAmounts(items[first:end]))
		}
	}
	return append(sums, items...)
}

// sumTaxesOfLines are taxes, one of a line: of a line that names several rates the sum, where each has one amount,
// else none.
func (read *labeledPages) sumTaxesOfLines(found []money) (items []money) {
	for _, item := range firstAmountPerLine(found) {
		line := read.line(item.label.at)
		line.Cells = slices.Clone(line.Cells[item.label.at.cell:])
		first := &line.Cells[0]
		first.Words = slices.DeleteFunc(slices.Clone(first.Words), func(word layout.Word) bool { return word.Left < item.label.left })
		if rates, amounts := read.ratesAndAmounts(line); len(rates) > 1 && len(amounts) > 1 {
			if len(rates) != len(amounts) {
				continue
			}
			item.amount.Value = 0
			for _, amount := range amounts {
				item.amount.Value = roundToCents(item.amount.Value + amount)
			}
		}
		items = append(items, item)
	}
	return items
}

// sumOfAmounts is the first of several amounts with the sum of all.
func sumOfAmounts(items []money) (sum money) {
	sum = items[0]
	for _, item := range items[1:] {
		sum.amount.Value = roundToCents(sum.amount.Value + item.amount.Value)
	}
	return sum
}

// chooseAndSetSums sets net sum, tax and whole, and returns the whole.
func (result *extraction) chooseAndSetSums(f figures) (grandTotal money, known bool) {
	for _, another := range []bool{false, true} { // what is withheld, or rounded, may stand between
		for index, grandTotal := range append(slices.Clone(f.whole), f.due...) {
			if index == 1 && !another && result.setSumsOfRateLines(f.whole[0]) { // each line of a table of rates is a smaller sum
				return f.whole[0], true
			}
			for _, between := range f.reduction {
				if net, tax, fit := result.findNetAndTax(f, grandTotal.amount.Value-between, another); fit {
					result.setField("subtotal", net.amount.Value, net.source())
					result.setField("tax", tax.amount.Value, tax.source())
					result.setField("amount", grandTotal.amount.Value, grandTotal.source())
					return grandTotal, true
				}
			}
		}
	}
	if grandTotal, known = result.guessTotal(f); !known {
		return grandTotal, false
	}
	if result.setSumsOfRateLines(grandTotal) {
		return grandTotal, true
	}
	result.setField("amount", grandTotal.amount.Value, grandTotal.source())
	result.setMatchingNetAndTax(f, grandTotal)
	result.warnOfMismatchedSums(f, grandTotal)
	return grandTotal, true
}

// setSumsOfRateLines sets the sums where the lines of rates together make the whole.
func (result *extraction) setSumsOfRateLines(grandTotal money) bool {
	net, tax, fit := result.form.sumTaxRateLines(grandTotal.amount.Value)
	if !fit {
		return false
	}
	result.setField("tax", tax.amount.Value, tax.source())
	result.setField("amount", grandTotal.amount.Value, grandTotal.source())
	if net.label.kinds != nil {
		result.setField("subtotal", net.amount.Value, net.source())
	}
	return true
}

// warnOfMismatchedSums tells of sums that a page names and that do not make up its whole.
func (result *extraction) warnOfMismatchedSums(f figures, grandTotal money) {
	var left []string
	for _, one := range []struct {
		name  string
		items []money
	}{{"subtotal", f.net}, {"tax", f.tax}} {
		if len(one.items) > 0 && !result.hasField(one.name) && one.items[0].amount.Value != 0 {
			left = append(left, fmt.Sprintf("%s %.2f", one.name, one.items[0].amount.Value))
		}
	}
	fit := len(f.net) > 0 && len(f.tax) > 0 && near(f.net[0].amount.Value+f.tax[0].amount.Value, grandTotal.amount.Value)
	if len(left) > 0 && result.tells && !fit {
		result.content.Warnings = append(result.content.Warnings, fmt.Sprintf("the sums do not add up to the total of %.2f, so these were left out: %s", grandTotal.amount.Value, strings.Join(left, ", ")))
	}
}

// findNetAndTax returns the net sum and the tax that give a whole, or give it with one more printed amount.
func (result *extraction) findNetAndTax(f figures, total float64, another bool) (net, tax money, fit bool) {
	for _, net := range slices.Backward(f.net) {
		for _, tax := range f.tax {
			n, x := net.amount.Value, tax.amount.Value
			if near(n+x, total) {
				return net, tax, true
			}
			if another && math.Abs(total-n-x) < math.Abs(n) && x != 0 {
				if _, printed := result.form.findLastAmount(total - n - x); printed {
					return net, tax, true
				}
			}
		}
	}
	return money{}, money{}, false
}

// guessTotal returns the whole where labelled figures do not add up to one: what net and tax give
// together when it is printed under another name, else the strongest wording.
func (result *extraction) guessTotal(f figures) (money, bool) {
	for _, net := range slices.Backward(f.net) {
		for _, tax := range f.tax {
			if item, ok := result.form.findLastAmount(net.amount.Value + tax.amount.Value); ok && tax.amount.Value != 0 && len(f.whole) == 0 {
				return item, true
			}
		}
	}
	for _, item := range f.whole { // "netto a pagare" names the rest, too
		if sum := f.deducted.sum(); sum > 0 && near(item.amount.Value-sum, f.whole[0].amount.Value) {
			return item, true
		}
	}
	if len(f.whole) > 0 {
		return f.whole[0], true
	}
	if len(f.due) > 0 {
		return f.due[len(f.due)-1], true
	}
	return money{}, false
}

// setMatchingNetAndTax sets the net sum and the tax that fit a whole: the other part is printed somewhere,
// or the tax is that of a printed rate.
func (result *extraction) setMatchingNetAndTax(f figures, grandTotal money) {
	total := grandTotal.amount.Value
	var taxes, others []money // first those without which a sum is left that is printed
	for _, tax := range f.tax {
		if _, printed := result.form.findLastAmount(total - tax.amount.Value); printed {
			taxes = append(taxes, tax)
		} else {
			others = append(others, tax)
		}
	}
	printed := len(taxes)
	for index, tax := range append(taxes, others...) {
		x := tax.amount.Value
		if x != 0 && (math.Signbit(x) != math.Signbit(total) || isTaxTooHigh(x, total)) {
			continue
		}
		goods, listed := result.form.findItemTableWithSum(total - x)
		if listed && !near(x, 0) && len(f.net) == 0 {
			result.setField("subtotal", roundToCents(total-x), result.form.source(goods))
		}
		if x == 0 || listed || index < printed || tax.label.within && len(f.tax) == 1 || result.form.isTaxOfPrintedRates(x, total) {
			result.setField("tax", x, tax.source())
			break
		}
	}
	for _, net := range slices.Backward(f.net) {
		n := net.amount.Value
		tax, taxed := result.values["tax"].(float64)
		if near(n, total) && tax == 0 || taxed && slices.ContainsFunc(f.reduction, func(between float64) bool { return near(n+between+tax, total) }) || !taxed && len(f.tax) == 0 && math.Abs(n) <= math.Abs(total) {
			result.setField("subtotal", n, net.source())
			return
		}
	}
}

// findItemTableWithSum returns the last row of a table of goods whose amounts together are the one sought.
func (read *labeledPages) findItemTableWithSum(sought float64) (last place, ok bool) {
	for _, grid := range read.grids {
		sum := 0.0
		for _, row := range grid.rows {
			amount, _, _ := read.parseNumberWithUnit(row.cells[columnAmount])
			sum, last = sum+amount, row.place
		}
		if near(sum, sought) && !grid.has(columnDate) {
			return last, true
		}
	}
	return place{}, false
}

// isTaxTooHigh tells a tax that is more of a whole than any country takes.
func isTaxTooHigh(tax, total float64) bool { return math.Abs(tax) > 0.28*math.Abs(total-tax) }

// sumTaxRateLines returns what the lines of rates say together: beside each rate the tax, and the sum without
// it or with it. They are those of the whole where all of them make it.
func (read *labeledPages) sumTaxRateLines(total float64) (net, tax money, ok bool) {
	for at, line := range read.lines(every, every) {
		rates, amounts := read.ratesAndAmounts(line)
		withTax := amounts
		if slices.ContainsFunc(read.lineTokens(at.page, at.line), func(next token) bool { return inList("tax words", next.norm) }) {
			withTax = append(slices.Clone(amounts), total)
		}
		base, part, is := read.findNetAndTaxOfRate(rates, amounts, withTax)
		if !is {
			continue
		}
		next := read.candidateOf(at, read.tokens[at])
		if tax.label.kinds == nil {
			tax.labelValue = foundAs(next, labelTax)
		}
		if slices.Contains(amounts, base) {
			net.labelValue = foundAs(next, labelSubtotal)
		}
		net.amount.Value, tax.amount.Value = roundToCents(net.amount.Value+base), roundToCents(tax.amount.Value+part)
	}
	return net, tax, tax.amount.Value != 0 && near(net.amount.Value+tax.amount.Value, total)
}

// isTaxOfPrintedRates tells whether a tax is the sum of what stands alone beside the rates of the document, where that
// is printed or the sums which have these taxes make the whole as far as cents can tell.
func (read *labeledPages) isTaxOfPrintedRates(tax, total float64) bool {
	parts, gross, tolerance := 0.0, 0.0, 0.0
	for _, line := range read.lines(every, every) {
		rates, amounts := read.ratesAndAmounts(line)
		if len(rates) == 1 && len(amounts) == 1 && amounts[0] >= 0 { // a discount has a rate, too
			share := (100 + rates[0]) / rates[0]
			parts, gross, tolerance = parts+amounts[0], gross+amounts[0]*share, tolerance+halfCent*share
		}
	}
	_, printed := read.findLastAmount(tax)
	return near(tax, roundToCents(parts)) && (printed || math.Abs(gross-total) <= tolerance)
}

// halfCent is how far a printed amount may be from the exact one.
const halfCent = 0.005

// ratesAndAmounts are the tax rates and the amounts with cents of a line.
func (read *labeledPages) ratesAndAmounts(line layout.Line) (rates, amounts []float64) {
	for _, cell := range line.Cells {
		for index, word := range cell.Words {
			if rate, is := parseLeadingPercent(cell.Words[index:]); is && rate > 0 && rate < 40 {
				rates = append(rates, rate)
			} else if amount, is := value.ParseAmount(strings.Trim(word.Text, "()*:="), read.numbers); is && amount.Decimals == 2 {
				amounts = append(amounts, amount.Value)
			}
		}
		if whole, is := value.ParseAmount(cell.Text, read.numbers); is && read.centless {
			amounts = append(amounts, whole.Value)
		}
	}
	return rates, amounts
}

// findNetAndTaxOfRate finds among the amounts of a line the tax of one of its rates, and the net sum that it
// is on or the sum that has it.
func (read *labeledPages) findNetAndTaxOfRate(rates, amounts, withTax []float64) (net, tax float64, ok bool) {
	tolerance := 2.2 * halfCent
	if read.centless {
		tolerance = 1.1
	}
	for _, rate := range rates {
		for _, tax := range amounts {
			for _, net := range amounts {
				if net > tax && math.Abs(net*rate/100-tax) < tolerance {
					return net, tax, true
				}
			}
			for _, sum := range withTax {
				if sum > tax && math.Abs(sum*rate/(100+rate)-tax) < tolerance {
					return sum - tax, tax, true
				}
			}
		}
	}
	return 0, 0, false
}

// setAmountDue sets what is still to be paid: the whole, or less by what was paid before.
func (result *extraction) setAmountDue(f figures, grandTotal money, known bool) {
	for _, item := range slices.Backward(f.due) {
		d := item.amount.Value
		paid := grandTotal.amount.Value - d
		_, printed := result.form.findLastAmount(paid)
		explained := known && !near(paid, 0) && f.deducted.setIfTheyMakeAmount(result, paid)
		if !known || near(paid, 0) || printed || explained || result.isRemainingAmount(item, grandTotal) {
			result.setField("amount_due", d, item.source())
			return
		}
	}
	if known && len(f.due) == 0 && result.slip == nil {
		result.setDeductionsAndAmountDue(f, grandTotal)
	}
}

// subtractCarriedBalance takes what was owed before from a sum that includes it: the rest, where it is
// printed, is what this paper asks for.
func (result *extraction) subtractCarriedBalance() {
	total, known := result.values["amount"].(float64)
	for _, before := range result.findAmounts(labelOpening) {
		owed := before.amount.Value
		rest, printed := result.form.findLastAmount(total - owed)
		if known && owed > 0 && owed < total && printed && !result.hasField("tax") {
			if !result.hasField("amount_due") {
				result.setField("amount_due", total, result.sources["amount"])
			}
			result.setField("amount", roundToCents(total-owed), rest.source())
			return
		}
	}
}
