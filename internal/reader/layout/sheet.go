package layout

import "math"

// Sheet is the part of a page that is shown, in the coordinates of its description, and
// the quarter turns clockwise by which it is shown. The zero Sheet: a page without places.
type Sheet struct {
	Box
	Turn int
}

// Place is a rectangle on a page as it is shown, in points from its top left corner.
type Place struct {
	Left   float64 `json:"left"`
	Top    float64 `json:"top"`
	Right  float64 `json:"right"`
	Bottom float64 `json:"bottom"`
}

// Letters reach about so far above and below their baseline, in parts of a word's size.
const (
	ascent  = 0.7
	descent = 0.2
)

// Size is the width and height of the page as it is shown; 0, 0 when it has no places.
func (sheet Sheet) Size() (width, height float64) {
	width, height = sheet.Right-sheet.Left, sheet.Top-sheet.Bottom
	if sheet.Turn%2 == 1 {
		width, height = height, width
	}
	return width, height
}

// PlaceOfWords is where words stand, and false when the page has no places or the words none.
func (page Page) PlaceOfWords(words []Word) (place Place, ok bool) {
	if page.Sheet.Box == (Box{}) {
		return place, false
	}
	for _, word := range words {
		if word.Right <= word.Left {
			continue
		}
		next := page.Sheet.toShownPlace(word.box())
		if ok {
			next = Place{min(place.Left, next.Left), min(place.Top, next.Top), max(place.Right, next.Right), max(place.Bottom, next.Bottom)}
		}
		place, ok = next, true
	}
	return place.roundToTenths(), ok
}

// box is where a word stands in the coordinates of the page description; see upright.
func (word Word) box() Box {
	above, below := ascent*word.Size, descent*word.Size
	switch word.Turn {
	case 0:
		return Box{Left: word.Left, Right: word.Right, Top: -word.Base + above, Bottom: -word.Base - below}
	case 1: // climbing
		return Box{Left: word.Base - above, Right: word.Base + below, Top: word.Right, Bottom: word.Left}
	case 2: // upside down
		return Box{Left: -word.Right, Right: -word.Left, Top: word.Base + below, Bottom: word.Base - above}
	default: // descending
		return Box{Left: -word.Base - below, Right: -word.Base + above, Top: -word.Left, Bottom: -word.Right}
	}
}

// toShownPlace turns a box of the description to the page as it is shown.
func (sheet Sheet) toShownPlace(box Box) Place {
	switch sheet.Turn {
	case 1:
		return Place{box.Bottom - sheet.Bottom, box.Left - sheet.Left, box.Top - sheet.Bottom, box.Right - sheet.Left}
	case 2:
		return Place{sheet.Right - box.Right, box.Bottom - sheet.Bottom, sheet.Right - box.Left, box.Top - sheet.Bottom}
	case 3:
		return Place{sheet.Top - box.Top, sheet.Right - box.Right, sheet.Top - box.Bottom, sheet.Right - box.Left}
	}
	return Place{box.Left - sheet.Left, sheet.Top - box.Top, box.Right - sheet.Left, sheet.Top - box.Bottom}
}

// roundToTenths keeps tenths of a point: no eye sees less.
func (place Place) roundToTenths() Place {
	for _, side := range []*float64{&place.Left, &place.Top, &place.Right, &place.Bottom} {
		*side = math.Round(*side*10) / 10
	}
	return place
}
