package reader

import (
	"slices"
	"strings"
	"unicode"

	"toolkit/internal/lazyregexp"
	"toolkit/internal/reader/layout"
	"toolkit/internal/reader/value"
)

// labeledPages is a document prepared for the label reader: its labels with their places, its
// tables, and the conventions its numbers and dates follow.
type labeledPages struct {
	proceed func() // panics when nobody waits for the result
	pages   []layout.Page
	tokens  map[place][]token // of every cell
	labels  []label
	labeled map[place][]label // by cell, left to right
	grids   []grid
	blocked map[[2]int]bool // page and line: heads and bodies of tables
	numbers value.NumberConvention
	order   value.DateOrder
	money   string // the currency of the document, "" when it names none or several
	dollar  string // what its dollar sign stands for, "" when that may be several

	centless bool // no number has cents, as of yen and forints
}

// place is a cell: indices of page, line and cell.
type place struct{ page, line, cell int }

// label is a wording of the lexicon found in a cell.
type label struct {
	kinds      []labelKind
	at         place
	start, end int    // tokens of the wording
	first      string // its first word, normalised
	size       float64
	colon      bool
	currency   string // named behind the wording: "Total (EUR)"
	left       float64
	right      float64
	inline     []token // what stands behind it in the cell, up to the next label
	whole      bool    // nothing stands behind it
	within     bool    // it says that it is a part of the whole: "VAT included in total"
}

func (found label) hasKind(kind labelKind) bool { return slices.Contains(found.kinds, kind) }

func (found label) words() int { return found.end - found.start }

// maxFormPages bounds the pages searched for labels; what a document is about stands on
// its first pages, its sums on its last.
const maxFormPages = 60

func newLabeledPages(content *Content) *labeledPages {
	pages := selectSearchedPages(content.Pages)
	read := &labeledPages{proceed: content.stopIfAbandoned, pages: pages, tokens: map[place][]token{}, labeled: map[place][]label{}, blocked: map[[2]int]bool{}}
	texts := read.indexTokensAndListTexts()
	read.numbers = value.ConventionOf(texts)
	if read.numbers == value.Unknown && (value.ColumnConvention(texts) == value.Comma || slices.ContainsFunc(texts, wholePesos().MatchString)) {
		read.numbers = value.Comma // "1.044.475" has points that part thousands, so "450.000" has
	}
	read.money, read.dollar = detectDocumentCurrency(texts)
	read.centless = !slices.ContainsFunc(texts, numberWithCents().MatchString)
	if read.order = value.OrderOf(texts); read.order == value.UnknownOrder {
		read.order = value.OrderOfCountry(texts)
	}
	read.findGrids()
	for at := range read.cells(every, every) {
		if !read.isInTableOrStamp(at) {
			read.findLabels(at)
		}
	}
	return read
}

// selectSearchedPages returns the pages searched: without blank ones, so that the first page is the first
// that says something, and of crowded ones the lines that there is room for.
func selectSearchedPages(all []layout.Page) []layout.Page {
	var pages []layout.Page
	for _, page := range all {
		if len(page.Lines) > 0 {
			pages = append(pages, page)
		}
	}
	if len(pages) > maxFormPages {
		pages = slices.Concat(pages[:maxFormPages-5], pages[len(pages)-5:])
	}
	room := layout.Capacity
	for number := range pages {
		lines := pages[number].Lines
		for index, line := range lines {
			if room -= line.ScanCost(); room < 0 {
				lines = lines[:index]
				break
			}
		}
		pages[number].Lines = lines
	}
	return pages
}

func (read *labeledPages) indexTokensAndListTexts() (texts []string) {
	for pageIndex, page := range read.pages {
		for lineIndex, line := range page.Lines {
			read.proceed()
			for cellIndex, cell := range line.Cells {
				read.tokens[place{pageIndex, lineIndex, cellIndex}] = tokensOf(cell)
				texts = append(texts, cell.Text)
			}
		}
	}
	return texts
}

func (read *labeledPages) cell(at place) layout.Cell {
	return read.pages[at.page].Lines[at.line].Cells[at.cell]
}

