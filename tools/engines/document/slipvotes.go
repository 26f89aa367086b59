package document

import (
	"slices"

	"toolkit/tools/engines/document/pattern"
)

// widestSlip is the width in points of what a till of 80 millimetres prints.
const widestSlip = 230

// slip votes for a receipt by what tills print instead of titles and labels. A paper that has
// the number of an invoice, a day it falls due or a customer is none, however it was paid.
func (votes *ballot) slip(read *form, seen map[labelKind]bool) {
	narrow := votes.content.Type == PDF && len(read.pages) > 0 && read.pages[0].Right-read.pages[0].Left <= widestSlip
	if !narrow && (seen[labelInvoiceNumber] || seen[labelCustomer] && !read.ride()) || seen[labelDueDate] || seen[labelOpening] || seen[labelClosing] {
		return
	}
	if _, ok := read.acknowledgement(); ok {
		votes.vote(KindReceipt, 3, "a sentence that acknowledges a sum")
	}
	found := read.slip()
	if found == nil || found.sum == nil || found.torn {
		return
	}
	_, _, timed := found.moment()
	if !found.paidOK && !timed && !found.taxed() {
		return // a list of things with their sum
	}
	if !found.paidOK && !(found.goodsOK && len(found.goods) > 1) && !narrow {
		return
	}
	switch {
	case found.goodsOK && len(found.goods) > 1:
		votes.vote(KindReceipt, 2, "%d prices that make the sum", len(found.goods))
	case found.goodsOK:
		votes.vote(KindReceipt, 0.5, "a price that is the sum")
	}
	if found.paidOK {
		votes.vote(KindReceipt, 2, "what was paid is the sum")
	}
	if !found.paidOK && slices.ContainsFunc(found.lines, func(line slipLine) bool { return line.kind == slipPaid && !line.priced }) {
		votes.vote(KindReceipt, 1, "how it was paid")
	}
	if timed {
		votes.vote(KindReceipt, 1, "a day with its time")
	}
	if narrow {
		votes.vote(KindReceipt, 1, "as narrow as a till prints")
	}
	votes.vote(KindReceipt, 0.5, "a sum")
}

func (found *slip) taxed() bool {
	return slices.ContainsFunc(found.lines, func(line slipLine) bool { return line.kind == slipTax })
}

// clockTime is a time of day on a slip.
var clockTime = pattern.New(`(?:^|[^\d:.,])((?:[01]?\d|2[0-3])[:h][0-5]\d(?::[0-5]\d)?(?: ?[apAP]\.?[mM]\b)?)(?:$|[^\d:,])`)
