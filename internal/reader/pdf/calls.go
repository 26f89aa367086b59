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
