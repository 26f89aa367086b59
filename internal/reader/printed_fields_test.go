package reader

import "testing"

func TestDaysOfPapersAreReadWhereTheyStand(t *testing.T) {
	const sums = "\nNet 100.00\nVAT 20% 20.00\nTotal EUR 120.00\n"
	for name, c := range map[string]struct {
		text string
		want map[string]any
	}{
		"behind a place in Italian":              {"Parcella n. 47\nModena, lì 31 luglio 2024\n" + sums, map[string]any{"date": "2024-07-31"}},
		"behind a title":                         {"Votre facture d'électricité du 12 février 2026\nN° de facture : 17\n" + sums, map[string]any{"date": "2026-02-12"}},
		"behind a number in Russian":             {"Счет на оплату № 2116 от 14 ноября 2024 г.\n" + sums, map[string]any{"date": "2024-11-14", "invoice_number": "2116"}},
		"before a dash and more words":           {"Fattura n. 41 del 12/02/2026\nScadenza pagamento: 14/03/2026 – Bonifico\n" + sums, map[string]any{"due_date": "2026-03-14"}},
		"of payment on a receipt":                {"Receipt no. RH-7\nOutbound 12 March 2024\nPaid with Visa on 1 March 2024\nTotal paid EUR 120.00\n", map[string]any{"date": "2024-03-01"}},
		"net of a discount that a day names":     {"Rechnung Nr. 17 vom 12.09.2024\nZahlbar innerhalb von 10 Tagen mit 2 % Skonto oder bis spätestens 12.10.2024 ohne Abzug.\n" + sums, map[string]any{"due_date": "2024-10-12"}},
		"of a discount is none of payment":       {"Rechnung Nr. 17 vom 12.09.2024\nBei Zahlung bis 22.09.2024 gewähren wir 2 % Skonto.\n" + sums, map[string]any{"due_date": nil}},
		"of a term below its label":              {"Invoice No.   Dated        Mode/Terms of Payment\nSV/447        17-Aug-24    45 Days\n" + sums, map[string]any{"due_date": "2024-10-01"}},
		"of a label that names a discount, none": {"Invoice No. 17\nInvoice date: 5 March 2026\nTerms: 30 days, 2% discount in 10\n" + sums, map[string]any{"due_date": nil}},
	} {
		t.Run(name, func(t *testing.T) { wantFields(t, c.text, c.want) })
	}
}

func TestPartiesAreNamedWithoutTheWordsAroundThem(t *testing.T) {
	const rest = "\n\nInvoice number: 17\nInvoice date: 5 March 2026\n\nTotal EUR 113.00\n"
	for name, c := range map[string]struct {
		text string
		want map[string]any
	}{
		"a title before the name":       {"Receipt from Quillboard, Inc.\n$57.00\nReceipt number 2481-7730\nAmount paid $57.00\n", map[string]any{"vendor_name": "Quillboard, Inc."}},
		"the owner of an account":       {"INVOICE" + rest + "\nIBAN DE02 1203 0000 0000 2020 51\nlautend auf Berger Gartenbau AG, 9016 St. Gallen\n", map[string]any{"vendor_name": nil}},
		"a tax number behind the name":  {"INVOICE\nSupplier: Granit Wójcik, NIP 6791234567" + rest, map[string]any{"vendor_name": "Granit Wójcik"}},
		"a name below its head":         {"INVOICE\n\nCustomer\nCompany name        Town\nVALE DO PARDO       MANUEL" + rest, map[string]any{"customer_name": "VALE DO PARDO"}},
		"somebody who is credited":      {"CREDIT NOTE\n\nCredit to:\nOakdale Primary School\nMill Lane" + rest, map[string]any{"customer_name": "Oakdale Primary School"}},
		"a sign for a number is no one": {"INVOICE\n\nTo\nNo." + rest, map[string]any{"customer_name": nil}},
	} {
		t.Run(name, func(t *testing.T) { wantFields(t, c.text, c.want) })
	}
}

func TestUnbookedPaperSaysWhoSentItAndNoSum(t *testing.T) {
	wantFields(t, "Lark Paper Ltd\n9 Bay Street, Hull HU1 2AB\nVAT no. GB 284 1123 45\n\nTo: The Anchor Inn\n\nPAYMENT REMINDER\nDate: 3 February 2025\nInvoice number: 24701\n\nTotal outstanding GBP 158.40\n", map[string]any{
		"vendor_name": "Lark Paper Ltd", "customer_name": "The Anchor Inn", "invoice_number": "24701", "date": "2025-02-03", "vendor_tax_id": "GB284112345", "amount": nil, "amount_due": nil,
	})
}

func TestPaperWithTheNumberOfAnInvoiceIsOneThoughItWasPaid(t *testing.T) {
	content := extract(t, []byte("Hotell Sund\nFakturanummer: 240613-0079\n\nLogi   1 495,00\nBar      236,50\nSumma   1 731,50\nMastercard **** 9921   -1 731,50\nTack för besöket!\n"), Text)
	if kind, _ := Classify(content); kind != KindInvoice {
		t.Errorf("taken for %s", kind)
	}
}

func TestSignOfTheKroneIsThatOfTheCountryOrNotSaid(t *testing.T) {
	for words, want := range map[string]any{"Bankgiro 5051-1234": "SEK", "Org.nr 912 345 678 MVA": "NOK", "CVR 38112233": "DKK", "CVR 38112233, Bankgiro 5051-1234": nil, "": nil} {
		wantFields(t, "FAKTURA\nFakturanummer: 20418\nFakturadato: 15.02.2026\nAt betale kr 7 250,00\n"+words+"\n", map[string]any{"currency": want})
	}
}

func TestFirmInSmallPrintAtTheFootIsTheSender(t *testing.T) {
	content := extract(t, []byte("NORRSKEN EL\nFaktura\nFakturanummer: 17\nDatum: 2026-03-05\n\nTotalt 113,00\n\n\nNorrsken Elinstallation AB\nIndustrivägen 5\n901 30 Umeå\n"), Text)
	lines := content.Pages[0].Lines
	for _, line := range lines[len(lines)-3:] {
		line.Cells[0].Size = 7
	}
	if values, _ := ExtractFields(content, KindInvoice); values["vendor_name"] != "Norrsken Elinstallation AB" {
		t.Errorf("vendor_name is %v", values["vendor_name"])
	}
}
