package entities

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"toolkit/internal/storetest"
	"toolkit/internal/toolstest"
	"toolkit/store"
	"toolkit/store/records"
)

func TestUnclearFieldIsStoredWithWarning(t *testing.T) {
	for name, c := range map[string]struct {
		capability string
		body       args
		want       string // the field; empty: no warning
		says       string
	}{
		"a plain invoice":             {"invoice", args{"invoice_number": "1", "amount": 1.5, "vendor_name": "Acme", "date": "2024-04-03", "currency": "EUR", "memo": "x", "due_date": "2024-05-03"}, "", ""},
		"a plain note":                {"note", args{"title": "t", "content": "c", "tags": []string{"a"}}, "", ""},
		"nulls":                       {"invoice", args{"invoice_number": "1", "currency": nil, "date": nil}, "", ""},
		"day or month first":          {"invoice", args{"invoice_number": "1", "date": "03/04/2024"}, "date", "day or the month first"},
		"one order only":              {"invoice", args{"invoice_number": "1", "due_date": "23/04/2024"}, "due_date", "YYYY-MM-DD"},
		"no date at all":              {"invoice", args{"invoice_number": "1", "due_date": "soon"}, "due_date", "no date"},
		"a date as a number":          {"transaction", args{"transaction_id": "1", "date": 20240403}, "date", "timeline"},
		"no field of an invoice":      {"invoice", args{"colour": "red"}, "the body", "invoice_number, amount, vendor_name"},
		"no field of a note":          {"note", args{"text": "red"}, "the body", "title, content"},
		"a field by another word":     {"invoice", args{"amount": 1, "invoice_no": "7"}, "invoice_no", "invoice_number is"},
		"a shorter word":              {"invoice", args{"invoice_number": "7", "vendor": "Acme"}, "vendor", "vendor_name is"},
		"another language":            {"invoice", args{"invoice_number": "7", "Rechnungsbetrag": 5}, "Rechnungsbetrag", "amount is"},
		"a misspelt field":            {"receipt", args{"reciept_number": "7", "amount": 1}, "reciept_number", "receipt_number is"},
		"a total beside the amount":   {"invoice", args{"invoice_number": "7", "amount": 5, "total": 6}, "", ""},
		"an amount in words":          {"invoice", args{"invoice_number": "7", "amount": "a few"}, "amount", "no amount"},
		"an amount with its currency": {"invoice", args{"invoice_number": "7", "amount": "1.500,00 EUR"}, "amount", "kept as text"},
		"an amount that is an object": {"invoice", args{"invoice_number": "7", "tax_amount": args{"x": 1}}, "tax_amount", "no amount"},
		"a currency that is none":     {"invoice", args{"invoice_number": "7", "currency": "Euronen"}, "currency", "ISO 4217"},
		"a type that is none":         {"invoice", args{"invoice_number": "7", "document_type": "Zettel"}, "document_type", "no type that is known"},
		"a vendor without a name":     {"invoice", args{"invoice_number": "7", "vendor_name": 12}, "vendor_name", "no company"},
		"a party without a name":      {"contract", args{"contract_number": "7", "parties": []any{"Acme", args{"role": "tenant"}}}, "parties", "no company"},
		"a booking with such a date":  {"invoice", args{"invoice_number": "7", "items": []any{args{"date": "03/04/2024"}, args{"date": "2024-04-03"}}}, "items: date (in 1 of 2)", "day or the month first"},
		"such a date by another name": {"invoice", args{"invoice_number": "7", "period_start": "03/04/2024"}, "period_start", "day or the month first"},
		"a number like a date":        {"invoice", args{"invoice_number": "03/04/2024"}, "", ""},
		"a name of white space":       {"transaction", args{"transaction_id": "7", "merchant_name": " "}, "merchant_name", "no company"},
	} {
		b := newBench(t)
		out := b.Call(submitName, submit(c.capability, "2025-01-01", c.body))
		warnings := text(out["warnings"])
		if c.want == "" {
			same(t, name, out["warnings"], nil)
			continue
		}
		list, _ := out["warnings"].([]any)
		if len(list) != 1 || !strings.HasPrefix(fmt.Sprint(list[0]), c.want+" ") || !strings.Contains(warnings, c.says) {
			t.Errorf("%s: the warnings are %s", name, warnings)
		}
		for field, value := range c.body {
			if v, ok := value.(string); ok && len(v) > 3 && strings.Contains(warnings, v) {
				t.Errorf("%s: the warning shows the value of %s: %s", name, field, warnings)
			}
			if value != nil {
				same(t, name+": "+field+" is kept", text(b.snapshot(self(out))["snapshot"].(args)[field]), text(value))
			}
		}
	}
}

