package document

import (
	"strings"
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
	labelDueDate        labelKind = "due_date"
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
	labelPaid           labelKind = "amount_paid"
	labelOpening        labelKind = "opening_balance"
	labelClosing        labelKind = "closing_balance"
	labelTotalValue     labelKind = "total_value"
	labelCurrency       labelKind = "currency"
	labelPayment        labelKind = "payment_method"
	labelTaxYear        labelKind = "tax_year"
	labelPayer          labelKind = "payer_name"
	labelRecipient      labelKind = "recipient_name"
	labelTitle          labelKind = "title"
	labelOther          labelKind = "other"
)

// FieldsCalled are the fields that a label announces, "amount" for every kind of
// total; none for words that are no label.
func FieldsCalled(words string) []string {
	var fields []string
	for _, kind := range labelLexicon()[phraseKey(words)] {
		switch kind {
		case labelGrandTotal, labelTotal, labelAmountDue:
			fields = append(fields, "amount")
		case labelInvoiceDate:
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
// tokens. A colon ends a label: words after one are not part of it.
func matchLabel(tokens []token, at int) (kinds []labelKind, length int) {
	var phrase strings.Builder
	for end := at; end < len(tokens) && end-at < longestPhrase; end++ {
		if end > at {
			phrase.WriteByte(' ')
		}
		if tokens[end].norm == "" {
			break
		}
		phrase.WriteString(tokens[end].norm)
		if found := labelLexicon()[phrase.String()]; found != nil {
			kinds, length = found, end-at+1
		}
		if tokens[end].colon {
			break
		}
	}
	if length == 0 && at < len(tokens) && isCompound(tokens[at].norm) {
		return []labelKind{labelOther}, 1
	}
	return kinds, length
}

// isCompound recognises words that are labels by their last part, in the languages that
// write them as one: "Vorgangsnummer", "Zustelldatum", "polisnummer".
func isCompound(word string) bool {
	for _, part := range []string{"nummer", "datum", "adresse", "zeichen", "betrag", "bedrag", "kennung", "kenmerk"} {
		if len(word) > len(part)+2 && strings.HasSuffix(word, part) {
			return true
		}
	}
	return false
}
