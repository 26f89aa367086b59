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

// sums reads net sum, tax, whole and what is due. Labels propose them and arithmetic decides:
// net and tax are the whole, and a tax or net sum that fits nothing is left out.
func (result *extraction) sums() {
	f := result.figures()
	whole, known := result.chooseSums(f)
	result.due(f, whole, known)
	result.carried()
	for _, paid := range f.deducted.paid {
		if tip := result.number("tip"); known && tip > 0 && near(paid.amount.Value, whole.amount.Value+tip) {
			result.set("amount", paid.amount.Value, paid.source())
		}
	}
	result.currencyField(whole, known)
}

func (result *extraction) figures() figures {
	read := result.form
	f := figures{
		net: together(result.moneys(labelSubtotal)), due: result.moneys(labelAmountDue), tax: together(result.moneys(labelTax)),
		deducted: deductions{paid: eachLine(result.moneys(labelPaid)), withheld: eachLine(result.moneys(labelWithheld))},
	}
	grand, plain := read.wholes(result.moneys(labelGrandTotal), &f), read.wholes(result.moneys(labelTotal), &f)
	slices.Reverse(grand)
	slices.Reverse(plain)
	f.whole = append(grand, plain...)
	if proven := result.slip.money(true); proven != nil {
		f.whole, f.due = proven, nil
	} else if len(f.whole)+len(f.due) == 0 {
		f.whole = result.slip.money(false)
	}
	result.amountField("discount", labelDiscount)
	result.amountField("shipping", labelShipping)
	result.amountField("tip", labelTip)
	result.amountField("service_charge", labelService)
	f.reduction = result.reductions()
	return f
}

// reductions are what discount, shipping, tip and service may take off a sum or add to it, nothing first.
func (result *extraction) reductions() []float64 {
	discount, _ := result.values["discount"].(float64)
	shipping := result.number("shipping") + result.number("tip") + result.number("service_charge")
	var found []float64
	for _, value := range []float64{0, -math.Abs(discount), shipping, shipping - math.Abs(discount)} {
		if !slices.Contains(found, value) {
			found = append(found, value)
		}
	}
	return found
}

// together are amounts of one label, a line each, and as the first their sum where there are
// several: each rate may have its own.
func together(found []money) []money {
	var items []money
	sum, seen := 0.0, map[[2]int]bool{}
	for _, item := range found {
		if spot := [2]int{item.page, item.line}; !seen[spot] {
			seen[spot] = true
			items = append(items, item)
			sum += item.amount.Value
		}
	}
	if len(items) > 1 {
		all := items[0]
		all.amount.Value = cents(sum)
		items = append([]money{all}, items...)
	}
	return items
}

// chooseSums sets net sum, tax and whole, and returns the whole.
func (result *extraction) chooseSums(f figures) (whole money, known bool) {
	for _, another := range []bool{false, true} { // what is withheld, or rounded, may stand between
		for _, whole := range append(slices.Clone(f.whole), f.due...) {
			for _, between := range f.reduction {
				if net, tax, fit := result.parts(f, whole.amount.Value-between, another); fit {
					result.set("subtotal", net.amount.Value, net.source())
					result.set("tax", tax.amount.Value, tax.source())
					result.set("amount", whole.amount.Value, whole.source())
					return whole, true
				}
			}
		}
	}
	if whole, known = result.unchecked(f); !known {
		return whole, false
	}
	if net, tax, fit := result.form.rateTable(whole.amount.Value); fit {
		result.set("tax", tax.amount.Value, tax.source())
		result.set("amount", whole.amount.Value, whole.source())
		if net.label.kinds != nil {
			result.set("subtotal", net.amount.Value, net.source())
		}
		return whole, true
	}
	result.set("amount", whole.amount.Value, whole.source())
	result.fitting(f, whole)
	result.sayUnfitting(f, whole)
	return whole, true
}

