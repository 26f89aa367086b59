package reader

import "testing"

func TestLabelsAndValuesOfManyLayouts(t *testing.T) {
	for name, c := range map[string]struct {
		kind, text string
		want       map[string]any
	}{
		"the number behind its sign": {KindInvoice,
			"FAKTURA                 č. 126000487\nDodavatel: Škola Lípa s.r.o.\nCELKEM K ÚHRADĚ   27 300,00 Kč\n", map[string]any{"invoice_number": "126000487"}},
		"the day of the invoice, not of the order": {KindInvoice,
			"Tax Invoice\nInvoice No.        Dated\nSP/1187            17-Dec-25\n\nBuyer's Order No.  Dated\nVIP/PO/4471        9-Dec-25\n\nTotal INR 12.00\n",
			map[string]any{"date": "2025-12-17", "order_number": "VIP/PO/4471"}},
		"a label whose letters are set apart": {KindInvoice, "請 求 書\n発行 日:2026年2月27日\n合計 ¥1,000\n", map[string]any{"date": "2026-02-27"}},
		"the day behind the word invoice": {KindInvoice,
			"Votre facture du 05/02/2026\nn° de facture F26-417\nTotal TTC 12,00 €\n", map[string]any{"date": "2026-02-05", "invoice_number": "F26-417"}},
		"the last day of payment in another column": {KindInvoice,
			"Invoice 81\nPlease pay £208.27      by 4 February 2026\nTotal to pay £208.27\n", map[string]any{"due_date": "2026-02-04"}},
		"no tax from a remark in brackets": {KindInvoice,
			"Invoice 81\nNet total   58.73\nVAT   11.75\nFor others (films, VAT collected by their publisher)   4.99\nGrand total 75.47 EUR\n", map[string]any{"tax": 11.75}},
		"a sum that says how it was paid": {KindReceipt,
			"Receipt\nReceipt number: NL-81\nNet fare   $412.00\nTransportation Tax 7.5%   $30.90\nTaxes and fees   $61.70\nTotal charged to Visa ending 4471   473.70 USD\n",
			map[string]any{"amount": 473.7, "tax": 61.7}},
		"the number that is called the receipt's": {KindReceipt,
			"Receipt\nConfirmation code: QX7T2M\nReceipt number: NLR-118447\nTotal $12.00\n", map[string]any{"receipt_number": "NLR-118447"}},
		"a word that its font tears": {KindInvoice,
			"Rechnung Nr. 81\nVer käufer:\nNord Lieferant GmbH\nHafenstraße 20\n80333 München\n\nKäufer:\nKunden AG Mitte\nWeg 15\n69876 Frankfurt\n\nBr uttosumme   12,00 EUR\n",
			map[string]any{"vendor_name": "Nord Lieferant GmbH", "customer_name": "Kunden AG Mitte", "amount": 12.0}},
		"a title set wide heads no table": {KindCreditNote,
			"PRAIRIE BEARING INC.        CREDIT      MEMO\nBRANCH 014                  MEMO NO.    CM0144471\n2909 SW ADAMS ST            MEMO DATE   08/26/25\n\nTOTAL CREDIT   469.12-\n",
			map[string]any{"invoice_number": "CM0144471", "date": "2025-08-26"}},
	} {
		t.Run(name, func(t *testing.T) { checkFields(t, c.kind, c.text, c.want) })
	}
}

func TestASumInLargerPrintBelongsToTheLabelBesideIt(t *testing.T) {
	page := sheet{}.lines(40, 60, 11, "Rechnung 81").lines(40, 200, 10, "Gesamtbetrag").lines(300, 195, 15, "27.300,00 EUR")
	values, _ := ExtractFields(extract(t, coreFontPDF(t, true, page), PDF), KindInvoice)
	if values["amount"] != 27300.0 {
		t.Errorf("amount is %v", values["amount"])
	}
}
