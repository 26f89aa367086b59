package reader

import (
	"bytes"
	"encoding/json"
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
	case bytes.Contains(head, []byte("word/")) && byName != XLSX:
		return DOCX
	case bytes.Contains(head, []byte("xl/")) && byName != DOCX:
		return XLSX
	}
	if byName == DOCX || byName == XLSX {
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
