package reader

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/mail"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"toolkit/internal/reader/bank"
)

// SniffLength is the number of leading bytes Sniff makes good use of.
const SniffLength = 64 << 10

// Sniff names the type of a file by its leading bytes (up to SniffLength are looked at),
// and by its name only where the content allows several types. A binary format under a
// wrong name is recognised; a name alone makes nothing of foreign bytes.
func Sniff(head []byte, name string) (Type, error) {
	if len(head) > SniffLength {
		head = head[:SniffLength]
	}
	named := formatForFileName(name)
	byName := named.kind
	if kind := sniffBinary(head, byName); kind != "" {
		return kind, nil
	}
	if len(bytes.TrimSpace(head)) == 0 {
		if byName != "" && !named.binary {
			return byName, nil
		}
		return "", fmt.Errorf("%w: the file is empty", ErrUnsupported)
	}
	text, ok := decodeHeadIfText(head)
	if !ok {
		return "", fmt.Errorf("%w: the content is binary and of no known format; supported are %v", ErrUnsupported, Types())
	}
	if kind := sniffText(text, byName); kind != "" {
		return kind, nil
	}
	if filepath.Ext(name) == "" || byName != "" {
		return Text, nil
	}
	return "", fmt.Errorf("%w: files ending in %s are not read; supported are %v", ErrUnsupported, strings.ToLower(filepath.Ext(name)), Types())
}

// A library of signatures (mimetype 1.4) would save some fifteen lines here for 250 kB of
// program, takes a text that mentions %PDF- for a PDF, and leaves the formats of text, which
// the name helps to tell apart, to the rules below.
func sniffBinary(head []byte, byName Type) Type {
	switch {
	case bytes.HasPrefix(head, []byte("\x89PNG\r\n\x1a\n")):
		return PNG
	case bytes.HasPrefix(head, []byte("\xff\xd8\xff")):
		return JPG
	case bytes.HasPrefix(head, []byte("GIF87a")), bytes.HasPrefix(head, []byte("GIF89a")):
		return GIF
	case len(head) >= 12 && bytes.HasPrefix(head, []byte("RIFF")) && string(head[8:12]) == "WEBP":
		return WEBP
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return sniffOffice(head, byName)
	}
	// Readers accept a PDF header within the first kilobyte; a text that only mentions
	// one is kept apart by its position at a line's start.
	at := bytes.Index(head[:min(len(head), 1024)], []byte("%PDF-"))
	if at == 0 || (at > 0 && (byName == PDF || head[at-1] == '\n' || !utf8.Valid(head[:at]))) {
		return PDF
	}
	return ""
}

// sniffOffice tells the Office formats apart by the parts that a package of theirs has
// near its start. Where the parts are out of sight, the name decides.
func sniffOffice(head []byte, byName Type) Type {
	switch {
	case bytes.Contains(head, []byte("word/document.xml")):
		return DOCX
	case bytes.Contains(head, []byte("xl/workbook.xml")), bytes.Contains(head, []byte("xl/worksheets/")):
		return XLSX
	case byName == DOCX || byName == XLSX:
		return byName
	}
	return ""
}

// decodeHeadIfText returns the head as text, or false when it is binary.
func decodeHeadIfText(head []byte) (string, bool) {
	text, encoding := decodeText(head)
	if encoding == "utf-16" {
		return text, true
	}
	control := 0
	for _, octet := range head {
		if octet == 0 {
			return "", false
		}
		if octet < 0x20 && octet != '\t' && octet != '\n' && octet != '\r' && octet != '\f' && octet != 0x1b {
			control++
		}
	}
	return text, control*100 <= len(head)
}

// sniffText tells text formats apart by their openings; formats without one (Markdown,
// CSV) need the name.
func sniffText(text string, byName Type) Type {
	trimmed := strings.TrimLeft(strings.TrimPrefix(text, "\ufeff"), " \t\r\n")
	lower := strings.ToLower(trimmed[:min(len(trimmed), 2048)])
	_, rest, _ := strings.Cut(text, "\n")
	switch {
	case strings.HasPrefix(lower, "ofxheader:"), strings.HasPrefix(trimmed, "<") && bank.IsOFX(trimmed):
		return OFX
	case strings.HasPrefix(lower, "!type:"), strings.HasPrefix(lower, "!account"):
		return QIF
	case byName != EML && byName != MBOX && bank.IsMT940(strings.ReplaceAll(trimmed, "\r\n", "\n")):
		return MT940
	case strings.HasPrefix(lower, "<document ") && strings.Contains(lower, ":camt.05"):
		return XML
	case strings.HasPrefix(lower, "begin:vcalendar"):
		return ICS
	case strings.HasPrefix(lower, "begin:vcard"):
		return VCF
	case strings.HasPrefix(lower, "<!doctype html"), strings.HasPrefix(lower, "<html"):
		return HTML
	case strings.HasPrefix(lower, "<?xml"):
		if strings.Contains(lower, "<html") {
			return HTML
		}
		return XML
	case strings.HasPrefix(text, "From ") && hasMailHeader(rest):
		return MBOX
	}
	if kind := sniffJSON(trimmed, byName); kind != "" {
		return kind
	}
	switch byName {
	case EML, MBOX:
		if hasMailHeader(trimmed) {
			return EML
		}
		return Text
	case HTML, XML:
		if strings.HasPrefix(trimmed, "<") || byName == HTML {
			return byName
		}
		return Text
	case Text:
		if isDelimitedMovementList(trimmed) {
			return CSV
		}
		return Text
	case MD, CSV, TSV:
		return byName
	case MT940, OFX, QIF: // not what the name says
		return Text
	}
	if byName == "" && hasMailHeader(trimmed) {
		return EML
	}
	if byName == "" && isDelimitedMovementList(trimmed) {
		return CSV
	}
	return ""
}

// hasMailHeader tells whether the text opens with a message's header: at least two fields of
// which one is a message's own.
func hasMailHeader(text string) bool {
	message, err := mail.ReadMessage(strings.NewReader(text + "\n\n"))
	if err != nil {
		return false
	}
	isMails := func(name string) bool { return message.Header.Get(name) != "" }
	return len(message.Header) >= 2 && slices.ContainsFunc([]string{"From", "Received", "Message-Id", "Mime-Version", "Return-Path", "Delivered-To"}, isMails)
}

// sniffJSON recognises JSON and lines of JSON. Only a text that starts as JSON does and is
// called so, or whose first value is complete, is taken for it.
func sniffJSON(text string, byName Type) Type {
	if text == "" || (text[0] != '{' && text[0] != '[') {
		if byName == JSON || byName == NDJSON {
			return byName
		}
		return ""
	}
	first, rest, several := strings.Cut(text, "\n")
	lines := strings.TrimSpace(rest)
	if several && json.Valid([]byte(strings.TrimSpace(first))) && lines != "" && (lines[0] == '{' || lines[0] == '[') {
		return NDJSON
	}
	if byName == JSON || byName == NDJSON {
		return byName
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	if token, err := decoder.Token(); err != nil || token == nil {
		return ""
	}
	if next, err := decoder.Token(); err == nil && (byName == "" || byName == Text) {
		if _, key := next.(string); key || text[0] == '[' {
			if json.Valid([]byte(text)) || len(text) > SniffLength/2 {
				return JSON
			}
		}
	}
	return ""
}

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
