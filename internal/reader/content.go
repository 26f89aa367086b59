package reader

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"toolkit/internal/reader/bank"
	"toolkit/internal/reader/einvoice"
	"toolkit/internal/reader/layout"
)

// Content is what Extract read from a file.
type Content struct {
	Type     Type
	MIME     string
	Text     string         // the whole text in reading order, pages parted by form feeds
	Pages    []layout.Page  // lines and cells; formats without pages have one
	Tables   []Table        // of formats that have tables by construction: CSV, XLSX, HTML, DOCX, JSON
	Records  []Record       // messages, events, contacts, transactions, and the invoices of a file of several
	Metadata map[string]any // title, author, created_at, encoding, width …: what the format states
	Warnings []string       // what was left out or could not be read, one sentence each
	// Truncated tells that a limit cut text, pages or rows.
	Truncated bool

	invoice     *einvoice.Invoice // what the file says as data, beside its pages
	accounts    *bank.File        // what a file of a bank says
	papers      int               // attached files that were looked at
	mailedPaper string            // the kind of paper that the page of a message is, "" for a letter
	pictures    pictures          // pages that were read from what they show
	over        func() error      // of the caller's context: nobody waits for the fields any more
}

// errAbandoned ends the work on a content's fields, by panic: what it found is for nobody.
var errAbandoned = errors.New("the caller gave up")

// isAbandoned tells that nobody waits for what is made of the content any more.
func (content *Content) isAbandoned() bool { return content.over != nil && content.over() != nil }

// stopIfAbandoned is asked in the loops over a document's lines and labels.
func (content *Content) stopIfAbandoned() {
	if content.isAbandoned() {
		panic(errAbandoned)
	}
}

// Record is one item of a file of items: a message, an event, a contact, a transaction.
type Record struct {
	Kind   string // message, event, contact, transaction, invoice or credit_note
	Fields map[string]any
	Source Source // where it stands; the zero Source: not known
	// Sources tell it of each field, where that is known.
	Sources map[string]Source
}

// Table is a grid of text as the file has it.
type Table struct {
	Name      string
	Header    []string // as written, "" for a column without a name; empty when there is no header
	Rows      [][]string
	Total     int  // rows in the file, which may be more than were kept
	Truncated bool // rows were left out
	Movements bool // its rows are among the records, as transactions
}

// Limits bounds what Extract does with one file. Zero fields mean the defaults.
type Limits struct {
	MaxBytes    int64         // largest file read; default 52 428 800
	MaxText     int           // characters of text kept; default 8 000 000
	MaxPages    int           // pages read of a PDF; default 500
	MaxRows     int           // rows kept of one table; default 2 000
	MaxTables   int           // tables kept; default 200
	MaxRecords  int           // messages, events, contacts kept; default 10 000
	MaxUnpacked int64         // bytes unpacked from one archive; default 268 435 456
	MaxRatio    int64         // unpacked bytes per packed byte of one member; default 200
	MaxDepth    int           // nesting of JSON, XML, HTML and MIME; default 200
	MaxPixels   int64         // width × height an image may claim; default 1 000 000 000
	Timeout     time.Duration // for the whole file; default 60 s
	EngineCache string        // folder for the PDF engine's compiled code; "" = none
	OCR         layout.OCR    // reads pictures and pages without text; the zero Program reads none
	// IgnoreAttachments reads a PDF as if no file were attached to it: what its pages say.
	IgnoreAttachments bool
	unpackedSoFar     *int64
}

func (limits Limits) withDefaults() Limits {
	limits.MaxBytes = cmp.Or(limits.MaxBytes, 52_428_800)
	limits.MaxText = cmp.Or(limits.MaxText, 8_000_000)
	limits.MaxPages = cmp.Or(limits.MaxPages, 500)
	limits.MaxRows = cmp.Or(limits.MaxRows, 2_000)
	limits.MaxTables = cmp.Or(limits.MaxTables, 200)
	limits.MaxRecords = cmp.Or(limits.MaxRecords, 10_000)
	limits.MaxUnpacked = cmp.Or(limits.MaxUnpacked, 268_435_456)
	limits.MaxRatio = cmp.Or(limits.MaxRatio, 200)
	limits.MaxDepth = cmp.Or(limits.MaxDepth, 200)
	limits.MaxPixels = cmp.Or(limits.MaxPixels, 1_000_000_000)
	limits.Timeout = cmp.Or(limits.Timeout, 60*time.Second)
	limits.unpackedSoFar = new(int64)
	return limits
}

// setText stores the text, cut to the limit at a character's boundary.
func (content *Content) setText(text string, limits Limits) {
	text = strings.ToValidUTF8(text, "\ufffd")
	if len(text) > limits.MaxText {
		kept := TruncateText(text, limits.MaxText)
		content.warnTextCut(len(kept), len(text)-len(kept))
		text = kept
	}
	content.Text = text
}

// warnTextCut tells how much of a text was kept and how much was left out, in bytes.
func (content *Content) warnTextCut(storedBytes, omittedBytes int) {
	if omittedBytes > 0 {
		content.markTruncated(fmt.Sprintf("the first %d bytes of the text were kept, %d were left out", storedBytes, omittedBytes))
	}
}

// markTruncated tells that a limit left something out.
func (content *Content) markTruncated(warning string) {
	content.Truncated = true
	content.warn(warning)
}

// warn says something once.
func (content *Content) warn(warning string) {
	if !slices.Contains(content.Warnings, warning) {
		content.Warnings = append(content.Warnings, warning)
	}
}

// addTable keeps a table unless there are too many.
func (content *Content) addTable(table Table, limits Limits) {
	if len(content.Tables) >= limits.MaxTables {
		content.markTruncated("further tables were left out")
		return
	}
	if table.Truncated {
		content.markTruncated("rows beyond the limit were left out")
	}
	content.Tables = append(content.Tables, table)
}

// setMetadata keeps a piece of metadata that says something.
func (content *Content) setMetadata(key string, value any) {
	if text, ok := value.(string); ok {
		text = strings.TrimSpace(text)
		if text == "" {
			return
		}
		value = text
	}
	content.Metadata[key] = value
}

// title is the file's own title, "" when it states none.
func (content *Content) title() string {
	title, _ := content.Metadata["title"].(string)
	return title
}
