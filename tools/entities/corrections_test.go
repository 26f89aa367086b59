package entities

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"toolkit/internal/storetest"
	"toolkit/store"
	"toolkit/store/entities"
	"toolkit/store/records"
)

// correct sets a field right and lets a minute pass.
func (b *bench) correct(entity, field string, value any) {
	b.T.Helper()
	b.Call(correctName, args{"entity_id": entity, "field": field, "value": value})
	b.Clock.Advance(time.Minute)
}

// conflicts are the conflicts of a snapshot as "field value", sorted.
func conflicts(snapshot args) string {
	var list []string
	all, _ := snapshot["conflicts"].([]any)
	for _, c := range all {
		list = append(list, fmt.Sprint(c.(args)["field"], " ", text(c.(args)["value"])))
	}
	slices.Sort(list)
	return strings.Join(list, "; ")
}

func TestACorrectionStandsAgainstWhateverComesLater(t *testing.T) {
	for policy, want := range map[string]string{"last_write": "5", "highest_priority": "5", "most_specific": "5", "merge_array": "[5]"} {
		b := newBench(t)
		storetest.Write(t, b.Store, func(tx *store.Tx) error { return entities.In(tx).SetMergePolicy("invoice", "amount", policy) })
		first := b.Call(submitName, submit("invoice", "2025-01-01", args{"invoice_number": "1", "amount": 1, "memo": "m"}))
		id := self(first)
		b.correct(id, "amount", 5)
		same(t, policy+": a correction alone", conflicts(b.snapshot(id)), "")
		for name, later := range map[string]func() []any{
			"a payload": func() []any {
				return b.Call(submitName, submit("invoice", "2026-06-01", args{"invoice_number": "1", "amount": 7}))["warnings"].([]any)
			},
			"a payload of an earlier day": func() []any {
				return b.Call(submitName, submit("invoice", "2024-06-01", args{"invoice_number": "1", "amount": 8}))["warnings"].([]any)
			},
			"the same payload again": func() []any {
				return b.Call(submitName, submit("invoice", "2025-01-01", args{"invoice_number": "1", "amount": 1, "memo": "m"}))["warnings"].([]any)
			},
			"a record": func() []any {
				return b.warned(storeName, args{"type": "invoice", "properties": args{"invoice_number": "1", "amount": 9}})
			},
			"an update": func() []any {
				return b.warned(updateName, args{"id": first["payload_id"], "properties": args{"amount": 10}})
			},
			"a file": func() []any {
				return b.upload("i.json", `{"document_type":"invoice","invoice_number":"1","amount":11}`)["warnings"].([]any)
			},
			"a file with properties": func() []any {
				return b.Call(uploadName, args{"file_path": b.file("g.txt", "some bytes"), "properties": `{"document_type":"invoice","invoice_number":"1","amount":12}`})["warnings"].([]any)
			},
			"what is taken in": func() []any {
				b.take("r9", "invoice", b.Clock.Now().UnixMilli(), true, args{"invoice_number": "1", "amount": 13})
				return b.stands("r9", "invoice", args{"amount": 14})
			},
		} {
			warnings := later()
			contains(t, policy+": "+name, text(warnings), "amount of the invoice "+id+" stands as the user corrected it")
			same(t, policy+": "+name, text(b.snapshot(id)["snapshot"].(args)["amount"]), want)
			b.Clock.Advance(time.Minute)
		}
		if conflicts(b.snapshot(id)) == "" {
			t.Errorf("%s: the snapshot shows no conflicts", policy)
		}
		b.rebuild()
	}
}

// warned calls a tool and returns its warnings.
func (b *bench) warned(tool string, in any) []any {
	b.T.Helper()
	list := []any{}
	for _, w := range b.CallAllowingRefusal(tool, in).Hints.Warnings {
		list = append(list, w.Message)
	}
	return list
}

