package reader

import (
	"strings"
	"testing"

	"toolkit/internal/reader/layout"
)

// Beside each way of saying a field stands a page that looks alike and must stay silent.
func TestAPrintedInvoiceSaysItsFieldsInManyWays(t *testing.T) {
	const lines = "\n\nDescription      Qty   Unit price   Amount\nPaper              2        10.00    20.00\n\nTotal: EUR 20.00\n"
	for name, c := range map[string]struct {
		page, field string
		want        any
	}{
		"a date that can be read two ways, as printed":         {"INVOICE\nInvoice no: A-17\nInvoice date: 01/02/2025\nDue date: 01/03/2025" + lines, "date", "01/02/2025"},
		"the day of payment in a sentence":                     {"INVOICE\nInvoice no: A-17" + lines + "\nZahlbar innerhalb 30 Tagen netto bis 04.04.2013, 3% Skonto bis 15.03.2013\n", "due_date", "2013-04-04"},
		"no day of payment in a sentence about something else": {"INVOICE\nInvoice no: A-17" + lines + "\nThis offer is valid until 4 April 2013 for all\n", "due_date", nil},
		"no day of payment where sentences differ":             {"INVOICE\nInvoice no: A-17" + lines + "\nPlease pay by 4 April 2013 or so\nThe rest is payable by 5 May 2013 please\n", "due_date", nil},
		"the date, and not the day of the order":               {"INVOICE\nInvoice no: A-17\nDate: 2 June 2025\nOrder placed: 2 May 2025" + lines, "date", "2025-06-02"},
		"no date from the day of the order alone":              {"INVOICE\nInvoice no: A-17\nOrder date: 2 May 2025" + lines, "date", nil},
		"the date, and not that of an event":                   {"INVOICE\nInvoice no: A-17\nDate: 2 June 2025\nEvent date: 28 May 2025" + lines, "date", "2025-06-02"},
		"a date behind another label in one cell":              {"INVOICE\nInvoice no: A-17 Date: 2 June 2025" + lines, "date", "2025-06-02"},
		"a date beside its town":                               {"Erfurt, 31. März 2025\n\nRechnung Nr. 2025/318\n" + lines, "date", "2025-03-31"},
		"no date where two towns differ":                       {"Erfurt, 31. März 2025\n\nRechnung Nr. 2025/318\nJena, 1. April 2025\n" + lines, "date", nil},
		"a number behind two titles":                           {"FAKTURA – DAŇOVÝ DOKLAD č. 2025010042\n" + lines, "invoice_number", "2025010042"},
		"a sender in one line at the foot":                     {"INVOICE\nInvoice no: A-17" + lines + "\nTrattoria Da Enzo · Schillerplatz 4 · 55116 Mainz\n", "vendor_name", "Trattoria Da Enzo"},
		"a sender with commas behind its legal form":           {"INVOICE\nInvoice no: A-17" + lines + "\nVelocity Cykel AB, Norra gatan 11, 803 11 Gävle\n", "vendor_name", "Velocity Cykel AB"},
		"no sender that a sentence names":                      {"INVOICE\nInvoice no: A-17" + lines + "\nwe are the authorised agent of Oak Ltd, 1 High Street, 55116 Mainz\n", "vendor_name", nil},
		"no sender where the line begins with a street":        {"INVOICE\nInvoice no: A-17" + lines + "\nLange Gasse 3 · 55116 Mainz · Germany\n", "vendor_name", nil},
		"no sender where two lines differ":                     {"INVOICE\nInvoice no: A-17" + lines + "\nDa Enzo · Schillerplatz 4 · 55116 Mainz\nDa Anna · Markt 4 · 55116 Mainz\n", "vendor_name", nil},
		"two words that the print joined":                      {"INVOICE\nInvoice no: A-17\nBrightwell Analytics LtdInvoice to\nNorthgate Clinics plc\n18 Dean Street\n" + lines, "vendor_name", "Brightwell Analytics Ltd"},
		"a role in letters that no accent folds":               {"FAKTURA\nFakturanr: 17\nKøber: Bydrift Øst A/S\n" + lines, "customer_name", "Bydrift Øst A/S"},
		"the last day, not that of a discount":                 {"RECHNUNG\nRechnungsnummer: A-17" + lines + "\nZahlbar bis 26.03.2026 mit 2 % Skonto oder bis 11.04.2026 ohne Abzug.\n", "due_date", "2026-04-11"},
		"no day where a discount has the only one":             {"RECHNUNG\nRechnungsnummer: A-17" + lines + "\nBei Zahlung bis zum 26.03.2026 2 % Skonto.\n", "due_date", nil},
		"no sender from the head of its block":                 {"FACTURA\nNúmero de factura: A-17\n\nDATOS DEL TITULAR       DATOS DEL CLIENTE\nNerea Sanz              Bodegas Valdemora S.L.\nNIF 72451188T           CIF B26331140\n" + lines, "vendor_name", "Nerea Sanz"},
		"a sender's full name below that of a shop":            {"Banksia Pool Care\nBanksia Pool Care Pty Ltd\nABN 53 618 204 771\n\nTAX INVOICE\nInvoice no: A-17" + lines, "vendor_name", "Banksia Pool Care Pty Ltd"},
		"a day under two names with a stroke between them":     {"INVOICE\nInvoice no: A-17\nInvoice Date / Tax Point   5 March 2026" + lines, "date", "2026-03-05"},
		"a number below its sign, beside the title":            {"FACTURA\nNúmero\n2026/011\nFecha: 2 de marzo de 2026" + lines, "invoice_number", "2026/011"},
		"a sum that is left after what is withheld":            {"FACTURA\nFactura n.º: 9\n\nBase imponible         1.200,00 €\nIVA 21 %                 252,00 €\nRetención IRPF –15 %    –180,00 €\nTotal a percibir       1.272,00 €\n", "amount", 1272.0},
		"the date, and not the tax point":                      {"INVOICE\nInvoice no: A-17\nInvoice date: 5 March 2026\nTax point: 1 March 2026" + lines, "date", "2026-03-05"},
		"the tax point where no other day is named":            {"INVOICE\nInvoice no: A-17\nTax point: 1 March 2026" + lines, "date", "2026-03-01"},
		"no number beside other days":                          {"TAX INVOICE\n\n\n\nAlder Cabinets Ltd\n9 Bay Street\n\n\nNumber WW-0619   Built 6 Mar 2026" + lines, "invoice_number", nil},
		"a legal name at the foot before a part of it":         {"JOINERY WORKS LTD\n\nINVOICE\nInvoice no: A-17" + lines + "\nHebden Joinery Works Ltd · Unit 4, Mill Lane, HX7 6AU\n", "vendor_name", "Hebden Joinery Works Ltd"},
		"the whole in a line that says its tax behind it":      {"RECHNUNG\nRechnungsnummer: A-17\n\nGesamt 35,00 EUR inkl. 19% MwSt 5,59\n", "amount", 35.0},
		"the tax in a line of the whole":                       {"RECHNUNG\nRechnungsnummer: A-17\n\nGesamt 35,00 EUR inkl. 19% MwSt 5,59\n", "tax", 5.59},
		"the tax in French, beside the whole":                  {"FACTURE\nFacture n°: A-17\n\nTotal TTC   35,00 € dont TVA 20 % 5,83\n", "tax", 5.83},
		"the tax in brackets":                                  {"TAX INVOICE\nInvoice no: A-17\n\nTotal $35.00 (incl. GST $3.18)\n", "tax", 3.18},
		"the tax in Spanish":                                   {"FACTURA\nFactura n.º: 9\n\nTotal 35,00 € IVA incluido 21% 6,07 €\n", "tax", 6.07},
		"the tax in Italian":                                   {"FATTURA\nFattura n. 9\n\nTotale 35,00 € di cui IVA 22% 6,31 €\n", "tax", 6.31},
		"no whole that a tax comes on top of":                  {"RECHNUNG\nRechnungsnummer: A-17\n\nGesamt 35,00 EUR zzgl. 19% MwSt 6,65\n", "amount", nil},
		"no title beside a role":                               {"Käufer: Warenrechnung\nRechnungsnummer: 17\n" + lines, "customer_name", nil},
	} {
		t.Run(name, func(t *testing.T) {
			values, _ := ExtractFields(extract(t, []byte(c.page), Text), KindInvoice)
			if values[c.field] != c.want {
				t.Errorf("%s = %v, want %v", c.field, values[c.field], c.want)
			}
		})
	}
}

