package layout

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/bidi"
	"golang.org/x/text/unicode/norm"
)

// Hebrew and Arabic are drawn from the right, and the numbers and Latin words among them from
// the left. What stands on a page is put back into the order in which it was written, and
// places on a page that reads from the right are counted from its right edge: so a label comes
// before its value, and everything above the layout reads such a page like any other.

// RightToLeft tells letters that are written from the right. Digits are not.
func RightToLeft(character rune) bool {
	if character < 0x590 {
		return false
	}
	property, _ := bidi.LookupRune(character)
	return property.Class() == bidi.R || property.Class() == bidi.AL
}

// drawn is the text of one glyph from the right as it stands among its neighbours on the
// page: the last of its characters first.
func drawn(text string) string {
	letters := []rune(presented(text))
	slices.SortStableFunc(letters, func(a, b rune) int {
		return cmp.Compare(markRank(a), markRank(b))
	})
	letters = []rune(norm.NFC.String(string(letters)))
	slices.Reverse(letters)
	return string(letters)
}

// markRank puts letters before the marks on them.
func markRank(character rune) int {
	if unicode.Is(unicode.Mn, character) {
		return 1
	}
	return 0
}

// presented turns the forms that Arabic letters take beside each other into the letters. A
// mark that is shown without a letter has a space or a line in its place.
func presented(text string) string {
	var letters strings.Builder
	for _, character := range text {
		if character >= 0xFB1D && character <= 0xFDFF || character >= 0xFE70 && character <= 0xFEFC {
			letters.WriteString(strings.TrimLeft(norm.NFKC.String(string(character)), " \u0640"))
			continue
		}
		letters.WriteRune(character)
	}
	return letters.String()
}

// Unnamed is the part of a letter for which a file names no character: fonts draw an Arabic
// letter and its dots apart, and give the letter's name to the dots. It keeps the letter's room
// among its neighbours, and is no text.
const Unnamed = '\u200D'

// level puts letters that were given the place of their dots or marks on the baseline of
// those beside them, with about the room of a letter.
func level(pieces []piece) {
	counts := map[float64]int{}
	for _, next := range pieces {
		if next.lettered {
			counts[next.Base]++
		}
	}
	bases := slices.Sorted(maps.Keys(counts))
	for index := range pieces {
		next := &pieces[index]
		if !next.lettered || !strings.ContainsFunc(next.Text, RightToLeft) {
			continue
		}
		const reach, half = 0.55, 0.22
		best := next.Base
		first, _ := slices.BinarySearch(bases, best-reach*next.Size)
		for _, base := range bases[first:] {
			if base > next.Base+reach*next.Size {
				break
			}
			if counts[base] > counts[best] {
				best = base
			}
		}
		if best != next.Base {
			next.Base = best
			middle := (next.Left + next.Right) / 2
			next.Left, next.Right = min(next.Left, middle-half*next.Size), max(next.Right, middle+half*next.Size)
		}
	}
}

// repeats tells a letter that was given both to its body and to its dots.
func (next piece) repeats(row []piece) bool {
	if !next.lettered {
		return false
	}
	return slices.ContainsFunc(row[max(0, len(row)-3):], func(before piece) bool {
		overlap := min(before.Right, next.Right) - max(before.Left, next.Left)
		return before.Text == next.Text && overlap > 0.5*min(before.Right-before.Left, next.Right-next.Left)
	})
}

// read puts the words of a page with text from the right into the order of reading.
func (page *Page) read() {
	page.RightToLeft = page.mostlyRightToLeft()
	for at := range page.Lines {
		line := &page.Lines[at]
		for index := range line.Cells {
			line.Cells[index].read(page.RightToLeft)
			if page.RightToLeft {
				line.Cells[index].mirror()
			}
		}
		if page.RightToLeft {
			slices.Reverse(line.Cells)
		}
		line.Cells = slices.DeleteFunc(line.Cells, func(cell Cell) bool { return len(cell.Words) == 0 })
	}
	page.Lines = slices.DeleteFunc(page.Lines, func(line Line) bool { return len(line.Cells) == 0 })
}

// mostlyRightToLeft counts words: numbers and signs have no direction.
func (page *Page) mostlyRightToLeft() bool {
	right, left := 0, 0
	for _, line := range page.Lines {
		for _, cell := range line.Cells {
			for _, word := range cell.Words {
				switch {
				case strings.ContainsFunc(word.Text, RightToLeft):
					right++
				case strings.ContainsFunc(word.Text, unicode.IsLetter):
					left++
				}
			}
		}
	}
	return right > left
}

// mirror counts places from the right.
func (cell *Cell) mirror() {
	cell.Left, cell.Right = -cell.Right, -cell.Left
	for index := range cell.Words {
		word := &cell.Words[index]
		word.Left, word.Right = -word.Right, -word.Left
	}
}

