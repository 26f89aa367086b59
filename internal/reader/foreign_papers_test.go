package reader

import "testing"

// checkPaper reads a text as an upload would, with the kind that it is recognised as.
func checkPaper(t *testing.T, text, kind string, want map[string]any) {
	t.Helper()
	if got, _ := Classify(extract(t, []byte(text), Text)); got != kind {
		t.Errorf("taken for %s, want %s:\n%s", got, kind, text)
		return
	}
	checkFields(t, kind, text, want)
}

func TestKindsAreRecognisedInTheirLanguages(t *testing.T) {
	for name, c := range map[string]struct {
		kind, text string
		want       map[string]any
	}{
		"an invoice of Greece that is a delivery note": {KindInvoice,
			"ΚΑΦΕΚΟΠΤΕΙΟ ΑΙΓΑΙΟ Α.Ε.\nΚΑΦΕΣ ΚΑΙ ΞΗΡΟΙ ΚΑΡΠΟΙ\nΕρμού 9, 105 63 Αθήνα\nΑΦΜ 099887766\n\nΤΙΜΟΛΟΓΙΟ – ΔΕΛΤΙΟ ΑΠΟΣΤΟΛΗΣ\nΑριθμός τιμολογίου: Α / 81\nΗμερομηνία έκδοσης: 24/03/2025\n\nΣΤΟΙΧΕΙΑ ΠΕΛΑΤΗ Κωδικός 77\nΕπωνυμία: ΞΕΝΟΔΟΧΕΙΟ ΛΙΜΑΝΙ Ο.Ε.\n\nΚαθαρή αξία   100,00 €\nΦΠΑ 24%   24,00 €\nΠΛΗΡΩΤΕΟ   124,00 €\nΝέο υπόλοιπο   900,00 €\n",
			map[string]any{"vendor_name": "ΚΑΦΕΚΟΠΤΕΙΟ ΑΙΓΑΙΟ Α.Ε.", "customer_name": "ΞΕΝΟΔΟΧΕΙΟ ΛΙΜΑΝΙ Ο.Ε.", "invoice_number": "Α / 81", "date": "2025-03-24", "subtotal": 100.0, "tax": 24.0, "amount": 124.0}},
		"an invoice of China": {KindInvoice,
			"电子发票(普通发票)   发票号码: 24117000000012345678\n开票日期: 2024年12月03日\n\n金额合计   ¥943.40\n税额   ¥56.60\n价税合计(大写) 壹仟圆整   (小写) ¥1000.00\n",
			map[string]any{"invoice_number": "24117000000012345678", "date": "2024-12-03", "tax": 56.6, "amount": 1000.0, "currency": "CNY"}},
		"an invoice of Japan with a title in spaced letters": {KindInvoice,
			"青空有限会社 御中\n\n2025/03/24\n森 はるか(デザイナー)\n〒100-0001\n東京都千代田区1-1\nT1234567890123\n\n請 求 書\n\nロゴ制作   50,000円\n消費税(10%)   5,000円\n合計   55,000円\n源泉徴収税(10.21%)   -5,105円\n差引ご請求額   49,895円\n",
			map[string]any{"customer_name": "青空有限会社", "vendor_name": "森 はるか", "tax": 5000.0, "amount": 55000.0, "withheld": 5105.0, "amount_due": 49895.0, "currency": "JPY"}},
		"an invoice of Mexico without a title": {KindInvoice,
			"EMISOR: Muebles Tezontle S.A. de C.V. RFC MTE010101AB1 Régimen fiscal 601\n\nSerie y folio Fecha y hora de emisión\nB 81           2025-03-24T10:00:00\nRECEPTOR: Hotel Bahía Azul S. de R.L. de C.V. RFC HBA010101AB1 Moneda: MXN\n\nSubtotal   $1,100.00\nDescuento   $100.00\nBase gravable   $1,000.00\nIVA Traslado 16%   $160.00\nTotal   $1,160.00\nCrédito 15 días, vence 08/04/2025\nEste documento es una representación impresa de un CFDI 4.0\n",
			map[string]any{"vendor_name": "Muebles Tezontle S.A. de C.V.", "customer_name": "Hotel Bahía Azul S. de R.L. de C.V.", "invoice_number": "B 81", "date": "2025-03-24", "due_date": "2025-04-08", "subtotal": 1000.0, "tax": 160.0, "amount": 1160.0, "currency": "MXN"}},
		"a receipt of Chile, whose pesos have no cents": {KindReceipt,
			"FERRETERÍA EL CLAVO LTDA\nRUT 76.111.222-3\nValparaíso\n\nBOLETA ELECTRÓNICA\nN° 8117\nFecha: 24-03-2025 10:15\n\nMartillo   12.900\nClavos   2.100\nTOTAL   $ 15.000\nEl IVA de esta boleta es: $ 2.395\nPropina sugerida 10%   1.500\nTotal con propina   16.500\n",
			map[string]any{"receipt_number": "8117", "date": "2025-03-24", "amount": 15000.0, "tax": 2395.0, "currency": "CLP"}},
		"a credit note with the letters of its series": {KindCreditNote,
			"Padaria Atlântico, Lda.\nNIF 509876543\n\nNota de Crédito NC 2025/8\nData: 2025-03-24\nCliente: Escola do Mar\nTotal ilíquido   50,00 €\nIVA 6%   3,00 €\nTotal do documento   53,00 €\n",
			map[string]any{"invoice_number": "NC 2025/8", "amount": -53.0, "subtotal": -50.0, "tax": -3.0}},
		"a reminder of Hungary": {KindNote, "Kék Duna Kft.\nDÍJBEKÉRŐ\nSorszám: 81\nKelt: 2025.03.24\nVevő: Próba Zrt.\nFizetendő összesen 12 700 Ft\n", nil},
		"a reminder whose title follows the number of the invoice": {KindDocument,
			"Praktijk De Brug\nFactuur 81 van 01-04-2025 - 2e herinnering\nKlant: Test B.V.\nFactuurbedrag 210,00 EUR\nAanmaningskosten 5,00 EUR\nTotaal 215,00 EUR\n", nil},
		"a rest that is called what is to be paid": {KindInvoice,
			"Studio Bruni\nNota n. 81\nPARCELLA N. 81 del 24/03/2025\nCliente: Prova S.p.A.\nOnorario   1.000,00\nTotale fattura   1.220,00\nRitenuta d'acconto 20%   -200,00\nNetto a pagare   1.020,00\n",
			map[string]any{"amount": 1220.0}},
		"a heading beside the label of the customer": {KindInvoice,
			"Rechnung an            Rechnungsdaten\nSegelclub Nord         Rechnungsnummer   81\nAm Hafen 2             Rechnungsdatum    24.03.2025\n\nGesamtbetrag   12,00 EUR\n",
			map[string]any{"customer_name": "Segelclub Nord", "invoice_number": "81"}},
		"a delivery note of Slovenia": {KindNote,
			"Gozdar d.o.o.\nDOBAVNICA št. 81\nDatum: 24.03.2025\nKupec: Test d.o.o.\n\nNaziv   Količina\nDeska   40\nSkupaj   155,24\n", nil},
	} {
		t.Run(name, func(t *testing.T) { checkPaper(t, c.text, c.kind, c.want) })
	}
}