func TestANumberMayStandHigherThanTheFootOfItsTitle(t *testing.T) {
	line := func(number int, base, size, left float64, words ...string) layout.Line {
		cell := layout.Cell{Text: strings.Join(words, " "), Left: left, Right: left + 60, Size: size}
		for _, word := range words {
			cell.Words = append(cell.Words, layout.Word{Text: word, Left: left, Right: left + 25, Base: base, Size: size})
			left += 30
		}
		return layout.Line{Number: number, Base: base, Size: size, Cells: []layout.Cell{cell}}
	}
	for _, test := range []struct {
		base float64
		want any
	}{{-782, "2026/014"}, {-740, nil}} {
		page := layout.Page{Number: 1, Lines: []layout.Line{line(1, -790, 12, 400, "Nº", "2026/014"), line(2, test.base, 27, 50, "FACTURA"), line(3, -700, 12, 50, "Total:", "20,00")}}
		if values, _ := ExtractFields(&Content{Pages: []layout.Page{page}, Metadata: map[string]any{}}, KindInvoice); values["invoice_number"] != test.want {
			t.Errorf("title at %.0f: number %v, want %v", test.base, values["invoice_number"], test.want)
		}
	}
}

func TestLinesOfAnInvoiceKeepWhatTheirColumnsSay(t *testing.T) {
	for name, c := range map[string]struct {
		page  string
		field string
		want  any
	}{
		"a rate with the name of the tax":             {"Description      Qty   Unit price   VAT            Amount\nPaper              2        10.00   19 % VAT (S)   20.00\n", columnRate, 19.0},
		"a rate that the head calls one":              {"Description      Qty   Unit price   VAT %   Amount\nPaper              2        10.00    19      20.00\n", columnRate, 19.0},
		"a negative quantity with its unit":           {"Description      Qty     Unit price   Amount\nPaper             -2 Stk      10.00   -20.00\n", columnQuantity, -2.0},
		"a quantity in square metres":                 {"Description      Qty     Unit price   Amount\nLawn               3 m²      10.00    30.00\n", "unit", "m²"},
		"a code under the head Article":               {"Article   Description      Qty   Unit price   Amount\nV-01      Vase               2        10.00    20.00\n", columnCode, "V-01"},
		"no code where the numbers run":               {"Item      Description      Qty   Unit price   Amount\n1         Vase               2        10.00    20.00\n", columnCode, nil},
		"a description under the head Item, if alone": {"Item               Qty   Unit price   Amount\nVase                 2        10.00    20.00\n", columnText, "Vase"},
	} {
		t.Run(name, func(t *testing.T) {
			values, _ := ExtractFields(extract(t, []byte("INVOICE\nInvoice no: A-17\n\n"+c.page), Text), KindInvoice)
			items, _ := values["line_items"].([]map[string]any)
			if len(items) != 1 || items[0][c.field] != c.want {
				t.Errorf("%s of %v, want %v", c.field, items, c.want)
			}
		})
	}
}
