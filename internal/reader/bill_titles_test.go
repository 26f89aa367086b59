package reader

import "testing"

func TestTitlesThatSayOfWhatTheBillIs(t *testing.T) {
	for text, want := range map[string]string{
		"Your water and wastewater bill\nDate of this bill: 14 January 2026\nTotal to pay £208.27\n":                          KindInvoice,
		"ACME BEARING CO.        CREDIT      MEMO\nMEMO NO.  CM0144471\nTOTAL  469.12-\nSold to: Elevator Inc\nTax  31.71-\n": KindCreditNote,
	} {
		if kind, _ := Classify(extract(t, []byte(text), Text)); kind != want {
			t.Errorf("%q is %s, want %s", text, kind, want)
		}
	}
}
