package entities

import (
	"context"
	"encoding/json"
	"testing"

	"toolkit/internal/storetest"
	"toolkit/store"
	"toolkit/store/records"
)

func (b *bench) take(id, kind string, observedAt int64, entityList bool, properties args) (created, changed bool) {
	b.T.Helper()
	storetest.Write(b.T, b.Store, func(tx *store.Tx) (err error) {
		created, changed, _, err = Intake{}.Add(tx, records.Record{ID: id, Type: kind, Properties: json.RawMessage(text(properties)), CreatedAt: observedAt, UpdatedAt: observedAt}, observedAt, entityList)
		return err
	})
	return created, changed
}

func TestIntakeFollowsRulesOfRecords(t *testing.T) {
	b := newBench(t)
	at := noon.UnixMilli()
	created, changed := b.take("r1", "transaction", at, true, args{"transaction_id": "t1", "amount": 10, "merchant_name": "Acme Inc.", "gone": nil})
	same(t, "the first", []bool{created, changed}, "[true false]")
	created, changed = b.take("r1", "transaction", at+1, true, args{"amount": 10})
	same(t, "the same again", []bool{created, changed}, "[false false]")
	created, changed = b.take("r1", "transaction", at+2, true, args{"amount": 12, "merchant_name": "Other Ltd"})
	same(t, "a change", []bool{created, changed}, "[false true]")
	created, changed = b.take("r1", "transaction", at+3, true, args{"amount": 10, "merchant_name": "Acme Inc."})
	same(t, "back again", []bool{created, changed}, "[false true]")

	self := entityID("transaction", "t1")
	same(t, "the amount", b.snapshot(self)["snapshot"].(args)["amount"], 10)
	same(t, "what was observed of it", b.snapshot(self)["observation_count"], 3)
	same(t, "what was observed of the merchant", b.snapshot(company("Acme"))["observation_count"], 1)
	found := b.Call(retrieveName, args{"type": "expense", "properties": args{"merchant_name": "Acme Inc."}})
	same(t, "records found", found["total"], 1)
	b.rebuild()
}

func TestARecordWithoutEntitiesIsOnlyARecord(t *testing.T) {
	b := newBench(t)
	b.take("r1", "email", noon.UnixMilli(), false, args{"subject": "a letter", "name": "Anna"})
	b.take("r1", "email", noon.UnixMilli()+1, false, args{"subject": "another letter"})
	same(t, "records found", b.Call(retrieveName, args{"search": []string{"another"}})["total"], 1)
	same(t, "entities", len(b.Call(findName, args{})["entities"].([]any)), 0)
	// It can be updated and deleted like any other.
	b.Call(updateName, args{"id": "r1", "properties": args{"read": true}})
	b.Call("delete_record", args{"id": "r1"})
	b.rebuild()
}

func TestAmendChangesOnlyExistingRecords(t *testing.T) {
	b := newBench(t)
	b.take("r1", "transaction", noon.UnixMilli(), true, args{"transaction_id": "t1", "amount": 1})
	for id, want := range map[string]bool{"r1": true, "r2": false} {
		var changed bool
		err := b.Store.Write(context.Background(), func(tx *store.Tx) (err error) {
			changed, _, err = Intake{}.Amend(tx, id, json.RawMessage(`{"removed":true}`), noon.UnixMilli())
			return err
		})
		if err != nil || changed != want {
			t.Errorf("%s: %v, %v", id, changed, err)
		}
	}
	same(t, "the mark", b.snapshot(entityID("transaction", "t1"))["snapshot"].(args)["removed"], true)
}
