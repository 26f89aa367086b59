package bank

import "testing"

func TestTheAccountItselfIsToldFromTheOtherSide(t *testing.T) {
	for name, test := range map[string]struct {
		head                    []string
		above                   [][]string
		cells                   []string // of the first three columns
		account, iban, opposite string
	}{
		"a number beside that of its branch":      {[]string{"Clearingnummer", "Kontonummer", "Produkt"}, nil, []string{"82149", "9031234567", "Företagskonto"}, "9031234567", "", ""},
		"a number that stands alone":              {[]string{"Referens", "Kontonummer", "Produkt"}, nil, []string{"A-1", "9031234567", "Företagskonto"}, "", "", "9031234567"},
		"a number beside the name of the account": {[]string{"Account Name", "Account Number", "Produkt"}, nil, []string{"ROE A", "601234-12345678", "x"}, "601234-12345678", "", ""},
		"a formula above the list":                {[]string{"Referens", "Kategori", "Produkt"}, [][]string{{"Konto:", `="CH9300762011623852957"`}}, []string{"A-1", "x", "y"}, "", "CH9300762011623852957", ""},
		"a formula of a number above it":          {[]string{"Referens", "Kategori", "Produkt"}, [][]string{{"Konto:", `="12-3456-7"`}}, []string{"A-1", "x", "y"}, "12-3456-7", "", ""},
		"a number with the currency behind it":    {[]string{"Referens", "Kategori", "Produkt"}, [][]string{{"Compte", "00123456789 EUR"}}, []string{"A-1", "x", "y"}, "00123456789", "", ""},
		"a formula in each row":                   {[]string{"Clearingnummer", "Kontonummer", "Produkt"}, nil, []string{`="82149"`, `="9031234567"`, "x"}, "9031234567", "", ""},
	} {
		head := append(append([]string{}, test.head...), "Bokföringsdag", "Beskrivning", "Belopp", "Bokfört saldo")
		row := func(rest ...string) []string { return append(append([]string{}, test.cells...), rest...) }
		statement, why, ok := ReadMovements(Table{Names: head, Header: head, Above: test.above, Whole: true, Rows: [][]string{
			row("2025-03-28", "Telia faktura", "-499.00", "10501.00"), row("2025-03-25", "Insättning av kund", "1000.00", "11000.00"), row("2025-03-24", "Hyra för mars", "-10.00", "10000.00"),
		}})
		if !ok {
			t.Errorf("%s: not read: %s", name, why)
			continue
		}
		fields := statement.Movements[0].Fields
		if statement.Fields.text(AccountNumber) != test.account || statement.Fields.text(AccountIBAN) != test.iban || fields.text(CounterpartyAccount) != test.opposite {
			t.Errorf("%s: account %q, IBAN %q, other side %q", name, statement.Fields.text(AccountNumber), statement.Fields.text(AccountIBAN), fields.text(CounterpartyAccount))
		}
	}
}
