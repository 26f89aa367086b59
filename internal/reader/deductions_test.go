package reader

import (
	"testing"
)

func TestAnInvoiceSaysWhatIsTakenOffItsWhole(t *testing.T) {
	const taxed = "INVOICE\nInvoice no: A-17\nInvoice date: 4 March 2025\nBill to: Test Co\n\nSubtotal    EUR 1,000.00\nVAT 19%     EUR 190.00\nTotal       EUR 1,190.00\n"
	const plain = "INVOICE\nInvoice no: A-17\nInvoice date: 4 March 2025\nBill to: Test Co\n\nTotal       EUR 1,190.00\n"
	for name, c := range map[string]struct {
		page                    string
		prepaid, withheld, owed any
	}{
		"a deposit received":                       {taxed + "Deposit received   EUR 300.00\n", 300.0, nil, nil},
		"a deposit of a day":                       {taxed + "Deposit received 1 Feb 2025   EUR 300.00\n", 300.0, nil, nil},
		"a retainer with a minus, without taxes":   {plain + "Retainer applied   EUR -300.00\n", 300.0, nil, nil},
		"two payments on account":                  {taxed + "Deposit   EUR 300.00\nPayment on account   EUR 100.00\n", 400.0, nil, nil},
		"all of it":                                {taxed + "Amount paid   EUR 1,190.00\n", 1190.0, nil, nil},
		"a tax withheld":                           {taxed + "Less withholding tax (10%)   EUR 100.00\n", nil, 100.0, nil},
		"a deposit and a tax, with the rest":       {taxed + "Less deposit paid   EUR 300.00\nLess withholding tax (10%)   EUR 100.00\nBalance due   EUR 790.00\n", 300.0, 100.0, 790.0},
		"a rest that is called a total":            {"FACTURE N° F-17\nDate : 03/03/2025\n\nTotal HT   1 000,00 €\nTVA 20 %   200,00 €\nTotal TTC   1 200,00 €\nAcompte versé   200,00 €\nNet à payer   1 000,00 €\n", 200.0, nil, 1000.0},
		"an acompte, with its day":                 {"FACTURE N° F-17\nDate : 03/03/2025\n\nTotal HT   1 000,00 €\nTVA 20 %   200,00 €\nTotal TTC   1 200,00 €\nAcompte reçu le 01/02/2025   200,00 €\n", 200.0, nil, nil},
		"an Anzahlung, with its day":               {"Rechnung Nr. R-17\nDatum: 04.03.2025\n\nNetto   1.000,00 EUR\nMwSt 19%   190,00 EUR\nGesamtbetrag   1.190,00 EUR\nabzgl. Anzahlung vom 01.02.2025   400,00 EUR\n", 400.0, nil, nil},
		"a retención behind the whole":             {"Factura nº 17\nFecha: 06/03/2025\n\nBase imponible   1.000,00 €\nIVA 21%   210,00 €\nTotal factura   1.210,00 €\nRetención IRPF 15%   -150,00 €\n", nil, 150.0, nil},
		"a retención that the whole is without":    {"Factura nº 17\nFecha: 06/03/2025\n\nBase imponible   1.000,00 €\nIVA 21%   210,00 €\nRetención IRPF 15%   -150,00 €\nTotal a pagar   1.060,00 €\n", nil, nil, nil},
		"a deposit of a day, with a colon":         {taxed + "Deposit paid 01/02/2025: EUR 300.00\n", 300.0, nil, nil},
		"a rest alone":                             {taxed + "Amount due: EUR 890.00\n", nil, nil, 890.0},
		"a rest of no proven whole":                {plain + "Amount due: EUR 890.00\n", nil, nil, nil},
		"a balance of something":                   {taxed + "Balance: EUR 12.00\n", nil, nil, nil},
		"a deposit above the only total":           {"INVOICE\nInvoice no: A-17\nBill to: Test Co\n\nDeposit received   EUR 300.00\nTotal   EUR 1,190.00\n", nil, nil, nil},
		"no deposit that is asked for":             {taxed + "Deposit due on order   EUR 300.00\n", nil, nil, nil},
		"no share that may be asked for":           {taxed + "Deposit (50%)   EUR 595.00\n", nil, nil, nil},
		"no payment that may be the one to come":   {taxed + "Payment   EUR 1,190.00\n", nil, nil, nil},
		"nothing where money was given back":       {taxed + "Cash   EUR 1,000.00\nChange   EUR 10.00\n", nil, nil, nil},
		"nothing where more was paid than it asks": {taxed + "Amount paid   EUR 2,190.00\n", nil, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			values, _ := ExtractFields(extract(t, []byte(c.page), Text), KindInvoice)
			if values["prepaid"] != c.prepaid || values["withheld"] != c.withheld || values["amount_due"] != c.owed {
				t.Errorf("prepaid %v, withheld %v, due %v; want %v, %v, %v\n%v", values["prepaid"], values["withheld"], values["amount_due"], c.prepaid, c.withheld, c.owed, values)
			}
		})
	}
}

func TestAnInvoiceFallsDueAsItsTermsSay(t *testing.T) {
	for name, c := range map[string]struct{ terms, want string }{
		"a label and its day":           {"Fällig: 03.04.2025", "2025-04-03"},
		"a term, as a label":            {"Zahlungsziel: 14 Tage", "2025-03-18"},
		"a term, in words":              {"Zahlungsziel 14 Tage", "2025-03-18"},
		"a day in a request":            {"Bitte zahlen Sie bis 03.04.2025", "2025-04-03"},
		"a day of payment":              {"Zahlung fällig bis 03.04.2025", "2025-04-03"},
		"in a sentence":                 {"Zahlbar innerhalb von 14 Tagen ohne Abzug.", "2025-03-18"},
		"net":                           {"Payment terms: Net 30", "2025-04-03"},
		"due net":                       {"Due: Net 30", "2025-04-03"},
		"within":                        {"Please pay within 30 days.", "2025-04-03"},
		"in French":                     {"Payable sous 30 jours", "2025-04-03"},
		"in Italian":                    {"Pagamento entro 30 giorni", "2025-04-03"},
		"not of two that the payer has": {"Zahlbar innerhalb 10 Tagen mit 2 % Skonto, 30 Tage netto", ""},
		"not of both terms":             {"2 % Skonto bei Zahlung innerhalb von 10 Tagen, netto 30 Tage", ""},
		"not a discount's alone":        {"2 % Skonto bei Zahlung innerhalb von 10 Tagen", ""},
		"not from the end of the month": {"Payable sous 30 jours fin de mois", ""},
		"not late payment":              {"Late payments within 30 days bear interest", ""},
		"not returns":                   {"Ruckgabe innerhalb von 14 Tagen", ""},
		"not two that differ":           {"Please pay within 30 days.\nPayment terms: Net 14", ""},
		"in days, net":                  {"30 Tage netto", "2025-04-03"},
		"not a net sum":                 {"Net 30", ""},
		"not a day's number":            {"Thank you for your 30 days with us", ""},
	} {
		t.Run(name, func(t *testing.T) {
			page := "RECHNUNG\nRechnungsnummer: A-17\nRechnungsdatum: 04.03.2025\nKunde: Test GmbH\n\nGesamtbetrag: 20,00 EUR\n\n" + c.terms + "\n"
			values, _ := ExtractFields(extract(t, []byte(page), Text), KindInvoice)
			if got := shownValue(values["due_date"]); got != c.want && (c.want != "" || values["due_date"] != nil) {
				t.Errorf("due on %v, want %q", values["due_date"], c.want)
			}
		})
	}
}
