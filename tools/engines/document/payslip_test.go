package document

import "testing"

// Beside what is read stands a paper that looks alike and must stay silent.
func TestAPayslipIsReadWhereItsAmountsGoTogether(t *testing.T) {
	const head = "PAYSLIP\n\nEmployer: Harbour Lights Ltd\nEmployee: Mr Owen Pritchard\nPay date: 30 May 2025\n\n"
	const sums = "Gross pay           2,310.00\nIncome tax            252.40\nNational Insurance    101.04\nNet pay            £1,956.56\n"
	const german = "Nordlicht Logistik GmbH · Kaistraße 9 · 24114 Kiel\n\nFrau Ines Götz\nAm Deich 3\n24105 Kiel\n\nEntgeltabrechnung April 2025\n\nGesamtbrutto        3.200,00\nLohnsteuer            318,50\nGesetzliches Netto  2.881,50\nAuszahlungsbetrag   2.800,00\n"
	const columns = "                    This period   Year to date\nGross pay              2,310.00       4,620.00\nIncome tax               252.40         504.80\nNet pay                2,057.60       4,115.20\n"
	for name, c := range map[string]struct {
		page, kind, field string
		want              any
	}{
		"who pays":                        {head + sums, KindPayslip, "employer_name", "Harbour Lights Ltd"},
		"whom":                            {head + sums, KindPayslip, "employee_name", "Mr Owen Pritchard"},
		"the day":                         {head + sums, KindPayslip, "date", "2025-05-30"},
		"the whole":                       {head + sums, KindPayslip, "gross_pay", 2310.0},
		"what is left":                    {head + sums, KindPayslip, "net_pay", 1956.56},
		"the tax":                         {head + sums, KindPayslip, "income_tax", 252.4},
		"the insurance":                   {head + sums, KindPayslip, "social_security", 101.04},
		"the money of the net sum":        {head + sums, KindPayslip, "currency", "GBP"},
		"this period beside the year":     {head + columns, KindPayslip, "gross_pay", 2310.0},
		"the tax of this period":          {head + columns, KindPayslip, "income_tax", 252.4},
		"no net sum above the gross one":  {head + "Gross pay   2,310.00\nNet pay   2,956.56\n", KindPayslip, "net_pay", nil},
		"no tax above what was kept":      {head + "Gross pay   2,310.00\nIncome tax   852.40\nNet pay   1,956.56\n", KindPayslip, "income_tax", nil},
		"no gross sum that is said twice": {head + "Gross pay   2,310.00\nTotal gross   2,410.00\nIncome tax   2.40\nNet pay   1,956.56\n", KindPayslip, "gross_pay", nil},
		"of two gross sums the one that proves true": {head + "Total gross   2,410.00\nGross pay   2,310.00\nIncome tax   353.44\nNet pay   1,956.56\n", KindPayslip, "gross_pay", 2310.0},
		"the sender of a letter":                     {german, KindPayslip, "employer_name", "Nordlicht Logistik GmbH"},
		"who is addressed":                           {german, KindPayslip, "employee_name", "Frau Ines Götz"},
		"the month of the title":                     {german, KindPayslip, "period_end", "2025-04-30"},
		"what is paid out":                           {german, KindPayslip, "net_pay", 2800.0},
		"a base, a rate and what they make":          {"BULLETIN DE PAIE\nEmployeur : SARL Lacombe\nSalarié : Jo Marchetti\nSalaire brut   2 150,00\nImpôt sur le revenu   1 809,62   2,60   47,05\nNet à payer   1 631,45\n", KindPayslip, "income_tax", 47.05},
		"an invoice for payslips stays one":          {"Rechnung\nRechnungsnummer: 2025-118\nDatum: 02.05.2025\nKunde: Nordlicht GmbH\n\nLohnabrechnung April 2025   150,00\nNettobetrag   150,00\nMwSt. 19 %   28,50\nGesamtbetrag   178,50\n", KindInvoice, "invoice_number", "2025-118"},
		"an invoice with net and gross stays one":    {"FACTURE\nFacture n° F-12\nDate : 2 mai 2025\nClient : Jo Marchetti\n\nTotal brut   150,00\nTVA 20 %   30,00\nNet à payer   180,00\n", KindInvoice, "gross_pay", nil},
	} {
		t.Run(name, func(t *testing.T) {
			content := extract(t, []byte(c.page), Text)
			kind, _, evidence := Classify(content)
			values, _ := Fields(content, kind)
			if kind != c.kind || values[c.field] != c.want {
				t.Errorf("%s (%v): %s = %v, want %s: %v", kind, evidence, c.field, values[c.field], c.kind, c.want)
			}
		})
	}
}

