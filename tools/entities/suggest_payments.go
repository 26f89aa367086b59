package entities

import (
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"toolkit/fixtures"
	"toolkit/internal/language"
	"toolkit/internal/reader/bank"
	"toolkit/store"
	"toolkit/store/entities"
	"toolkit/tools"
)

// suggestion is a relationship that documents give reason for, and nobody said. It is
// never written by itself: create_relationship takes it as it is.
type suggestion struct {
	RelationshipType string          `json:"relationship_type"`
	SourceEntityID   string          `json:"source_entity_id"`
	TargetEntityID   string          `json:"target_entity_id"`
	Metadata         json.RawMessage `json:"metadata,omitempty"`
	Reason           string          `json:"reason"`
	OneOf            int             `json:"one_of,omitempty" jsonschema_description:"Of so many that fit as well only one is meant"`

	paid string // what a payment of another amount than the invoice's comes to; empty: the amount fits
}

const (
	// maxPayEarlier and maxPayLater are the days before and after an invoice's date at which a
	// payment of its amount by its parties is taken for its payment.
	maxPayEarlier = 5 * 24 * time.Hour
	maxPayLater   = 180 * 24 * time.Hour
	// maxSuggestions bounds the suggestions of one answer.
	maxSuggestions = 10
)

// suggestSettlements says which payments may settle an invoice, or which invoices a payment:
// those it names and whose amount it has, else those of its amount and party at a
// plausible time and those it names with another amount. Of several that fit none is preferred.
func suggestSettlements(tx entities.Rows, s entities.Entity) ([]suggestion, error) {
	if s.Type != invoiceType && s.Type != transactionType {
		return nil, nil
	}
	one, known, err := loadKnownEntity(tx, s)
	if err != nil || !known {
		return nil, err
	}
	others, err := findPaymentCandidates(tx, one)
	if err != nil {
		return nil, err
	}
	var named, fitting []suggestion
	var several []pair // that the text names, of other amounts
	for _, other := range others {
		p := pair{payment: one, invoice: other}
		if s.Type == invoiceType {
			p.payment, p.invoice = other, one
		}
		if err := p.collectEvidence(tx); err != nil {
			return nil, err
		}
		switch {
		case p.impossible:
		case p.reference && p.amount:
			named = append(named, p.makeSuggestion())
		case p.reference:
			several = append(several, p)
		case p.amount && p.party != "" && p.timely:
			fitting = append(fitting, p.makeSuggestion())
		}
	}
	if len(named) > 0 {
		return markAllAsAlternatives(named), nil
	}
	list := append(markAllAsAlternatives(fitting), suggestPaymentsOfOtherAmount(several)...)
	return list[:min(len(list), maxSuggestions)], nil
}

// markAllAsAlternatives says of how many that fit only one is meant.
func markAllAsAlternatives(list []suggestion) []suggestion {
	for i := range list {
		if len(list) > 1 {
			list[i].OneOf = len(list)
		}
	}
	return list[:min(len(list), maxSuggestions)]
}

// findPaymentCandidates returns the documents that share an amount or a number with a payment or an
// invoice.
func findPaymentCandidates(tx entities.Rows, one knownEntity) ([]knownEntity, error) {
	var keys []int64
	other := invoiceType
	if one.Type == transactionType {
		for _, n := range extractReferenceNumbers(one.values) {
			keys = append(keys, hashValue(numberPath, n))
		}
		if a := parseAmount(one.values["amount"]); a != nil {
			paid := new(big.Rat).Abs(a)
			keys = append(keys, hashAmount(payablePath, paid), hashAmount("amount", paid))
		}
	} else {
		other = transactionType
		if n := compactDocumentNumber(one.values["invoice_number"]); isReferenceNumber(n) {
			keys = append(keys, hashValue(referencePath, n))
		}
		for _, p := range listPayableAmounts(one.values) {
			keys = append(keys, hashAmount(paidPath, p.amount))
		}
	}
	return parseKnownEntities(tx.FindEntitiesByValues(other, keys, maxLinkCandidates))
}

func hashAmount(field string, a *big.Rat) int64 {
	return hashValue(field, json.Number(formatAmount(a)))
}

// payable is an amount with which an invoice may be paid.
type payable struct {
	amount   *big.Rat
	discount *big.Rat // what of it was allowed off; nil: nothing
	reason   string
}

// listPayableAmounts returns what is due of an invoice, all of it, and what is left of them with the
// cash discounts of its terms.
func listPayableAmounts(invoice object) (list []payable) {
	rates := parseCashDiscountRates(invoice)
	for i, a := range []*big.Rat{amountToPay(invoice), parseAmount(invoice["amount"])} {
		if a == nil || a.Sign() <= 0 {
			continue
		}
		reason := []string{"the amount is what is to be paid", "the amount is the amount of the invoice"}[i]
		list = append(list, payable{a, nil, reason})
		for _, rate := range rates {
			left, _ := new(big.Rat).SetString(new(big.Rat).Sub(a, new(big.Rat).Mul(a, rate)).FloatString(2)) // whole cents
			list = append(list, payable{left, new(big.Rat).Sub(a, left), reason + " less the cash discount of its payment_terms"})
		}
	}
	return list
}

