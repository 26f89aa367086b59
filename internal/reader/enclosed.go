package reader

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path"
	"slices"
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
