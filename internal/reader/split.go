package reader

import (
	"fmt"
	"strings"

	"toolkit/internal/reader/layout"
)

// mostSplit bounds the pages among which several invoices are looked for.
const mostSplit = 200

// splitInvoices makes records of the invoices of a file that holds several, one behind the other:
// what is read of all pages as one would be made of parts of each. Where the parts cannot be
// told apart, a warning says that there are several.
func (content *Content) splitInvoices() {
	if content.invoice != nil || len(content.Pages) < 2 || len(content.Pages) > mostSplit || !content.hasSeveralInvoiceTitles() {
		return
	}
	runs, numbers := content.splitPagesByInvoice()
	if len(runs) < 2 {
		return
	}
	records := make([]Record, 0, len(runs))
	for _, pages := range runs {
		part := content.part(pages)
		kind, _ := Classify(part)
		values, sources := ExtractFields(part, kind)
		content.Warnings = append(content.Warnings, part.Warnings...)
		if kind != KindInvoice && kind != KindCreditNote || values["amount"] == nil && values["amount_due"] == nil {
			content.Warnings = append(content.Warnings, fmt.Sprintf("the pages name several invoices (%s), which could not be read one by one: what was read may be of different ones", strings.Join(numbers, ", ")))
			return
		}
		records = append(records, Record{Kind: kind, Fields: values, Source: Source{Page: pages[0].Number}, Sources: sources})
	}
	content.Records = records
}

// hasSeveralInvoiceTitles reports whether more than one page opens as an invoice does: the look that
// spares most files the rest.
func (content *Content) hasSeveralInvoiceTitles() bool {
	titled := 0
	for _, page := range content.Pages {
		for _, text := range listPossibleTitles([]layout.Page{page}) {
			if kind, ok := matchKindTitle(text); ok && kind == KindInvoice {
				titled++
				break
			}
		}
	}
	return titled > 1
}

// splitPagesByInvoice parts the pages before each that names another invoice than the one before it.
func (content *Content) splitPagesByInvoice() (runs [][]layout.Page, numbers []string) {
	current := ""
	for _, page := range content.Pages {
		number := content.part([]layout.Page{page}).findPageInvoiceNumber()
		if len(runs) == 0 || number != "" && current != "" && number != current {
			runs = append(runs, nil)
		}
		if number != "" && number != current {
			current, numbers = number, append(numbers, number)
		}
		runs[len(runs)-1] = append(runs[len(runs)-1], page)
	}
	return runs, numbers
}

// part is a content of some of the pages.
func (content *Content) part(pages []layout.Page) *Content {
	return &Content{Type: content.Type, MIME: content.MIME, Text: pagesText(pages), Pages: pages, Metadata: map[string]any{}, pictures: content.pictures, over: content.over}
}

// findPageInvoiceNumber returns the number by which a page that opens as an invoice calls itself.
func (content *Content) findPageInvoiceNumber() string {
	read := newLabeledPages(content)
	for _, found := range read.findValues(labelInvoiceNumber, read.isIdentifier) {
		return read.identifierText(found.candidate)
	}
	return ""
}
