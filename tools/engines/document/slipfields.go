package document

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"toolkit/tools/engines/document/pattern"
	"toolkit/tools/engines/document/value"
)

// slipFields sets what the slip of a till says. A sum that its own payments contradict is
// left out, and everything that hangs on it.
func (result *extraction) slipFields(found *slip) {
	result.acknowledged()
	result.shop(found)
	result.slipDate(found)
	if found.sum == nil || found.torn {
		return
	}
	whole := found.sum.amount.Value
	if result.has("amount") && !found.goodsOK && !found.paidOK {
		return
	}
	if before, known := result.values["amount"].(float64); known && !near(before, whole) {
		result.drop("tax", "subtotal", "amount_due", "prepaid", "shipping", "discount")
	}
	result.set("amount", whole, found.sum.source)
	if found.goodsOK && near(found.goodsSum(), whole) { // what is added is among the goods
		result.drop("shipping")
	}
	result.slipTax(found, whole)
	if tax, _ := result.values["tax"].(float64); tax > 0.28*(whole-tax) { // no country takes as much
		result.drop("tax", "subtotal")
	}
	result.slipCurrency(found)
	if !result.has("line_items") {
		result.slipGoods(found)
	}
	if !result.has("payment_method") {
		result.slipPayment(found)
	}
}

// provenSum sets the sum and the day of a paper of no known kind, where what was paid proves it.
func (result *extraction) provenSum() {
	found := result.form.slip()
	if found == nil || found.sum == nil || found.torn || !found.paidOK {
		return
	}
	result.set("amount", found.sum.amount.Value, found.sum.source)
	result.slipCurrency(found)
	result.slipDate(found)
}

// shop sets who sold: the first line of the paper that can be a name, before any price.
func (result *extraction) shop(found *slip) {
	if result.has("vendor_name") {
		return
	}
	read := result.form
	for _, line := range found.lines[:min(len(found.lines), 8)] {
		next := read.candidateOf(line.place, read.tokens[line.place])
		if line.priced || line.page > 0 {
			return
		}
		if _, dated := read.dateIn(line.text); dated || len(line.words) == 0 || inList("slip greetings", line.words[0]) || isTitle(next.text) {
			continue
		}
		if _, titled := titleOf(next.text); titled || titleLexicon()[line.words[len(line.words)-1]] == KindReceipt { // "Taxi receipt"
			continue
		}
		if read.isLabel(next.at) && !hasCompanySuffix(next.text) {
			return // the head of the paper is over
		}
		next.text, next.tokens = firstPart(read.cell(next.at).Text), nil
		dots := initials().FindString(next.text)
		next.text = strings.TrimSuffix(next.text, dots)
		if before, rest, ok := strings.Cut(next.text, ", "); ok && wordDigits(rest) > 0 {
			next.text = before // an address follows on the line
		}
		name := next.text
		next.text = strings.ToUpper(name) // small letters are a brand's
		if next.text = read.nameText(next); next.text != strings.ToUpper(name) {
			name = next.text
		}
		if name == "" || len(read.line(line.place).Cells) > 1 && wordDigits(line.text) > 0 || streetEnd().MatchString(name) || addressEnd().MatchString(name) {
			return
		}
		result.set("vendor_name", name+dots, line.source)
		return
	}
}

// initials are those of a legal form at the end of a name: "S.C.".
var initials = pattern.New(` (?:\pL\.){2,4}$`)

// moment is the day of a slip that has a time beside it; days with different ones are none.
func (found *slip) moment() (day value.Date, line slipLine, ok bool) {
	for _, next := range found.lines {
		text := found.read.line(next.place).Text()
		date, dated := found.read.dateIn(text)
		if !dated || !clockTime().MatchString(text) {
			continue
		}
		if ok && date.String() != day.String() {
			return value.Date{}, slipLine{}, false
		}
		day, line, ok = date, next, true
	}
	return day, line, ok
}

