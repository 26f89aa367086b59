package document

import (
	"strings"

	"toolkit/tools/engines/document/pattern"
	"toolkit/tools/engines/document/value"
)

// tillItems reads the goods of a till's receipt, which has no table's head: lines of a text
// and an amount with cents, down to the first sum. How many and at what price may stand on
// a line of its own above the goods' line, or below their name.
func (result *extraction) tillItems() {
	read := result.form
	var items listed
	for pageIndex, page := range read.pages[:min(len(read.pages), 3)] {
		var name string // of goods whose amount is on the next line
		var many counted
		for lineIndex, line := range page.Lines {
			if len(items.items) > 0 && read.isSum(&grid{columns: []gridColumn{{kind: columnText}}}, pageIndex, lineIndex, 1) {
				if result.addsUp(items.items) {
					result.setList("line_items", items)
				}
				return
			}
			item := read.tillItem(pageIndex, lineIndex)
			if item == nil {
				name, many = standalone(line), countedOf(standalone(line), read.numbers)
				continue
			}
			description, _ := item["description"].(string)
			if own := countedOf(description, read.numbers); own.quantity > 0 {
				if name == "" || countLetters(name) < 3 {
					continue // nothing says what it is
				}
				item["description"], many = name, own
			}
			if amount, _ := item["amount"].(float64); many.quantity > 0 && near(many.quantity*many.price, amount) {
				item["quantity"], item["unit_price"] = many.quantity, many.price
			}
			name, many = "", counted{}
			items.add(item, Source{Page: page.Number, Line: line.Number})
		}
	}
}

// addsUp tells whether goods can be those of the receipt's sums: together they are the net
// or the whole amount, or less where some were not read.
func (result *extraction) addsUp(items []map[string]any) bool {
	sum := 0.0
	for _, item := range items {
		amount, _ := item["amount"].(float64)
		sum += amount
	}
	total, hasTotal := result.values["amount"].(float64)
	subtotal, hasSubtotal := result.values["subtotal"].(float64)
	tax, _ := result.values["tax"].(float64)
	switch {
	case hasSubtotal && (near(sum, subtotal) || sum < subtotal):
		return true
	case hasTotal && (!hasSubtotal || near(subtotal+tax, total)):
		return near(sum, total) || sum < total
	}
	return !hasTotal && !hasSubtotal
}

// counted is a till's line "2 @ 1.50" or "0,512 kg x 2,99 EUR/kg".
type counted struct{ quantity, price float64 }

var countedLine = pattern.New(`^(\d+(?:[.,]\d+)?)\s*(?:\pL{1,5}\.?)?\s*[@xX×*]\s*(?:[$€£]|EUR)?\s*(\d+[.,]\d{2,3})\s*(?:[$€£]|EUR|CHF)?\s*(?:/\s*\pL+)?$`)

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

func (read *form) tillItem(pageIndex, lineIndex int) map[string]any {
	cells := read.pages[pageIndex].Lines[lineIndex].Cells
	if len(cells) < 2 || read.isLabel(place{pageIndex, lineIndex, 0}) {
		return nil
	}
	amount, ok := value.ParseAmount(withoutRateLetter(cells[len(cells)-1].Text), read.numbers)
	description := strings.TrimSpace(cells[0].Text)
	if !ok || amount.Decimals != 2 || countLetters(description) < 2 || read.labelWords(read.tokens[place{pageIndex, lineIndex, 0}]) {
		return nil
	}
	item := map[string]any{"description": description, "amount": amount.Value}
	if len(cells) == 3 {
		if quantity, _, ok := read.number(strings.TrimSpace(cells[1].Text)); ok {
			item["quantity"] = quantity
		}
	}
	return item
}
