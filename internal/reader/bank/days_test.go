package bank

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"toolkit/internal/testenv"
)

func TestTheOrderOfDayAndMonthIsEvidentOrLeftOpen(t *testing.T) {
	for _, test := range []struct{ name, table, want, warning string }{
		{"three days that run by chance", "Date,Description,Amount\n02/03/2025,ANN SHOP,-1.00\n04/05/2025,ANN SHOP,-2.00\n02/06/2025,BEE SHOP,-3.00\n", "02/03/2025 04/05/2025 02/06/2025", "02/03/2025 is 2025-03-02 or 2025-02-03"},
		{"three days whose balances follow", "Date,Description,Amount,Balance\n05/01/2025,ANN SHOP,-1.00,9.00\n06/01/2025,ANN SHOP,-2.00,7.00\n01/02/2025,BEE SHOP,-3.00,4.00\n", "2025-01-05 2025-01-06 2025-02-01", ""},
		{"one day tells of all", "Date,Description,Amount\n02/03/2025,ANN SHOP,-1.00\n13/03/2025,BEE SHOP,-2.00\n", "2025-03-02 2025-03-13", ""},
		{"eight days that run", "Date,Description,Amount\n01/02/2025,A SHOP,-1.00\n01/03/2025,A SHOP,-1.00\n01/05/2025,A SHOP,-1.00\n01/06/2025,A SHOP,-1.00\n01/08/2025,A SHOP,-1.00\n01/09/2025,A SHOP,-1.00\n01/10/2025,A SHOP,-1.00\n02/01/2025,A SHOP,-1.00\n", "2025-01-02 2025-01-03 2025-01-05 2025-01-06 2025-01-08 2025-01-09 2025-01-10 2025-02-01", ""},
		{"the day of a balance tells of all", "Date,Description,Amount\n31/01/2025,Opening balance,10.00\n02/03/2025,ANN SHOP,-1.00\n05/03/2025,BEE SHOP,-2.00\n", "2025-03-02 2025-03-05", ""},
		{"days of digits, the year last", "Datum;Omschrijving;Bedrag\n02032025;Brood van de bakker;-1,00\n28032025;Loon van de zaak;2,00\n", "2025-03-02 2025-03-28", ""},
		{"days of digits that can be read in two ways", "Date;Description;Amount\n02032025;Bread of the baker;-1,00\n", "02/03/2025", "02/03/2025 is 2025-03-02 or 2025-02-03"},
	} {
		statement, why, _ := ReadMovements(tableOf(t, test.table))
		if got := fieldOf(statement, why, Date); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
		if all := strings.Join(statement.Warnings, "\n"); test.warning == "" && all != "" || !strings.Contains(all, test.warning) {
			t.Errorf("%s: warnings %q, want %q", test.name, all, test.warning)
		}
	}
}

// Days in any order are read as they were written, or left as they stand.
func TestNoDayIsReadWrongly(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	wrong, read := 0, 0
	for range testenv.Choose(200, 2000) {
		layout := []string{"02/01/2006", "01/02/2006"}[random.IntN(2)]
		var text strings.Builder
		text.WriteString("Date,Description,Amount\n")
		var want []string
		for range 1 + random.IntN(6) {
			day := time.Date(2025, time.Month(1+random.IntN(12)), 1+random.IntN(12), 0, 0, 0, 0, time.UTC)
			want = append(want, day.Format(time.DateOnly))
			fmt.Fprintf(&text, "%s,Some shop,-1.00\n", day.Format(layout))
		}
		statement, _, _ := ReadMovements(tableOf(t, text.String()))
		for index, movement := range statement.Movements {
			if got := movement.Fields.text(Date); !strings.Contains(got, "/") {
				read++
				if got != want[index] {
					wrong++
				}
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%d of %d days that were read are wrong", wrong, read)
	}
}
