package reader

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"toolkit/internal/lazyregexp"
	"toolkit/internal/reader/bank"
	"toolkit/internal/reader/layout"
	"toolkit/internal/reader/pdf"
)

// layoutText bounds the text that is given a layout: labelled values stand at the front
// of a document, and a layout takes many times the memory of its text.
const layoutText = 1 << 20

func composeTextPages(text string) []layout.Page {
	if len(text) > layoutText {
		text = strings.ToValidUTF8(text[:layoutText], "")
	}
	return layout.FromText(text)
}

// readDelimited reads CSV and its kin: the delimiter is found by trial, a preamble before
// the table is kept as metadata, no column is lost.
func readDelimited(ctx context.Context, data []byte, limits Limits, content *Content) error {
	text := content.decodeToUTF8(data)
	text = strings.TrimPrefix(text, "\ufeff")
	delimiter, body := sniffDelimiter(text, content.Type)
	content.setMetadata("delimiter", string(delimiter))
	content.setText(text, limits)
	collector := newRowCollector(content, limits.MaxRows+maxPreamble+1)
	unclosed, err := parseDelimited(ctx, body, delimiter, collector)
	if err != nil && ctx.Err() == nil {
		return err
	}
	if len(unclosed) > 0 {
		content.Warnings = append(content.Warnings, "quotation marks that are never closed were left out, in these lines: "+pdf.FormatPageList(unclosed))
	}
	table := content.addTableFromRows(content.title(), collector, limits)
	content.Metadata["rows"] = table.Total
	content.Metadata["columns"] = table.Width()
	composer := layout.Composer{}
	composer.AddTable(table.displayedRows())
	content.Pages = composeSinglePage(&composer)
	return nil
}

func trimCells(row []string) []string {
	cells := make([]string, len(row))
	for index, cell := range row {
		cells[index] = strings.TrimSpace(cell)
	}
	return cells
}

func dropBlankCells(row []string) []string {
	var cells []string
	for _, cell := range row {
		if cell = strings.TrimSpace(cell); cell != "" {
			cells = append(cells, cell)
		}
	}
	return cells
}

// sniffDelimiter returns the delimiter and the text without an Excel "sep=" line. The
// delimiter is the one that parts most of the first lines into the same number of fields.
func sniffDelimiter(text string, kind Type) (rune, string) {
	first, rest, _ := strings.Cut(text, "\n")
	if hint, ok := strings.CutPrefix(strings.TrimRight(first, "\r"), "sep="); ok && len(hint) == 1 {
		return rune(hint[0]), rest
	}
	sample := text[:min(len(text), 64<<10)]
	best, bestScore := ',', 0
	if kind == TSV {
		best = '\t'
	}
	for _, candidate := range []rune{'\t', ';', ',', '|'} {
		if candidate == ',' && best != ',' && !otherComma().MatchString(sample) {
			continue // all of them stand before decimals
		}
		collector := newRowCollector(&Content{}, 60)
		_, _ = parseDelimited(context.Background(), sample, candidate, collector)
		if score := scoreColumnConsistency(collector.rows); score > bestScore || (score == bestScore && score > 0 && candidate == '\t' && kind == TSV) {
			best, bestScore = candidate, score
		}
	}
	return best, text
}

// isDelimitedMovementList tells whether a text is a list of movements in delimited columns, which some
// banks give the name of a text: most of its lines have as many fields as the head, or without a
// head all of them have those of a movement.
func isDelimitedMovementList(text string) bool {
	text = text[:min(len(text), SniffLength)]
	delimiter, body := sniffDelimiter(text, CSV)
	collector := newRowCollector(&Content{}, 100)
	_, _ = parseDelimited(context.Background(), body, delimiter, collector)
	head, alike := bank.HeaderRow(collector.rows), 0
	below := collector.rows[head+1:]
	for _, row := range below {
		if head < 0 && bank.IsMovement(row) || head >= 0 && len(row) == len(collector.rows[head]) {
			alike++
		}
	}
	return alike > 0 && (alike*2 > len(below) && head >= 0 || alike > 1 && alike == len(below))
}

// otherComma is a comma that does not part the digits of a number.
var otherComma = lazyregexp.New(`(?m)(?:^|\D),|,(?:\D|$)`)

// scoreColumnConsistency is the number of rows that have the commonest number of fields (at least
// two), weighted by that number a little, so that a comma inside texts does not win.
func scoreColumnConsistency(rows [][]string) int {
	counts := map[int]int{}
	for _, row := range rows {
		if len(row) > 1 {
			counts[len(row)]++
		}
	}
	best := 0
	for fields, count := range counts {
		best = max(best, count*20+min(fields, 19))
	}
	return best
}

// maxUnclosed is how many quotation marks that are never closed are looked for.
const maxUnclosed = 20

