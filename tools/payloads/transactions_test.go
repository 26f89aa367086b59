package payloads

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
	storetest.OnSQLite(t, "files beside it")
	b := newBench(t)
	first := b.upload("march.csv", bankHead+bankRows(-2.5, -2.5, -10))
	same(t, "what it is", []any{record(first)["type"], properties(first)["document_type"], first["item_count"]}, []any{"FinancialRecord", "statement", 3})
	same(t, "balances", []any{properties(first)["opening_balance"], properties(first)["closing_balance"]}, []any{1000, 985})
	transactions := func() any { return b.Call(retrieveName, args{"type": "transaction", "limit": 100})["total"] }
	entities := func() any { return b.Call(findName, args{"type": "transaction"})["total"] }
	same(t, "two equal movements of a day are two", []any{transactions(), entities()}, []any{3, 3})

	again := b.upload("april.csv", bankHead+bankRows(-2.5, -2.5, -10, -10, 30))
	same(t, "new movements only", []any{again["item_count"], transactions(), entities()}, []any{2, 5, 5})
	same(t, "said", strings.Contains(fmt.Sprint(again["warnings"]), "3 of 5 transactions are known from another file and were not added again"), true)
	b.rebuild()

	b.Call(deleteName, args{"id": record(first)["id"]})
	same(t, "the other file says them still", []any{transactions(), entities()}, []any{5, 5})
	same(t, "only its bytes are kept", len(b.blobs()), 1)
	b.Call(deleteName, args{"id": record(again)["id"]})
	same(t, "nothing says them any more", []any{transactions(), entities(), len(b.blobs())}, []any{0, 0, 0})
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
