package entities

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"toolkit/internal/storetest"
	"toolkit/internal/toolstest"
	"toolkit/store"
	"toolkit/store/entities"
	"toolkit/store/records"
)

func TestCompanySpellingsMatchUnlessLegalFormsDiffer(t *testing.T) {
	for _, c := range []struct {
		name, a, b string
		same       bool
	}{
		{"forms that the source leaves out", "Acme Corp", "ACME, Inc.", true},
		{"no form and one that the source leaves out", "Acme", "Acme Company", true},
		{"Inc and Ltd", "Acme Inc", "Acme Ltd", false},
		{"Ltd and Limited", "Acme Ltd.", "Acme Limited", true},
		{"Ltd and PLC", "Acme Ltd", "Acme PLC", false},
		{"Ltd and nothing", "Acme Ltd", "Acme", false},
		{"GmbH and AG", "Acme GmbH", "Acme AG", false},
		{"GmbH and GmbH & Co. KG", "Acme GmbH", "Acme GmbH & Co. KG", false},
		{"GmbH & Co. KG and its other spelling", "Acme GmbH & Co. KG", "Acme GmbH u. Co KG", true},
		{"B.V. and BV", "Windmolen B.V.", "Windmolen BV", true},
		{"S.A.R.L. and SARL and S.à r.l.", "Dupont S.A.R.L.", "Dupont S.à r.l.", true},
		{"Sp. z o.o.", "Wisła Sp. z o.o.", "Wisla sp. z oo", true},
		{"S.A. and S.A.S.", "Dupont SA", "Dupont SAS", false},
		{"an umlaut and its two letters", "Müller GmbH", "MUELLER GmbH", true},
		{"an umlaut and the letter alone", "Müller GmbH", "Muller GmbH", false},
		{"sharp s", "Groß AG", "Gross AG", true},
		{"accents", "Crédit Général SA", "Credit General S.A.", true},
		{"a letter with its mark apart", "Cre\u0301dit SA", "Crédit SA", true},
		{"typographic apostrophes", "L’Atelier SARL", "L'Atelier SARL", true},
		{"and", "Smith & Sons Ltd", "Smith and Sons Ltd", true},
		{"und", "Meier und Söhne OHG", "Meier & Soehne OHG", true},
		{"et", "Blanc et Fils SAS", "Blanc & Fils SAS", true},
		{"a space before a comma", "Acme , Inc.", "Acme, Inc.", true},
		{"spaces", " Big   Blue  GmbH", "Big Blue GmbH", true},
		{"a space that does not break", "Big\u00a0Blue GmbH", "Big Blue GmbH", true},
		{"another name", "Acme GmbH", "Acne GmbH", false},
		{"Pty Ltd and Ltd", "Acme Pty Ltd", "Acme Ltd", false},
		{"a word that only looks like a form", "Costco", "Cost", false},
	} {
		if got := normalizeEntityName(companyType, c.a) == normalizeEntityName(companyType, c.b); got != c.same {
			t.Errorf("%s: %q is %q, %q is %q", c.name, c.a, normalizeEntityName(companyType, c.a), c.b, normalizeEntityName(companyType, c.b))
		}
	}
}

func recordOf(id, recordType string, properties object) records.Record {
	return records.Record{ID: id, Type: recordType, Properties: encodeJSON(properties), CreatedAt: 1, UpdatedAt: 1}
}

