package entities

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"toolkit/internal/storetest"
	"toolkit/internal/toolstest"
	"toolkit/store"
	"toolkit/store/records"
	"toolkit/tools"
)

// ids are the ids of retrieved records in order.
func ids(out args) []string {
	list := []string{}
	for _, r := range out["records"].([]any) {
		list = append(list, r.(args)["id"].(string))
	}
	return list
}

func (b *bench) keep(kind string, properties args) string {
	b.T.Helper()
	b.Clock.Advance(time.Second)
	return b.Call(storeName, args{"type": kind, "properties": properties})["id"].(string)
}

func TestRecordsAreFoundByTypeValuesAndWords(t *testing.T) {
	b := newBench(t)
	bill := b.keep("bill", args{"vendor": args{"name": "Acme"}, "amount": 100, "tags": []string{"a", "b"}})
	upload := b.keep("FinancialRecord", args{"document_type": "invoice", "amount": 100.50, "note": "hosting of servers"})
	person := b.keep("Person", args{"name": "Ünal Berg", "note": "runs the server room"})
	b.Clock.Advance(time.Second)
	payload := b.Call(submitName, submit("transaction", "2025-01-01", args{"transaction_id": "T1", "amount": 100, "merchant_name": "Server Hosting Ltd"}))["payload_id"].(string)
	for _, c := range []struct {
		name string
		in   args
		want []string
	}{
		{"everything, newest first", args{}, []string{payload, person, upload, bill}},
		{"a type by alias and subtype", args{"type": "invoice"}, []string{upload, bill}},
		{"an alias of it", args{"type": "Bill"}, []string{upload, bill}},
		{"a family", args{"type": "financialrecord"}, []string{payload, upload, bill}},
		{"expense is transaction", args{"type": "expense"}, []string{payload}},
		{"person is contact", args{"type": "contact"}, []string{person}},
		{"a type nobody has", args{"type": "spaceship"}, []string{}},
		{"an equal value, however written", args{"properties": args{"amount": 100.0}}, []string{payload, bill}},
		{"type and value", args{"type": "invoice", "properties": args{"amount": 100}}, []string{bill}},
		{"a dotted path", args{"properties": args{"vendor.name": "Acme"}}, []string{bill}},
		{"an object as a whole", args{"properties": args{"vendor": args{"name": "Acme"}}}, []string{bill}},
		{"an array as a whole", args{"properties": args{"tags": []string{"a", "b"}}}, []string{bill}},
		{"an array in another order", args{"properties": args{"tags": []string{"b", "a"}}}, []string{}},
		{"an item", args{"properties": args{"tags.1": "b"}}, []string{bill}},
		{"two values", args{"properties": args{"amount": 100, "vendor.name": "Acme"}}, []string{bill}},
		{"another type of value", args{"properties": args{"amount": "100"}}, []string{}},
		{"a word in any inflection", args{"search": []string{"server"}}, []string{payload, person, upload}},
		{"all words of a term", args{"search": []string{"server hosting"}}, []string{payload, upload}},
		{"terms ORed", args{"search": []string{"acme", "unal"}, "search_mode": "keyword"}, []string{person, bill}},
		{"words and a type", args{"search": []string{"server"}, "type": "contact"}, []string{person}},
		{"words and a value", args{"search": []string{"server"}, "properties": args{"amount": 100}}, []string{payload}},
		{"syntax of the index", args{"search": []string{`zebra" OR *`}}, []string{}},
		{"grammar is not looked for", args{"search": []string{"what is of the acme"}}, []string{bill}},
	} {
		out := b.Call(retrieveName, c.in)
		if c.in["search"] == nil {
			same(t, c.name, ids(out), c.want)
		} else {
			same(t, c.name, sortedCopy(ids(out)), sortedCopy(c.want))
		}
		same(t, c.name+": total", out["total"], len(c.want))
	}
	page := b.Call(retrieveName, args{"limit": 2})
	same(t, "limited", ids(page), []string{payload, person})
	same(t, "total before the limit", page["total"], 4)
	same(t, "mode", []any{page["search_mode_used"], page["embedding_model"]}, []any{"none", "none"})
	same(t, "mode of a search", b.Call(retrieveName, args{"search": []string{"x"}, "search_mode": "semantic"})["search_mode_used"], "keyword")
}

