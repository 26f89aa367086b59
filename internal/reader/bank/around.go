package bank

import (
	"maps"
	"slices"
	"strings"

	"toolkit/internal/lazyregexp"
	"toolkit/internal/reader/value"
)

// surroundings are what the lines above and below a list say of its account.
type surroundings struct {
	fields   Fields
	iban     string
	span     value.Span
	order    value.DateOrder
	evidence int // things that only stand around lists of an account
}

// readLinesAroundTable reads lines of names and values: "Kontostand vom 01.03.2026:", "1.234,56 EUR".
// The lines below are read for the currency alone.
func readLinesAroundTable(lines, below [][]string) surroundings {
	around := surroundings{fields: Fields{}}
	around.order = value.OrderOf(slices.Concat(lines...))
	for _, line := range lines {
		if match := twoBalances().FindStringSubmatch(strings.Join(line, "")); match != nil {
			around.readAccountFieldsFromLine(splitCellsIntoLabelAndValue(match[1:2]))
			line = match[2:]
		}
		around.readAccountFieldsFromLine(splitCellsIntoLabelAndValue(line))
	}
	if currencies := currenciesIn(append(lines[:len(lines):len(lines)], below...)); len(currencies) == 1 {
		around.fields.setIfAbsent(Currency, slices.Collect(maps.Keys(currencies))[0])
	}
	return around
}

// twoBalances are names with an amount each in one cell.
var twoBalances = lazyregexp.New(`^([^:]+:[^\pL:]*\d[.,]\d\d(?: [A-Z]{3}\b| ?[€£$])?)\s+(\pL[^:]*:.*\d)`)

// simplified are signs that only mainland China writes so. Taiwan calls its dollar 元 as well.
const simplified = "账户额币笔录转类时间单号"

// currenciesIn are the currencies that stand alone in a cell or between dashes, and those of
// amounts, whatever the words beside them.
func currenciesIn(lines [][]string) map[string]bool {
	found := map[string]bool{}
	for _, line := range lines {
		for _, cell := range splitCellsIntoLabelAndValue(line) {
			for part := range strings.FieldsFuncSeq(cell, func(character rune) bool { return strings.ContainsRune("-()（）：", character) }) {
				if code, ok := value.CurrencyOf(strings.Trim(part, " []")); ok && !value.IsWordLikeCurrencyCode(code) && code != "" && !slices.Contains([]string{"$", "¥"}, part) {
					found[code] = true
				}
			}
			for _, part := range append(strings.Split(cell, "-"), strings.Fields(cell)...) {
				amount, ok := value.ParseAmount(part, value.Comma)
				switch {
				case !ok:
				case amount.StatedCurrency() != "":
					found[amount.StatedCurrency()] = true
				case amount.Sign == "元" && strings.ContainsAny(strings.Join(slices.Concat(lines...), ""), simplified):
					found["CNY"] = true
				}
			}
		}
	}
	return found
}

// tornNumber is a name with a number that the commas between its thousands parted into cells.
var tornNumber = lazyregexp.New(`^[^\d:]+:[^\d,]*\d{1,3}(?:,\d{3})+(?:\.\d\d)?,*$`)

// splitCellsIntoLabelAndValue are the filled cells of a line; a cell of a name and a value is two.
func splitCellsIntoLabelAndValue(line []string) []string {
	var cells []string
	if whole := strings.Join(line, ","); tornNumber().MatchString(whole) {
		line = []string{strings.TrimRight(whole, ",")}
	}
	for _, cell := range line {
		cell = stripTextMarks(cell)
		name, said, named := strings.Cut(cell, ":")
		if days := value.FindDates(cell, value.UnknownOrder); len(days) == 1 && isMoneyCell(cell[days[0].End:]) { // "Solde au 27/02/2026 2 415,77 €"
			name, said, named = cell[:days[0].End], cell[days[0].End:], true
		}
		if !named || strings.Trim(said, " ") == "" || strings.ContainsAny(name, "0123456789") && value.TimeOf(cell) != "" {
			name, said = strings.TrimSuffix(strings.TrimSpace(cell), ":"), ""
		}
		for _, part := range []string{name, said} {
			if part = strings.TrimSpace(part); part != "" {
				cells = append(cells, part)
			}
		}
	}
	return cells
}

