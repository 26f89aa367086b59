package reader

import (
	"iter"
	"math"
	"strings"

	"toolkit/internal/lazyregexp"
	"toolkit/internal/reader/layout"
	"toolkit/internal/reader/value"
)

var (
	currencyMention = lazyregexp.New(`\b([A-Z]{3})\b`)
	bracketedSign   = lazyregexp.New(`\(([^()\d\s]{1,4})\)`)
	currencySign    = lazyregexp.New(`US\$|CA\$|AU\$|NZ\$|HK\$|A\$|C\$|R\$|S\$|[$€£¥￥円₹₽₩₺₪]|zł`)
	currencyWord    = lazyregexp.New(`\d ?(Kč|Ft|TL|lei|LEI|руб|грн|лв)(?:\P{L}|$)`)
	kronerSign      = lazyregexp.New(`\d ?kr(?:\P{L}|$)|(?:^|\P{L})kr\.? ?\d|\(kr\)`)
	numberWithCents = lazyregexp.New(`(?:^|[^\d.,])\d[\d .,'’]*[.,]\d\d(?:[^\d.,]|$)`)
	wholePesos      = lazyregexp.New(`\$ ?\d{1,3}\.\d{3}$`) // no dollar or peso has thousandths
)

// candidate is a text that may be a label's value, with its place.
type candidate struct {
	text   string
	tokens []token
	page   int // from 1
	line   int // from 1
	at     place
	label  *label // whose value it may be, nil for other texts
	below  bool
	inline bool
}

func (read *labeledPages) candidateOf(at place, tokens []token) candidate {
	return candidate{text: rawText(tokens), tokens: tokens, at: at, page: read.pages[at.page].Number, line: read.pages[at.page].Lines[at.line].Number}
}

// acceptFunc tells whether a candidate is a value of the kind sought.
type acceptFunc func(candidate) bool

// findLabelValue returns the value of a label: what stands behind it in its cell; else in the next
// cell to the right; else below. A cell that is a label itself is no value and ends the
// search in its direction. What stands behind a label without being a value shows that
// the words were no label ("Date of the next meeting").
func (read *labeledPages) findLabelValue(found label, accepts acceptFunc) (candidate, bool) {
	if !found.whole {
		inline := read.candidateOf(found.at, found.inline)
		inline.inline, inline.label = true, &found
		return inline, accepts(inline)
	}
	if next, ok := read.findValueToRight(found, accepts); ok && !read.isRowOfHeads(found.at) {
		return next, true
	}
	return read.findValueBelow(found, accepts)
}

// isRowOfHeads tells whether the line of a cell is one of heads alone, each over its value: of two
// cells only where both are in capitals.
func (read *labeledPages) isRowOfHeads(at place) bool {
	lines := read.pages[at.page].Lines
	heads, text := lines[at.line].Cells, lines[at.line].Text()
	if at.line+1 >= len(lines) || len(heads) != len(lines[at.line+1].Cells) || countDigits(text) > 0 || len(heads) < 3 && (len(heads) < 2 || text != strings.ToUpper(text)) {
		return false
	}
	for index, head := range heads {
		if abs(head.Left-lines[at.line+1].Cells[index].Left) > 0.3*head.Size {
			return false
		}
	}
	return true
}

// findValueToRight looks at the cells to the right. A currency or a rate standing alone is passed.
func (read *labeledPages) findValueToRight(found label, accepts acceptFunc) (candidate, bool) {
	if others := read.labeled[found.at]; len(others) > 0 && others[len(others)-1].start > found.start {
		return candidate{}, false // another label follows in the same cell
	}
	cells := read.pages[found.at.page].Lines[found.at.line].Cells
	for index := found.at.cell + 1; index < len(cells) && index <= found.at.cell+4; index++ {
		at := place{found.at.page, found.at.line, index}
		if read.isLabel(at) {
			return candidate{}, false
		}
		tokens := read.tokens[at]
		if len(tokens) == 0 {
			continue
		}
		next := read.candidateOf(at, tokens)
		next.label = &found
		counts := (found.hasKind(labelTotal) || found.hasKind(labelGrandTotal)) && read.isCountBeforeAmount(at)
		if !counts && accepts(next) {
			return next, true
		}
		if !counts && countQualifierTokens(tokens) != len(tokens) {
			return candidate{}, false
		}
	}
	return read.findValueOnShiftedLine(found, accepts)
}

