package reader

import (
	"strings"
	"testing"
)

func TestASenderIsANameThatSomethingSupports(t *testing.T) {
	const rest = "\n\nInvoice number: A-17\nInvoice date: 5 March 2025\nBill to: Test Ltd\nTotal: 12.00 EUR\n"
	for name, c := range map[string]struct{ head, want string }{
		"a legal form":                      {"Alder Cabinets Ltd\n9 Bay Street", "Alder Cabinets Ltd"},
		"none for an address alone":         {"Ada Moss\n4410 Levee Road, Baton Rouge, LA 70801", ""},
		"a tax number in its block":         {"Atelier Brume\n3 rue des Lilas\nN° TVA: FR 12 345 678 901", "Atelier Brume"},
		"the domain of its mail":            {"Quietbrook\nhello@quietbrook.example", "Quietbrook"},
		"a line with the whole address":     {"Bäckerei Linde · Hauptstr. 4 · 12345 Neudorf", "Bäckerei Linde"},
		"a firm over its trade and address": {"HARCOURT & PIKE LTD\nLetterpress and Bookbinding · Unit 9 Calder Works, Hebden Bridge HX7 6AA · 01422 555 019", "HARCOURT & PIKE LTD"},
		"none for a name alone":             {"Sunny Days\nSome words", ""},
		"none for a remark in brackets":     {"(please quote in all letters)\nhello@please.example", ""},
		"none for a heading":                {"Tax Invoice and Delivery Note\nCopy", ""},
		"none for a sentence":               {"Thank you for your order with us\n4410 Levee Road, Baton Rouge, LA 70801", ""},
		"none for a remark behind words":    {"Quietbrook (duplicate)\nhello@quietbrook.example", ""},
	} {
		t.Run(name, func(t *testing.T) {
			content := extract(t, []byte(c.head+rest), Text)
			values, _ := ExtractFields(content, KindInvoice)
			if got, _ := values["vendor_name"].(string); got != c.want {
				t.Errorf("vendor_name = %q, want %q", got, c.want)
			}
			if warned := strings.Contains(strings.Join(content.Warnings, "\n"), "vendor_name was left out"); warned != (c.want == "") {
				t.Errorf("warnings: %q", content.Warnings)
			}
		})
	}
}