// stands takes a record in and returns what stands against it.
func (b *bench) stands(id, kind string, properties args) []any {
	b.T.Helper()
	list := []any{}
	storetest.Write(b.T, b.Store, func(tx *store.Tx) error {
		now := b.Clock.Now().UnixMilli()
		_, _, stands, err := Intake{}.Add(tx, records.Record{ID: id, Type: kind, Properties: json.RawMessage(text(properties)), CreatedAt: now, UpdatedAt: now}, now, true)
		for _, line := range stands {
			list = append(list, line)
		}
		return err
	})
	return list
}

func TestConflictsAreShownUntilResolved(t *testing.T) {
	b := newBench(t)
	id := b.submit("invoice", "2025-01-01", args{"invoice_number": "1", "amount": 1, "memo": "m"})
	b.correct(id, "amount", 5)
	out := b.Call(submitName, submit("invoice", "2026-06-01", args{"invoice_number": "1", "amount": 7.125, "memo": "m"}))
	c := b.snapshot(id)["conflicts"].([]any)
	same(t, "conflicts", len(c), 1)
	one := c[0].(args)
	same(t, "the conflict", []any{one["field"], one["value"], one["source_priority"]}, []any{"amount", 7.125, 0})
	listed := text(b.Call(observationsName, args{"entity_id": id}))
	contains(t, "the observation behind it", listed, one["provenance"].(string))
	contains(t, "the hints", text(b.CallAllowingRefusal(snapshotName, args{"entity_id": id}).Hints.Warnings), "amount: a later source says something else")
	if strings.Contains(text(out["warnings"]), "7.125") {
		t.Errorf("the warning has the value: %s", text(out["warnings"]))
	}
	b.Clock.Advance(time.Minute)
	b.correct(id, "amount", 7.125)
	same(t, "after the source was followed", conflicts(b.snapshot(id)), "")
	b.rebuild()
}

func TestACorrectionIsWithdrawn(t *testing.T) {
	b := newBench(t)
	id := b.submit("invoice", "2025-01-01", args{"invoice_number": "1", "amount": 1})
	b.Clock.Advance(time.Minute)
	b.correct(id, "amount", 5)
	b.correct(id, "amount", 6)
	b.correct(id, "paid", true)
	corrected := b.Clock.Now()
	b.submit("invoice", b.Clock.Now().Format(time.RFC3339), args{"invoice_number": "1", "amount": 7})
	b.Clock.Advance(time.Minute)
	first := b.CallAllowingRefusal(withdrawName, args{"entity_id": id, "field": "amount", "reason": "it was the one before"})
	contains(t, "the answer", first.Hints.Reasoning, "the correction before it stands again")
	same(t, "the correction before stands again", []any{b.snapshot(id)["snapshot"].(args)["amount"], conflicts(b.snapshot(id))}, []any{5, "amount 7"})
	between := b.Clock.Now()
	b.Clock.Advance(time.Minute)
	w := b.Call(withdrawName, args{"entity_id": id, "field": "amount", "reason": "the invoice was right"})
	same(t, "the value now", w["value"], 7)
	same(t, "the snapshot", b.snapshot(id)["snapshot"].(args)["amount"], 7)
	same(t, "conflicts", conflicts(b.snapshot(id)), "")
	past := b.Call(snapshotName, args{"entity_id": id, "at": corrected.Format(time.RFC3339)})
	same(t, "before the withdrawal", []any{past["snapshot"].(args)["amount"], past["snapshot"].(args)["paid"], conflicts(past)}, []any{6, true, "amount 7"})
	past = b.Call(snapshotName, args{"entity_id": id, "at": between.Format(time.RFC3339)})
	same(t, "between the withdrawals", past["snapshot"].(args)["amount"], 5)
	contains(t, "the history", text(b.Call(observationsName, args{"entity_id": id})), `{"amount":6}`)
	same(t, "another field", b.snapshot(id)["snapshot"].(args)["paid"], true)

	alone := b.CallAllowingRefusal(withdrawName, args{"entity_id": id, "field": "paid"})
	same(t, "a field of which nothing else is known", []any{alone.IsError, b.snapshot(id)["snapshot"].(args)["paid"]}, []any{false, nil})
	e := b.refuse(withdrawName, args{"entity_id": id, "field": "amount"}, "FIELD_NOT_FOUND", "field")
	same(t, "what is corrected", e.Error.Details["corrected_fields"], []any{})
	b.refuse(provenanceName, args{"entity_id": id, "field": "paid"}, "FIELD_NOT_FOUND", "field")
	b.Clock.Advance(time.Minute)
	b.correct(id, "amount", 8)
	same(t, "corrected again", b.snapshot(id)["snapshot"].(args)["amount"], 8)
	b.Call(deleteName, args{"id": w["record_id"]}) // takes the withdrawal back
	same(t, "the latest correction", b.snapshot(id)["snapshot"].(args)["amount"], 8)
	b.Call(withdrawName, args{"entity_id": id, "field": "amount"})
	same(t, "before it, the one whose withdrawal was taken back", b.snapshot(id)["snapshot"].(args)["amount"], 5)
	b.refuse(withdrawName, args{"entity_id": "ent_x", "field": "amount"}, "ENTITY_NOT_FOUND", "entity_id")
	b.refuse(withdrawName, args{"entity_id": id, "field": " "}, "VALIDATION_ERROR", "field")
	b.rebuild()
}