var percentage = regexp.MustCompile(`(\d{1,2}(?:[.,]\d{1,2})?)\s*%`)

var payWords = sync.OnceValue(func() map[string][]string {
	lists := fixtures.WordLists("payments")
	for name, lines := range lists {
		lists[name] = strings.Fields(strings.Join(lines, " "))
	}
	return lists
})

// parseCashDiscountRates returns the rates of cash discount that an invoice's terms name.
func parseCashDiscountRates(values object) (rates []*big.Rat) {
	terms, _ := values["payment_terms"].(string)
	if terms = language.FoldNameLetters(terms); !strings.Contains(terms, "%") {
		return nil
	}
	if !slices.ContainsFunc(payWords()["cash discount"], func(word string) bool { return strings.Contains(terms, word) }) {
		return nil
	}
	for _, found := range percentage.FindAllStringSubmatch(terms, 4) {
		if rate, ok := new(big.Rat).SetString(strings.Replace(found[1], ",", ".", 1)); ok && rate.Sign() > 0 {
			rates = append(rates, rate.Quo(rate, big.NewRat(100, 1)))
		}
	}
	return rates
}

// pair is a payment and an invoice with what speaks for their belonging together.
type pair struct {
	payment, invoice knownEntity

	impossible bool
	reference  bool
	amount     bool
	timely     bool
	party      string // the field of the invoice that names the other side; empty: none does
	discount   *big.Rat
	paid       *big.Rat
	left       *big.Rat // what is to be paid of the invoice still; nil: nobody can tell
	reasons    []string
}

// collectEvidence looks for evidence, and for what rules the two out: another currency, a payment
// before the invoice, the wrong direction, a payment that moved no money (it is pending or
// failed), or that they are settled already.
func (p *pair) collectEvidence(tx entities.Rows) (err error) {
	p.paid = parseAmount(p.payment.values["amount"])
	if p.paid == nil || !isSameCurrency(p.payment.values, p.invoice.values) || bank.MovesNoMoney(firstText(p.payment.values, "status")) {
		p.impossible = true
		return nil
	}
	p.compareDates()
	p.compareParties()
	if p.impossible {
		return nil
	}
	if n := compactDocumentNumber(p.invoice.values["invoice_number"]); isReferenceNumber(n) && slices.Contains(extractReferenceNumbers(p.payment.values), n) {
		p.reference = true
		p.reasons = append(p.reasons, "the payment's text names the invoice_number")
	}
	p.compareAmounts()
	if !p.reference && (!p.amount || p.party == "" || !p.timely) {
		return nil // no reason to look further
	}
	if p.impossible, err = p.namesOtherInvoice(tx); p.impossible || err != nil {
		return err
	}
	states, err := tx.InvoiceStatusOf([]int64{p.invoice.Seq})
	if err != nil {
		return err
	}
	status := states[p.invoice.Seq]
	p.left = parseAmount(json.Number(status.Unpaid))
	if !p.amount && p.left != nil && new(big.Rat).Abs(p.paid).Cmp(p.left) == 0 {
		p.amount = true
		p.reasons = append(p.reasons, "the amount is what is left to pay")
	}
	done, err := isPaymentTaken(tx, p.payment.Entity, p.invoice.Entity)
	p.impossible = done || status.Status == statusPaid || err != nil
	return err
}

// namesOtherInvoice reports whether the payment's text names an invoice, and not this one: one that is known, or
// a number of the form of this one's.
func (p *pair) namesOtherInvoice(tx entities.Rows) (bool, error) {
	if p.reference {
		return false, nil
	}
	form := numberPattern(compactDocumentNumber(p.invoice.values["invoice_number"]))
	var keys []int64
	for _, n := range extractReferenceNumbers(p.payment.values) {
		if form != "" && numberPattern(n) == form {
			return true, nil
		}
		keys = append(keys, hashValue(numberPath, n))
	}
	others, err := tx.FindEntitiesByValues(invoiceType, keys, maxLinkCandidates)
	return len(others) > 0, err
}

var digitOfNumber = regexp.MustCompile(`[0-9]`)

// numberPattern is a number with letters without the values of its digits; "" for one without letters,
// whose form many numbers have.
func numberPattern(number string) string {
	form := digitOfNumber.ReplaceAllString(number, "0")
	if strings.Trim(form, "0") == "" {
		return ""
	}
	return form
}

func (p *pair) compareAmounts() {
	paid := new(big.Rat).Abs(p.paid)
	for _, a := range listPayableAmounts(p.invoice.values) {
		if paid.Cmp(a.amount) == 0 {
			p.amount, p.discount = true, a.discount
			p.reasons = append(p.reasons, a.reason)
			return
		}
	}
}

