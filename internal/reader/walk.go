package reader

import (
	"iter"
	"math"

	"toolkit/internal/reader/layout"
)

// every is as many pages or lines as there are.
const every = math.MaxInt

// lines visits the first lines of the first pages, as many of each as are asked for. It ends,
// by panic, when nobody waits for the result.
func (read *labeledPages) lines(pages, lines int) iter.Seq2[place, layout.Line] {
	return func(yield func(place, layout.Line) bool) {
		for pageIndex, page := range read.pages[:min(len(read.pages), pages)] {
			for lineIndex, line := range page.Lines[:min(len(page.Lines), lines)] {
				read.proceed()
				if !yield(place{page: pageIndex, line: lineIndex}, line) {
					return
				}
			}
		}
	}
}

// cells visits the cells of these lines.
func (read *labeledPages) cells(pages, lines int) iter.Seq2[place, layout.Cell] {
	return func(yield func(place, layout.Cell) bool) {
		for at, line := range read.lines(pages, lines) {
			for index, cell := range line.Cells {
				if at.cell = index; !yield(at, cell) {
					return
				}
			}
		}
	}
}

// labelsOfKind visits the labels of a kind.
func (read *labeledPages) labelsOfKind(kind labelKind) iter.Seq[label] {
	return func(yield func(label) bool) {
		for _, found := range read.labels {
			read.proceed()
			if found.hasKind(kind) && !yield(found) {
				return
			}
		}
	}
}

// line is the line that a cell stands in.
func (read *labeledPages) line(at place) layout.Line { return read.pages[at.page].Lines[at.line] }

// inTable tells whether a line is part of a table.
func (read *labeledPages) inTable(at place) bool { return read.blocked[[2]int{at.page, at.line}] }

// isInTableOrStamp tells whether a line is part of a table, or of a stamp.
func (read *labeledPages) isInTableOrStamp(at place) bool {
	return read.line(at).Aside || read.inTable(at)
}

// source is where a cell stands.
func (read *labeledPages) source(at place) Source {
	return Source{Page: read.pages[at.page].Number, Line: read.line(at).Number}
}
