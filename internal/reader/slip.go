package reader

import (
	"slices"
	"strings"

	"toolkit/internal/reader/layout"
	"toolkit/internal/reader/pattern"
	"toolkit/internal/reader/value"
)

// slip is the paper of a till: the shop at the top, goods with prices, a sum, how it was
// paid and when. It has few labels, so arithmetic proves it: the goods are the sum, what
// was given less the change is the sum.
type slip struct {
	read  *form
	lines []slipLine
	sum   *slipLine // the whole, nil when no line says it

	goods   []slipLine // those that make the sum together
	goodsOK bool
	paidOK  bool
	torn    bool // what was given less the change is another sum
}

// slipLine is a line of a slip: words, and an amount at its end.
type slipLine struct {
	place
	kind    slipKind
	text    string   // as printed before the amount
	name    []string // the same by cells, without those that count goods
	words   []string
	amount  value.Amount
	priced  bool
	figures []float64 // all its amounts
	source  Source
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

// longestSlip is how many lines the slip of a till has at most.
const longestSlip = 150

// slip reads the paper as that of a till; nil where it is too long for one.
func (read *form) slip() *slip {
	found := &slip{read: read}
	for at, line := range read.lines(every, every) {
		if len(found.lines) == longestSlip || at.page > 2 {
			return nil
		}
		if !line.Aside && len(line.Cells) > 0 {
			found.lines = append(found.lines, read.slipLine(at))
		}
	}
	found.prove()
	return found
}

func (read *form) slipLine(at place) slipLine {
	cells := read.line(at).Cells
	line := slipLine{place: at, source: read.source(at)}
	last := len(cells) - 1
	if last > 0 && rateMark().MatchString(cells[last].Text) { // the letter of a tax rate has a column
		last--
	}
	var words []layout.Word
	for _, cell := range cells[:last] {
		if amount, ok := value.ParseAmount(cell.Text, read.numbers); ok && amount.Decimals == 2 {
			line.figures = append(line.figures, amount.Value)
		}
		if line.name == nil || !read.counts(cell.Text) {
			line.name = append(line.name, cell.Text)
		}
		words = append(words, cell.Words...)
	}
	rest, amount, priced := read.amountAtEnd(cells[last].Words)
	line.amount, line.priced = amount, priced
	if priced {
		line.figures = append(line.figures, amount.Value)
	}
	if len(rest) > 0 {
		line.name = append(line.name, wordsText(rest))
	}
	words = append(words, rest...)
	line.text = wordsText(words)
	line.words = slipWords(tokensOf(layout.Cell{Words: words}), &line.amount)
	line.kind = slipKindOf(line.words)
	if line.kind == slipOther && priced && countLetters(line.text) > 1 {
		line.kind = slipGoods
	}
	return line
}

var (
	rateMark   = pattern.New(`^(?:[A-Z*#]{1,2}|\(?[A-Z]\)?)$`)
	markBehind = pattern.New(`\s?[A-Z*#]{1,2}$`)
)

// counts tells cells between the name of goods and their amount: how many, a price, a rate.
func (read *form) counts(text string) bool {
	return read.isNumber(text) || rateMark().MatchString(text) || piecesOnly().MatchString(text) || countedOf(text, read.numbers).quantity > 0
}

// amountAtEnd parts the amount at the end of a cell from the words before it.
func (read *form) amountAtEnd(words []layout.Word) (rest []layout.Word, amount value.Amount, ok bool) {
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

// slipWords are the words of a line without figures, rates and currencies. A currency
// named beside the words is the amount's.
func slipWords(tokens []token, amount *value.Amount) (words []string) {
	for _, next := range tokens {
		if code, ok := value.CurrencyOf(strings.Trim(next.raw, "()[]:,. ")); ok {
			if amount.Currency == "" {
				amount.Currency = code
			}
			continue
		}
		if next.norm != "no" && countLetters(next.norm) > 0 {
			words = append(words, strings.Fields(strings.ReplaceAll(next.norm, "/", " "))...)
		}
	}
	return words
}

// slipKindOf tells what the words of a line announce, slipOther for goods and everything else.
func slipKindOf(words []string) slipKind {
	for len(words) > 1 && inList("slip counts", words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	phrase := strings.Join(words, " ")
	kinds := labelLexicon()[phrase]
	paid, taxes, others, foreign := 0, 0, 0, 0 // words of each kind
	for _, word := range words {
		switch {
		case inList("slip payments", word):
			paid++
			foreign++
		case inList("tax words", word):
			taxes++
			others++
		case !inList("sum nouns", word) && !inList("small words", word):
			others++
			foreign++
			if inList("net words", word) || inList("gross words", word) || netOrGross(word) != "" {
				foreign--
			}
		}
	}
	sum, length := sumLabel(wordTokens(words), 0)
	switch {
	case phrase == "":
		return slipOther
	case inList("slip change", phrase):
		return slipChange
	case slices.Contains(kinds, labelSubtotal):
		return slipNet
	case inList("slip totals", phrase), slices.ContainsFunc(kinds, isWhole):
		return slipTotal
	case paid > 0 && others == 0 && len(words) <= 3:
		return slipPaid
	case length == len(words) && sum == labelGrandTotal:
		return slipTotal
	case length == len(words) && sum == labelSubtotal:
		return slipNet
	case taxes > 0 && foreign < 2:
		return slipTax
	}
	return slipOther
}

func isWhole(kind labelKind) bool {
	return kind == labelTotal || kind == labelGrandTotal || kind == labelAmountDue
}

// prove finds the sum among the lines, by the goods above it and what was paid below it; where
// no line names one, it is what was paid for goods that make it.
func (found *slip) prove() {
	best := 0
	for _, named := range []slipKind{slipTotal, slipPaid} {
		for index := range found.lines {
			line := &found.lines[index]
			if line.kind != named || !line.priced || line.amount.Value <= 0 || named == slipPaid && found.sum != nil {
				continue
			}
			try := slip{sum: line}
			try.goods, try.goodsOK = found.goodsOf(index, line.amount.Value)
			try.paidOK, try.torn = found.paid(index, line.amount.Value)
			proofs := 1
			switch {
			case named == slipPaid && !try.goodsOK:
				continue
			case named == slipPaid:
				try.paidOK, try.torn = true, false
			case try.goodsOK && try.paidOK:
				proofs = 3
			case try.goodsOK || try.paidOK:
				proofs = 2
			}
			if proofs > best || proofs == best && proofs == 1 {
				best = proofs
				found.sum, found.goods, found.goodsOK, found.paidOK, found.torn = line, try.goods, try.goodsOK, try.paidOK, try.torn
			}
		}
	}
}

// goodsOf are the goods above a sum, and whether they make it: together, with the tax, or
// as the net sum that stands between.
func (found *slip) goodsOf(until int, whole float64) (goods []slipLine, ok bool) {
	sum, tax, net := 0.0, 0.0, 0.0
	for index, line := range found.lines {
		if line.kind == slipTax && line.priced {
			tax += line.amount.Value
		}
		if index > until || !line.priced {
			continue
		}
		switch {
		case line.kind == slipNet || line.kind == slipTotal && index < until: // what follows is no goods
			until, net = index, line.amount.Value
		case line.kind == slipGoods, line.kind == slipPaid && index < until && !wholePayment(line.words):
			if _, dated := found.read.dateIn(line.text); dated {
				return nil, false
			}
			line.kind = slipGoods
			goods, sum = append(goods, line), sum+line.amount.Value
		}
	}
	if len(goods) == 1 && len(goods[0].words) > 0 && inList("slip greetings", goods[0].words[0]) {
		return nil, false // thanks, with the sum beside them
	}
	return goods, len(goods) > 0 && (near(sum, whole) || tax > 0 && near(sum+tax, whole) || near(sum, net) && net < whole)
}

// wholePayment tells whether words alone say that something was paid, above a sum as well.
func wholePayment(words []string) bool {
	return len(words) == 1 && slices.Contains(labelLexicon()[words[0]], labelPaid)
}

// paid tells whether what was paid below a sum, less the change, is the sum; torn that there
// are both and they are not.
func (found *slip) paid(from int, whole float64) (ok, torn bool) {
	given, change, counted := 0.0, 0.0, 0
	for _, line := range found.lines[from+1:] {
		switch {
		case !line.priced:
		case line.kind == slipPaid:
			ok = ok || near(line.amount.Value, whole)
			given, counted = given+line.amount.Value, counted+1
		case line.kind == slipChange:
			change += abs(line.amount.Value)
		}
	}
	ok = ok || counted > 0 && near(given-change, whole)
	return ok, !ok && counted == 1 && change > 0
}

// ride tells a paper that says from where to where: one word each, below the other, names
// places and not parties.
func (read *form) ride() bool {
	from, to := read.find(labelVendor, read.roleName), read.find(labelCustomer, read.roleName)
	return len(from) > 0 && len(to) > 0 && inList("words of a ride", from[0].label.first) && inList("words of a ride", to[0].label.first) &&
		from[0].label.words() == 1 && to[0].label.words() == 1
}

// dateIn is the first date of a text.
func (read *form) dateIn(text string) (value.Date, bool) {
	if dates := value.FindDates(text, read.order); len(dates) > 0 {
		return dates[0].Date, true
	}
	return value.Date{}, false
}

// clockTime is a time of day on a slip.
var clockTime = pattern.New(`(?:^|[^\d:.,])((?:[01]?\d|2[0-3])[:h][0-5]\d(?::[0-5]\d)?(?: ?[apAP]\.?[mM]\b)?)(?:$|[^\d:,])`)

// moment is the day of a slip that has a time beside it; days with different ones are none.
func (found *slip) moment() (day value.Date, at slipLine, ok bool) {
	for _, line := range found.lines {
		text := found.read.line(line.place).Text()
		date, dated := found.read.dateIn(text)
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

// slip votes for a receipt by what tills print instead of titles and labels. A paper that has
// the number of an invoice, a day it falls due or a customer is none, however it was paid.
func (votes *ballot) slip(read *form, seen map[labelKind]bool) {
	narrow := votes.content.Type == PDF && len(read.pages) > 0 && read.pages[0].Right-read.pages[0].Left <= widestSlip
	if !narrow && (seen[labelInvoiceNumber] || seen[labelCustomer] && !read.ride()) || seen[labelDueDate] || seen[labelOpening] || seen[labelClosing] {
		return
	}
	if _, ok := read.acknowledgement(); ok {
		votes.vote(KindReceipt, 3, "a sentence that acknowledges a sum")
	}
	found := read.slip()
	if found == nil || found.sum == nil || found.torn {
		return
	}
	_, _, timed := found.moment()
	has := func(is func(slipLine) bool) bool { return slices.ContainsFunc(found.lines, is) }
	taxed := has(func(line slipLine) bool { return line.kind == slipTax })
	several := found.goodsOK && len(found.goods) > 1
	if !found.paidOK && (!timed && !taxed || !several && !narrow) {
		return // a list of things with their sum
	}
	for _, one := range []struct {
		is    bool
		worth float64
		what  string
	}{
		{several, 2, "prices that make the sum"},
		{found.goodsOK && !several, 0.5, "a price that is the sum"},
		{found.paidOK, 2, "what was paid is the sum"},
		{!found.paidOK && has(func(line slipLine) bool { return line.kind == slipPaid && !line.priced }), 1, "how it was paid"},
		{timed, 1, "a day with its time"},
		{narrow, 1, "as narrow as a till prints"},
		{true, 0.5, "a sum"},
	} {
		if one.is {
			votes.vote(KindReceipt, one.worth, "%s", one.what)
		}
	}
}
