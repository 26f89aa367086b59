package entities

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"time"

	"toolkit/store"
	"toolkit/store/entities"
	"toolkit/tools"
)

// Payment states of invoices. Overdue is an open or partly paid one whose due date has
// passed.
const (
	statusOpen    = "open"
	statusPart    = "part"
	statusPaid    = "paid"
	statusOverdue = "overdue"
	statusUnknown = "unknown"
	statusUnpaid  = "unpaid" // open, part or overdue, to be asked for
)

// maxSettlingDocuments bounds the payments and credit notes of one invoice that are added up.
const maxSettlingDocuments = 1000

// updateAffectedInvoiceStatus brings what is to be paid up to date after the snapshot of an entity changed:
// of an invoice itself, or of those that a payment settles or a credit note corrects.
// The entity is none that was merged into another.
func updateAffectedInvoiceStatus(tx entities.Rows, e entities.Entity, s state, added bool) error {
	switch {
	case e.Type == invoiceType && len(s) == 0:
		return tx.DropInvoiceStatus(e.Seq)
	case e.Type == invoiceType:
		return updateInvoiceStatus(tx, e, s.currentValues(), added)
	case added: // nothing is related to it yet
	case e.Type == creditNoteType:
		return updateTargetInvoiceStatus(tx, e.Seq, correctsType)
	case e.Type == transactionType, e.Type == "receipt":
		return updateTargetInvoiceStatus(tx, e.Seq, settlesType)
	}
	return nil
}

func updateTargetInvoiceStatus(tx entities.Rows, source int64, relationshipType string) error {
	targets, err := tx.RelatedEntities(source, entities.Outbound, relationshipType, maxSettlingDocuments)
	if err != nil {
		return err
	}
	rows := make([]int64, len(targets))
	for i, t := range targets {
		rows[i] = t.Seq
	}
	return updateInvoiceStatuses(tx, rows)
}

// updateInvoiceStatuses computes what is to be paid of those of some entities that are invoices.
func updateInvoiceStatuses(tx entities.Rows, rows []int64) error {
	list, err := parseKnownEntities(tx.KnownEntities(rows))
	if err != nil {
		return err
	}
	for _, e := range list {
		if e.Type != invoiceType {
			continue
		}
		if err := updateInvoiceStatus(tx, e.Entity, e.values, false); err != nil {
			return err
		}
	}
	return nil
}

// updateInvoiceStatus computes what is to be paid of an invoice. To one that was just added nothing is related yet.
func updateInvoiceStatus(tx entities.Rows, e entities.Entity, invoice object, added bool) (err error) {
	status := entities.InvoiceStatus{Entity: e.Seq, Status: statusUnknown}
	if due, ok := tools.ParseTime(firstText(invoice, "due_date")); ok {
		status.Due = due
	}
	left, touched := amountToPay(invoice), false
	if !added {
		if left, touched, err = computeUnpaid(tx, e, invoice); err != nil {
			return err
		}
	}
	switch {
	case left == nil:
	case left.Cmp(cent) < 0:
		status.Status, status.Unpaid = statusPaid, "0"
	case touched:
		status.Status, status.Unpaid = statusPart, formatAmount(left)
	default:
		status.Status, status.Unpaid = statusOpen, formatAmount(left)
	}
	return tx.SaveInvoiceStatus(status)
}

var cent = big.NewRat(1, 100)

// computeUnpaid returns what is left to pay of an invoice, nil when that cannot be told, and whether
// something was paid or taken back since it was written.
func computeUnpaid(tx entities.Rows, e entities.Entity, invoice object) (left *big.Rat, touched bool, err error) {
	if left = amountToPay(invoice); left == nil || left.Sign() <= 0 {
		return left, false, nil
	}
	notes, err := parseKnownEntities(tx.RelatedEntities(e.Seq, entities.Inbound, correctsType, maxSettlingDocuments))
	if err != nil {
		return nil, false, err
	}
	payments, err := parseKnownEntities(tx.RelatedEntities(e.Seq, entities.Inbound, settlesType, maxSettlingDocuments))
	if err != nil {
		return nil, false, err
	}
	for i, other := range append(notes, payments...) {
		var part *big.Rat
		if i < len(notes) {
			part = parseAmount(other.values["amount"])
		} else if part, err = computeAmountForInvoice(tx, other); err != nil {
			return nil, false, err
		}
		if part == nil || !isSameCurrency(invoice, other.values) {
			return nil, false, nil
		}
		left, touched = new(big.Rat).Sub(left, new(big.Rat).Abs(part)), true
	}
	return left, touched, nil
}

