package reader

import (
	"slices"
	"strings"

	"toolkit/internal/lazyregexp"
	"toolkit/internal/reader/layout"
	"toolkit/internal/reader/value"
)

// tillSlip is the paper of a till: the shop at the top, goods with prices, a sum, how it was
// paid and when. It has few labels, so arithmetic proves it: the goods are the sum, what
// was given less the change is the sum.
type tillSlip struct {
	read  *labeledPages
	lines []slipLine
	sum   *slipLine // nil when no line says it

	goods   []slipLine // those above the sum
	goodsOK bool       // they make the sum together
	paidOK  bool
	torn    bool // what was given less the change is another sum
}

// slipLine is a line of a slip: words, and an amount at its end.
type slipLine struct {
	place
	kind   slipKind
	text   string // as printed before the amount
	words  []string
	amount value.Amount
	priced bool
}

type slipKind int

const (
	slipOther slipKind = iota
	slipGoods
	slipNet
	slipTotal
	slipTax
	slipPaid
	slipChange
)

// maxSlipLines is how many lines the slip of a till has at most.
const maxSlipLines = 150

// readTillSlip reads the paper as that of a till; nil where it is too long for one.
func (read *labeledPages) readTillSlip() *tillSlip {
	found := &tillSlip{read: read}
	for at, line := range read.lines(every, every) {
		if len(found.lines) == maxSlipLines || at.page > 2 {
			return nil
		}
		if !line.Aside && len(line.Cells) > 0 {
			found.lines = append(found.lines, read.parseSlipLine(at))
		}
	}
	found.findProvenSum()
	return found
}

func (read *labeledPages) parseSlipLine(at place) slipLine {
	line := slipLine{place: at}
	var words []layout.Word
	words, line.amount, line.priced = read.splitAmountAtEnd(read.line(at).Words())
	line.text = wordsText(words)
	for _, next := range tokensOf(layout.Cell{Words: words}) {
		if !isCurrencyWord(next.raw) && next.norm != "no" && countLetters(next.norm) > 0 {
			line.words = append(line.words, strings.Fields(strings.ReplaceAll(next.norm, "/", " "))...)
		}
	}
	line.kind = classifySlipLine(line.words)
	if line.kind == slipOther && line.priced && countLetters(line.text) > 1 && !inList("slip greetings", line.words[0]) {
		line.kind = slipGoods
	}
	return line
}

var (
	rateMark   = lazyregexp.New(`^(?:[A-Z*#]{1,2}|\(?[A-Z]\)?)$`)
	markBehind = lazyregexp.New(`\s?[A-Z*#]{1,2}$`)
)

// splitAmountAtEnd parts the amount at the end of a line from the words before it. The letter of a tax
// rate may stand behind it.
func (read *labeledPages) splitAmountAtEnd(words []layout.Word) (rest []layout.Word, amount value.Amount, ok bool) {
	for start := max(0, len(words)-4); start < len(words); start++ {
		last := words[len(words)-1].Text
		if start > 0 && start < len(words)-1 && !isCurrencyWord(words[start].Text) && !isCurrencyWord(last) && !rateMark().MatchString(last) {
			continue
		}
		text := wordsText(words[start:])
		for _, attempt := range []string{text, markBehind().ReplaceAllString(text, "")} {
			if amount, ok = value.ParseAmount(attempt, read.numbers); ok && amount.Decimals == 2 {
				return words[:start], amount, true
			}
		}
	}
	return words, value.Amount{}, false
}

