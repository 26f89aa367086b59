package einvoice

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"

	"toolkit/internal/reader/value"
)

// interpretAndCleanFields gives codes their meanings, joins what are two lists in a format and one for a
// reader, and turns what a credit note states around.
func (r *invoiceReader) interpretAndCleanFields() {
	f := r.invoice.Fields
	r.invoice.Profile, _ = f["profile"].(string)
	code, _ := f["type"].(string)
	sign := r.findFirstNonZeroSum()
	r.invoice.Credit = r.root.Name == "CreditNote" || slices.Contains(lists()["credits"], code) || sign < 0 && slices.Contains(lists()["corrections"], code)
	if preceding, named := f["preceding_invoice"]; named && r.invoice.Credit {
		f["credited_invoice"], r.invoice.Elements["credited_invoice"] = preceding, r.invoice.Elements["preceding_invoice"]
		delete(f, "preceding_invoice")
	}
	for field, codes := range map[string]string{"payment_means": "means", "payment_terms": "terms"} {
		if code, _ := f[field].(string); coded()[codes][code] != "" {
			f[field] = coded()[codes][code]
		}
	}
	r.normalizePaymentAccount()
	r.dropExcessInstalments()
	r.moveLogisticsToCharges()
	r.dropPriceQuantityOfOne()
	if r.invoice.Credit && sign > 0 {
		Negate(f)
	}
	for _, field := range []string{"type", "profile", "lines_total", "allowances_total", "charges_total"} {
		delete(f, field)
	}
	for field := range r.invoice.Elements {
		if f[field] == nil {
			delete(r.invoice.Elements, field)
		}
	}
}

// findFirstNonZeroSum is above 0 where the file asks for money as an invoice does: the first sum that is not 0.
func (r *invoiceReader) findFirstNonZeroSum() float64 {
	for _, field := range []string{"amount", "amount_due", "subtotal", "lines_total"} {
		if sum := r.number(field).of; sum != 0 {
			return sum
		}
	}
	return r.sumOf("line_items", "amount").of
}

// dropExcessInstalments leaves out what is to be paid where it is more than the whole: FatturaPA lists
// ways to pay, which are added up as instalments and may stand for each other.
func (r *invoiceReader) dropExcessInstalments() {
	if whole := r.number("amount"); r.of.name == "FatturaPA" && whole.known && math.Abs(r.number("amount_due").of) > math.Abs(whole.of)+0.005 {
		delete(r.invoice.Fields, "amount_due")
	}
}

// normalizePaymentAccount keeps the number of an account that is no IBAN under its own name. What the file
// calls an IBAN stands, and is told when its check digits are wrong.
func (r *invoiceReader) normalizePaymentAccount() {
	f, said := r.invoice.Fields, r.invoice.Elements
	if account := cmp.Or(said["iban"], said["account_number"]); account != "" && means.FindString(account) != means.FindString(said["bic"]) {
		delete(f, "bic") // of another account
	}
	iban, _ := f["iban"].(string)
	if iban == "" {
		return
	}
	plain := strings.ReplaceAll(strings.ToUpper(iban), " ", "")
	if !ibanShape.MatchString(plain) {
		delete(f, "iban")
		f["account_number"], said["account_number"] = iban, said["iban"]
		return
	}
	f["iban"] = plain
	delete(f, "account_number")
	if _, right := value.ParseIBAN(plain); !right {
		r.warn("the check digits of the IBAN %s are wrong", plain)
	}
}

// means is the beginning of a path, to the means of payment that an account belongs to.
var means = regexp.MustCompile(`.*(PaymentMeans|DettaglioPagamento)(\[[0-9]+\])?/`)

var ibanShape = regexp.MustCompile(`^[A-Z]{2}[0-9]{2}[A-Z0-9]{10,30}$`)

// moveLogisticsToCharges joins what carriage costs to the other charges.
func (r *invoiceReader) moveLogisticsToCharges() {
	f := r.invoice.Fields
	logistics, _ := f["logistics"].([]map[string]any)
	charges, _ := f["charges"].([]map[string]any)
	if delete(f, "logistics"); len(logistics) > 0 {
		f["charges"] = append(charges, logistics...)
		if len(charges) == 0 {
			r.invoice.Elements["charges"] = r.invoice.Elements["logistics"]
		}
	}
}

// dropPriceQuantityOfOne leaves out how many a price is for where it is for one.
func (r *invoiceReader) dropPriceQuantityOfOne() {
	items, _ := r.invoice.Fields["line_items"].([]map[string]any)
	for _, item := range items {
		if item["price_quantity"] == 1.0 {
			delete(item, "price_quantity")
		}
	}
}

// Sums are the amounts of an invoice that a credit note takes back.
var Sums = []string{"subtotal", "tax", "amount", "amount_due", "prepaid", "withheld", "rounding"}

// Negate turns the amounts of a credit note around that states them as an invoice does.
func Negate(fields map[string]any) {
	for _, field := range Sums {
		if number, is := fields[field].(float64); is {
			fields[field] = opposite(number)
		}
	}
	for list, of := range map[string][]string{"line_items": {"quantity", "amount", "discount", "surcharge"}, "tax_breakdown": {"base", "tax"}, "allowances": {"amount"}, "charges": {"amount"}} {
		items, _ := fields[list].([]map[string]any)
		for _, item := range items {
			for _, field := range of {
				if number, is := item[field].(float64); is {
					item[field] = opposite(number)
				}
			}
		}
	}
}

func opposite(number float64) float64 {
	if number == 0 {
		return 0
	}
	return -number
}
