package document

import (
	"errors"
	"fmt"
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
	DOCX   Type = "docx"
	XLSX   Type = "xlsx"
	PNG    Type = "png"
	JPG    Type = "jpg"
	GIF    Type = "gif"
	WEBP   Type = "webp"
)

var mimeTypes = map[Type]string{
	PDF:    "application/pdf",
	Text:   "text/plain",
	MD:     "text/markdown",
	CSV:    "text/csv",
	TSV:    "text/tab-separated-values",
	JSON:   "application/json",
	NDJSON: "application/x-ndjson",
	HTML:   "text/html",
	XML:    "application/xml",
	EML:    "message/rfc822",
	MBOX:   "application/mbox",
	ICS:    "text/calendar",
	VCF:    "text/vcard",
	DOCX:   "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
	XLSX:   "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	PNG:    "image/png",
	JPG:    "image/jpeg",
	GIF:    "image/gif",
	WEBP:   "image/webp",
}

// MIME is the media type of files of this type, "" for an unknown one.
func (kind Type) MIME() string { return mimeTypes[kind] }

// Types lists the supported types in the order of their documentation.
func Types() []Type {
	return []Type{PDF, Text, MD, CSV, TSV, JSON, NDJSON, HTML, XML, EML, MBOX, ICS, VCF, DOCX, XLSX, PNG, JPG, GIF, WEBP}
}

// ErrUnsupported tells that a file is of no supported type.
var ErrUnsupported = errors.New("unsupported file type")

// ErrAnalysis tells that a file is of a supported type but cannot be read: damaged,
// encrypted, or beyond a limit. Its text says why and is fit for a user.
var ErrAnalysis = errors.New("the file could not be analysed")

func analysisError(format string, arguments ...any) error {
	return fmt.Errorf("%w: %w", ErrAnalysis, fmt.Errorf(format, arguments...))
}