// slipDate sets the day and the time. A day that may be read two ways stays as written
// behind a label, where a warning asks for it; without one it is left out.
func (result *extraction) slipDate(found *slip) {
	read := result.form
	if read.order == value.UnknownOrder {
		read.order = found.order()
	}
	if text, ok := result.values["date"].(string); ok {
		if date, _ := value.ParseDate(text, read.order); date.ISO != "" {
			result.values["date"] = date.ISO
		}
	}
	day, line, timed := found.moment()
	if timed && !day.Ambiguous && !result.has("date") {
		result.set("date", day.ISO, line.source)
	}
	if timed && result.values["date"] == day.ISO {
		if match := clockTime().FindStringSubmatch(read.line(line.place).Text()); match != nil {
			if clock := value.TimeOf(match[1]); clock != "" {
				result.set("time", clock, line.source)
			}
		}
	}
	result.onlyDate("date")
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

// order is how dates are read where the paper's language does not tell: dollars beside the
// letters of an American state put the month first, other currencies the day.
func (found *slip) order() value.Order {
	money := found.read.money
	if money == "" && found.sum != nil {
		money = found.sum.amount.Currency
	}
	for _, line := range found.lines {
		if line.kind == slipTax && slices.ContainsFunc(line.words, dayFirstTax) {
			return value.DayFirst
		}
	}
	switch money {
	case "":
		return value.UnknownOrder
	case "USD", "CAD", "PHP":
		for _, line := range found.lines[:min(len(found.lines), 10)] {
			words := strings.Fields(strings.TrimRight(line.text, ".0123456789- "))
			if len(words) > 1 && words[len(words)-1] == strings.ToUpper(words[len(words)-1]) && inList("slip american states", strings.ToLower(words[len(words)-1])) {
				return value.MonthFirst
			}
		}
		return value.UnknownOrder
	}
	return value.DayFirst
}

// dayFirstTax tells names of the tax in countries that write the day first.
func dayFirstTax(word string) bool {
	return inList("tax words", word) && word != "tax" && word != "taxes" && word != "gst"
}

func (result *extraction) slipCurrency(found *slip) {
	code, source := found.sum.amount.Currency, found.sum.source
	if code == "" || found.sum.amount.Sign == "$" && result.form.money != "" {
		code, source = result.form.money, Source{}
	} else if found.sum.amount.Sign == "$" {
		code = result.form.dollar
	}
	if code != "" {
		result.set("currency", code, source)
	}
}

// slipGoods sets the goods when together they are the sum.
func (result *extraction) slipGoods(found *slip) {
	if !found.goodsOK {
		return
	}
	var items listed
	for _, line := range found.goods {
		if line.amount.Value < 0 && slices.Contains(labelLexicon()[strings.Join(line.words, " ")], labelDiscount) {
			continue // the discount is a field of its own
		}
		item := found.goodsItem(line)
		if item == nil {
			return // some have no name
		}
		items.add(item, line.source)
	}
	result.setList("line_items", items)
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

// timesName is how many before the name of goods: "2 x Formule midi".
var timesName = pattern.New(`^(\d{1,3}) ?[xX×] ?(\pL.*)$`)

// parted takes from the words of a line what counts the goods: "MASŁO EXTRA 2 x7,99".
func (found *slip) parted(line slipLine) (description string, many counted) {
	words := strings.Fields(line.text)
	for start := range words {
		for end := len(words); end > start; end-- {
			if start > 0 && end < len(words) {
				break // it stands first or last
			}
			own := countedOf(strings.Join(words[start:end], " "), found.read.numbers)
			if own.quantity > 0 && near(own.quantity*own.price, line.amount.Value) {
				return strings.Join(slices.Concat(words[:start], words[end:]), " "), own
			}
		}
	}
	for first, word := range words {
		quantity, whole := value.ParseAmount(strings.TrimRight(word, "xX×*"), value.Unknown)
		for at := range words {
			price, priced := value.ParseAmount(strings.TrimLeft(words[at], "xX×*@"), found.read.numbers)
			if at == first || !whole || quantity.Decimals > 0 || !priced || price.Decimals != 2 || !near(quantity.Value*price.Value, line.amount.Value) {
				continue
			}
			rest := slices.DeleteFunc(slices.Clone(words), func(other string) bool {
				return other == word || other == words[at] || inList("slip count marks", other)
			})
			return strings.Join(rest, " "), counted{quantity.Value, price.Value}
		}
	}
	return strings.TrimSpace(strings.Join(line.name, " ")), many
}

// piecesOnly is a line that says only how many: "5 stk".
var piecesOnly = pattern.New(`^\d+(?:[.,]\d+)? ?\pL{1,4}\.?$`)

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

func (result *extraction) slipPayment(found *slip) {
	for _, line := range found.lines {
		if line.kind == slipPaid && line.priced && len(line.words) > 0 && countLetters(line.text) > 1 {
			result.set("payment_method", strings.Trim(line.text, " :"), line.source)
			return
		}
	}
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
		if !rated || len(line.figures) < 2 {
			continue
		}
		for _, base := range line.figures {
			at := slices.IndexFunc(line.figures, func(of float64) bool { return of < base && math.Abs(base*rate/100-of) < 0.011 })
			if at < 0 {
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
