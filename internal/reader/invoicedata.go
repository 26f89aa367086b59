package reader

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"toolkit/internal/reader/einvoice"
	"toolkit/internal/reader/pdf"
)

// mayBeInvoice reports whether a file attached to a PDF may be the invoice as data. Its name
// is laid down (factur-x.xml, ZUGFeRD-invoice.xml, xrechnung.xml), and not always kept to.
func mayBeInvoice(name string) bool { return strings.EqualFold(filepath.Ext(name), ".xml") }

// readAttachedInvoiceData reads the invoice among the files attached to a PDF: the one of a name laid down
// for it, else the only one. Which of several others it is cannot be told.
func (content *Content) readAttachedInvoiceData(ctx context.Context, files []pdf.Attachment) error {
	var unnamed []*einvoice.Invoice
	for _, file := range files {
		invoices, err := content.invoicesIn(ctx, file.Data, fmt.Sprintf("the attached file %q", file.Name))
		switch {
		case err != nil:
			return err
		case len(invoices) == 1 && einvoice.IsInvoiceFileName(file.Name):
			content.storeInvoices(invoices)
			return nil
		}
		unnamed = append(unnamed, invoices...)
	}
	if len(unnamed) == 1 {
		content.storeInvoices(unnamed)
	}
	if len(unnamed) > 1 {
		content.Warnings = append(content.Warnings, fmt.Sprintf("%d invoices are attached, and none has the name that says it is this one: only the pages were read", len(unnamed)))
	}
	return nil
}

// readInvoice reads a file that is an invoice as data, or several.
func (content *Content) readInvoice(ctx context.Context, data []byte) error {
	invoices, err := content.invoicesIn(ctx, data, "the file")
	content.storeInvoices(invoices)
	return err
}

// invoicesIn reads invoices that are data. A file that is none, or damaged, leaves what else
// is read; only the end of time is an error.
func (content *Content) invoicesIn(ctx context.Context, data []byte, file string) ([]*einvoice.Invoice, error) {
	var invoices []*einvoice.Invoice
	data, err := truncateLongXMLTexts(convertUTF16XML(data))
	if err == nil {
		invoices, err = einvoice.Read(ctx, data)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		content.Warnings = append(content.Warnings, fmt.Sprintf("%s could not be read as an invoice: %v", file, err))
	}
	return invoices, nil
}

// storeInvoices keeps what is told of the one invoice of a file; several become records.
func (content *Content) storeInvoices(invoices []*einvoice.Invoice) {
	for _, invoice := range invoices {
		content.setMetadata("invoice_syntax", invoice.Syntax)
		content.setMetadata("invoice_profile", invoice.Profile)
		if len(invoices) == 1 {
			content.Warnings = append(content.Warnings, invoice.Warnings...)
			content.invoice = invoice
			return
		}
		for _, warning := range invoice.Warnings {
			content.Warnings = append(content.Warnings, fmt.Sprintf("invoice %v: %s", cmp.Or(invoice.Fields["invoice_number"], any(invoice.Element)), warning))
		}
		content.Records = append(content.Records, Record{Kind: kindOf(invoice), Fields: invoice.Fields, Source: Source{Element: invoice.Element}})
	}
}

// hasInvoiceRecords reports whether the records of the content are invoices.
func (content *Content) hasInvoiceRecords() bool {
	return len(content.Records) > 0 && (content.Records[0].Kind == KindInvoice || content.Records[0].Kind == KindCreditNote)
}

func kindOf(invoice *einvoice.Invoice) string {
	if invoice.Credit {
		return KindCreditNote
	}
	return KindInvoice
}

// setInvoiceDataFields takes the fields from the data; what the pages say is compared, and not taken.
func (result *extraction) setInvoiceDataFields() {
	for field, item := range result.content.invoice.Fields {
		result.setField(field, item, Source{Element: result.content.invoice.Elements[field]})
	}
	result.warnWhereDataDiffersFromPages()
}

// compared are the fields whose value stands on an invoice's page in every case.
var compared = []string{"invoice_number", "date", "due_date", "subtotal", "tax", "amount", "amount_due", "iban", "vendor_tax_id"}

// warnWhereDataDiffersFromPages tells where a page states another value than the data: one that the page names for
// the field, while that of the data stands nowhere on it.
func (result *extraction) warnWhereDataDiffersFromPages() {
	if result.content.Type != PDF {
		return
	}
	page := extraction{content: result.content, values: map[string]any{}, sources: map[string]Source{}}
	page.readPageFields(KindInvoice)
	for _, field := range compared {
		stands, printed := result.values[field], page.values[field]
		if stands == nil || printed == nil || stands == printed || page.isPrintedOnPages(stands) {
			continue
		}
		result.content.warn(fmt.Sprintf("the page says %s %v, the invoice's data %v, which stands", strings.ReplaceAll(field, "_", " "), printed, stands))
	}
}

// isPrintedOnPages reports whether a value stands anywhere on the pages, in any way of writing it.
func (result *extraction) isPrintedOnPages(wanted any) bool {
	for _, line := range result.form.lines(every, every) {
		if _, ok := findWordsOfValue(line.Words(), wanted); ok {
			return true
		}
	}
	return false
}
