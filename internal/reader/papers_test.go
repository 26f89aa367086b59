package reader

import (
	"strings"
	"testing"
)

func TestADollarIsThatOfItsCountryOrNotSaid(t *testing.T) {
	for _, test := range []struct{ name, lines, want string }{
		{"a province of Canada", "Alder Cabinets Inc.\n9 Bay St, Ottawa, Ontario\nTax: HST 13% $13.00", "CAD"},
		{"a number of a business of Australia", "Alder Cabinets Pty Ltd\nABN 11 222 333 444\nGST 10% $10.00", "AUD"},
		{"a state of the United States", "Alder Cabinets Inc.\n9 Bay St, Albany, NY 12207\nSales tax $8.00", "USD"},
		{"a tax of several countries", "Alder Cabinets\n9 Bay Street\nGST $9.00", ""},
		{"two countries", "Alder Cabinets Inc.\n9 Bay St, Albany, NY 12207\nShip to: 4 King St, Toronto, Canada", ""},
		{"a code wins", "Alder Cabinets\nAll prices in NZD\nGST $15.00", "NZD"},
		{"nothing", "Alder Cabinets Inc.\n9 Bay Street", ""},
		{"an address of the United States", "Alder Cabinets Inc.\n9 Bay Street\nDenver, CO 80202", "USD"},
		{"an address of Canada", "Alder Cabinets Inc.\n9 Bay Street\nRegina SK S4P 3Y2", "CAD"},
		{"an address of Australia", "Alder Cabinets\n9 Bay Street\nHobart TAS 7000", "AUD"},
		{"addresses of two countries", "Alder Cabinets Inc.\n9 Bay Street\nDenver, CO 80202\nShip to: 4 King St, Regina SK S4P 3Y2", ""},
		{"the peso of Mexico", "Muebles Tezontle, S.A. de C.V.\nCalle 9, Querétaro", "MXN"},
		{"the peso of Mexico beside dollars", "Muebles Tezontle, S.A. de C.V.\nPago en USD $12.00, convertido a moneda nacional", "MXN"},
		{"the peso of Mexico or a dollar", "Muebles Tezontle, S.A. de C.V.\nPago en USD $12.00", ""},
		{"a bank of the United States", "Alder Cabinets Inc.\nPay by ACH", "USD"},
		{"a word in capitals is no currency", "Alder Cabinets Inc.\nPLEASE PAY ALL AT THE TOP", ""},
	} {
		text := test.lines + "\n\nINVOICE\nInvoice No: AC-17\nInvoice date: 2025-03-05\nBill To: Test Co\nTotal $113.00\n"
		content := extract(t, []byte(text), Text)
		values, _ := ExtractFields(content, KindInvoice)
		if got := shownValue(values["currency"]); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
		if said := strings.Contains(strings.Join(content.Warnings, "\n"), "the sign $"); said != (test.want == "") {
			t.Errorf("%s: warnings %q", test.name, content.Warnings)
		}
	}
}

func TestAStatementOfAccountIsNoInvoice(t *testing.T) {
	for _, text := range []string{
		"Lark Paper Ltd\nSTATEMENT OF ACCOUNT\nDate: 31 March 2025\nTo: Test Ltd\n\nInvoice LP-4 05/03/2025 40.00\nInvoice LP-5 12/03/2025 60.00\nTotal outstanding GBP 100.00\n",
		"Linde Holz GmbH\nOffene Posten\nDatum: 31.03.2025\nKunde: Test GmbH\n\nRechnung 77-1 vom 05.03.2025 40,00 EUR\nRechnung 77-2 vom 12.03.2025 60,00 EUR\nOffener Betrag 100,00 EUR\n",
		"Lark Paper Ltd\nStatement\nDate: 31 March 2025\nTo: Test Ltd\n\nInvoice  Date        Amount\nLP-4    05/03/2025  40.00\nLP-5    12/03/2025  60.00\nBalance due GBP 100.00\n",
	} {
		content := extract(t, []byte(text), Text)
		kind, _ := Classify(content)
		if kind == KindInvoice || !strings.Contains(strings.Join(content.Warnings, "\n"), "it is taken for no invoice") {
			t.Errorf("taken for %s, %q:\n%s", kind, content.Warnings, text)
		}
	}
}

func TestWhatIsLeftOfAFinalInvoiceIsDue(t *testing.T) {
	text := "Linde Holz GmbH\n\nSchlussrechnung Nr. SR-4\nRechnungsdatum: 05.03.2025\nKunde: Test GmbH\n\nGesamtleistung netto 1.000,00 EUR\nzzgl. 19% MwSt 190,00 EUR\nGesamtbetrag 1.190,00 EUR\nabzgl. 1. Abschlagsrechnung vom 01.02.2025 590,00 EUR\nRestforderung 600,00 EUR\n"
	values, _ := ExtractFields(extract(t, []byte(text), Text), KindInvoice)
	for name, want := range map[string]any{"amount": 1190.0, "amount_due": 600.0, "subtotal": 1000.0, "tax": 190.0} {
		if values[name] != want {
			t.Errorf("%s is %v, want %v", name, values[name], want)
		}
	}
}

func TestAnInvoiceOfJapanIsRead(t *testing.T) {
	text := "株式会社みどり\n東京都千代田区1-1\n\n請求書\n\n請求番号：MD-7\n発行日：令和6年3月5日\nお支払期限：2024年4月5日\n青空有限会社 御中\n\n小計 １０,０００円\n消費税 1,000円\nご請求金額 11,000円\n"
	content := extract(t, []byte(text), Text)
	kind, _ := Classify(content)
	values, _ := ExtractFields(content, kind)
	if kind != KindInvoice {
		t.Errorf("taken for %s", kind)
	}
	for name, want := range map[string]any{
		"invoice_number": "MD-7", "date": "2024-03-05", "due_date": "2024-04-05", "vendor_name": "株式会社みどり", "customer_name": "青空有限会社",
		"subtotal": 10000.0, "tax": 1000.0, "amount": 11000.0, "currency": "JPY",
	} {
		if values[name] != want {
			t.Errorf("%s is %v, want %v", name, values[name], want)
		}
	}
}

func TestATaxThatNoCountryTakesIsLeftOut(t *testing.T) {
	for text, want := range map[string]any{
		"VAT 20%   20.00\nTotal   120.00\n":          20.0,
		"VAT in GBP   858.75\nTotal   1021.91 GBP\n": nil,
	} {
		values, _ := ExtractFields(extract(t, []byte("Invoice No: 9\nDate: 5 March 2025\nNet   100.00\n"+text), Text), KindInvoice)
		if values["tax"] != want {
			t.Errorf("%q: tax %v, want %v", text, values["tax"], want)
		}
	}
}

func TestABillIsAnInvoice(t *testing.T) {
	text := "Severn Valley Water\nPO Box 900, Worcester WR1 9XX\n\nYour bill\nBill date: 12 November 2024\nPayment due by: 3 December 2024\n\nWater supply   £78.33\nAmount to pay   £78.33\n"
	content := extract(t, []byte(text), Text)
	kind, _ := Classify(content)
	values, _ := ExtractFields(content, kind)
	if kind != KindInvoice || values["amount"] != 78.33 || values["due_date"] != "2024-12-03" {
		t.Errorf("%s: %v", kind, values)
	}
}
