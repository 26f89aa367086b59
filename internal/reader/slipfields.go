package reader

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"toolkit/internal/reader/pattern"
	"toolkit/internal/reader/value"
)

// slipFields sets what the slip of a till says. A sum that its own payments contradict is
// left out, and everything that hangs on it.
func (result *extraction) slipFields() {
	found := result.form.slip()
	if found == nil {
		return
	}
	result.acknowledged()
	result.shop(found)
	result.slipDate(found)
	if found.sum == nil || found.torn || result.has("amount") && !found.goodsOK && !found.paidOK {
		return
	}
	whole := found.sum.amount.Value
	if before, known := result.values["amount"].(float64); known && !near(before, whole) {
		result.drop("tax", "subtotal", "amount_due", "prepaid", "shipping", "discount")
	}
	result.set("amount", whole, found.sum.source)
	goods := 0.0
	for _, line := range found.goods {
		goods += line.amount.Value
	}
	if found.goodsOK && near(goods, whole) { // what is added is among the goods
		result.drop("shipping")
	}
	result.slipTax(found, whole)
	if tax, _ := result.values["tax"].(float64); tooMuchTax(tax, whole) {
		result.drop("tax", "subtotal")
	}
	result.slipCurrency(found)
	if !result.has("line_items") && found.goodsOK {
		result.slipGoods(found)
	}
	paid := slices.IndexFunc(found.lines, func(line slipLine) bool {
		return line.kind == slipPaid && line.priced && len(line.words) > 0 && countLetters(line.text) > 1
	})
	if paid >= 0 && !result.has("payment_method") {
		result.set("payment_method", strings.Trim(found.lines[paid].text, " :"), found.lines[paid].source)
	}
}

// shop sets who sold: the first line of the paper that can be a name, before any price.
func (result *extraction) shop(found *slip) {
	if result.has("vendor_name") {
		return
	}
	read := result.form
	for _, line := range found.lines[:min(len(found.lines), 8)] {
		text := firstPart(read.cell(line.place).Text)
		if line.priced || line.page > 0 {
			return
		}
		_, dated := read.dateIn(line.text)
		if dated || len(line.words) == 0 || inList("slip greetings", line.words[0]) || isTitle(text) || saysTitle(text) && !hasCompanySuffix(text) || titleLexicon()[line.words[len(line.words)-1]] == KindReceipt { // "Taxi receipt"
			continue
		}
		if read.isLabel(line.place) && !hasCompanySuffix(text) {
			return // the head of the paper is over
		}
		if name := read.shopName(text, line); name != "" {
			result.set("vendor_name", name, line.source)
		}
		return
	}
}

// shopName is the name in a line of a till, "" for an address: small letters are a brand's, and
// an address may follow on the line.
func (read *form) shopName(text string, line slipLine) string {
	dots := initials().FindString(text)
	text = strings.TrimSuffix(text, dots)
	if before, rest, ok := strings.Cut(text, ", "); ok && wordDigits(rest) > 0 {
		text = before
	}
	upper := read.nameText(candidate{text: strings.ToUpper(text), at: line.place})
	switch {
	case upper == "", len(read.line(line.place).Cells) > 1 && wordDigits(line.text) > 0, streetEnd().MatchString(text), addressEnd().MatchString(text):
		return ""
	case upper != strings.ToUpper(text):
		return upper + dots
	}
	return text + dots
}

// initials are those of a legal form at the end of a name: "S.C.".
var initials = pattern.New(` (?:\pL\.){2,4}$`)

// slipDate sets the day and the time. A day that may be read two ways stays as written
// behind a label, where a warning asks for it; without one it is left out.
func (result *extraction) slipDate(found *slip) {
	read := result.form
	if read.order == value.UnknownOrder {
		read.order = read.orderOfPlace()
		result.drop("date")
		result.field("date", (*form).dateText, labelDate, labelPurchaseDate, labelInvoiceDate)
	}
	day, line, timed := found.moment()
	if timed && !day.Ambiguous && !result.has("date") {
		result.set("date", day.ISO, line.source)
	}
	if timed && result.values["date"] == day.ISO {
		match := clockTime().FindStringSubmatch(read.line(line.place).Text())
		result.set("time", value.TimeOf(match[1]), line.source)
	}
	result.onlyDate()
	if text, _ := result.values["date"].(string); len(text) > 4 && text[4] != '-' && result.sources["date"].Label == "" {
		result.drop("date")
	}
}

