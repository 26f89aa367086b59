package entities

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"toolkit/internal/storetest"
	"toolkit/store"
	"toolkit/store/entities"
)

func TestAnInvoiceBecomesEntitiesWithProvenance(t *testing.T) {
	b := newBench(t)
	out := b.Call(submitName, exampleSubmission())
	roles := []string{}
	for _, e := range out["entities"].([]any) {
		roles = append(roles, e.(args)["role"].(string)+" "+e.(args)["entity_type"].(string))
	}
	same(t, "entities", roles, []string{"self invoice", "vendor_name company", "customer_name company"})
	s := b.snapshot(self(out))
	same(t, "amount", s["snapshot"].(args)["amount"], 1500)
	p := b.Call(provenanceName, args{"entity_id": self(out), "field": "amount"})
	same(t, "observation", p["source_observation"].(args)["id"], s["provenance"].(args)["amount"])
	same(t, "record", p["source_record"].(args)["id"], out["payload_id"])
	same(t, "record type", p["source_record"].(args)["type"], "invoice")
	same(t, "payload", p["source_observation"].(args)["source_payload_id"], out["payload_id"])
	same(t, "the other name of the field", b.Call(provenanceName, args{"entity_id": self(out), "field_name": "amount"}), p)
}

func TestFieldsThatCannotBeTraced(t *testing.T) {
	b := newBench(t)
	id := b.submit("invoice", "2025-01-01", args{"invoice_number": "1"})
	e := b.refuse(provenanceName, args{"entity_id": id, "field": "secret"}, "FIELD_NOT_FOUND", "field")
	same(t, "fields", e.Error.Details["available_fields"], []string{"invoice_number"})
	same(t, "status", e.Error.Details["http_status"], 404)
	b.refuse(provenanceName, args{"entity_id": id}, "VALIDATION_ERROR", "field")
	b.refuse(provenanceName, args{"entity_id": id, "field": " "}, "VALIDATION_ERROR", "field")
	b.refuse(provenanceName, args{"entity_id": "ent_none", "field": "x"}, "ENTITY_NOT_FOUND", "entity_id")
	b.refuse(provenanceName, args{"entity_id": "none", "field": "x"}, "VALIDATION_ERROR", "entity_id")
}

func TestUnknownAndMalformedEntities(t *testing.T) {
	b := newBench(t)
	for _, tool := range []string{snapshotName, observationsName, relationshipsName} {
		e := b.refuse(tool, args{"entity_id": "ent_abc123def456"}, "ENTITY_NOT_FOUND", "entity_id")
		same(t, "status", e.Error.Details["http_status"], 404)
		if strings.Contains(text(e), "abc123") {
			t.Errorf("the error shows the id: %s", text(e))
		}
		for _, id := range []any{"", "abc", "ent_", "ent_a b", "ent_a\n", 7} {
			b.refuse(tool, args{"entity_id": id}, "VALIDATION_ERROR", "entity_id")
		}
		b.refuse(tool, args{}, "VALIDATION_ERROR", "entity_id")
	}
}

func TestObservationsAreListedNewestFirst(t *testing.T) {
	b := newBench(t)
	var id string
	for _, day := range []int{2, 5, 1, 4, 3} {
		id = b.submit("invoice", fmt.Sprintf("2025-01-%02d", day), args{"invoice_number": "1", "amount": day})
	}
	page := b.Call(observationsName, args{"entity_id": id, "limit": 3, "offset": 1})
	same(t, "total", page["total"], 5)
	days := []any{}
	for _, o := range page["observations"].([]any) {
		days = append(days, o.(args)["fields"].(args)["amount"])
		same(t, "weights", []any{o.(args)["specificity_score"], o.(args)["source_priority"]}, []any{0.8, 0})
	}
	same(t, "days", days, []int{4, 3, 2})
	same(t, "beyond the end", b.Call(observationsName, args{"entity_id": id, "offset": 9})["observations"], []any{})
	b.refuse(observationsName, args{"entity_id": id, "limit": 0}, "VALIDATION_ERROR", "limit")
	b.refuse(observationsName, args{"entity_id": id, "offset": -1}, "VALIDATION_ERROR", "offset")
}

