package entities

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// related are the relationships of an entity in one text each, sorted.
func (b *bench) related(entity string) []string {
	b.T.Helper()
	list := []string{}
	for _, item := range b.Call(relationshipsName, args{"entity_id": entity})["relationships"].([]any) {
		r := item.(args)
		role := ""
		if m, ok := r["metadata"].(args); ok {
			role = fmt.Sprint(" as ", m["role"])
		}
		list = append(list, fmt.Sprint(b.name(r["source_entity_id"]), " ", r["relationship_type"], " ", b.name(r["target_entity_id"]), role))
	}
	slices.Sort(list)
	return list
}

func (b *bench) name(id any) string {
	b.T.Helper()
	s := b.snapshot(id.(string))["snapshot"].(args)
	for _, field := range []string{"name", "invoice_number", "receipt_number", "contract_number", "transaction_id", "title"} {
		if v, ok := s[field]; ok {
			return fmt.Sprint(v)
		}
	}
	return "?"
}

// suggested are the suggestions for an entity in one text each, sorted.
func (b *bench) suggested(entity string) []string {
	b.T.Helper()
	return b.suggestionsIn(b.Call(relationshipsName, args{"entity_id": entity, "relationship_type": "SUGGESTED"}))
}

func (b *bench) suggestionsIn(out args) []string {
	b.T.Helper()
	list := []string{}
	found, _ := out["suggestions"].([]any)
	for _, item := range found {
		s := item.(args)
		text := fmt.Sprint(b.name(s["source_entity_id"]), " ", s["relationship_type"], " ", b.name(s["target_entity_id"]))
		if m, ok := s["metadata"].(args); ok {
			text += fmt.Sprint(" ", m)
		}
		if n, ok := s["one_of"]; ok {
			text += fmt.Sprint(" one of ", n)
		}
		if s["reason"] == "" {
			b.T.Errorf("a suggestion without a reason: %v", s)
		}
		list = append(list, text)
	}
	slices.Sort(list)
	return list
}

// unpaid is the payment status of an invoice, and what is left.
func (b *bench) unpaid(entity string) string {
	b.T.Helper()
	for _, item := range b.Call(findName, args{"type": "invoice", "limit": 100})["entities"].([]any) {
		if e := item.(args); e["entity_id"] == entity {
			return strings.TrimSpace(fmt.Sprint(e["payment_status"], " ", orEmpty(e["unpaid"])))
		}
	}
	return "none"
}

func orEmpty(v any) any {
	if v == nil {
		return ""
	}
	return v
}

func invoiceBody(number, vendor, date string, more args) args {
	body := args{"invoice_number": number, "vendor_name": vendor, "customer_name": "Fern Bakery", "date": date, "amount": 119, "currency": "EUR"}
	for k, v := range more {
		body[k] = v
	}
	return body
}

func TestDocumentsAreRelatedToTheCompaniesTheyName(t *testing.T) {
	b := newBench(t)
	invoice := b.submit("invoice", "2025-01-01", invoiceBody("RE-1001", "Acme Corp", "2025-01-01", nil))
	same(t, "an invoice", b.related(invoice), []string{"RE-1001 REFERS_TO Acme Corp as vendor", "RE-1001 REFERS_TO Fern Bakery as customer"})
	receipt := b.submit("receipt", "2025-01-01", args{"receipt_number": "K 7", "vendor_name": "Acme Corp", "amount": 4})
	same(t, "a receipt", b.related(receipt), []string{"K 7 REFERS_TO Acme Corp as vendor"})
	contract := b.submit("contract", "2025-01-01", args{"contract_number": "C 1", "parties": []string{"Acme Corp", "Fern Bakery"}, "start_date": "2025-01-01"})
	same(t, "a contract", b.related(contract), []string{"C 1 REFERS_TO Acme Corp as party", "C 1 REFERS_TO Fern Bakery as party"})
	record := b.Call(storeName, args{"type": "invoice", "properties": invoiceBody("RE-1002", "Acme Corp", "2025-01-01", nil)})
	found := b.Call(findName, args{"fields": args{"invoice_number": "RE-1002"}})["entities"].([]any)[0].(args)["entity_id"].(string)
	same(t, "a stored record", len(b.related(found)), 2)
	b.Call(updateName, args{"id": record["id"], "properties": args{"vendor_name": "Otter Ltd"}})
	same(t, "an updated record", b.related(found), []string{"RE-1002 REFERS_TO Fern Bakery as customer", "RE-1002 REFERS_TO Otter Ltd as vendor"})
	payment := b.submit("transaction", "2025-01-01", args{"transaction_id": "T-1", "amount": -4, "counterparty": "Acme Corp"})
	same(t, "a payment", b.related(payment), []string{})
}

