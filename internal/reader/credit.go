package reader

import (
	"strings"
)

// credits tells whether an invoice takes back what another asked for: its title says so; or says
// "Gutschrift", as invoices do that the customer writes, and it names the invoice or is negative.
func (read *form) credits(content *Content) bool {
	maybe := false
	for _, text := range titleLines(read.pages) {
		words := strings.Fields(phraseKey(text))
		for length := min(len(words), 3); length > 0; length-- {
			switch phrase := strings.Join(words[:length], " "); {
			case length < len(words) && words[length] != "no" && wordDigits(words[length]) == 0:
			case inList("words credit titles", phrase):
				return true
			case inList("words maybe credit titles", phrase):
				maybe = true
			}
		}
	}
	if !maybe {
		return false
	}
	result := extraction{content: content, form: read, values: map[string]any{}, sources: map[string]Source{}}
	result.sums()
	amount, _ := result.values["amount"].(float64)
	return amount < 0 || len(read.find(labelCredited, read.identifier)) > 0
}

// credit turns the amounts of a credit note around where it states them as an invoice does.
func (result *extraction) credit() {
	if amount, _ := result.values["amount"].(float64); amount <= 0 {
		return
	}
	for _, key := range []string{"subtotal", "tax", "amount", "amount_due", "prepaid"} {
		if number, is := result.values[key].(float64); is && number != 0 {
			result.values[key] = -number
		}
	}
	items, _ := result.values["line_items"].([]map[string]any)
	for _, item := range items {
		for _, key := range []string{columnQuantity, columnAmount} {
			if number, is := item[key].(float64); is && number > 0 {
				item[key] = -number
			}
		}
	}
}