// computeAmountForInvoice returns how much of a payment is for one invoice: what its relationship says, else what it does
// not say of others; nil when that cannot be told. A cash discount that the relationship names counts as
// paid.
func computeAmountForInvoice(tx entities.Rows, payment knownEntity) (*big.Rat, error) {
	facts, err := decodeObject(payment.Metadata)
	if err != nil {
		return nil, err
	}
	part := parseAmount(facts["amount"])
	if whole := parseAmount(payment.values["amount"]); part == nil && whole != nil {
		stated, open, err := sumAllottedAmounts(tx, payment.Root)
		if err != nil || open > 1 {
			return nil, err
		}
		part = new(big.Rat).Sub(new(big.Rat).Abs(whole), stated)
	}
	if discount := parseAmount(facts["discount"]); part != nil && discount != nil {
		part = new(big.Rat).Add(new(big.Rat).Abs(part), discount)
	}
	return part, nil
}

// amountToPay is what an invoice asks for, nil when it does not say.
func amountToPay(invoice object) *big.Rat {
	if due := invoice["amount_due"]; due != nil {
		return parseAmount(due)
	}
	left := parseAmount(invoice["amount"])
	for _, field := range []string{"prepaid", "withheld"} {
		if invoice[field] == nil || left == nil {
			continue
		}
		part := parseAmount(invoice[field])
		if part == nil {
			return nil
		}
		left = new(big.Rat).Sub(left, new(big.Rat).Abs(part))
	}
	return left
}

// firstText is the first text that an object has among some fields; empty: none.
func firstText(values object, fields ...string) string {
	for _, field := range fields {
		if text, _ := values[field].(string); text != "" {
			return text
		}
	}
	return ""
}

// maxAmountDigits is the digits of an amount of money at most.
const maxAmountDigits = 30

// parseAmount returns a number as it is written; nil for what is no plain number.
func parseAmount(v any) *big.Rat {
	n, ok := v.(json.Number)
	if !ok || len(n) > maxAmountDigits || strings.ContainsAny(n.String(), "eE") {
		return nil
	}
	r, ok := new(big.Rat).SetString(n.String())
	if !ok {
		return nil
	}
	return r
}

// formatAmount writes an amount with as few digits as it needs.
func formatAmount(r *big.Rat) string {
	text := r.FloatString(4)
	return strings.TrimRight(strings.TrimRight(text, "0"), ".")
}

// isSameCurrency reports whether two documents do not state different currencies.
func isSameCurrency(a, b object) bool {
	x, y := normalizeText(firstText(a, "currency")), normalizeText(firstText(b, "currency"))
	return x == "" || y == "" || x == y
}

// paymentStatus is a status as it is shown at a moment.
func paymentStatus(s entities.InvoiceStatus, now int64) string {
	if isOverdue(s, now) {
		return statusOverdue
	}
	return s.Status
}

// isOverdue reports whether the day on which something was to be paid is over.
func isOverdue(s entities.InvoiceStatus, now int64) bool {
	return (s.Status == statusOpen || s.Status == statusPart) && s.Due != 0 && s.Due+(24*time.Hour).Milliseconds() <= now
}

// statusFilter is what a payment state that is asked for means in the store.
func statusFilter(asked string, now int64) (states []string, dueUntil int64) {
	switch asked {
	case "":
		return nil, 0
	case statusUnpaid:
		return []string{statusOpen, statusPart}, 0
	case statusOverdue:
		return []string{statusOpen, statusPart}, now - (24 * time.Hour).Milliseconds()
	}
	return []string{asked}, 0
}

// PaymentStatus is how far an invoice is paid.
type PaymentStatus struct {
	Status string `json:"status"` // open, part, overdue, paid or unknown
	Unpaid string `json:"unpaid"` // what is left to pay
}

