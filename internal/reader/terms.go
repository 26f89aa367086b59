package reader

import (
	"strconv"
	"time"
)

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
