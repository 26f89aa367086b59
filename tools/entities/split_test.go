package entities

import (
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"toolkit/store"
)

// joined are two firms of one name, as one entity: the ids of their documents.
func joined(b *bench) (here, there []string) {
	for i, vendor := range []string{"Acme Corp", "ACME, Inc.", "Acme Corp", "ACME, Inc."} {
		b.Clock.Advance(time.Second)
		out := b.Call(submitName, submit("invoice", fmt.Sprintf("2025-0%d-01", i+1), args{"invoice_number": fmt.Sprint("RE-", i), "vendor_name": vendor, "amount": i}))
		if i%2 == 0 {
			here = append(here, out["payload_id"].(string))
		} else {
			there = append(there, out["payload_id"].(string))
		}
	}
	return here, there
}

func TestSplitMovesSourcesAndMergeUndoesIt(t *testing.T) {
	b := newBench(t)
	_, there := joined(b)
	before := b.picture()
	acme := company("Acme")
	out := b.Call(splitName, args{"entity_id": acme, "sources": there, "name": "Acme Berlin"})
	berlin := company("Acme Berlin")
	same(t, "the answer", text(out), fmt.Sprintf(`{"canonical_name":"Acme Berlin","entity_id":%q,"former_entity_id":%q,"moved_count":2,"observation_count":2}`, berlin, acme))
	same(t, "the new one", b.related(berlin), []string{"RE-1 REFERS_TO Acme Berlin as vendor", "RE-3 REFERS_TO Acme Berlin as vendor"})
	same(t, "the former", b.related(acme), []string{"RE-0 REFERS_TO Acme Corp as vendor", "RE-2 REFERS_TO Acme Corp as vendor"})
	same(t, "what the sources said is kept", b.Call(observationsName, args{"entity_id": berlin})["total"], 3)
	b.rebuild()

	b.Clock.Advance(time.Second)
	again := b.Call(submitName, submit("receipt", "2025-06-01", args{"receipt_number": "1", "vendor_name": "acme, inc."}))
	same(t, "a later document of the same words", again["entities"].([]any)[1].(args)["entity_id"], berlin)
	other := b.Call(submitName, submit("receipt", "2025-06-01", args{"receipt_number": "2", "vendor_name": "Acme Corp"}))
	same(t, "one of the words that stayed", other["entities"].([]any)[1].(args)["entity_id"], acme)
	neither := b.Call(submitName, submit("receipt", "2025-06-01", args{"receipt_number": "3", "vendor_name": "Acme"}))
	same(t, "one of words that nobody used", neither["entities"].([]any)[1].(args)["entity_id"], acme)
	same(t, "a moved document submitted again", b.Call(submitName, submit("invoice", "2025-02-01", args{"invoice_number": "RE-1", "vendor_name": "ACME, Inc.", "amount": 1}))["created"], false)
	same(t, "says nothing of the former", b.Call(observationsName, args{"entity_id": acme})["total"], 2+2)
	for _, r := range []args{again, other, neither} {
		b.Call(deleteName, args{"id": r["payload_id"]})
	}

	b.Call(mergeName, args{"source_entity_id": berlin, "target_entity_id": acme})
	same(t, "the name of the one that stays", b.snapshot(acme)["snapshot"].(args)["name"], "Acme Corp")
	same(t, "all relationships", len(b.related(acme)), 4)
	b.rebuild()
	b.Call(unmergeName, args{"entity_id": berlin})
	b.Call(mergeName, args{"source_entity_id": berlin, "target_entity_id": acme})
	same(t, "as it was, but for the id that relationships name", len(b.picture()), len(before))
	b.rebuild()
}

func TestAnInvoiceOfTwoIsSplit(t *testing.T) {
	b := newBench(t)
	b.Call(submitName, submit("invoice", "2025-01-01", invoiceBody("RE-1", "Acme Corp", "2025-01-01", nil)))
	second := b.Call(submitName, submit("invoice", "2025-02-01", invoiceBody("RE-1", "ACME", "2025-02-01", args{"amount": 50, "amount_due": 0, "customer_name": "Otter Ltd"})))
	first := self(second)
	same(t, "together", b.unpaid(first), "paid 0")
	out := b.Call(splitName, args{"entity_id": first, "sources": []any{second["payload_id"]}, "name": "RE-1 of 2025"})
	other := out["entity_id"].(string)
	same(t, "apart", []string{b.unpaid(first), b.unpaid(other)}, []string{"open 119", "paid 0"})
	same(t, "the customer went along", b.related(other), []string{"RE-1 REFERS_TO ACME as vendor", "RE-1 REFERS_TO Otter Ltd as customer"})
	same(t, "the other stayed", b.related(first), []string{"RE-1 REFERS_TO ACME as vendor", "RE-1 REFERS_TO Fern Bakery as customer"})
	b.Call(deleteName, args{"id": second["payload_id"]})
	b.refuse(snapshotName, args{"entity_id": other}, "ENTITY_NOT_FOUND", "entity_id")
	b.rebuild()
	b.statusesStand()
}

