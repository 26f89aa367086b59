package forget

import "testing"

func TestTheTextOfARowIsPlain(t *testing.T) {
	for text, want := range map[string]string{
		"user: a {brace} stays": "user: a {brace} stays",
		`transaction {"amount":-12.5,"counterparty":"Cafe","field_sources":{"amount":{"line":3,"page":1}},"value_date":"2025-03-15"}`: "transaction amount: -12.5, counterparty: Cafe, value date: 2025-03-15",
		`statement bank.csv: {"closing_balance":1318.5,"metadata":{"columns":7,"delim`:                                                "statement bank.csv: closing balance: 1318.5, ",
		`note {"tags":["a","b"],"text":"said \"no\""}`:                                                                                `note tags: a, b, text: said "no"`,
	} {
		if got := formatJSONForPeople(text); got != want {
			t.Errorf("%s is shown as %q, want %q", text, got, want)
		}
	}
}
