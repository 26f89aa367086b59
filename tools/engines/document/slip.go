package document

import (
	"slices"
	"strings"

	"toolkit/tools/engines/document/layout"
	"toolkit/tools/engines/document/pattern"
	"toolkit/tools/engines/document/value"
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
	for start := range words {
		last := words[len(words)-1].Text
		if count := len(words) - start; count > 4 || start > 0 && count > 1 && !isCurrencyWord(words[start].Text) && !isCurrencyWord(last) && !rateMark().MatchString(last) {
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
		raw := strings.Trim(next.raw, "()[]:,. ")
		if code, ok := value.CurrencyOf(raw); ok {
			if amount.Currency == "" {
				amount.Currency = code
			}
			continue
		}
		if next.norm != "" && next.norm != "no" && countLetters(next.norm) > 0 {
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
	payment := func(word string) bool { return inList("slip payments", word) }
	switch {
	case phrase == "":
		return slipOther
	case inList("slip change", phrase):
		return slipChange
	case slices.Contains(kinds, labelSubtotal):
		return slipNet
	case inList("slip totals", phrase), slices.ContainsFunc(kinds, isWhole):
		return slipTotal
	case slices.ContainsFunc(words, payment) && len(words) <= 3 && !slices.ContainsFunc(words, func(word string) bool {
		return !payment(word) && !inList("sum nouns", word) && !inList("small words", word)
	}):
		return slipPaid
	}
	return slipSum(words)
}

func isWhole(kind labelKind) bool {
	return kind == labelTotal || kind == labelGrandTotal || kind == labelAmountDue
}

// slipSum reads a line whose words are made of those for sums and taxes.
func slipSum(words []string) slipKind {
	noun, net, gross, tax, other := false, false, false, false, 0
	for _, word := range words {
		switch {
		case inList("tax words", word):
			tax = true
		case inList("net words", word), netOrGross(word) == "net":
			net = true
		case inList("gross words", word), netOrGross(word) == "gross":
			gross = true
		case inList("sum nouns", word):
			noun = true
		case !inList("small words", word):
			other++
		}
	}
	switch {
	case tax && noun && gross && other == 0, noun && gross && !net && other == 0:
		return slipTotal
	case noun && net && other == 0:
		return slipNet
	case tax && other < 2:
		return slipTax
	}
	return slipOther
}

// prove finds the sum among the lines, by the goods above it and what was paid below it.
func (found *slip) prove() {
	best := 0
	for index := range found.lines {
		line := &found.lines[index]
		if line.kind != slipTotal || !line.priced || line.amount.Value <= 0 {
			continue
		}
		goods, goodsOK := found.goodsOf(index, line.amount.Value)
		paidOK, torn := found.paid(index, line.amount.Value)
		proofs := 1
		for _, proof := range []bool{goodsOK, paidOK} {
			if proof {
				proofs++
			}
		}
		if proofs > best || proofs == best && found.sum != nil && proofs == 1 {
			best, found.sum = proofs, line
			found.goods, found.goodsOK, found.paidOK, found.torn = goods, goodsOK, paidOK, torn
		}
	}
	if found.sum == nil {
		found.unnamed()
	}
}

// unnamed takes what was paid as the sum where no line names one and the goods make it.
func (found *slip) unnamed() {
	for index := range found.lines {
		line := &found.lines[index]
		if line.kind != slipPaid || !line.priced {
			continue
		}
		if goods, ok := found.goodsOf(index, line.amount.Value); ok {
			found.sum, found.goods, found.goodsOK, found.paidOK = line, goods, true, true
			return
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

func (found *slip) goodsSum() (sum float64) {
	for _, line := range found.goods {
		sum += line.amount.Value
	}
	return sum
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
		if !line.priced {
			continue
		}
		switch line.kind {
		case slipPaid:
			if near(line.amount.Value, whole) {
				ok = true
			}
			given, counted = given+line.amount.Value, counted+1
		case slipChange:
			change += max(line.amount.Value, -line.amount.Value)
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