func (p *pair) compareDates() {
	invoiced, known := tools.ParseTime(firstText(p.invoice.values, "date"))
	for _, field := range []string{"date", "booking_date", "value_date"} {
		paid, ok := tools.ParseTime(firstText(p.payment.values, field))
		if !ok || !known {
			continue
		}
		after := time.Duration(paid-invoiced) * time.Millisecond
		p.impossible = after < -maxPayEarlier
		if p.timely = !p.impossible && after <= maxPayLater; p.timely {
			p.reasons = append(p.reasons, "it was paid after the invoice's date")
		}
		return
	}
}

// signedBy are fields that only statements of accounts have: there what goes out is negative.
var signedBy = []string{"counterparty_iban", "balance", "account", "booking_date", "value_date"}

// compareParties finds the other side of the payment on the invoice. What goes out pays a
// vendor, what comes in is paid by a customer.
func (p *pair) compareParties() {
	if iban := compactDocumentNumber(p.payment.values["counterparty_iban"]); iban != "" && iban == compactDocumentNumber(p.invoice.values["iban"]) {
		p.party = "iban"
	}
	for _, field := range []string{"counterparty", "merchant_name"} {
		for _, role := range []string{"vendor_name", "payee_name", "customer_name"} {
			if p.party == "" && isSameCompanyName(firstText(p.payment.values, field), firstText(p.invoice.values, role)) {
				p.party = role
			}
		}
	}
	if p.party == "" {
		return
	}
	signed := p.paid.Sign() < 0 || slices.ContainsFunc(signedBy, func(field string) bool { return p.payment.values[field] != nil })
	out := p.party != "customer_name"
	if signed && (p.paid.Sign() < 0) != out {
		p.impossible = true
		return
	}
	p.reasons = append(p.reasons, "the other side of the payment is the invoice's "+p.party)
}

// isSameCompanyName compares two names as far as a bank writes them: the legal form may be
// missing, but it may not be another one.
func isSameCompanyName(a, b string) bool {
	x, xForm := language.SplitLegalForm(a)
	y, yForm := language.SplitLegalForm(b)
	return x != "" && x == y && (xForm == nil || yForm == nil || xForm == yForm || xForm.Silent && yForm.Silent)
}

// isPaymentTaken reports whether two are related, or the payment has gone to others.
func isPaymentTaken(tx entities.Rows, payment, invoice entities.Entity) (bool, error) {
	targets, err := tx.RelatedEntities(payment.Seq, entities.Outbound, settlesType, maxSettlingDocuments)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(targets, func(n entities.KnownEntity) bool {
		return n.Seq == invoice.Seq || !strings.Contains(string(n.Metadata), `"amount"`)
	}), nil
}

func (p *pair) makeSuggestion() suggestion {
	s := suggestion{RelationshipType: settlesType, SourceEntityID: p.payment.ID, TargetEntityID: p.invoice.ID, Reason: strings.Join(p.reasons, "; ")}
	if p.discount != nil {
		s.Metadata = encodeJSON(object{"discount": json.Number(formatAmount(p.discount))})
	}
	return s
}

// minUnlikelyNumber is the letters and digits of an invoice's number from which a text hardly has it
// by chance.
const minUnlikelyNumber = 6

// suggestPaymentsOfOtherAmount suggests payments that name an invoice and are no payment of all of it: a part, less
// a discount of no terms, or more with a fee or for several invoices.
func suggestPaymentsOfOtherAmount(pairs []pair) (list []suggestion) {
	for _, p := range pairs {
		number := compactDocumentNumber(p.invoice.values["invoice_number"])
		if p.left == nil || p.left.Sign() <= 0 || p.paid.Sign() == 0 || p.party == "" && len(number) < minUnlikelyNumber {
			continue
		}
		paid, currency := new(big.Rat).Abs(p.paid), firstText(p.invoice.values, "currency")
		difference, word := new(big.Rat).Sub(p.left, paid), "less"
		s := p.makeSuggestion()
		if difference.Sign() < 0 {
			difference.Neg(difference)
			word = "more"
			s.Metadata = encodeJSON(object{"amount": json.Number(formatAmount(p.left))})
		}
		s.paid = formatAmountWithCurrency(paid, currency)
		s.Reason += fmt.Sprintf("; another amount: %s for %s that are to be paid, %s %s", s.paid, formatAmountWithCurrency(p.left, currency), formatAmountWithCurrency(difference, currency), word)
		list = append(list, s)
	}
	return list
}

// suggestLinks is all that is suggested for an entity.
func suggestLinks(tx *store.Tx, e entities.Entity) ([]suggestion, error) {
	list, err := suggestSettlements(entities.In(tx), e)
	if err != nil || len(list) > 0 {
		return list, err
	}
	return suggestDuplicates(entities.In(tx), e)
}

// hintSuggestions puts suggestions into hints.
func hintSuggestions(h *tools.Hints, list []suggestion) {
	for _, s := range list[:min(2, len(list))] {
		with := map[string]any{"relationship_type": s.RelationshipType, "source_entity_id": s.SourceEntityID, "target_entity_id": s.TargetEntityID}
		if len(s.Metadata) > 0 {
			with["metadata"] = s.Metadata
		}
		h.SuggestCall(relateName, tools.PriorityMedium, with, "if the user agrees: "+s.Reason)
	}
}
