package bank

import (
	"fmt"
	"strings"
	"testing"
)

func TestRowsThatMovedNoMoneyAreNoMovements(t *testing.T) {
	head := []string{"Date", "Description", "Amount", "Currency", "Balance", "Status"}
	row := func(day, text, amount, balance, state string) []string {
		return []string{day, text, amount, "EUR", balance, state}
	}
	for _, test := range []struct {
		state   string
		count   int
		pending int
	}{
		{"REVERTED", 2, 0}, {"FAILED", 2, 0}, {"Declined", 2, 0}, {"Afvist", 2, 0}, {"Cancelled", 2, 0}, {"refused", 2, 0}, {"abgelehnt", 2, 0},
		{"Zurückgewiesen", 2, 0}, {"Refusée", 2, 0}, {"Rechazada", 2, 0}, {"Rifiutata", 2, 0}, {"Geannuleerd", 2, 0}, {"Hylätty", 2, 0},
		{"Odrzucony", 2, 0}, {"Avslått", 2, 0}, {"Zrušeno", 2, 0}, {"Recusado", 2, 0}, {"Elutasított", 2, 0}, {"Отменено", 2, 0},
		{"PENDING", 3, 1}, {"Venter", 3, 1}, {"Authorised", 3, 1}, {"À venir", 3, 1}, {"W toku", 3, 1}, {"In Bearbeitung", 3, 1},
		{"COMPLETED", 3, 0}, {"Udført", 3, 0}, {"Settled", 3, 0},
	} {
		table := Table{Names: head, Header: head, Whole: true, Rows: [][]string{
			row("2025-03-28", "Grocer", "-10.00", "75.00", "Done"),
			row("2025-03-27", "Uber UB-15", "-15.00", "", test.state),
			row("2025-03-26", "Baker", "-5.00", "85.00", "Done"),
		}}
		statement, why, ok := ReadMovements(table)
		if !ok || len(statement.Movements) != test.count || countPending(statement) != test.pending {
			t.Errorf("%s: %d movements, %d pending, %v %s", test.state, len(statement.Movements), countPending(statement), ok, why)
		}
		said := strings.Join(statement.Warnings, "; ")
		if strings.Contains(said, "1 rows say that they moved no money") != (test.count == 2) || strings.Contains(said, "1 movements are still to come") != (test.pending == 1) {
			t.Errorf("%s: warned of %s", test.state, said)
		}
		if other := fmt.Sprint(statement.Other); strings.Contains(other, "Uber UB-15") != (test.count == 2) {
			t.Errorf("%s: the row is not among the other lines: %s", test.state, other)
		}
	}
}

func TestATableOfVoidRowsAloneIsNoList(t *testing.T) {
	head := []string{"Date", "Description", "Amount", "Currency", "Status"}
	_, why, ok := ReadMovements(Table{Names: head, Header: head, Whole: true, Rows: [][]string{{"2025-03-03", "Uber UB-16", "-16.00", "EUR", "FAILED"}}})
	if ok || !strings.Contains(why, "moved no money") {
		t.Errorf("read: %v, %q", ok, why)
	}
}

// countPending returns how many movements are in no balance yet.
func countPending(statement Statement) (count int) {
	for _, movement := range statement.Movements {
		if movement.Pending {
			count++
		}
	}
	return count
}
