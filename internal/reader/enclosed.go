package reader

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"toolkit/internal/reader/layout"
)

// Bounds of the papers that are read of mail.
const (
	mostEnclosed      = 200      // of a file
	mostEnclosedBytes = 32 << 20 // of a message
)

// extractFile is Extract, and sniffFile Sniff. The table of formats names the readers, so that none of them can name
// what looks it up.
var extractFile func(context.Context, io.ReaderAt, int64, Type, Limits) (*Content, error)

var sniffFile func([]byte, string) (Type, error)

func init() { extractFile, sniffFile = Extract, Sniff }

// paperTypes are the types of files that papers are attached as.
var paperTypes = []Type{PDF, XML, HTML, DOCX, Text}

// enclosure is a file attached to a message.
type enclosure struct {
	name string
	data []byte
}

// readAttachedInvoices reads the invoices, credit notes and receipts among the files attached to a message:
// each becomes a record beside it. Other files are named in the message alone.
func (content *Content) readAttachedInvoices(ctx context.Context, files []enclosure, limits Limits) {
	bytesLeft := mostEnclosedBytes
	for _, file := range files {
		kind, err := sniffFile(file.data[:min(len(file.data), SniffLength)], file.name)
		if err != nil || !slices.Contains(paperTypes, kind) || ctx.Err() != nil {
			continue
		}
		content.papers++
		if bytesLeft -= len(file.data); bytesLeft < 0 || content.papers > mostEnclosed {
			content.markTruncated(fmt.Sprintf("the attached file %q was not read: there are more, or larger ones, than are read of mail", file.name))
			continue
		}
		part, err := extractFile(ctx, bytes.NewReader(file.data), int64(len(file.data)), kind, limits)
		if err != nil {
			content.Warnings = append(content.Warnings, fmt.Sprintf("the attached file %q could not be read: %v", file.name, err))
			continue
		}
		content.addAttachedRecords(file.name, part)
	}
}

// addAttachedRecords keeps what an attached paper says.
func (content *Content) addAttachedRecords(name string, part *Content) {
	class, _ := Classify(part)
	switch {
	case class == KindInvoice && part.hasInvoiceRecords():
		for _, record := range part.Records {
			content.Records = append(content.Records, record.withAttachmentName(name))
		}
	case class == KindInvoice || class == KindCreditNote || class == KindReceipt:
		values, sources := ExtractFields(part, class)
		content.Records = append(content.Records, Record{Kind: class, Fields: values, Source: Source{}, Sources: sources}.withAttachmentName(name))
	case part.accounts != nil:
		content.Warnings = append(content.Warnings, fmt.Sprintf("the attached file %q lists the movements of an account: save it and import it by itself", name))
	}
	for _, warning := range part.Warnings {
		content.Warnings = append(content.Warnings, name+": "+warning)
	}
}

// withAttachmentName is a record of an attached file: its places are those of the file.
func (record Record) withAttachmentName(name string) Record {
	sources := map[string]Source{}
	for field, source := range record.Sources {
		sources[field] = source.withAttachmentName(name)
	}
	record.Sources, record.Source = sources, record.Source.withAttachmentName(name)
	return record
}

func (source Source) withAttachmentName(name string) Source {
	switch {
	case source.Element != "":
		return Source{Element: path.Join(name, source.Element)}
	case source.Line > 0:
		return Source{Element: fmt.Sprintf("%s, page %d, line %d", name, source.Page, source.Line), OCR: source.OCR}
	}
	return Source{Element: name}
}

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
