package document

import (
	"slices"
	"strings"
	"sync"

	"toolkit/tools/engines/document/value"
)

// Some papers have labels that mean something else everywhere else: on a payslip "Name" is
// the employee's and "net à payer" the wage. Their wordings are kept apart and are read only
// where the paper is known.
var (
	payLexicon = sync.OnceValue(func() map[string][]labelKind { return wordings[labelKind]("pay label ") })
	taxLexicon = sync.OnceValue(func() map[string][]labelKind { return wordings[labelKind]("tax label ") })
	payTitles  = sync.OnceValue(func() map[string][]string { return wordings[string]("title payslip") })
	taxTitles  = sync.OnceValue(func() map[string][]string { return wordings[string]("tax titles") })
	yearTitles = sync.OnceValue(func() map[string][]string { return wordings[string]("tax year titles") })
)

// as is the form with the labels of one kind of paper before the general ones. Such papers
// have no goods, so no line is kept from the labels as a part of a table.
func (read *form) as(own map[string][]labelKind) *form {
	paper := *read
	paper.own, paper.labels, paper.grids = own, nil, nil
	paper.labeled, paper.blocked = map[place][]label{}, map[[2]int]bool{}
	for at := range paper.cells(every, every) {
		if !paper.apart(at) {
			paper.findLabels(at)
		}
	}
	return &paper
}

// matchLabel finds the label that starts at a position, the paper's own before the general
// ones. The number of a box may stand before it: "c Employer's name".
func (read *form) matchLabel(tokens []token, at int) ([]labelKind, int) {
	kinds, length := longestOf(read.own, tokens, at, longestOwn)
	if length == 0 && at == 0 && len(tokens) > 1 && len(tokens[0].norm) < 3 {
		if kinds, length = longestOf(read.own, tokens, 1, longestOwn); length > 0 {
			length++
		}
	}
	if general, words := matchLabel(tokens, at); words > length {
		return general, words
	}
	return kinds, length
}

// longestOwn is the number of words looked at when a label of such a paper, or its title, is matched.
const longestOwn = 2 * longestPhrase

// longestOf finds the longest phrase, of so many words at most, that starts at a position and
// ends at a colon at the latest.
func longestOf[Kind any](phrases map[string][]Kind, tokens []token, at, most int) (kinds []Kind, length int) {
	if phrases == nil {
		return nil, 0
	}
	var phrase strings.Builder
	for end := at; end < len(tokens) && end-at < most && tokens[end].norm != ""; end++ {
		if end > at {
			phrase.WriteByte(' ')
		}
		phrase.WriteString(tokens[end].norm)
		if found := phrases[phrase.String()]; found != nil {
			kinds, length = found, end-at+1
		}
		if tokens[end].colon {
			break
		}
	}
	return kinds, length
}

// titled finds the title at the beginning of a cell near the top, and what follows it.
func (read *form) titled(titles map[string][]string) (title, rest candidate, ok bool) {
	for at := range read.cells(1, headLines) {
		tokens := read.tokens[at]
		for start := range tokens {
			if start > 0 && tokens[start-1].norm != "" {
				continue // a title begins a cell, or stands behind a dash
			}
			if _, length := longestOf(titles, tokens, start, longestOwn); length > 0 && len(tokens)-start-length <= 8 {
				return read.candidateOf(at, tokens[start:start+length]), read.candidateOf(at, tokens[start+length:]), true
			}
		}
	}
	return title, rest, false
}

// figure is an amount in the row of a label.
type figure struct {
	value.Amount
	at          place
	left, right float64
	label       label
}

func (read *form) figureSource(item figure) Source {
	source := read.source(item.at)
	source.Label = string(item.label.kinds[0])
	return source
}

// figure tells an amount from other numbers: it has cents or a currency, or where a paper
// writes whole amounts it is none of its years.
func (read *form) figure(text string, whole bool) (value.Amount, bool) {
	amount, ok := value.ParseAmount(strings.TrimRight(text, "*"), read.numbers)
	if !ok || strings.HasSuffix(text, "%") {
		return amount, false
	}
	return amount, amount.Decimals == 2 || amount.Sign != "" || whole && !yearAlone().MatchString(text) && wordDigits(text) < 9
}

