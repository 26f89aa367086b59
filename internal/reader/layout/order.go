package layout

import (
	"slices"
	"unicode/utf8"
)

// Prose set in columns is recognised by a gutter: a vertical strip free of text beside
// long lines over many lines. Tables and forms have short cells and stay as lines.
const (
	columnLines  = 6  // lines a block of columns has at least
	columnLength = 22 // average characters a line of prose has at least, on either side
	longestBlock = 500
)

// readingOrder puts blocks of two-column prose into the order of reading.
func readingOrder(lines []Line) []Line {
	ordered := make([]Line, 0, len(lines))
	for start := 0; start < len(lines); {
		end, gutter := findTwoColumnBlock(lines, start)
		if end == start {
			ordered = append(ordered, lines[start])
			start++
			continue
		}
		left, right := splitLinesAtGutter(lines[start:end], gutter)
		ordered = append(append(ordered, left...), right...)
		start = end
	}
	return ordered
}

// findTwoColumnBlock finds the lines from start on that share a gutter; end == start when they
// are not prose in columns.
func findTwoColumnBlock(lines []Line, start int) (end int, gutter float64) {
	if len(lines[start].Cells) != 2 || lines[start].Aside {
		return start, 0
	}
	low, high := lines[start].Cells[0].Right, lines[start].Cells[1].Left
	end = start
	both, leftLength, rightLength, leftLines, rightLines := 0, 0, 0, 0, 0
	for end < len(lines) && end-start < longestBlock && !lines[end].Aside && len(lines[end].Cells) <= 2 {
		line := lines[end]
		first := line.Cells[0]
		newLow, newHigh := low, high
		switch {
		case len(line.Cells) == 2:
			newLow, newHigh = max(low, first.Right), min(high, line.Cells[1].Left)
		case first.Right <= high && first.Left < low:
			newLow = max(low, first.Right)
		case first.Left >= low:
			newHigh = min(high, first.Left)
		default:
			newHigh = newLow // runs across: the block ends here
		}
		if newHigh-newLow < 4 {
			break
		}
		low, high = newLow, newHigh
		for _, cell := range line.Cells {
			if cell.Left < low {
				leftLength += utf8.RuneCountInString(cell.Text)
				leftLines++
			} else {
				rightLength += utf8.RuneCountInString(cell.Text)
				rightLines++
			}
		}
		if len(line.Cells) == 2 {
			both++
		}
		end++
	}
	if both < columnLines || leftLength < columnLength*leftLines || rightLength < columnLength*rightLines {
		return start, 0
	}
	return end, (low + high) / 2
}

// splitLinesAtGutter returns what lines have on either side of a gutter.
func splitLinesAtGutter(lines []Line, gutter float64) (left, right []Line) {
	side := func(leftmost bool) (part []Line) {
		for _, line := range lines {
			line.Cells = slices.DeleteFunc(slices.Clone(line.Cells), func(cell Cell) bool { return (cell.Left < gutter) != leftmost })
			if len(line.Cells) > 0 {
				part = append(part, line)
			}
		}
		return part
	}
	return side(true), side(false)
}
