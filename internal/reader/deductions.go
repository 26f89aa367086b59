package reader

import (
	"math"
	"slices"
	"strings"
)

// deductions are what stands between the whole of an invoice and what is to be paid: what was
// paid before, and what the customer withholds for a tax office.
type deductions struct{ paid, withheld []money }

// firstAmountPerLine are amounts of one label, one of a line.
func firstAmountPerLine(items []money) []money {
	seen := map[[2]int]bool{}
	return slices.DeleteFunc(slices.Clone(items), func(item money) bool {
		spot := [2]int{item.page, item.line}
		known := seen[spot]
		seen[spot] = true
		return known
	})
}

// sumAbsoluteAmounts adds amounts, which some papers print with a minus and some without.
func sumAbsoluteAmounts(items []money) (sum float64) {
	for _, item := range items {
		sum += math.Abs(item.amount.Value)
	}
	return roundToCents(sum)
}

func (d deductions) sum() float64 {
	return roundToCents(sumAbsoluteAmounts(d.paid) + sumAbsoluteAmounts(d.withheld))
}

// setIfTheyMakeAmount tells whether the deductions come to an amount, and sets them where they do.
func (d deductions) setIfTheyMakeAmount(result *extraction, amount float64) bool {
	if amount < halfCent || !near(d.sum(), amount) {
		return false
	}
	if len(d.paid) > 0 {
		result.setField("prepaid", sumAbsoluteAmounts(d.paid), d.paid[len(d.paid)-1].source())
	}
	if len(d.withheld) > 0 {
		result.setField("withheld", sumAbsoluteAmounts(d.withheld), d.withheld[len(d.withheld)-1].source())
	}
	return true
}

// setDeductionsAndAmountDue sets what an invoice that does not print the rest takes off its whole. It must be sure
// that the whole is the one before: net sum and tax give it, or the deductions stand below it.
func (result *extraction) setDeductionsAndAmountDue(f figures, grandTotal money) {
	d := deductions{withheld: f.deducted.withheld}
	for _, item := range f.deducted.paid {
		if !result.form.isPaymentRequest(item) {
			d.paid = append(d.paid, item)
		}
	}
	sum, total := d.sum(), grandTotal.amount.Value
	if sum < halfCent || sum > total+halfCent || result.form.givesChange() {
		return
	}
	if len(f.net)+len(f.tax) > 0 {
		if !result.hasField("tax") && !result.hasField("subtotal") || !near(result.numberField("subtotal")+result.numberField("tax"), total) {
			return
		}
	} else if slices.ContainsFunc(slices.Concat(d.paid, d.withheld), func(item money) bool { return !isOnLaterLine(item, grandTotal) }) {
		return
	}
	d.setIfTheyMakeAmount(result, sum)
	for _, rest := range f.whole {
		if near(rest.amount.Value, total-sum) { // "net à payer" is a word for the whole too
			result.setField("amount_due", rest.amount.Value, rest.source())
			return
		}
	}
}

// isRemainingAmount tells whether an amount that is to be paid is a part of a whole that net sum and tax
// prove, where nothing says what was paid. A bare "balance" may be that of anything.
func (result *extraction) isRemainingAmount(item, grandTotal money) bool {
	proven := result.hasField("tax") && near(result.numberField("subtotal")+result.numberField("tax"), grandTotal.amount.Value)
	bare := item.label.words() == 1 && strings.HasPrefix(item.label.first, "balance")
	return proven && !bare && item.amount.Value >= 0 && item.amount.Value < grandTotal.amount.Value && isOnLaterLine(item, grandTotal)
}

// isOnLaterLine tells whether an amount stands on a later line than another.
func isOnLaterLine(item, other money) bool {
	return item.page > other.page || item.page == other.page && item.line > other.line
}

// isPaymentRequest tells an amount that may be asked for and not yet paid: a share of the whole
// ("Deposit (50%)"), or what a bare "Payment" names.
func (read *labeledPages) isPaymentRequest(item money) bool {
	tokens := read.tokens[item.label.at][item.label.start:item.label.end]
	share := slices.ContainsFunc(tokens, func(next token) bool { return strings.Contains(next.raw, "%") })
	return share || len(tokens) == 1 && strings.HasPrefix(tokens[0].norm, "payment")
}

// givesChange tells a paper on which money was given back: what was handed over is not what
// was paid.
func (read *labeledPages) givesChange() bool {
	return slices.ContainsFunc(read.labels, func(found label) bool {
		return found.hasKind(labelPaid) && inList("slip change", found.first)
	})
}
