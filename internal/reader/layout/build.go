package layout

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/bidi"
)

// Proportions of the line height at which gaps mean something. Word spaces are 0.2 to
// 0.35 of it, justified ones up to about 0.8; the gutters of labels and tables are wider.
const (
	touching = 0.05
	wordGap  = 0.16
	cellGap  = 0.95
	// leading is the line height a font size asks for.
	leading = 1.15
	// sameLine is how far two baselines may lie apart to be one line.
	sameLine = 0.35
)

// Build makes a page of runs. Text written in another direction than most of the page
// follows at the end, marked as aside.
func Build(number int, runs []Run) Page {
	page := Page{Number: number}
	groups := map[int][]Run{}
	for _, run := range runs {
		turn := int(math.Round(run.Turn/90)) % 4
		if math.Abs(math.Mod(run.Turn+45, 90)-45) > 10 {
			turn = askew
		}
		groups[turn] = append(groups[turn], run)
	}
	turns := make([]int, 0, len(groups))
	for turn := range groups {
		turns = append(turns, turn)
	}
	slices.SortFunc(turns, func(a, b int) int {
		return cmp.Or(cmp.Compare(totalTextLength(groups[b]), totalTextLength(groups[a])), cmp.Compare(a, b))
	})
	for index, turn := range turns {
		var lines []Line
		if turn == askew {
			lines = joinAskewRunsIntoLine(groups[turn])
		} else {
			lines = linesOf(wordsOf(groups[turn], turn))
		}
		for position := range lines {
			lines[position].Aside = index > 0 || turn == askew
			for cell := range lines[position].Cells {
				lines[position].Cells[cell].orderWordsForReading()
			}
		}
		page.Lines = append(page.Lines, lines...)
	}
	page.numberLinesAndUpdateExtent()
	return page
}

// askew marks text that is neither upright nor at a right angle: a stamp or watermark.
const askew = 4

func totalTextLength(runs []Run) int {
	sum := 0
	for _, run := range runs {
		sum += len(run.Text)
	}
	return sum
}

// numberLinesAndUpdateExtent counts the lines and measures the page.
func (page *Page) numberLinesAndUpdateExtent() {
	for index := range page.Lines {
		page.Lines[index].Number = index + 1
	}
	page.updateExtent()
}

// piece is a run in the reader's coordinates: x along the writing, y downwards.
type piece struct {
	Word
	order  int
	spaced bool
}

// turnRunUpright maps a run written at quarter turns into the reader's coordinates.
func turnRunUpright(run Run, turn, order int) piece {
	first, last := run.First, run.Last
	both := Box{min(first.Left, last.Left), max(first.Right, last.Right), max(first.Top, last.Top), min(first.Bottom, last.Bottom)}
	word := Word{Text: cleanText(run.Text)}
	switch turn {
	case 0:
		word.Left, word.Right, word.Base, word.Size = both.Left, both.Right, -run.OriginY, first.Top-first.Bottom
	case 2:
		word.Left, word.Right, word.Base, word.Size = -both.Right, -both.Left, run.OriginY, first.Top-first.Bottom
		word.Turn = 2
	default:
		word.Size = first.Right - first.Left
		// Writing starts where the first character's origin is: at its lower end when
		// the text climbs, at its upper end when it descends.
		if run.OriginY-first.Bottom < first.Top-run.OriginY {
			word.Left, word.Right, word.Base = both.Bottom, both.Top, run.OriginX
			word.Turn = 1
		} else {
			word.Left, word.Right, word.Base = -both.Top, -both.Bottom, -run.OriginX
			word.Turn = 3
		}
	}
	if run.Size > 0.5 && run.Size < 500 {
		word.Size = leading * run.Size
	}
	word.Size = max(math.Abs(word.Size), 1)
	return piece{Word: word, order: order, spaced: run.Spaced}
}

// joinAskewRunsIntoLine keeps text at odd angles as it was written.
func joinAskewRunsIntoLine(runs []Run) []Line {
	var parts strings.Builder
	for _, run := range runs {
		parts.WriteByte(' ')
		parts.WriteString(cleanText(run.Text))
	}
	content := strings.Join(strings.Fields(parts.String()), " ")
	if content == "" {
		return nil
	}
	const size = 10
	word := Word{Text: content, Size: size}
	return []Line{{Size: size, Cells: []Cell{{Text: content, Size: size, Words: []Word{word}}}}}
}