// findLabels records the labels of a cell: one at its start, and further ones inside
// when a colon shows that they are labels.
func (read *labeledPages) findLabels(at place) {
	tokens := read.tokens[at]
	heads := isRunOfLabels(tokens)
	for position := 0; position < len(tokens); {
		kinds, length := matchLabel(tokens, position)
		end := position + length
		if length == 0 || isInsideRemark(tokens, position, end) {
			position = max(position+1, end)
			continue
		}
		found := label{kinds: kinds, at: at, start: position, end: end, colon: tokens[end-1].colon, first: tokens[position].norm, size: read.cell(at).Size, left: tokens[position].left, right: tokens[end-1].right}
		if read.extendLabelByQualifiers(&found, tokens); (found.hasKind(labelOpening) || found.hasKind(labelClosing)) && !found.colon {
			read.extendLabelByDay(&found, tokens[found.end:])
		}
		if len(read.labeled[at])+len(read.labeled[place{at.page, at.line, at.cell - 1}]) > 0 && found.hasKind(labelTax) && isTaxIncluded(tokens, position, end) { // "Total includes GST of $68.00."
			found.within, found.colon = true, true
			for found.end < len(tokens) && inList("small words", tokens[found.end].norm) {
				found.end++
			}
		}
		found.within = found.within || found.hasKind(labelTax) && isTaxIncluded(tokens, position, end)
		if position > 0 && !heads && !isSeparator(tokens[position-1]) && !read.isInnerLabel(found, tokens) {
			position = end
			continue
		}
		read.labeled[at] = append(read.labeled[at], found)
		position = max(found.end, end)
	}
	found := read.labeled[at]
	for index := range found {
		until := len(tokens)
		if index+1 < len(found) {
			until = found[index+1].start
		}
		if found[index].within && found[index].hasKind(labelTax) && found[index].end+1 < until { // a sentence goes on behind the amount
			if until = found[index].end + 1; isCurrencyWord(tokens[until-1].raw) {
				until++
			}
		}
		found[index].inline = tokens[min(found[index].end, until):until]
		if end := slices.IndexFunc(found[index].inline, isSeparator); end >= 0 {
			found[index].inline = found[index].inline[:end]
		}
		found[index].whole = len(found[index].inline) == 0
	}
	read.labels = append(read.labels, found...)
}

// isSeparator tells a sign between labels with their values on one line: "No. 12 | Date: 3 May".
func isSeparator(next token) bool { return slices.Contains([]string{"|", "•", "●"}, next.raw) }

// isRunOfLabels tells whether a cell holds several labels, of some words each, and nothing else: heads
// of columns that stand close together.
func isRunOfLabels(tokens []token) bool {
	count := 0
	for at := 0; at < len(tokens); count++ {
		_, length := matchLabel(tokens, at)
		if length < 2 {
			return false
		}
		at += length
	}
	return count > 1
}

// isTaxIncluded tells whether the name of a tax says that the sum before it includes the tax: "inkl. 19%
// MwSt", "dont TVA", "IVA incluido".
func isTaxIncluded(tokens []token, start, end int) bool {
	says := func(next token) bool { return inList("words of including", next.norm) }
	for start > 0 && (isRateNumber(tokens, start-1) || tokens[start-1].raw == "%" || strings.HasSuffix(tokens[start-1].raw, "%")) {
		start--
	}
	return slices.ContainsFunc(tokens[max(start-1, 0):min(end+1, len(tokens))], says)
}

// isInnerLabel tells whether a wording inside a cell is a label: a colon shows it, but words
// before a date's make it the day of something else ("Event date:").
func (read *labeledPages) isInnerLabel(found label, tokens []token) bool {
	first := len(read.labeled[found.at]) == 0
	switch {
	case !found.colon:
		return first && found.hasKind(labelTax)
	case first && found.hasKind(labelDate):
		return countDigits(tokens[found.start-1].raw) > 0
	}
	return true
}

// isInsideRemark tells words in brackets that go on behind a label: "(films, VAT collected by the publisher)".
func isInsideRemark(tokens []token, start, end int) bool {
	before, behind := rawText(tokens[:start]), tokens[end:]
	return strings.Count(before, "(") > strings.Count(before, ")") && len(behind) > 1 && strings.HasSuffix(rawText(behind), ")") && isProse(strings.Fields(rawText(behind)))
}

// isPaymentRemark tells words behind a sum that say how it was paid.
func isPaymentRemark(rest []token) bool {
	return slices.ContainsFunc(rest, func(next token) bool { return inList("slip payments", next.norm) })
}

func isRateNumber(tokens []token, at int) bool {
	if at+1 >= len(tokens) || tokens[at+1].raw != "%" {
		return false
	}
	_, ok := value.ParsePercent(tokens[at].raw + "%")
	return ok
}

