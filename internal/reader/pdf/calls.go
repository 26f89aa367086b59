package pdf

import (
	"math"

	"toolkit/internal/reader/layout"
)

// textPage asks the engine about the single characters of a page.
type textPage struct {
	*sandbox
	handle uint64
}

func (text textPage) charUnicode(index int) (rune, error) {
	answer, err := text.callInt("FPDFText_GetUnicode", text.handle, uint64(index))
	return rune(answer), err
}

// charUnmapped tells that the file does not say which character a glyph stands for: what
// the engine gives is its number in the font.
func (text textPage) charUnmapped(index int) (bool, error) {
	answer, err := text.callInt("FPDFText_HasUnicodeMapError", text.handle, uint64(index))
	return answer == 1, err
}

func (text textPage) charBox(index int) (box layout.Box, ok bool, err error) {
	answer, err := text.callInt("FPDFText_GetLooseCharBox", text.handle, uint64(index), text.scratch)
	if err != nil || answer == 0 {
		return box, false, err
	}
	return text.box(), true, nil
}

// charOrigin is where a character was placed.
func (text textPage) charOrigin(index int) (x, y float64, ok bool, err error) {
	answer, err := text.callInt("FPDFText_GetCharOrigin", text.handle, uint64(index), text.scratch, text.scratch+8)
	if err != nil || answer == 0 {
		return 0, 0, false, err
	}
	return text.double(0), text.double(1), true, nil
}

// charAngle is the direction of writing in radians.
func (text textPage) charAngle(index int) (float64, error) {
	answer, err := text.call("FPDFText_GetCharAngle", text.handle, uint64(index))
	return float64(math.Float32frombits(uint32(answer))), err
}

// charSize is the font size in page units: a file may set a font of size 1 and scale the
// text. Boxes do not tell it, their height is up to the font.
func (text textPage) charSize(index int) (float64, error) {
	answer, err := text.call("FPDFText_GetFontSize", text.handle, uint64(index))
	if err != nil {
		return 0, err
	}
	size := math.Float64frombits(answer)
	found, err := text.callInt("FPDFText_GetMatrix", text.handle, uint64(index), text.scratch)
	if err != nil || found == 0 {
		return size, err
	}
	return size * math.Hypot(text.float(2), text.float(3)), nil
}