func TestRelationshipIsDeletedWithItsLastSource(t *testing.T) {
	b := newBench(t)
	first := b.Call(submitName, submit("invoice", "2025-01-01", invoiceBody("RE-1001", "Acme Corp", "2025-01-01", nil)))
	second := b.Call(submitName, submit("invoice", "2025-01-02", invoiceBody("RE-1001", "Acme Corp", "2025-01-01", args{"amount": 120})))
	third := b.Call(submitName, submit("invoice", "2025-01-03", invoiceBody("RE-1001", "Acme Corp", "2025-01-01", args{"amount": 121, "customer_name": "Otter Ltd"})))
	id := self(first)
	same(t, "of three documents", len(b.related(id)), 3)
	b.Call(deleteName, args{"id": first["payload_id"]})
	same(t, "the second says it too", b.related(id), []string{"RE-1001 REFERS_TO Acme Corp as vendor", "RE-1001 REFERS_TO Fern Bakery as customer", "RE-1001 REFERS_TO Otter Ltd as customer"})
	b.relate("REFERS_TO", id, company("Fern Bakery"))
	b.Call(deleteName, args{"id": second["payload_id"]})
	b.Call(storeName, args{"type": "company", "properties": args{"name": "Fern Bakery"}})
	same(t, "a caller says it too", b.related(id), []string{"RE-1001 REFERS_TO Acme Corp as vendor", "RE-1001 REFERS_TO Fern Bakery as customer", "RE-1001 REFERS_TO Otter Ltd as customer"})
	b.Call(deleteName, args{"id": third["payload_id"]})
	b.submit("invoice", "2025-01-04", args{"invoice_number": "RE-1001", "vendor_name": "Acme", "note": "x"})
	same(t, "what the last said is gone", b.related(id), []string{"RE-1001 REFERS_TO Acme as vendor", "RE-1001 REFERS_TO Fern Bakery as customer"})
	b.rebuild()
}

func creditNote(number, of, vendor string) args {
	return args{"type": creditNoteType, "properties": args{"name": number, "invoice_number": number, "credited_invoice": of, "vendor_name": vendor, "amount": -19, "currency": "EUR"}}
}

// noted is the entity of the credit note of a number.
func (b *bench) noted(number string) string {
	b.T.Helper()
	return b.Call(findName, args{"type": creditNoteType, "fields": args{"invoice_number": number}})["entities"].([]any)[0].(args)["entity_id"].(string)
}

func TestACreditNoteIsRelatedToItsInvoiceWhicheverCameFirst(t *testing.T) {
	invoice := submit("invoice", "2025-01-01", invoiceBody("RE-1001", "Acme Corp", "2025-01-01", nil))
	note := creditNote("GS 1", "RE 1001", "ACME, Inc.")
	for name, first := range map[string]bool{"the invoice first": true, "the credit note first": false} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			if !first {
				b.Call(storeName, note)
			}
			id := self(b.Call(submitName, invoice))
			if first {
				b.Call(storeName, note)
			}
			contains(t, "related", fmt.Sprint(b.related(id)), "GS 1 CORRECTS RE-1001")
			same(t, "what is left", b.unpaid(id), "part 100")
			b.Call(submitName, submit("invoice", "2025-01-01", invoiceBody("RE-1001", "Otter Ltd", "2025-01-01", nil)))
			contains(t, "another vendor's does not matter", fmt.Sprint(b.related(id)), "GS 1 CORRECTS RE-1001")
			record := b.Call(retrieveName, args{"type": creditNoteType})
			b.Call(deleteName, args{"id": ids(record)[0]})
			same(t, "gone with the credit note", len(b.related(id)), 2)
			same(t, "all is left again", b.unpaid(id), "open 119")
		})
	}
}

func TestCreditNoteOfNoneOrSeveralInvoicesReturnsWarning(t *testing.T) {
	b := newBench(t)
	body := creditNote("GS 1", "RE-1001", "Acme Corp")["properties"].(args)
	body["document_type"] = creditNoteType
	out := b.Call(uploadName, args{"file_path": SampleName, "properties": string(text(body))})
	contains(t, "none", fmt.Sprint(out["warnings"]), "credited_invoice names no invoice")
	b.submit("invoice", "2025-01-01", invoiceBody("RE-1001", "Acme Corp", "2025-01-01", nil))
	b.submit("invoice", "2025-01-01", invoiceBody("RE 1001", "Acme Corp", "2025-01-01", nil))
	out = b.Call(uploadName, args{"file_path": SampleName, "properties": string(text(body))})
	contains(t, "several", fmt.Sprint(out["warnings"]), "credited_invoice names several")
	same(t, "no invoice is related", b.related(b.noted("GS 1")), []string{"GS 1 REFERS_TO Acme Corp as vendor"})
}

