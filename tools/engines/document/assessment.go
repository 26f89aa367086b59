package document

import (
	"slices"
	"strings"
)

// Labels of papers of taxes; their wordings are in fixtures/words/documents/pay.txt.
const (
	labelTaxpayerID labelKind = "taxpayer_id"
	labelPayerID    labelKind = "payer_id"
	labelPrepaid    labelKind = "prepaid"
)

// taxPaper names a form that has no number by its title, and the office that sent it.
func (result *extraction) taxPaper() {
	read := result.form
	if title, _, ok := read.titled(taxTitles()); ok && !result.has("form") {
		result.set("form", title.text, Source{Page: title.page, Line: title.line})
	}
	names := map[string]Source{}
	for at, cell := range read.headCells() {
		name := strings.TrimSpace(firstPart(cell.Text))
		key := phraseKey(name)
		if len(strings.Fields(name)) < 8 && wordDigits(name) == 0 && !strings.Contains(name, ":") && slices.ContainsFunc(lists()["tax authorities"], func(start string) bool {
			return key == start || strings.HasPrefix(key, start+" ") || strings.HasPrefix(key, start+"-")
		}) {
			names[name] = read.source(at)
		}
	}
	if result.only("institution", names); len(names) == 0 {
		result.nameField("institution", labelInstitution)
	}
}

// assessed reads what an office reckoned: whose tax it is, how much, and by when it is due.
func (result *extraction) assessed() {
	read := result.form
	if !result.has("recipient_name") {
		result.addressed("recipient_name")
	}
	result.identifierField("taxpayer_id", labelTaxpayerID)
	result.identifierField("payer_id", labelPayerID)
	result.dateField("date", labelDate)
	result.dateField("due_date", labelDueDate)
	for key, kind := range map[string]labelKind{"tax": labelTax, "prepaid": labelPrepaid, "amount_due": labelAmountDue} {
		if item, ok := distinct(read.lastFigures(kind)); ok {
			result.set(key, item.Value, read.figureSource(item))
		}
	}
	result.currencyField(money{}, false)
}

// lastFigures are the amounts at the ends of the rows of a kind that have one amount. In a
// numbered box stands a part of the tax, but what is left to pay is the whole.
func (read *form) lastFigures(kind labelKind) (items []figure) {
	for found := range read.labelled(kind) {
		if kind != labelAmountDue && boxLabel().MatchString(read.cell(found.at).Text) {
			continue
		}
		if row := read.figures(found, true); len(row) == 1 {
			items = append(items, row[0])
		}
	}
	return items
}

// namedYear is the one year at the head that stands right behind words for a taxed year, or
// behind a title that is followed by it. A notice of another title names the year it was sent.
func (result *extraction) namedYear() {
	read := result.form
	years := map[string]Source{}
	for at := range read.headCells() {
		tokens := read.tokens[at]
		for start := range tokens {
			kinds, words := longestOf(read.own, tokens, start, longestOwn)
			_, titled := longestOf(yearTitles(), tokens, start, longestOwn)
			if !slices.Contains(kinds, labelTaxYear) {
				words = 0
			}
			if next := start + max(words, titled); next > start && next < len(tokens) && yearAlone().MatchString(tokens[next].norm) {
				years[tokens[next].norm] = read.source(at)
			}
		}
	}
	result.only("tax_year", years)
}