func (result *extraction) drop(keys ...string) {
	for _, key := range keys {
		delete(result.values, key)
		delete(result.sources, key)
	}
}

// monthFirstMoney are the currencies of countries that write the month first, or either.
var monthFirstMoney = strings.Fields("USD CAD PHP")

// orderOfPlace is how a till writes dates: the month first where its address ends in the letters
// of an American state, the day first where the money is of another country.
func (read *form) orderOfPlace() value.Order {
	if read.money != "" && !slices.Contains(monthFirstMoney, read.money) {
		return value.DayFirst
	}
	for _, line := range read.lines(1, 10) {
		words := strings.Fields(strings.TrimRight(line.Text(), ".0123456789- "))
		if last := len(words) - 1; last > 0 && words[last] == strings.ToUpper(words[last]) && inList("slip american states", strings.ToLower(words[last])) && read.money != "" {
			return value.MonthFirst
		}
	}
	return value.UnknownOrder
}

func (result *extraction) slipCurrency(found *slip) {
	code, source := found.sum.amount.Currency, found.sum.source
	if code == "" || found.sum.amount.Sign == "$" && result.form.money != "" {
		code, source = result.form.money, Source{}
	} else if found.sum.amount.Sign == "$" {
		code = result.form.dollar
	}
	result.set("currency", code, source)
}

// slipGoods sets the goods, unless some have no name.
func (result *extraction) slipGoods(found *slip) {
	var items listed
	for _, line := range found.goods {
		if line.amount.Value < 0 && slices.Contains(labelLexicon()[strings.Join(line.words, " ")], labelDiscount) {
			continue // the discount is a field of its own
		}
		item := found.goodsItem(line)
		if item == nil {
			return
		}
		items.add(item, line.source)
	}
	result.setList("line_items", items)
}

// counted is a till's line "2 @ 1.50" or "0,512 kg x 2,99 EUR/kg".
type counted struct{ quantity, price float64 }

var (
	countedLine = pattern.New(`^(\d+(?:[.,]\d+)?)\s*(?:\pL{1,5}\.?)?\s*[@xX×*]\s*(?:[$€£]|EUR)?\s*(\d+[.,]\d{2,3})\s*(?:[$€£]|EUR|CHF)?\s*(?:/\s*\pL+)?$`)
	// timesName is how many before the name of goods: "2 x Formule midi".
	timesName = pattern.New(`^(\d{1,3}) ?[xX×] ?(\pL.*)$`)
	// piecesOnly is a line that says only how many: "5 stk".
	piecesOnly = pattern.New(`^\d+(?:[.,]\d+)? ?\pL{1,4}\.?$`)
)

func countedOf(text string, numbers value.Convention) counted {
	match := countedLine().FindStringSubmatch(strings.TrimSpace(text))
	if match == nil {
		return counted{}
	}
	// A weight has three decimals whatever the convention: "0,512" is no five hundred.
	quantity, known := value.ParseAmount("0"+match[1], numbers)
	price, ok := value.ParseAmount(match[2], numbers)
	if !known || !ok {
		return counted{}
	}
	return counted{quantity.Value, price.Value}
}

// goodsItem is a line of goods; how many and at what price may stand in it, above or below it.
func (found *slip) goodsItem(line slipLine) map[string]any {
	item := map[string]any{"amount": line.amount.Value}
	description, many := found.parted(line)
	for _, step := range []int{-1, 1} {
		own := countedOf(found.beside(line, step), found.read.numbers)
		if near(own.quantity*own.price, line.amount.Value) && (step < 0 || many.quantity == 0) {
			many = own
		}
	}
	if countLetters(description) < 2 || piecesOnly().MatchString(description) { // the name stands above
		if description = found.beside(line, -1); countLetters(description) < 3 {
			return nil
		}
	}
	if match := timesName().FindStringSubmatch(description); match != nil {
		quantity, _ := value.ParseAmount(match[1], value.Unknown)
		description, item["quantity"] = match[2], quantity.Value
	}
	item["description"] = description
	if many.quantity > 0 {
		item["quantity"], item["unit_price"] = many.quantity, many.price
	}
	return item
}