// figures are the amounts that answer a label: behind it in its cell, else in the cells to
// its right up to the next words, else below it.
func (read *form) figures(found label, whole bool) (all []figure) {
	if plain := read.plainTail(found.inline); !plain {
		return nil
	}
	all = read.inlineFigures(found, whole)
	cells := read.pages[found.at.page].Lines[found.at.line].Cells
	for index := found.at.cell + 1; index < len(cells); index++ {
		at := place{found.at.page, found.at.line, index}
		if amount, ok := read.figure(strings.TrimSpace(cells[index].Text), whole); ok {
			all = append(all, figure{amount, at, cells[index].Left, cells[index].Right, found})
		} else if !read.plainTail(read.tokens[at]) {
			break
		}
	}
	if len(all) > 0 || len(found.inline) > 0 {
		return all
	}
	if below, ok := read.belowOf(found, func(next candidate) bool { _, ok := read.figure(next.text, whole); return ok }); ok {
		amount, _ := read.figure(below.text, whole)
		cell := read.cell(below.at)
		all = append(all, figure{amount, below.at, cell.Left, cell.Right, found})
	}
	return all
}

func (read *form) inlineFigures(found label, whole bool) (all []figure) {
	for _, next := range found.inline {
		if amount, ok := read.figure(next.raw, false); ok {
			all = append(all, figure{amount, found.at, next.left, next.right, found})
		}
	}
	if len(all) > 0 || len(found.inline) == 0 {
		return all
	}
	if amount, ok := read.figure(rawText(found.inline), whole); ok {
		all = append(all, figure{amount, found.at, found.inline[0].left, found.inline[len(found.inline)-1].right, found})
	}
	return all
}

// plainTail tells whether what stands between a label and its amount leaves the label what
// it is: numbers, rates, currencies, remarks in brackets and a few small words.
func (read *form) plainTail(tokens []token) bool {
	bracket := false
	for _, next := range tokens {
		bracket = bracket || strings.HasPrefix(next.raw, "(")
		if !bracket && countLetters(next.norm) > 0 && !inList("pay tails", next.norm) && !isCurrencyWord(next.raw) {
			if _, number := value.ParseAmount(next.raw, read.numbers); !number {
				return false
			}
		}
		if strings.HasSuffix(strings.TrimRight(next.raw, ":."), ")") {
			bracket = false
		}
	}
	return true
}

// laterColumns are the heads of columns that add up the year.
func (read *form) laterColumns() (heads []figure) {
	for at, cell := range read.cells(every, every) {
		key := phraseKey(cell.Text)
		if len(strings.Fields(key)) < 4 && slices.ContainsFunc(lists()["pay later columns"], func(word string) bool { return strings.HasPrefix(key, word) }) {
			heads = append(heads, figure{at: at, left: cell.Left, right: cell.Right})
		}
	}
	return heads
}

// current is the one amount of a row that is of this period: not in a column of the year,
// and of a sum, a rate and what they make the last.
func (read *form) current(row []figure, later []figure) (figure, bool) {
	var kept []figure
	for _, item := range row {
		if !slices.ContainsFunc(later, func(head figure) bool {
			return head.at.page == item.at.page && head.at.line < item.at.line && min(head.right, item.right)-max(head.left, item.left) > 0
		}) {
			kept = append(kept, item)
		}
	}
	if len(kept) == 1 {
		return kept[0], true
	}
	if len(kept) == 2 && len(later) == 0 && near(kept[0].Value, kept[1].Value) {
		return kept[0], true
	}
	return figure{}, false
}

// distinct is the value that all amounts agree on.
func distinct(items []figure) (figure, bool) {
	for _, item := range items[min(1, len(items)):] {
		if !near(item.Value, items[0].Value) {
			return figure{}, false
		}
	}
	if len(items) == 0 {
		return figure{}, false
	}
	return items[0], true
}

// rowsOf are the amounts of this period beside the labels of a kind.
func (read *form) rowsOf(kind labelKind, later []figure) (items []figure) {
	for found := range read.labelled(kind) {
		if item, ok := read.current(read.figures(found, false), later); ok {
			items = append(items, item)
		}
	}
	return items
}