// TestSnapshotAtEarlierMoment submits on 1, 2 and 3 January 2026 documents of other days.
func TestSnapshotAtEarlierMoment(t *testing.T) {
	b := newBench(t)
	say := func(observed string, amount int) string {
		id := b.submit("invoice", observed, args{"invoice_number": "1", "amount": amount, fmt.Sprint("only", amount): true})
		b.Clock.Advance(24 * time.Hour)
		return id
	}
	id := say("2025-06-01", 1) // ingested on 1 January at noon
	say("2025-08-01", 2)       // on the 2nd
	say("2025-07-01", 3)       // on the 3rd, about a time between
	amount := func(in args) any {
		in["entity_id"] = id
		return b.Call(snapshotName, in)["snapshot"].(args)["amount"]
	}
	for _, c := range []struct {
		name string
		in   args
		want int
	}{
		{"now", args{}, 2},
		{"before anything was ingested, what documents say of then", args{"at": "2025-07-15"}, 3},
		{"before anything was ingested, early", args{"at": "2025-06-15"}, 1},
		{"after the first was ingested", args{"at": "2026-01-01T18:00:00Z"}, 1},
		{"after the second was ingested", args{"at": "2026-01-02T18:00:00Z"}, 2},
		{"with another zone", args{"at": "2026-01-02T20:00:00+02:00"}, 2},
		{"observed by then, ingested by then", args{"at": "2025-07-15", "at_ingested": "2026-01-02T00:00:00Z"}, 1},
		{"ingested by then", args{"at_ingested": "2026-01-02T00:00:00Z"}, 1},
	} {
		same(t, c.name, amount(c.in), c.want)
	}
	s := b.Call(snapshotName, args{"entity_id": id, "at": "2025-07-15"})
	same(t, "fields then", text(s["snapshot"]), `{"amount":3,"invoice_number":"1","only1":true,"only3":true}`)
	same(t, "count then", s["observation_count"], 2)
	e := b.refuse(snapshotName, args{"entity_id": id, "at": "2025-05-31"}, "ENTITY_NOT_FOUND", "at")
	same(t, "first", e.Error.Details["first_observation_at"], "2025-06-01T00:00:00Z")
	if e.Error.Details["reason"] == "" {
		t.Error("no reason is given")
	}
	b.refuse(snapshotName, args{"entity_id": id, "at": "then"}, "VALIDATION_ERROR", "at")
	b.refuse(snapshotName, args{"entity_id": id, "at_ingested": "then"}, "VALIDATION_ERROR", "at_ingested")
}

func TestTheSnapshotOfThisMomentIsTheSnapshot(t *testing.T) {
	b := newBench(t)
	id := company("Acme")
	for i := range 30 {
		b.Clock.Advance(time.Minute)
		b.Call(storeName, args{"type": "company", "properties": args{"name": "Acme", fmt.Sprint("f", i%4): i, "tags": []any{i % 3, "t"}}})
		if i%5 == 0 {
			b.Call(submitName, submit("invoice", fmt.Sprintf("2025-0%d-01", i%8+1), args{"invoice_number": i, "vendor_name": "ACME Corp"}))
		}
		now := b.Call(snapshotName, args{"entity_id": id, "at": b.Clock.Now().Format(time.RFC3339)})
		same(t, "the snapshot at this moment", text(now), text(b.snapshot(id)))
	}
	b.rebuild()
}

