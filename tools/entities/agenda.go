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

// ListDueInvoices lists by the user's side up to limit invoices that are to be paid by a day, and counts
// all, up to most.
func ListDueInvoices(tx *store.Tx, until time.Time, limit, most int) (map[Side]DueInvoices, error) {
	unpaid, err := entities.In(tx).UnpaidInvoices(most)
	if err != nil {
		return nil, err
	}
	var rows []int64
	for _, s := range unpaid {
		if due := time.UnixMilli(s.Due).UTC().Format(time.DateOnly); s.Due != 0 && due <= until.Format(time.DateOnly) {
			rows = append(rows, s.Entity)
		}
	}
	if len(rows) == 0 {
		return nil, nil
	}
	user, err := loadOwner(tx)
	if err != nil {
		return nil, err
	}
	invoices, snapshots, err := entities.In(tx).SnapshotsFound(rows)
	if err != nil {
		return nil, err
	}
	bySide := map[Side]DueInvoices{}
	for i, e := range invoices {
		values, err := readValues(snapshots[i])
		if err != nil {
			return nil, err
		}
		side := user.side(values)
		list := bySide[side]
		if list.Count++; len(list.First) < limit {
			p, err := loadPayment(entities.In(tx), e, values)
			if err != nil {
				return nil, err
			}
			list.First = append(list.First, UnpaidInvoice{ID: e.ID, Name: e.Name, Vendor: textOf(values, "vendor_name"), Customer: textOf(values, "customer_name"), Side: side,
				Left: p.Left, Due: time.UnixMilli(p.Due).UTC(), Hint: p.hint()})
		}
		bySide[side] = list
	}
	return bySide, nil
}
