package store_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"toolkit/store"
	"toolkit/store/nodes"
	"toolkit/store/storetest"
)

func add(name string, observations ...string) func(*store.Tx) error {
	return func(tx *store.Tx) error {
		_, err := nodes.In(tx).InsertEntity(nodes.NewEntity{Name: name, Type: "t", Observations: observations})
		return err
	}
}

func wordsFind(t *testing.T, db *store.DB, word string) (names []string) {
	t.Helper()
	storetest.Read(t, db, func(tx *store.Tx) error {
		hits, err := nodes.In(tx).FindWord(word, 10)
		if err != nil {
			return err
		}
		names, err = nodes.In(tx).EntityNames(append(hits.Named, hits.Observed...))
		return err
	})
	slices.Sort(names)
	return slices.Compact(names)
}

func TestOthersWriteWhileAStagedWriteWorks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "toolkit.db")
	db, other := storetest.Open(t, path), storetest.Open(t, path)
	storetest.Write(t, db, add("before", "maple"))
	staged(t, db, func(tx *store.Tx) error {
		if err := add("staged", "birch")(tx); err != nil {
			return err
		}
		if err := other.Write(t.Context(), add("meanwhile", "alder")); err != nil {
			return err
		}
		ref, err := nodes.In(tx).EntityRefs([]string{"before"})
		if err != nil {
			return err
		}
		_, err = nodes.In(tx).AppendObservations(ref["before"].ID, []string{"willow"})
		return err
	})
	for word, want := range map[string]string{"maple": "before", "willow": "before", "alder": "meanwhile", "birch": "staged", "staged": "staged"} {
		if got := wordsFind(t, other, word); len(got) != 1 || got[0] != want {
			t.Errorf("%s is found in %v, want %s", word, got, want)
		}
	}
	if n := store.Count(t, db, `SELECT count(*) FROM staged_words`); n != 0 {
		t.Errorf("%d words are still held", n)
	}
	storetest.Write(t, db, add("after", "hazel"))
	if n := store.Count(t, db, `SELECT count(DISTINCT id) FROM entities`); n != 4 {
		t.Errorf("%d entities", n)
	}
}

// What another write did meanwhile must neither be overwritten nor doubled.
func TestAStagedWriteRunsAgainWhenAnotherCollides(t *testing.T) {
	appendTo := func(name, content string) func(*store.Tx) error {
		return func(tx *store.Tx) error {
			refs, err := nodes.In(tx).EntityRefs([]string{name})
			if err != nil || refs[name].ID == 0 {
				return err
			}
			_, err = nodes.In(tx).AppendObservations(refs[name].ID, []string{content})
			return err
		}
	}
	drop := func(tx *store.Tx) error {
		refs, err := nodes.In(tx).EntityRefs([]string{"Ada"})
		if err != nil {
			return err
		}
		return nodes.In(tx).DeleteEntityRows([]int64{refs["Ada"].ID})
	}
	relate := func(tx *store.Tx) error {
		rows := nodes.In(tx)
		refs, err := rows.EntityRefs([]string{"Ada"})
		if err != nil || refs["Ada"].ID == 0 {
			return err
		}
		row, err := rows.InsertEntity(nodes.NewEntity{Name: "Bob", Type: "t"})
		if err == nil {
			_, err = rows.InsertRelation(row, refs["Ada"].ID, "knows", false, nil, nil)
		}
		return err
	}
	for name, tc := range map[string]struct {
		staged, other func(*store.Tx) error
		query         string
		want          int
	}{
		"the same name":             {ifMissing("Eve"), add("Eve"), `SELECT count(*) FROM entities WHERE name = 'Eve'`, 1},
		"the same node":             {appendTo("Ada", "one"), appendTo("Ada", "two"), `SELECT count(*) FROM observations`, 3},
		"the same observation":      {appendTo("Ada", "one"), appendTo("Ada", "one"), `SELECT count(*) FROM observations`, 2},
		"a node that is gone":       {relate, drop, `SELECT count(*) FROM relations`, 0},
		"a node it added to, gone":  {appendTo("Ada", "one"), drop, `SELECT count(*) FROM observations`, 0},
		"nothing that it was about": {appendTo("Ada", "one"), add("Eve", "two"), `SELECT count(*) FROM observations`, 3},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "toolkit.db")
			db, other := storetest.Open(t, path), storetest.Open(t, path)
			storetest.Write(t, db, add("Ada", "first"))
			runs := 0
			staged(t, db, func(tx *store.Tx) error {
				if err := tc.staged(tx); err != nil {
					return err
				}
				if runs++; runs == 1 {
					return other.Write(t.Context(), tc.other)
				}
				return nil
			})
			if n := store.Count(t, db, tc.query); n != tc.want {
				t.Errorf("%d rows after %d runs, want %d", n, runs, tc.want)
			}
			soundWords(t, path)
		})
	}
}

