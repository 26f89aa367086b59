package reader

import "testing"

func TestPartiesAreNamedByEvidenceOrNotAtAll(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want map[string]any
	}{
		"the mark of a logo, and the firm's name elsewhere": {
			"◆ fjordlys      Faktura\nFakturanr: 81\nKunde: Prøve AS\n\nFjordlys Energi AS\nKaigata 2\n5003 Bergen\npost@fjordlys.example\n\nTotalt å betale   100,00 NOK\n",
			map[string]any{"vendor_name": "Fjordlys Energi AS", "customer_name": "Prøve AS"},
		},
		"a slogan that stands apart from the name": {
			"Loodgieter De Buis V.O.F.     WATER · GAS · LICHT     Kade 3, 9711 AB Groningen\nFactuur 81\nKlant: Test B.V.\nTotaal 12,00 EUR\n",
			map[string]any{"vendor_name": "Loodgieter De Buis V.O.F."},
		},
		"a guest with a room is not the firm billed": {
			"Hotel Aurora S.r.l.\nVia Roma 1, 20100 Milano\nP.IVA 01234567890\n\nFattura n. 81 del 24/03/2025\nCliente: Dario Fo – Camera 12 – 2 persone\nTotale fattura 12,00 EUR\n",
			map[string]any{"vendor_name": "Hotel Aurora S.r.l.", "customer_name": nil},
		},
		"the heading of where the work was done": {
			"Wattle Roofing Pty Ltd\nTax Invoice 81\n\nBill to             Job address\nCoral Bay Strata    4 Reef Street\n\nTotal inc GST  $110.00\n",
			map[string]any{"customer_name": "Coral Bay Strata"},
		},
		"no name holds a colon": {
			"发票号码: 24117000000012345678\n开票日期: 2024年12月03日\n销售方 名称:北京清泉科技有限公司\n价税合计(小写) ¥1000.00\n",
			map[string]any{"vendor_name": nil},
		},
		"a practice over the name of its owner may be either": {
			"Praxis Lindenhof\nDr. Ulla Kern\nHauptstr. 4\n99084 Erfurt\nUSt-IdNr. DE123456789\n\nRechnung Nr. 81\nGesamtbetrag 12,00 EUR\n",
			map[string]any{"vendor_name": nil},
		},
		"a firm at the foot with its tax number": {
			"Tax Invoice 81\nInvoice to\nGum Tree Builders\n\nSleeper 40.00\nNails 30.00\nBeam 30.00\nGST $10.00\nTotal inc GST  $110.00\n\nBanksia Steel Pty Ltd ABN 51 824 753 556 12 Mill Road (08) 9000 0000\n",
			map[string]any{"vendor_name": "Banksia Steel Pty Ltd", "customer_name": "Gum Tree Builders"},
		},
		"roles with whole addresses on their lines": {
			"FAKTURA NR 81\nSprzedawca: Anna Mazur – tłumaczenia, ul. Długa 2, 30-001 Kraków, NIP 111-22-33-444\nNabywca: Zakład Próba, ul. Krótka 5, 30-002 Kraków, NIP 555-66-77-888\nRazem: 12,00 zł\n",
			map[string]any{"vendor_name": "Anna Mazur – tłumaczenia", "customer_name": "Zakład Próba"},
		},
	} {
		t.Run(name, func(t *testing.T) { checkFields(t, KindInvoice, c.text, c.want) })
	}
}

func TestNameUnderSmallSenderLineIsTheRecipients(t *testing.T) {
	for name, x := range map[string]float64{"a letterhead at the right": 400, "a letterhead below at the left": 40} {
		y := 40.0
		if x == 40 {
			y = 300
		}
		page := sheet{}.lines(40, 90, 7, "Tischlerei Brand · Am Wall 3 · 18055 Rostock").lines(40, 102, 11, "Theater am Kai gGmbH", "Kaistr. 9", "24103 Kiel").
			lines(x, y, 8, "Tischlerei Brand e.K.", "Am Wall 3", "18055 Rostock", "USt-IdNr. DE811569869").lines(40, 220, 11, "Rechnung 2026-81", "Gesamtbetrag: 12,00 EUR")
		values, _ := ExtractFields(extract(t, coreFontPDF(t, true, page), PDF), KindInvoice)
		if values["customer_name"] != "Theater am Kai gGmbH" || values["vendor_name"] == "Theater am Kai gGmbH" || values["vendor_name"] == nil {
			t.Errorf("%s: from %v to %v", name, values["vendor_name"], values["customer_name"])
		}
	}
}

func TestDutiesAndDaysAreReadAsWritten(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want map[string]any
	}{
		"a stamp duty is no tax": {
			"Fatura n.º 81\nCliente: Teste Lda\nTotal ilíquido 100,00 €\nIVA 0,00 €\nImposto do selo 1,00 €\nTotal do documento 101,00 €\n",
			map[string]any{"subtotal": 100.0, "amount": 101.0, "tax": 0.0},
		},
		"a sentence behind the day of payment": {
			"Factura 81\nCliente: Prueba S.A.\nFecha: 04/03/2025\nVencimiento: 20/03/2025. Pago por transferencia.\nTotal 12,00 €\n",
			map[string]any{"due_date": "2025-03-20"},
		},
		"a long day behind a place, beside the title": {
			"FACTURA 81      Lugo, 14 de marzo de 2025\nPedido de 2 de enero\nCliente: Prueba S.A.\nTotal 12,00 €\n",
			map[string]any{"date": "2025-03-14"},
		},
		"a day with the word for year behind a place": {
			"Gdynia, 3 maja 2025 r.\nFAKTURA NR 81\nNabywca: Próba S.A.\nRazem: 12,00 zł\n",
			map[string]any{"date": "2025-05-03"},
		},
		"a day of payment in a Polish sentence": {
			"FAKTURA NR 81\nNabywca: Próba S.A.\nRazem: 12,00 zł\nDo zapłaty 12,00 zł w terminie do 20.05.2025 na rachunek poniżej.\n",
			map[string]any{"due_date": "2025-05-20"},
		},
		"a day in the years of an emperor": {
			"請求書\n請求番号: 81\n発行日: 令和6年4月30日\n合計 ¥1,100\n",
			map[string]any{"date": "2024-04-30"},
		},
		"stars before amounts": {
			"SATIŞ FİŞİ\nFatura No: 81\nTOPLAM   *1.210,50 TL\n",
			map[string]any{"amount": 1210.5},
		},
	} {
		t.Run(name, func(t *testing.T) { checkFields(t, KindInvoice, c.text, c.want) })
	}
}