func TestThePartiesOfALetterAreToldApart(t *testing.T) {
	for name, c := range map[string]struct{ text, field, want string }{
		"a firm with its capital at the foot":           {"Facture n° F-12 du 3 mars 2026\nFacturé à : Mairie de Lyon\nTotal TTC 12,00 €\n\nSARL FOURNIL DES HALLES au capital de 8 000 € – 14 rue de la Poulaillerie, 69002 Lyon\n", "vendor_name", "SARL FOURNIL DES HALLES"},
		"a tax number says more than a legal form":      {"Factuur\n\nBloemenhuis Iris\nKerkstraat 9\n3511 AB Utrecht\nBTW NL001234567B01\n\n          Hotel Domplein B.V.\n          t.a.v. de administratie\n          Domplein 4\n          3512 JC Utrecht\n\nFactuurnummer: 77\nTotaal € 12,00\n", "vendor_name", "Bloemenhuis Iris"},
		"who is asked for attention gets the letter":    {"Factuur\n\nBloemenhuis Iris\nKerkstraat 9\n3511 AB Utrecht\nBTW NL001234567B01\n\n          Hotel Domplein B.V.\n          t.a.v. de administratie\n          Domplein 4\n          3512 JC Utrecht\n\nFactuurnummer: 77\nTotaal € 12,00\n", "customer_name", "Hotel Domplein B.V."},
		"a head of a column beside the label of a role": {"Invoice No: 9\nDate: 5 March 2025\n\nBILL TO                 MATTER\nRidgeline Ventures LP   Lease dispute\n\nTotal $12.00\n", "customer_name", "Ridgeline Ventures LP"},
		"a part of a longer domain is no evidence":      {"Marlow\nsome words\nwww.marlowfitchpartners.example\n\nInvoice No: 9\nDate: 5 March 2025\nBill to: Test Ltd\nTotal $12.00\n", "vendor_name", ""},
		"a payee whose legal form stands above":         {"Prairie Fork Supply, LLC\n2210 County Road 18\nGalesburg, IL 61401\n\nInvoice No: 9\nDate: 5 March 2026\nBill to: Test Ltd\nRemit to: Prairie Fork Supply\nTotal $12.00\n", "vendor_name", "Prairie Fork Supply, LLC"},
		"a day of payment with its term":                {"FACTURA\nFactura n.º: 9\nFecha de expedición: 3/2/2026\nVencimiento: 5/3/2026 (30 días)\nCliente: Prueba S.A.\nTotal 12,00 €\n", "due_date", "2026-03-05"},
		"a day below the title":                         {"TAX INVOICE\nNo. 3381\n17/02/2026\n\nInvoice to: Test Club Inc\nTotal AUD 12.00\n", "date", "2026-02-17"},
		"no day below the title where a label has one":  {"TAX INVOICE\nNo. 3381\n17/02/2026\n\nDue date: on completion\nTotal AUD 12.00\n", "date", ""},
		"a legal form on a line of its own":             {"Illawarra Decking\nPty Ltd\nPO Box 417\nWollongong NSW 2500\n\nInvoice No: 9\nDate: 5 March 2025\nBill to: Test Ltd\nTotal AUD 12.00\n", "vendor_name", "Illawarra Decking Pty Ltd"},
		"a recipient below the line of the sender":      {"Gärtnerei Ehlers GmbH & Co. KG\nBaumschule · Pflanzen\nMoorweg 18, 26160 Bad Zwischenahn\n\nGärtnerei Ehlers · Moorweg 18 · 26160 Bad Zwischenahn\nKita Pusteblume e. V.\nSchulstraße 7\n26655 Westerstede\n\nRechnung Nr. 9\nDatum: 5. März 2025\nTotal 12,00 €\n", "customer_name", "Kita Pusteblume e. V."},
		"attention tells the recipient among addresses": {"De Groene B.V.\nBTW NL001234567B01\n\nKwekerij & groothandel\nHyacintenweg 12\n2182 DE Hillegom\n\nTuincentrum Van Wijk\nt.a.v. de administratie\nRijksstraatweg 101\n2171 AB Sassenheim\n\nFactuurnummer: 77\nTotaal € 12,00\n", "customer_name", "Tuincentrum Van Wijk"},
		"a name that is drawn twice":                    {"Invoice No: 9\nDate: 5 March 2025\nBill to: Marta Gil OrtegaMarta Gil Ortega\nTotal $12.00\n", "customer_name", "Marta Gil Ortega"},
		"the day behind a number in capitals":           {"FATTURA N. 45/2024 DEL 30/05/2024\nCliente: Prova S.p.A.\nTotale fattura EUR 12,00\n", "invoice_number", "45/2024"},
	} {
		t.Run(name, func(t *testing.T) {
			values, _ := ExtractFields(extract(t, []byte(c.text), Text), KindInvoice)
			if got, _ := values[c.field].(string); got != c.want {
				t.Errorf("%s = %q, want %q", c.field, got, c.want)
			}
		})
	}
}

func TestATitleIsNoShop(t *testing.T) {
	text := "Recibo / Factura simplificada\nTaller Prieto\nC/ Industria 44, Fuenlabrada\n\nAceite   45,00\nFiltro   12,00\nTOTAL   57,00 €\nEfectivo   57,00\n08/10/2024 10:12\n"
	values, _ := ExtractFields(extract(t, []byte(text), Text), KindReceipt)
	if values["vendor_name"] != "Taller Prieto" {
		t.Errorf("vendor_name = %v", values["vendor_name"])
	}
}