func staged(t *testing.T, db *store.DB, f func(*store.Tx) error) {
	t.Helper()
	if err := db.WriteStaged(t.Context(), store.StagedGraph, f); err != nil {
		t.Fatal(err)
	}
}

func ifMissing(name string) func(*store.Tx) error {
	return func(tx *store.Tx) error {
		refs, err := nodes.In(tx).EntityRefs([]string{name})
		if _, known := refs[name]; err != nil || known {
			return err
		}
		return add(name)(tx)
	}
}

func soundWords(t *testing.T, path string) {
	t.Helper()
	i, err := store.Inspect(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer i.Close()
	if faults, err := i.WordFaults(t.Context()); err != nil || len(faults) > 0 {
		t.Errorf("the full-text indexes have faults: %v, %v", faults, err)
	}
}

func TestAStagedWriteThatFailsLeavesNothing(t *testing.T) {
	db := storetest.Open(t, filepath.Join(t.TempDir(), "toolkit.db"))
	refused := errors.New("refused")
	err := db.WriteStaged(t.Context(), store.StagedGraph, func(tx *store.Tx) error { return errors.Join(add("a", "b")(tx), refused) })
	if !errors.Is(err, refused) {
		t.Fatal(err)
	}
	if n := store.Count(t, db, `SELECT (SELECT count(*) FROM entities) + (SELECT count(*) FROM entity_changes) + (SELECT count(*) FROM entity_words_docsize)`); n != 0 {
		t.Errorf("%d rows are left", n)
	}
}

// A process may be killed after the words are in and before their rows are.
func TestWordsWithoutTheirRowsAreFoundByNobodyAndRemovedLater(t *testing.T) {
	path := filepath.Join(t.TempDir(), "toolkit.db")
	now := time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)
	db, err := store.Open(t.Context(), store.Options{Path: path, Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	storetest.Write(t, db, add("before", "maple"))
	store.KillAfterWords(t, db, func(tx *store.Tx) error {
		for i := range store.WordBatch + 10 {
			if err := add(fmt.Sprintf("birch %d", i), "alder")(tx); err != nil {
				return err
			}
		}
		return nil
	})
	entries := `SELECT (SELECT count(*) FROM entity_words_docsize) + (SELECT count(*) FROM observation_words_docsize)`
	if n := store.Count(t, db, entries); n != 2*(store.WordBatch+10)+2 {
		t.Fatalf("%d entries: the words did not come ahead", n)
	}
	for _, word := range []string{"birch", "alder"} {
		if got := wordsFind(t, db, word); len(got) != 0 {
			t.Errorf("%s is found in %v", word, got)
		}
	}
	soundWords(t, path)

	staged(t, db, add("held", "x")) // the killed one may be alive
	if n := store.Count(t, db, entries); n != 2*(store.WordBatch+10)+4 {
		t.Errorf("%d entries while the words are held", n)
	}
	now = now.Add(store.WordHold + time.Second)
	staged(t, db, add("later", "y"))
	if n := store.Count(t, db, entries); n != 6 {
		t.Errorf("%d entries after the hold", n)
	}
	if n := store.Count(t, db, `SELECT count(*) FROM staged_words`); n != 0 {
		t.Errorf("%d holds are left", n)
	}
	soundWords(t, path)
}
