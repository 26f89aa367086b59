package entities

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"toolkit/internal/toolstest"
)

// TestRandomOperationsKeepSnapshotsEqualToObservations does random things in
// random order and compares every snapshot with a reduction from scratch.
func TestRandomOperationsKeepSnapshotsEqualToObservations(t *testing.T) {
	if testing.Short() {
		t.Skip("much work; the run without the race detector does it")
	}
	for seed := range toolstest.RoundCount(2) {
		r := rand.New(rand.NewPCG(seed, 9))
		b := newBench(t)
		w := &world{bench: b, r: r}
		for step := range 120 {
			b.Clock.Advance(time.Duration(r.IntN(3)) * time.Second)
			w.step()
			if step%40 == 39 {
				b.rebuild()
				b.statusesStand()
			}
		}
		b.rebuild()
		b.statusesStand()
		for _, id := range w.records {
			b.CallAllowingRefusal(deleteName, args{"id": id})
		}
		b.rebuild()
		same(t, fmt.Sprint("entities left with seed ", seed), b.Call(findName, args{})["total"], 0)
		same(t, "records left", b.Call(retrieveName, args{})["total"], 0)
	}
}

// world remembers what random steps made.
type world struct {
	*bench
	r                 *rand.Rand
	records, entities []string
}

func (w *world) pick(list []string) string {
	if len(list) == 0 {
		return "ent_none"
	}
	return list[w.r.IntN(len(list))]
}

// step does one thing; refusals are part of life.
func (w *world) step() {
	w.T.Helper()
	name := []string{"Acme", "ACME Inc", "Acme Germany", "Beta", "Gamma LLC"}[w.r.IntN(5)]
	switch w.r.IntN(12) {
	case 0, 1, 2:
		out := w.Call(submitName, submit("invoice", fmt.Sprintf("2025-01-%02d", 1+w.r.IntN(9)), args{
			"invoice_number": w.r.IntN(3), "vendor_name": name, "amount": w.r.IntN(3), "memo": w.r.IntN(3), "due_date": fmt.Sprintf("2025-0%d-01", 1+w.r.IntN(9))}))
		w.records = append(w.records, out["payload_id"].(string))
		for _, e := range out["entities"].([]any) {
			w.entities = append(w.entities, e.(args)["entity_id"].(string))
		}
	case 3:
		out := w.Call(storeName, args{"type": "company", "properties": args{"name": name, "tags": []any{w.r.IntN(4)}, "emails": fmt.Sprint(w.r.IntN(4))}})
		w.records = append(w.records, out["id"].(string))
		w.entities = append(w.entities, company(name))
	case 4:
		w.CallAllowingRefusal(updateName, args{"id": w.pick(w.records), "properties": args{"vendor_name": name, "tags": []any{"u"}}})
	case 5:
		w.CallAllowingRefusal(deleteName, args{"id": w.pick(w.records)})
	case 6:
		w.CallAllowingRefusal(mergeName, args{"source_entity_id": w.pick(w.entities), "target_entity_id": w.pick(w.entities)})
	case 7:
		w.CallAllowingRefusal(unmergeName, args{"entity_id": w.pick(w.entities)})
	case 10:
		r := w.CallAllowingRefusal(splitName, args{"entity_id": w.pick(w.entities), "sources": []string{w.pick(w.records), w.pick(w.records)}, "name": []string{"Acme South", "Acme East"}[w.r.IntN(2)]})
		if !r.IsError {
			var out splitOutput
			toolstest.Decode(w.T, r.Data, &out)
			w.entities, w.records = append(w.entities, out.EntityID), append(w.records, splitNameRecordID(out.FormerEntityID, out.EntityID))
		}
	case 11:
		out := w.Call(submitName, submit("transaction", "2025-01-09", args{"transaction_id": w.r.IntN(4), "amount": w.r.IntN(3)}))
		w.records = append(w.records, out["payload_id"].(string))
		w.CallAllowingRefusal(relateName, args{"relationship_type": "SETTLES", "source_entity_id": self(out), "target_entity_id": w.pick(w.entities)})
	case 9:
		r := w.CallAllowingRefusal(withdrawName, args{"entity_id": w.pick(w.entities), "field": []string{"tags", "amount"}[w.r.IntN(2)]})
		if !r.IsError {
			var out withdrawOutput
			toolstest.Decode(w.T, r.Data, &out)
			w.records = append(w.records, out.RecordID)
		}
	case 8:
		r := w.CallAllowingRefusal(correctName, args{"entity_id": w.pick(w.entities), "field": []string{"tags", "amount"}[w.r.IntN(2)], "value": w.r.IntN(5)})
		if !r.IsError {
			var out correctOutput
			toolstest.Decode(w.T, r.Data, &out)
			w.records = append(w.records, out.RecordID)
		}
		w.CallAllowingRefusal(relateName, args{"relationship_type": "PART_OF", "source_entity_id": w.pick(w.entities), "target_entity_id": w.pick(w.entities)})
	}
}
