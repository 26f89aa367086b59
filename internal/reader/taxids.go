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

// setTaxNumbers sets the numbers of tax payers: those for value added tax in the form of their country, else those
// behind a name for such a number. One is the seller's unless it stands in the customer's block or is called the
// customer's; where two remain it cannot be told.
func (result *extraction) setTaxNumbers() {
	for _, find := range []func(place) []candidate{result.form.findVATNumbers, result.form.findNamedTaxNumbers} {
		ours, theirs := map[string]Source{}, map[string]Source{}
		for at := range result.form.cells(every, every) {
			for _, found := range find(at) {
				number := compactNumber(found.text)
				if number == compactNumber(result.textField("invoice_number")) {
					continue // "VAT invoice 2026/0000017"
				}
				source := Source{Page: found.page, Line: found.line, Label: "tax_id"}
				of := ours
				if result.isOfCustomer(at, found) {
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
}

func compactNumber(text string) string {
	return strings.NewReplacer(" ", "", ".", "", "-", "", "/", "").Replace(text)
}

// isOfCustomer tells whether a number is that of the customer, by what stands before it or by its block.
func (result *extraction) isOfCustomer(at place, found candidate) bool {
	line := result.form.pages[at.page].Lines[at.line]
	before, _, _ := strings.Cut(line.Text(), found.text)
	return hasCustomerWord(before) || result.isNearerToCustomerName(result.form.pages[found.at.page], result.form.pages[found.at.page].Lines[found.at.line], found.text)
}

// findVATNumbers returns the numbers for value added tax in a cell that a name of the tax announces.
func (read *labeledPages) findVATNumbers(at place) (numbers []candidate) {
	text := read.line(at).Text()
	for _, span := range taxNumber().FindAllStringIndex(text, -1) {
		if hasTaxName(text[:span[0]]) || hasTaxName(text[span[1]:min(len(text), span[1]+8)]) {
			next := read.candidateOf(at, nil)
			next.text = text[span[0]:span[1]]
			numbers = append(numbers, next)
		}
	}
	return numbers
}

// namedTaxNumber is a number that a name for it makes one of a tax payer.
var namedTaxNumber = lazyregexp.New(`^T?\d[\dA-Z.\-/]{6,19}$|^[A-Z]-?\d{7,13}-?[A-Z]?$`)

// findNamedTaxNumbers returns the numbers that stand behind, or below, a name for the number of a tax payer.
func (read *labeledPages) findNamedTaxNumbers(at place) (numbers []candidate) {
	tokens := read.tokens[at]
	for start := 0; start < len(tokens); start++ {
		end := start
		for length := min(len(tokens)-start, 4); length > 0 && end == start; length-- {
			if inList("words before tax numbers", strings.ReplaceAll(phraseKey(rawText(tokens[start:start+length])), ".", "")) {
				end = start + length
			}
		}
		if end == start {
			continue
		}
		for end < len(tokens) && (tokens[end].norm == "no" || tokens[end].norm == "") {
			end++
		}
		found := label{at: at, start: start, end: end, size: read.cell(at).Size, left: tokens[start].left, right: tokens[end-1].right, inline: tokens[end:], whole: end == len(tokens)}
		if next, ok := read.findLabelValue(found, func(next candidate) bool { return taxNumberText(next.tokens) != "" }); ok {
			next.text = taxNumberText(next.tokens)
			numbers = append(numbers, next)
		}
		start = end - 1
	}
	return numbers
}

// minNamedTaxDigits is how many digits a number has at least that is called that of a tax payer.
const minNamedTaxDigits = 7

// taxNumberText is the number that tokens begin with, which may be in groups; "" where it is none.
func taxNumberText(tokens []token) (text string) {
	for length := 1; length <= min(len(tokens), 5); length++ {
		written := strings.Trim(rawText(tokens[:length]), " ,;.()")
		if countDigits(tokens[length-1].raw) == 0 && length > 1 {
			break
		}
		if namedTaxNumber().MatchString(strings.ReplaceAll(written, " ", "")) && countDigits(written) >= minNamedTaxDigits {
			text = written
		}
	}
	return text
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
		if !known || of.Page != page.Number || line.Number < of.Line || line.Number-of.Line > blockLines {
			return math.Inf(1)
		}
		aside := 0.0
		for _, other := range page.Lines {
			if other.Number == of.Line {
				first, _, _ := strings.Cut(result.textField(key), " ")
				aside = abs(leftOf(other, first)-left) / max(line.Size, 1)
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
		source := result.form.source(at)
		source.Label = "iban"
		for _, number := range ibansIn(line.Text(), result.form.firstCellOfNextLine(at)) {
			if _, known := numbers[number]; !known {
				numbers[number] = source
			}
		}
	}
	result.setIfSingleValue("iban", numbers)
}

// firstCellOfNextLine is the text with which the line below a cell's begins.
func (read *labeledPages) firstCellOfNextLine(at place) string {
	lines := read.pages[at.page].Lines
	if at.line+1 >= len(lines) || len(lines[at.line].Cells) > 1 {
		return ""
	}
	return cellText(lines[at.line+1].Cells, 0)
}

var (
	ibanSpan  = lazyregexp.New(`\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}\b`)
	namedIBAN = lazyregexp.New(`(?i)\bIBAN\b[^A-Z0-9]{0,4}(?:No|Nr|Number|Nummer)?[^A-Z0-9]{0,6}$`)
	cutIBAN   = lazyregexp.New(`\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]){0,26}$`)
	polishNRB = lazyregexp.New(`(?:^|[^\d ]) ?(\d{2}(?: ?\d{4}){6})(?:[^\d ]|$)`)
)

// ibansIn are the account numbers of a line, of which the last may go on in the next one. One that is not called
// IBAN must have right check digits; one that is stands as it is printed. Poland prints them without the country.
func ibansIn(text, next string) (numbers []string) {
	for _, match := range polishNRB().FindAllStringSubmatch(text, -1) {
		if number, ok := value.ParseIBAN("PL" + match[1]); ok {
			numbers = append(numbers, number)
		}
	}
	if span := cutIBAN().FindStringIndex(text); span != nil && next != "" {
		if _, whole := longestValidIBAN(text[span[0]:]); !whole {
			if number, ok := longestValidIBAN(strings.TrimRight(text[span[0]:]+" "+next, ".,;")); ok {
				return append(numbers, number)
			}
		}
	}
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
		if number := strings.Join(groups, ""); len(number) >= 15 && len(number) <= 34 {
			numbers = append(numbers, number)
		}
	}
	return numbers
}

// longestValidIBAN is the longest beginning of a text, up to a blank or a mark, that has right check digits.
func longestValidIBAN(written string) (string, bool) {
	for end := len(written); end >= 15; end-- {
		if end < len(written) && !strings.ContainsRune(" .,;", rune(written[end])) {
			continue
		}
		if number, ok := value.ParseIBAN(written[:end]); ok {
			return number, true
		}
	}
	return "", false
}
