package einvoice

import (
	"fmt"
	"math"
	"strconv"
)

// check tells which sums of EN 16931 do not add up. What the file does not state is not checked;
// of what is added or taken off, nothing stated is nothing.
func (r *reader) check() {
	lines := r.sumOf("line_items", "amount")
	r.equal("the lines add up to", lines, "the sum of lines is", r.number("lines_total"))                                                            // BR-CO-10
	r.equal("the allowances add up to", r.sumOf("allowances", "amount"), "their sum is", r.number("allowances_total"))                               // BR-CO-11
	r.equal("the charges add up to", total(r.sumOf("charges", "amount"), r.sumOf("logistics", "amount")), "their sum is", r.number("charges_total")) // BR-CO-12
	r.equal("lines, allowances and charges give", r.net(), "the net sum is", r.number("subtotal"))                                                   // BR-CO-13
	r.equal("the tax of all rates adds up to", r.sumOf("tax_breakdown", "tax"), "the tax is", r.number("tax"))                                       // BR-CO-14
	r.equal("net sum and tax give", r.taxed(), "the sum is", r.gross())                                                                              // BR-CO-15
	r.equal("the sum less what was paid gives", r.due(), "what is to be paid is", r.number("amount_due"))                                            // BR-CO-16
	for _, rate := range r.list("tax_breakdown") {                                                                                                   // BR-CO-17
		base, based := rate["base"].(float64)
		percent, rated := rate["rate"].(float64)
		tax, taxed := rate["tax"].(float64)
		if want := cents(base * percent / 100); based && rated && taxed && math.Abs(want-tax) > r.rounding()+math.Abs(base)*halfStep(percent)/100 {
			r.warn("%s %% of %s is %s, and the tax of that rate is %s", short(percent), money(base), money(want), money(tax))
		}
	}
	r.bases()
	r.lineSums()
}

// mostLines is how many lines that do not add up are told.
const mostLines = 3

// lineSums tells of lines whose amount is not quantity by price, less what is taken off and with
// what is added (the line's part of EN 16931, BT-131). FatturaPA takes percents off as well.
func (r *reader) lineSums() {
	if r.of.name == "FatturaPA" {
		return
	}
	told := 0
	for at, item := range r.list("line_items") {
		quantity, counted := item["quantity"].(float64)
		price, priced := item["unit_price"].(float64)
		stated, known := item["amount"].(float64)
		if per, said := item["price_quantity"].(float64); said && per != 0 {
			price /= per
		}
		off, _ := item["discount"].(float64)
		more, _ := item["surcharge"].(float64)
		if !counted || !priced || !known || math.Abs(quantity*price-off+more-stated) <= 0.01+math.Abs(quantity)*0.005 {
			continue
		}
		if told++; told > mostLines {
			r.warn("and further lines whose amount is not quantity by price")
			return
		}
		r.warn("line %d is %s by %s and says %s", at+1, short(quantity), short(price), money(stated))
	}
}

// rounding is how far a sum over the lines may be from one over their unrounded parts: half a
// cent for each line, and for the sum.
func (r *reader) rounding() float64 { return 0.0051 * float64(len(r.list("line_items"))+1) }

// halfStep is what a rate may have lost when it was rounded: nothing where it is whole.
func halfStep(percent float64) float64 {
	if percent == math.Trunc(percent) {
		return 0
	}
	return 0.005
}

// bases tells where what is taxed at a rate is not what lines, allowances and charges of that
// rate add up to (BR-S-08, and its like for the other categories). FatturaPA taxes more than
// its lines.
func (r *reader) bases() {
	if len(r.list("line_items")) == 0 || r.of.name == "FatturaPA" || r.cut {
		return
	}
	added := map[string]float64{}
	for list, sign := range map[string]float64{"line_items": 1, "charges": 1, "logistics": 1, "allowances": -1} {
		for _, item := range r.list(list) {
			number, known := item["amount"].(float64)
			if !known || item["tax_rate"] == nil && item["tax_category"] == nil {
				return
			}
			added[fmt.Sprint(item["tax_category"], item["tax_rate"])] += sign * number
		}
	}
	stated := map[string]float64{}
	for _, rate := range r.list("tax_breakdown") {
		base, known := rate["base"].(float64)
		if !known {
			return
		}
		stated[fmt.Sprint(rate["category"], rate["rate"])] += base
	}
	for _, rate := range r.list("tax_breakdown") {
		key := fmt.Sprint(rate["category"], rate["rate"])
		percent, _ := rate["rate"].(float64)
		base, told := stated[key]
		if sum, taxed := added[key]; told && taxed && math.Abs(cents(sum)-base) > r.rounding() {
			r.warn("lines, allowances and charges at %s %% give %s, and the tax of that rate is counted from %s", short(percent), money(sum), money(base))
		}
		delete(stated, key)
	}
}

func (r *reader) list(field string) []map[string]any {
	items, _ := r.invoice.Fields[field].([]map[string]any)
	return items
}

// amount is a number that a file may not state.
type amount struct {
	of    float64
	known bool
}

func (r *reader) number(field string) amount {
	number, known := r.invoice.Fields[field].(float64)
	return amount{number, known}
}

// sumOf adds up a field of a list; unknown when an item does not state it.
func (r *reader) sumOf(list, field string) (sum amount) {
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

func (r *reader) net() amount {
	lines := r.number("lines_total")
	return amount{lines.of - r.number("allowances_total").of + r.number("charges_total").of, lines.known}
}

// taxed is the net sum with tax. Tax is unknown where the file states it more than once, or in
// a way that is not read.
func (r *reader) taxed() amount {
	sum := total(r.number("subtotal"), r.number("tax"))
	sum.known = sum.known && !r.abroad["tax"] && (r.number("tax").known || r.told == 0 && len(r.list("tax_breakdown")) == 0)
	return sum
}

// gross is the sum with tax. FatturaPA counts the rounding into it, and a stamp that is no
// part of net sum and tax.
func (r *reader) gross() amount {
	if r.of.name == "FatturaPA" {
		if len(r.root.all(stepsOf("FatturaElettronicaBody/DatiGenerali/DatiGeneraliDocumento/DatiBollo"))) > 0 || r.number("rounding").known {
			return amount{}
		}
	}
	return r.number("amount")
}

func (r *reader) due() amount {
	if r.of.name == "FatturaPA" { // withheld tax is paid by another way
		return amount{}
	}
	sum := r.number("amount")
	return amount{sum.of - r.number("prepaid").of + r.number("rounding").of, sum.known}
}

func (r *reader) equal(what string, a amount, other string, b amount) {
	if a.known && b.known && math.Abs(a.of-b.of) > 0.005 {
		r.warn("%s %s, and %s %s", what, money(a.of), other, money(b.of))
	}
}

func money(number float64) string { return strconv.FormatFloat(number, 'f', 2, 64) }

func short(number float64) string { return strconv.FormatFloat(number, 'f', -1, 64) }
