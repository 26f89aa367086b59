package reader

import "testing"

// checkFields compares fields of a text that is read as a document of a kind.
func checkFields(t *testing.T, kind, text string, want map[string]any) {
	t.Helper()
	values, _ := ExtractFields(extract(t, []byte(text), Text), kind)
	for field, value := range want {
		if values[field] != value {
			t.Errorf("%s is %v, want %v, in\n%s", field, values[field], value, text)
		}
	}
}

func TestLabelsAreFoundWhereverALayoutPutsThem(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want map[string]any
	}{
		"several on a line, parted by strokes": {
			"Factura\nFactura n.º: F-81 | Fecha de emisión 04/03/2025 | Vencimiento 03/04/2025 | Pedido n.º 7731\nCliente: Prueba S.A.\nTotal 12,00 €\n",
			map[string]any{"invoice_number": "F-81", "date": "2025-03-04", "due_date": "2025-04-03", "order_number": "7731"},
		},
		"heads set close together over their values": {
			"Fattura\nNumero fattura Data di emissione   Termini\nF-81           04/03/2025          30\n\nCliente: Prova S.p.A.\nTotale fattura 12,00 €\n",
			map[string]any{"invoice_number": "F-81", "date": "2025-03-04"},
		},
		"a sum in two languages": {
			"Rechnung / Facture\nRechnungsnummer: 81\nKunde: Test AG\nTotal exkl. MwSt / Total hors TVA   100.00\nMwSt / TVA 8.1 %   8.10\nTotal inkl. MwSt / Total TVA comprise   CHF 108.10\n\nGespräche\nTotal   3.20\n",
			map[string]any{"subtotal": 100.0, "tax": 8.1, "amount": 108.1},
		},
		"a row of sums under their names": {
			"Faktura\nFakturanr: 81\nKunde: Prøve AS\n\nNetto      MVA 25 %   Øreavrunding   Totalt NOK\n1 000,30   250,08     -0,38          1 250,00\n                      Fradrag        -250,00\n                      Å betale       1 000,00\n",
			map[string]any{"subtotal": 1000.3, "tax": 250.08, "amount": 1250.0},
		},
		"a line of totals with a mark for the rate": {
			"Faktura č. 81\nOdběratel: Zkouška s.r.o.\nCelkem   1 000,00   X   210,00   1 210,00\nK úhradě: 1 210,00 Kč\n",
			map[string]any{"subtotal": 1000.0, "tax": 210.0, "amount": 1210.0},
		},
		"how many goods stand before their sum": {
			"Tax Invoice\nInvoice No: 81\nBuyer: Test Pvt Ltd\nCGST @ 9%   90.00\nSGST @ 9%   90.00\nTotal   4 Pcs   1,180.00\n",
			map[string]any{"amount": 1180.0},
		},
		"a tax that is a part of the whole": {
			"Facture n° 81\nClient : Essai SARL\nTotal à payer   60,00 €\ndont TVA   10,00 €\n",
			map[string]any{"amount": 60.0, "tax": 10.0},
		},
	} {
		t.Run(name, func(t *testing.T) { checkFields(t, KindInvoice, c.text, c.want) })
	}
}

func TestTwoTaxesThatAreParts(t *testing.T) {
	// Whether they are all of the taxes nobody says.
	checkFields(t, KindInvoice, "Invoice No: 81\nBill to: Test Ltd\nTotal 120.00 EUR\nVAT incl. 20%   10.00\nVAT incl. 10%   3.00\n", map[string]any{"amount": 120.0, "tax": nil})
}