// wordsOf joins the pieces of one baseline that touch. Pieces are first sorted into rows,
// because the order in a file is that of drawing, not of reading.
func wordsOf(runs []Run, turn int) []Word {
	pieces := make([]piece, 0, len(runs))
	for order, run := range runs {
		if piece := turnRunUpright(run, turn, order); piece.Text != "" {
			pieces = append(pieces, piece)
		}
	}
	pieces = withoutDoubles(pieces)
	slices.SortStableFunc(pieces, func(a, b piece) int { return cmp.Compare(a.Base, b.Base) })
	var words []Word
	for start := 0; start < len(pieces); {
		end := start + 1
		for end < len(pieces) && pieces[end].Base-pieces[end-1].Base < max(0.3, 0.05*min(pieces[end].Size, pieces[end-1].Size)) {
			end++
		}
		row := pieces[start:end]
		slices.SortStableFunc(row, func(a, b piece) int {
			return cmp.Or(cmp.Compare(a.Left, b.Left), cmp.Compare(a.order, b.order))
		})
		words = append(words, rowWords(row)...)
		start = end
	}
	return words
}

func rowWords(row []piece) []Word {
	var words []Word
	for index, next := range row {
		if index > 0 {
			before := row[index-1]
			last := &words[len(words)-1]
			gap := next.Left - last.Right
			// A space the engine inferred between letters that touch is none.
			parted := next.spaced && next.order == before.order+1 && gap > touching*next.Size
			if !parted && gap <= wordGap*next.Size && gap > -0.5*next.Size {
				last.Text += next.Text
				last.Right = max(last.Right, next.Right)
				last.Size = max(last.Size, next.Size)
				continue
			}
		}
		words = append(words, next.Word)
	}
	return words
}

// cleanText spells out ligatures, folds hyphens that would keep a number or a label from
// being recognised, and drops what has no form. What could not be read keeps its place: the
// rest would be another value.
func cleanText(text string) string {
	return strings.Map(func(character rune) rune {
		switch {
		case character == '\u2010' || character == '\u2011':
			return '-'
		case character >= '！' && character <= '～': // of full width: １２，０００
			return character - '！' + '!'
		case unicode.IsControl(character) || unicode.Is(unicode.Cf, character):
			return -1
		}
		return character
	}, ligatures.Replace(text))
}

var ligatures = strings.NewReplacer("ﬀ", "ff", "ﬁ", "fi", "ﬂ", "fl", "ﬃ", "ffi", "ﬄ", "ffl", "ﬅ", "st", "ﬆ", "st")

// withoutDoubles drops pieces drawn twice in nearly one place, the poor man's bold and
// shadow.
func withoutDoubles(pieces []piece) []piece {
	const shift = 1.2
	seen := make(map[string][]piece, len(pieces))
	kept := make([]piece, 0, len(pieces))
	for _, next := range pieces {
		double := slices.ContainsFunc(seen[next.Text], func(before piece) bool {
			return math.Abs(before.Left-next.Left) < shift && math.Abs(before.Base-next.Base) < shift
		})
		if double {
			continue
		}
		if len(seen[next.Text]) < 200 { // bounded work for pages that repeat one letter
			seen[next.Text] = append(seen[next.Text], next)
		}
		kept = append(kept, next)
	}
	return kept
}

// orderWordsForReading puts the words of a cell, which stand from left to right, into the order in which
// they are read by Unicode's rules: Hebrew and Arabic run from the right, Latin words and the
// numbers among them from the left. The letters of a word are in that order already.
func (cell *Cell) orderWordsForReading() {
	words := strings.Fields(cell.Text)
	right, left := 0, 0
	for _, word := range words {
		switch {
		case hasClass(word, bidi.R, bidi.AL):
			right++
		case hasClass(word, bidi.L):
			left++
		}
	}
	if right == 0 {
		return
	}
	if right > left {
		slices.Reverse(words)
		reverseRuns(words, func(word string) bool { return !hasClass(word, bidi.R, bidi.AL) }, bidi.L)
	} else {
		reverseRuns(words, func(word string) bool { return hasClass(word, bidi.R, bidi.AL) }, bidi.R, bidi.AL)
	}
	cell.Text = strings.Join(words, " ")
}

// reverseRuns turns the longest rows of words that belong together, if one of them has letters
// of a class: numbers alone have no direction.
func reverseRuns(words []string, belongs func(string) bool, classes ...bidi.Class) {
	for start := 0; start < len(words); {
		end, lettered := start, start
		for end < len(words) && belongs(words[end]) {
			end++
			if hasClass(words[end-1], classes...) {
				lettered = end
			}
		}
		slices.Reverse(words[start:lettered])
		start = end + 1
	}
}

func hasClass(word string, classes ...bidi.Class) bool {
	return strings.ContainsFunc(word, func(character rune) bool {
		property, _ := bidi.LookupRune(character)
		return slices.Contains(classes, property.Class())
	})
}