// extendLabelByQualifiers takes what belongs to a label's wording without being part of it: a rate, a
// currency, a remark in brackets. The currency is remembered.
func (read *labeledPages) extendLabelByQualifiers(found *label, tokens []token) {
	for !found.colon && found.end < len(tokens) {
		length := countQualifierTokens(tokens[found.end:])
		if length == 0 {
			break
		}
		_, sum := matchLabel(tokens[found.end:found.end+length], length-1)
		found.within = found.within || length > 1 && sum > 0
		for _, next := range tokens[found.end : found.end+length] {
			code := strings.Trim(next.raw, "()[]:,. ")
			if currency, ok := value.CurrencyOf(code); ok && currency != "" {
				found.currency = currency
			}
		}
		found.end += length
		found.colon = tokens[found.end-1].colon
		found.right = tokens[found.end-1].right
	}
	if found.hasKind(labelPaid) && !found.colon {
		read.extendLabelByDay(found, tokens[found.end:])
	}
	if rest := tokens[found.end:]; found.hasKind(labelGrandTotal) && !found.colon && isPaymentRemark(rest) && read.hasCurrencyOrCents(place{found.at.page, found.at.line, found.at.cell + 1}) {
		found.end, found.right = len(tokens), rest[len(rest)-1].right // "Total charged to Visa ending 4471"
	} else if found.hasKind(labelTax) && !found.colon && len(rest) > 0 && read.hasCurrencyOrCents(place{found.at.page, found.at.line, found.at.cell + 1}) {
		for index := range rest { // "VAT (20%) on 168.30", "GST included in total"
			_, sum := matchLabel(rest, index)
			found.within = found.within || sum > 0
		}
		found.end, found.right = len(tokens), rest[len(rest)-1].right
	}
}

// extendLabelByDay takes the day on which something was paid or that a balance is of: "deposit of 1 February".
func (read *labeledPages) extendLabelByDay(found *label, rest []token) {
	for length := min(len(rest), 5); length > 0; length-- {
		last := rest[length-1]
		if _, day, ok := read.parseAnnouncedDay(rest[:length]); ok && day[len(day)-1] == last {
			found.end, found.right, found.colon = found.end+length, last.right, last.colon
			return
		}
	}
}

// countQualifierTokens returns the number of tokens at the start that qualify a label. A currency
// qualifies only when no number follows it: in "Total EUR 12.00" it is the value's.
func countQualifierTokens(tokens []token) int {
	first := tokens[0]
	if strings.HasPrefix(first.raw, "(") {
		for length := 1; length <= len(tokens) && length <= 8; length++ {
			if strings.HasSuffix(strings.TrimRight(tokens[length-1].raw, ":."), ")") {
				inner := strings.Trim(rawText(tokens[:length]), "()")
				if amount, ok := value.ParseAmount(inner, value.Unknown); ok && amount.HasCurrencyOrCents() {
					return 0 // a negative amount in brackets
				}
				return length
			}
		}
		return 0
	}
	if _, ok := value.ParsePercent(strings.TrimPrefix(first.raw, "@")); ok || first.raw == "@" && len(tokens) > 1 {
		return 1
	}
	if isRateNumber(tokens, 0) {
		return 2
	}
	if isCurrencyWord(first.raw) && (len(tokens) == 1 || first.colon) {
		return 1
	}
	return 0
}

func isCurrencyWord(text string) bool {
	_, ok := value.CurrencyOf(strings.Trim(text, "()[]:,. "))
	return ok
}

// isLabel tells whether a cell is a label, or starts with one that a colon or a whole
// match marks as such.
func (read *labeledPages) isLabel(at place) bool {
	for _, found := range read.labeled[at] {
		if found.start == 0 && (found.colon || found.whole || found.words() > 1) {
			return true
		}
	}
	tokens := read.tokens[at]
	// A colon at the end marks a label that the lexicon does not know.
	return len(tokens) > 0 && (tokens[len(tokens)-1].colon || strings.HasPrefix(cellText(read.line(at).Cells, at.cell+1), ":"))
}

