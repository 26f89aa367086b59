package reader

import "testing"

// An e-invoice that is printed names each party in a block of labelled lines below its role,
// states number and day in its title, and has heads of a table in several lines.
const labelledBlocks = `Gutschrift (Selbst ausgestellte Rechnung) (389) Nr. 20417 vom 07.04.2025

Währung:                          EUR
Liefer- und Leistungsdatum:       07.04.2025

Verkäufer
Nummer:                           77120
Name:                             Birkenhof Gemüse GmbH
Anschrift:                        Feldweg 3
                                  DE 18055 Rostock
USt.-Id.-Nr.:                     DE811569869

Käufer/Leistungsempfänger
Nummer:                           K-5501
Name:                             Kantine am Hafen AG
Anschrift:                        Kaistraße 9
                                  DE 24103 Kiel
USt.-Id.-Nr.:                     DE129274202

                 Art-Nr-Kunde
Pos              Art-Nr           Beschreibung        Nettopreis     Menge      Steuersatz     Nettobetrag
1                MR20             Möhren, lose        1,5000         40 kg      7 %            60,00
2                KL11             Kohl, weiß          0,8000         50 kg      7 %            40,00

Nettosumme                                                                                     100,00
Umsatzsteuer 7 %                                                                               7,00
Gesamtbetrag                                                                                   107,00 EUR
`

func TestPartiesInBlocksOfLabelledLinesAreRead(t *testing.T) {
	values, _ := ExtractFields(extract(t, []byte(labelledBlocks), Text), KindInvoice)
	for field, want := range map[string]string{
		"invoice_number": "20417", "date": "2025-04-07", "vendor_name": "Birkenhof Gemüse GmbH", "customer_name": "Kantine am Hafen AG", "amount": "107",
	} {
		if got := shownValue(values[field]); got != want {
			t.Errorf("%s is %q, want %q", field, got, want)
		}
	}
	items, _ := values["line_items"].([]map[string]any)
	if len(items) != 2 || items[0]["code"] != "MR20" || items[1]["description"] != "Kohl, weiß" {
		t.Errorf("items are %v", items)
	}
}

func TestANameInLargeLettersGoesOverTwoLines(t *testing.T) {
	for _, test := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"a legal form in the second line", []string{"De Groene", "Vingers B.V."}, "De Groene Vingers B.V."},
		{"one line", []string{"Vingers B.V."}, "Vingers B.V."},
		{"the name again with its legal form", []string{"Groene Vingers", "Groene Vingers B.V."}, "Groene Vingers B.V."},
	} {
		page := sheet{}.lines(40, 60, 16, test.lines...).lines(40, 140, 9, "Hyacintenweg 12", "2182 DE Hillegom", "", "Factuurnummer: 20260088", "Factuurdatum: 4 maart 2026", "Totaal: 12,00 EUR")
		values, _ := ExtractFields(extract(t, coreFontPDF(t, true, page), PDF), KindInvoice)
		if values["vendor_name"] != test.want {
			t.Errorf("%s: %v", test.name, values["vendor_name"])
		}
	}
}