// classifySlipLine tells what the words of a line announce, slipOther for goods and everything else.
func classifySlipLine(words []string) slipKind {
	for len(words) > 1 && inList("slip counts", words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	phrase := strings.Join(words, " ")
	labels := labelLexicon()[phrase]
	paid, sums := countListedWords(words, "slip payments"), countListedWords(words, "sum nouns", "small words")
	taxes, rates := countListedWords(words, "tax words"), countListedWords(words, "net words", "gross words")
	switch {
	case phrase == "":
		return slipOther
	case inList("slip change", phrase):
		return slipChange
	case slices.Contains(labels, labelSubtotal):
		return slipNet
	case inList("slip totals", phrase), slices.Contains(labels, labelTotal), slices.Contains(labels, labelGrandTotal):
		return slipTotal
	case paid > 0 && paid+sums == len(words) && len(words) <= 3:
		return slipPaid
	case taxes > 0 && len(words)-taxes-rates-sums < 2:
		return slipTax
	}
	return slipOther
}

func countListedWords(words []string, lists ...string) (count int) {
	for _, word := range words {
		if slices.ContainsFunc(lists, func(list string) bool { return inList(list, word) }) {
			count++
		}
	}
	return count
}

// findProvenSum finds the sum among the lines, by the goods above it and what was paid below it; where
// no line names one, it is what was paid for goods that make it.
func (found *tillSlip) findProvenSum() {
	best := 0
	for _, named := range []slipKind{slipTotal, slipPaid} {
		for index := range found.lines {
			line := &found.lines[index]
			if line.kind != named || !line.priced || line.amount.Value <= 0 || named == slipPaid && found.sum != nil {
				continue
			}
			try := tillSlip{read: found.read, lines: found.lines, sum: line}
			try.findGoodsThatMakeSum(index)
			try.findPaymentsThatMakeSum(index)
			proofs := 1
			if try.goodsOK {
				proofs++
			}
			if try.paidOK {
				proofs++
			}
			if named == slipPaid && !try.goodsOK {
				continue
			}
			if proofs > best || proofs == best && proofs == 1 {
				best, *found = proofs, try
			}
		}
	}
}

// findGoodsThatMakeSum tells whether the goods above a sum make it: together, or as the net sum that
// stands between.
func (found *tillSlip) findGoodsThatMakeSum(until int) {
	sum, net, total := 0.0, 0.0, found.sum.amount.Value
	for index, line := range found.lines {
		if index >= until || !line.priced {
			continue
		}
		switch {
		case line.kind == slipNet || line.kind == slipTotal: // what follows is no goods
			until, net = index, line.amount.Value
		case line.kind == slipGoods:
			found.goods, sum = append(found.goods, line), sum+line.amount.Value
		}
	}
	found.goodsOK = len(found.goods) > 0 && (near(sum, total) || near(sum, net) && net < total)
}

// findPaymentsThatMakeSum tells whether what was paid below the sum, less the change, is the sum; torn that
// there are both and they are not.
func (found *tillSlip) findPaymentsThatMakeSum(from int) {
	given, change, counted, total := 0.0, 0.0, 0, found.sum.amount.Value
	for _, line := range found.lines[from+1:] {
		switch {
		case !line.priced:
		case line.kind == slipPaid:
			found.paidOK = found.paidOK || near(line.amount.Value, total)
			given, counted = given+line.amount.Value, counted+1
		case line.kind == slipChange:
			change += abs(line.amount.Value)
		}
	}
	found.paidOK = found.paidOK || counted > 0 && near(given-change, total)
	found.torn = !found.paidOK && counted == 1 && change > 0
}

// findFirstDate is the first date of a text.
func (read *labeledPages) findFirstDate(text string) (value.Date, bool) {
	if dates := value.FindDates(text, read.order); len(dates) > 0 {
		return dates[0].Date, true
	}
	return value.Date{}, false
}

// clockTime is a time of day on a slip.
var clockTime = lazyregexp.New(`(?:^|[^\d:.,])((?:[01]?\d|2[0-3])[:h][0-5]\d(?::[0-5]\d)?(?: ?[apAP]\.?[mM]\b)?)(?:$|[^\d:,])`)

// findDateOnLineWithTime returns the day of a slip that has a time beside it; days with different ones are none.
func (found *tillSlip) findDateOnLineWithTime() (day value.Date, at slipLine, ok bool) {
	for _, line := range found.lines {
		text := found.read.line(line.place).Text()
		date, dated := found.read.findFirstDate(text)
		if !dated || !clockTime().MatchString(text) {
			continue
		}
		if ok && date.String() != day.String() {
			return value.Date{}, slipLine{}, false
		}
		day, at, ok = date, line, true
	}
	return day, at, ok
}

// widestSlip is the width in points of what a till of 80 millimetres prints.
const widestSlip = 230

// voteForTillReceipt votes for a receipt by what tills print instead of titles and labels. A paper that has
// the number of an invoice, a day it falls due or a customer is none, however it was paid.
func (votes *classifier) voteForTillReceipt(read *labeledPages, answeredKinds map[labelKind]bool) {
	narrow := votes.content.Type == PDF && len(read.pages) > 0 && read.pages[0].Right-read.pages[0].Left <= widestSlip
	if !narrow && (answeredKinds[labelInvoiceNumber] || answeredKinds[labelCustomer]) || answeredKinds[labelDueDate] || answeredKinds[labelOpening] || answeredKinds[labelClosing] {
		return
	}
	found := read.readTillSlip()
	if found == nil || found.sum == nil || found.torn {
		return
	}
	_, _, timed := found.findDateOnLineWithTime()
	has := func(is func(slipLine) bool) bool { return slices.ContainsFunc(found.lines, is) }
	taxed := has(func(line slipLine) bool { return line.kind == slipTax })
	several := found.goodsOK && len(found.goods) > 1
	if !found.paidOK && (!timed && !taxed || !several && !narrow) {
		return // a list of things with their sum
	}
	for _, one := range []struct {
		is    bool
		worth float64
	}{
		{several, 2}, // prices that make the sum
		{found.goodsOK && !several, 0.5},
		{found.paidOK, 2},
		{!found.paidOK && has(func(line slipLine) bool { return line.kind == slipPaid && !line.priced }), 1}, // how it was paid
		{timed, 1},
		{narrow, 1},
		{true, 0.5}, // a sum
	} {
		if one.is {
			votes.scores[KindReceipt] += one.worth
		}
	}
}
