package store_test

import (
	"errors"
	"testing"

	"toolkit/internal/storetest"
	"toolkit/store"
	"toolkit/store/graph"
)

func TestGuardedWriteRunsCheckOnce(t *testing.T) {
	db := storetest.Open(t)
	refused := errors.New("not as it was shown")
	add := func(name string) func(*store.Tx) error {
		return func(tx *store.Tx) error {
			_, err := graph.In(tx).InsertEntity(graph.NewEntity{Name: name, Type: "thing"})
			return err
		}
	}
	if err := db.Write(store.WithGuard(t.Context(), func(*store.Tx) error { return refused }), add("refused")); !errors.Is(err, refused) {
		t.Errorf("it says %v", err)
	}
	asked := 0
	ctx := store.WithGuard(t.Context(), func(tx *store.Tx) error {
		asked++
		refs, err := graph.In(tx).EntityRefs([]string{"refused", "first"})
		if err == nil && len(refs) > 0 {
			return refused
		}
		return err
	})
	for _, name := range []string{"first", "second"} {
		if err := db.Write(ctx, add(name)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if asked != 1 {
		t.Errorf("the check ran %d times", asked)
	}
}
