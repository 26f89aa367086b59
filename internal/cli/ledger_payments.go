package cli

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"toolkit/internal/app"
	"toolkit/store"
	"toolkit/tools/payloads"
)

// paid is a payment with the invoices beside it.
type paid struct {
	Date         string        `json:"date"`
	Counterparty string        `json:"counterparty"`
	Amount       string        `json:"amount"` // "?" where no document says
	Currency     string        `json:"currency"`
	Invoices     []paidInvoice `json:"invoices"`
	Source       string        `json:"source"` // file, page and line
	EntityID     string        `json:"entity_id"`
}

type paidInvoice struct {
	Number   string `json:"number"`
	State    string `json:"state"`            // settled or suggested
	Reason   string `json:"reason,omitempty"` // of a suggestion
	OneOf    int    `json:"one_of,omitempty"` // of so many suggestions only one is meant
	EntityID string `json:"entity_id"`
}

func newLedgerPayments(o *settings) *cobra.Command {
	return showing(o, "ledger payments", "print the payments as JSON, with the reason of each suggestion", paymentsOf, func(list []paid) string {
		if len(list) == 0 {
			return "No payment is known.\n"
		}
		rows := [][]string{{"date", "paid", "", "with", "invoice", "", "from"}}
		for _, p := range list {
			row := []string{cmp.Or(p.Date, "-"), p.Amount, p.Currency, p.Counterparty, "none", "", p.Source}
			for i, invoice := range p.Invoices {
				if i > 0 {
					rows, row = append(rows, row), make([]string, len(row))
				}
				row[4], row[5] = invoice.Number, invoice.says()
			}
			rows = append(rows, row)
		}
		return inColumns(rows)
	})
}

func (i paidInvoice) says() string {
	if i.OneOf > 0 {
		return i.State + ", one of " + strconv.Itoa(i.OneOf)
	}
	return i.State
}

// paymentsOf are the payments, the earliest first, those without a date last.
func paymentsOf(ctx context.Context, a *app.App) ([]paid, error) {
	list := []paid{}
	err := a.Store.Read(ctx, func(tx *store.Tx) error {
		return payloads.EachPayment(tx, func(p payloads.Payment) error {
			one := paid{p.Date, p.Counterparty, money(p.Amount), p.Currency, []paidInvoice{}, placeOf(p.Source, p.EntityID), p.EntityID}
			for _, invoice := range p.Settles {
				state := "suggested"
				if invoice.Reason == "" {
					state = "settled"
				}
				one.Invoices = append(one.Invoices, paidInvoice{invoice.Number, state, invoice.Reason, invoice.OneOf, invoice.EntityID})
			}
			list = append(list, one)
			return nil
		})
	})
	slices.SortStableFunc(list, func(a, b paid) int {
		return cmp.Or(cmp.Compare(cmp.Or(a.Date, "9999"), cmp.Or(b.Date, "9999")), cmp.Compare(a.Counterparty, b.Counterparty), cmp.Compare(a.EntityID, b.EntityID))
	})
	return list, err
}
