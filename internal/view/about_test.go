package view

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"toolkit/tools/entities"
)

type aboutReply struct {
	Sure, Likely []struct{ Kind, ID, Text, Why, Chart, Session string }
	More         bool
}

func (r aboutReply) told(likely bool) (list []string) {
	from := r.Sure
	if likely {
		from = r.Likely
	}
	for _, m := range from {
		list = append(list, strings.TrimSuffix(m.Kind+": "+m.Text+" ("+m.Why+")", " ()"))
	}
	return list
}

// invoiceOf submits an invoice and returns the id of its vendor and its own.
func (b *bench) invoiceOf(number, vendor, currency string) (vendorID, invoiceID string) {
	b.t.Helper()
	out := b.remember("submit_payload", arguments{
		"capability_id": "neotoma:store_invoice:v1",
		"body":          arguments{"invoice_number": number, "amount": 1480.5, "vendor_name": vendor, "customer_name": "Ada Organs", "date": "2026-02-03", "currency": currency},
		"provenance":    arguments{"source_refs": []string{"invoices/" + number + ".pdf"}, "extracted_at": "2026-02-03T09:00:00Z", "extractor_version": "reader:v1", "agent_id": "reader"},
	})
	for _, one := range out["entities"].([]any) {
		e := one.(map[string]any)
		switch {
		case e["entity_type"] == "invoice":
			invoiceID = e["entity_id"].(string)
		case vendorID == "":
			vendorID = e["entity_id"].(string)
		}
	}
	return vendorID, invoiceID
}

func TestEntityAboutSeparatesSureFromLikelyMentions(t *testing.T) {
	b := newBench(t)
	r := b.reader()
	id, _ := b.invoiceOf("L-2041", "Müller Pfeifen GmbH", "EUR")
	b.remember("create_entities", arguments{"entities": []arguments{
		{"name": "Müller Pfeifen GmbH", "entityType": "company", "observations": []string{"Delivers in three weeks"}},
		{"name": "Mueller Pfeifen GmbH", "entityType": "company", "observations": []string{"Seen on a letter"}},
		{"name": "Müller Pfeifen", "entityType": "company", "observations": []string{"Seen at a fair"}},
		{"name": "Mueller Pfeifen", "entityType": "company", "observations": []string{"Seen at another"}},
		{"name": "Müller Pfeifen Ltd", "entityType": "company", "observations": []string{"Another one"}},
		{"name": "Jonas", "entityType": "person", "observations": []string{"Likes Müller Pfeifen GmbH"}},
	}})
	b.remember("create_relations", arguments{"relations": []arguments{{"from": "Müller Pfeifen GmbH", "to": "Jonas", "relationType": "employs"}}})
	b.remember("create_structural_tension_chart", arguments{
		"desiredOutcome": "The organ sounds", "dueDate": "2030-01-01", "currentReality": "Nothing is ordered yet",
		"actionSteps": []string{"Tongues of Müller Pfeifen GmbH ordered", "Müller Pfeifen visited", "Programme agreed"},
	})
	for _, text := range []string{"Müller Pfeifen GmbH delivers late in spring.", "Müller Pfeifen moves in May.", "A miller sells pipes; the GmbH of Müller is old."} {
		b.remember("compress_to_l2_insight", arguments{"content": text, "source_ids": []int64{}})
	}
	b.remember("store_raw_dialogue", arguments{"session_id": "spring", "speaker": "Ada", "content": "I called MÜLLER PFEIFEN GMBH today."})
	got := ask[aboutReply](r, "entity/about?id="+id)
	wantSure := []string{"node: Müller Pfeifen GmbH", "step: Tongues of Müller Pfeifen GmbH ordered", "insight: Müller Pfeifen GmbH delivers late in spring.", "dialogue: I called MÜLLER PFEIFEN GMBH today."}
	if sure := got.told(false); !slices.Equal(sure, wantSure) {
		t.Errorf("sure: %q", sure)
	}
	likely := got.told(true)
	slices.Sort(likely)
	want := []string{"insight: Müller Pfeifen moves in May. (with or without a legal form)", "node: Mueller Pfeifen (with or without a legal form)", "node: Mueller Pfeifen GmbH (the name in another spelling)", "node: Müller Pfeifen (with or without a legal form)", "step: Müller Pfeifen visited (with or without a legal form)"}
	if !slices.Equal(likely, want) {
		t.Errorf("likely: %q", likely)
	}
	named := ask[struct{ Entities []struct{ ID string } }](r, "entity/named?name="+url.QueryEscape("Müller Pfeifen GmbH"))
	if len(named.Entities) != 1 || named.Entities[0].ID != id {
		t.Errorf("from the graph one comes to %+v", named)
	}
	if none := ask[struct{ Entities []struct{ ID string } }](r, "entity/named?name=Jonas"); len(none.Entities) != 0 {
		t.Errorf("no document speaks of him: %+v", none)
	}
}

