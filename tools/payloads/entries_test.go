package payloads

import (
	"fmt"
	"math/big"
	"slices"
	"testing"
	"time"

	"toolkit/store"
)

func TestEntriesOfALedgerAreTracedToTheirDocuments(t *testing.T) {
	b := newBench(t)
	out := b.Call(uploadName, args{"file_path": SampleName})
	b.submit("invoice", "2025-01-01", invoiceBody("RE-1", "Acme Corp", "2025-01-01", args{"due_date": "2025-02-01"}))
	b.submit("receipt", "2025-01-02", args{"receipt_number": "K 7", "vendor_name": "ACME", "amount": 4.5, "date": "2025-03-02"})
	b.submit("receipt", "2025-01-03", args{"receipt_number": "K 8", "note": "unreadable"})
	body := creditNote("GS 1", "RE-1", "Acme Corp")
	body["properties"].(args)["amount"] = 19 // as somebody writes it who leaves the sign to the word
	b.Call(storeName, body)
	var lines []string
	err := b.Store.Read(t.Context(), func(tx *store.Tx) error {
		return EachEntry(tx, time.Date(2025, 3, 1, 0, 0, 0, 0, time.UTC), func(e Entry) error {
			show := func(r *big.Rat) string {
				if r == nil {
					return "-"
				}
				return r.FloatString(2)
			}
			lines = append(lines, fmt.Sprint(e.Type, " ", e.Number, " ", e.Vendor, " ", e.Month, " ", e.Currency, " ", show(e.Amount), " ", e.Status, " ", show(e.Unpaid)))
			if e.Number == "INV-2041" {
				same(t, "its source", []any{e.Source.RecordID, e.Source.FileURL, e.Source.File, e.Source.Page, e.Source.Line > 1}, []any{sampleRecord, out["file_url"], SampleName, 1, true})
			}
			if e.Type == "receipt" && e.Vendor != "" {
				same(t, "its vendor", e.VendorID, company("Acme"))
			}
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(lines)
	same(t, "entries", lines, []string{
		"credit_note GS 1 Acme Corp  EUR -19.00  -", "invoice INV-2041 Acme Corp 2025-01 EUR 1500.00 overdue 1500.00", "invoice RE-1 Acme Corp 2025-01 EUR 119.00 overdue 100.00",
		"receipt K 7 Acme Corp 2025-03  4.50  -", "receipt K 8    -  -",
	})
}
