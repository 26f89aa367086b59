package pdf

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"unicode"

	"toolkit/internal/reader/layout"
)

// textCount is how many characters of a page were looked at, and how many of them could not
// be read, because their fonts do not say which characters they are.
type textCount struct{ characters, unread int }

var errPage = errors.New("the page cannot be loaded")

// loadPage returns the handle of a page, 0 when it cannot be loaded.
func (opened file) loadPage(index int) uint64 {
	return opened.callHandle("FPDF_LoadPage", opened.document, uint64(index))
}

// readPage returns one page's layout and how much of it was read.
func (opened file) readPage(index, limit int) (layout.Page, textCount, error) {
	page := opened.flattenAndReloadPage(opened.loadPage(index), index)
	defer opened.call("FPDF_ClosePage", page)
	handle := opened.callHandle("FPDFText_LoadPage", page)
	defer opened.call("FPDFText_ClosePage", handle)
	runs, read := readRuns(textPage{opened.sandbox, handle}, limit)
	sheet := opened.readSheet(page)
	if err := opened.takeError(); err != nil || handle == 0 {
		return layout.Page{}, textCount{}, cmp.Or(err, errPage)
	}
	built := layout.Build(index+1, runs)
	built.Sheet = sheet
	return built, read, nil
}

// readSheet is the part of a page that is shown; the zero Sheet when that is not known.
func (opened file) readSheet(page uint64) layout.Sheet {
	if opened.callInt("FPDF_GetPageBoundingBox", page, opened.scratch) == 0 {
		return layout.Sheet{}
	}
	bounds := opened.readScratchBox()
	turn := opened.callInt("FPDFPage_GetRotation", page)
	box := layout.Box{
		Left: min(bounds.Left, bounds.Right), Right: max(bounds.Left, bounds.Right),
		Top: max(bounds.Top, bounds.Bottom), Bottom: min(bounds.Top, bounds.Bottom),
	}
	if !isFinite(layout.Run{First: box}) {
		return layout.Sheet{}
	}
	return layout.Sheet{Box: box, Turn: turn & 3}
}

// readRuns returns the page's text as runs without a space, and how much was read.
func readRuns(text textPage, limit int) ([]layout.Run, textCount) {
	total := min(max(text.callInt("FPDFText_CountChars", text.handle), 0), limit)
	reader := runReader{textPage: text}
	for index := 0; index < total && text.err == nil; index++ {
		reader.addCharacter(index)
	}
	reader.finishRun()
	return reader.runs, textCount{total, reader.unread}
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

// addCharacter takes a character.
func (reader *runReader) addCharacter(index int) {
	character := reader.charUnicode(index)
	switch {
	case character == 0 || character == 0xFFFE || character == 0xFFFF:
		return
	case character == 2 || character == 0xAD: // a hyphen at a line's end
		character = '-'
	case unicode.IsSpace(character):
		reader.finishRun()
		reader.spaced = true
		return
	}
	if reader.charUnmapped(index) || character == unicode.ReplacementChar {
		character = unicode.ReplacementChar
		reader.unread++
	}
	reader.letters = append(reader.letters, character)
	reader.indices = append(reader.indices, index)
	if len(reader.letters) == longestRun {
		reader.finishRun()
	}
}

// finishRun places the run collected so far; a run without a place is dropped. The engine
// misses spaces that are only distances, so the run is parted at its gaps.
func (reader *runReader) finishRun() {
	letters, indices := reader.letters, reader.indices
	reader.letters, reader.indices = reader.letters[:0], reader.indices[:0]
	reader.unread += replacePrivateUseLetters(letters)
	boxes := make([]layout.Box, 0, len(letters))
	for _, index := range indices {
		box, ok := reader.charBox(index)
		if !ok {
			return
		}
		boxes = append(boxes, box)
	}
	start := 0
	for _, cut := range append(findLetterGaps(boxes), len(letters)) {
		if cut > start {
			reader.addRun(string(letters[start:cut]), indices[start], boxes[start], boxes[cut-1])
		}
		start = cut
	}
}

// replacePrivateUseLetters marks the characters of a word that Unicode leaves to each font, and counts
// them: maps that name these say nothing. One in a word is a bullet or another sign.
func replacePrivateUseLetters(letters []rune) (count int) {
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

// findLetterGaps returns the positions of the letters that stand clearly apart from the one before:
// wider than the run's usual distance by a good part of a letter's height.
func findLetterGaps(boxes []layout.Box) (cuts []int) {
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

// addRun adds a run whose first letter has the index.
func (reader *runReader) addRun(text string, index int, first, last layout.Box) {
	run := layout.Run{Text: text, Spaced: reader.spaced, First: first, Last: last, Size: reader.charSize(index)}
	reader.spaced = false
	x, y, ok := reader.charOrigin(index)
	angle := reader.charAngle(index)
	known := ok && angle != -1
	if run.Size < 0 { // writes from the other side: such files turn the page or the line as well
		run.Size, angle = -run.Size, angle+math.Pi
	}
	run.OriginX, run.OriginY = x, y
	run.Turn = math.Mod(angle*180/math.Pi+360, 360)
	if known && isFinite(run) {
		reader.runs = append(reader.runs, run)
	}
}

func isFinite(run layout.Run) bool {
	sum := run.OriginX + run.OriginY + run.Turn + run.Size
	for _, box := range []layout.Box{run.First, run.Last} {
		sum += math.Abs(box.Left) + math.Abs(box.Right) + math.Abs(box.Top) + math.Abs(box.Bottom)
	}
	return !math.IsNaN(sum) && math.Abs(sum) < 1e7
}

// textPage asks the engine about the single characters of a page.
type textPage struct {
	*sandbox
	handle uint64
}

func (text textPage) charUnicode(index int) rune {
	return rune(text.callInt("FPDFText_GetUnicode", text.handle, uint64(index)))
}

// charUnmapped tells that the file does not say which character a glyph stands for: what
// the engine gives is its number in the font.
func (text textPage) charUnmapped(index int) bool {
	return text.callInt("FPDFText_HasUnicodeMapError", text.handle, uint64(index)) == 1
}

func (text textPage) charBox(index int) (box layout.Box, ok bool) {
	ok = text.callInt("FPDFText_GetLooseCharBox", text.handle, uint64(index), text.scratch) != 0
	return text.readScratchBox(), ok
}

// charOrigin is where a character was placed.
func (text textPage) charOrigin(index int) (x, y float64, ok bool) {
	ok = text.callInt("FPDFText_GetCharOrigin", text.handle, uint64(index), text.scratch, text.scratch+8) != 0
	return text.readScratchDouble(0), text.readScratchDouble(1), ok
}

// charAngle is the direction of writing in radians.
func (text textPage) charAngle(index int) float64 {
	return float64(math.Float32frombits(uint32(text.call("FPDFText_GetCharAngle", text.handle, uint64(index)))))
}

// charSize is the font size in page units: a file may set a font of size 1 and scale the
// text. Boxes do not tell it, their height is up to the font.
func (text textPage) charSize(index int) float64 {
	size := math.Float64frombits(text.call("FPDFText_GetFontSize", text.handle, uint64(index)))
	if text.callInt("FPDFText_GetMatrix", text.handle, uint64(index), text.scratch) == 0 {
		return size
	}
	return size * math.Hypot(text.readScratchFloat(2), text.readScratchFloat(3))
}
