package entities

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"toolkit/internal/storetest"
	"toolkit/internal/testenv"
	"toolkit/store"
	"toolkit/store/memory"
)

// learn stores an insight.
func (b *bench) learn(text string) {
	b.T.Helper()
	storetest.Write(b.T, b.Store, func(tx *store.Tx) error {
		_, err := memory.In(tx).InsertInsight(memory.NewInsight{Content: text, Fidelity: 1})
		return err
	})
}

// dueSides are the invoices that are due, by the user's side.
func (b *bench) dueSides() map[Side][]string {
	b.T.Helper()
	sides := map[Side][]string{}
	storetest.Read(b.T, b.Store, func(tx *store.Tx) error {
		due, counts, err := ListDueInvoices(tx, func(time.Time) bool { return true }, 10, 100)
		for side, list := range due {
			for _, i := range list {
				sides[side] = append(sides[side], i.Name)
			}
			same(b.T, "counted", counts[side], len(list))
		}
		return err
	})
	return sides
}

func (b *bench) bill(number, vendor, customer string, more args) {
	b.T.Helper()
	body := args{"invoice_number": number, "vendor_name": vendor, "date": "2026-03-01", "due_date": fmt.Sprint("2026-04-", number), "amount": 119, "currency": "EUR"}
	if customer != "" {
		body["customer_name"] = customer
	}
	for name, value := range more {
		body[name] = value
	}
	b.submit("invoice", "2026-03-02", body)
}

func TestWhoTheUserIsDecidesWhoOwes(t *testing.T) {
	const camt = `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt><Id>1</Id><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id>%s</Acct><Ntry><Amt Ccy="EUR">5.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><BookgDt><Dt>2026-03-02</Dt></BookgDt></Ntry></Stmt></BkToCstmrStmt></Document>`
	statement := func(holder string) func(b *bench) {
		return func(b *bench) {
			testenv.Write(t, filepath.Join(b.folder, "camt.xml"), fmt.Sprintf(camt, holder))
			b.Call(uploadName, args{"file_path": "camt.xml"})
		}
	}
	says := func(text string) func(b *bench) { return func(b *bench) { b.learn(text) } }
	sold, bought := map[Side][]string{SidePays: {"11"}, SideIsPaid: {"10"}}, map[Side][]string{SideUnknown: {"10", "11"}}
	for name, c := range map[string]struct {
		tell func(b *bench)
		want map[Side][]string
	}{
		"nothing tells":                  {func(*bench) {}, bought},
		"the holder of an account":       {statement("<Ownr><Nm>Fern Bakery</Nm></Ownr>"), sold},
		"a statement without a holder":   {statement(""), bought},
		"said in English":                {says("Our company is Fern Bakery GmbH."), sold},
		"said in German":                 {says("Unsere Firma heißt Fern Bakery GmbH und backt Brot."), sold},
		"said in French":                 {says("Notre entreprise s'appelle Fern Bakery."), sold},
		"said in Spanish":                {says("Mi empresa se llama Fern Bakery."), sold},
		"said in Italian":                {says("La nostra azienda è la Fern Bakery"), sold},
		"said in Dutch":                  {says("Ons bedrijf heet Fern Bakery."), sold},
		"said in Portuguese":             {says("A nossa empresa chama-se Fern Bakery."), sold},
		"said after something else":      {says("We are open on Sundays. We are Fern Bakery."), sold},
		"denied":                         {says("We are not Fern Bakery."), bought},
		"denied in Spanish":              {says("No somos Fern Bakery."), bought},
		"a company that is named beside": {says("Our company is Fern Bakery's best customer."), bought},
		"another name that begins so":    {says("Our company is Fern Bakery-Mill."), bought},
		"the company of somebody else":   {says("Our company buys from Fern Bakery."), bought},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			c.tell(b)
			b.bill("10", "Fern Bakery GmbH", "Otter Ltd", nil)
			b.bill("11", "Heat Ltd", "Fern Bakery GmbH", nil)
			same(t, "sides", b.dueSides(), c.want)
		})
	}
}

func TestAnInvoiceToBePaidToAnAccountOfTheUserIsOwed(t *testing.T) {
	b := newBench(t)
	b.Call(storeName, args{"type": "statement", "properties": args{"iban": "DE89370400440532013000"}})
	b.bill("10", "Fern Bakery", "Otter Ltd", args{"iban": "DE89 3704 0044 0532 0130 00"})
	b.bill("11", "Fern Bakery", "Badger Ltd", nil) // its vendor is known by the other
	b.bill("12", "Heat Ltd", "Fern Bakery", nil)
	b.bill("13", "Heat Ltd", "Somebody Else", nil)
	b.bill("14", "Fern Bakery", "Fern Bakery", nil)
	same(t, "sides", b.dueSides(), map[Side][]string{SideIsPaid: {"10", "11"}, SidePays: {"12"}, SideUnknown: {"13", "14"}})
}

func TestWhoGetsTheInvoicesOfManyVendorsIsTheUser(t *testing.T) {
	b := newBench(t)
	b.bill("10", "Heat Ltd", "Fern Bakery", nil)
	b.bill("11", "Mill Ltd", "Fern Bakery Ltd", nil)
	same(t, "of two", b.dueSides(), map[Side][]string{SideUnknown: {"10", "11"}})
	b.bill("12", "Phone Ltd", "Fern Bakery", nil)
	b.bill("13", "Fern Bakery", "Otter Ltd", nil)
	b.bill("14", "Heat Ltd", "", nil)
	same(t, "of three", b.dueSides(), map[Side][]string{SidePays: {"10", "11", "12"}, SideIsPaid: {"13"}, SideUnknown: {"14"}})
}