// sayUnfitting tells of sums that a page names and that do not make up its whole.
func (result *extraction) sayUnfitting(f figures, whole money) {
	var left []string
	for _, one := range []struct {
		name  string
		items []money
	}{{"subtotal", f.net}, {"tax", f.tax}} {
		if len(one.items) > 0 && !result.has(one.name) && one.items[0].amount.Value != 0 {
			left = append(left, fmt.Sprintf("%s %.2f", one.name, one.items[0].amount.Value))
		}
	}
	fit := len(f.net) > 0 && len(f.tax) > 0 && near(f.net[0].amount.Value+f.tax[0].amount.Value, whole.amount.Value)
	if len(left) > 0 && result.tells && !fit {
		result.content.Warnings = append(result.content.Warnings, fmt.Sprintf("the sums do not add up to the total of %.2f, so these were left out: %s", whole.amount.Value, strings.Join(left, ", ")))
	}
}

// parts are the net sum and the tax that give a whole, or give it with one more printed amount.
func (result *extraction) parts(f figures, whole float64, another bool) (net, tax money, fit bool) {
	for _, net := range slices.Backward(f.net) {
		for _, tax := range f.tax {
			n, x := net.amount.Value, tax.amount.Value
			if near(x, whole) && x != 0 {
				continue
			}
			if near(n+x, whole) {
				return net, tax, true
			}
			if another && math.Abs(whole-n-x) < math.Abs(n) && x != 0 {
				if _, printed := result.form.lastAmount(whole - n - x); printed {
					return net, tax, true
				}
			}
		}
	}
	return money{}, money{}, false
}

