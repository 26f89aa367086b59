package payloads

import (
	"math/big"
	"strings"

	"toolkit/store"
	"toolkit/store/truth"
)

// Payment is a movement of money with the invoices that it settles, or may settle.
type Payment struct {
	EntityID     string
	Date         string // as stated
	Counterparty string
	Currency     string   // as stated, in capitals
	Amount       *big.Rat // what goes out is negative
	Settles      []Settled
	Source       Source // of Amount
}

// Settled is an invoice beside a payment.
type Settled struct {
	EntityID string
	Number   string
	Reason   string // of a suggestion; empty: the two are related
	OneOf    int    // of so many suggestions only one is meant; 0: all are
}

// EachPayment calls f for every transaction, in the order of the last observation, a page
// at a time. What was related stands before what is suggested, which is nowhere written.
func EachPayment(tx *store.Tx, f func(Payment) error) error {
	return eachPage(truth.In(tx), transactionType, func(page []truth.Snapshot) error {
		for _, s := range page {
			p, err := paymentOf(tx, s)
			if err == nil {
				err = f(p)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func paymentOf(tx *store.Tx, s truth.Snapshot) (Payment, error) {
	rows := truth.In(tx)
	entity, err := rows.ByRow(s.Entity)
	if err != nil {
		return Payment{}, err
	}
	current, err := parseState(s.State)
	if err != nil {
		return Payment{}, err
	}
	p := Payment{EntityID: entity.ID, Currency: strings.ToUpper(current.text("currency")), Amount: current.amount("amount")}
	p.Date = current.firstText("date", "booking_date", "value_date")
	p.Counterparty = current.firstText("counterparty", "merchant_name", "description")
	if p.Settles, err = settledBy(rows, entity); err != nil || p.Amount == nil {
		return p, err
	}
	p.Source, err = sourceOf(tx, entity.ID, "amount")
	return p, err
}

// settledBy are the invoices that a payment was related to, else those that are suggested.
func settledBy(rows truth.Rows, payment truth.Entity) (list []Settled, err error) {
	related, err := rows.Neighbours(payment.Seq, truth.Outbound, settles, mostSettling)
	if err != nil {
		return nil, err
	}
	for _, invoice := range related {
		list = append(list, Settled{EntityID: invoice.ID, Number: invoice.Name})
	}
	if len(list) > 0 {
		return list, nil
	}
	suggested, err := suggestPayments(rows, payment)
	if err != nil {
		return nil, err
	}
	for _, one := range suggested {
		invoice, _, err := rows.ByID(one.TargetEntityID)
		if err != nil {
			return nil, err
		}
		list = append(list, Settled{one.TargetEntityID, invoice.Name, one.Reason, one.OneOf})
	}
	return list, nil
}