func paymentBody(id string, amount float64, more args) args {
	body := args{"transaction_id": id, "amount": amount, "currency": "EUR", "booking_date": "2025-01-10", "counterparty": "ACME CORP"}
	for k, v := range more {
		body[k] = v
	}
	return body
}

func TestPaymentsAreSuggestedOnHardEvidenceOnly(t *testing.T) {
	for _, c := range []struct {
		name             string
		invoice, payment args
		want             []string
	}{
		{"number and amount", nil, paymentBody("T", -119, args{"reference": "Rechnung RE-1001 vom 1.1.", "counterparty": "Somebody"}), []string{"T SETTLES RE-1001"}},
		{"a number written in another way", nil, paymentBody("T", -119, args{"description": "INV RE 1001", "counterparty": "Somebody"}), []string{"T SETTLES RE-1001"}},
		{"amount, vendor and date", nil, paymentBody("T", -119, nil), []string{"T SETTLES RE-1001"}},
		{"amount and vendor without its legal form", args{"vendor_name": "Acme Ltd"}, paymentBody("T", -119, args{"counterparty": "acme"}), []string{"T SETTLES RE-1001"}},
		{"what comes in from the customer", nil, paymentBody("T", 119, args{"counterparty": "Fern Bakery"}), []string{"T SETTLES RE-1001"}},
		{"the account of the invoice", args{"iban": "DE89 3704 0044 0532 0130 00"}, paymentBody("T", -119, args{"counterparty": "Someone", "counterparty_iban": "DE89370400440532013000"}), []string{"T SETTLES RE-1001"}},
		{"what is due, not all of it", args{"prepaid": 19, "amount_due": 100}, paymentBody("T", -100, nil), []string{"T SETTLES RE-1001"}},
		{"less the discount of its terms", args{"payment_terms": "2 % Skonto innerhalb von 10 Tagen, 30 Tage netto"}, paymentBody("T", -116.62, nil), []string{"T SETTLES RE-1001 map[discount:2.38]"}},
		{"less a discount of no terms", args{"payment_terms": "30 Tage netto"}, paymentBody("T", -116.62, nil), []string{}},
		{"a percentage that is no discount", args{"payment_terms": "5% Verzugszinsen"}, paymentBody("T", -113.05, nil), []string{}},
		{"another amount of another company", args{"invoice_number": "1001"}, paymentBody("T", -118, args{"reference": "1001", "counterparty": "Somebody"}), []string{}},
		{"another amount of the vendor", args{"invoice_number": "1001"}, paymentBody("T", -118, args{"reference": "1001"}), []string{"T SETTLES 1001"}},
		{"a part, by a number that is none by chance", nil, paymentBody("T", -50, args{"reference": "RE-1001", "counterparty": "Somebody"}), []string{"T SETTLES RE-1001"}},
		{"more, with a fee", nil, paymentBody("T", -124, args{"reference": "RE-1001"}), []string{"T SETTLES RE-1001 map[amount:119]"}},
		{"a part before the invoice", nil, paymentBody("T", -50, args{"booking_date": "2024-12-20", "reference": "RE-1001"}), []string{}},
		{"a part that came back", nil, paymentBody("T", 50, args{"reference": "RE-1001"}), []string{}},
		{"another currency", nil, paymentBody("T", -119, args{"reference": "RE-1001", "currency": "USD"}), []string{}},
		{"a number that only begins so", nil, paymentBody("T", -119, args{"reference": "RE-10012", "counterparty": "Somebody"}), []string{}},
		{"another invoice, by its number", nil, paymentBody("T", -119, args{"reference": "RE-0790 hosting"}), []string{}},
		{"a number of another form", nil, paymentBody("T", -119, args{"reference": "hosting 2025-01 C-77"}), []string{"T SETTLES RE-1001"}},
		{"another company", nil, paymentBody("T", -119, args{"counterparty": "Otter"}), []string{}},
		{"a company of another legal form", nil, paymentBody("T", -119, args{"counterparty": "Acme Ltd"}), []string{}},
		{"before the invoice", nil, paymentBody("T", -119, args{"booking_date": "2024-12-20", "reference": "RE-1001"}), []string{}},
		{"long after it, by amount and vendor", nil, paymentBody("T", -119, args{"booking_date": "2025-11-20"}), []string{}},
		{"no date, by amount and vendor", nil, args{"transaction_id": "T", "amount": -119, "counterparty": "Acme"}, []string{}},
		{"money that comes back from the vendor", nil, paymentBody("T", 119, nil), []string{}},
		{"money that goes to the customer", nil, paymentBody("T", -119, args{"counterparty": "Fern Bakery", "reference": "RE-1001"}), []string{}},
		{"a payment that failed", nil, paymentBody("T", -119, args{"reference": "RE-1001", "status": "REVERTED"}), []string{}},
		{"a payment that is still to come", nil, paymentBody("T", -119, args{"reference": "RE-1001", "status": "Venter"}), []string{}},
		{"a payment that is done", nil, paymentBody("T", -119, args{"reference": "RE-1001", "status": "Completed"}), []string{"T SETTLES RE-1001"}},
		{"an amount that is text", args{"amount": "119,00"}, paymentBody("T", -119, args{"reference": "RE-1001"}), []string{}},
	} {
		for _, invoiceFirst := range []bool{true, false} {
			t.Run(fmt.Sprint(c.name, ", invoice first: ", invoiceFirst), func(t *testing.T) {
				b := newBench(t)
				invoice := submit("invoice", "2025-01-01", invoiceBody("RE-1001", "Acme Corp", "2025-01-01", c.invoice))
				payment := submit("transaction", "2025-01-11", c.payment)
				calls := []args{payment, invoice}
				if invoiceFirst {
					calls = []args{invoice, payment}
				}
				first := b.Call(submitName, calls[0])
				second := b.Call(submitName, calls[1])
				same(t, "told with the second", b.suggestionsIn(second), c.want)
				same(t, "asked for", b.suggested(self(first)), c.want)
				same(t, "asked for of the other", b.suggested(self(second)), c.want)
				same(t, "nothing is written", b.Call(relationshipsName, args{"entity_id": self(first), "relationship_type": "SETTLES"})["total"], 0)
			})
		}
	}
}