func TestPartiesHaveEvidence(t *testing.T) {
	const rest = "\n\nInvoice No: 81\nInvoice date: 5 March 2025\nTotal GBP 12.00\n"
	for name, c := range map[string]struct{ head, field, want string }{
		"a slogan before a firm":                       {"Lakk · Tapet · Gulv — Fjordmaling AS, Storgata 2, 5003 Bergen" + rest, "vendor_name", "Fjordmaling AS"},
		"a brand before its firm":                      {"NAVEXA\n\nCliente: Prova S.p.A." + rest + "NAVEXA - Trasporti Marittimi, S.p.A. Calata Porta 1, 80133 Napoli\n", "vendor_name", "NAVEXA - Trasporti Marittimi, S.p.A."},
		"a firm in two languages at the foot":          {"Brasserie du Parc SRL\nM. Luc Martin\nRue Haute 9\n1000 Bruxelles" + rest + "Telsen NV/SA – Kaai 4, 9000 Gent – btw BE 0402.206.045\n", "vendor_name", "Telsen NV/SA"},
		"a person's line below makes a firm the payer": {"Brasserie du Parc SRL\nM. Luc Martin\nRue Haute 9\n1000 Bruxelles" + rest + "Telsen NV/SA – Kaai 4, 9000 Gent – btw BE 0402.206.045\n", "customer_name", "Brasserie du Parc SRL"},
		"a department is no name":                      {"Ferrier & Wren Ltd\n2 Low Road, Leeds LS1 4DY\nVAT GB 123 4567 89\n\nFOR THE ATTENTION OF\nAccounts Payable\nMoorside Bikes Ltd\n9 Hill Street\nYork YO1 7HH" + rest, "customer_name", "Moorside Bikes Ltd"},
	} {
		t.Run(name, func(t *testing.T) {
			values, _ := ExtractFields(extract(t, []byte(c.head), Text), KindInvoice)
			if got, _ := values[c.field].(string); got != c.want {
				t.Errorf("%s = %q, want %q", c.field, got, c.want)
			}
		})
	}
}

func TestTheFirmOfAShopIsTheVendorOfAReceipt(t *testing.T) {
	for name, c := range map[string]struct{ head, want string }{
		"a legal form that small words precede": {"KAWIARNIA POD LIPĄ\nMazur i Synowie sp.j.\nNIP 897-20-25-114", "Mazur i Synowie sp.j."},
		"a name over two lines":                 {"PASTICCERIA SAN MARCO\ndel Sig. R. Bruni & C. s.n.c.\nP.IVA 07512340632", "PASTICCERIA SAN MARCO del Sig. R. Bruni & C. s.n.c."},
	} {
		t.Run(name, func(t *testing.T) {
			checkFields(t, KindReceipt, c.head+"\n\nKawa   8,00\nCiasto   12,00\nSUMA   20,00\nGotówka   20,00\n24-03-2025 10:15\n", map[string]any{"vendor_name": c.want})
		})
	}
}