// findValueOnShiftedLine looks to the right of a label that ends its line, on a line that is one by itself only because
// larger print stands a little higher or lower.
func (read *labeledPages) findValueOnShiftedLine(found label, accepts acceptFunc) (candidate, bool) {
	lines := read.pages[found.at.page].Lines
	line := lines[found.at.line]
	for _, index := range []int{found.at.line + 1, found.at.line - 1} {
		if found.at.cell < len(line.Cells)-1 || index < 0 || index >= len(lines) {
			continue
		}
		cell := lines[index].Cells[0]
		at := place{found.at.page, index, 0}
		if abs(lines[index].Base-line.Base) > 0.4*max(cell.Size, line.Size) || cell.Left < found.right || read.isLabel(at) || len(lines[index].Cells) > 1 {
			continue
		}
		next := read.candidateOf(at, read.tokens[at])
		next.label = &found
		if accepts(next) {
			return next, true
		}
	}
	return candidate{}, false
}

// isCountBeforeAmount tells how many goods a sum is for: "3 Nos" of "Total   3 Nos   1,350.00".
func (read *labeledPages) isCountBeforeAmount(at place) bool {
	cells := read.line(at).Cells
	last := place{at.page, at.line, len(cells) - 1}
	return at != last && quantityWithUnit().MatchString(cells[at.cell].Text) && !read.hasCurrencyOrCents(at) && read.hasCurrencyOrCents(last)
}

// Reach of a value below its label, in line heights.
const reachBelow = 3.4

// findValueBelow looks at the nearest line below that has a cell in the label's column. The cell
// must belong to this label rather than to another one on the label's line.
func (read *labeledPages) findValueBelow(found label, accepts acceptFunc) (candidate, bool) {
	page := read.pages[found.at.page]
	labelLine := page.Lines[found.at.line]
	for lineIndex := found.at.line + 1; lineIndex < len(page.Lines); lineIndex++ {
		line := page.Lines[lineIndex]
		if read.isInTableOrStamp(place{page: found.at.page, line: lineIndex}) || line.Base-labelLine.Base > reachBelow*max(labelLine.Size, line.Size) {
			break
		}
		at, ok := read.findCellUnderLabel(found, lineIndex)
		if !ok {
			continue
		}
		if read.isLabel(at) {
			return candidate{}, false
		}
		next := read.candidateOf(at, read.tokens[at])
		next.below, next.label = true, &found
		if isSalutation(next.text) {
			continue // the name stands on the next line
		}
		if read.isTopOfAmountColumn(at) || read.isLabelUnderValue(found, accepts) || !accepts(next) {
			return candidate{}, false
		}
		return next, true
	}
	return candidate{}, false
}

// isLabelUnderValue tells whether labels stand under their values here: going up the column from
// a label, values and labels take turns, and a value comes first.
func (read *labeledPages) isLabelUnderValue(found label, accepts acceptFunc) bool {
	at, wantLabel := found.at, false
	for range 12 {
		above, ok := read.cellDirectlyAbove(at)
		switch {
		case !ok:
			return wantLabel && at != found.at // the topmost is a value that nothing announces
		case wantLabel != read.isLabel(above):
			return false
		case at == found.at:
			if next := read.candidateOf(above, read.tokens[above]); !accepts(next) {
				return false
			}
		}
		at, wantLabel = above, !wantLabel
	}
	return false
}

// cellDirectlyAbove is the cell that stands directly above another in its column.
func (read *labeledPages) cellDirectlyAbove(at place) (place, bool) {
	lines, cell := read.pages[at.page].Lines, read.cell(at)
	for index := at.line - 1; index >= 0 && lines[at.line].Base-lines[index].Base < 2.2*max(lines[at.line].Size, lines[index].Size); index-- {
		for position, above := range lines[index].Cells {
			if misalignment(cell.Left, cell.Right, above) < 0.6*cell.Size {
				return place{at.page, index, position}, true
			}
		}
	}
	return place{}, false
}

// isTopOfAmountColumn tells whether an amount is the first of several below each other: then what
// stands above is the head of a column, and no single amount is its value.
func (read *labeledPages) isTopOfAmountColumn(at place) bool {
	if !read.hasCurrencyOrCents(at) || read.isRowOfAmounts(at.page, at.line) && !read.isRowOfAmounts(at.page, at.line+1) {
		return false
	}
	lines := read.pages[at.page].Lines
	cell := read.cell(at)
	for index := at.line + 1; index < len(lines) && lines[index].Base-lines[at.line].Base < 1.9*max(lines[at.line].Size, lines[index].Size); index++ {
		for below, other := range lines[index].Cells {
			if misalignment(cell.Left, cell.Right, other) < 0.7*cell.Size && read.hasCurrencyOrCents(place{at.page, index, below}) {
				return true
			}
		}
	}
	return false
}

// isRowOfAmounts tells a line of several amounts and nothing else: the sums under their names.
func (read *labeledPages) isRowOfAmounts(page, line int) bool {
	if line >= len(read.pages[page].Lines) {
		return false
	}
	cells := read.pages[page].Lines[line].Cells
	for index := range cells {
		if !read.hasCurrencyOrCents(place{page, line, index}) {
			return false
		}
	}
	return len(cells) > 1
}

