package reader

import (
	"strings"
	"testing"
)

func TestACreditNoteIsNoInvoice(t *testing.T) {
	const head = "Smith & Sons Ltd\n1 High Street, Leeds LS1 4DY\n\n"
	const german = "Bürobedarf Schröder GmbH\nLindenstraße 5, 80331 München\n\n"
	const positive = "\n\nNettobetrag 237,50\nUSt 19 % 45,13\nGesamtbetrag 282,63 EUR\n"
	const negative = "\n\nNettobetrag -237,50\nUSt 19 % -45,13\nGutschriftsbetrag -282,63 EUR\n"
	for text, want := range map[string]struct {
		kind, number string
		amount       any
		warning      string
	}{
		german + "GUTSCHRIFT (Rechnungskorrektur)\n\nGutschriftsnummer: GS-9\nDatum: 02.04.2025\nzu Rechnung Nr. 2025-0417 vom 20.03.2025" + negative:                 {KindCreditNote, "GS-9", -282.63, ""},
		german + "GUTSCHRIFT\n\nGutschriftsnummer: GS-10\nDatum: 02.04.2025\nZu Rechnung: 2025-0417" + positive:                                                       {KindCreditNote, "GS-10", -282.63, ""},
		german + "GUTSCHRIFT\n\nGutschrift-Nr.: GS-11\nDatum: 02.04.2025" + positive:                                                                                  {KindCreditNote, "GS-11", nil, "not certain"},
		german + "Gutschrift-Nr.: GS-12\nDatum: 02.04.2025" + positive:                                                                                                {KindCreditNote, "GS-12", nil, "not certain"},
		german + "GUTSCHRIFT\n\nGutschrift-Nr.: GS-13\nDatum: 02.04.2025\nAbrechnung im Gutschriftsverfahren" + positive:                                              {KindDocument, "", nil, "neither an invoice nor a credit note"},
		german + "STORNORECHNUNG\n\nRechnungsnummer: ST-11\nDatum: 02.04.2025\nStorno zu Rechnung Nr. 2025-0417" + negative:                                           {KindCreditNote, "ST-11", -282.63, ""},
		german + "RECHNUNG\n\nRechnungsnummer: RE-11\nRechnungsdatum: 02.04.2025\nGutschrift Nr. 7 wurde verrechnet" + positive:                                       {KindInvoice, "RE-11", 282.63, ""},
		head + "CREDIT NOTE\n\nCredit Note No: CN-118\nDate: 10 March 2025\nOriginal invoice: INV-5521\nSubtotal 200.00\nVAT @ 20% 40.00\nTotal credit £240.00\n":     {KindCreditNote, "CN-118", -240.0, ""},
		head + "CREDIT NOTE\n\nCredit Note No: CN-120\nDate: 10 March 2025\nSubtotal 200.00\nVAT @ 20% 40.00\nTotal credited £240.00\n":                               {KindCreditNote, "CN-120", -240.0, ""},
		"DUPONT ET FILS SARL\n\nAVOIR N° A2025-12\nDate : 15/03/2025\nSur facture n° F2025-88\nTotal HT -100,00 €\nTVA 20 % -20,00 €\nTotal TTC -120,00 €\n":          {KindCreditNote, "A2025-12", -120.0, ""},
		"Pinturas Sol SL\n\nNOTA DE ABONO\nNota de abono nº AB-7\nFecha: 15/03/2025\nBase imponible 100,00 €\nIVA 21 % 21,00 €\nTotal abono 121,00 €\n":               {KindCreditNote, "AB-7", -121.0, ""},
		"Rossi Srl\n\nNOTA DI CREDITO\nNota di credito n. 12/2025\nData: 15/03/2025\nImponibile 100,00 €\nIVA 22 % 22,00 €\nTotale 122,00 €\n":                        {KindCreditNote, "12/2025", -122.0, ""},
		"Jan Bakker Schilders\n\nCREDITNOTA\nCreditnotanummer: CF-7\nDatum: 11-03-2025\nTotaal excl. btw € 100,00\nBtw 21% € 21,00\nTotaal incl. btw € 121,00\n":      {KindCreditNote, "CF-7", -121.0, ""},
		"Kvarnen i Lund AB\n\nKREDITFAKTURA\nKreditfakturanr: K-7\nDatum: 2025-03-11\nAvser faktura: 31\nNetto 100,00\nMoms 25% 25,00\nSumma inkl. moms 125,00 SEK\n": {KindCreditNote, "K-7", -125.0, ""},
	} {
		content := extract(t, []byte(text), Text)
		kind, _ := Classify(content)
		values, _ := ExtractFields(content, kind)
		if kind == KindDocument {
			values = map[string]any{}
		}
		number, _ := values["invoice_number"].(string)
		if kind != want.kind || number != want.number || values["amount"] != want.amount {
			t.Errorf("%.120q is a %s %q over %v, want %v", text, kind, number, values["amount"], want)
		}
		if said := strings.Join(content.Warnings, "; "); want.warning == "" && said != "" || !strings.Contains(said, want.warning) {
			t.Errorf("%.120q: warned of %q, want %q", text, said, want.warning)
		}
	}
}
