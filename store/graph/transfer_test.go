package graph

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"toolkit/internal/storetest"
	"toolkit/store"
)

func TestNodesKeepEqualObservationsAndTheirOwnDates(t *testing.T) {
	db := storetest.Open(t)
	want := NodeRecord{NewEntity: NewEntity{
		Name: "Ada", Type: "person", Kind: KindPlain, Observations: []string{"one", "one"}, Metadata: []byte(`{"a":1.0}`), Extra: []byte(`{"b":"<"}`), Origin: []byte(`{"c":null}`),
		Created: time.Date(1999, 1, 2, 3, 4, 5, 6e6, time.UTC), Updated: time.Date(2001, 1, 2, 3, 4, 5, 0, time.UTC),
	}}
	storetest.Write(t, db, func(tx *store.Tx) (err error) {
		want.Row, err = In(tx).InsertEntity(want.NewEntity)
		return err
	})
	storetest.Read(t, db, func(tx *store.Tx) error {
		got, err := In(tx).PlainNodes()
		if diff := cmp.Diff([]NodeRecord{want}, got); diff != "" {
			t.Error(diff)
		}
		return err
	})
}

func TestStatedRelationRemainsStatedWhenStructural(t *testing.T) {
	db := storetest.Open(t)
	storetest.Write(t, db, func(tx *store.Tx) error {
		var rows []int64
		for _, name := range []string{"a", "b", "c"} {
			row, err := In(tx).InsertEntity(NewEntity{Name: name, Kind: KindPlain})
			if err != nil {
				return err
			}
			rows = append(rows, row)
		}
		if _, err := In(tx).InsertRelation(rows[0], rows[1], "contains", false, []byte(`{"w":1}`), nil); err != nil {
			return err
		}
		if err := In(tx).InsertStructuralRelation(rows[0], rows[1], "contains"); err != nil {
			return err
		}
		if err := In(tx).InsertStructuralRelation(rows[0], rows[2], "contains"); err != nil {
			return err
		}
		ref, found, err := In(tx).FindRelation(rows[0], rows[1], "contains")
		if !found || !ref.Structural {
			t.Errorf("%+v, %v", ref, found)
		}
		if err != nil {
			return err
		}
		got, err := In(tx).RelationsToExport()
		if diff := cmp.Diff([]RelationRecord{{From: "a", To: "b", Type: "contains", Metadata: []byte(`{"w":1}`)}}, got); diff != "" {
			t.Error(diff)
		}
		return err
	})
}

func TestAnInterruptedTransactionSaysSo(t *testing.T) {
	db := storetest.Open(t)
	for name, run := range map[string]func(context.Context, func(*store.Tx) error) error{"write": db.Write, "read": db.Read} {
		ctx, cancel := context.WithCancel(t.Context())
		err := run(ctx, func(tx *store.Tx) error {
			for {
				if err := In(tx).sql.Row(`SELECT count(*) FROM entities`).Scan(new(int)); err != nil {
					return errors.New("some statement failed")
				}
				cancel()
			}
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