// parted takes from the words of a line what counts the goods: two of them that make the amount,
// as in "MASŁO EXTRA 2 x7,99".
func (found *slip) parted(line slipLine) (description string, many counted) {
	if many = countedOf(line.text, found.read.numbers); many.quantity > 0 && near(many.quantity*many.price, line.amount.Value) {
		return "", many
	}
	words := strings.Fields(line.text)
	for first, word := range words {
		quantity, whole := value.ParseAmount("0"+strings.TrimRight(word, "xX×*"), found.read.numbers)
		for at := range words {
			price, priced := value.ParseAmount(strings.TrimLeft(words[at], "xX×*@"), found.read.numbers)
			if at == first || !whole || !priced || price.Decimals != 2 || !near(quantity.Value*price.Value, line.amount.Value) {
				continue
			}
			rest := slices.DeleteFunc(slices.Clone(words), func(other string) bool {
				return other == word || other == words[at] || inList("slip count marks", normalised(other))
			})
			return strings.Join(rest, " "), counted{quantity.Value, price.Value}
		}
	}
	return strings.TrimSpace(strings.Join(line.name, " ")), counted{}
}

// beside is the text of the line above or below one of goods, where it has no amount.
func (found *slip) beside(line slipLine, step int) string {
	at := slices.IndexFunc(found.lines, func(other slipLine) bool { return other.place == line.place }) + step
	if at < 0 || at >= len(found.lines) {
		return ""
	}
	other := found.lines[at]
	text := strings.TrimSpace(found.read.line(other.place).Text())
	if other.priced && countedOf(text, found.read.numbers).quantity == 0 {
		return ""
	}
	return text
}

var ratePrinted = pattern.New(`(\d{1,2}(?:[.,]\d{1,2})?)\s?%`)

func rateIn(text string) (float64, bool) {
	match := ratePrinted().FindStringSubmatch(text)
	if match == nil {
		return 0, false
	}
	rate, err := strconv.ParseFloat(strings.ReplaceAll(match[1], ",", "."), 64)
	return rate, err == nil && rate > 0 && rate < 40
}

// slipTax sets the tax: the table of rates that makes the sum, what the sum is above the net
// one, or a named tax of a printed rate.
func (result *extraction) slipTax(found *slip, whole float64) {
	if net, tax, source, ok := found.taxTable(whole); ok {
		result.set("tax", tax, source)
		result.set("subtotal", net, source)
		return
	}
	var taxes, nets []slipLine
	sum := 0.0
	for _, line := range found.lines {
		switch {
		case line.kind == slipTax && line.priced && line.amount.Value < whole:
			taxes, sum = append(taxes, line), sum+line.amount.Value
		case line.kind == slipNet && line.priced:
			nets = append(nets, line)
		}
	}
	for _, net := range nets {
		between := whole - sum - net.amount.Value // a tip
		_, printed := result.form.lastAmount(between)
		if len(taxes) > 0 && sum > 0 && (near(between, 0) || printed && between > 0) {
			result.set("tax", cents(sum), taxes[0].source)
			result.set("subtotal", net.amount.Value, net.source)
			return
		}
	}
	if len(taxes) != 1 {
		return
	}
	tax := taxes[0]
	rate, rated := rateIn(tax.text)
	share := tax.amount.Value / (whole - tax.amount.Value)
	if rated && math.Abs(whole*rate/(100+rate)-tax.amount.Value) < 0.02 || !rated && len(tax.figures) == 1 && share > 0.01 && share < 0.28 {
		result.set("tax", tax.amount.Value, tax.source)
	}
}

// taxTable adds up the lines of a table of rates: each has a base and a tax of its rate.
func (found *slip) taxTable(whole float64) (net, tax float64, source Source, ok bool) {
	for _, line := range found.lines {
		rate, rated := rateIn(found.read.line(line.place).Text())
		for _, base := range line.figures {
			at := slices.IndexFunc(line.figures, func(of float64) bool { return of < base && math.Abs(base*rate/100-of) < 0.011 })
			if at < 0 || !rated {
				continue
			}
			if net == 0 {
				source = line.source
			}
			net, tax = net+base, tax+line.figures[at]
			break
		}
	}
	return cents(net), cents(tax), source, tax > 0 && near(net+tax, whole)
}
