package app

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"toolkit/internal/testenv"
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
	for _, question := range []string{"unpaid invoices", "Which invoices are overdue?", "offene Rechnungen", "Welche Rechnungen sind noch unbezahlt?", "factures impayées", "facturas pendientes", "quelles factures ne sont pas payées ?", "quali fatture non sono pagate?", "which invoices aren't paid yet"} {
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

func TestAnInvoiceSaysWhetherItIsPaid(t *testing.T) {
	a := newApp(t)
	submit := func(kind string, body map[string]any) string {
		out := callTool(t, a, "submit_payload", map[string]any{"capability_id": "neotoma:store_" + kind + ":v1", "body": body,
			"provenance": map[string]any{"source_refs": []string{}, "extracted_at": "2026-03-02T00:00:00Z", "extractor_version": "test"}})
		return out["entities"].([]any)[0].(map[string]any)["entity_id"].(string)
	}
	invoice := submit("invoice", map[string]any{"invoice_number": "BN-1183", "vendor_name": "badenova", "date": "2026-03-01", "amount": 152.8, "currency": "EUR", "due_date": "2026-04-01"})
	paid := submit("transaction", map[string]any{"transaction_id": "T-1", "amount": -152.8, "currency": "EUR", "date": "2026-03-24", "counterparty": "badenova", "description": "Rechnung BN-1183"})
	const unpaid = "unpaid invoice, left to pay: 152.80 EUR, due on 2026-04-01"
	const suggested = unpaid + "; a payment of 2026-03-24 seems to settle it and is not confirmed yet\nBN-1183 (invoice)\namount: 152.80\n"
	questions := []string{"which invoices are unpaid?", "is the badenova bill paid?", "Welche Rechnungen muss ich noch bezahlen?", "Ist die Rechnung von badenova bezahlt?", "What do I owe badenova?"}
	expect := func(want string) {
		t.Helper()
		for _, question := range questions {
			out, text := recallOf(t, a, map[string]any{"query": question})
			if len(out.Found) == 0 || !strings.HasPrefix(out.Found[0].Text, want) {
				t.Errorf("%q is answered first with %s, want %s", question, text, want)
			}
		}
	}
	expect(suggested)
	callTool(t, a, "create_relationship", map[string]any{"relationship_type": "SETTLES", "source_entity_id": paid, "target_entity_id": invoice})
	expect("paid invoice\nBN-1183 (invoice)\n")
	callTool(t, a, "correct_field", map[string]any{"entity_id": invoice, "field": "memo", "value": "badenova heating", "reason": "badenova wrote so"})
	for _, question := range questions {
		if _, text := recallOf(t, a, map[string]any{"query": question}); strings.Contains(text, "entity id: ent_") {
			t.Errorf("%q is answered with the record of a correction: %s", question, text)
		}
	}
}

func TestAFileOfAPaidInvoiceSaysThatItIsPaid(t *testing.T) {
	a := newApp(t)
	file := filepath.Join(t.TempDir(), "heat.txt")
	testenv.Write(t, file, "INVOICE\n\nInvoice number: HL-77\nInvoice date: 2026-03-02\nVendor: Heat Ltd\nCustomer: Test Customer\n\nTotal: 119.00 EUR\nAmount due: 0.00 EUR\n")
	callTool(t, a, "upload_file", map[string]any{"file_path": file})
	out, text := recallOf(t, a, map[string]any{"query": "HL-77 Heat Ltd", "kinds": []string{"document"}})
	if len(out.Found) == 0 || out.Found[0].Note != "the invoice is paid" {
		t.Errorf("it says %s", text)
	}
}

func TestAnswersNameTheFileAndLeaveItsMetadataOut(t *testing.T) {
	a := newApp(t)
	file := filepath.Join(t.TempDir(), "umsaetze.csv")
	testenv.Write(t, file, "Buchungstag;Valuta;Auftraggeber/Empfänger;Verwendungszweck;Betrag;Währung;Saldo\n24.11.2026;24.11.2026;Stadtwerke;Strom November;-152,80;EUR;2847,20\n25.11.2026;25.11.2026;Edeka;Einkauf;-45,10;EUR;2802,10\n")
	callTool(t, a, "upload_file", map[string]any{"file_path": file})
	_, text := recallOf(t, a, map[string]any{"query": "umsaetze Strom November Stadtwerke"})
	for _, want := range []string{"umsaetze.csv", "-152.80"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in %s", want, text)
		}
	}
	for _, noise := range []string{"metadata", "FinancialRecord", "-152.8\\n"} {
		if strings.Contains(text, noise) {
			t.Errorf("%q stands in %s", noise, text)
		}
	}
}

// What the user corrected stands in the answer, also where the file is the hit.
func TestAFileIsToldAsItWasCorrected(t *testing.T) {
	a := newApp(t)
	path := filepath.Join(filepath.Dir(a.Store.Path()), "bill.txt")
	testenv.Write(t, path, "Mühle Tannental GmbH\nRechnung\nRechnungsnummer: MT-55\nRechnungsdatum: 12.03.2026\nGesamtbetrag 601,34 EUR\n")
	stored := callTool(t, a, "upload_file", map[string]any{"file_path": path})
	found := callTool(t, a, "find_entities", map[string]any{"text": "MT-55"})
	id := found["entities"].([]any)[0].(map[string]any)["entity_id"].(string)
	callTool(t, a, "correct_field", map[string]any{"entity_id": id, "field": "amount", "value": "581.34", "reason": "a discount"})
	out, text := recallOf(t, a, map[string]any{"query": "Rechnung Mühle Tannental Betrag", "kinds": []string{"document", "record"}})
	if len(out.Found) == 0 || !strings.Contains(out.Found[0].Text, "581.34") || strings.Contains(out.Found[0].Text, "601.34") || !strings.Contains(out.Found[0].Note, "corrected by the user: amount") {
		t.Errorf("%v is told as %s", stored["record"], text)
	}
}

func TestACorrectedValueComesFromItsCorrectionAndNoLine(t *testing.T) {
	a := newApp(t)
	path := filepath.Join(filepath.Dir(a.Store.Path()), "bill.txt")
	testenv.Write(t, path, "Northwind Mill GmbH\nINVOICE\nInvoice number: MT-55\nInvoice date: 2026-03-12\nDue date: 2026-04-12\nTotal: 601.34 EUR\n")
	callTool(t, a, "upload_file", map[string]any{"file_path": path})
	found := callTool(t, a, "find_entities", map[string]any{"text": "MT-55"})
	id := found["entities"].([]any)[0].(map[string]any)["entity_id"].(string)
	callTool(t, a, "correct_field", map[string]any{"entity_id": id, "field": "amount", "value": "581.34"})
	day := a.Store.Now().UTC().Format(time.DateOnly)
	for _, kinds := range [][]string{{"document"}, nil} {
		out, text := recallOf(t, a, map[string]any{"query": "amount 581.34 Northwind", "kinds": kinds})
		if len(out.Found) == 0 || out.Found[0].Where == nil || out.Found[0].Where.Document != "correction of amount, "+day || out.Found[0].Where.Line != 0 || !strings.HasPrefix(out.Found[0].Note, "corrected by the user: amount ("+day+")") {
			t.Errorf("a corrected field: %s", text)
		}
	}
	out, text := recallOf(t, a, map[string]any{"query": "due date 2026-04-12", "kinds": []string{"document"}})
	if len(out.Found) == 0 || out.Found[0].Where == nil || out.Found[0].Where.Document != "bill.txt" || out.Found[0].Where.Line != 5 {
		t.Errorf("another field: %s", text)
	}
}
