package entities

import (
	"time"

	"toolkit/store"
	"toolkit/store/entities"
)

// UnpaidInvoice is an invoice of which something is left to pay.
type UnpaidInvoice struct {
	ID       string // of its entity
	Name     string
	Vendor   string
	Customer string
	Side     Side
	Left     string // amount and currency
	Due      time.Time
	Hint     string // what else is known of its payment, to be read after the rest
}

// DueInvoices are the invoices of one side of the user that are due, the first due first.
type DueInvoices struct {
	First []UnpaidInvoice
	Count int
}

// ListDueInvoices lists by the user's side up to limit invoices of which something is to be paid on certain
// days, and counts all, up to most.
func ListDueInvoices(tx *store.Tx, isDue func(day time.Time) bool, limit, most int) (map[Side]DueInvoices, error) {
	rows, err := listDueRows(tx, isDue, most)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	user, err := loadOwner(tx)
	if err != nil {
		return nil, err
	}
	invoices, err := readKnown(entities.In(tx).KnownEntities(rows))
	if err != nil {
		return nil, err
	}
	bySide := map[Side]DueInvoices{}
	for _, e := range invoices {
		side := user.side(e.values)
		list := bySide[side]
		if list.Count++; len(list.First) < limit {
			p, err := loadPayment(entities.In(tx), e)
			if err != nil {
				return nil, err
			}
			list.First = append(list.First, UnpaidInvoice{ID: e.ID, Name: e.Name, Vendor: textOf(e.values, "vendor_name"), Customer: textOf(e.values, "customer_name"), Side: side,
				Left: p.Left, Due: time.UnixMilli(p.Due).UTC(), Hint: p.hint()})
		}
		bySide[side] = list
	}
	return bySide, nil
}

// listDueRows are the rows of the invoices of which something is to be paid on certain days, the first due first.
func listDueRows(tx *store.Tx, isDue func(day time.Time) bool, most int) (rows []int64, err error) {
	unpaid, err := entities.In(tx).UnpaidInvoices(most)
	for _, s := range unpaid {
		if s.Due != 0 && isDue(time.UnixMilli(s.Due).UTC()) {
			rows = append(rows, s.Entity)
		}
	}
	return rows, err
}
