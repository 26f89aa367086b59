package reader

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"

	"toolkit/fixtures"
	"toolkit/internal/reader/bank"
)

// labelKind is what a label announces.
type labelKind string

// Kinds of labels. labelOther is a label whose value no field wants: it ends the reach of
// its neighbours and is never taken for a value.
const (
	labelInvoiceNumber  labelKind = "invoice_number"
	labelReceiptNumber  labelKind = "receipt_number"
	labelContractNumber labelKind = "contract_number"
	labelAccountNumber  labelKind = "account_number"
	labelOrderNumber    labelKind = "order_number"
	labelCustomerNumber labelKind = "customer_number"
	labelTransactionID  labelKind = "transaction_id"
	labelInvoiceDate    labelKind = "invoice_date"
	labelDate           labelKind = "date"
	labelPurchaseDate   labelKind = "purchase_date"
	labelTaxPoint       labelKind = "tax_point"
	labelDueDate        labelKind = "due_date"
	labelDelivery       labelKind = "delivery_date"
	labelTerms          labelKind = "payment_terms"
	labelStart          labelKind = "start_date"
	labelEnd            labelKind = "end_date"
	labelPeriod         labelKind = "period"
	labelAsOf           labelKind = "as_of"
	labelVendor         labelKind = "vendor_name"
	labelCustomer       labelKind = "customer_name"
	labelParty          labelKind = "party"
	labelHolder         labelKind = "account_holder"
	labelInstitution    labelKind = "institution"
	labelGrandTotal     labelKind = "grand_total"
	labelTotal          labelKind = "total"
	labelAmountDue      labelKind = "amount_due"
	labelSubtotal       labelKind = "subtotal"
	labelTax            labelKind = "tax"
	labelDiscount       labelKind = "discount"
	labelShipping       labelKind = "shipping"
	labelTip            labelKind = "tip"
	labelService        labelKind = "service_charge"
	labelRounding       labelKind = "rounding"
	labelPaid           labelKind = "amount_paid"
	labelWithheld       labelKind = "withheld"
	labelOpening        labelKind = "opening_balance"
	labelClosing        labelKind = "closing_balance"
	labelTotalValue     labelKind = "total_value"
	labelCurrency       labelKind = "currency"
	labelPayment        labelKind = "payment_method"
	labelTaxYear        labelKind = "tax_year"
	labelPayer          labelKind = "payer_name"
	labelRecipient      labelKind = "recipient_name"
	labelCredited       labelKind = "credited_invoice"
	labelOther          labelKind = "other"
)

// FieldsForLabel are the fields that a label announces, "amount" for every kind of
// total; none for words that are no label.
func FieldsForLabel(words string) []string {
	var fields []string
	for _, kind := range labelLexicon()[phraseKey(words)] {
		switch kind {
		case labelGrandTotal, labelTotal, labelAmountDue:
			fields = append(fields, "amount")
		case labelInvoiceDate, labelPurchaseDate, labelTaxPoint:
			fields = append(fields, "date")
		default:
			fields = append(fields, string(kind))
		}
	}
	return fields
}

// longestPhrase is the number of words looked at when a label is matched.
const longestPhrase = 9

// matchLabel finds the longest label that starts at the position; length is its number of
// tokens. A colon ends a label: words after one are not part of it. Behind a stroke a second
// label, of another language, may name the same value.
func matchLabel(tokens []token, at int) (kinds []labelKind, length int) {
	kinds, length = matchLabelOfOneLanguage(tokens, at)
	if stroke := at + length; length > 0 && stroke+1 < len(tokens) && tokens[stroke].raw == "/" {
		if _, other := matchLabelOfOneLanguage(tokens, stroke+1); other > 0 {
			return kinds, length + 1 + other
		}
	}
	return kinds, length
}

func matchLabelOfOneLanguage(tokens []token, at int) (kinds []labelKind, length int) {
	kinds, length = matchLongestPhrase(labelLexicon(), tokens, at, longestPhrase)
	if kind, words := matchTitleAtStart(tokens); at == 0 && kind == KindInvoice && words > length {
		for words < len(tokens) && (tokens[words].norm == "no" || tokens[words].norm == "" || inList("words of numbers", tokens[words].norm)) {
			words++
		}
		return []labelKind{labelInvoiceNumber}, words
	}
	if kind, words := matchSumLabel(tokens, at); words > length {
		return []labelKind{kind}, words
	}
	if length == 0 && at < len(tokens) {
		if first, second, ok := strings.Cut(tokens[at].norm, "/"); ok && min(len(first), len(second)) > 3 && labelLexicon()[first] != nil {
			return labelLexicon()[first], 1
		}
	}
	return kinds, length
}

