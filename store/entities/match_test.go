package entities

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"toolkit/internal/storetest"
	"toolkit/store"
)

func TestNewestMatchesAreThoseThatSortingAllOfThemGives(t *testing.T) {
	db := storetest.Open(t)
	random := rand.New(rand.NewPCG(5, 9))
	names := []string{"alpha", "alpha one", "Alpha Two", "beta alphabet", "gamma", "one"}
	storetest.Write(t, db, func(tx *store.Tx) error {
		rows := In(tx)
		for i := range 2 * maxNewestScanned {
			name := names[random.IntN(len(names))]
			if i == 7 {
				name = "delta" // among the oldest
			}
			e, err := rows.Ensure(fmt.Sprint("ent_", i), "thing")
			if err != nil {
				return err
			}
			at := int64(random.IntN(500)) // many at the same moment
			if i == 7 {
				at = 0
			}
			s := Snapshot{Entity: e.Seq, Type: "thing", State: []byte(`{}`), Count: 1, LastObservedAt: at}
			if err := rows.SaveSnapshot(s, nil, &SnapshotIndex{Name: name, NameKey: strings.ToLower(name), Words: "some words of " + name}); err != nil {
				return err
			}
			if i%50 == 3 {
				if err := rows.DropSnapshot(e.Seq, &SnapshotIndex{Name: name, NameKey: strings.ToLower(name)}, true); err != nil {
					return err
				}
			}
		}
		return nil
	})
	used := 0
	storetest.Read(t, db, func(tx *store.Tx) error {
		for _, f := range []EntityFilter{
			{Name: "alpha", NameKeys: []string{"alpha"}}, {Name: "alph", NameKeys: []string{"alph"}}, {Name: "one", NameKeys: []string{"one", "alpha two"}},
			{Name: "delta", NameKeys: []string{"delta"}}, {Name: "nothing", NameKeys: []string{"nothing"}}, {Name: "!", NameKeys: []string{"gamma"}},
			{Text: "words"}, {Text: "words gamma"}, {Text: "delta"}, {Text: "nothing"},
		} {
			for _, page := range [][2]int{{20, 0}, {1, 0}, {50, 100}, {1000, 0}, {1000, 1990}} {
				list, total, ok, err := In(tx).findByWords(f, page[0], page[1])
				if err != nil {
					return err
				}
				if !ok {
					continue
				}
				used++
				want, wanted, err := In(tx).findSorted(f, page[0], page[1])
				if err != nil {
					return err
				}
				if got, want := fmt.Sprint(list, total), fmt.Sprint(want, wanted); got != want {
					t.Errorf("%+v, page %v: %s, want %s", f, page, got, want)
				}
			}
		}
		return nil
	})
	if used < 20 {
		t.Errorf("only %d searches were answered from the newest", used)
	}
}
