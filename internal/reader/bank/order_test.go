package bank

import (
	"fmt"
	"strings"
	"testing"
)

func TestASortCodeSaysThatTheDayStandsFirst(t *testing.T) {
	for _, test := range []struct{ above, head, number, want string }{
		{"", "Sort Code", "'30-90-89", "2025-03-05"},
		{"Sort Code: 30-90-89", "Branch", "x", "2025-03-05"},
		{"", "Branch", "'30-90-89", "05/03/2025"},
	} {
		head := []string{"Transaction Date", test.head, "Transaction Description", "Debit Amount", "Credit Amount", "Balance"}
		statement, why, ok := ReadMovements(Table{Names: head, Header: head, Whole: true, Above: [][]string{{test.above}}, Rows: [][]string{
			{"05/03/2025", test.number, "BRITISH GAS", "120.50", "", "3379.50"},
			{"04/03/2025", test.number, "SMITH INV 5521", "", "1500.00", "3500.00"},
			{"03/03/2025", test.number, "TESCO STORES", "45.20", "", "2000.00"},
		}})
		if !ok || statement.Movements[0].Fields[Date] != test.want {
			t.Errorf("%q %q: %v %s %v, want %s", test.above, test.head, ok, why, statement.Movements, test.want)
		}
		if said := fmt.Sprint(statement.Warnings); strings.Contains(said, "day or the month first") != (test.want == "05/03/2025") {
			t.Errorf("%q %q: warned of %s", test.above, test.head, said)
		}
	}
}

func TestBalancesBeforeMovementsBecomeThoseBehind(t *testing.T) {
	for _, test := range []struct{ name, table string }{
		{"the oldest first", "02-03-2026,9.00,-1.00,Tea shop\n03-03-2026,8.00,-2.00,Book shop\n04-03-2026,6.00,5.00,Wages\n"},
		{"the latest first", "2026-03-04,6.00,5.00,Wages\n2026-03-03,8.00,-2.00,Book shop\n2026-03-02,9.00,-1.00,Tea shop\n"},
	} {
		rows := tableOf(t, test.table)
		statement, why, ok := ReadMovements(Table{Names: []string{"1", "2", "3", "4"}, Rows: append([][]string{rows.Header}, rows.Rows...), Whole: true})
		if !ok {
			t.Errorf("%s: not read: %s", test.name, why)
			continue
		}
		if fields := statement.Fields; fields[OpeningBalance] != 9.0 || fields[ClosingBalance] != 11.0 {
			t.Errorf("%s: from %v to %v", test.name, fields[OpeningBalance], fields[ClosingBalance])
		}
	}
}