func TestAPaperOfTaxesSaysWhoseTaxAndHowMuch(t *testing.T) {
	const notice = "Finanzamt Lüneburg\nSteuernummer: 33/123/45678\n\nHerrn Jonas Wiebe\nSalzstraße 12\n21335 Lüneburg\n\nBescheid für 2023 über Einkommensteuer\n\nFestgesetzte Einkommensteuer   8.214,00 €\nAbzug vom Lohn   7.700,00 €\nNachzahlung   514,00 €\nFällig am 18.11.2024\n"
	const form = "CERTIFICAZIONE UNICA 2025\nSostituto d'imposta: Officine Breda S.r.l.\nPercipiente: FERRI DAVIDE\nCodice fiscale: FRRDVD85A41F205X\n1 Redditi di lavoro dipendente   26.440,12\n21 Ritenute IRPEF   4.120,50\n"
	for name, c := range map[string]struct {
		page, field string
		want        any
	}{
		"the office":                {notice, "institution", "Finanzamt Lüneburg"},
		"who is addressed":          {notice, "recipient_name", "Herrn Jonas Wiebe"},
		"the year":                  {notice, "tax_year", "2023"},
		"what was reckoned":         {notice, "tax", 8214.0},
		"what was paid before":      {notice, "prepaid", 7700.0},
		"what is left":              {notice, "amount_due", 514.0},
		"by when":                   {notice, "due_date", "2024-11-18"},
		"the number":                {notice, "taxpayer_id", "33/123/45678"},
		"who pays the wages":        {form, "payer_name", "Officine Breda S.r.l."},
		"who earns them":            {form, "recipient_name", "FERRI DAVIDE"},
		"the title as the form":     {form, "form", "CERTIFICAZIONE UNICA"},
		"no name that names a role": {"CERTIFICAZIONE UNICA 2025\nDatore di lavoro: ENTE O ALTRO SOSTITUTO D'IMPOSTA\nPercipiente: FERRI DAVIDE\n", "payer_name", nil},
		"the year behind a title":   {"Lohnsteuerbescheinigung 2024\nArbeitgeber: Brauhaus Eiche KG\n", "tax_year", "2024"},
		"no year of sending":        {form, "tax_year", nil},
		"the box of what is left":   {"Umsatzsteuer-Voranmeldung 2025\nUnternehmer: Holm GmbH\n66 Vorsteuer   1.140,00\n83 Verbleibende Umsatzsteuer-Vorauszahlung   1.710,00\n", "amount_due", 1710.0},
		"no sum of what is a box's": {form, "tax", nil},
		"no name that is a heading": {"Steuerbescheid\nSteuerpflichtiger:\nZu versteuerndes Einkommen:   41.900,00\nNachzahlung   514,00\n", "recipient_name", nil},
		"no sum that is said twice": {"Steuerbescheid 2023\nNachzahlung   514,00\nNoch zu zahlen   614,00\n", "amount_due", nil},
	} {
		t.Run(name, func(t *testing.T) {
			content := extract(t, []byte(c.page), Text)
			kind, _, evidence := Classify(content)
			values, _ := Fields(content, kind)
			if kind != KindTaxForm || values[c.field] != c.want {
				t.Errorf("%s (%v): %s = %v, want %v", kind, evidence, c.field, values[c.field], c.want)
			}
		})
	}
}

func TestAYearThatStandsAloneIsOnTheFirstPageThatSaysSomething(t *testing.T) {
	content := extract(t, []byte("\fForm 1099-MISC\n\n2024\n\nPAYER'S name   Acme\n"), Text)
	if values, sources := Fields(content, KindTaxForm); values["tax_year"] != "2024" || sources["tax_year"].Page != 2 || sources["tax_year"].Line != 3 {
		t.Errorf("%v stands on %+v, want page 2, line 3", values["tax_year"], sources["tax_year"])
	}
}
