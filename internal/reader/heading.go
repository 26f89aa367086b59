package reader

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"toolkit/internal/reader/value"
)

// headingLines are the lines of a page among which a heading is looked for.
const headingLines = 40

// matchTitleAtStart is the title at the beginning of a line, and where it ends.
func matchTitleAtStart(tokens []token) (kind string, end int) {
	words := make([]string, 0, 6)
	for index, next := range tokens[:min(len(tokens), 6)] {
		if next.norm == "" { // a dash between two names
			continue
		}
		words = append(words, next.norm)
		if found, ok := titleLexicon()[strings.Join(words, " ")]; ok {
			kind, end = found, index+1
		}
		if next.colon {
			break
		}
	}
	if end == 0 && len(tokens) > 0 && isInvoiceWord(tokens[0].norm) {
		return KindInvoice, 1
	}
	return kind, end
}

// isInvoiceWord tells words that name a kind of invoice in the languages that write it as one
// word: Handelsrechnung, Schlussrechnung, verkoopfactuur, slutfaktura.
func isInvoiceWord(word string) bool {
	return slices.ContainsFunc(lists()["words invoice ends"], func(end string) bool {
		return len(word) > len(end)+2 && strings.HasSuffix(word, end)
	})
}

// parseAnnouncedDay reads a date behind a word that announces one: vom, du, of, dated.
func (read *labeledPages) parseAnnouncedDay(tokens []token) (day value.Date, spoken []token, ok bool) {
	start := 0
	for start < len(tokens) && start < 3 && inList("words of the day", tokens[start].norm) {
		start++
	}
	for end := min(len(tokens), start+5); end > start; end-- { // "30 de abril de 2025"
		if day, ok = value.ParseDate(strings.TrimRight(rawText(tokens[start:end]), ",.;"), read.order); ok {
			return day, tokens[start:end], start > 0 || start == 0 && end == len(tokens)
		}
	}
	return day, nil, false
}

// setDateNearTitle sets the date of a paper that names none by a label: the one day in its head that
// stands alone beside its title, or behind the place where it was written: "Erfurt, 31. März 2025",
// "Paris, le 3 mars 2024". Several days tell nothing.
func (result *extraction) setDateNearTitle() {
	read := result.form
	labelled := slices.ContainsFunc(read.labels, func(found label) bool {
		return found.hasKind(labelInvoiceDate) || found.hasKind(labelDate) || found.hasKind(labelDueDate)
	})
	days := map[string]Source{}
	for at := range read.cells(1, headingLines) {
		tokens := read.tokens[at]
		start := 0
		for index, next := range tokens[:min(len(tokens), 4)] {
			if strings.HasSuffix(next.raw, ",") && countDigits(next.raw) == 0 {
				start = index + 1
			}
		}
		if start == 0 {
			start = endOfTitleWithDay(tokens)
		}
		if read.isInTableOrStamp(at) || start == 0 && (labelled || !read.isNearTitle(at, KindInvoice) || read.isInLabeledBlock(at)) {
			continue
		}
		day, spoken, ok := read.parseAnnouncedDay(tokens[start:])
		if ok && !day.Ambiguous && rawText(spoken) == rawText(tokens[len(tokens)-len(spoken):]) {
			days[day.ISO] = read.source(at)
		}
	}
	result.setIfSingleValue("date", days)
}

// endOfTitleWithDay is where the words of a title end behind which a day is announced, with nothing that numbers it:
// "Votre facture d'électricité du 12 février 2026".
func endOfTitleWithDay(tokens []token) int {
	titled := false
	for at, next := range tokens[:min(len(tokens), longestPhrase)] {
		if countDigits(next.raw) > 0 || next.colon || next.norm == "no" {
			return 0
		}
		if titled && inList("words of the day", next.norm) && at+1 < len(tokens) && countDigits(tokens[at+1].raw) > 0 {
			return at
		}
		titled = titled || titleLexicon()[next.norm] == KindInvoice
	}
	return 0
}

// setDueDateFromSentence sets the day of payment that a sentence about paying names: "Zahlbar innerhalb 30
// Tagen netto bis 04.04.2013". Of several the last counts: until the others a discount is given.
// Sentences that name different days tell nothing.
func (result *extraction) setDueDateFromSentence() {
	read := result.form
	days := map[string]Source{}
	for at, line := range read.lines(every, every) {
		tokens := read.lineTokens(at.page, at.line)
		if len(tokens) < 4 || read.inTable(at) || !hasPaymentWords(tokens) {
			continue
		}
		found := value.FindDates(line.Text(), read.order)
		last, ambiguous := "", false
		for _, day := range found {
			last, ambiguous = max(last, day.ISO), ambiguous || day.Ambiguous
		}
		if len(found) == 0 || ambiguous || !hasAnnouncedDueDay(tokens) || len(found) == 1 && hasDiscountWords(tokens) && !isWithoutDiscount(line.Text()[found[0].End:]) {
			continue
		}
		days[last] = Source{Page: read.pages[at.page].Number, Line: read.line(at).Number, Label: string(labelDueDate)}
	}
	result.setIfSingleValue("due_date", days)
}