// FindPaymentStatus is how far the entity of an id is paid; nil where it is no invoice.
func FindPaymentStatus(tx *store.Tx, id string) (*PaymentStatus, error) {
	e, known, err := entities.In(tx).ByID(id)
	if err != nil || !known {
		return nil, err
	}
	states, err := entities.In(tx).InvoiceStatusOf([]int64{e.Seq})
	if s, is := states[e.Seq]; is {
		return &PaymentStatus{s.Status, s.Unpaid}, err
	}
	return nil, err
}

// checkMetadataAmounts refuses metadata that says how much of an invoice a payment settles and is no amount.
func checkMetadataAmounts(metadata json.RawMessage) error {
	facts, err := decodeObject(metadata)
	if err != nil {
		return err
	}
	for _, name := range []string{"amount", "discount"} {
		if facts[name] == nil {
			continue
		}
		if amount := parseAmount(facts[name]); amount == nil || amount.Sign() < 0 {
			return tools.Invalid(tools.CodeInvalid, "metadata."+name, "an amount", "metadata.%s is no amount: give a number from 0 on, in the invoice's currency, such as 233.24", name)
		}
	}
	return nil
}

// checkPaymentNotOverspent refuses that what a payment is said to settle comes to more than it holds.
func checkPaymentNotOverspent(tx entities.Rows, payment entities.Entity) error {
	known, _, err := loadKnownEntity(tx, payment)
	holds := parseAmount(known.values["amount"])
	if err != nil || holds == nil {
		return err
	}
	holds = new(big.Rat).Abs(holds)
	sum, open, err := sumAllottedAmounts(tx, payment.Root)
	if err != nil {
		return err
	}
	if over := sum.Cmp(holds); over < 0 || over == 0 && open == 0 {
		return nil
	}
	currency, more := firstText(known.values, "currency"), ""
	if open > 0 {
		more = fmt.Sprintf(" and %d more of which it is not said how much", open)
	}
	return tools.Invalid(tools.CodeInvalid, "metadata.amount", "at most what the payment holds", "the payment holds %s, but with this it would settle %s%s: give in metadata.amount what is for this one, and in metadata.discount what was allowed off",
		formatAmountWithCurrency(holds, currency), formatAmountWithCurrency(sum, currency), more)
}

// sumAllottedAmounts returns what a payment is said to settle, and of how many documents it is not said how much.
func sumAllottedAmounts(tx entities.Rows, payment int64) (sum *big.Rat, open int, err error) {
	targets, err := tx.RelatedEntities(payment, entities.Outbound, settlesType, maxSettlingDocuments)
	sum = new(big.Rat)
	for _, n := range targets {
		facts, err := decodeObject(n.Metadata)
		if err != nil {
			return nil, 0, err
		}
		if part := parseAmount(facts["amount"]); part != nil {
			sum.Add(sum, part)
		} else {
			open++
		}
	}
	return sum, open, err
}

// describeOverpayment says what is wrong with the sums of what settles an invoice; empty: nothing.
func describeOverpayment(tx entities.Rows, e entities.Entity) (string, error) {
	invoice, _, err := loadKnownEntity(tx, e)
	asked := amountToPay(invoice.values)
	if err != nil || invoice.Type != invoiceType || asked == nil {
		return "", err
	}
	left, touched, err := computeUnpaid(tx, invoice.Entity, invoice.values)
	switch {
	case err != nil:
		return "", err
	case left == nil:
		return "nobody can tell what is left of the invoice: nothing says how much of a payment is for it, or a currency differs", nil
	case left.Sign() >= 0 || !touched:
		return "", nil
	}
	over, currency := new(big.Rat).Neg(left), firstText(invoice.values, "currency")
	return fmt.Sprintf("the invoice asks for %s, and what settles it comes to %s: %s too much",
		formatAmountWithCurrency(asked, currency), formatAmountWithCurrency(new(big.Rat).Add(asked, over), currency), formatAmountWithCurrency(over, currency)), nil
}

// formatAmountWithCurrency returns an amount with its currency, if that is known.
func formatAmountWithCurrency(amount *big.Rat, currency string) string {
	text := FormatMoney(formatAmount(amount))
	if currency != "" {
		text += " " + currency
	}
	return text
}
