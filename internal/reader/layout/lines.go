package layout

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// linesOf groups words into lines by baseline, and each line into cells by its gaps.
func linesOf(words []Word) []Line {
	slices.SortStableFunc(words, func(a, b Word) int {
		return cmp.Or(cmp.Compare(a.Base, b.Base), cmp.Compare(a.Left, b.Left))
	})
	var lines []Line
	var rows [][]Word // of the lines
	for _, word := range words {
		at := -1
		// A word joins the nearest earlier line whose baseline it shares, unless it would
		// lie on top of that line's words: then it is a line of its own.
		for index := len(lines) - 1; index >= 0 && index >= len(lines)-4; index-- {
			line := lines[index]
			if word.Base-line.Base <= sameLine*min(word.Size, line.Size) && !isCovered(rows[index], word) {
				at = index
				break
			}
		}
		if at < 0 {
			lines, rows = append(lines, Line{Base: word.Base, Size: word.Size}), append(rows, nil)
			at = len(lines) - 1
		}
		rows[at] = append(rows[at], word)
		lines[at].Size = max(lines[at].Size, word.Size)
	}
	for index := range lines {
		lines[index].Cells = cellsOf(rows[index])
	}
	return lines
}

// maxLineWords bounds a line: no page has more side by side, and each new one is compared
// with those before it.
const maxLineWords = 300

func isCovered(row []Word, word Word) bool {
	if len(row) >= maxLineWords {
		return true
	}
	for _, other := range row {
		overlap := min(other.Right, word.Right) - max(other.Left, word.Left)
		if overlap > 0.5*min(other.Right-other.Left, word.Right-word.Left) && overlap > 1 {
			return true
		}
	}
	return false
}

// cellsOf merges the words of a line into cells.
func cellsOf(words []Word) []Cell {
	slices.SortStableFunc(words, func(a, b Word) int { return cmp.Compare(a.Left, b.Left) })
	if closed := joinLetterSpacedWords(words, 4); len(closed) < len(words) {
		words = joinLetterSpacedWords(closed, 2) // a line that is letter-spaced is so in its short words too
	}
	var cells []Cell
	for _, word := range words {
		last := len(cells) - 1
		if last >= 0 && word.Left-cells[last].Right <= cellGap*max(word.Size, 1) {
			cells[last].Words = append(cells[last].Words, word)
			cells[last].Right = max(cells[last].Right, word.Right)
			continue
		}
		cells = append(cells, Cell{Left: word.Left, Right: word.Right, Words: []Word{word}})
	}
	for index := range cells {
		cells[index].updateFromWords()
	}
	return cells
}

// updateFromWords derives text and size from the words.
func (cell *Cell) updateFromWords() {
	texts := make([]string, len(cell.Words))
	for index, word := range cell.Words {
		texts[index] = word.Text
		cell.Size = max(cell.Size, word.Size)
	}
	cell.Text = strings.Join(texts, " ")
}

// joinLetterSpacedWords closes up letter-spaced words ("I N V O I C E", "i n v o i c e  d at e"): at
// least so many pieces in a row, nearly all of them single letters, set at one distance. A gap
// clearly wider than that distance parts words.
func joinLetterSpacedWords(words []Word, least int) []Word {
	var joined []Word
	for start := 0; start < len(words); {
		end := start
		for end < len(words) && end-start < longestSpaced && utf8.RuneCountInString(words[end].Text) <= longestPiece &&
			(end == start || words[end].Left-words[end-1].Right < 0.95*words[end].Size) {
			end++
		}
		if !isLetterSpaced(words[start:end], least) {
			joined = append(joined, words[start])
			start++
			continue
		}
		joined = append(joined, joinLettersIntoWords(words[start:end])...)
		start = end
	}
	return joined
}

// longestSpaced is the number of pieces looked at together.
const longestSpaced = 200

// longestPiece is the number of letters that stay together in letter-spaced text: ligatures
// and pairs that kerning keeps close.
const longestPiece = 4

func isLetterSpaced(words []Word, least int) bool {
	single := 0
	for _, word := range words {
		if !isLetters(word.Text) {
			return false
		}
		if utf8.RuneCountInString(word.Text) == 1 {
			single++
		}
	}
	return len(words) >= least && single*5 >= len(words)*3 && single >= least-1
}

// joinLettersIntoWords joins pieces at the usual distance of the run to words.
func joinLettersIntoWords(pieces []Word) []Word {
	gaps := make([]float64, 0, len(pieces))
	for index := 1; index < len(pieces); index++ {
		gaps = append(gaps, pieces[index].Left-pieces[index-1].Right)
	}
	slices.Sort(gaps)
	usual := gaps[len(gaps)/2]
	words := []Word{pieces[0]}
	for index, next := range pieces[1:] {
		last := &words[len(words)-1]
		if next.Left-pieces[index].Right > 1.4*max(usual, 0)+0.1*next.Size {
			words = append(words, next)
			continue
		}
		last.Text += next.Text
		last.Right = next.Right
	}
	return words
}

func isLetters(text string) bool {
	for _, character := range text {
		if !unicode.IsLetter(character) {
			return false
		}
	}
	return text != ""
}

// Split cuts a cell before the words at the given positions (ascending, inside it).
func (cell Cell) Split(positions ...int) []Cell {
	var parts []Cell
	start := 0
	for _, position := range append(positions, len(cell.Words)) {
		if position <= start {
			continue
		}
		words := cell.Words[start:position]
		part := Cell{Words: words, Left: words[0].Left, Right: words[len(words)-1].Right}
		part.updateFromWords()
		parts = append(parts, part)
		start = position
	}
	return parts
}

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
