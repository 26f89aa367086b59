package reader

import (
	"slices"
	"strings"
)

// findNonInvoiceTitle returns the title of a paper that has the sums of an invoice and is none, or "": a
// reminder asks again for what an invoice asked for, an offer or a pro forma invoice asks for
// nothing yet. Titles that stand on invoices too, to refer to an offer, decide only where
// nothing else says that it is one.
func (read *labeledPages) findNonInvoiceTitle() string {
	for _, text := range listPossibleTitles(read.pages) {
		for _, part := range splitAddressLine(text) { // "Rechnung 17 - 2. Mahnung"
			if read.isNonInvoiceTitle(strings.Fields(phraseKey(part))) {
				return part
			}
		}
		if kind, titled := matchKindTitle(text); titled && (kind == KindInvoice || kind == KindReceipt) {
			return ""
		}
	}
	return ""
}

func (read *labeledPages) isNonInvoiceTitle(words []string) bool {
	if len(words) > 1 && countDigits(words[0]) > 0 { // "2. Mahnung"
		words = words[1:]
	}
	for length := min(len(words), 4); length > 0; length-- {
		phrase := strings.Join(words[:length], " ")
		alone := length == len(words) || words[length] == "no" || countDigits(words[length]) > 0
		if inList("words never invoices", phrase) || alone && inList("words offers", phrase) && !read.hasInvoiceNumber() {
			return true
		}
	}
	return false
}

// hasInvoiceNumber reports whether a number of an invoice is named.
func (read *labeledPages) hasInvoiceNumber() bool {
	return slices.ContainsFunc(read.labels, func(found label) bool {
		return found.hasKind(labelInvoiceNumber) && read.hasLabelValue(found, labelInvoiceNumber)
	})
}