// hasAnnouncedDueDay tells whether a phrase that announces a last day stands before a number.
func hasAnnouncedDueDay(tokens []token) bool {
	for at, next := range tokens[:min(len(tokens), longestSentence)] {
		if countDigits(next.raw) > 0 && isPrecededByPhrase(tokens, at, "words before due dates") {
			return true
		}
	}
	return false
}

// isPrecededByPhrase tells whether a phrase of up to four words from a list stands before a token.
func isPrecededByPhrase(tokens []token, at int, list string) bool {
	phrase := ""
	for start := at - 1; start >= max(0, at-4); start-- {
		if phrase = strings.TrimSpace(tokens[start].norm + " " + phrase); inList(list, phrase) {
			return true
		}
	}
	return false
}

// hasDiscountWords tells a sentence that names what may be taken off by those who pay soon.
func hasDiscountWords(tokens []token) bool {
	return slices.ContainsFunc(tokens, func(next token) bool { return slices.Contains(labelLexicon()[next.norm], labelDiscount) })
}

// isWithoutDiscount tells whether what stands right behind a day says that nothing is taken off on it: "netto", "ohne Abzug".
func isWithoutDiscount(behind string) bool {
	words := strings.Fields(phraseKey(behind))
	return len(words) > 0 && len(words) < 4 && slices.ContainsFunc(words, func(word string) bool { return inList("net words", word) })
}

// longestSentence is how many words of a line are looked at.
const longestSentence = 60

func hasPaymentWords(tokens []token) bool {
	return slices.ContainsFunc(tokens, func(next token) bool {
		return slices.ContainsFunc(lists()["words of paying"], func(word string) bool { return strings.HasPrefix(next.norm, word) })
	})
}

// setDateAfterInvoiceNumber sets the date that stands behind the number of an invoice: "Rechnung Nr. 471102
// vom 05.03.2018", "Facture n° F-12 du 3 mars 2024".
func (result *extraction) setDateAfterInvoiceNumber() {
	read := result.form
	for found := range read.labelsOfKind(labelInvoiceNumber) {
		if day, spoken, ok := read.parseAnnouncedDay(found.inline); ok && found.start == 0 && len(spoken) < len(found.inline) && !result.hasField("date") {
			result.setField("date", day.String(), Source{Page: read.pages[found.at.page].Number, Line: read.line(found.at).Number, Label: string(labelInvoiceDate)})
		}
	}
	for _, item := range read.findValues(labelInvoiceNumber, read.isIdentifier) {
		for at := 1; at < len(item.tokens) && !result.hasField("date"); at++ {
			if day, _, ok := read.parseAnnouncedDay(item.tokens[at:]); ok {
				result.setField("date", day.String(), Source{Page: item.page, Line: item.line, Label: string(labelInvoiceDate)})
			}
		}
	}
}

// setDueDateFromTerm sets the day of payment where a paper says no day, but in how many days after its date
// it is to be paid: "Zahlungsziel 14 Tage", "Payment terms: Net 30", "payable sous 30 jours". A line that
// offers a discount for paying early leaves the day to the payer, and lines that name different terms
// tell nothing.
func (result *extraction) setDueDateFromTerm() {
	read := result.form
	written, err := time.Parse(time.DateOnly, result.textField("date"))
	if err != nil {
		return
	}
	days := map[string]Source{}
	for at := range read.lines(every, every) {
		if term := paymentTerm(read.lineTokens(at.page, at.line)); term > 0 {
			days[written.AddDate(0, 0, term).Format(time.DateOnly)] = Source{Page: read.pages[at.page].Number, Line: read.line(at).Number, Label: string(labelDueDate)}
		}
	}
	for _, item := range read.findValues(labelTerms, func(next candidate) bool { return termUnderLabel(next) > 0 }) {
		days[written.AddDate(0, 0, termUnderLabel(item.candidate)).Format(time.DateOnly)] = Source{Page: item.page, Line: item.line, Label: string(labelDueDate)}
	}
	result.setIfSingleValue("due_date", days)
}

// termUnderLabel is the term that a label announces, which need not say what it is.
func termUnderLabel(next candidate) int {
	return paymentTerm(append([]token{{norm: "terms"}}, next.tokens...))
}

// paymentTerm is in how many days a line says that it is to be paid; 0: it does not say, or counts
// from the end of a month or from a day that is not the paper's.
func paymentTerm(tokens []token) (term int) {
	speaks := hasPaymentWords(tokens)
	for at, next := range tokens[:min(len(tokens), longestSentence)] {
		if inList("words of other terms", next.norm) {
			return 0
		}
		speaks = speaks || inList("words of terms", next.norm)
		count, err := strconv.Atoi(next.norm)
		if err != nil || count < 1 || count > longestTerm {
			continue
		}
		counted := at+1 < len(tokens) && inList("words for days", tokens[at+1].norm)
		if counted && at+2 < len(tokens) && inList("words after terms", tokens[at+2].norm) {
			term, speaks = max(term, count), true
			continue
		}
		if counted && isPrecededByPhrase(tokens, at, "words before terms") || isPrecededByPhrase(tokens, at, "words before bare terms") {
			term = max(term, count)
		}
	}
	if !speaks || hasDiscountWords(tokens) {
		return 0
	}
	return term
}