func TestAllMatchingPaymentsAreSuggested(t *testing.T) {
	b := newBench(t)
	b.submit("invoice", "2025-01-01", invoiceBody("RE-1001", "Acme Corp", "2025-01-01", nil))
	b.submit("invoice", "2025-01-01", invoiceBody("RE-1002", "Acme Corp", "2025-01-02", nil))
	payment := b.submit("transaction", "2025-01-11", paymentBody("T", -119, nil))
	same(t, "both", b.suggested(payment), []string{"T SETTLES RE-1001 one of 2", "T SETTLES RE-1002 one of 2"})
	named := b.submit("transaction", "2025-01-11", paymentBody("U", -119, args{"reference": "RE-1002"}))
	same(t, "the one that is named", b.suggested(named), []string{"U SETTLES RE-1002"})
}

func TestOnePaymentOfSeveralInvoicesIsSuggestedForAllOfThem(t *testing.T) {
	b := newBench(t)
	one := b.submit("invoice", "2025-01-01", invoiceBody("RE-1001", "Acme Corp", "2025-01-01", nil))
	two := b.submit("invoice", "2025-01-01", invoiceBody("RE-1002", "Acme Corp", "2025-01-02", args{"amount": 81}))
	payment := b.submit("transaction", "2025-01-11", paymentBody("T", -200, args{"reference": "RE-1001, RE-1002"}))
	want := []string{"T SETTLES RE-1001 map[amount:119]", "T SETTLES RE-1002 map[amount:81]"}
	same(t, "both", b.suggested(payment), want)
	same(t, "each of its own", [][]string{b.suggested(one), b.suggested(two)}, [][]string{want[:1], want[1:]})
	for _, item := range b.Call(relationshipsName, args{"entity_id": payment, "relationship_type": "SUGGESTED"})["suggestions"].([]any) {
		s := item.(args)
		b.Call(relateName, args{"relationship_type": s["relationship_type"], "source_entity_id": s["source_entity_id"], "target_entity_id": s["target_entity_id"], "metadata": s["metadata"]})
	}
	same(t, "paid", []string{b.unpaid(one), b.unpaid(two)}, []string{"paid 0", "paid 0"})
	same(t, "nothing is left to suggest", b.suggested(payment), []string{})
}

func TestPaymentOfAnotherAmountSaysSo(t *testing.T) {
	b := newBench(t)
	invoice := b.submit("invoice", "2025-01-01", invoiceBody("RE-1001", "Acme Corp", "2025-01-01", nil))
	first := b.submit("transaction", "2025-01-11", paymentBody("T", -50, args{"reference": "RE-1001"}))
	reason := func() string {
		list := b.Call(relationshipsName, args{"entity_id": invoice, "relationship_type": "SUGGESTED"})["suggestions"].([]any)
		return fmt.Sprint(list[len(list)-1].(args)["reason"])
	}
	contains(t, "a part", reason(), "the payment's text names the invoice_number; another amount: 50 EUR for 119 EUR that are to be paid, 69 EUR less")
	b.relate("SETTLES", first, invoice)
	same(t, "a part is paid", b.unpaid(invoice), "part 69")
	b.submit("transaction", "2025-01-12", paymentBody("U", -69, args{"reference": "RE-1001"}))
	contains(t, "the rest", reason(), "the amount is what is left to pay")
}
