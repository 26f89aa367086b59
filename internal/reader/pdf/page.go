package pdf

import (
	"errors"
	"math"
	"slices"
	"unicode"

	"toolkit/internal/reader/layout"
)

// amount is how many characters of a page were looked at, and how many of them could not
// be read, because their fonts do not say which characters they are.
type amount struct{ characters, unread int }

var errPage = errors.New("the page cannot be loaded")

func (opened file) loadPage(index int) (uint64, error) {
	page, ok, err := opened.callHandle("FPDF_LoadPage", opened.document, uint64(index))
	if err == nil && !ok {
		err = errPage
	}
	return page, err
}

// readPage returns one page's layout and how much of it was read.
func (opened file) readPage(index, limit int) (layout.Page, amount, error) {
	page, err := opened.loadPage(index)
	if err != nil {
		return layout.Page{}, amount{}, err
	}
	if page, err = opened.flatten(page, index); err != nil {
		return layout.Page{}, amount{}, err
	}
	defer opened.call("FPDF_ClosePage", page)
	handle, ok, err := opened.callHandle("FPDFText_LoadPage", page)
	if err == nil && !ok {
		err = errPage
	}
	if err != nil {
		return layout.Page{}, amount{}, err
	}
	defer opened.call("FPDFText_ClosePage", handle)
	runs, read, err := readRuns(textPage{opened.sandbox, handle}, limit)
	if err != nil {
		return layout.Page{}, amount{}, err
	}
	built := layout.Build(index+1, runs)
	built.Sheet = opened.sheet(page)
	return built, read, nil
}

// sheet is the part of a page that is shown; the zero Sheet when that is not known.
func (opened file) sheet(page uint64) layout.Sheet {
	ok, err := opened.callInt("FPDF_GetPageBoundingBox", page, opened.scratch)
	if err != nil || ok == 0 {
		return layout.Sheet{}
	}
	bounds := opened.box()
	turn, err := opened.callInt("FPDFPage_GetRotation", page)
	box := layout.Box{
		Left: min(bounds.Left, bounds.Right), Right: max(bounds.Left, bounds.Right),
		Top: max(bounds.Top, bounds.Bottom), Bottom: min(bounds.Top, bounds.Bottom),
	}
	if err != nil || !finite(layout.Run{First: box}) {
		return layout.Sheet{}
	}
	return layout.Sheet{Box: box, Turn: turn & 3}
}

// readRuns returns the page's text as runs without a space, and how much was read.
func readRuns(text textPage, limit int) ([]layout.Run, amount, error) {
	count, err := text.callInt("FPDFText_CountChars", text.handle)
	if err != nil {
		return nil, amount{}, err
	}
	total := min(max(count, 0), limit)
	reader := runReader{textPage: text}
	for index := range total {
		if err := reader.next(index); err != nil {
			return nil, amount{}, err
		}
	}
	err = reader.finish()
	return reader.runs, amount{total, reader.unread}, err
}

// runReader collects characters until a space ends the run.
type runReader struct {
	textPage
	runs    []layout.Run
	letters []rune
	indices []int // of the letters in the page
	spaced  bool
	unread  int // characters of which nobody says what they are
}

// longestRun cuts runs, so that an error in one place does not spread.
const longestRun = 200

// next takes a character.
func (reader *runReader) next(index int) error {
	character, err := reader.charUnicode(index)
	switch {
	case err != nil || character == 0 || character == 0xFFFE || character == 0xFFFF:
		return err
	case character == 2 || character == 0xAD: // a hyphen at a line's end
		character = '-'
	case unicode.IsSpace(character):
		err := reader.finish()
		reader.spaced = true
		return err
	}
	unmapped, err := reader.charUnmapped(index)
	if err != nil {
		return err
	}
	if unmapped || character == unicode.ReplacementChar {
		character = unicode.ReplacementChar
		reader.unread++
	}
	reader.letters = append(reader.letters, character)
	reader.indices = append(reader.indices, index)
	if len(reader.letters) == longestRun {
		return reader.finish()
	}
	return nil
}

// finish places the run collected so far; a run without a place is dropped. The engine
// misses spaces that are only distances, so the run is parted at its gaps.
func (reader *runReader) finish() error {
	letters, indices := reader.letters, reader.indices
	reader.letters, reader.indices = reader.letters[:0], reader.indices[:0]
	reader.unread += unreadPrivate(letters)
	boxes := make([]layout.Box, 0, len(letters))
	for _, index := range indices {
		box, ok, err := reader.charBox(index)
		if err != nil || !ok {
			return err
		}
		boxes = append(boxes, box)
	}
	start := 0
	for _, cut := range append(gaps(boxes), len(letters)) {
		if cut > start {
			if err := reader.place(string(letters[start:cut]), indices[start], boxes[start], boxes[cut-1]); err != nil {
				return err
			}
		}
		start = cut
	}
	return nil
}

// unreadPrivate marks the characters of a word that Unicode leaves to each font, and counts
// them: maps that name these say nothing. One in a word is a bullet or another sign.
func unreadPrivate(letters []rune) (count int) {
	for _, letter := range letters {
		if unicode.Is(unicode.Co, letter) {
			count++
		}
	}
	if count < 2 {
		return 0
	}
	for index, letter := range letters {
		if unicode.Is(unicode.Co, letter) {
			letters[index] = unicode.ReplacementChar
		}
	}
	return count
}

// gaps returns the positions of the letters that stand clearly apart from the one before:
// wider than the run's usual distance by a good part of a letter's height.
func gaps(boxes []layout.Box) (cuts []int) {
	if len(boxes) < 2 {
		return nil
	}
	distances := make([]float64, 0, len(boxes)-1)
	for index := 1; index < len(boxes); index++ {
		distances = append(distances, boxes[index].Left-boxes[index-1].Right)
	}
	usual := slices.Sorted(slices.Values(distances))[(len(distances)-1)/2]
	if len(distances) == 1 {
		usual = 0
	}
	for index, distance := range distances {
		height := boxes[index].Top - boxes[index].Bottom
		if distance > max(usual, 0)+0.17*height {
			cuts = append(cuts, index+1)
		}
	}
	return cuts
}

// place adds a run whose first letter has the index.
func (reader *runReader) place(text string, index int, first, last layout.Box) error {
	run := layout.Run{Text: text, Spaced: reader.spaced, First: first, Last: last}
	reader.spaced = false
	x, y, ok, err := reader.charOrigin(index)
	if err != nil || !ok {
		return err
	}
	angle, err := reader.charAngle(index)
	if err != nil {
		return err
	}
	known := angle != -1
	if run.Size, err = reader.charSize(index); err != nil {
		return err
	}
	if run.Size < 0 { // writes from the other side: such files turn the page or the line as well
		run.Size, angle = -run.Size, angle+math.Pi
	}
	run.OriginX, run.OriginY = x, y
	run.Turn = math.Mod(angle*180/math.Pi+360, 360)
	if known && finite(run) {
		reader.runs = append(reader.runs, run)
	}
	return nil
}

func finite(run layout.Run) bool {
	sum := run.OriginX + run.OriginY + run.Turn + run.Size
	for _, box := range []layout.Box{run.First, run.Last} {
		sum += math.Abs(box.Left) + math.Abs(box.Right) + math.Abs(box.Top) + math.Abs(box.Bottom)
	}
	return !math.IsNaN(sum) && math.Abs(sum) < 1e7
}