func TestTheWordsOfASearchCountTogether(t *testing.T) {
	b := newBench(t)
	items := func(names ...string) args {
		var lines []args
		for _, name := range names {
			lines = append(lines, args{"item": name, "quantity": 2})
		}
		return args{"vendor": "Millrace", "lines": lines}
	}
	flour := b.keep("invoice", items("flour", "paper bags"))
	both := b.keep("invoice", items("flour", "sugar", "yeast"))
	note := b.keep("note", args{"text": "We need yeast and flour again. They want an invoice."})
	b.keep("note", args{"text": "Customers want to query the data."})
	brightleaf := b.keep("note", args{"text": "Brightleaf asked for single sign-on."})
	for question, want := range map[string][]string{
		"flour and yeast invoice":     {both, note},
		"sugar and yeast":             {both},
		"the invoice with paper bags": {flour},
		"what did Brightleaf ask for": {brightleaf},
		"what did Silverpine want":    {},
		"umbrella and raincoat":       {},
		"sugar and cream":             {},
	} {
		same(t, question, ids(b.Call(retrieveName, args{"search": []string{question}})), want)
	}
}

func sortedCopy(list []string) []string {
	return slices.Sorted(slices.Values(list))
}

func TestQueriesThatAreRefused(t *testing.T) {
	b := newBench(t)
	for _, c := range []struct {
		in    args
		field string
	}{
		{args{"limit": 0}, "limit"}, {args{"limit": 1001}, "limit"}, {args{"limit": "10"}, "limit"}, {args{"type": " "}, "type"}, {args{"type": 1}, "type"},
		{args{"properties": []int{}}, "properties"}, {args{"properties": args{strings.Repeat("a.", 40): 1}}, "properties"}, {args{"search": "x"}, "search"},
		{args{"search": []string{"x", "  "}}, "search[1]"}, {args{"search_mode": "magic"}, "search_mode"}, {args{"similarity_threshold": 1.5}, "similarity_threshold"},
		{args{"query_embedding": []string{"x"}}, "query_embedding[0]"},
	} {
		b.refuse(retrieveName, c.in, "VALIDATION_ERROR", c.field)
	}
	for _, c := range []struct {
		in    args
		field string
	}{
		{args{"properties": args{}}, "type"}, {args{"type": "", "properties": args{}}, "type"}, {args{"type": "  ", "properties": args{}}, "type"}, {args{"type": "x"}, "properties"},
	} {
		b.refuse(storeName, c.in, "VALIDATION_ERROR", c.field)
	}
	for _, c := range []struct {
		in    args
		field string
	}{
		{args{}, "id"}, {args{"id": " ", "type": "x"}, "id"}, {args{"id": "x"}, "properties"}, {args{"id": "x", "type": "  "}, "type"}, {args{"id": "x", "file_urls": "y"}, "file_urls"},
	} {
		b.refuse(updateName, c.in, "VALIDATION_ERROR", c.field)
	}
	b.refuse(deleteName, args{"id": ""}, "VALIDATION_ERROR", "id")
	e := b.refuse(updateName, args{"id": "550e8400-e29b-41d4-a716-446655440000", "type": "x"}, "RECORD_NOT_FOUND", "id")
	same(t, "status", e.Error.Details["http_status"], 404)
}

func TestUpdatesMergeAndStandInTheEntity(t *testing.T) {
	b := newBench(t)
	out := b.Call(submitName, submit("invoice", "2025-01-01", args{"invoice_number": "1", "amount": 1, "vendor_name": "Acme"}))
	id := out["payload_id"].(string)
	b.Clock.Advance(time.Minute)
	in := args{"id": id, "properties": args{"status": "paid", "vendor_name": "Beta LLC", "amount": nil}, "file_urls": []string{"f"}, "embedding": []float64{0.5, 1}}
	r := b.Call(updateName, in)
	same(t, "properties", text(r["properties"]), `{"amount":1,"invoice_number":"1","status":"paid","vendor_name":"Beta LLC"}`)
	same(t, "times", []any{r["created_at"], r["updated_at"]}, []any{"2026-01-01T12:00:00Z", "2026-01-01T12:01:00Z"})
	same(t, "retrieved", ids(b.Call(retrieveName, args{"properties": args{"status": "paid"}})), []string{id})
	same(t, "no longer under the old value", ids(b.Call(retrieveName, args{"properties": args{"vendor_name": "Acme"}})), []string{})
	same(t, "found by new words", ids(b.Call(retrieveName, args{"search": []string{"beta"}})), []string{id})
	same(t, "no longer by old words", ids(b.Call(retrieveName, args{"search": []string{"acme"}})), []string{})
	s := b.snapshot(self(out))
	same(t, "the entity", s["snapshot"].(args)["status"], "paid")
	same(t, "the new vendor", b.snapshot(company("Beta"))["snapshot"].(args)["name"], "Beta LLC")
	p := b.Call(provenanceName, args{"entity_id": self(out), "field": "status"})["source_observation"].(args)
	same(t, "weights", []any{p["specificity_score"], p["source_priority"]}, []any{1, 100})
	b.Clock.Advance(time.Minute)
	count := b.snapshot(self(out))["observation_count"]
	same(t, "the update repeated", text(b.Call(updateName, in)), text(r))
	same(t, "observations", b.snapshot(self(out))["observation_count"], count)
	b.Call(correctName, args{"entity_id": self(out), "field": "status", "value": "open"})
	b.Clock.Advance(time.Minute)
	again := b.CallAllowingRefusal(updateName, in)
	same(t, "said again after a correction", b.snapshot(self(out))["snapshot"].(args)["status"], "open")
	contains(t, "the answer", text(again.Hints.Warnings), "status of the invoice "+self(out)+" stands as the user corrected it")
	b.Call(withdrawName, args{"entity_id": self(out), "field": "status"})
	same(t, "once the correction is withdrawn", b.snapshot(self(out))["snapshot"].(args)["status"], "paid")
	storetest.Read(t, b.Store, func(tx *store.Tx) error {
		stored, _, err := records.In(tx).PayloadByID(id)
		contains(t, "the payload's body", string(stored.Body), `"vendor_name":"Acme"`)
		return err
	})
	b.Call(updateName, args{"id": id, "type": "receipt"})
	same(t, "retyped", []int{len(ids(b.Call(retrieveName, args{"type": "invoice"}))), len(ids(b.Call(retrieveName, args{"type": "receipt"})))}, []int{0, 1})
	b.rebuild()
}

