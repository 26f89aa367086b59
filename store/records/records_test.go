package records

import (
	"testing"

	"toolkit/internal/storetest"
	"toolkit/store"
)

func TestHistoryHoldsStateBeforeUpdate(t *testing.T) {
	db := storetest.Open(t)
	storetest.Write(t, db, func(tx *store.Tx) error {
		rows := In(tx)
		r := Record{ID: "r", Type: "note", Properties: []byte(`{"a":1}`), FileURLs: []string{"f"}, CreatedAt: 1, UpdatedAt: 1}
		var err error
		if r.Seq, err = rows.Insert(r, Index{}); err != nil {
			return err
		}
		for at, properties := range []string{`{"a":1}`, `{"a":2}`, `{"a":2}`, `{"a":3}`} {
			r.Properties, r.UpdatedAt = []byte(properties), int64(10+at)
			if err := rows.Update(r, Index{}, Index{}); err != nil {
				return err
			}
		}
		r.Type, r.FileURLs, r.UpdatedAt = "letter", nil, 20
		if err := rows.Update(r, Index{}, Index{}); err != nil {
			return err
		}
		history, err := rows.History(r.Seq, 10)
		if err != nil || len(history) != 3 {
			t.Fatalf("the history is %+v, %v", history, err)
		}
		first, last := history[2], history[0]
		if first.ReplacedAt != 11 || string(first.Properties) != `{"a":1}` || last.Type != "note" || len(last.FileURLs) != 1 || last.ReplacedAt != 20 {
			t.Errorf("the history is %+v", history)
		}
		if err := rows.Delete(r, Index{}); err != nil {
			return err
		}
		if history, err = rows.History(r.Seq, 10); err != nil || len(history) != 0 {
			t.Errorf("after the record is deleted, %+v, %v", history, err)
		}
		return nil
	})
}
