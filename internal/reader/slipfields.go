package reader

import (
	"slices"
	"strings"

	"toolkit/internal/lazyregexp"
	"toolkit/internal/reader/value"
)

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
