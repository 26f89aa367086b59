package reader

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"toolkit/internal/reader/layout"
)

// Bounds of the parts of a file, whatever its format. Each is far beyond what people write.
const (
	maxColumns   = 16_384    // of a table; Excel's own bound
	maxCells     = 1_000_000 // kept of all tables of a file
	maxCellBytes = 16 << 20  // of text in them
	longestField = 256 << 10 // bytes of one cell
	maxNodes     = 1_000_000 // elements and texts of a web page, values of JSON
)

// limitError is the end of what is read of a file, and no damage: what was read before it
// is kept, and the error's text says what is missing.
type limitError string

func (reached limitError) Error() string { return string(reached) }

const (
	errBomb  limitError = "the document unpacks to far more than its size allows and was not read further"
	errDepth limitError = "the document is nested too deeply and was not read further"
	errNodes limitError = "the document has more elements than are read; the rest was left out"
)

// timeoutError is the limit of a reading that took too long.
func timeoutError(limits Limits) limitError {
	return limitError(fmt.Sprintf("reading was ended after %s; the rest was left out", limits.Timeout))
}

// acceptPartialContent decides what becomes of the content of a reader that ended with an error: all that
// was read before a limit counts, unless it was nothing.
func (content *Content) acceptPartialContent(err error) error {
	var reached limitError
	if !errors.As(err, &reached) {
		return err
	}
	if strings.TrimSpace(content.Text) == "" && len(content.Records) == 0 && len(content.Tables) == 0 {
		return err
	}
	content.markTruncated(string(reached))
	return nil
}

// contextReader is a reader that ends with its context, so that a library that reads from it ends
// as well.
type contextReader struct {
	ctx  context.Context
	from io.Reader
}

func (source contextReader) Read(buffer []byte) (int, error) {
	if err := source.ctx.Err(); err != nil {
		return 0, err
	}
	return source.from.Read(buffer[:min(len(buffer), 64<<10)])
}

// boundedText takes text up to a number of bytes and lets the rest go.
type boundedText struct {
	strings.Builder
	limit int
	cut   int // bytes that were let go
}

// WriteString adds a text if there is room for it, else its beginning.
func (text *boundedText) WriteString(part string) {
	if room := text.limit - text.Len(); len(part) > room {
		kept := TruncateText(part, max(room, 0))
		part, text.cut = kept, text.cut+len(part)-len(kept)
	}
	text.Builder.WriteString(part)
}

// setBoundedText stores a text that was collected in parts.
func (content *Content) setBoundedText(text *boundedText, limits Limits) {
	content.warnTextCut(text.Len(), text.cut)
	content.setText(text.String(), limits)
}

// TruncateText is a text cut to a number of bytes, at a character's boundary.
func TruncateText(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit]
}

// rowCollector keeps the first rows of a table as far as the limits go, and counts all. It is
// shared by the tables of a file: the bounds of cells and bytes are the file's.
type rowCollector struct {
	content *Content
	limit   int // rows of one table
	cells   int // kept of all tables
	bytes   int
	full    bool

	rows  [][]string
	lines []int // of the text that the rows stand in
	line  int   // of the next row
	total int
}

func newRowCollector(content *Content, limit int) *rowCollector {
	return &rowCollector{content: content, limit: limit}
}

// hasRoom tells whether another row would be kept; else it need not be made.
func (collector *rowCollector) hasRoom() bool {
	return !collector.full && len(collector.rows) < collector.limit
}

// addWithinLimits counts a row and keeps it if there is room.
func (collector *rowCollector) addWithinLimits(row []string) {
	collector.total++
	if !collector.hasRoom() {
		return
	}
	if len(row) > maxColumns {
		collector.content.markTruncated(columnsCut)
		row = row[:maxColumns]
	}
	for index, cell := range row {
		if len(cell) > longestField {
			collector.content.markTruncated(fmt.Sprintf("cells were cut to %d bytes", longestField))
			row[index] = TruncateText(cell, longestField)
		}
		collector.bytes += len(row[index])
	}
	if collector.cells += len(row); collector.cells > maxCells || collector.bytes > maxCellBytes {
		collector.full = true
		collector.content.markTruncated("cells beyond the limit were left out")
		return
	}
	collector.rows, collector.lines = append(collector.rows, row), append(collector.lines, collector.line)
}

const columnsCut = "columns beyond 16,384 were left out"

// finishTable ends a table: its rows, their lines and the number of all rows.
func (collector *rowCollector) finishTable() (rows [][]string, lines []int, total int) {
	rows, lines, total = collector.rows, collector.lines, collector.total
	collector.rows, collector.lines, collector.line, collector.total = nil, nil, 0, 0
	return rows, lines, total
}

// rowText is a row of a table as a line of text.
func rowText(row []string) string {
	return strings.TrimRight(strings.ReplaceAll(strings.Join(row, "\t"), "\n", " "), "\t ") + "\n"
}

// composeSinglePage is the page of a format that has none.
func composeSinglePage(composer *layout.Composer) []layout.Page {
	return []layout.Page{composer.FinishPage(1)}
}