// hasCurrencyOrCents tells whether a cell is an amount with a currency or cents.
func (read *labeledPages) hasCurrencyOrCents(at place) bool {
	amount, ok := value.ParseAmount(cellText(read.line(at).Cells, at.cell), read.numbers)
	return ok && amount.HasCurrencyOrCents()
}

// findCellUnderLabel finds the cell of a line that stands in the label's column.
func (read *labeledPages) findCellUnderLabel(found label, lineIndex int) (place, bool) {
	line := read.pages[found.at.page].Lines[lineIndex]
	best, bestDistance := -1, math.Inf(1)
	for index, cell := range line.Cells {
		if distance := misalignment(found.left, found.right, cell); distance < bestDistance {
			best, bestDistance = index, distance
		}
	}
	if best < 0 {
		return place{}, false
	}
	cell := line.Cells[best]
	size := max(cell.Size, 1)
	overlap := min(found.right, cell.Right) - max(found.left, cell.Left)
	if bestDistance > 1.5*size && overlap < 0.5*min(found.right-found.left, cell.Right-cell.Left) {
		return place{}, false
	}
	// Another label of the same line may be nearer to the cell.
	for index := range read.pages[found.at.page].Lines[found.at.line].Cells {
		for _, other := range read.labeled[place{found.at.page, found.at.line, index}] {
			if other.start == found.start && other.at == found.at {
				continue
			}
			if misalignment(other.left, other.right, cell) < bestDistance-0.1 {
				return place{}, false
			}
		}
	}
	return place{found.at.page, lineIndex, best}, true
}

// misalignment is how far a cell is from being aligned with a span on the left, on the
// right or in the middle.
func misalignment(left, right float64, cell layout.Cell) float64 {
	return min(math.Abs(left-cell.Left), math.Abs(right-cell.Right), math.Abs((left+right)/2-(cell.Left+cell.Right)/2))
}

// collectAlignedCellsBelow returns the cells that stand below each other from a cell on: an address, a name
// with its lines. It ends at a gap, a label, or another column.
func (read *labeledPages) collectAlignedCellsBelow(at place) []candidate {
	page := read.pages[at.page]
	first := read.cell(at)
	lines := []candidate{read.candidateOf(at, read.tokens[at])}
	base := page.Lines[at.line].Base
	for lineIndex := at.line + 1; lineIndex < len(page.Lines) && len(lines) < 6; lineIndex++ {
		line := page.Lines[lineIndex]
		if line.Base-base > 1.9*max(line.Size, first.Size) {
			break
		}
		for index, cell := range line.Cells {
			next := place{at.page, lineIndex, index}
			if misalignment(first.Left, first.Right, cell) < 0.2*first.Size || math.Abs(cell.Left-first.Left) < 0.8*first.Size {
				if read.isLabel(next) {
					return lines
				}
				lines = append(lines, read.candidateOf(next, read.tokens[next]))
				base = line.Base
				break
			}
		}
	}
	return lines
}

// every is as many pages or lines as there are.
const every = math.MaxInt

// lines visits the first lines of the first pages, as many of each as are asked for. It ends,
// by panic, when nobody waits for the result.
func (read *labeledPages) lines(pages, lines int) iter.Seq2[place, layout.Line] {
	return func(yield func(place, layout.Line) bool) {
		for pageIndex, page := range read.pages[:min(len(read.pages), pages)] {
			for lineIndex, line := range page.Lines[:min(len(page.Lines), lines)] {
				read.proceed()
				if !yield(place{page: pageIndex, line: lineIndex}, line) {
					return
				}
			}
		}
	}
}

// cells visits the cells of these lines.
func (read *labeledPages) cells(pages, lines int) iter.Seq2[place, layout.Cell] {
	return func(yield func(place, layout.Cell) bool) {
		for at, line := range read.lines(pages, lines) {
			for index, cell := range line.Cells {
				if at.cell = index; !yield(at, cell) {
					return
				}
			}
		}
	}
}

// labelsOfKind visits the labels of a kind.
func (read *labeledPages) labelsOfKind(kind labelKind) iter.Seq[label] {
	return func(yield func(label) bool) {
		for _, found := range read.labels {
			read.proceed()
			if found.hasKind(kind) && !yield(found) {
				return
			}
		}
	}
}

// line is the line that a cell stands in.
func (read *labeledPages) line(at place) layout.Line { return read.pages[at.page].Lines[at.line] }

// inTable tells whether a line is part of a table.
func (read *labeledPages) inTable(at place) bool { return read.blocked[[2]int{at.page, at.line}] }

// isInTableOrStamp tells whether a line is part of a table, or of a stamp.
func (read *labeledPages) isInTableOrStamp(at place) bool {
	return read.line(at).Aside || read.inTable(at)
}

// source is where a cell stands.
func (read *labeledPages) source(at place) Source {
	return Source{Page: read.pages[at.page].Number, Line: read.line(at).Number}
}