func TestSplitsThatAreRefused(t *testing.T) {
	b := newBench(t)
	here, there := joined(b)
	acme := company("Acme")
	for name, c := range map[string]struct {
		in    args
		code  string
		field string
	}{
		"an unknown entity":       {args{"entity_id": "ent_none", "sources": there, "name": "Acme Berlin"}, "ENTITY_NOT_FOUND", "entity_id"},
		"its own name":            {args{"entity_id": acme, "sources": there, "name": "ACME Company"}, "VALIDATION_ERROR", "name"},
		"a blank name":            {args{"entity_id": acme, "sources": there, "name": "  "}, "VALIDATION_ERROR", "name"},
		"sources of nothing":      {args{"entity_id": acme, "sources": []string{"x"}, "name": "Acme Berlin"}, "VALIDATION_ERROR", "sources"},
		"all that is known of it": {args{"entity_id": acme, "sources": append(here, there...), "name": "Acme Berlin"}, "VALIDATION_ERROR", "sources"},
	} {
		t.Run(name, func(t *testing.T) {
			b := *b
			b.T = t
			b.refuse(splitName, c.in, c.code, c.field)
		})
	}
	same(t, "nothing was made", b.Call(findName, args{"type": "company"})["total"], 1)
}

func TestUnpaidAmountFollowsDocumentsAndRelationships(t *testing.T) {
	for _, c := range []struct {
		name     string
		invoice  args
		payments []float64
		metadata []args
		want     string
	}{
		{"nothing was paid", nil, nil, nil, "open 119"},
		{"all was paid", nil, []float64{-119}, nil, "paid 0"},
		{"a part was paid", nil, []float64{-19}, nil, "part 100"},
		{"in two parts", nil, []float64{-19, -100}, nil, "paid 0"},
		{"more than all was paid", nil, []float64{-120}, nil, "paid 0"},
		{"a part of a payment", nil, []float64{-500}, []args{{"amount": 19}}, "part 100"},
		{"less a cash discount", nil, []float64{-116.62}, []args{{"discount": 2.38}}, "paid 0"},
		{"nothing is due", args{"amount_due": 0}, nil, nil, "paid 0"},
		{"less than nothing is due", args{"amount_due": -3}, nil, nil, "paid 0"},
		{"a part was paid before", args{"prepaid": 19}, nil, nil, "open 100"},
		{"a part is withheld", args{"withheld": 10}, nil, nil, "open 109"},
		{"a part was paid before and one is withheld", args{"prepaid": 19, "withheld": 10}, nil, nil, "open 90"},
		{"what is due decides", args{"amount_due": 40}, []float64{-40}, nil, "paid 0"},
		{"no amount", args{"amount": nil}, nil, nil, "unknown"},
		{"an amount that is no number", args{"amount": "119,00 EUR"}, nil, nil, "unknown"},
		{"a payment of another currency", args{"currency": "USD"}, []float64{-119}, nil, "unknown"},
		{"overdue", args{"due_date": "2025-12-30"}, nil, nil, "overdue 119"},
		{"a part is overdue", args{"due_date": "2025-12-30"}, []float64{-19}, nil, "overdue 100"},
		{"due today", args{"due_date": "2026-01-01"}, nil, nil, "open 119"},
		{"due long ago and paid", args{"due_date": "2025-01-30"}, []float64{-119}, nil, "paid 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t)
			invoice := b.submit("invoice", "2025-01-01", invoiceBody("RE-1001", "Acme Corp", "2025-01-01", c.invoice))
			for i, amount := range c.payments {
				payment := b.submit("transaction", "2025-01-11", paymentBody(fmt.Sprint("T", i), amount, nil))
				in := args{"relationship_type": "SETTLES", "source_entity_id": payment, "target_entity_id": invoice}
				if c.metadata != nil {
					in["metadata"] = c.metadata[i]
				}
				b.Call(relateName, in)
			}
			same(t, "what is left", b.unpaid(invoice), c.want)
			b.statusesStand()
		})
	}
}

