package pdf

import (
	"context"
	"math"
	"slices"
	"unicode"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"

	"toolkit/internal/document/layout"
)

// readPage returns one page's layout and the number of characters read.
func readPage(ctx context.Context, instance pdfium.Pdfium, document references.FPDF_DOCUMENT, forms forms, index, limit int) (layout.Page, int, error) {
	loaded, err := instance.FPDF_LoadPage(&requests.FPDF_LoadPage{Document: document, Index: index})
	if err != nil {
		return layout.Page{}, 0, err
	}
	reference, err := forms.flatten(instance, loaded.Page, index)
	if err != nil {
		return layout.Page{}, 0, err
	}
	page := requests.Page{ByReference: &reference}
	defer func() {
		if ctx.Err() == nil {
			_, _ = instance.FPDF_ClosePage(&requests.FPDF_ClosePage{Page: reference})
		}
	}()
	text, err := instance.FPDFText_LoadPage(&requests.FPDFText_LoadPage{Page: page})
	if err != nil {
		return layout.Page{}, 0, err
	}
	defer func() {
		if ctx.Err() == nil {
			_, _ = instance.FPDFText_ClosePage(&requests.FPDFText_ClosePage{TextPage: text.TextPage})
		}
	}()
	runs, characters, err := readRuns(ctx, instance, text.TextPage, limit)
	if err != nil {
		return layout.Page{}, 0, err
	}
	return layout.Build(index+1, runs), characters, nil
}

// readRuns returns the page's text as runs without a space, and the number of characters
// looked at.
func readRuns(ctx context.Context, instance pdfium.Pdfium, text references.FPDF_TEXTPAGE, limit int) ([]layout.Run, int, error) {
	count, err := instance.FPDFText_CountChars(&requests.FPDFText_CountChars{TextPage: text})
	if err != nil {
		return nil, 0, err
	}
	total := max(count.Count, 0)
	if limit > 0 {
		total = min(total, limit)
	}
	reader := runReader{instance: instance, text: text}
	for index := range total {
		answer, err := instance.FPDFText_GetUnicode(&requests.FPDFText_GetUnicode{TextPage: text, Index: index})
		if err != nil {
			return nil, 0, err
		}
		if !reader.add(rune(answer.Unicode), index) {
			if err := ctx.Err(); err != nil {
				return nil, 0, err
			}
		}
	}
	reader.finish()
	return reader.runs, total, nil
}

// runReader collects characters until a space ends the run.
type runReader struct {
	instance pdfium.Pdfium
	text     references.FPDF_TEXTPAGE
	runs     []layout.Run
	letters  []rune
	indices  []int // of the letters in the page
	spaced   bool
}

// longestRun cuts runs, so that an error in one place does not spread.
const longestRun = 200

// add takes the next character; false when it ended a run.
func (reader *runReader) add(character rune, index int) bool {
	switch {
	case character == 0 || character == 0xFFFE || character == 0xFFFF:
		return true
	case character == 2 || character == 0xAD: // a hyphen at a line's end
		character = '-'
	case unicode.IsSpace(character):
		reader.finish()
		reader.spaced = true
		return false
	}
	reader.letters = append(reader.letters, character)
	reader.indices = append(reader.indices, index)
	if len(reader.letters) == longestRun {
		reader.finish()
	}
	return true
}

// finish places the run collected so far; a run without a place is dropped. The engine
// misses spaces that are only distances, so the run is parted at its gaps.
func (reader *runReader) finish() {
	letters, indices := reader.letters, reader.indices
	reader.letters, reader.indices = reader.letters[:0], reader.indices[:0]
	boxes := make([]layout.Box, 0, len(letters))
	for _, index := range indices {
		box, ok := reader.box(index)
		if !ok {
			return
		}
		boxes = append(boxes, box)
	}
	start := 0
	for _, cut := range append(gaps(boxes), len(letters)) {
		if cut > start {
			reader.place(string(letters[start:cut]), indices[start], boxes[start], boxes[cut-1])
		}
		start = cut
	}
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
func (reader *runReader) place(text string, index int, first, last layout.Box) {
	run := layout.Run{Text: text, Spaced: reader.spaced}
	reader.spaced = false
	origin, err := reader.instance.FPDFText_GetCharOrigin(&requests.FPDFText_GetCharOrigin{TextPage: reader.text, Index: index})
	if err != nil {
		return
	}
	angle, err := reader.instance.FPDFText_GetCharAngle(&requests.FPDFText_GetCharAngle{TextPage: reader.text, Index: index})
	if err != nil {
		return
	}
	run.First, run.Last = first, last
	run.Size = reader.size(index)
	run.OriginX, run.OriginY = origin.X, origin.Y
	run.Turn = math.Mod(float64(angle.CharAngle)*180/math.Pi+360, 360)
	if finite(run) {
		reader.runs = append(reader.runs, run)
	}
}

// size is the font size in page units: a file may set a font of size 1 and scale the
// text. Boxes do not tell it, their height is up to the font.
func (reader *runReader) size(index int) float64 {
	font, err := reader.instance.FPDFText_GetFontSize(&requests.FPDFText_GetFontSize{TextPage: reader.text, Index: index})
	if err != nil {
		return 0
	}
	matrix, err := reader.instance.FPDFText_GetMatrix(&requests.FPDFText_GetMatrix{TextPage: reader.text, Index: index})
	if err != nil {
		return font.FontSize
	}
	return font.FontSize * math.Hypot(float64(matrix.Matrix.C), float64(matrix.Matrix.D))
}

func (reader *runReader) box(index int) (layout.Box, bool) {
	box, err := reader.instance.FPDFText_GetLooseCharBox(&requests.FPDFText_GetLooseCharBox{TextPage: reader.text, Index: index})
	if err != nil {
		return layout.Box{}, false
	}
	return layout.Box{
		Left: float64(box.Rect.Left), Right: float64(box.Rect.Right),
		Top: float64(box.Rect.Top), Bottom: float64(box.Rect.Bottom),
	}, true
}

func finite(run layout.Run) bool {
	sum := run.OriginX + run.OriginY + run.Turn + run.Size
	for _, box := range []layout.Box{run.First, run.Last} {
		sum += math.Abs(box.Left) + math.Abs(box.Right) + math.Abs(box.Top) + math.Abs(box.Bottom)
	}
	return !math.IsNaN(sum) && math.Abs(sum) < 1e7
}
