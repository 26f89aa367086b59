package payloads

import (
	"encoding/json"
	"math/big"
	"strings"
	"time"

	"toolkit/store/truth"
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

// mostSettling bounds the payments and credit notes of one invoice that are added up.
const mostSettling = 1000

// restatus brings what is to be paid up to date after the snapshot of an entity changed:
// of an invoice itself, or of those that a payment settles or a credit note corrects.
// The entity is none that was merged into another.
func restatus(tx truth.Rows, e truth.Entity, s state, fresh bool) error {
	switch {
	case e.Type == invoiceType && len(s) == 0:
		return tx.DropInvoiceStatus(e.Seq)
	case e.Type == invoiceType:
		return settleInvoice(tx, e, s)
	case fresh: // nothing is related to it yet
	case e.Type == creditNoteType:
		return settleTargets(tx, e.Seq, corrects)
	case e.Type == transactionType, e.Type == "receipt":
		return settleTargets(tx, e.Seq, settles)
	}
	return nil
}

func settleTargets(tx truth.Rows, source int64, relationshipType string) error {
	targets, err := tx.Neighbours(source, truth.Outbound, relationshipType, mostSettling)
	if err != nil {
		return err
	}
	rows := make([]int64, len(targets))
	for i, t := range targets {
		rows[i] = t.Seq
	}
	return settleInvoices(tx, rows)
}

// settleInvoices computes what is to be paid of those of some entities that are invoices.
func settleInvoices(tx truth.Rows, rows []int64) error {
	if len(rows) == 0 {
		return nil
	}
	entities, snapshots, err := tx.SnapshotsFound(rows)
	if err != nil {
		return err
	}
	for i, e := range entities {
		if e.Type != invoiceType {
			continue
		}
		s, err := parseState(snapshots[i].State)
		if err != nil {
			return err
		}
		if err := settleInvoice(tx, e, s); err != nil {
			return err
		}
	}
	return nil
}

func settleInvoice(tx truth.Rows, e truth.Entity, s state) error {
	status := truth.InvoiceStatus{Entity: e.Seq, Status: statusUnknown}
	if due, ok := parseTime(strings.TrimSpace(s.text("due_date"))); ok {
		status.Due = due
	}
	left, touched, err := unpaid(tx, e, s)
	if err != nil {
		return err
	}
	switch {
	case left == nil:
	case left.Cmp(cent) < 0:
		status.Status, status.Unpaid = statusPaid, "0"
	case touched:
		status.Status, status.Unpaid = statusPart, decimal(left)
	default:
		status.Status, status.Unpaid = statusOpen, decimal(left)
	}
	return tx.SaveInvoiceStatus(status)
}

var cent = big.NewRat(1, 100)

// unpaid is what is left to pay of an invoice, nil when that cannot be told, and whether
// something was paid or taken back since it was written.
func unpaid(tx truth.Rows, e truth.Entity, s state) (left *big.Rat, touched bool, err error) {
	if left = s.toPay(); left == nil || left.Sign() <= 0 || e.Added {
		return left, false, nil
	}
	notes, err := tx.Neighbours(e.Seq, truth.Inbound, corrects, mostSettling)
	if err != nil {
		return nil, false, err
	}
	payments, err := tx.Neighbours(e.Seq, truth.Inbound, settles, mostSettling)
	if err != nil {
		return nil, false, err
	}
	for i, n := range append(notes, payments...) {
		other, err := parseState(n.State)
		if err != nil {
			return nil, false, err
		}
		var part *big.Rat
		if i < len(notes) {
			part = other.amount("amount")
		} else if part, err = allotted(tx, n, other); err != nil {
			return nil, false, err
		}
		if part == nil || !sameCurrency(s, other) {
			return nil, false, nil
		}
		left, touched = new(big.Rat).Sub(left, new(big.Rat).Abs(part)), true
	}
	return left, touched, nil
}

// allotted is how much of a payment is for one invoice: what its relationship says, or all
// of it when it settles nothing else; nil when that cannot be told. A cash discount that
// the relationship names counts as paid.
func allotted(tx truth.Rows, payment truth.Neighbour, s state) (*big.Rat, error) {
	part := s.amount("amount")
	said := object{}
	if len(payment.Metadata) > 0 {
		var err error
		if said, err = decodeObject(json.RawMessage(payment.Metadata)); err != nil {
			return nil, err
		}
	}
	if stated := amountOf(said["amount"]); stated != nil {
		part = stated
	} else {
		targets, err := tx.Neighbours(payment.Seq, truth.Outbound, settles, 2)
		if err != nil || len(targets) > 1 {
			return nil, err
		}
	}
	if discount := amountOf(said["discount"]); part != nil && discount != nil {
		part = new(big.Rat).Add(new(big.Rat).Abs(part), discount)
	}
	return part, nil
}

// toPay is what an invoice asks for, nil when it does not say.
func (s state) toPay() *big.Rat { return toPay(s.value) }

// toPay reads it from the fields of an invoice.
func toPay(value func(field string) any) *big.Rat {
	if due := value("amount_due"); due != nil {
		return amountOf(due)
	}
	total := amountOf(value("amount"))
	if value("prepaid") == nil || total == nil {
		return total
	}
	prepaid := amountOf(value("prepaid"))
	if prepaid == nil {
		return nil
	}
	return new(big.Rat).Sub(total, new(big.Rat).Abs(prepaid))
}

// value is what stands of a field, nil when nothing does.
func (s state) value(field string) any {
	if c := s.standing(field); c != nil {
		return decodeValue(c.value())
	}
	return nil
}

func (s state) text(field string) string {
	text, _ := s.value(field).(string)
	return text
}

// firstText is the text of the first of some fields that has one.
func (s state) firstText(fields ...string) string {
	for _, field := range fields {
		if text := s.text(field); text != "" {
			return text
		}
	}
	return ""
}

func (s state) amount(field string) *big.Rat { return amountOf(s.value(field)) }

// longestAmount is the digits of an amount of money at most.
const longestAmount = 30

// amountOf is a number as it is written; nil for what is no plain number.
func amountOf(v any) *big.Rat {
	n, ok := v.(json.Number)
	if !ok || len(n) > longestAmount || strings.ContainsAny(n.String(), "eE") {
		return nil
	}
	r, ok := new(big.Rat).SetString(n.String())
	if !ok {
		return nil
	}
	return r
}

// decimal writes an amount with as few digits as it needs.
func decimal(r *big.Rat) string {
	text := r.FloatString(4)
	return strings.TrimRight(strings.TrimRight(text, "0"), ".")
}

// sameCurrency reports whether two documents do not state different currencies.
func sameCurrency(a, b state) bool {
	x, y := fold(a.text("currency")), fold(b.text("currency"))
	return x == "" || y == "" || x == y
}

// stateOfPayment is a status as it is shown at a moment.
func stateOfPayment(s truth.InvoiceStatus, now int64) string {
	if isOverdue(s, now) {
		return statusOverdue
	}
	return s.Status
}

// isOverdue reports whether the day on which something was to be paid is over.
func isOverdue(s truth.InvoiceStatus, now int64) bool {
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
