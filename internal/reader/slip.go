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

// setSlipFields sets what the slip of a till says besides its sums.
func (result *extraction) setSlipFields() {
	found := result.slip
	if found == nil {
		return
	}
	result.setSlipDateAndTime(found)
	if found.sum == nil || found.torn {
		return
	}
	if !result.hasField("line_items") && found.goodsOK && near(found.sum.amount.Value, result.numberField("amount")) {
		result.setSlipGoods(found)
	}
	paid := slices.IndexFunc(found.lines, func(line slipLine) bool {
		return line.kind == slipPaid && line.priced && countListedWords(line.words, "slip payments") > countListedWords(line.words, "slip paid words")
	})
	if paid >= 0 && !result.hasField("payment_method") {
		result.setField("payment_method", strings.Trim(found.lines[paid].text, " :"), result.form.source(found.lines[paid].place))
	}
}

func (result *extraction) numberField(key string) float64 {
	number, _ := result.values[key].(float64)
	return number
}

func (result *extraction) textField(key string) string {
	text, _ := result.values[key].(string)
	return text
}

// provenSum is the sum of a slip: one that arithmetic proves, or any.
func (found *tillSlip) slipSum(proven bool) (sums []money) {
	if found == nil || found.sum == nil || found.torn || proven && !found.goodsOK && !found.paidOK {
		return nil
	}
	at := found.sum.place
	return []money{{foundAs(found.read.candidateOf(at, found.read.tokens[at]), labelTotal), found.sum.amount}}
}

// addEvidence marks the names that stand where tills print the shop, in the first lines and before any price, and
// those below the goods.
func (found *tillSlip) addEvidence(names []partyName) {
	if found == nil {
		return
	}
	until := maxShopLine + 1
	if priced := slices.IndexFunc(found.lines, func(line slipLine) bool { return line.priced }); priced >= 0 {
		until = min(until, found.lines[priced].line)
	}
	first := found.read.cell(place{}).Text
	street := streetStart().MatchString(first) || streetEnd().MatchString(first)
	for index, name := range names {
		words := strings.Fields(name.key)
		greets := len(words) == 0 || inList("slip greetings", words[0]) || titleLexicon()[words[len(words)-1]] == KindReceipt
		names[index].add(!street && !greets && name.at.line < until, shopLine)
		names[index].add(found.isBelowGoods(name.at) && name.evidence&addressLine == 0, belowGoods)
	}
}

// isBelowGoods tells places at the first of the goods of a slip or behind it: no shop is named there.
func (found *tillSlip) isBelowGoods(at place) bool {
	if found.sum == nil || len(found.goods) == 0 {
		return false
	}
	first := found.goods[0]
	return at.page > first.page || at.page == first.page && at.line >= first.line
}

// maxShopLine is the line, from 0, that names the shop at the latest.
const maxShopLine = 2

// monthFirstMoney are the currencies of countries that write the month first, or either.
var monthFirstMoney = strings.Fields("USD CAD PHP")

// setDateOrderByCurrency has the day first in dates of a receipt over the money of a country that writes so.
func (result *extraction) setDateOrderByCurrency() {
	read := result.form
	if read.order == value.UnknownOrder && read.money != "" && !slices.Contains(monthFirstMoney, read.money) {
		read.order = value.DayFirst
	}
}

// setSlipDateAndTime sets the day and the time. A day that may be read two ways stays as written
// behind a label, where a warning asks for it; without one it is left out.
func (result *extraction) setSlipDateAndTime(found *tillSlip) {
	read := result.form
	day, line, timed := found.findDateOnLineWithTime()
	if timed && !day.Ambiguous && !result.hasField("date") {
		result.setField("date", day.ISO, read.source(line.place))
	}
	if timed && result.values["date"] == day.ISO {
		match := clockTime().FindStringSubmatch(read.line(line.place).Text())
		result.setField("time", value.TimeOf(match[1]), read.source(line.place))
	}
	result.setSoleDate()
	if text := result.textField("date"); len(text) > 4 && text[4] != '-' && result.sources["date"].Label == "" {
		delete(result.values, "date")
		delete(result.sources, "date")
	}
}

// setSlipGoods sets the goods, unless some have no name.
func (result *extraction) setSlipGoods(found *tillSlip) {
	var items itemList
	for _, line := range found.goods {
		if line.amount.Value < 0 && slices.Contains(labelLexicon()[strings.Join(line.words, " ")], labelDiscount) {
			continue // the discount is a field of its own
		}
		item := found.makeGoodsItem(line)
		if item == nil {
			return
		}
		items.addItem(item, result.form.source(line.place))
	}
	result.setList("line_items", items)
}

var (
	// timesName is how many before the name of goods: "2 x Formule midi".
	timesName = lazyregexp.New(`^(\d{1,3}) ?[xX×] ?(\pL.*)$`)
	// piecesOnly is a line that says only how many: "5 stk".
	piecesOnly = lazyregexp.New(`^\d+(?:[.,]\d+)? ?\pL{1,4}\.?$`)
)

// makeGoodsItem is a line of goods; how many and at what price may stand in it, above or below it.
func (found *tillSlip) makeGoodsItem(line slipLine) map[string]any {
	item := map[string]any{"amount": line.amount.Value}
	description, quantity, price := found.parseQuantityAndPrice(line.text, line.amount.Value)
	for _, step := range []int{-1, 1} {
		if _, many, each := found.parseQuantityAndPrice(found.adjacentText(line, step), line.amount.Value); quantity == 0 {
			quantity, price = many, each
		}
	}
	if countLetters(description) < 3 || piecesOnly().MatchString(description) { // the name stands above
		if description = found.adjacentText(line, -1); countLetters(description) < 3 {
			return nil
		}
	}
	if match := timesName().FindStringSubmatch(description); match != nil {
		many, _ := value.ParseAmount(match[1], value.Unknown)
		description, item["quantity"] = match[2], many.Value
	}
	item["description"] = description
	if quantity > 0 {
		item["quantity"], item["unit_price"] = quantity, price
	}
	return item
}

// parseQuantityAndPrice takes from a text how many goods there are and the price of one: two of its numbers that
// make the amount, as in "MASŁO EXTRA 2 x7,99".
func (found *tillSlip) parseQuantityAndPrice(text string, amount float64) (description string, quantity, price float64) {
	words := strings.Fields(text)
	for first, word := range words {
		// A weight has three decimals whatever the convention: "0,512" is no five hundred.
		many, isNumber := value.ParseAmount("0"+strings.TrimRight(word, "xX×*"), found.read.numbers)
		for at := range words {
			one, _, _ := strings.Cut(words[at], "/") // "0.59/lb"
			each, priced := value.ParseAmount(strings.TrimLeft(one, "xX×*@"), found.read.numbers)
			if at == first || !isNumber || !priced || each.Decimals < 2 || !near(many.Value*each.Value, amount) {
				continue
			}
			rest := slices.DeleteFunc(slices.Clone(words), func(other string) bool {
				return other == word || other == words[at] || inList("slip count marks", normalizeWord(other))
			})
			return strings.Join(rest, " "), many.Value, each.Value
		}
	}
	return strings.TrimSpace(text), 0, 0
}

// adjacentText is the text of the line above or below one of goods, where it is none of goods itself.
func (found *tillSlip) adjacentText(line slipLine, step int) string {
	at := slices.IndexFunc(found.lines, func(other slipLine) bool { return other.place == line.place }) + step
	if at < 0 || at >= len(found.lines) || found.lines[at].priced && found.lines[at].kind != slipOther {
		return ""
	}
	return strings.TrimSpace(found.read.line(found.lines[at].place).Text())
}