func TestEmptyRecordBecomesEntityWithFirstProperties(t *testing.T) {
	b := newBench(t)
	id := b.keep("contact", args{})
	b.Call(updateName, args{"id": id, "properties": args{"name": "Anna"}})
	found := b.Call(findName, args{"name": "anna"})
	same(t, "entities", found["total"], 1)
	b.Call(updateName, args{"id": id, "properties": args{"phone": "1"}})
	s := b.snapshot(found["entities"].([]any)[0].(args)["entity_id"].(string))
	same(t, "the entity", text(s["snapshot"]), `{"name":"Anna","phone":"1"}`)
}

func TestDeletingRetractsAndResubmittingRestores(t *testing.T) {
	b := newBench(t)
	first := b.Call(submitName, submit("invoice", "2025-01-01", args{"invoice_number": "1", "vendor_name": "Acme Corp", "due_date": "2025-03-01"}))
	again := submit("invoice", "2025-02-01", args{"invoice_number": "2", "vendor_name": "ACME", "amount": 7})
	second := b.Call(submitName, again)
	b.Call(relateName, args{"relationship_type": "PART_OF", "source_entity_id": self(second), "target_entity_id": self(first)})
	want := b.everything()
	id := second["payload_id"]
	same(t, "deleted", text(b.Call(deleteName, args{"id": id})), fmt.Sprintf(`{"deleted_id":%q,"success":true}`, id))
	b.refuse(deleteName, args{"id": id}, "RECORD_NOT_FOUND", "id")
	e := b.refuse(snapshotName, args{"entity_id": self(second)}, "ENTITY_NOT_FOUND", "entity_id")
	contains(t, "the reason", e.Error.Details["reason"].(string), "any more")
	same(t, "the vendor goes by the other name", b.snapshot(company("Acme"))["snapshot"].(args)["name"], "Acme Corp")
	same(t, "records", b.Call(retrieveName, args{})["total"], 1)
	same(t, "by words", b.Call(retrieveName, args{"search": []string{"2"}})["total"], 0)
	same(t, "relationships", b.Call(relationshipsName, args{"entity_id": self(first), "relationship_type": "PART_OF"})["total"], 0)
	same(t, "entities", b.Call(findName, args{"type": "invoice"})["total"], 1)
	b.rebuild()
	out := b.Call(submitName, again)
	same(t, "created again", []any{out["created"], out["payload_id"]}, []any{true, id})
	same(t, "the store", b.everything(), want)
	same(t, "relationships again", b.Call(relationshipsName, args{"entity_id": self(first), "relationship_type": "PART_OF"})["total"], 1)
	b.rebuild()
}

// meanings is a vector channel for tests: fixed similarities by record id.
type meanings struct {
	rows  map[string]int64
	found map[string]float64
}

func (m *meanings) UpdateRecord(_ *store.Tx, r records.Record) error {
	m.rows[r.ID] = r.Seq
	return nil
}

func (m *meanings) FindSimilar(_ context.Context, q VectorQuery) (Similar, error) {
	if len(m.found) == 0 {
		return Similar{}, fmt.Errorf("the index is away")
	}
	list := map[int64]float64{}
	for id, s := range m.found {
		if s >= q.Threshold {
			list[m.rows[id]] = s
		}
	}
	return Similar{Records: list, Model: "fixed"}, nil
}