// letter is a character and the word it stands in.
type letter struct {
	rune
	word int
}

// read puts a cell's words, drawn from left to right, into the order of reading.
func (cell *Cell) read(fromRight bool) {
	turned := strings.ContainsFunc(cell.Text, RightToLeft)
	if !turned && !strings.ContainsRune(cell.Text, Unnamed) {
		return
	}
	letters := make([]letter, 0, len(cell.Text))
	for index, word := range cell.Words {
		if index > 0 {
			letters = append(letters, letter{' ', index})
		}
		for _, character := range word.Text {
			letters = append(letters, letter{character, index})
		}
	}
	if turned && fromRight || mostlyFromRight(letters) {
		fromTheRight(letters)
	} else {
		fromTheLeft(letters)
	}
	for _, pair := range []string{"()", "[]", "{}"} {
		pairUp(letters, rune(pair[0]), rune(pair[1]))
	}
	cell.Words = regrouped(letters, cell.Words)
	cell.settle()
}

func mostlyFromRight(letters []letter) bool {
	right, left := 0, 0
	for _, next := range letters {
		if RightToLeft(next.rune) {
			right++
		} else if unicode.IsLetter(next.rune) {
			left++
		}
	}
	return right > left
}

// fromTheRight reverses text drawn from left to right, but for its parts that are written
// from the left: Latin words in a row with the numbers among them, and numbers.
func fromTheRight(letters []letter) {
	slices.Reverse(letters)
	for start := 0; start < len(letters); {
		end := fromLeftUntil(letters, start)
		slices.Reverse(letters[start:end])
		start = max(end, start+1)
	}
}

// fromLeftUntil is the end of the part from the left that starts at a place, in reversed
// text. Numbers parted by more than a sign are parts of their own, unless Latin letters stand
// among them.
func fromLeftUntil(letters []letter, start int) (end int) {
	end = start
	if !leftwards(class(letters[start].rune)) {
		return end
	}
	latin := latinAhead(letters[start:])
	for next := start; next < len(letters) && !RightToLeft(letters[next].rune); next++ {
		kind := class(letters[next].rune)
		if leftwards(kind) && (latin || next == end || joined(letters, end, next)) {
			end = next + 1
		}
	}
	return end
}

func leftwards(kind bidi.Class) bool {
	return kind == bidi.L || kind == bidi.EN || kind == bidi.AN || kind == bidi.ET
}

func class(character rune) bidi.Class {
	property, _ := bidi.LookupRune(character)
	return property.Class()
}

// joined tells that two digits belong to one number: a single sign parts them.
func joined(letters []letter, end, next int) bool {
	if next != end+1 {
		return false
	}
	sign := class(letters[end].rune)
	return sign == bidi.CS || sign == bidi.ES
}

// latinAhead tells that a Latin letter comes before the next one from the right.
func latinAhead(letters []letter) bool {
	for _, next := range letters {
		switch {
		case RightToLeft(next.rune):
			return false
		case class(next.rune) == bidi.L:
			return true
		}
	}
	return false
}

// fromTheLeft turns the parts of a text from the left that are written from the right.
func fromTheLeft(letters []letter) {
	for start := 0; start < len(letters); {
		end := start
		for next := start; next < len(letters) && RightToLeft(letters[start].rune) && class(letters[next].rune) != bidi.L; next++ {
			if RightToLeft(letters[next].rune) {
				end = next + 1
			}
		}
		if end == start {
			start++
			continue
		}
		fromTheRight(letters[start:end])
		start = end
	}
}

// pairUp makes brackets open before they close: some files name the bracket that is seen,
// others the one that was typed.
func pairUp(letters []letter, open, closing rune) {
	var places []int
	depth, balanced := 0, true
	for index, next := range letters {
		switch next.rune {
		case open:
			depth++
		case closing:
			depth--
		default:
			continue
		}
		balanced = balanced && depth >= 0
		places = append(places, index)
	}
	if balanced && depth == 0 || len(places)%2 == 1 {
		return
	}
	for index, place := range places {
		letters[place].rune = []rune{open, closing}[index%2]
	}
}

// regrouped makes words of characters; each takes the room of the words it came from.
func regrouped(letters []letter, from []Word) []Word {
	words := make([]Word, 0, len(from))
	open := false
	for _, next := range letters {
		switch next.rune {
		case ' ':
			open = false
			continue
		case Unnamed:
			continue
		}
		source := from[next.word]
		if !open {
			source.Text = ""
			words = append(words, source)
			open = true
		}
		word := &words[len(words)-1]
		word.Text += string(next.rune)
		word.Left, word.Right = min(word.Left, source.Left), max(word.Right, source.Right)
	}
	return words
}
