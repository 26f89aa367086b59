package search_test

import (
	"context"
	"testing"

	"toolkit/embed"
	"toolkit/internal/search"
	"toolkit/internal/storetest"
	"toolkit/store"
	"toolkit/store/graph"
)

// insert stores an entity with observations and returns its row.
func insert(t *testing.T, db *store.DB, name string, observations ...string) (row int64) {
	t.Helper()
	storetest.Write(t, db, func(tx *store.Tx) error {
		id, err := graph.In(tx).InsertEntity(graph.NewEntity{Name: name, Type: "thing", Observations: observations})
		row = id
		return err
	})
	return row
}

func nearest(t *testing.T, n *search.RowSearch, question string) (row int64, count int) {
	t.Helper()
	vector, err := embed.BuiltIn().Query(t.Context(), question)
	if err != nil {
		t.Fatal(err)
	}
	near, complete, err := n.FindNearest(t.Context(), vector, 10)
	if err != nil || !complete {
		t.Fatal(complete, err)
	}
	for id, likeness := range near {
		if likeness > near[row] {
			row = id
		}
	}
	return row, len(near)
}

func open(t *testing.T, db *store.DB, embedder embed.Embedder) *search.RowSearch {
	t.Helper()
	n := search.NewNodeSearch(db, embedder)
	t.Cleanup(n.Close)
	return n
}

func TestNearestFollowsWhatOtherProcessesChange(t *testing.T) {
	db := storetest.Open(t)
	here, there := open(t, db, embed.BuiltIn()), open(t, db, embed.BuiltIn())
	dog := insert(t, db, "Rex", "an old dog that barks at night")
	bank := insert(t, db, "Hillside", "where we keep our savings account")
	if row, count := nearest(t, here, "which animal is loud when it is dark?"); row != dog || count != 2 {
		t.Errorf("%d of %d, want %d", row, count, dog)
	}
	if row, _ := nearest(t, there, "who looks after our money?"); row != bank {
		t.Errorf("%d, want %d", row, bank)
	}
	storetest.Write(t, db, func(tx *store.Tx) error {
		_, err := graph.In(tx).AppendObservations(bank, []string{"the dog there barks all night"})
		return err
	})
	storetest.Write(t, db, func(tx *store.Tx) error { return graph.In(tx).DeleteEntityRows([]int64{dog}) })
	for _, n := range []*search.RowSearch{here, there} {
		if row, count := nearest(t, n, "which animal is loud when it is dark?"); row != bank || count != 1 {
			t.Errorf("%d of %d, want %d", row, count, bank)
		}
	}
}

// A process that ends between two batches leaves nodes without a vector.
func TestRefreshGoesOnWhereAnotherProcessEnded(t *testing.T) {
	db := storetest.Open(t)
	for i := range 2*embed.BacklogBatch + 10 {
		insert(t, db, string(rune('a'+i%26))+string(rune('a'+i/26)), "a thing")
	}
	first := open(t, db, embed.BuiltIn())
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := first.EmbedAll(ctx, func(int) { cancel() }); err == nil {
		t.Error("the end of the first process was not noticed")
	}
	second := open(t, db, embed.BuiltIn())
	pending, err := second.CountPending(t.Context())
	if err != nil || pending == 0 || pending > embed.BacklogBatch+10 {
		t.Fatalf("%d are left, %v", pending, err)
	}
	if done, err := second.EmbedAll(t.Context(), nil); err != nil || done != pending {
		t.Errorf("%d of %d done, %v", done, pending, err)
	}
	if pending, err := second.CountPending(t.Context()); err != nil || pending != 0 {
		t.Errorf("%d are left, %v", pending, err)
	}
}

func TestPruneLeavesVectorsOfThePresentModel(t *testing.T) {
	db := storetest.Open(t)
	insert(t, db, "Rex", "a dog")
	n := open(t, db, embed.BuiltIn())
	if _, err := n.EmbedAll(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if dropped, err := n.DeleteOtherModels(t.Context()); err != nil || dropped != 0 {
		t.Errorf("%d dropped, %v", dropped, err)
	}
	if dropped, err := open(t, db, embed.Off()).DeleteOtherModels(t.Context()); err != nil || dropped != 1 {
		t.Errorf("%d dropped, %v", dropped, err)
	}
	if pending, err := n.CountPending(t.Context()); err != nil || pending != 1 {
		t.Errorf("%d are left, %v", pending, err)
	}
}

// Without a model that knows meanings nothing is stored and nothing is near.
func TestNearestWithoutAModelFindsNothing(t *testing.T) {
	db := storetest.Open(t)
	insert(t, db, "Rex", "a dog")
	n := open(t, db, embed.Off())
	near, complete, err := n.FindNearest(t.Context(), make([]float32, 512), 10)
	if err != nil || !complete || len(near) > 0 {
		t.Errorf("%v %v %v", near, complete, err)
	}
	if done, err := n.EmbedAll(t.Context(), nil); err != nil || done != 0 {
		t.Errorf("%d done, %v", done, err)
	}
}
