package reader

import (
	"strings"

	"toolkit/internal/reader/value"
)

// acknowledgement is the sentence of a receipt that says from whom which sum was received:
// "Hemos recibido de Lucía Ferrer la cantidad de 45,00 €".
type acknowledgement struct {
	from   string
	amount value.Amount
	source Source
}

func (read *form) acknowledgement() (said acknowledgement, ok bool) {
	for at := range read.lines(1, headingLines) {
		tokens := append(read.lineTokens(at.page, at.line), read.lineTokens(at.page, at.line+1)...)
		_, from := span(tokens, wordSets()["slip received from"])
		until, sum := span(tokens, wordSets()["slip the sum of"])
		if from == 0 || until < from {
			continue
		}
		for end := min(len(tokens), sum+3); end > sum && !ok; end-- {
			said.amount, ok = value.ParseAmount(strings.TrimRight(rawText(tokens[sum:end]), ".,;"), read.numbers)
			ok = ok && said.amount.Marked()
		}
		said.from = strings.Trim(rawText(tokens[from:until]), " ,;")
		said.source = read.source(at)
		return said, ok
	}
	return said, false
}

// lineTokens are the tokens of all cells of a line; none where there is no such line.
func (read *form) lineTokens(pageIndex, lineIndex int) (tokens []token) {
	if lineIndex >= len(read.pages[pageIndex].Lines) {
		return nil
	}
	for cellIndex := range read.pages[pageIndex].Lines[lineIndex].Cells {
		tokens = append(tokens, read.tokens[place{pageIndex, lineIndex, cellIndex}]...)
	}
	return tokens
}

// span is where the first of the phrases stands among tokens; its end is 0 for none.
func span(tokens []token, phrases map[string]bool) (start, end int) {
	for start := range tokens {
		phrase := ""
		for end := start; end < min(len(tokens), start+6); end++ {
			if phrase = strings.TrimSpace(phrase + " " + tokens[end].norm); phrases[phrase] {
				return start, end + 1
			}
		}
	}
	return 0, 0
}

// acknowledged sets who paid and what, where a sentence says it.
func (result *extraction) acknowledged() {
	said, ok := result.form.acknowledgement()
	if !ok {
		return
	}
	if !result.has("amount") {
		result.set("amount", said.amount.Value, said.source)
		if said.amount.Currency != "" {
			result.set("currency", said.amount.Currency, said.source)
		}
	}
	if words := len(strings.Fields(said.from)); !result.has("customer_name") && words > 0 && words <= 6 && wordDigits(said.from) == 0 {
		result.set("customer_name", said.from, said.source)
	}
}