// detectDocumentCurrency returns the one currency the amounts of the document are in, and what its
// dollar sign stands for: the dollar of the country it is from.
func detectDocumentCurrency(texts []string) (money, dollar string) {
	counts := map[string]int{}
	named := map[string]int{}
	dollars, kroner := 0, 0
	for _, text := range texts {
		for _, code := range currencyMention().FindAllStringSubmatch(text, -1) {
			if value.IsCurrencyCode(code[1]) && !value.IsWordLikeCurrencyCode(code[1]) && code[1] != "BHD" { // as firms of Malaysia end
				named[code[1]]++
			}
		}
		dollars += countCurrencySigns(text, counts)
		kroner += len(kronerSign().FindAllString(text, -1))
	}
	if code := onlyCountry(findNamedCountries(texts, kronerCountries, "kroner ")); kroner > 0 && code != "" {
		counts[code] += kroner
	}
	for code, count := range named {
		counts[code] += count
	}
	dollar = detectDollarCurrency(texts)
	peso := dollar == "MXN"
	isPeso := func(text string) bool { return strings.Contains(strings.ToLower(text), "moneda nacional") }
	if peso && named["USD"] > 0 && !slices.ContainsFunc(texts, isPeso) {
		dollar = "" // the sign is that of both
	}
	all := strings.Join(texts, " ")
	if slices.ContainsFunc(lists()["words of yuan"], func(word string) bool { return strings.Contains(all, word) }) { // whose sign is that of the yen
		counts["CNY"] += counts["JPY"]
		delete(counts, "JPY")
	}
	if dollars > 0 && (dollar != "" || peso) {
		counts[dollar] += dollars
	}
	best, bestCount, total := "", 0, 0
	for code, count := range counts {
		total += count
		if count > bestCount || (count == bestCount && code < best) {
			best, bestCount = code, count
		}
	}
	if bestCount*4 < total*3 { // several currencies in earnest
		return "", dollar
	}
	return best, dollar
}

// countCurrencySigns counts the signs of currencies in a text, and returns how many are those of any dollar.
func countCurrencySigns(text string, counts map[string]int) (dollars int) {
	for _, match := range bracketedSign().FindAllStringSubmatch(text, -1) { // "Transactions (RM)"
		if code, ok := value.CurrencyOf(match[1]); ok && code != "" && match[1] != "$" && !value.IsCurrencyCode(match[1]) {
			counts[code] += 10 // as much as so many amounts below it
		}
	}
	for _, match := range currencyWord().FindAllStringSubmatch(text, -1) {
		if code, _ := value.CurrencyOf(match[1]); code != "" {
			counts[code]++
		}
	}
	for _, sign := range currencySign().FindAllString(text, -1) {
		if sign == "$" {
			dollars++
		} else if code, _ := value.CurrencyOf(sign); code != "" {
			counts[code]++
		}
	}
	return dollars
}

// dollarCountries are the countries with a dollar sign whose papers have words of a list; several are
// those with a tax on goods and services, which the United States have not.
var dollarCountries = strings.Fields("USD CAD AUD NZD SGD HKD MXN CLP COP ARS several")

// kronerCountries are the countries whose amounts have the sign "kr".
var kronerCountries = strings.Fields("SEK NOK DKK ISK")

// dollarAddresses are how addresses of countries with a dollar end: "Denver, CO 80202".
var dollarAddresses = map[string]lazyregexp.Pattern{
	"USD": value.USAddress,
	"CAD": lazyregexp.New(`\b(?:AB|BC|MB|N[BLSTU]|ON|PE|QC|SK|YT),? +[A-Z]\d[A-Z] ?\d[A-Z]\d\b`),
	"AUD": lazyregexp.New(`\b(?:ACT|NSW|NT|QLD|TAS|VIC|WA) +\d{4}\b`),
}

// detectDollarCurrency returns the dollar of the country that a document is from by its words, its addresses and the
// order of its dates, "" where nothing tells or it may be one of several.
func detectDollarCurrency(texts []string) string {
	found := findNamedCountries(texts, dollarCountries, "dollar ")
	for _, text := range texts {
		for code, address := range dollarAddresses {
			found[code] = found[code] || address().MatchString(text)
		}
	}
	found["USD"] = found["USD"] || value.OrderOf(texts) == value.MonthFirst // which few others write
	several := found["several"]
	delete(found, "several")
	if code := onlyCountry(found); code != "USD" || !several {
		return code
	}
	return ""
}

// findNamedCountries are those of some countries, by the codes of their currencies, whose words are in a document.
func findNamedCountries(texts, codes []string, list string) map[string]bool {
	found := map[string]bool{}
	for _, text := range texts {
		words := " " + strings.Join(strings.FieldsFunc(strings.ToLower(text), func(character rune) bool { return !unicode.IsLetter(character) }), " ") + " "
		for _, code := range codes {
			found[code] = found[code] || slices.ContainsFunc(lists()[list+code], func(sign string) bool { return strings.Contains(words, " "+sign+" ") })
		}
	}
	return found
}

// onlyCountry is the one country that was found, "" for none and for several.
func onlyCountry(found map[string]bool) (only string) {
	for code, is := range found {
		if is && only != "" {
			return ""
		}
		if is {
			only = code
		}
	}
	return only
}
