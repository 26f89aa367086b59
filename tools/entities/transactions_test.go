package entities

import (
	"fmt"
	"strings"
	"testing"

	"toolkit/internal/storetest"
)

const bankHead = "Date,Description,Amount,Balance\n"

// bankRows are rows of an account of which 1000 was there before.
func bankRows(amounts ...float64) string {
	var rows strings.Builder
	balance := 1000.0
	for index, amount := range amounts {
		balance += amount
		fmt.Fprintf(&rows, "2026-03-%02d,Coffee at the corner,%.2f,%.2f\n", 1+index/2, amount, balance)
	}
	return rows.String()
}

func TestAnAccountExportedAgainAddsItsNewMovementsOnly(t *testing.T) {
	storetest.SkipUnlessSQLite(t, "files beside it")
	b := newBench(t)
	first := b.upload("march.csv", bankHead+bankRows(-2.5, -2.5, -10))
	same(t, "what it is", []any{record(first)["type"], properties(first)["document_type"], first["item_count"]}, []any{"FinancialRecord", "statement", 3})
	same(t, "balances", []any{properties(first)["opening_balance"], properties(first)["closing_balance"]}, []any{1000, 985})
	transactions := func() any { return b.Call(retrieveName, args{"type": "transaction", "limit": 100})["total"] }
	entityList := func() any { return b.Call(findName, args{"type": "transaction"})["total"] }
	same(t, "two equal movements of a day are two", []any{transactions(), entityList()}, []any{3, 3})

	again := b.upload("april.csv", bankHead+bankRows(-2.5, -2.5, -10, -10, 30))
	same(t, "new movements only", []any{again["item_count"], transactions(), entityList()}, []any{2, 5, 5})
	same(t, "said", strings.Contains(fmt.Sprint(again["warnings"]), "3 of 5 transactions are known from another file and were not added again"), true)
	b.rebuild()

	b.Call(deleteName, args{"id": record(first)["id"]})
	same(t, "the other file says them still", []any{transactions(), entityList()}, []any{5, 5})
	same(t, "only its bytes are kept", len(b.blobs()), 1)
	b.Call(deleteName, args{"id": record(again)["id"]})
	same(t, "nothing says them any more", []any{transactions(), entityList(), len(b.blobs())}, []any{0, 0, 0})
}

func TestATransactionIsKnownByTheIdOfItsBank(t *testing.T) {
	b := newBench(t)
	ofx := func(fitids ...string) string {
		var text strings.Builder
		text.WriteString("OFXHEADER:100\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>EUR<BANKACCTFROM><ACCTID>DE89370400440532013000</BANKACCTFROM><BANKTRANLIST>")
		for index, id := range fitids {
			fmt.Fprintf(&text, "<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>2026030%d<TRNAMT>-5.00<FITID>%s<NAME>Corner Coffee GmbH<MEMO>cup</STMTTRN>\n", index+1, id)
		}
		return text.String() + "</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>"
	}
	one := b.upload("a.ofx", ofx("A", "B"))
	same(t, "an account", properties(one)["iban"], "DE89370400440532013000")
	found := b.Call(retrieveName, args{"type": "transaction", "properties": args{"transaction_id": "A"}})["records"].([]any)[0].(args)["properties"].(args)
	same(t, "a movement", []any{found["amount"], found["counterparty"], found["date"], found["account"]}, []any{-5, "Corner Coffee GmbH", "2026-03-01", "DE89370400440532013000"})
	same(t, "where it stands", found["field_sources"].(args)["amount"], args{"page": 1, "line": 3})
	same(t, "a company", b.Call(findName, args{"type": "company", "name": "Corner Coffee GmbH"})["total"], 1)
	b.upload("b.ofx", ofx("A", "B", "C"))
	same(t, "an id is one movement", b.Call(retrieveName, args{"type": "transaction"})["total"], 3)
	b.upload("c.ofx", ofx("D", "D"))
	same(t, "an id of two movements tells none apart", b.Call(retrieveName, args{"type": "transaction"})["total"], 5)
	b.rebuild()
}

