package bank

import (
	"strings"
	"testing"
)

func TestLinesAroundAListStateItsBalances(t *testing.T) {
	const list = "Datum;Text;Betrag\n02.03.2026;Tee im Laden;-1,00\n14.03.2026;Lohn vom Werk;5,00\n"
	for _, test := range []struct {
		name, above      string
		opening, closing any
	}{
		{"both balances by words that are combined", "Saldo contabile iniziale al 01/03/2026;10,00\nSaldo contabile finale al 31/03/2026;14,00\n", 10.0, 14.0},
		{"one cell with its day and amount", "Solde au 14/03/2026 14,00 €;\n", nil, 14.0},
		{"a balance of the last day", "Kontostand vom 14.03.2026:;14,00 EUR\n", nil, 14.0},
		{"a balance of a day before the last movement", "Kontostand vom 13.03.2026:;9,00 EUR\n", nil, nil},
		{"a balance behind the period", "Zeitraum;01.03.2026 - 15.03.2026\nKontostand vom 16.03.2026:;99,00 EUR\n", nil, nil},
		{"what may be spent", "Saldo disponible;99,00 EUR\n", nil, nil},
	} {
		table := tableOf(t, list)
		for line := range strings.Lines(test.above) {
			table.Above = append(table.Above, strings.Split(strings.TrimSpace(line), ";"))
		}
		statement, why, ok := Movements(table)
		if !ok || statement.Fields[OpeningBalance] != test.opening || statement.Fields[ClosingBalance] != test.closing {
			t.Errorf("%s: %v, %q", test.name, statement.Fields, why)
		}
	}
}