// An id follows from the name that a document gives, so a corrected name may be
// another entity's. That is said, and merging makes both names lead to one.
func TestCorrectedNameOfAnotherEntityIsReported(t *testing.T) {
	vendor := func(b *bench, name, number string) {
		b.submit("invoice", "2025-01-01", args{"invoice_number": number, "vendor_name": name})
	}
	for name, order := range map[string]func(b *bench, old string) string{
		"the document first": func(b *bench, old string) string {
			vendor(b, "Berg Metall", "2")
			return text(b.CallAllowingRefusal(correctName, args{"entity_id": old, "field": "name", "value": "Berg Metall"}))
		},
		"the correction first": func(b *bench, old string) string {
			b.correct(old, "name", "Berg Metall")
			vendor(b, "Berg Metall", "2")
			contains(t, "suggested", fmt.Sprint(b.suggested(old)), "DUPLICATE_OF")
			return text(b.CallAllowingRefusal(relateName, args{"relationship_type": "DUPLICATE_OF", "source_entity_id": company("Berg Metall"), "target_entity_id": old}))
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			vendor(b, "Borg Metal", "1")
			old, other := company("Borg Metal"), company("Berg Metall")
			contains(t, "the answer", order(b, old), "DUPLICATE_OF")
			b.Call(mergeName, args{"source_entity_id": other, "target_entity_id": old})
			vendor(b, "Berg Metall", "3")
			vendor(b, "Borg Metal", "4")
			for _, known := range []string{"Berg Metall", "Borg Metal"} {
				found := b.Call(findName, args{"type": "company", "name": known})
				same(t, "entities found by "+known, found["total"], 1)
			}
			same(t, "the name", b.snapshot(old)["snapshot"].(args)["name"], "Berg Metall")
			b.rebuild()
		})
	}
}

func TestCorrectionsFollowTheirEntityThroughMerges(t *testing.T) {
	b := newBench(t)
	acme, beta := company("Acme"), company("Beta")
	b.Call(storeName, args{"type": "company", "properties": args{"name": "Acme", "city": "Bonn"}})
	b.Call(storeName, args{"type": "company", "properties": args{"name": "Beta", "city": "Kiel"}})
	b.correct(acme, "city", "Köln")
	b.Call(storeName, args{"type": "company", "properties": args{"name": "Beta", "city": "Ulm"}})
	city := func(id string) any { return b.snapshot(id)["snapshot"].(args)["city"] }
	b.Call(mergeName, args{"source_entity_id": acme, "target_entity_id": beta})
	same(t, "merged", []any{city(beta), conflicts(b.snapshot(beta))}, []any{"Köln", `city "Ulm"`})
	b.Call(withdrawName, args{"entity_id": beta, "field": "city"})
	same(t, "withdrawn", city(beta), "Ulm")
	b.Call(unmergeName, args{"entity_id": acme})
	same(t, "parted", []any{city(acme), city(beta)}, []any{"Bonn", "Ulm"})
	b.rebuild()
}