func TestLikelyDuplicatesAreSuggestedAndNeverMerged(t *testing.T) {
	for _, c := range []struct {
		name string
		a, b args
		want bool
	}{
		{"a legal form that is missing", args{"vendor_name": "Nordlicht GmbH"}, args{"vendor_name": "Nordlicht"}, true},
		{"legal forms that differ", args{"vendor_name": "Nordlicht GmbH"}, args{"vendor_name": "Nordlicht AG"}, false},
		{"one letter", args{"vendor_name": "Nordlicht GmbH"}, args{"vendor_name": "Nordlich GmbH"}, true},
		{"two letters", args{"vendor_name": "Nordlicht GmbH"}, args{"vendor_name": "Nordlic GmbH"}, false},
		{"the tax number", args{"vendor_name": "Nordlicht GmbH", "vendor_tax_id": "DE 123"}, args{"vendor_name": "NL Werkstatt", "vendor_tax_id": "DE 123"}, true},
		{"the account", args{"vendor_name": "Nordlicht GmbH", "iban": "DE89370400440532013000"}, args{"vendor_name": "NL Werkstatt", "iban": "DE89370400440532013000"}, true},
		{"the address", args{"vendor_name": "Nordlicht GmbH", "vendor_address": "Am Kai 3, Kiel"}, args{"vendor_name": "NL Werkstatt", "vendor_address": "Am Kai 3, Kiel"}, true},
		{"nothing", args{"vendor_name": "Nordlicht GmbH"}, args{"vendor_name": "Otter Books"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t)
			c.a["invoice_number"], c.b["invoice_number"] = "1", "2"
			for _, body := range []args{c.a, c.b} {
				b.Call(submitName, submit("invoice", "2025-01-01", body))
			}
			x, y := company(c.a["vendor_name"].(string)), company(c.b["vendor_name"].(string))
			same(t, "of the one", len(b.suggested(x)), map[bool]int{true: 1}[c.want])
			same(t, "of the other", len(b.suggested(y)), map[bool]int{true: 1}[c.want])
			same(t, "companies", b.Call(findName, args{"type": "company"})["total"], 2)
		})
	}
}

func TestPersonsOfOneNameAreDistinguishedByContact(t *testing.T) {
	contact := func(name string, more args) args {
		more["name"] = name
		return args{"type": "contact", "properties": more}
	}
	mail := func(list ...string) args { return args{"emails": list} }
	for _, c := range []struct {
		name   string
		people []args
		want   int
	}{
		{"different addresses", []args{contact("Anna Berg", mail("a@x.org")), contact("Anna Berg", mail("b@y.org"))}, 2},
		{"one address in common", []args{contact("Anna Berg", mail("a@x.org")), contact("Anna Berg", mail("A@x.org", "b@y.org"))}, 1},
		{"a number in common", []args{contact("Anna Berg", args{"phone": "+49 30 123456", "email": "a@x.org"}), contact("Anna Berg", args{"phones": []string{"030 123456"}, "email": "b@y.org"})}, 1},
		{"one number, written in two ways", []args{contact("Anna Berg", args{"phone": "+49 171 1234567"}), contact("Anna Berg", args{"phone": "0171/1234567"})}, 1},
		{"no address", []args{contact("Anna Berg", mail("a@x.org")), contact("Anna Berg", args{"note": "x"})}, 1},
		{"each again", []args{contact("Anna Berg", mail("a@x.org")), contact("Anna Berg", mail("b@y.org")), contact("Anna Berg", mail("a@x.org")), contact("Anna Berg", mail("b@y.org"))}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			permutations(len(c.people), func(order []int) {
				b := newBench(t)
				for _, i := range order {
					b.Call(storeName, c.people[i])
				}
				same(t, fmt.Sprint("in the order ", order), b.Call(findName, args{"type": "contact"})["total"], c.want)
				b.rebuild()
			})
		})
	}
	b := newBench(t)
	b.Call(storeName, contact("Anna Berg", mail("a@x.org")))
	b.Call(storeName, contact("A. Berg", mail("a@x.org")))
	same(t, "one address and two spellings", b.suggested(entityID("contact", "a. berg")), []string{"Anna Berg DUPLICATE_OF A. Berg"})
}

// permutations calls f with every order of n things.
func permutations(n int, f func(order []int)) {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	var walk func(k int)
	walk = func(k int) {
		if k == n {
			f(order)
			return
		}
		for i := k; i < n; i++ {
			order[k], order[i] = order[i], order[k]
			walk(k + 1)
			order[k], order[i] = order[i], order[k]
		}
	}
	walk(0)
}

