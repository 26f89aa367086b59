package reader

import (
	"slices"
	"strings"
	"unicode"

	"toolkit/internal/reader/value"
)

// headline is a title with the number and the date of its document: "Rechnung Nr. 471102
// vom 05.03.2018", "Facture n° F-12 du 3 mars 2024".
type headline struct {
	kind         string
	number, date candidate
	day          value.Date
}

// headingLines are the lines of a page among which a heading is looked for.
const headingLines = 40

// heading finds the first heading that says a number; nil when there is none.
func (read *form) heading() *headline {
	for at := range read.cells(2, headingLines) {
		if read.apart(at) {
			continue
		}
		if found := read.headingAt(at); found != nil {
			return found
		}
	}
	return nil
}

// headingAt reads a heading that begins at a cell and may go on in the cells behind it.
func (read *form) headingAt(at place) *headline {
	var tokens []token
	for index := at.cell; index < len(read.line(at).Cells) && len(tokens) < 16; index++ {
		tokens = append(tokens, read.tokens[place{at.page, at.line, index}]...)
	}
	kind, end := titleAt(tokens)
	if end == 0 {
		return nil
	}
	for end < len(tokens) && strings.HasPrefix(tokens[end].raw, "(") { // what kind it is, or its code
		for end < len(tokens) && !strings.HasSuffix(tokens[end].raw, ")") {
			end++
		}
		end = min(end+1, len(tokens))
	}
	signed := false
	for end < len(tokens) && (tokens[end].norm == "no" || tokens[end].norm == "" || inList("words of numbers", tokens[end].norm)) {
		signed, end = true, end+1
	}
	if end >= len(tokens) {
		return nil
	}
	found := &headline{kind: kind, number: read.candidateOf(at, tokens[end:end+1])}
	if read.identifierText(found.number) == "" {
		return nil
	}
	if day, spoken, ok := read.dayBehind(tokens[end+1:]); ok {
		found.day, found.date = day, read.candidateOf(at, spoken)
	} else if !signed || end+1 < len(tokens) {
		return nil // a number behind a title may be anything
	}
	return found
}

// titleAt is the title at the beginning of a line, and where it ends.
func titleAt(tokens []token) (kind string, end int) {
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
	if end == 0 && len(tokens) > 1 { // a word that the spacing of letters tore
		if found, ok := titleLexicon()[tokens[0].norm+tokens[1].norm]; ok {
			return found, 2
		}
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

// dayBehind reads a date behind a word that announces one: vom, du, of, dated.
func (read *form) dayBehind(tokens []token) (day value.Date, spoken []token, ok bool) {
	start := 0
	for start < len(tokens) && start < 3 && inList("words of the day", tokens[start].norm) {
		start++
	}
	for end := min(len(tokens), start+4); end > start; end-- {
		if day, ok = value.ParseDate(strings.TrimRight(rawText(tokens[start:end]), ",.;"), read.order); ok {
			return day, tokens[start:end], start > 0 || start == 0 && end == len(tokens)
		}
	}
	return day, nil, false
}

// placeAndDate sets the date of a letter that says where and when it was written: "Erfurt, 31. März
// 2025", "Paris, le 3 mars 2024". Two such lines with different days tell nothing.
func (result *extraction) placeAndDate() {
	read := result.form
	if result.has("date") {
		return
	}
	days := map[string]Source{}
	for at := range read.cells(1, headingLines) {
		tokens := read.tokens[at]
		start := 0
		for index, next := range tokens[:min(len(tokens), 4)] {
			if strings.HasSuffix(next.raw, ",") && !unicode.IsDigit([]rune(next.raw)[0]) {
				start = index + 1
			}
		}
		if start == 0 || read.apart(at) {
			continue
		}
		day, spoken, ok := read.dayBehind(tokens[start:])
		if ok && !day.Ambiguous && rawText(spoken) == rawText(tokens[len(tokens)-len(spoken):]) {
			days[day.ISO] = read.source(at)
		}
	}
	result.only("date", days)
}

// spokenDue sets the day of payment that a sentence about paying names: "Zahlbar innerhalb 30
// Tagen netto bis 04.04.2013". Sentences that name different days tell nothing.
func (result *extraction) spokenDue() {
	read := result.form
	if result.has("due_date") {
		return
	}
	days := map[string]Source{}
	for at := range read.cells(every, every) {
		tokens := read.tokens[at]
		if len(tokens) < 4 || read.inTable(at) || !speaksOfPaying(tokens) {
			continue
		}
		source := read.source(at)
		source.Label = string(labelDueDate)
		last := ""
		for start := 1; start < min(len(tokens), longestSentence); start++ {
			if day, ok := read.dayAfterPhrase(tokens, start); ok && !day.Ambiguous {
				days[day.ISO] = source
				last = day.ISO
			}
		}
		if last != "" && speaksOfDiscount(tokens) {
			delete(days, last)
			if last = read.lastDay(read.cell(at).Text); last != "" {
				days[last] = source
			}
		}
	}
	result.only("due_date", days)
}

// speaksOfDiscount tells a sentence that names what may be taken off by those who pay soon.
func speaksOfDiscount(tokens []token) bool {
	for at := range tokens {
		if kinds, length := matchLabel(tokens, at); length > 0 && slices.Contains(kinds, labelDiscount) {
			return true
		}
	}
	return false
}

// lastDay is the last of several days in a text, "" where there is only one: that is the day
// until which a discount may be taken.
func (read *form) lastDay(text string) (last string) {
	days := value.FindDates(text, read.order)
	if len(days) < 2 {
		return ""
	}
	for _, day := range days {
		if day.Ambiguous {
			return ""
		}
		last = max(last, day.ISO)
	}
	return last
}

// longestSentence is how many words of a line are looked at.
const longestSentence = 60

func speaksOfPaying(tokens []token) bool {
	return slices.ContainsFunc(tokens, func(next token) bool {
		return slices.ContainsFunc(lists()["words of paying"], func(word string) bool { return strings.HasPrefix(next.norm, word) })
	})
}

// dayAfterPhrase reads a date that begins at a token behind a phrase that announces a last day.
func (read *form) dayAfterPhrase(tokens []token, at int) (day value.Date, ok bool) {
	phrase := ""
	for start := at - 1; start >= max(0, at-4) && !ok; start-- {
		phrase = strings.TrimSpace(tokens[start].norm + " " + phrase)
		ok = inList("words before due dates", phrase)
	}
	if !ok {
		return day, false
	}
	for end := min(len(tokens), at+4); end > at; end-- {
		if day, ok := value.ParseDate(strings.TrimRight(rawText(tokens[at:end]), ",.;:"), read.order); ok {
			return day, true
		}
	}
	return day, false
}

// fromHeading sets number and date of a document that states them in its heading.
func (result *extraction) fromHeading() {
	found := result.form.heading()
	if found == nil || found.kind != KindInvoice && found.kind != KindCreditNote {
		return
	}
	if labelled := result.form.find(labelInvoiceNumber, result.form.identifier); !result.has("invoice_number") && len(labelled) == 0 {
		result.set("invoice_number", result.form.identifierText(found.number), Source{Page: found.number.page, Line: found.number.line, Label: string(labelInvoiceNumber)})
	}
	if !result.has("date") && found.date.text != "" {
		result.set("date", found.day.String(), Source{Page: found.date.page, Line: found.date.line, Label: string(labelInvoiceDate)})
	}
}