func TestRecordUpdateSurvivesNextSync(t *testing.T) {
	b := newBench(t)
	b.take("r1", "email", noon.UnixMilli(), false, args{"subject": "a letter", "folder": "inbox", "size": 1})
	b.Call(updateName, args{"id": "r1", "properties": args{"folder": "kept"}})
	b.Clock.Advance(time.Hour)
	contains(t, "the answer", text(b.stands("r1", "email", args{"subject": "a letter", "folder": "spam", "size": 2})), "folder of the message")
	r := b.Call(retrieveName, args{"type": "email"})["records"].([]any)[0].(args)
	same(t, "the record", text(r["properties"]), `{"folder":"kept","size":2,"subject":"a letter"}`)
	id := b.Call(findName, args{"text": "letter"})["entities"].([]any)[0].(args)["entity_id"].(string)
	same(t, "its entity", []any{b.snapshot(id)["snapshot"].(args)["folder"], conflicts(b.snapshot(id))}, []any{"kept", `folder "spam"`})
	b.rebuild()
}

func TestAnUpdateKeepsWhatItReplaced(t *testing.T) {
	b := newBench(t)
	up := b.upload("n.md", "# A note\n\nabout otters")
	id, url := record(up)["id"].(string), up["file_url"].(string)
	before := properties(up)
	b.Clock.Advance(time.Minute)
	b.Call(updateName, args{"id": id, "file_urls": []string{}})
	b.Clock.Advance(time.Minute)
	b.Call(updateName, args{"id": id, "type": "letter", "properties": args{"title": "Changed"}, "embedding": []float64{1, 2}})
	same(t, "the only copy", len(b.blobs()), 1)
	b.Call(fileURLName, args{"file_path": url})
	found := b.Call(retrieveName, args{"type": "letter", "history": true})["records"].([]any)[0].(args)
	same(t, "now", []any{found["file_urls"], found["properties"].(args)["title"]}, []any{[]string{}, "Changed"})
	history := found["history"].([]any)
	same(t, "states before", len(history), 2)
	first := history[1].(args)
	same(t, "the first", []any{first["file_urls"], text(first["properties"]), first["replaced_at"]}, []any{[]string{url}, text(before), "2026-01-01T12:01:00Z"})
	same(t, "unasked", b.Call(retrieveName, args{"type": "letter"})["records"].([]any)[0].(args)["history"], nil)
	b.Call(deleteName, args{"id": id})
	same(t, "after its deletion", len(b.blobs()), 0)
}