func (around *surroundings) readAccountFieldsFromLine(cells []string) {
	if len(cells) == 0 {
		return
	}
	for _, cell := range cells {
		for part := range strings.FieldsFuncSeq(cell, func(character rune) bool { return character == '/' || character == ',' }) {
			if number, ok := value.ParseIBAN(part); ok && around.iban == "" {
				around.iban = number
				around.fields.setIfAbsent(AccountIBAN, number)
				around.evidence++
			}
		}
	}
	label, rest := stripLabelDate(cells[0]), cells[1:]
	days := value.FindDates(strings.Join(cells, " "), around.order)
	switch kind := matchBalanceLabel(cells[0]); {
	case kind == "opening":
		around.setBalance(OpeningBalance, rest)
	case kind == "closing":
		around.setBalance(ClosingBalance, rest)
	case kind == "available":
		around.setBalance("available_balance", rest)
	case kind == "standing":
		if around.setBalance(Balance, rest) && len(days) == 1 {
			around.fields.setIfAbsent("balance_date", days[0].String())
		}
	case len(days) == 2 && !days[0].Ambiguous && !days[1].Ambiguous && (slices.ContainsFunc(cells, func(cell string) bool { return hasListedPrefix("period", cell) }) || len(cells) == 1):
		around.span = value.Span{Start: min(days[0].ISO, days[1].ISO), End: max(days[0].ISO, days[1].ISO)}
		around.fields.setIfAbsent(PeriodStart, around.span.Start)
		around.fields.setIfAbsent(PeriodEnd, around.span.End)
	case len(rest) == 0:
	case isListedWord("number", label):
		around.fields.setIBANOrAccountNumber(rest[0], AccountIBAN, AccountNumber)
	case hasListedPrefix("holder", label) && !strings.ContainsAny(rest[0], "0123456789"):
		around.fields.setIfAbsent(Holder, rest[0])
	}
}

// matchBalanceLabel returns the list that names what a label calls a balance, "" when it names none: by
// itself, or by a word for a balance and one for its beginning or its end.
func matchBalanceLabel(label string) string {
	lists := []string{"opening", "closing", "available", "standing", "turnover"}
	isNoun := func(word string) bool { return isListedWord("balance nouns", word) }
	if !slices.ContainsFunc(lists, func(list string) bool { return hasListedPrefix(list, label) }) && !slices.ContainsFunc(strings.Fields(normalizeText(label)), isNoun) {
		return ""
	}
	label = stripLabelDate(label)
	for _, list := range lists {
		if isListedWord(list, label) {
			return list
		}
	}
	noun, opening, closing := false, false, false
	for word := range strings.FieldsSeq(label) {
		switch {
		case isNoun(word):
			noun = true
		case isListedWord("opening words", word):
			opening = true
		case isListedWord("closing words", word):
			closing = true
		case !isListedWord("balance qualities", word):
			return ""
		}
	}
	switch {
	case !noun || opening && closing:
		return ""
	case opening:
		return "opening"
	case closing:
		return "closing"
	}
	return "standing"
}

// hasListedPrefix tells whether a label is one of the words of a list, or begins with one.
func hasListedPrefix(list, label string) bool {
	parts := strings.Fields(normalizeText(label))
	for length := min(len(parts), 4); length > 0; length-- {
		if words()[list][strings.Join(parts[:length], " ")] {
			return true
		}
	}
	return false
}

// stripLabelDate returns a label without the day it is of: "Kontostand vom 01.03.2026" → "kontostand".
func stripLabelDate(label string) string {
	if days := value.FindDates(label, value.UnknownOrder); len(days) > 0 {
		label = label[:days[0].Start]
	}
	words := strings.Fields(normalizeText(label))
	for len(words) > 1 && slices.Contains([]string{"vom", "am", "per", "on", "at", "as", "of", "au", "le", "al", "a", "op", "na", "dzien", "den", "from"}, words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	return strings.Join(words, " ")
}

// setBalance keeps the first amount of the cells.
func (around *surroundings) setBalance(name string, cells []string) bool {
	for _, cell := range cells {
		for _, numbers := range []value.NumberConvention{value.ColumnConvention(cells), value.Unknown} {
			amount, ok := value.ParseAmount(cell, numbers)
			if !ok {
				continue
			}
			around.fields.setIfAbsent(name, amount.Value)
			around.fields.setIfAbsent(Currency, amount.StatedCurrency())
			around.evidence++
			return true
		}
	}
	return false
}
