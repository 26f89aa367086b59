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
		statement, why, ok := ReadMovements(table)
		if !ok || statement.Fields[OpeningBalance] != test.opening || statement.Fields[ClosingBalance] != test.closing {
			t.Errorf("%s: %v, %q", test.name, statement.Fields, why)
		}
	}
}

func TestBalancesAroundAListTellItsSigns(t *testing.T) {
	for _, test := range []struct{ name, above, list, want string }{
		{"amounts seen from the other side", "Opening balance;-100,00\nClosing balance;-38,20\n", "Date;Text;Amount\n2026-03-02;Green grocer;18,20\n2026-03-03;Book shop;10,00\n2026-03-04;Payment received - thank you;-90,00\n", "-18.2 -10 90"},
		{"a debt as a balance below nought", "Opening balance;-100,00\nClosing balance;-28,20\n", "Date;Text;Amount\n2026-03-02;Green grocer;1,00\n2026-03-03;Book shop;0,80\n2026-03-04;Tea shop;80,00\n2026-03-05;From Ann;-10,00\n", "1 0.8 80 -10"},
		{"balances that may be owed", "Opening balance;100,00\nClosing balance;171,80\n", "Date;Text;Amount\n2026-03-02;Green grocer;1,00\n2026-03-03;Book shop;0,80\n2026-03-04;Tea shop;80,00\n2026-03-05;From Ann;-10,00\n", "whether purchases are positive or negative"},
	} {
		table := tableOf(t, test.list)
		for line := range strings.Lines(test.above) {
			table.Above = append(table.Above, strings.Split(strings.TrimSpace(line), ";"))
		}
		statement, why, _ := ReadMovements(table)
		if got := fieldOf(statement, why, Amount); got != test.want && (why == "" || !strings.Contains(why, test.want)) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestABalanceInARowIsNoughtOnlyWhereAllItsAmountsAre(t *testing.T) {
	for balance, want := range map[string]float64{"0.00,12.00": 12, "0.00,0.00": 0} {
		table := tableOf(t, "Date,Text,Money out,Money in\n2026-03-01,Opening balance,"+balance+"\n2026-03-02,Tea shop of Ann,1.00,0.00\n2026-03-14,Wages of March,0.00,5.00\n")
		statement, why, ok := ReadMovements(table)
		if got, known := statement.Fields.number(OpeningBalance); !ok || !known || got != want || len(statement.Movements) != 2 {
			t.Errorf("%s: opening balance %v, want %v; %s", balance, got, want, why)
		}
	}
}

func TestAnUnderscoreThatMarksATextIsNoPartOfANumber(t *testing.T) {
	for cell, want := range map[string]string{"_0012345": "0012345", "'0012345'": "0012345", "_ID_7": "_ID_7"} {
		if got := stripTextMarks(cell); got != want {
			t.Errorf("%q is %q, want %q", cell, got, want)
		}
	}
}

func TestADayWithoutAYearIsInTheNearestOne(t *testing.T) {
	for days, want := range map[[2]string]string{{"251230", "0102"}: "2026-01-02", {"260102", "1230"}: "2025-12-30", {"260210", "1230"}: "2025-12-30", {"250315", "0314"}: "2025-03-14", {"250230", "0301"}: "2025-03-01"} {
		if got := dayOfNearestYear(days[0], days[1]); got != want {
			t.Errorf("%v is %s, want %s", days, got, want)
		}
	}
}