func TestACorrectionTakesValuesOfEveryTypeAlsoAsText(t *testing.T) {
	b := newBench(t)
	id := b.submit("invoice", "2025-01-01", args{"invoice_number": "1", "amount": 1, "paid": false, "memo": "m", "parts": []any{1}})
	for _, c := range []struct {
		name, field string
		given       any
		want        string
	}{
		{"a number", "amount", 2.5, `2.5`},
		{"a number as text, where a number was", "amount", "3.50", `3.5`},
		{"a number as text, where text was", "memo", "0012", `"0012"`},
		{"digits, where text was", "memo", "12", `"12"`},
		{"digits of a new field", "tax_id", "12", `"12"`},
		{"a truth value", "paid", true, `true`},
		{"a truth value as text", "paid", "false", `false`},
		{"text that reads like a truth value", "memo", "true", `"true"`},
		{"a list", "parts", []any{1, "a"}, `[1,"a"]`},
		{"a list as text", "parts", `["b",{"c":1}]`, `["b",{"c":1}]`},
		{"an object", "memo", args{"a": 1}, `{"a":1}`},
		{"an object as text", "memo", `{"a": 2}`, `{"a":2}`},
		{"text in quotes", "memo", `"3"`, `"3"`},
		{"text", "memo", "a [b", `"a [b"`},
		{"a German amount", "amount", "85,50", `85.5`},
		{"an amount with thousands", "amount", "1.234,56", `1234.56`},
		{"an amount of a new field", "shipping_amount", "4,90", `4.9`},
		{"an amount with two readings", "amount", "1,234", `"1,234"`},
		{"a day", "due_date", "2026-12-05", `"2026-12-05"`},
		{"a day in words", "due_date", "5. Dezember 2026", `"2026-12-05"`},
		{"a day of one reading", "due_date", "25.12.2026", `"2026-12-25"`},
		{"an amount with its currency", "amount", "85,50 EUR", `"85,50 EUR"`},
	} {
		b.Clock.Advance(time.Second)
		out := b.Call(correctName, args{"entity_id": id, "field": c.field, "value": c.given})
		same(t, c.name, text(out["value"]), text(json.RawMessage(c.want)))
	}
	b.Call(correctName, args{"entity_id": id, "field": "amount", "value": 1})
	contains(t, "an amount that was read", text(b.warned(correctName, args{"entity_id": id, "field": "amount", "value": "85,50"})), "read as a number")
	contains(t, "another type than before", text(b.warned(correctName, args{"entity_id": id, "field": "amount", "value": "about 3"})), "held a number and now holds text")
	d := b.Registry.Get(correctName)
	published, err := d.InputSchema()
	if err != nil {
		t.Fatal(err)
	}
	contains(t, "the published schema", string(published), `"value":{"type":"string","maxLength":1048576,"description":`)
	for _, none := range []string{"2026-13-40", "03/04/2026", "soon"} {
		b.refuse(correctName, args{"entity_id": id, "field": "due_date", "value": none}, "VALIDATION_ERROR", "value")
	}
}

func TestACorrectionWarnsOfFieldsAndPeriodsThatAreOdd(t *testing.T) {
	b := newBench(t)
	invoice := b.submit("invoice", "2025-01-01", args{"invoice_number": "1", "date": "2025-01-01"})
	b.Call(storeName, args{"type": "event", "properties": args{"title": "Dentist", "start": "2026-12-02T09:00:00+01:00", "end": "2026-12-02T10:00:00+01:00"}})
	event := b.Call(findName, args{"type": "event"})["entities"].([]any)[0].(args)["entity_id"].(string)
	for _, tc := range []struct {
		entity, field, value, want string // the warning; empty: none
	}{
		{invoice, "due_date", "2025-01-15", ""},
		{invoice, "vendor_name", "Acme", ""},
		{invoice, "vendor_nme", "Acme", "not known before"},
		{invoice, "date", "2025-02-01", "due_date is before date"},
		{event, "start", "2026-12-09T09:00:00+01:00", "end is before start"},
		{event, "end", "2026-12-09T10:00:00+01:00", ""},
	} {
		warnings := text(b.warned(correctName, args{"entity_id": tc.entity, "field": tc.field, "value": tc.value}))
		if tc.want == "" {
			same(t, tc.field, warnings, "[]")
		} else {
			contains(t, tc.field, warnings, tc.want)
		}
		b.Clock.Advance(time.Minute)
	}
}

func TestTheReasonOfACorrectionIsShown(t *testing.T) {
	b := newBench(t)
	id := b.submit("invoice", "2025-01-01", args{"invoice_number": "1", "amount": 1})
	b.Call(correctName, args{"entity_id": id, "field": "amount", "value": 2, "reason": "a discount was agreed"})
	from := b.Call(provenanceName, args{"entity_id": id, "field": "amount"})["source_record"].(args)
	same(t, "in the provenance", from["reason"], "a discount was agreed")
	list := b.Call(observationsName, args{"entity_id": id})["observations"].([]any)
	same(t, "among the observations", []any{list[0].(args)["reason"], list[1].(args)["reason"]}, []any{"a discount was agreed", nil})
}

