package document

import (
	"strings"

	"toolkit/tools/engines/document/pattern"
	"toolkit/tools/engines/document/value"
)

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