func TestTransactionsOfOneIDDifferByDayAndAmount(t *testing.T) {
	const head = "Date,ID,Description,Amount\n"
	for _, test := range []struct {
		name, first, second string
		total               int
		warning             string
	}{
		{"an id that restarts in each file", head + "2025-01-03,1,Green grocer in town,-4.00\n2025-01-04,2,Book shop in town,-6.00\n", head + "2025-02-03,1,Tea house in town,-8.00\n2025-02-04,2,Inn at the lake,-9.00\n", 4, "2 transactions have the id of another one with another day or amount, and both are kept"},
		{"the same movement once more", head + "2025-01-03,1,Green grocer in town,-4.00\n", head + "2025-01-03,1,Green grocer in town,-4.00\n2025-01-04,2,Book shop in town,-6.00\n", 2, "1 of 2 transactions are known from another file"},
		{"a description that the bank adds to", head + "2025-01-03,7001,Green grocer,-4.00\n", head + "2025-01-03,7001,Green grocer in town,-4.00\n", 1, "1 of 1 transactions are known from another file"},
		{"an amount that the bank corrects", head + "2025-01-03,7001,Green grocer in town,-4.00\n", head + "2025-01-03,7001,Green grocer in town,-4.50\n", 2, "7001: 2025-01-03 -4, and now 2025-01-03 -4.5"},
		{"an id that says nothing", head + "2025-01-03,NOTPROVIDED,Green grocer in town,-4.00\n", head + "2025-02-03,NOTPROVIDED,Tea house in town,-8.00\n", 2, ""},
		{"an equal movement where no account is named", "Date,Description,Amount\n2025-01-31,Monthly account fee,-5.00\n2025-01-15,Rent of the one,-500.00\n", "Date,Description,Amount\n2025-01-31,Monthly account fee,-5.00\n2025-01-20,Shop of the other,-50.00\n", 3, "equal ones of another account are not told apart, since the file names no account"},
		{"a day that the second file decides", "Date,Description,Amount,Balance\n05/03/2025,Gas of the house,-20.00,80.00\n04/03/2025,Wages of Ann,50.00,100.00\n", "Date,Description,Amount,Balance\n13/03/2025,Book shop in town,-10.00,70.00\n05/03/2025,Gas of the house,-20.00,80.00\n04/03/2025,Wages of Ann,50.00,100.00\n", 3, "2 of 3 transactions are known from another file"},
		{"a day that the second file leaves open", "Date,Description,Amount,Balance\n13/03/2025,Book shop in town,-10.00,70.00\n05/03/2025,Gas of the house,-20.00,80.00\n04/03/2025,Wages of Ann,50.00,100.00\n", "Date,Description,Amount,Balance\n05/03/2025,Gas of the house,-20.00,80.00\n04/03/2025,Wages of Ann,50.00,100.00\n", 3, "2 of 2 transactions are known from another file"},
		{"an open day with another balance", "Date,Description,Amount,Balance\n05/03/2025,Gas of the house,-20.00,80.00\n04/03/2025,Wages of Ann,50.00,100.00\n", "Date,Description,Amount,Balance\n13/03/2025,Book shop in town,-10.00,60.00\n05/03/2025,Gas of the house,-20.00,70.00\n04/03/2025,Wages of Ann,50.00,90.00\n", 5, ""},
		{"an id of noughts", head + "2025-01-03,0,Green grocer in town,-4.00\n", head + "2025-02-03,0,Green grocer in town,-4.00\n", 2, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := newBench(t)
			b.upload("a.csv", test.first)
			said := fmt.Sprint(b.upload("b.csv", test.second)["warnings"])
			same(t, "movements", b.Call(retrieveName, args{"type": "transaction", "limit": 100})["total"], test.total)
			same(t, "entities", b.Call(findName, args{"type": "transaction"})["total"], test.total)
			same(t, "said "+said, strings.Contains(said, test.warning) && (test.warning != "" || !strings.Contains(said, "transactions")), true)
			b.rebuild()
		})
	}
}

func TestAPendingMovementIsBookedByALaterFile(t *testing.T) {
	const head = "Date,Description,Amount,Status,Transaction ID\n"
	const cup = "2025-03-01,Coffee House,-4.50,Completed,T1\n"
	for _, test := range []struct {
		name, first, second string
		total               int
		status, date        string
		amount              any
	}{
		{"the same row, booked", head + cup + "2025-03-03,Book Shop,-20.00,Pending,T2\n", head + cup + "2025-03-03,Book Shop,-20.00,Completed,T2\n", 2, "Completed", "2025-03-03", -20},
		{"on another day", head + cup + "2025-03-03,Book Shop,-20.00,Pending,T2\n", head + cup + "2025-03-05,Book Shop,-20.00,Completed,T2\n", 2, "Completed", "2025-03-05", -20},
		{"with another amount", head + cup + "2025-03-03,Book Shop,-20.00,Pending,T2\n", head + cup + "2025-03-03,Book Shop,-21.50,Completed,T2\n", 2, "Completed", "2025-03-03", -21.5},
		{"in a file without states", head + cup + "2025-03-03,Book Shop,-20.00,Pending,T2\n", "Date,Description,Amount,Transaction ID\n2025-03-01,Coffee House,-4.50,T1\n2025-03-03,Book Shop,-20.00,T2\n", 2, "booked", "2025-03-03", -20},
		{"pending still", head + cup + "2025-03-03,Book Shop,-20.00,Pending,T2\n", head + cup + "2025-03-03,Book Shop,-20.00,Pending,T2\n2025-03-05,Bakery,-3.00,Completed,T3\n", 3, "Pending", "2025-03-03", -20},
		{"the files the other way round", head + cup + "2025-03-03,Book Shop,-20.00,Completed,T2\n", head + cup + "2025-03-03,Book Shop,-20.00,Pending,T2\n", 2, "Completed", "2025-03-03", -20},
		{"another movement of the id", head + cup + "2025-03-03,Book Shop,-20.00,Pending,T2\n", head + cup + "2025-04-03,Tea House,-8.00,Completed,T2\n", 3, "Pending", "2025-03-03", -20},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := newBench(t)
			b.upload("a.csv", test.first)
			b.upload("b.csv", test.second)
			all := b.Call(retrieveName, args{"type": "transaction", "limit": 100})
			same(t, "movements", all["total"], test.total)
			found := b.Call(retrieveName, args{"type": "transaction", "properties": args{"transaction_id": "T2", "description": "Book Shop"}})["records"].([]any)[0].(args)["properties"].(args)
			same(t, "what it is now", []any{found["status"], found["date"], found["amount"]}, []any{test.status, test.date, test.amount})
			b.rebuild()
		})
	}
}
