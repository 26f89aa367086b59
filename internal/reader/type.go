package reader

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Type is a file format that can be read, named by its usual extension.
type Type string

// The supported types.
const (
	PDF    Type = "pdf"
	Text   Type = "txt"
	MD     Type = "md"
	CSV    Type = "csv"
	TSV    Type = "tsv"
	JSON   Type = "json"
	NDJSON Type = "ndjson"
	HTML   Type = "html"
	XML    Type = "xml"
	EML    Type = "eml"
	MBOX   Type = "mbox"
	ICS    Type = "ics"
	VCF    Type = "vcf"
	MT940  Type = "mt940"
	OFX    Type = "ofx"
	QIF    Type = "qif"
	DOCX   Type = "docx"
	XLSX   Type = "xlsx"
	PNG    Type = "png"
	JPG    Type = "jpg"
	GIF    Type = "gif"
	WEBP   Type = "webp"
)

// format is what is known of a type: the media type, the endings of its files' names, how
// it is read, and whether it is known by its content alone.
type format struct {
	kind          Type
	mime, endings string
	read          reader
	binary        bool
}

const office = "application/vnd.openxmlformats-officedocument."

// formats are in the order of their documentation.
var formats = []format{
	{PDF, "application/pdf", ".pdf", readPDF, true},
	{Text, "text/plain", ".txt .text .log", readText, false},
	{MD, "text/markdown", ".md .markdown", readText, false},
	{CSV, "text/csv", ".csv", readDelimited, false},
	{TSV, "text/tab-separated-values", ".tsv .tab", readDelimited, false},
	{JSON, "application/json", ".json", readJSON, false},
	{NDJSON, "application/x-ndjson", ".ndjson .jsonl", readJSONLines, false},
	{HTML, "text/html", ".html .htm .xhtml", readHTML, false},
	{XML, "application/xml", ".xml .camt .c52 .c53 .c54", readXML, false},
	{EML, "message/rfc822", ".eml", readMessage, false},
	{MBOX, "application/mbox", ".mbox .mbx", readMailbox, false},
	{ICS, "text/calendar", ".ics .ical", readCalendar, false},
	{VCF, "text/vcard", ".vcf .vcard", readContacts, false},
	{MT940, "application/x-mt940", ".mt940 .940 .sta .mt942 .942 .swi", readBankFile, false},
	{OFX, "application/x-ofx", ".ofx .qfx", readBankFile, false},
	{QIF, "application/x-qif", ".qif", readQIF, false},
	{DOCX, office + "wordprocessingml.document", ".docx", readDOCX, true},
	{XLSX, office + "spreadsheetml.sheet", ".xlsx", readXLSX, true},
	{PNG, "image/png", ".png", readImage, true},
	{JPG, "image/jpeg", ".jpg .jpeg", readImage, true},
	{GIF, "image/gif", ".gif", readImage, true},
	{WEBP, "image/webp", ".webp", readImage, true},
}

// formatOf returns the format of a type, an empty one for an unknown type.
func formatOf(kind Type) format {
	at := slices.IndexFunc(formats, func(known format) bool { return known.kind == kind })
	if at < 0 {
		return format{}
	}
	return formats[at]
}

// formatForFileName returns the format that files of a name usually have, an empty one for a name
// that says nothing.
func formatForFileName(name string) format {
	ending := strings.ToLower(filepath.Ext(name))
	for _, known := range formats {
		if slices.Contains(strings.Fields(known.endings), ending) {
			return known
		}
	}
	return format{}
}

// MIME is the media type of files of this type, "" for an unknown one.
func (kind Type) MIME() string { return formatOf(kind).mime }

// Types lists the supported types in the order of their documentation.
func Types() []Type {
	types := make([]Type, len(formats))
	for index, known := range formats {
		types[index] = known.kind
	}
	return types
}

// ErrUnsupported tells that a file is of no supported type.
var ErrUnsupported = errors.New("unsupported file type")

// ErrAnalysis tells that a file is of a supported type but cannot be read: damaged,
// encrypted, or beyond a limit. Its text says why and is fit for a user.
var ErrAnalysis = errors.New("the file could not be analysed")

func analysisError(format string, arguments ...any) error {
	return fmt.Errorf("%w: %w", ErrAnalysis, fmt.Errorf(format, arguments...))
}
