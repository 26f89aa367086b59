package reader

import (
	"strings"
	"testing"
)

func TestAPaperThatAsksAgainOrNotYetIsNoInvoice(t *testing.T) {
	const sums = "\n\nDescription   Quantity   Unit price   Amount\nOak table   2   240.00   480.00\n\nSubtotal: 480.00\nTax: 96.00\nTotal: 576.00 EUR\n"
	for text, kind := range map[string]string{
		"Oak Ltd\n\nProforma Invoice PF-1\nDate: 5 March 2026" + sums:                                                                             KindDocument,
		"Werk Süd GmbH\n\n2. Mahnung\nRechnung Nr. 88-1 vom 05.03.2026\nMahngebühr 5,00\nGesamtbetrag 62,10 EUR\n":                                KindDocument,
		"Oak SA\n\nRappel de paiement\nFacture n° F-12 du 3 mars 2026\nTotal TTC : 62,10 EUR\n":                                                   KindDocument,
		"Oak Ltd\n\nQuotation Q-7\nDate: 5 March 2026\nValid until: 5 April 2026" + sums:                                                          KindDocument,
		"Holz GmbH\n\nAngebot Nr. A-12\nDatum: 05.03.2026\n" + sums:                                                                               KindDocument,
		"Oak Ltd\n\nQuotation Q-7\n\nINVOICE\nInvoice number: OS-471\nInvoice date: 5 March 2026" + sums:                                          KindInvoice,
		"Oak Ltd\n\nInvoice\nInvoice number: OS-471\nInvoice date: 5 March 2026\nPayment reminder fee applies" + sums:                             KindInvoice,
		"Holz GmbH\n\nRechnung Nr. 88-1 vom 05.03.2026\nAngebot Nr. A-12\n" + sums:                                                                KindInvoice,
		"Werk GmbH\n\nRechnungskorrektur Nr. K-5 vom 05.03.2026\nzur Rechnung Nr. 88-1\nNetto: -100,00\nMwSt 19 %: -19,00\nGesamt: -119,00 EUR\n": KindCreditNote,
		"Oak Ltd\n\nDelivery note 12\n\nINVOICE OS-471\nInvoice number: OS-471\nInvoice date: 5 March 2026" + sums:                                KindInvoice,
	} {
		content := extract(t, []byte(text), Text)
		kind2, _ := Classify(content)
		if kind2 == KindNote { // without the title nothing calls it an invoice
			kind2 = KindDocument
		} else if said := strings.Join(content.Warnings, "; "); (kind2 == KindDocument) != strings.Contains(said, "no invoice") {
			t.Errorf("%.60q: said %q", text, said)
		}
		if kind2 != kind {
			t.Errorf("%.60q is a %s, want %s", text, kind2, kind)
		}
	}
}