func TestNamesOfAnyKindAreLookedFor(t *testing.T) {
	b := newBench(t)
	r := b.reader()
	for _, name := range []string{`"quoted" OR (NEAR`, "name : x*", "—", "田中商店", "שלום עולם", strings.Repeat("x", 400), "a/b?c#d%2F&e=f", "😀"} {
		b.remember("compress_to_l2_insight", arguments{"content": "Of " + name + " we know little.", "source_ids": []int64{}})
		id, _ := b.invoiceOf("N "+name, name, "EUR")
		if id == "" {
			continue
		}
		got := ask[aboutReply](r, "entity/about?id="+id)
		for _, m := range got.Sure {
			if !strings.Contains(m.Text, name) {
				t.Errorf("%q: %+v", name, m)
			}
		}
		if name == "שלום עולם" && len(got.Sure) != 1 || name == "田中商店" && len(got.Sure) != 1 {
			t.Errorf("%q is not found: %+v", name, got)
		}
	}
	r.refused("entity/about", 400)
	if got := ask[aboutReply](r, "entity/about?id=ent_unknown"); len(got.Sure)+len(got.Likely) != 0 {
		t.Errorf("%+v", got)
	}
}

type sourceReply struct {
	Kind, File, Element string
	Stored              bool
	Page, Line          int
}

func TestEachFieldTellsItsSourceAtOnceAsItsProvenanceDoes(t *testing.T) {
	b := newBench(t)
	r := b.reader()
	out := b.upload("mill.txt", []byte("INVOICE\n\nInvoice number: T-17\nInvoice date: 2025-03-02\nVendor: Northwind Mill GmbH\n\nTotal: 119.00 EUR\n"))
	id := out["entities"].([]any)[0].(map[string]any)["entity_id"].(string)
	b.remember("correct_field", arguments{"entity_id": id, "field": "due_date", "value": "2025-04-01", "reason": "on page two"})
	reply := ask[struct{ Sources map[string]sourceReply }](r, "entity?id="+id)
	if got, want := reply.Sources["amount"], (sourceReply{Kind: "file", File: "mill.txt", Stored: true, Page: 1, Line: 7}); got != want {
		t.Errorf("amount: %+v", got)
	}
	if got := reply.Sources["due_date"]; got.Kind != "correction" || got.File != "" {
		t.Errorf("due_date: %+v", got)
	}
	for field, source := range reply.Sources {
		one := ask[struct {
			File       string
			Provenance struct {
				Source_location struct{ Page, Line int } //nolint:revive // as it travels
			}
		}](r, "entity/provenance?id="+id+"&field="+field)
		if at := one.Provenance.Source_location; source.Kind == "file" && (one.File != source.File || at.Page != source.Page || at.Line != source.Line) {
			t.Errorf("%s: %+v, its provenance %+v", field, source, one)
		}
	}
	_, output := b.invoiceOf("L-9", "Mill", "EUR")
	if got := ask[struct{ Sources map[string]sourceReply }](r, "entity?id="+output).Sources["amount"]; got != (sourceReply{Kind: "payload", File: "L-9.pdf"}) {
		t.Errorf("what an assistant told: %+v", got)
	}
}

func TestDocumentsAreListedWithAmountCurrencyDateAndFile(t *testing.T) {
	b := newBench(t)
	r := b.reader()
	vendor, invoice := b.invoiceOf("L-1", "Mill", "EUR")
	_, bare := b.invoiceOf("L-2", "Mill", "")
	type figure struct {
		Amount               float64
		Currency, Date, File string
	}
	list := ask[struct{ Figures map[string]figure }](r, "entities").Figures
	if list[invoice] != (figure{1480.5, "EUR", "2026-02-03", "L-1.pdf"}) || list[bare] != (figure{1480.5, "", "2026-02-03", "L-2.pdf"}) {
		t.Errorf("%+v", list)
	}
	if list[vendor] != (figure{File: "L-2.pdf"}) {
		t.Errorf("a company has no figures, and the file that spoke of it last: %+v", list)
	}
	near := ask[struct {
		Connections []struct {
			Entity_id, Role, Date string //nolint:revive // as it travels
			Amount                float64
		}
	}](r, "entity/connections?id="+vendor).Connections
	if len(near) != 2 || near[0].Role != "vendor" || near[0].Amount != 1480.5 || near[0].Date != "2026-02-03" {
		t.Errorf("%+v", near)
	}
}

func TestADocumentHasTheCurrencyOfTheSourceOfItsAmount(t *testing.T) {
	b := newBench(t)
	submit := func(number, day string, body arguments) {
		body["invoice_number"], body["vendor_name"], body["date"] = number, "Acme GmbH", "2026-03-01"
		b.remember("submit_payload", arguments{"capability_id": "neotoma:store_invoice:v1", "body": body,
			"provenance": arguments{"source_refs": []string{"file:///srv/" + number + day + ".pdf"}, "extracted_at": day + "T10:00:00Z", "extractor_version": "test:1"}})
	}
	submit("ONE", "2026-03-02", arguments{"amount": 1200, "currency": "USD"})
	submit("TWO", "2026-03-02", arguments{"amount": 1200, "currency": "USD"})
	submit("TWO", "2026-03-03", arguments{"amount": 1100})
	reply := ask[struct {
		Found struct {
			Entities []struct{ Entity_id, Canonical_name string }
		}
		Figures map[string]entities.Figure
	}](b.reader(), "entities?type=invoice")
	want := map[string]string{"ONE": "1200 USD", "TWO": "1100 "}
	for _, e := range reply.Found.Entities {
		f := reply.Figures[e.Entity_id]
		if got := string(f.Amount) + " " + f.Currency; got != want[e.Canonical_name] || f.From != "Acme GmbH" {
			t.Errorf("%s is %q from %q, want %q", e.Canonical_name, got, f.From, want[e.Canonical_name])
		}
	}
	if len(reply.Found.Entities) != 2 {
		t.Errorf("%+v", reply.Found)
	}
}
