package einvoice

import (
	"math"
	"strconv"

	"toolkit/internal/reader/xmltree"
)

// warnOfMismatchedSums tells which sums of EN 16931 do not add up. What the file does not state is not checked;
// of what is added or taken off, nothing stated is nothing. The lines and the rates of tax are for
// validators to check.
func (r *invoiceReader) warnOfMismatchedSums() {
	lines := r.sumOf("line_items", "amount")
	r.warnUnlessEqual("the lines add up to", lines, "the sum of lines is", r.number("lines_total"))                                                            // BR-CO-10
	r.warnUnlessEqual("the allowances add up to", r.sumOf("allowances", "amount"), "their sum is", r.number("allowances_total"))                               // BR-CO-11
	r.warnUnlessEqual("the charges add up to", total(r.sumOf("charges", "amount"), r.sumOf("logistics", "amount")), "their sum is", r.number("charges_total")) // BR-CO-12
	r.warnUnlessEqual("lines, allowances and charges give", r.net(), "the net sum is", r.number("subtotal"))                                                   // BR-CO-13
	r.warnUnlessEqual("the tax of all rates adds up to", r.sumOf("tax_breakdown", "tax"), "the tax is", r.number("tax"))                                       // BR-CO-14
	r.warnUnlessEqual("net sum and tax give", r.computeNetWithTax(), "the sum is", r.statedGrossAmount())                                                      // BR-CO-15
	r.warnUnlessEqual("the sum less what was paid gives", r.computeAmountDue(), "what is to be paid is", r.number("amount_due"))                               // BR-CO-16
}

func (r *invoiceReader) list(field string) []map[string]any {
	items, _ := r.invoice.Fields[field].([]map[string]any)
	return items
}

// amount is a number that a file may not state.
type amount struct {
	of    float64
	known bool
}

func (r *invoiceReader) number(field string) amount {
	number, known := r.invoice.Fields[field].(float64)
	return amount{number, known}
}

// sumOf adds up a field of a list; unknown when an item does not state it.
func (r *invoiceReader) sumOf(list, field string) (sum amount) {
	if r.cut {
		return amount{}
	}
	for _, item := range r.list(list) {
		number, known := item[field].(float64)
		if !known {
			return amount{}
		}
		sum = amount{sum.of + number, true}
	}
	return sum
}

// total adds what is known; it is unknown when nothing is.
func total(parts ...amount) (sum amount) {
	for _, part := range parts {
		sum = amount{sum.of + part.of, sum.known || part.known}
	}
	return sum
}

func (r *invoiceReader) net() amount {
	lines := r.number("lines_total")
	return amount{lines.of - r.number("allowances_total").of + r.number("charges_total").of, lines.known}
}

// computeNetWithTax returns the net sum with tax. Tax is unknown where the file states it more than once, or in
// a way that is not read.
func (r *invoiceReader) computeNetWithTax() amount {
	sum := total(r.number("subtotal"), r.number("tax"))
	sum.known = sum.known && !r.abroad["tax"] && (r.number("tax").known || r.told == 0 && len(r.list("tax_breakdown")) == 0)
	return sum
}

// statedGrossAmount is the sum with tax. FatturaPA counts the rounding into it, and a stamp that is no
// part of net sum and tax.
func (r *invoiceReader) statedGrossAmount() amount {
	if r.of.name == "FatturaPA" {
		if len(r.root.FindAll(xmltree.ParseSteps("FatturaElettronicaBody/DatiGenerali/DatiGeneraliDocumento/DatiBollo"))) > 0 || r.number("rounding").known {
			return amount{}
		}
	}
	return r.number("amount")
}

func (r *invoiceReader) computeAmountDue() amount {
	if r.of.name == "FatturaPA" { // withheld tax is paid by another way
		return amount{}
	}
	sum := r.number("amount")
	return amount{sum.of - r.number("prepaid").of + r.number("rounding").of, sum.known}
}

func (r *invoiceReader) warnUnlessEqual(what string, a amount, other string, b amount) {
	if a.known && b.known && math.Abs(a.of-b.of) > 0.005 {
		r.warn("%s %s, and %s %s", what, money(a.of), other, money(b.of))
	}
}

func money(number float64) string { return strconv.FormatFloat(number, 'f', 2, 64) }