func TestSemanticAndKeywordResultsAreMerged(t *testing.T) {
	found := map[string]float64{}
	b := openBench(t, store.Options{Path: t.TempDir() + "/v.db"}, func(*store.DB) Vectors {
		return &meanings{map[string]int64{}, found}
	})
	word := b.keep("note", args{"title": "server"})
	both := b.keep("note", args{"title": "server room"})
	near := b.keep("note", args{"title": "data centre"})
	other := b.keep("contact", args{"name": "rack"})
	b.refuse(retrieveName, args{"search": []string{"x"}}, "SEARCH_FAILED", "")
	found[both], found[near], found[other], found["gone"] = 0.75, 0.9, 0.8, 1
	out := b.Call(retrieveName, args{"search": []string{"server"}})
	same(t, "both", ids(out), []string{near, other, both, word})
	same(t, "total", out["total"], 4)
	same(t, "said", []any{out["search_mode_used"], out["embedding_model"]}, []any{"both", "fixed"})
	same(t, "similarity", out["records"].([]any)[0].(args)["similarity"], 0.9)
	same(t, "of a type", ids(b.Call(retrieveName, args{"search": []string{"server"}, "type": "note"})), []string{near, both, word})
	out = b.Call(retrieveName, args{"search": []string{"server"}, "search_mode": "semantic", "similarity_threshold": 0.8})
	same(t, "by meaning", append(ids(out), fmt.Sprint(out["total"]), out["search_mode_used"].(string)), []string{near, other, "2", "semantic"})
	out = b.Call(retrieveName, args{"query_embedding": []float64{1, 0}, "limit": 1})
	same(t, "by an embedding", append(ids(out), fmt.Sprint(out["total"])), []string{near, "3"})
	same(t, "by words", b.Call(retrieveName, args{"search": []string{"server"}, "search_mode": "keyword"})["total"], 2)
}

func TestRecordsKeepTheirOrder(t *testing.T) {
	b := newBench(t)
	for i := range 20 {
		b.Call(storeName, args{"type": "transaction", "properties": args{"amount": i % 2, "memo": "same words"}}) // all in one millisecond
	}
	for _, in := range []args{{"type": "transaction"}, {}, {"search": []string{"words"}}, {"properties": args{"amount": 1}}} {
		first := ids(b.Call(retrieveName, in))
		if len(first) != 10 {
			t.Fatalf("%v gives %d records", in, len(first))
		}
		same(t, "again", ids(b.Call(retrieveName, in)), first)
		same(t, "by id", first, sortedCopy(first))
	}
	same(t, "two transactions of one amount are two entities", b.Call(findName, args{"type": "transaction"})["total"], 20)
}

func TestARecordThatSharesAnEverydayWordIsNoCertainMatch(t *testing.T) {
	b := newBench(t)
	b.keep("note", args{"text": "we use the small van on Mondays"})
	b.keep("note", args{"text": "the boiler was repaired by Hansen"})
	for term, answered := range map[string]bool{"use": false, "boiler": true, "boiler repaired": true} {
		r := b.CallAccepted(retrieveName, args{"search": []string{term}})
		doubted := slices.ContainsFunc(r.Hints.Warnings, func(w tools.Warning) bool { return strings.Contains(w.Message, "nothing fits the question well") })
		if doubted == answered || !answered && r.Hints.Confidence > 0.15 {
			t.Errorf("%q: confidence %v, warnings %v", term, r.Hints.Confidence, r.Hints.Warnings)
		}
	}
}

func TestSearchReadsWordsAsEverySearchDoes(t *testing.T) {
	withNoise := func() *bench {
		b := newBench(t)
		b.keep("note", args{"text": "We moved the table out"})
		return b
	}
	for about, cases := range toolstest.Wordings {
		t.Run(about, func(t *testing.T) {
			together := withNoise()
			for _, c := range cases {
				b := together
				if !c.Found {
					b = withNoise() // where nothing is found in its place
				}
				before := b.Call(findName, args{"text": c.Query})["total"].(float64)
				wanted := b.keep("note", args{"text": c.Text})
				if found := slices.Contains(ids(b.Call(retrieveName, args{"search": []string{c.Query}})), wanted); found != c.Found {
					t.Errorf("%q finds the record %q: %v", c.Query, c.Text, found)
				}
				if found := b.Call(findName, args{"text": c.Query})["total"].(float64) > before; found != c.Found {
					t.Errorf("%q finds the entity %q: %v", c.Query, c.Text, found)
				}
			}
		})
	}
}
