package reader

import (
	"math"
	"slices"
	"strings"

	"toolkit/internal/lazyregexp"
	"toolkit/internal/reader/layout"
	"toolkit/internal/reader/value"
)

// taxNumber is a number for value added tax as its country writes it.
var taxNumber = lazyregexp.New(`\b(?:ATU ?\d{8}|BE ?[01]?\d{3}[. ]?\d{3}[. ]?\d{3}|BG ?\d{9,10}|CHE-?\d{3}\.?\d{3}\.?\d{3}|CY ?\d{8}[A-Z]|CZ ?\d{8,10}|DE ?\d{3} ?\d{3} ?\d{3}|DK ?\d{2} ?\d{2} ?\d{2} ?\d{2}|EE ?\d{9}|EL ?\d{9}|ES ?[A-Z0-9]\d{7}[A-Z0-9]|FI ?\d{8}|FR ?[A-Z0-9]{2} ?\d{3} ?\d{3} ?\d{3}|GB ?\d{3} ?\d{4} ?\d{2}(?: ?\d{3})?|HR ?\d{11}|HU ?\d{8}|IE ?\d[A-Z0-9+*]\d{5}[A-Z]{1,2}|IT ?\d{11}|LT ?(?:\d{9}|\d{12})|LU ?\d{8}|LV ?\d{11}|MT ?\d{8}|NL ?\d{9}B\d{2}|NO ?\d{3} ?\d{3} ?\d{3} ?MVA|PL ?\d{3}-?\d{3}-?\d{2}-?\d{2}|PT ?\d{9}|RO ?\d{2,10}|SE ?\d{10}01|SI ?\d{8}|SK ?\d{10})\b`)

// setTaxNumbers sets the numbers for value added tax. One is the seller's unless it stands in the
// customer's block or is called the customer's; where two remain it cannot be told.
func (result *extraction) setTaxNumbers() {
	ours, theirs := map[string]Source{}, map[string]Source{}
	for at, line := range result.form.lines(every, every) {
		text, source := line.Text(), result.form.source(at)
		source.Label = "tax_id"
		for _, span := range taxNumber().FindAllStringIndex(text, -1) {
			before := text[:span[0]]
			if !hasTaxName(before) && !hasTaxName(text[span[1]:min(len(text), span[1]+8)]) {
				continue
			}
			number := strings.NewReplacer(" ", "", ".", "", "-", "").Replace(text[span[0]:span[1]])
			of := ours
			if hasCustomerWord(before) || result.isNearerToCustomerName(result.form.pages[at.page], line, text[span[0]:span[1]]) {
				of = theirs
			}
			if _, known := of[number]; !known {
				of[number] = source
			}
		}
	}
	result.setIfSingleValue("vendor_tax_id", ours)
	result.setIfSingleValue("customer_tax_id", theirs)
}

// setIfSingleValue sets a field that has no value yet and for which one was found; several contradict each other.
func (result *extraction) setIfSingleValue(key string, values map[string]Source) {
	if len(values) != 1 || result.hasField(key) {
		return
	}
	for text, source := range values {
		result.setField(key, text, source)
	}
}

// isNearerToCustomerName tells whether a text stands below the customer's name rather than below the
// seller's: in its column, and of names above each other the nearer one.
func (result *extraction) isNearerToCustomerName(page layout.Page, line layout.Line, text string) bool {
	left := leftOf(line, text)
	away := func(key string) float64 {
		of, known := result.sources[key]
		if !known || of.Page != page.Number || line.Number <= of.Line || line.Number-of.Line > blockLines {
			return math.Inf(1)
		}
		aside := 0.0
		for _, other := range page.Lines {
			if other.Number == of.Line {
				aside = abs(leftOf(other, result.textField(key))-left) / max(line.Size, 1)
			}
		}
		if aside > 12 {
			return math.Inf(1)
		}
		return blockLines*math.Round(aside) + float64(line.Number-of.Line)
	}
	return away("customer_name") < away("vendor_name")
}

// leftOf is where the cell of a line begins that holds a text.
func leftOf(line layout.Line, text string) float64 {
	for _, cell := range line.Cells {
		if strings.Contains(cell.Text, text) {
			return cell.Left
		}
	}
	return line.Cells[0].Left
}

// hasTaxName tells whether what stands before a number on its line names the tax.
func hasTaxName(before string) bool { return containsPhrase("words of tax numbers", before) }

// containsPhrase tells whether a text has one of the wordings of a list in it.
func containsPhrase(list, before string) bool {
	folded := " " + phraseKey(strings.NewReplacer(".", " ", "-", " ", "/", " ", ":", " ").Replace(before)) + " "
	return slices.ContainsFunc(lists()[list], func(word string) bool { return strings.Contains(folded, " "+word+" ") })
}

// hasCustomerWord tells whether what stands before a number calls it the customer's.
func hasCustomerWord(before string) bool {
	words := strings.Fields(phraseKey(before))
	return slices.ContainsFunc(words[max(0, len(words)-6):], func(word string) bool { return inList("words for yours", word) })
}

// setIBAN sets the account that the first lines of the first pages name, where they name no other.
func (result *extraction) setIBAN(pages, lines int) {
	numbers := map[string]Source{}
	for at, line := range result.form.lines(pages, lines) {
		if pages == 1 && result.form.inTable(at) {
			break
		}
		source := result.form.source(at)
		source.Label = "iban"
		for _, number := range ibansIn(line.Text()) {
			if _, known := numbers[number]; !known {
				numbers[number] = source
			}
		}
	}
	result.setIfSingleValue("iban", numbers)
}

var (
	ibanSpan  = lazyregexp.New(`\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}\b`)
	namedIBAN = lazyregexp.New(`(?i)\bIBAN\b[^A-Z0-9]{0,4}(?:No|Nr|Number|Nummer)?[^A-Z0-9]{0,6}$`)
)

// ibansIn are the account numbers of a line. One that is not called IBAN must have right check
// digits; one that is stands as it is printed.
func ibansIn(text string) (numbers []string) {
	for _, span := range ibanSpan().FindAllStringIndex(text, -1) {
		written := text[span[0]:span[1]]
		if number, ok := longestValidIBAN(written); ok {
			numbers = append(numbers, number)
			continue
		}
		if !namedIBAN().MatchString(text[max(0, span[0]-24):span[0]]) {
			continue
		}
		groups := strings.Fields(written)
		if end := slices.IndexFunc(groups[1:], func(group string) bool { return strings.Trim(group, "0123456789") != "" }); end >= 0 {
			groups = groups[:end+1] // a BIC, or other words, stand behind it
		}
		if number := strings.Join(groups, ""); len(number) >= 15 && len(number) <= 34 {
			numbers = append(numbers, number)
		}
	}
	return numbers
}

// longestValidIBAN is the longest beginning of a text, up to a blank, that has right check digits.
func longestValidIBAN(written string) (string, bool) {
	for end := len(written); end >= 15; end-- {
		if end < len(written) && written[end] != ' ' {
			continue
		}
		if number, ok := value.ParseIBAN(written[:end]); ok {
			return number, true
		}
	}
	return "", false
}