func TestListsOfCompaniesAreMerged(t *testing.T) {
	b := newBench(t)
	for _, emails := range []any{[]string{"a@example.org", "b@example.org"}, "c@example.org", []string{"a@example.org"}} {
		b.Call(storeName, args{"type": "company", "properties": args{"name": "Acme", "emails": emails}})
		b.Clock.Advance(time.Second)
	}
	s := b.snapshot(company("Acme"))
	same(t, "emails", text(s["snapshot"].(args)["emails"]), `["a@example.org","b@example.org","c@example.org"]`)
	ids := strings.Split(s["provenance"].(args)["emails"].(string), ",")
	same(t, "observations", len(ids), 3)
	p := b.Call(provenanceName, args{"entity_id": company("Acme"), "field": "emails"})
	same(t, "ids", text(p["observation_ids"]), text(ids))
}

func TestCorrectionOverridesUntilWithdrawn(t *testing.T) {
	b := newBench(t)
	id := b.submit("invoice", "2025-01-01", args{"invoice_number": "1", "amount": 1})
	before := text(b.snapshot(id))
	c := b.Call(correctName, args{"entity_id": id, "field": "amount", "value": args{"net": 2}, "reason": "misread"})
	same(t, "value", text(c["value"]), `{"net":2}`)
	same(t, "in force", c["in_force"], true)
	same(t, "amount", text(b.snapshot(id)["snapshot"].(args)["amount"]), `{"net":2}`)
	p := b.Call(provenanceName, args{"entity_id": id, "field": "amount"})
	same(t, "priority", p["source_observation"].(args)["source_priority"], 1000)
	same(t, "source", p["source_record"].(args)["type"], "correction")
	same(t, "no payload", p["source_observation"].(args)["source_payload_id"], nil)
	b.Call(deleteName, args{"id": c["record_id"]})
	same(t, "the snapshot", text(b.snapshot(id)), before)
	b.refuse(correctName, args{"entity_id": id, "field": "amount", "value": nil}, "VALIDATION_ERROR", "value")
	b.refuse(correctName, args{"entity_id": id, "field": " ", "value": 1}, "VALIDATION_ERROR", "field")
	b.refuse(correctName, args{"entity_id": "ent_x", "field": "a", "value": 1}, "ENTITY_NOT_FOUND", "entity_id")
	b.rebuild()
}

func TestPoliciesComeFromTheDatabase(t *testing.T) {
	b := newBench(t)
	id := b.submit("invoice", "2025-01-01", args{"invoice_number": "1", "amount": 1})
	b.submit("invoice", "2025-02-01", args{"invoice_number": "1", "amount": 2})
	same(t, "last write", b.snapshot(id)["snapshot"].(args)["amount"], 2)
	ctx := context.Background()
	storetest.Write(t, b.Store, func(tx *store.Tx) error { return entities.In(tx).SetMergePolicy("invoice", "amount", "merge_array") })
	found, err := RebuildSnapshots(ctx, b.Store, false, nil)
	if err != nil || found.Differing != 1 {
		t.Errorf("rebuilt %+v, %v", found, err)
	}
	same(t, "merged", text(b.snapshot(id)["snapshot"].(args)["amount"]), `[1,2]`)
	b.rebuild()
}

func TestRebuildingRestoresADamagedSnapshot(t *testing.T) {
	b := newBench(t)
	id := b.submit("invoice", "2025-01-01", args{"invoice_number": "1", "amount": 1})
	want := text(b.snapshot(id))
	storetest.Write(t, b.Store, func(tx *store.Tx) error {
		e, _, err := entities.In(tx).ByID(id)
		if err != nil {
			return err
		}
		return entities.In(tx).SaveSnapshot(entities.Snapshot{Entity: e.Seq, Type: "invoice", State: []byte(`{}`), Count: 9}, nil, nil)
	})
	found, err := RebuildSnapshots(context.Background(), b.Store, true, nil)
	if err != nil || found.Differing != 1 || text(b.snapshot(id)) == want {
		t.Errorf("the check found %+v, %v, or changed something", found, err)
	}
	if found, err = RebuildSnapshots(context.Background(), b.Store, false, nil); err != nil || found.Differing != 1 {
		t.Errorf("rebuilt %+v, %v", found, err)
	}
	same(t, "the snapshot", text(b.snapshot(id)), want)
}
