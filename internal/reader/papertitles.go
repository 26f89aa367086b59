package reader

import (
	"slices"
	"strings"
	"sync"

	"toolkit/internal/reader/einvoice"
)

// creditKind is what the titles of a paper with the sums of an invoice say of a credit note.
type creditKind int

const (
	noCredit    creditKind = iota
	maybeCredit            // "Gutschrift" with nothing that tells which way the money goes
	selfBilled             // "Gutschrift" is what the customer calls the invoice that he writes
	isCredit
)

// detectCreditNote tells whether an invoice takes back what another asked for: its title says so; or says
// "Gutschrift", as invoices do that the customer writes, and it names the invoice or is negative.
func (read *labeledPages) detectCreditNote(content *Content) creditKind {
	maybe, titled := false, false
	for _, text := range listPossibleTitles(read.pages) {
		switch title := matchCreditTitle(strings.Fields(phraseKey(text))); {
		case title == isCredit:
			return isCredit
		case title == maybeCredit:
			maybe = true
		case !maybe:
			kind, ok := matchKindTitle(text)
			titled = titled || ok && kind == KindInvoice
		}
	}
	if !maybe {
		return noCredit
	}
	if containsPhrase("words self billing", content.Text[:min(len(content.Text), 300_000)]) {
		return selfBilled
	}
	result := extraction{content: content, form: read, values: map[string]any{}, sources: map[string]Source{}}
	result.setSums()
	switch {
	case result.numberField("amount") < 0 || len(read.findValues(labelCredited, read.isIdentifier)) > 0:
		return isCredit
	case titled: // an invoice that speaks of a credit
		return noCredit
	}
	return maybeCredit
}

// matchCreditTitle returns what the title that words begin with says of a credit note. A number, a day or
// another such title may stand behind it: "GUTSCHRIFT (Rechnungskorrektur)".
func matchCreditTitle(words []string) creditKind {
	for length := min(len(words), 3); length > 0; length-- {
		phrase, rest := strings.Join(words[:length], " "), words[length:]
		certain, maybe := inList("words credit titles", phrase), inList("words maybe credit titles", phrase)
		if !certain && !maybe {
			continue
		}
		more := matchCreditTitle(rest)
		switch {
		case more == noCredit && !canFollowTitle(rest):
		case certain || more == isCredit:
			return isCredit
		default:
			return maybeCredit
		}
	}
	return noCredit
}

// dropAmbiguousCreditSums leaves out the sums of a paper called "Gutschrift" that tells by nothing whether it
// takes money back or is an invoice that the customer writes.
func (result *extraction) dropAmbiguousCreditSums() {
	if result.form.detectCreditNote(result.content) != maybeCredit {
		return
	}
	for _, key := range append([]string{"line_items"}, einvoice.Sums...) {
		delete(result.values, key)
		delete(result.sources, key)
	}
	result.content.warn("the paper calls itself a Gutschrift, names no invoice that it takes back and has no negative sum: which way the money goes is not certain, so its sums were left out")
}

// negateCreditAmounts turns the amounts of a credit note around where it states them as an invoice does.
func (result *extraction) negateCreditAmounts() {
	if result.numberField("amount") > 0 {
		einvoice.Negate(result.values)
	}
}

// findNonInvoiceTitle returns the title of a paper that has the sums of an invoice and is none, or "": a
// reminder asks again for what an invoice asked for, an offer or a pro forma invoice asks for
// nothing yet. Titles that stand on invoices too, to refer to an offer, decide only where
// nothing else says that it is one.
func (read *labeledPages) findNonInvoiceTitle() string {
	for _, text := range listPossibleTitles(read.pages) {
		for _, part := range splitAddressLine(text) { // "Rechnung 17 - 2. Mahnung"
			if read.isNonInvoiceTitle(strings.Fields(phraseKey(part))) {
				return part
			}
		}
		if kind, titled := matchKindTitle(text); titled && (kind == KindInvoice || kind == KindReceipt) {
			return ""
		}
	}
	return ""
}

func (read *labeledPages) isNonInvoiceTitle(words []string) bool {
	if len(words) > 1 && countDigits(words[0]) > 0 { // "2. Mahnung"
		words = words[1:]
	}
	for length := min(len(words), 4); length > 0; length-- {
		phrase := strings.Join(words[:length], " ")
		alone := length == len(words) || words[length] == "no" || countDigits(words[length]) > 0
		if inList("words never invoices", phrase) || alone && inList("words offers", phrase) && !read.hasInvoiceNumber() {
			return true
		}
	}
	return false
}

// hasInvoiceNumber reports whether a number of an invoice is named.
func (read *labeledPages) hasInvoiceNumber() bool {
	return slices.ContainsFunc(read.labels, func(found label) bool {
		return found.hasKind(labelInvoiceNumber) && read.hasLabelValue(found, labelInvoiceNumber)
	})
}

// Titles of papers whose fields are not read; they are told apart so that their sums are not
// taken for an invoice's. Wordings stand in fixtures/words/documents/titles.txt.
var (
	payTitles = sync.OnceValue(func() map[string][]string { return indexPhrases[string](lists(), "title payslip") })
	taxTitles = sync.OnceValue(func() map[string][]string { return indexPhrases[string](lists(), "tax titles") })
)

// longestPaperTitle is the number of words looked at when such a title is matched.
const longestPaperTitle = 2 * longestPhrase

// hasTitle tells whether a title stands at the beginning of a cell near the top.
func (read *labeledPages) hasTitle(titles map[string][]string) bool {
	for at := range read.cells(1, headLines) {
		if read.inTable(at) {
			continue // a salary among the movements makes no payslip
		}
		tokens := read.tokens[at]
		for start := range tokens {
			if start > 0 && tokens[start-1].norm != "" {
				continue // a title begins a cell, or stands behind a dash
			}
			if _, length := matchLongestPhrase(titles, tokens, start, longestPaperTitle); length > 0 && len(tokens)-start-length <= 8 {
				return true
			}
		}
	}
	return false
}
