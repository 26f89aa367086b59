package bank

import (
	"strings"
	"testing"
)

func TestSeparatorsAreDecidedByTheListOrItsCurrencyOrNotAtAll(t *testing.T) {
	for _, test := range []struct{ name, table, want string }{
		{"nothing decides", "Datum;Text;Betrag\n01.03.2025;Miete für März;-1.200\n02.03.2025;Lohn für März;3.400\n", "(-1.200 is -1200, or has three decimals)"},
		{"nothing decides between commas either", "Date,Text,Amount\n2025-03-01,Rent of March,\"-1,200\"\n2025-03-02,Wages of March,\"3,400\"\n", "(-1,200 is -1200, or has three decimals)"},
		{"a currency of the head has no three decimals", "Datum;Text;Betrag (CHF)\n01.03.2025;Miete für März;-1.200\n02.03.2025;Brot vom Markt;-7\n", "-1200 -7"},
		{"a column of currencies", "Date,Text,Amount,Currency\n2025-03-01,Rent of March,\"-1,200\",GBP\n2025-03-02,Wages of March,\"3,400\",GBP\n", "-1200 3400"},
		{"a currency that may have three", "Date,Text,Amount,Currency\n2025-03-01,Rent of March,-1.200,TND\n2025-03-02,Wages of March,3.400,TND\n", "has three decimals"},
		{"one that has more digits than thousands", "Date,Text,Amount,Currency\n2025-03-01,Rent of March,-1.200,BHD\n2025-03-02,Wages of March,3400.125,BHD\n", "-1.2 3400.125"},
		{"one that has both", "Datum;Text;Betrag\n01.03.2025;Miete für März;-1.200\n02.03.2025;Lohn für März;3.400,10\n", "-1200 3400.1"},
		{"the balances beside it", "Datum;Text;Betrag;Saldo\n01.03.2025;Miete für März;-1.200;800,50\n02.03.2025;Lohn für März;3.400;4.200,50\n", "-1200 3400"},
	} {
		statement, why, _ := ReadMovements(tableOf(t, test.table))
		if got := fieldOf(statement, why, Amount); got != test.want && (why == "" || !strings.Contains(why, test.want)) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
