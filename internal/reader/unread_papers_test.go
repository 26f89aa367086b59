package reader

import (
	"strings"
	"testing"
)

// Payslips, papers of taxes, contracts and lists of holdings are stored as text; whoever reads them gives their
// fields with submit_payload.
func TestPapersWhoseFieldsAreNotReadKeepTheirTextAndSaySo(t *testing.T) {
	for name, c := range map[string]struct{ page, kind, says string }{
		"a payslip":              {"Payslip May 2025\nEmployer: Harbour Lights Ltd\nEmployee: Mr Owen Pritchard\nGross pay   2,310.00\nIncome tax   252.40\nNet pay   1,956.56\n", KindPayslip, "Net pay   1,956.56"},
		"a German payslip":       {"Nordlicht Logistik GmbH\n\nLohnabrechnung April 2025\nGesamtbrutto   3.900,00\nAuszahlungsbetrag   2.800,00\n", KindPayslip, "Gesamtbrutto   3.900,00"},
		"a notice of taxes":      {"Finanzamt Lüneburg\nSteuernummer: 33/123/45678\n\nBescheid für 2023 über Einkommensteuer\n\nNachzahlung   514,00 €\nFällig am 18.11.2024\n", KindTaxForm, "Nachzahlung   514,00 €"},
		"a certificate of taxes": {"Lohnsteuerbescheinigung 2024\nArbeitgeber: Brauhaus Eiche KG\nBruttoarbeitslohn   31.000,00\n", KindTaxForm, "Brauhaus Eiche KG"},
		"a list of holdings":     {"Portfolio Holdings\nAs of: 31 December 2024\n\nSymbol   Description   Quantity   Price   Market Value\nAAPL   Apple Inc   50   $250.42   $12,521.00\nTotal Market Value   $12,521.00\n", KindHolding, "$12,521.00"},
		"a contract":             {"CONSULTING AGREEMENT\n\nThis Agreement is made and entered into as of February 1, 2025, by and between Brightline Analytics, Inc. and Robert Chen.\nGoverning Law. Texas.\nIN WITNESS WHEREOF, the parties have executed this Agreement.\n", KindContract, "Robert Chen"},
	} {
		t.Run(name, func(t *testing.T) {
			content := extract(t, []byte(c.page), Text)
			kind, _ := Classify(content)
			values, _ := ExtractFields(content, kind)
			if kind != c.kind || len(withoutContent(values)) != 0 {
				t.Errorf("read as %s with %v, want %s without fields", kind, values, c.kind)
			}
			if !strings.Contains(content.Text, c.says) || !strings.Contains(strings.Join(content.Warnings, "\n"), "submit_payload") {
				t.Errorf("text %q with warnings %q, want %q and the way to go on", content.Text, content.Warnings, c.says)
			}
		})
	}
}

func TestAnInvoiceThatNamesPayslipsStaysOne(t *testing.T) {
	for name, page := range map[string]string{
		"payslips as its goods": "Rechnung\nRechnungsnummer: 2025-118\nDatum: 02.05.2025\nKunde: Nordlicht GmbH\n\nLohnabrechnung April 2025   150,00\nNettobetrag   150,00\nMwSt. 19 %   28,50\nGesamtbetrag   178,50\n",
		"net and gross sums":    "FACTURE\nFacture n° F-12\nDate : 2 mai 2025\nClient : Jo Marchetti\n\nTotal brut   150,00\nTVA 20 %   30,00\nNet à payer   180,00\n",
	} {
		content := extract(t, []byte(page), Text)
		if kind, _ := Classify(content); kind != KindInvoice {
			t.Errorf("%s: %s, want an invoice", name, kind)
		}
	}
}

func TestAQIFFileIsKeptAsTextAndSaysSo(t *testing.T) {
	text := "!Type:Bank\nD1/ 5'26\nT-1.00\nPShop\n^\n"
	for _, kind := range []Type{QIF, ""} {
		if kind == "" {
			kind = sniffText(text, "")
		}
		content := extract(t, []byte(text), kind)
		if !strings.Contains(content.Text, "PShop") || len(content.Records) != 0 || !strings.Contains(strings.Join(content.Warnings, "\n"), "OFX") {
			t.Errorf("%s: text %q, %d records, warnings %q", kind, content.Text, len(content.Records), content.Warnings)
		}
	}
}
