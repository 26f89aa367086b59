package layout

import (
	"strings"
	"unicode/utf8"
)

// Typed text has no coordinates: every character is given the same width, a line the
// height at which one space parts words and two part cells.
const (
	charWidth  = 5.0
	lineHeight = 10.0
	lineStep   = 12.0
	tabStop    = 8
	// longestLine bounds what one line of typed text contributes; the rest is kept in the
	// document's text but makes no cells.
	longestLine = 4000
)

// FromText makes pages of typed text; form feeds part pages, and two spaces, tabs or bars
// part the cells of a line.
func FromText(text string) []Page {
	var pages []Page
	for number, part := range strings.Split(text, "\f") {
		composer := Composer{}
		for line := range strings.Lines(part) {
			composer.addTypedLine(strings.TrimRight(line, "\r\n"))
		}
		pages = append(pages, composer.FinishPage(number+1))
	}
	return pages
}

// Composer builds a page of lines and rows of cells, top to bottom. What comes when it is
// full is let go: labelled values stand at the front of a document, and a layout takes many
// times the memory of its text.
type Composer struct {
	lines []Line
	base  float64
	count int
	taken int // weight of the lines
}

// Capacity is the weight of the lines that are made of typed text, or searched for labels.
const Capacity = 1 << 20

// lineWeight is what a line costs besides its text, in bytes.
const lineWeight = 32

// Full tells that nothing more is taken.
func (composer *Composer) Full() bool { return composer.taken >= Capacity }

// addTypedLine adds a line of typed text with its columns as they stand.
func (composer *Composer) addTypedLine(text string) {
	if composer.Full() {
		return
	}
	composer.taken += len(text) + lineWeight
	composer.base += lineStep
	composer.count++
	if len(text) > longestLine {
		text = strings.ToValidUTF8(text[:longestLine], "")
	}
	var words []Word
	column, start := 0, 0
	var word strings.Builder
	flush := func() {
		if word.Len() > 0 {
			words = append(words, Word{Text: word.String(), Left: float64(start) * charWidth, Right: float64(column) * charWidth, Base: composer.base, Size: lineHeight})
		}
		word.Reset()
	}
	barred := strings.Count(text, "|") >= 2
	for _, character := range text {
		switch {
		case character == '\t':
			flush()
			// A tab always parts cells, however short the way to its stop.
			column = (column/tabStop+1)*tabStop + 2
		case character == ' ' || character == '\u00a0' || (character == '|' && barred):
			flush()
			column++
		default:
			if word.Len() == 0 {
				start = column
			}
			word.WriteString(cleanText(string(character)))
			column++
		}
	}
	flush()
	composer.addLineOfWords(words)
}

func (composer *Composer) addLineOfWords(words []Word) {
	if len(words) == 0 {
		return
	}
	composer.lines = append(composer.lines, Line{Number: composer.count, Base: composer.base, Size: lineHeight, Cells: cellsOf(words)})
}

// AddTypedText adds text with its columns as they stand, each line a line.
func (composer *Composer) AddTypedText(text string) {
	for line := range strings.Lines(text) {
		composer.addTypedLine(strings.TrimRight(line, "\r\n"))
	}
}

// AddParagraph adds a line of text that is one cell; line breaks in it part lines.
func (composer *Composer) AddParagraph(text string) {
	for line := range strings.Lines(text) {
		composer.addTypedLine(strings.Join(strings.Fields(line), " "))
	}
}

// AddEmptyLine adds an empty line.
func (composer *Composer) AddEmptyLine() { composer.base += lineStep }

// AddTable adds a table: columns are aligned, lines within a cell stand below each other. It returns the
// line in which each row begins.
func (composer *Composer) AddTable(rows [][]string) (lines []int) {
	lefts := columnPlaces(rows)
	for _, row := range rows {
		lines = append(lines, composer.count+1)
		var open []column // those that have a line left
		for index, cell := range row {
			if composer.Full() {
				break
			}
			composer.taken += len(cell)
			if cell = strings.TrimSpace(cell); cell != "" {
				open = append(open, column{lefts[index], cell})
			}
		}
		for first := true; (first || len(open) > 0) && !composer.Full(); first = false {
			composer.base += lineStep
			composer.count++
			composer.taken += lineWeight
			composer.addLineOfWords(takeLineOfColumns(&open, composer.base))
		}
	}
	return lines
}

// column is what is left of a cell, line by line, and where it stands.
type column struct {
	left float64
	rest string
}

// takeLineOfColumns takes a line of every column, and drops the columns that end with it.
func takeLineOfColumns(open *[]column, base float64) (words []Word) {
	further := (*open)[:0]
	for _, next := range *open {
		line, rest, more := strings.Cut(next.rest, "\n")
		words = append(words, wordsAt(line, next.left, base)...)
		if more {
			further = append(further, column{next.left, rest})
		}
	}
	*open = further
	return words
}

// columnPlaces is where each column of a table begins.
func columnPlaces(rows [][]string) []float64 {
	widths := columnWidths(rows)
	left := 0.0
	for index, width := range widths {
		widths[index] = left
		left += width + 3*charWidth
	}
	return widths
}

func columnWidths(rows [][]string) []float64 {
	var widths []float64
	for _, row := range rows {
		for column, cell := range row {
			if column == len(widths) {
				widths = append(widths, 0)
			}
			for part := range strings.Lines(cell) {
				widths[column] = max(widths[column], float64(min(utf8.RuneCountInString(part), longestLine))*charWidth)
			}
		}
	}
	return widths
}

func wordsAt(text string, left, base float64) []Word {
	var words []Word
	for _, field := range strings.Fields(strings.ToValidUTF8(text[:min(len(text), longestLine)], "")) {
		width := float64(utf8.RuneCountInString(field)) * charWidth
		words = append(words, Word{Text: cleanText(field), Left: left, Right: left + width, Base: base, Size: lineHeight})
		left += width + charWidth
	}
	return words
}

// FinishPage closes the page.
func (composer *Composer) FinishPage(number int) Page {
	page := Page{Number: number, Lines: composer.lines}
	page.updateExtent()
	return page
}