func TestFindEntitiesFiltersUnpaidInvoices(t *testing.T) {
	b := newBench(t)
	open := b.submit("invoice", "2025-01-01", invoiceBody("RE-1", "Acme", "2025-01-01", nil))
	overdue := b.submit("invoice", "2025-01-02", invoiceBody("RE-2", "Acme", "2025-01-01", args{"due_date": "2025-02-01"}))
	paid := b.submit("invoice", "2025-01-03", invoiceBody("RE-3", "Acme", "2025-01-01", args{"amount_due": 0}))
	unknown := b.submit("invoice", "2025-01-04", invoiceBody("RE-4", "Acme", "2025-01-01", args{"amount": nil}))
	asked := func(status string) (list []any) {
		for _, e := range b.Call(findName, args{"type": "invoice", "payment_status": status})["entities"].([]any) {
			list = append(list, e.(args)["entity_id"])
		}
		return list
	}
	same(t, "unpaid", asked("unpaid"), []any{overdue, open})
	same(t, "overdue", asked("overdue"), []any{overdue})
	same(t, "paid", asked("paid"), []any{paid})
	same(t, "unknown", asked("unknown"), []any{unknown})
	b.Call(correctName, args{"entity_id": open, "field": "amount_due", "value": 0})
	same(t, "after a correction", asked("unpaid"), []any{overdue})
	same(t, "with a name", b.Call(findName, args{"name": "RE-2", "payment_status": "unpaid"})["total"], 1)
	same(t, "with a name of one that is paid", b.Call(findName, args{"name": "RE-3", "payment_status": "unpaid"})["total"], 0)
}

func TestTwoProcessesThatBringTheHalvesLinkThem(t *testing.T) {
	path := filepath.Join(t.TempDir(), "two.db")
	handles := []*bench{openBench(t, store.Options{Path: path}, nil), openBench(t, store.Options{Path: path}, nil)}
	const pairs = 8
	var both sync.WaitGroup
	for n, b := range handles {
		both.Go(func() {
			for i := range pairs {
				number := fmt.Sprintf("RE-%d", 1000+i)
				if n == 0 {
					b.Call(submitName, submit("invoice", "2025-01-01", invoiceBody(number, "Acme Corp", "2025-01-01", nil)))
				} else {
					b.Call(storeName, creditNote(fmt.Sprint("GS ", i), number, "Acme Corp"))
				}
			}
		})
	}
	both.Wait()
	for i := range pairs {
		found := handles[0].Call(findName, args{"type": "invoice", "fields": args{"invoice_number": fmt.Sprintf("RE-%d", 1000+i)}})
		invoice := found["entities"].([]any)[0].(args)["entity_id"].(string)
		contains(t, "linked", fmt.Sprint(handles[1].related(invoice)), fmt.Sprint("GS ", i, " CORRECTS RE-"))
		same(t, "what is left", handles[1].unpaid(invoice), "part 100")
	}
	handles[0].statusesStand()
}

// TestTheTargetOfAMergeKeepsItsName merges Zonkers into Acme; what is known of Zonkers is
// newer in every row.
func TestTheTargetOfAMergeKeepsItsName(t *testing.T) {
	invoice := func(date, number, vendor string) args {
		return submit("invoice", date, args{"invoice_number": number, "vendor_name": vendor})
	}
	acme, zonkers, third := company("Acme"), company("Zonkers"), company("Third")
	correct := func(b *bench, entity, field, value string) {
		b.Call(correctName, args{"entity_id": entity, "field": field, "value": value})
	}
	merge := func(b *bench, source, target string) {
		b.Call(mergeName, args{"source_entity_id": source, "target_entity_id": target})
	}
	for name, c := range map[string]struct {
		before, after func(b *bench)
		entity, want  string
	}{
		"a later document of the source": {nil, nil, acme, "Acme"},
		"a source whose name was corrected": {
			func(b *bench) { correct(b, zonkers, "name", "Zonkers International") }, nil, acme, "Acme"},
		"a document of the source after the merge": {
			nil, func(b *bench) { b.Call(submitName, invoice("2025-03-01", "3", "ZONKERS")) }, acme, "Acme"},
		"a document of the target after the merge": {
			nil, func(b *bench) { b.Call(submitName, invoice("2025-03-01", "3", "ACME, Inc.")) }, acme, "ACME, Inc."},
		"a target whose name is corrected": {
			nil, func(b *bench) { correct(b, acme, "name", "Acme Group") }, acme, "Acme Group"},
		"a target that is merged in turn": {
			func(b *bench) { b.Call(submitName, invoice("2024-01-01", "3", "Third")) },
			func(b *bench) { merge(b, acme, third) }, third, "Third"},
		"a source that is parted again": {
			nil, func(b *bench) { b.Call(unmergeName, args{"entity_id": zonkers}) }, zonkers, "Zonkers"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.Call(submitName, invoice("2025-01-01", "1", "Acme"))
			b.Call(submitName, invoice("2025-02-01", "2", "Zonkers"))
			if c.before != nil {
				c.before(b)
			}
			merge(b, zonkers, acme)
			correct(b, acme, "phone", "555")
			if c.after != nil {
				c.after(b)
			}
			s := b.snapshot(c.entity)
			same(t, "its name", s["snapshot"].(args)["name"], any(c.want))
			same(t, "its conflicts", s["conflicts"], nil)
			contains(t, "the list", text(b.Call(findName, args{"type": companyType})), `"canonical_name":"`+c.want+`"`)
			b.rebuild()
		})
	}
}
