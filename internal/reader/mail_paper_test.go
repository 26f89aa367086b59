package reader

import "testing"

func TestAMessageWhosePageIsABillIsThatBill(t *testing.T) {
	head := "From: Hosting <bills@hosting.example>\nTo: Ilse <ilse@verlag.example>\nDate: Tue, 3 Mar 2026 04:12:31 +0100\nSubject: Ihre Rechnung\nMIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=B\n\n--B\nContent-Type: text/plain\n\nIhre Rechnung finden Sie in der HTML-Ansicht.\n--B\nContent-Type: text/html\n\n"
	for name, c := range map[string]struct {
		page, kind string
		number     any
	}{
		"a bill":   {"<h1>Rechnung</h1><p>Rechnungsnummer: R-81</p><p>Rechnungsdatum: 02.03.2026</p><p>Gesamtbetrag: 48,11 EUR</p>", KindInvoice, "R-81"},
		"a letter": {"<p>Guten Tag, die Rechnung kommt mit der Post.</p>", KindMessage, nil},
	} {
		t.Run(name, func(t *testing.T) {
			content := extract(t, []byte(head+c.page+"\n--B--\n"), EML)
			kind, _ := Classify(content)
			values, _ := ExtractFields(content, kind)
			if kind != c.kind || values["invoice_number"] != c.number || values["subject"] != "Ihre Rechnung" {
				t.Errorf("%s %v", kind, values)
			}
		})
	}
}
