package document

import (
	"context"
	"encoding/csv"
	"errors"
	"io"
	"strings"

	"toolkit/internal/document/layout"
)

// layoutText bounds the text that is given a layout: labelled values stand at the front
// of a document, and a layout takes many times the memory of its text.
const layoutText = 1 << 20

func typedPages(text string) []layout.Page {
	if len(text) > layoutText {
		text = strings.ToValidUTF8(text[:layoutText], "")
	}
	return layout.FromText(text)
}

// readDelimited reads CSV and its kin: the delimiter is found by trial, a preamble before
// the table is kept as metadata, no column is lost.
func readDelimited(ctx context.Context, data []byte, limits Limits, content *Content) error {
	text, encoding := decodeText(data)
	content.note("encoding", encoding)
	text = strings.TrimPrefix(text, "\ufeff")
	delimiter, body := sniffDelimiter(text, content.Type)
	content.note("delimiter", string(delimiter))
	rows, total, err := parseDelimited(ctx, body, delimiter, limits.MaxRows+maxPreamble+1)
	if errors.Is(err, errUnclosedQuote) {
		content.Warnings = append(content.Warnings, "a quotation mark is never closed; quotation marks were read as text")
		rows, total = splitPlain(body, delimiter, limits.MaxRows+maxPreamble+1)
	} else if err != nil {
		return err
	}
	preamble := preambleLength(rows)
	if preamble > 0 {
		lines := make([]string, preamble)
		for index, row := range rows[:preamble] {
			lines[index] = strings.TrimSpace(strings.Join(nonBlank(row), ": "))
		}
		content.Metadata["preamble"] = lines
		rows, total = rows[preamble:], total-preamble
	}
	table := tableOf(content.title(), rows, total, limits)
	content.addTable(table, limits)
	content.Metadata["rows"] = table.Total
	content.Metadata["columns"] = table.width()
	content.setText(text, limits)
	composer := layout.Composer{}
	composer.Rows(append([][]string{table.Header}, table.Rows[:min(len(table.Rows), 200)]...))
	content.Pages = []layout.Page{composer.Page(1)}
	return nil
}

func trimmed(row []string) []string {
	cells := make([]string, len(row))
	for index, cell := range row {
		cells[index] = strings.TrimSpace(cell)
	}
	return cells
}

func nonBlank(row []string) []string {
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
		rows, _, err := parseDelimited(context.Background(), sample, candidate, 60)
		if err != nil {
			rows, _ = splitPlain(sample, candidate, 60)
		}
		if score := consistency(rows); score > bestScore || (score == bestScore && score > 0 && candidate == '\t' && kind == TSV) {
			best, bestScore = candidate, score
		}
	}
	return best, text
}

// consistency is the number of rows that have the commonest number of fields (at least
// two), weighted by that number a little, so that a comma inside texts does not win.
func consistency(rows [][]string) int {
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

var errUnclosedQuote = errors.New("unclosed quotation mark")

// longestField is what one quoted field holds at most; more means a quote was not closed.
const longestField = 256 << 10

// parseDelimited keeps up to limit rows and counts all.
func parseDelimited(ctx context.Context, text string, delimiter rune, limit int) (rows [][]string, total int, err error) {
	source := csv.NewReader(strings.NewReader(text))
	source.Comma, source.LazyQuotes, source.FieldsPerRecord = delimiter, true, -1
	for {
		row, err := source.Read()
		if errors.Is(err, io.EOF) {
			return rows, total, nil
		}
		if err != nil {
			return nil, 0, err
		}
		if total%1024 == 0 && ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
		if len(nonBlank(row)) == 0 {
			continue
		}
		for _, field := range row {
			if len(field) > longestField {
				return nil, 0, errUnclosedQuote
			}
		}
		if total++; total <= limit {
			rows = append(rows, row)
		}
	}
}

func splitPlain(text string, delimiter rune, limit int) (rows [][]string, total int) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if strings.TrimSpace(line) == "" {
			continue
		}
		if total++; total <= limit {
			rows = append(rows, strings.Split(line, string(delimiter)))
		}
	}
	return rows, total
}

// maxPreamble is the number of lines a bank puts before the table of its export at most.
const maxPreamble = 15

// preambleLength counts leading rows that are no part of the table: of at most two filled
// fields where the table has four or more.
func preambleLength(rows [][]string) int {
	counts := map[int]int{}
	for _, row := range rows {
		counts[len(nonBlank(row))]++
	}
	width, most := 0, 0
	for fields, count := range counts {
		if count > most || (count == most && fields > width) {
			width, most = fields, count
		}
	}
	if width < 4 {
		return 0
	}
	for index, row := range rows[:min(len(rows), maxPreamble+1)] {
		if len(nonBlank(row)) > 2 {
			return index
		}
	}
	return 0
}