// matchSumLabel reads a wording of a sum that is made of its parts: a word for a sum, and what makes
// it the net sum ("Rechnungssumme ohne USt."), the tax ("Summe Umsatzsteuer") or the whole.
func matchSumLabel(tokens []token, at int) (kind labelKind, length int) {
	words := wordSets()
	noun, net, gross, tax := false, false, false, false
	end := at
	for ; end < len(tokens) && end < at+7; end++ {
		word := tokens[end].norm
		switch {
		case words["net words"][word]:
			net = true
		case words["gross words"][word]:
			gross = true
		case words["tax words"][word]:
			tax = true
		case words["sum nouns"][word]:
			noun = true
		case noun && titleLexicon()[word] == KindInvoice: // "Totale parcella"
			gross = true
		case words["small words"][word] && end > at, noun && isCurrencyWord(tokens[end].raw):
		default:
			word = ""
		}
		if word == "" {
			break
		}
		if tokens[end].colon {
			end++
			break
		}
	}
	for end > at && (words["small words"][tokens[end-1].norm] || isCurrencyWord(tokens[end-1].raw)) && !words["sum nouns"][tokens[end-1].norm] {
		end--
	}
	switch {
	case !noun || end == at || !net && !gross && !tax || net && gross:
		return "", 0
	case net:
		return labelSubtotal, end - at
	case gross:
		return labelGrandTotal, end - at
	}
	return labelTax, end - at
}

// shortestTornWord is how long two parts are that may be one torn word: "net to" is none.
const shortestTornWord = 8

// matchLongestPhrase finds the longest phrase, of so many words at most, that starts at a position and
// ends at a colon at the latest.
func matchLongestPhrase[Kind any](phrases map[string][]Kind, tokens []token, at, maxLength int) (kinds []Kind, length int) {
	var phrase strings.Builder
	for end := at; end < len(tokens) && end-at < maxLength && tokens[end].norm != ""; end++ {
		if end > at {
			phrase.WriteByte(' ')
		}
		phrase.WriteString(tokens[end].norm)
		key := phrase.String()
		if unicode.Is(unicode.Han, []rune(key)[0]) || end == at+1 && len(key) > shortestTornWord && phrases[key] == nil {
			key = strings.ReplaceAll(key, " ", "") // the letters of a word may be set apart, and fonts tear words: "Ver käufer"
		}
		if found := phrases[key]; found != nil {
			kinds, length = found, end-at+1
		}
		if tokens[end].colon {
			break
		}
	}
	return kinds, length
}

// The wordings of labels, columns and titles are data: fixtures/words/documents. They are
// read when the first document is.
var (
	lists = sync.OnceValue(func() map[string][]string { return fixtures.WordLists("documents") })
	// wordSets are the same lists, to ask what stands in one.
	wordSets = sync.OnceValue(func() map[string]map[string]bool {
		sets := map[string]map[string]bool{}
		for name, words := range lists() {
			wordSet := make(map[string]bool, len(words))
			for _, word := range words {
				wordSet[word] = true
			}
			sets[name] = wordSet
		}
		return sets
	})
	// labelLexicon maps every wording to the kinds it may announce.
	labelLexicon = sync.OnceValue(func() map[string][]labelKind {
		labels := indexPhrases[labelKind](lists(), "label ")
		for name, kind := range map[string]labelKind{"opening": labelOpening, "closing": labelClosing} {
			for phrase := range indexPhrases[string](fixtures.WordLists("bank"), name) {
				if labels[phrase] == nil {
					labels[phrase] = []labelKind{kind}
				}
			}
		}
		return labels
	})
	columnLexicon = sync.OnceValue(func() map[string]string {
		columns := firstKindPerPhrase(indexPhrases[string](lists(), "column "))
		for phrase, roles := range indexPhrases[string](fixtures.WordLists("bank"), "column ") {
			for _, role := range roles {
				if kind := columnRoles[role]; kind != "" && columns[phrase] == "" {
					columns[phrase] = kind
				}
			}
		}
		return columns
	})
	titleLexicon = sync.OnceValue(func() map[string]string {
		titles := firstKindPerPhrase(indexPhrases[string](lists(), "title "))
		for _, credit := range lists()["words credit titles"] {
			titles[phraseKey(credit)] = KindInvoice
		}
		return titles
	})
)

// columnRoles are the roles of the columns that printed statements share with the lists that
// banks export, whose names stand in fixtures/words/bank.
var columnRoles = map[string]string{
	bank.Date: columnDate, bank.BookingDate: columnDate, bank.ValueDate: columnValueDay, "debit": columnDebit, "credit": columnCredit, bank.Balance: columnBalance, bank.Type: columnType,
}

// inList tells whether a word, or a wording of several, stands in a list.
func inList(name, word string) bool { return wordSets()[name][word] }

// indexPhrases maps the phrases of the lists whose names have a prefix to the rest of the
// names, by the form in which texts are looked up.
func indexPhrases[Kind ~string](lists map[string][]string, prefix string) map[string][]Kind {
	phrases := map[string][]Kind{}
	for _, name := range slices.Sorted(maps.Keys(lists)) {
		kind, ok := strings.CutPrefix(name, prefix)
		if !ok {
			continue
		}
		for phrase := range strings.SplitSeq(strings.Join(lists[name], " "), "|") {
			key := phraseKey(phrase)
			if known := phrases[key]; key != "" && !slices.Contains(known, Kind(kind)) {
				phrases[key] = append(known, Kind(kind))
			}
		}
	}
	return phrases
}

// firstKindPerPhrase is for lists in which a wording stands for one kind only.
func firstKindPerPhrase(phrases map[string][]string) map[string]string {
	kinds := map[string]string{}
	for phrase, of := range phrases {
		kinds[phrase] = of[0]
	}
	return kinds
}