func TestEveryWritingToolWarnsAboutAmbiguousDate(t *testing.T) {
	b := newBench(t)
	invoice := b.Call(submitName, submit("invoice", "2025-01-01", args{"invoice_number": "1", "amount": 1}))
	for name, said := range map[string][]any{
		storeName:   b.warned(storeName, args{"type": "bill", "properties": args{"invoice_number": "2", "date": "03/04/2024"}}),
		updateName:  b.warned(updateName, args{"id": invoice["payload_id"], "properties": args{"date": "03/04/2024"}}),
		correctName: b.warned(correctName, args{"entity_id": self(invoice), "field": "date", "value": "03/04/2024"}),
		uploadName: b.Call(uploadName, args{"file_path": b.file("i.txt", "bytes"),
			"properties": `{"document_type":"invoice","invoice_number":"3","date":"03/04/2024"}`})["warnings"].([]any),
	} {
		if !slices.ContainsFunc(said, func(w any) bool { return strings.HasPrefix(fmt.Sprint(w), "date can be read") }) {
			t.Errorf("%s says %v", name, said)
		}
	}
}

func TestEmptySearchNamesItsFilters(t *testing.T) {
	b := newBench(t)
	same(t, "an empty store", text(b.warned(findName, args{})), `["nothing matches: nothing is stored yet"]`)
	b.submit("invoice", "2025-01-01", args{"invoice_number": "1", "vendor_name": "Acme"})
	same(t, "entities", text(b.warned(findName, args{"type": "company", "name": "Zeta"})), `["nothing matches by name and type"]`)
	contains(t, "records", text(b.warned(retrieveName, args{"properties": args{"a": 1}})), "nothing matches by properties")
	same(t, "something found", text(b.warned(findName, args{"name": "Acme"})), `[]`)
}

func TestUploadWarnsAboutUnclearFields(t *testing.T) {
	const csv = "date,description,amount\n"
	for name, c := range map[string]struct {
		file, content string
		want          []string // beginnings of the warnings
	}{
		"a receipt":                        {"r.txt", "RECEIPT\n\nReceipt number: R-7\nDate: 02/03/2026\nVendor: Corner Shop\n\nTotal: 12.50\n", []string{"date can be read with the day or the month first"}},
		"an invoice with two such dates":   {"i.txt", "INVOICE\n\nInvoice number: I-7\nInvoice date: 02/03/2026\nDue date: 04/05/2026\nVendor: Acme Corp\n\nTotal: 12.50\n", []string{"date can be read", "due_date can be read"}},
		"a page":                           {"r.html", "<h1>Receipt</h1><p>Receipt number: R-8</p><p>Date: 02/03/2026</p><p>Vendor: Corner Shop</p><p>Total: 12.50</p>", []string{"date can be read"}},
		"a row":                            {"a.csv", csv + "03/04/2026,coffee,3.50\n", []string{"date (in 1 of 1) can be read"}},
		"rows of which some are not plain": {"b.csv", "who,booked_on\nAnna,2026-04-01\nBert,03/04/2026\nCarl,\nDora,04/05/2026\n", []string{"booked_on (in 2 of 4) can be read"}},
		"a column of another name":         {"c.tsv", "Datum\tWer\n03/04/2026\tAnna\n05/04/2026\tBert\n", []string{"Datum (in 2 of 2) can be read"}},
		"items of a list":                  {"l.ndjson", "{\"date\":\"03/04/2026\",\"what\":\"a\"}\n{\"date\":\"2026-04-03\",\"what\":\"b\"}\n", []string{"date (in 1 of 2) can be read"}},
		"dates that are plain":             {"p.csv", csv + "23/04/2026,coffee,3.50\n03/04/2026,tea,2.50\n", nil},
		"a plain receipt":                  {"q.txt", "RECEIPT\n\nReceipt number: R-9\nDate: 2026-03-02\nVendor: Corner Shop\n\nTotal: 12.50\n", nil},
		"no dates":                         {"n.csv", "name,town\nAnna,Kiel\nBert,\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			r := b.CallAllowingRefusal(uploadName, args{"file_path": b.file(c.file, c.content)})
			said := warningsOf(t, r.Text)
			if len(said) != len(c.want) {
				t.Fatalf("the warnings are %q", said)
			}
			for i, want := range c.want {
				if !strings.HasPrefix(said[i], want) || !strings.Contains(text(r.Hints.Warnings), want) {
					t.Errorf("%q does not say %q, or the hints %s do not", said[i], want, text(r.Hints.Warnings))
				}
			}
		})
	}
}

func warningsOf(t *testing.T, answer string) []string {
	t.Helper()
	var out struct{ Warnings []string }
	toolstest.Decode(t, []byte(answer), &out)
	return out.Warnings
}

func TestSyncWarnsAboutUnclearFields(t *testing.T) {
	b := newBench(t)
	add := func(id, date string) (told []string) {
		storetest.Write(t, b.Store, func(tx *store.Tx) (err error) {
			r := records.Record{ID: id, Type: "event", Properties: []byte(`{"title":"Rowing","start_date":"` + date + `"}`), CreatedAt: 1, UpdatedAt: 1}
			_, _, told, err = Intake{}.Add(tx, r, 1, false)
			return err
		})
		return told
	}
	first, second := "0b0e7f3e-0000-4000-8000-000000000001", "0b0e7f3e-0000-4000-8000-000000000002"
	same(t, "a plain date", len(add(first, "2026-04-03")), 0)
	contains(t, "a date that is not plain", text(add(second, "03/04/2026")), "event: start_date can be read with the day or the month first")
	contains(t, "a change to such a date", text(add(first, "03/04/2026")), "event: start_date can be read")
	same(t, "the same again", len(add(first, "03/04/2026")), 0)
}
