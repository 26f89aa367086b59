package entities

import (
	"time"

	"toolkit/store"
	"toolkit/store/entities"
)

// UnpaidInvoice is an invoice of which something is left to pay.
type UnpaidInvoice struct {
	ID     string // of its entity
	Name   string
	Vendor string
	Left   string // amount and currency
	Due    time.Time
	Hint   string // what else is known of its payment, to be read after the rest
}

// ListDueInvoices lists up to limit invoices that are to be paid by a day, the first due first,
// and counts all, up to most.
func ListDueInvoices(tx *store.Tx, until time.Time, limit, most int) (list []UnpaidInvoice, count int, err error) {
	unpaid, err := entities.In(tx).UnpaidInvoices(most)
	if err != nil {
		return nil, 0, err
	}
	var rows []int64
	for _, s := range unpaid {
		if due := time.UnixMilli(s.Due).UTC().Format(time.DateOnly); s.Due != 0 && due <= until.Format(time.DateOnly) {
			rows = append(rows, s.Entity)
		}
	}
	invoices, snapshots, err := entities.In(tx).SnapshotsFound(rows[:min(len(rows), limit)])
	if err != nil {
		return nil, 0, err
	}
	for i, e := range invoices {
		values, err := readValues(snapshots[i])
		if err != nil {
			return nil, 0, err
		}
		p, err := loadPayment(entities.In(tx), e, values)
		if err != nil {
			return nil, 0, err
		}
		list = append(list, UnpaidInvoice{ID: e.ID, Name: e.Name, Vendor: textOf(values, "vendor_name"), Left: p.Left, Due: time.UnixMilli(p.Due).UTC(), Hint: p.hint()})
	}
	return list, len(rows), nil
}