// unchecked is the whole where labelled figures do not add up to one: what net and tax give
// together when it is printed under another name, else the strongest wording.
func (result *extraction) unchecked(f figures) (money, bool) {
	for _, net := range slices.Backward(f.net) {
		for _, tax := range f.tax {
			if item, ok := result.form.lastAmount(net.amount.Value + tax.amount.Value); ok && tax.amount.Value != 0 && len(f.whole) == 0 {
				return item, true
			}
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

// fitting sets the net sum and the tax that fit a whole: the other part is printed somewhere,
// or the tax is that of a printed rate.
func (result *extraction) fitting(f figures, whole money) {
	total := whole.amount.Value
	for _, tax := range f.tax {
		x := tax.amount.Value
		if x != 0 && (math.Signbit(x) != math.Signbit(total) || tooMuchTax(x, total)) {
			continue
		}
		if _, printed := result.form.lastAmount(total - x); x == 0 || printed || tax.label.within || result.form.rated(x, total) {
			result.set("tax", x, tax.source())
			break
		}
	}
	for _, net := range slices.Backward(f.net) {
		n := net.amount.Value
		tax, taxed := result.values["tax"].(float64)
		if near(n, total) && tax == 0 || taxed && slices.ContainsFunc(f.reduction, func(between float64) bool { return near(n+between+tax, total) }) || !taxed && len(f.tax) == 0 && math.Abs(n) <= math.Abs(total) {
			result.set("subtotal", n, net.source())
			return
		}
	}
}

// tooMuchTax tells a tax that is more of a whole than any country takes.
func tooMuchTax(tax, whole float64) bool { return math.Abs(tax) > 0.28*math.Abs(whole-tax) }

// rateTable is what the lines of rates say together: beside each rate the tax, and the sum without
// it or with it. They are those of the whole where all of them make it.
func (read *form) rateTable(whole float64) (net, tax money, ok bool) {
	for at, line := range read.lines(every, every) {
		rates, amounts := read.ratesAndAmounts(line)
		withTax := amounts
		if slices.ContainsFunc(read.lineTokens(at.page, at.line), func(next token) bool { return inList("tax words", next.norm) }) {
			withTax = append(slices.Clone(amounts), whole)
		}
		base, part, is := ratedPair(rates, amounts, withTax)
		if !is {
			continue
		}
		next := read.candidateOf(at, read.tokens[at])
		if tax.label.kinds == nil {
			tax.found = foundAs(next, labelTax)
		}
		if slices.Contains(amounts, base) {
			net.found = foundAs(next, labelSubtotal)
		}
		net.amount.Value, tax.amount.Value = cents(net.amount.Value+base), cents(tax.amount.Value+part)
	}
	return net, tax, tax.amount.Value != 0 && near(net.amount.Value+tax.amount.Value, whole)
}

// rated tells whether a tax is the sum of what stands alone beside the rates of the document, where that
// is printed or the sums which have these taxes make the whole as far as cents can tell.
func (read *form) rated(tax, whole float64) bool {
	parts, gross, tolerance := 0.0, 0.0, 0.0
	for _, line := range read.lines(every, every) {
		rates, amounts := read.ratesAndAmounts(line)
		if len(rates) == 1 && len(amounts) == 1 && amounts[0] >= 0 { // a discount has a rate, too
			share := (100 + rates[0]) / rates[0]
			parts, gross, tolerance = parts+amounts[0], gross+amounts[0]*share, tolerance+halfCent*share
		}
	}
	_, printed := read.lastAmount(tax)
	return near(tax, cents(parts)) && (printed || math.Abs(gross-whole) <= tolerance)
}

// halfCent is how far a printed amount may be from the exact one.
const halfCent = 0.005

// ratesAndAmounts are the tax rates and the amounts with cents of a line.
func (read *form) ratesAndAmounts(line layout.Line) (rates, amounts []float64) {
	for _, cell := range line.Cells {
		for index, word := range cell.Words {
			if rate, is := rateAt(cell.Words[index:]); is && rate > 0 && rate < 40 {
				rates = append(rates, rate)
			} else if amount, is := value.ParseAmount(strings.Trim(word.Text, "()*:="), read.numbers); is && amount.Decimals == 2 {
				amounts = append(amounts, amount.Value)
			}
		}
	}
	return rates, amounts
}

// ratedPair finds among the amounts of a line the tax of one of its rates, and the net sum that it
// is on or the sum that has it.
func ratedPair(rates, amounts, withTax []float64) (net, tax float64, ok bool) {
	for _, rate := range rates {
		for _, tax := range amounts {
			for _, net := range amounts {
				if net > tax && math.Abs(net*rate/100-tax) < 0.011 {
					return net, tax, true
				}
			}
			for _, sum := range withTax {
				if sum > tax && math.Abs(sum*rate/(100+rate)-tax) < 0.011 {
					return sum - tax, tax, true
				}
			}
		}
	}
	return 0, 0, false
}

// due sets what is still to be paid: the whole, or less by what was paid before.
func (result *extraction) due(f figures, whole money, known bool) {
	for _, item := range slices.Backward(f.due) {
		d := item.amount.Value
		paid := whole.amount.Value - d
		_, printed := result.form.lastAmount(paid)
		explained := known && !near(paid, 0) && f.deducted.explain(result, paid)
		if !known || near(paid, 0) || printed || explained || result.isRest(item, whole) {
			result.set("amount_due", d, item.source())
			return
		}
	}
	if known && len(f.due) == 0 && result.slip == nil {
		result.deduct(f, whole)
	}
}

// carried takes what was owed before from a sum that includes it: the rest, where it is
// printed, is what this paper asks for.
func (result *extraction) carried() {
	whole, known := result.values["amount"].(float64)
	for _, before := range result.moneys(labelOpening) {
		owed := before.amount.Value
		rest, printed := result.form.lastAmount(whole - owed)
		if known && owed > 0 && owed < whole && printed && !result.has("tax") {
			if !result.has("amount_due") {
				result.set("amount_due", whole, result.sources["amount"])
			}
			result.set("amount", cents(whole-owed), rest.source())
			return
		}
	}
}