// parseDelimited reads the rows of a table. Quotation marks that are never closed are left out, so that
// the lines below are rows of their own; unclosed are the numbers of the lines that had one.
func parseDelimited(ctx context.Context, text string, delimiter rune, collector *rowCollector) (unclosed []string, err error) {
	above := 0 // lines before the text that is read
	source, from := csvReader(ctx, text, delimiter), 0
	for {
		row, err := source.Read()
		if errors.Is(err, io.EOF) {
			return unclosed, nil
		}
		if err != nil {
			return unclosed, err
		}
		for from < len(text) && (text[from] == '\n' || text[from] == '\r') { // blank lines
			from++
		}
		at := int(source.InputOffset())
		if len(unclosed) < maxUnclosed && hasUnclosedQuote(text[from:at], delimiter, at == len(text)) {
			line, rest, _ := strings.Cut(text[from:], "\n")
			above += strings.Count(text[:from], "\n")
			unclosed = append(unclosed, strconv.Itoa(above+1))
			for open := findOpenQuote(line, delimiter); open >= 0; open = findOpenQuote(line, delimiter) {
				line = line[:open] + line[open+1:]
			}
			text = line + "\n" + rest
			source, from = csvReader(ctx, text, delimiter), 0
			continue
		}
		if hasText(row) {
			line, _ := source.FieldPos(0)
			collector.line = above + line
			collector.addWithinLimits(row)
		}
		from = at
	}
}

func csvReader(ctx context.Context, text string, delimiter rune) *csv.Reader {
	source := csv.NewReader(contextReader{ctx, strings.NewReader(text)})
	source.Comma, source.LazyQuotes, source.FieldsPerRecord = delimiter, true, -1
	return source
}

// hasUnclosedQuote tells whether a quotation mark of a row was never closed: it ends with the text, holds more
// than any cell, or was closed by one that opens a cell of another row.
func hasUnclosedQuote(row string, delimiter rune, last bool) bool {
	first, rest, several := strings.Cut(strings.TrimRight(row, "\r\n"), "\n")
	switch {
	case last && findOpenQuote(row, delimiter) >= 0:
		return true
	case !several || !strings.Contains(first, `"`):
		return false
	case len(row) > longestField:
		return true
	case strings.Count(row, `"`)%2 == 0:
		return false
	}
	width := strings.Count(first, string(delimiter))
	for line := range strings.Lines(rest) {
		if strings.Count(line, string(delimiter)) < width {
			return false
		}
	}
	return width > 0
}

// findOpenQuote returns where the quotation mark stands that is open at the end of a row, -1 where none is. One
// before a delimiter or a line's end closes a cell.
func findOpenQuote(row string, delimiter rune) (open int) {
	open, begins := -1, true
	for at := 0; at < len(row); at++ {
		follows := row[at+1:]
		switch {
		case row[at] == '"' && open >= 0 && strings.HasPrefix(follows, `"`):
			at++
		case row[at] == '"' && open >= 0 && (follows == "" || strings.ContainsRune(string(delimiter)+"\r\n", rune(follows[0]))):
			open = -1
		case row[at] == '"' && begins:
			open = at
		}
		begins = open < 0 && (rune(row[at]) == delimiter || row[at] == '\n')
	}
	return open
}

// hasText tells a row that says something from a blank one and from a rule drawn with characters.
func hasText(row []string) bool {
	return slices.ContainsFunc(row, func(cell string) bool {
		return strings.ContainsFunc(cell, func(character rune) bool { return unicode.IsLetter(character) || unicode.IsNumber(character) })
	})
}

// addTableFromRows makes a table of the rows at hand. Lines above it are kept as metadata; one that
// lists the movements of an account is read as such.
func (content *Content) addTableFromRows(name string, collector *rowCollector, limits Limits) Table {
	rows, lines, total := collector.finishTable()
	first := rows[:min(len(rows), 2*maxPreamble)]
	head := bank.HeaderRow(first)
	if head < 0 {
		head = bank.FindHeadAboveDates(first)
	}
	skip := max(head, 0)
	above := rows[:skip]
	content.appendMetadataLines("preamble", above)
	table := makeTable(name, rows[skip:], total-skip, head >= 0, limits)
	content.addMovementsOfTable(&table, above, lines[min(skip+min(len(table.Header), 1), len(lines)):])
	content.addTable(table, limits)
	if at := bank.HeaderRow(rows[:min(len(rows), maxSearched)]); head < 0 && at >= 0 {
		content.warn(fmt.Sprintf("a list that may be one of movements begins in line %d, below other tables: it is kept as rows", lines[at]))
	}
	return table
}

// maxSearched is how many rows are searched for the head of another list.
const maxSearched = 500

// appendMetadataLines keeps rows that are no part of a table.
func (content *Content) appendMetadataLines(key string, rows [][]string) {
	if len(rows) == 0 {
		return
	}
	lines := make([]string, len(rows))
	for index, row := range rows {
		lines[index] = strings.TrimSpace(strings.Join(dropBlankCells(row), ": "))
	}
	if before, ok := content.Metadata[key].([]string); ok {
		lines = append(before, lines...)
	}
	content.Metadata[key] = lines
}

// maxPreamble is the number of lines a bank puts before the table of its export at most.
const maxPreamble = 15
