package app

import (
	"strings"
	"testing"
)

func TestUnpaidInvoicesAnswerAQuestionForThem(t *testing.T) {
	a := remembered(t)
	submit := func(number string, due any, currency string) {
		callTool(t, a, "submit_payload", map[string]any{"capability_id": "neotoma:store_invoice:v1",
			"body":       map[string]any{"invoice_number": number, "vendor_name": "Nordlicht GmbH", "date": "2026-03-01", "amount": 119, "currency": currency, "amount_due": due, "due_date": "2026-04-01"},
			"provenance": map[string]any{"source_refs": []string{}, "extracted_at": "2026-03-02T00:00:00Z", "extractor_version": "test"}})
	}
	submit("NL-7001", 119, "EUR")
	submit("NL-7002", 0, "EUR")
	for _, question := range []string{"unpaid invoices", "Which invoices are overdue?", "offene Rechnungen", "Welche Rechnungen sind noch unbezahlt?", "factures impayées", "facturas pendientes"} {
		out, text := recallOf(t, a, map[string]any{"query": question})
		if len(out.Found) == 0 || !strings.HasPrefix(out.Found[0].Text, "unpaid invoice, left to pay: 119 EUR, due on 2026-04-01\nNL-7001") {
			t.Errorf("%q is answered first with %s", question, text)
		}
		for _, h := range out.Found {
			if strings.HasPrefix(h.Text, "unpaid") && strings.Contains(h.Text, "NL-7002") {
				t.Errorf("%q is answered with an invoice that is paid", question)
			}
		}
	}
	submit("NL-7003", 119, "")
	if _, text := recallOf(t, a, map[string]any{"query": "unpaid invoices"}); !strings.Contains(text, "left to pay: 119 (it states no currency), due on 2026-04-01") {
		t.Errorf("without a currency it says %s", text)
	}
	if _, text := recallOf(t, a, map[string]any{"query": "Where do we keep the open source licences?"}); strings.Contains(text, "NL-7001") {
		t.Errorf("a question for something else is answered with the unpaid invoice: %s", text)
	}
}
