// Package layout rebuilds what a reader sees on a page - words, cells, lines, columns -
// from characters with positions, and makes the same model from plain text, so that
// everything above it reads a scan of a table and a typed table alike.
package layout

import "strings"

// Box is a rectangle on the page, y upwards, in points.
type Box struct{ Left, Right, Top, Bottom float64 }

// Run is a piece of text without a space as a page description places it: the boxes of
// its first and last characters, the origin of the first, and the direction of writing
// in degrees. Spaced tells that a space parts it from the run before it.
type Run struct {
	Text             string
	First, Last      Box
	OriginX, OriginY float64
	Turn             float64
	Size             float64 // of the font; 0 = unknown
	Spaced           bool
}

// Word is a run of characters without a space. y runs downwards from here on; Base is
// the baseline and Size the height of the line the word asks for.
type Word struct {
	Text        string
	Left, Right float64
	Base, Size  float64
	Turn        int // quarter turns of the writing: 0, 1 climbing, 2, 3 descending
}

// Cell is a run of words a reader takes as one: a paragraph line, a label, a table cell.
type Cell struct {
	Text        string
	Left, Right float64
	Size        float64
	Words       []Word
}

// Line is what stands on one baseline, left to right.
type Line struct {
	Number int // from 1, over the page
	Base   float64
	Size   float64
	Cells  []Cell
	Aside  bool // written in another direction than the page: stamps, margins
}

// Page is a page of lines, top to bottom.
type Page struct {
	Number int // from 1
	Lines  []Line
	Left   float64
	Right  float64
	Top    float64
	Bottom float64
	Sheet  Sheet // of a page with places
}

// ScanCost returns what a line costs whoever looks through it, in bytes.
func (line Line) ScanCost() int {
	weight := lineWeight
	for _, cell := range line.Cells {
		weight += len(cell.Text)
	}
	return weight
}

// Words are those of all cells.
func (line Line) Words() (words []Word) {
	for _, cell := range line.Cells {
		words = append(words, cell.Words...)
	}
	return words
}

// Text is the line as one string, cells kept apart by two spaces.
func (line Line) Text() string {
	parts := make([]string, len(line.Cells))
	for index, cell := range line.Cells {
		parts[index] = cell.Text
	}
	return strings.Join(parts, "  ")
}

// Text is the page in reading order: columns of prose one after the other, everything
// else line by line.
func (page Page) Text() string {
	var text strings.Builder
	for _, line := range readingOrder(page.Lines) {
		text.WriteString(line.Text())
		text.WriteByte('\n')
	}
	return text.String()
}

// HasText reports whether anything on the page can be read.
func (page Page) HasText() bool {
	for _, line := range page.Lines {
		for _, cell := range line.Cells {
			if strings.Trim(cell.Text, " \ufffd") != "" {
				return true
			}
		}
	}
	return false
}

// updateExtent sets the page's extent from its lines.
func (page *Page) updateExtent() {
	first := true
	for _, line := range page.Lines {
		if line.Aside || len(line.Cells) == 0 {
			continue
		}
		left, right := line.Cells[0].Left, line.Cells[len(line.Cells)-1].Right
		if first {
			page.Left, page.Right, page.Top, page.Bottom = left, right, line.Base-line.Size, line.Base
			first = false
			continue
		}
		page.Left, page.Right = min(page.Left, left), max(page.Right, right)
		page.Top, page.Bottom = min(page.Top, line.Base-line.Size), max(page.Bottom, line.Base)
	}
}
