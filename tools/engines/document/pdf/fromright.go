package pdf

import (
	"math"
	"unicode"

	"toolkit/tools/engines/document/layout"
)

// lineStart is where the engine began a line. A line in which a letter from the right turns
// up is read once more, letter by letter: the engine reverses what it takes for text from the
// right, whether the file had it in the order of reading or of drawing, and where the letters
// stand tells more than their order.
type lineStart struct {
	index, runs, unread int
	lettered            bool
}

// again reads a line anew up to a character, letter by letter.
func (reader *runReader) again(index int) error {
	reader.letters, reader.indices = reader.letters[:0], reader.indices[:0]
	reader.runs, reader.unread = reader.runs[:reader.line.runs], reader.line.unread
	reader.line.lettered = true
	for before := reader.line.index; before <= index; before++ {
		if err := reader.next(before); err != nil {
			return err
		}
	}
	return nil
}

// glyphs returns where letters part into what is drawn as one: a letter from the right with
// its marks, letters that share a place, and whatever else follows from left to right.
func glyphs(letters []rune, boxes []layout.Box) (cuts []int) {
	for index := 1; index < len(boxes); index++ {
		before, next := boxes[index-1], boxes[index]
		switch {
		case before == next || halves(letters[index-1], letters[index], before, next):
		case layout.RightToLeft(letters[index-1]) || layout.RightToLeft(letters[index]) || unicode.Is(unicode.Mn, letters[index]),
			next.Left < before.Left, next.Left-before.Right > 0.17*(next.Top-next.Bottom):
			cuts = append(cuts, index)
		}
	}
	return cuts
}

// halves tells a letter and its mark among which the engine parted the place of one glyph.
func halves(a, b rune, before, next layout.Box) bool {
	if !unicode.Is(unicode.Mn, a) && !unicode.Is(unicode.Mn, b) {
		return false
	}
	width := before.Right - before.Left
	touch := min(math.Abs(before.Left-next.Right), math.Abs(before.Right-next.Left))
	return touch < 0.05*width && math.Abs(next.Right-next.Left-width) < 0.05*width
}
