package reader

import (
	"math"
	"slices"
	"strings"
)

// deductions are what stands between the whole of an invoice and what is to be paid: what was
// paid before, and what the customer withholds for a tax office.
type deductions struct{ paid, withheld []money }

// eachLine are amounts of one label, one of a line.
func eachLine(items []money) []money {
	if all := together(items); len(all) > 1 {
		return all[1:]
	}
	return items
}

// sumOf adds amounts, which some papers print with a minus and some without.
func sumOf(items []money) (sum float64) {
	for _, item := range items {
		sum += math.Abs(item.amount.Value)
	}
	return cents(sum)
}

func (d deductions) sum() float64 { return cents(sumOf(d.paid) + sumOf(d.withheld)) }

// explain tells whether the deductions come to an amount, and sets them where they do.
func (d deductions) explain(result *extraction, amount float64) bool {
	if amount < halfCent || !near(d.sum(), amount) {
		return false
	}
	if len(d.paid) > 0 {
		result.set("prepaid", sumOf(d.paid), d.paid[len(d.paid)-1].source())
	}
	if len(d.withheld) > 0 {
		result.set("withheld", sumOf(d.withheld), d.withheld[len(d.withheld)-1].source())
	}
	return true
}

// deduct sets what an invoice that does not print the rest takes off its whole. It must be sure
// that the whole is the one before: net sum and tax give it, or the deductions stand below it.
func (result *extraction) deduct(f figures, whole money) {
	d := deductions{withheld: f.deducted.withheld}
	for _, item := range f.deducted.paid {
		if !result.form.isRequested(item) {
			d.paid = append(d.paid, item)
		}
	}
	sum, total := d.sum(), whole.amount.Value
	if sum < halfCent || sum > total+halfCent || result.form.givesChange() {
		return
	}
	if len(f.net)+len(f.tax) > 0 {
		if !result.has("tax") && !result.has("subtotal") || !near(result.number("subtotal")+result.number("tax"), total) {
			return
		}
	} else if slices.ContainsFunc(slices.Concat(d.paid, d.withheld), func(item money) bool { return !below(item, whole) }) {
		return
	}
	d.explain(result, sum)
	for _, rest := range f.whole {
		if near(rest.amount.Value, total-sum) { // "net à payer" is a word for the whole too
			result.set("amount_due", rest.amount.Value, rest.source())
			return
		}
	}
}

// isRest tells whether an amount that is to be paid is a part of a whole that net sum and tax
// prove, where nothing says what was paid. A bare "balance" may be that of anything.
func (result *extraction) isRest(item, whole money) bool {
	proven := result.has("tax") && near(result.number("subtotal")+result.number("tax"), whole.amount.Value)
	bare := item.label.words() == 1 && strings.HasPrefix(item.label.first, "balance")
	return proven && !bare && item.amount.Value >= 0 && item.amount.Value < whole.amount.Value && below(item, whole)
}

// below tells whether an amount stands on a later line than another.
func below(item, other money) bool {
	return item.page > other.page || item.page == other.page && item.line > other.line
}

// isRequested tells an amount that may be asked for and not yet paid: a share of the whole
// ("Deposit (50%)"), or what a bare "Payment" names.
func (read *form) isRequested(item money) bool {
	if item.amount.Value < 0 {
		return false
	}
	tokens := read.tokens[item.label.at][item.label.start:item.label.end]
	share := slices.ContainsFunc(tokens, func(next token) bool { return strings.Contains(next.raw, "%") })
	return share || len(tokens) == 1 && strings.HasPrefix(tokens[0].norm, "payment")
}

// givesChange tells a paper on which money was given back: what was handed over is not what
// was paid.
func (read *form) givesChange() bool {
	return slices.ContainsFunc(read.labels, func(found label) bool {
		return found.is(labelPaid) && inList("slip change", found.first)
	})
}