func TestRecordWithCorrectedFieldReturnsWarning(t *testing.T) {
	b := newBench(t)
	file := args{"file_path": b.file("i.txt", "INVOICE\n\nInvoice number: I-7\nInvoice date: 2026-03-02\nVendor: Acme Corp\n\nTotal: EUR 90.10\n")}
	out := b.Call(uploadName, file)
	record, entity := out["record"].(args)["id"].(string), self(out)
	b.submit("invoice", "2026-01-01", args{"invoice_number": "other", "amount": 1})
	said := func() string { // but for the last: that the tool is deprecated
		list := b.warned(retrieveName, args{"type": "invoice"})
		return text(list[:len(list)-1])
	}
	same(t, "before a correction", said(), "[]")
	b.Call(correctName, args{"entity_id": entity, "field": "amount", "value": 95.5})
	for door, says := range map[string]string{"retrieve_records": said(), "the same file again": text(b.Call(uploadName, file)["warnings"])} {
		for _, want := range []string{"amount of record " + record, snapshotName + " of " + entity} {
			contains(t, door, says, want)
		}
		same(t, door+" names the value", strings.Contains(says, "95.5"), false)
	}
	b.Call(correctName, args{"entity_id": entity, "field": "memo", "value": "a field that the record does not show"})
	same(t, "fields that are named", strings.Contains(said(), "memo"), false)
	b.Call(correctName, args{"entity_id": entity, "field": "amount", "value": 90.1})
	same(t, "corrected to what the document said", said(), "[]")
	b.Call(correctName, args{"entity_id": entity, "field": "amount", "value": 95.5})
	b.Call(withdrawName, args{"entity_id": entity, "field": "amount"})
	same(t, "after the withdrawal", said(), "[]")
}

func TestCorrectionWarningsAreLimited(t *testing.T) {
	b := newBench(t)
	for i := range 2 * maxCorrectedWarnings {
		entity := b.submit("invoice", "2026-01-01", args{"invoice_number": "I-" + strconv.Itoa(i), "amount": 1})
		b.Call(correctName, args{"entity_id": entity, "field": "amount", "value": 2})
	}
	said := b.warned(retrieveName, args{"type": "invoice", "limit": 100})
	same(t, "warnings, with the one that the tool is deprecated", len(said), maxCorrectedWarnings+2)
	contains(t, "the last", text(said[maxCorrectedWarnings]), "further records")
}

func TestACorrectedVendorIsTheCompanyThatTheInvoiceRefersTo(t *testing.T) {
	for name, vendor := range map[string]string{"a vendor that was not read": "", "a vendor that was misread": "Vendor: Acme Corp\n"} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			invoice := self(b.upload("i.txt", "INVOICE\n\nInvoice number: F26/0452\nInvoice date: 2026-11-13\n"+vendor+"Customer: Test Customer\n\nTotal: 725.80 EUR\n"))
			before := b.related(invoice)
			b.Clock.Advance(time.Second)
			b.Call(correctName, args{"entity_id": invoice, "field": "vendor_name", "value": "Laiterie de Kerguen"})
			same(t, "after the correction", b.related(invoice), []string{"F26/0452 REFERS_TO Laiterie de Kerguen as vendor", "F26/0452 REFERS_TO Test Customer as customer"})
			same(t, "companies of the name", b.Call(findName, args{"type": "company", "name": "Laiterie de Kerguen"})["total"], 1)
			b.rebuild()
			b.Clock.Advance(time.Second)
			b.Call(withdrawName, args{"entity_id": invoice, "field": "vendor_name"})
			same(t, "after it was withdrawn", b.related(invoice), before)
			b.rebuild()
		})
	}
}
