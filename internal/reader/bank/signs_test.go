package bank

import (
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// tableOf is a list of CSV, its head in the first row.
func tableOf(t *testing.T, text string) Table {
	t.Helper()
	source := csv.NewReader(strings.NewReader(text))
	if strings.Contains(text, ";") {
		source.Comma = ';'
	}
	rows, err := source.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return Table{Names: rows[0], Header: rows[0], Rows: rows[1:], Whole: true}
}

// fieldOf are the values of one field of all movements, divided by blanks; the reason where
// the table is not read.
func fieldOf(statement Statement, why string, name string) string {
	if why != "" {
		return why
	}
	var values []string
	for _, movement := range statement.Movements {
		values = append(values, fmt.Sprint(movement.Fields[name]))
	}
	return strings.Join(values, " ")
}

var signCases = []struct{ name, table, want string }{
	{"an account that pays a card and thanks nobody", "Date,Description,Amount\n2025-03-01,Wages of Larch Ltd,2100.00\n2025-03-04,VISA AUTOPAY,-410.00\n2025-03-28,Wages of Larch Ltd,2100.00\n", "2100 -410 2100"},
	{"a shop called Thank You", "Fecha;Concepto;Importe\n01/03/2025;NOMINA MARZO;1800,00\n15/03/2025;THANK YOU FLOWERS MADRID;-22,00\n30/03/2025;NOMINA ABRIL;1800,00\n", "1800 -22 1800"},
	{"a card by its kinds and its holder", "Date,Cardholder,Details,Type,Amount\n2025-03-01,A Roe,GREEN GROCER,Purchase,18.20\n2025-03-02,A Roe,BANK TRANSFER,Payment,-90.00\n", "-18.2 90"},
	{"a card by its thanks and its holder, with a refund", "Date,Description,Card Holder,Amount\n2025-03-01,GREEN GROCER,A ROE,18.20\n2025-03-02,GREEN GROCER RETURN,A ROE,-3.10\n2025-03-03,PAYMENT RECEIVED - THANK YOU,A ROE,-90.00\n", "-18.2 3.1 90"},
	{"a card whose purchases have a minus", "Date,Description,Type,Amount\n2025-03-01,GREEN GROCER,Purchase,-18.20\n2025-03-03,PAYMENT - THANK YOU,Payment,90.00\n", "-18.2 90"},
	{"thanks alone are no proof", "Date,Description,Amount\n2025-03-01,SOME INCOME HERE,18.20\n2025-03-03,LOAN PAYMENT - THANK YOU,-90.00\n", "whether purchases are positive or negative (18.20 is money in, or is -18.20)"},
	{"a payment received with a minus is one of a card, or not", "Date,Description,Amount\n2025-03-01,GREEN GROCER,18.20\n2025-03-03,PAYMENT RECEIVED,-90.00\n", "whether purchases are positive or negative"},
	{"a fee for a payment received", "Date,Description,Amount\n2025-03-01,WAGES OF MARCH,1800.00\n2025-03-03,PAYMENT RECEIVED REVERSAL FEE,-9.00\n", "1800 -9"},
	{"thanks for a payment received are a proof", "Date,Description,Amount\n2025-03-01,GREEN GROCER,18.20\n2025-03-03,PAYMENT RECEIVED - THANK YOU,-90.00\n", "-18.2 90"},
	{"most amounts come in, and nothing tells why", "Date,Description,Amount\n2025-03-01,GREEN GROCER,18.20\n2025-03-02,BOOK SHOP,7.00\n2025-03-03,ONLINE PMT,-90.00\n2025-03-04,TEA SHOP,3.10\n", "whether purchases are positive or negative (18.20 is money in, or is -18.20)"},
	{"most amounts come in, as income does", "Date,Description,Amount\n2025-03-01,DONATION OF ANN,18.20\n2025-03-02,DONATION OF BOB,7.00\n2025-03-03,RENT OF THE HALL,-90.00\n2025-03-04,DONATION OF CARL,3.10\n", "18.2 7 -90 3.1"},
	{"most amounts come in, from accounts of others", "Date;Name;Counterparty IBAN;Amount\n2025-03-01;Ann;DE89370400440532013000;18,20\n2025-03-02;Bob;GB82WEST12345698765432;7,00\n2025-03-03;Hall;DE89370400440532013000;-90,00\n2025-03-04;Carl;GB82WEST12345698765432;3,10\n", "18.2 7 -90 3.1"},
	{"a name of a card alone is no proof", "Date,Description,Card Member,Amount\n2025-03-01,GREEN GROCER,A ROE,18.20\n2025-03-03,TRANSFER FROM BANK,A ROE,-90.00\n", "whether purchases are positive or negative"},
	{"a kind that is a side", "Boekdatum;Rentedatum;Type;Omschrijving;Bedrag\n01-03-2025;01-03-2025;Af;Huur van maart;700,00\n14-03-2025;14-03-2025;Bij;Loon van maart;2.000,00\n", "-700 2000"},
	{"a kind that is a side beside signs", "Booking Date,Value Date,Type,Description,Amount\n2025-03-01,2025-03-01,Debit,Rent of March,-700.00\n2025-03-14,2025-03-14,Credit,Wages of March,2000.00\n", "-700 2000"},
	{"a side and a reversal of what comes in", "Datum;Text;S/H;Umsatz\n01.03.2025;Miete für März;S;700,00\n14.03.2025;Lohn für März;H;2.000,00\n15.03.2025;Storno vom Lohn;H;-2.000,00\n", "-700 2000 -2000"},
	{"a side and a reversal of what goes out", "Datum;Text;S/H;Umsatz\n01.03.2025;Miete für März;S;700,00\n02.03.2025;Strom und Gas;S;90,00\n15.03.2025;Storno vom Strom;S;-90,00\n", "-700 -90 90"},
	{"a side whose amounts cancel out", "Datum;Text;S/H;Umsatz\n01.03.2025;Miete für März;S;700,00\n15.03.2025;Storno der Miete;S;-700,00\n", "(700.00 is money in, or is -700.00)"},
	{"a side seen from the card", "Date,Text,D/C,Amount\n2025-03-01,Green grocer,D,18.20\n2025-03-02,From the bank,C,-90.00\n", "-18.2 90"},
	{"only amounts without signs", "Date,Value date,Description,Amount\n2025-03-01,2025-03-01,Green grocer,18.20\n", "its amounts have no signs and nothing tells what goes out (18.20 is money in, or is -18.20)"},
	{"money out with a minus, and a refund", "Date,Description,Withdrawals,Deposits\n2025-03-01,Rent of March,-700.00,\n2025-03-02,Fee given back,3.00,\n2025-03-14,Wages of March,,2000.00\n", "-700 3 2000"},
	{"money out without a sign, and a refund", "Date,Description,Withdrawals,Deposits\n2025-03-01,Rent of March,700.00,\n2025-03-02,Fee given back,-3.00,\n2025-03-14,Wages of March,,2000.00\n", "-700 3 2000"},
	{"money out that cancels out", "Date,Description,Withdrawals,Deposits\n2025-03-01,Rent of March,-700.00,\n2025-03-02,Rent again,700.00,\n2025-03-14,Wages of March,,2000.00\n", "is money in, or is -700.00"},
	{"balances tell what goes out where all does", "Date,Details,Amount,Balance\n2025-03-01,Green grocer,5.00,95.00\n2025-03-02,Green grocer,7.00,88.00\n2025-03-03,Green grocer,9.00,79.00\n", "<nil> -7 -9"},
	{"balances win over thanks", "Date,Description,Amount,Balance\n2025-03-01,SOME INCOME,18.20,118.20\n2025-03-02,MORE INCOME,10.00,128.20\n2025-03-03,LOAN PAYMENT - THANK YOU,-90.00,38.20\n", "18.2 10 -90"},
	{"columns of money out and in beside what is owed", "Date,Description,Card Holder,Debit,Credit,Balance\n2025-03-01,GREEN GROCER,A ROE,18.20,,118.20\n2025-03-02,BOOK SHOP,A ROE,10.00,,128.20\n2025-03-03,BANK TRANSFER,A ROE,,90.00,38.20\n", "-18.2 -10 90"},
	{"books, or a card that nothing names", "Date,Source,Description,Debit,Credit,Running Balance\n2025-03-01,Spend Money,GREEN GROCER,0.00,12.50,987.50\n2025-03-13,Receive Money,BOB,2000.00,0.00,2987.50\n", "its balances rise with what it calls money out"},
	{"only purchases beside what is owed", "Date,Description,Card Holder,Debit,Credit,Balance\n2025-03-01,GREEN GROCER,A ROE,18.20,,118.20\n2025-03-02,BOOK SHOP,A ROE,10.00,,128.20\n2025-03-03,TEA SHOP,A ROE,3.00,,131.20\n", "-18.2 -10 -3"},
	{"purchases with a minus beside what is owed", "Date,Description,Amount,Balance\n2025-03-01,GREEN GROCER,-18.20,118.20\n2025-03-02,BOOK SHOP,-10.00,128.20\n2025-03-03,BANK TRANSFER,90.00,38.20\n", "-18.2 -10 90"},
	{"balances of a card may be what is owed", "Date,Description,Card Member,Amount,Balance\n2025-03-01,GREEN GROCER,A ROE,18.20,118.20\n2025-03-02,BOOK SHOP,A ROE,10.00,128.20\n2025-03-03,PAYMENT - THANK YOU,A ROE,-90.00,38.20\n", "whether its balances are what is owed (18.20 is money in, or is -18.20)"},
	{"a payee beside money out and in", "Date,Payee,Debit,Credit\n2025-03-01,GREEN GROCER,18.20,\n2025-03-02,Larch Ltd,,900.00\n", "-18.2 900"},
}

func TestSignsAreToldByTheListOrNotAtAll(t *testing.T) {
	for _, test := range signCases {
		statement, why, _ := ReadMovements(tableOf(t, test.table))
		if got := fieldOf(statement, why, Amount); got != test.want && (why == "" || !strings.Contains(why, test.want)) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// A list without balances says the same in whatever order its rows stand.
func TestTheOrderOfTheRowsChangesNoSign(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, test := range signCases {
		table := tableOf(t, test.table)
		if slices.Contains(table.Header, "Balance") {
			continue
		}
		sorted := func() string {
			statement, why, _ := ReadMovements(table)
			if why != "" {
				return "not read"
			}
			amounts := strings.Fields(fieldOf(statement, why, Amount))
			slices.Sort(amounts)
			return strings.Join(amounts, " ")
		}
		want := sorted()
		for range 5 {
			random.Shuffle(len(table.Rows), func(i, j int) { table.Rows[i], table.Rows[j] = table.Rows[j], table.Rows[i] })
			if got := sorted(); got != want {
				t.Errorf("%s: %q in another order, want %q", test.name, got, want)
			}
		}
	}
}

// Whatever way a bank writes its amounts, those from which the balances follow are read: they
// lead from each balance to the next.
func TestAmountsLeadFromOneBalanceToTheNext(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		head, lines, balance := "Date,Details,Amount,Balance", []string{}, 100_000
		way, latest := random.IntN(4), random.IntN(2) == 0
		for day := 1; day <= 3+random.IntN(12); day++ {
			amount := random.IntN(20_000) - 10_000
			if amount == 0 {
				amount = 1
			}
			balance += amount
			cells := fmt.Sprintf("%.2f", float64(amount)/100)
			switch plain := fmt.Sprintf("%.2f", float64(max(amount, -amount))/100); {
			case way == 1:
				cells = plain
			case way == 2 && amount < 0:
				head, cells = "Date,Details,Debit,Credit,Balance", plain+","
			case way == 2:
				head, cells = "Date,Details,Debit,Credit,Balance", ","+plain
			case way == 3 && amount < 0:
				head, cells = "Date,Details,Side,Amount,Balance", "D,"+plain
			case way == 3:
				head, cells = "Date,Details,Side,Amount,Balance", "C,"+plain
			}
			lines = append(lines, fmt.Sprintf("2025-03-%02d,Some thing,%s,%.2f", day, cells, float64(balance)/100))
		}
		if latest {
			slices.Reverse(lines)
		}
		text := head + "\n" + strings.Join(lines, "\n") + "\n"
		statement, why, ok := ReadMovements(tableOf(t, text))
		if !ok {
			t.Fatalf("not read: %s\n%s", why, text)
		}
		if latest {
			slices.Reverse(statement.Movements)
		}
		before, _ := statement.Movements[0].Fields.number(Balance)
		for _, movement := range statement.Movements[1:] {
			amount, known := movement.Fields.number(Amount)
			after, _ := movement.Fields.number(Balance)
			if !known || toTenThousandths(before)+toTenThousandths(amount) != toTenThousandths(after) {
				t.Fatalf("%v and %v do not make %v in\n%s", before, amount, after, text)
			}
			before = after
		}
	}
}

func TestAListIsReadOrTheReasonIsSaid(t *testing.T) {
	rows := func(text string) Table {
		table := tableOf(t, text)
		table.Header, table.Rows = nil, append([][]string{table.Names}, table.Rows...)
		table.Names = []string{"one", "two", "three", "four"}[:len(table.Rows[0])]
		return table
	}
	for _, test := range []struct {
		name  string
		table Table
		want  string
	}{
		{"a description of one word, under a name that is none", tableOf(t, "booked-on;what;amount\n2025-03-01;Bakery;-4,10\n2025-03-02;Wages;900,00\n"), "-4.1 900"},
		{"a note of one word", tableOf(t, "Datetime,Note,Amount (total),Amount (fee)\n2025-03-01T08:00:00,lunch,- $9.00,\n2025-03-02T08:00:00,rent,+ $700.00,\n"), "-9 700"},
		{"no head, and two columns that may be the amount", rows("2025-03-01;Miete im März;-700,00;11,00\n2025-03-02;Lohn im März;900,00;12,00\n2025-03-03;Brot vom Markt;-4,00;13,00\n"), "which of its columns is the amount cannot be told"},
		{"no head, and texts of one word", rows("2025-03-01;Miete;-700,00\n2025-03-02;Lohn;900,00\n"), "it has no names of columns that tell"},
		{"a head of a list of something else", tableOf(t, "Date,City,Change\n2025-03-01,Bonn,-1.25\n2025-03-02,Rome,2.50\n"), ""},
	} {
		statement, why, _ := ReadMovements(test.table)
		if got := fieldOf(statement, why, Amount); got != test.want && (why == "" || !strings.Contains(why, test.want)) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
