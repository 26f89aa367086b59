package reader

import "testing"

func TestSumsWithoutCentsAndInTablesOfRatesAreRead(t *testing.T) {
	const head = "INVOICE\nInvoice number: 17\nInvoice date: 5 March 2026\n\n"
	for name, c := range map[string]struct {
		text string
		want map[string]any
	}{
		"a table of rates in forints":    {"SZÁMLA\nSzámla sorszáma: T-4\n\nÁFA összesítő   Nettó    ÁFA     Bruttó\n27%             40 381   10 903   51 284\n5%               4 000      200    4 200\nÖsszesen        44 381   11 103   55 484\n\nFizetendő végösszeg: 55 484 Ft\n", map[string]any{"amount": 55484.0, "subtotal": 44381.0, "tax": 11103.0, "currency": "HUF"}},
		"taxes that a table names again": {head + "Taxable value      214040.00\nOutput CGST @ 9%    19263.60\nOutput SGST @ 9%    19263.60\n\nCGST Amt            19263.60\n\nSGST Amt            19263.60\n\nTotal              INR 252567.20\n", map[string]any{"tax": 38527.2, "subtotal": 214040.0, "amount": 252567.2}},
		"a currency among the words":     {head + "Total exkl. MWST        4’370.89\nMWST 8.1 %                354.04\nTotal CHF inkl. MWST    4’724.93\n", map[string]any{"amount": 4724.93, "subtotal": 4370.89, "tax": 354.04, "currency": "CHF"}},
		"a rate close to its name":       {head + "Net             100.00\nVAT(20%)         20.00\nTotal       EUR 120.00\n", map[string]any{"tax": 20.0}},
		"a sign of equality":             {head + "GRAND TOTAL = EUR 120.00\n", map[string]any{"amount": 120.0}},
		"the title of the paper":         {"PARCELLA\nParcella n. 47\n\nTotale imponibile   € 100,00\nIVA 22%   € 22,00\nTotale parcella    € 122,00\n", map[string]any{"amount": 122.0, "tax": 22.0}},
		"an amount of yen with a bar":    {"請求書\n請求番号：MD-7\nご請求金額 ¥66,000-\n", map[string]any{"amount": 66000.0, "currency": "JPY"}},
	} {
		t.Run(name, func(t *testing.T) { wantFields(t, c.text, c.want) })
	}
}