// picture is what a store says, whatever the order in which it heard it.
func (b *bench) picture() []string {
	b.T.Helper()
	var lines []string
	for _, item := range b.Call(findName, args{"limit": 1000})["entities"].([]any) {
		e := item.(args)
		id := e["entity_id"].(string)
		lines = append(lines, fmt.Sprint(id, " ", e["entity_type"], " ", orEmpty(e["payment_status"]), " ", orEmpty(e["unpaid"]), " ", text(b.snapshot(id)["snapshot"])),
			fmt.Sprint(id, " is related ", b.related(id)), fmt.Sprint(id, " may be ", b.suggested(id)))
	}
	slices.Sort(lines)
	return lines
}

func TestSnapshotsAndLinksDoNotDependOnIntakeOrder(t *testing.T) {
	documents := []struct {
		tool string
		in   args
	}{
		{submitName, submit("invoice", "2025-01-01", invoiceBody("RE-1001", "Acme Inc", "2025-01-01", args{"due_date": "2025-02-01"}))},
		{submitName, submit("invoice", "2025-01-02", invoiceBody("RE-1001", "Acme Ltd", "2025-01-01", nil))},
		{submitName, submit("invoice", "2025-01-03", invoiceBody("RE-1002", "ACME, Corp.", "2025-01-02", args{"amount": 81}))},
		{submitName, submit("transaction", "2025-01-11", paymentBody("T", -200, args{"reference": "RE-1001 RE-1002"}))},
		{submitName, submit("transaction", "2025-01-12", paymentBody("U", -119, args{"counterparty": "Acme Ltd"}))},
		{submitName, submit("invoice", "2025-01-04", args{"invoice_number": "7", "vendor_name": "Müller B.V.", "amount_due": 0})},
		{submitName, submit("receipt", "2025-01-05", args{"receipt_number": "7", "vendor_name": "Mueller BV"})},
	}
	note := creditNote("GS 1", "RE 1002", "Acme")
	var want []string
	random := rand.New(rand.NewPCG(7, 11))
	for n := range toolstest.RoundCount(4) {
		b := newBench(t)
		when := random.IntN(len(documents) + 1)
		order := random.Perm(len(documents))
		for i := range len(order) + 1 {
			if i == when {
				b.note(note)
			}
			if i < len(order) {
				b.Call(documents[order[i]].tool, documents[order[i]].in)
			}
		}
		b.rebuild()
		if got := b.picture(); n == 0 {
			want = got
		} else {
			same(t, fmt.Sprint("in the order ", order, " with the credit note at ", when), got, want)
		}
	}
}

// note stores a credit note under an id that is the same everywhere.
func (b *bench) note(in args) {
	b.T.Helper()
	f := &family{Deps{Store: b.Store}}
	storetest.Write(b.T, b.Store, func(tx *store.Tx) error {
		o, err := decodeObject(encodeJSON(map[string]any(in["properties"].(args))))
		if err != nil {
			return err
		}
		d := newRecordDocument(recordOf("00000000-0000-4000-8000-000000000009", companyType, object{"name": ""}), o)
		d.Statements = compileStatements(capabilityForType(creditNoteType), o, "the note")
		d.Record.Type = creditNoteType
		_, _, err = f.ingestDocument(tx, d, 1_735_700_000_000)
		return err
	})
}

// Every status in the store is what the documents and relationships give.
func (b *bench) statusesStand() {
	b.T.Helper()
	before := b.statuses()
	storetest.Write(b.T, b.Store, func(tx *store.Tx) error {
		var rows []int64
		for row := range before {
			rows = append(rows, row)
		}
		return updateInvoiceStatuses(entities.In(tx), rows)
	})
	same(b.T, "what is to be paid", fmt.Sprint(b.statuses()), fmt.Sprint(before))
}

func (b *bench) statuses() map[int64]entities.InvoiceStatus {
	b.T.Helper()
	var found map[int64]entities.InvoiceStatus
	storetest.Read(b.T, b.Store, func(tx *store.Tx) error {
		list, err := entities.In(tx).NextEntities(0, 1000)
		if err != nil {
			return err
		}
		var rows []int64
		for _, e := range list {
			rows = append(rows, e.Seq)
		}
		found, err = entities.In(tx).InvoiceStatusOf(rows)
		return err
	})
	return found
}
