package graph

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"toolkit/internal/storetest"
	"toolkit/store"
	"toolkit/store/internal/query"
)

// openGraph opens a database in a temporary folder, or a second time when a
// path is given.
func openGraph(t testing.TB, path ...string) *store.DB {
	t.Helper()
	file := filepath.Join(t.TempDir(), "graph.db")
	if len(path) > 0 {
		file = path[0]
	}
	db, err := store.Open(context.Background(), store.Options{Path: file, Now: func() time.Time { return time.UnixMilli(1_750_000_000_000) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// textOf is the index of a database.
func textOf(t testing.TB, db *store.DB) (g *textIndex) {
	storetest.Read(t, db, func(tx *store.Tx) error {
		g = query.InMemoryState[textIndex]((*query.Tx)(tx))
		return nil
	})
	return g
}

func addPlain(t testing.TB, db *store.DB, entities ...NewEntity) {
	t.Helper()
	storetest.Write(t, db, func(tx *store.Tx) error {
		for _, e := range entities {
			if _, err := In(tx).InsertEntity(e); err != nil {
				return err
			}
		}
		return nil
	})
}

// foundNames are the sorted names that FindText finds for a query.
func foundNames(t testing.TB, db *store.DB, query string) []string {
	t.Helper()
	var names []string
	storetest.Read(t, db, func(tx *store.Tx) error {
		var err error
		names, err = namesOf(In(tx), query)
		return err
	})
	return names
}

func namesOf(tx Rows, query string) ([]string, error) {
	hits, err := tx.FindText(query)
	if err != nil {
		return nil, err
	}
	var ids []int64
	for _, h := range hits {
		if h.Place != InOtherLetters { // what the official search finds
			ids = append(ids, h.ID)
		}
	}
	names, err := tx.EntityNames(ids)
	slices.Sort(names)
	return names, err
}

func TestTheNextSearchSeesEveryChange(t *testing.T) {
	db := openGraph(t)
	addPlain(t, db, NewEntity{Name: "first", Type: "x", Observations: []string{"likes tea"}})
	expect := func(query string, want ...string) {
		t.Helper()
		if got := foundNames(t, db, query); !slices.Equal(got, want) {
			t.Errorf("%q finds %q, want %q", query, got, want)
		}
	}
	id := func(name string) (id int64) {
		storetest.Read(t, db, func(tx *store.Tx) (err error) {
			id, _, err = In(tx).EntityID(name)
			return err
		})
		return id
	}
	expect("tea", "first")
	addPlain(t, db, NewEntity{Name: "second", Type: "x", Observations: []string{"teapot"}})
	expect("tea", "first", "second")
	storetest.Write(t, db, func(tx *store.Tx) error {
		_, err := In(tx).AppendObservations(id("second"), []string{"coffee", "coffee"})
		return err
	})
	expect("coffee", "second")
	storetest.Write(t, db, func(tx *store.Tx) error {
		_, err := In(tx).DeleteObservations(id("second"), []string{"teapot", "never there"})
		return err
	})
	expect("tea", "first")
	storetest.Write(t, db, func(tx *store.Tx) error { return In(tx).SetTitle(id("second"), "The Matcha House") })
	expect("matcha", "second")
	storetest.Write(t, db, func(tx *store.Tx) error { return In(tx).SetTitle(id("second"), "closed") })
	expect("matcha")
	storetest.Write(t, db, func(tx *store.Tx) error { return In(tx).DeleteEntityRows([]int64{id("first")}) })
	expect("tea")
	addPlain(t, db, NewEntity{Name: "first", Type: "y"})
	expect("first", "first")
}

func TestARolledBackWriteIsNeverFound(t *testing.T) {
	db := openGraph(t)
	addPlain(t, db, NewEntity{Name: "kept", Type: "x"})
	foundNames(t, db, "kept")
	undo := errors.New("undo")
	err := db.Write(context.Background(), func(tx *store.Tx) error {
		if _, err := In(tx).InsertEntity(NewEntity{Name: "phantom", Type: "x"}); err != nil {
			return err
		}
		names, err := namesOf(In(tx), "phantom")
		if err != nil || !slices.Equal(names, []string{"phantom"}) {
			t.Errorf("a write does not find its own row: %q, %v", names, err)
		}
		return undo
	})
	if !errors.Is(err, undo) {
		t.Fatal(err)
	}
	if got := foundNames(t, db, "phantom"); len(got) > 0 {
		t.Errorf("found %q", got)
	}
}

func TestASearchSeesWhatAnotherProcessWrote(t *testing.T) {
	ours := openGraph(t)
	theirs := openGraph(t, ours.Path())
	addPlain(t, ours, NewEntity{Name: "alpha", Type: "x", Observations: []string{"one"}})
	if got := foundNames(t, theirs, "alp"); !slices.Equal(got, []string{"alpha"}) {
		t.Fatalf("found %q", got)
	}
	addPlain(t, ours, NewEntity{Name: "alpine", Type: "x"})
	storetest.Write(t, ours, func(tx *store.Tx) error {
		id, _, err := In(tx).EntityID("alpha")
		if err != nil {
			return err
		}
		return In(tx).DeleteEntityRows([]int64{id})
	})
	if got := foundNames(t, theirs, "alp"); !slices.Equal(got, []string{"alpine"}) {
		t.Errorf("found %q", got)
	}
	addPlain(t, theirs, NewEntity{Name: "alphabet", Type: "x"})
	if got := foundNames(t, ours, "alp"); !slices.Equal(got, []string{"alphabet", "alpine"}) {
		t.Errorf("found %q", got)
	}
}

func TestAnOlderSnapshotFindsWhatItShows(t *testing.T) {
	db := openGraph(t)
	addPlain(t, db, NewEntity{Name: "old", Type: "x", Observations: []string{"green"}}, NewEntity{Name: "gone", Type: "x"})
	foundNames(t, db, "green")
	storetest.Read(t, db, func(before *store.Tx) error {
		if n, err := In(before).CountEntities(nil); err != nil || n != 2 { // the snapshot begins with the first query
			t.Errorf("%d entities, %v", n, err)
		}
		storetest.Write(t, db, func(tx *store.Tx) error {
			rows := In(tx)
			old, _, err := rows.EntityID("old")
			if err != nil {
				return err
			}
			gone, _, err := rows.EntityID("gone")
			if err != nil {
				return err
			}
			if _, err := rows.DeleteObservations(old, []string{"green"}); err != nil {
				return err
			}
			if _, err := rows.InsertEntity(NewEntity{Name: "new", Type: "x", Observations: []string{"green"}}); err != nil {
				return err
			}
			return rows.DeleteEntityRows([]int64{gone})
		})
		if got := foundNames(t, db, "green"); !slices.Equal(got, []string{"new"}) { // the index moves on
			t.Errorf("now finds %q", got)
		}
		for query, want := range map[string]string{"green": "old", "gone": "gone"} {
			if got, err := namesOf(In(before), query); err != nil || !slices.Equal(got, []string{want}) {
				t.Errorf("the snapshot finds %q for %s, %v", got, query, err)
			}
		}
		return nil
	})
}

func TestASnapshotOlderThanTheIndexRemembersReadsTheRows(t *testing.T) {
	db := openGraph(t)
	addPlain(t, db, NewEntity{Name: "stone", Type: "x", Observations: []string{"grey"}})
	storetest.Read(t, db, func(before *store.Tx) error {
		if _, err := In(before).CountEntities(nil); err != nil {
			return err
		}
		storetest.Write(t, db, func(tx *store.Tx) error {
			id, _, err := In(tx).EntityID("stone")
			if err != nil {
				return err
			}
			_, err = In(tx).DeleteObservations(id, []string{"grey"})
			return err
		})
		if got := foundNames(t, db, "grey"); len(got) > 0 { // fills the index at the newer snapshot
			t.Errorf("now finds %q", got)
		}
		got, err := namesOf(In(before), "grey")
		if err != nil || !slices.Equal(got, []string{"stone"}) {
			t.Errorf("the snapshot finds %q, %v", got, err)
		}
		return nil
	})
}

func TestChangesBeyondTheRememberedOnesAreFollowed(t *testing.T) {
	db := openGraph(t)
	addPlain(t, db, NewEntity{Name: "seed", Type: "x"})
	foundNames(t, db, "seed")
	many := make([]NewEntity, maxRecentChanges+textBatch+7)
	for i := range many {
		many[i] = NewEntity{Name: fmt.Sprintf("bulk %d", i), Type: "x"}
	}
	addPlain(t, db, many...)
	if got := foundNames(t, db, "bulk "); len(got) != len(many) {
		t.Errorf("found %d of %d", len(got), len(many))
	}
	if filtered := len(textOf(t, db).recent); filtered > maxRecentChanges {
		t.Errorf("%d changes remembered", filtered)
	}
	if got := foundNames(t, db, fmt.Sprintf("bulk %d", len(many)-1)); len(got) != 1 {
		t.Errorf("the last one is not found: %q", got)
	}
}

func TestAGraphTooLargeForTheIndexIsStillSearched(t *testing.T) {
	db := openGraph(t)
	textOf(t, db).limit = 1
	addPlain(t, db, NewEntity{Name: "big", Type: "x", Observations: []string{"content"}}, NewEntity{Name: "other", Type: "x"})
	for range 2 {
		if got := foundNames(t, db, "CONT"); !slices.Equal(got, []string{"big"}) {
			t.Errorf("found %q", got)
		}
	}
	if !textOf(t, db).tooLarge || textOf(t, db).documents != nil {
		t.Error("the index was kept beyond its bound")
	}
	addPlain(t, db, NewEntity{Name: "later content", Type: "x"})
	if got := foundNames(t, db, "cont"); !slices.Equal(got, []string{"big", "later content"}) {
		t.Errorf("found %q", got)
	}
	storetest.Read(t, db, func(tx *store.Tx) error {
		names, err := In(tx).NearestNames("othre", 3)
		if err != nil || !slices.Equal(names, []string{"other"}) {
			t.Errorf("nearest %q, %v", names, err)
		}
		return nil
	})
}

func TestLongEntitiesAreFoundAndNotHeldInMemory(t *testing.T) {
	db := openGraph(t)
	filler := strings.Repeat("Wenig Neues aus dem Café. ", maxIndexedLength/26)
	addPlain(t, db,
		NewEntity{Name: "short", Type: "x", Observations: []string{"a heron by the weir"}},
		NewEntity{Name: "long", Type: "x", Observations: []string{filler, "a heron on the roof", filler}},
		NewEntity{Name: strings.Repeat("wide ", maxIndexedLength), Type: "x"})
	id := func(name string) (id int64) {
		storetest.Read(t, db, func(tx *store.Tx) (err error) {
			id, _, err = In(tx).EntityID(name)
			return err
		})
		return id
	}
	expect := func(query string, want ...string) {
		t.Helper()
		if got := foundNames(t, db, query); !slices.Equal(got, want) {
			t.Errorf("%q finds %.60q, want %q", query, got, want)
		}
		if held := textOf(t, db).size; held > maxIndexedLength {
			t.Errorf("%d bytes are held", held)
		}
	}
	expect("HERON", "long", "short")
	expect("neues aus dem café", "long")
	expect("lon", "long")
	expect("no such words")
	storetest.Read(t, db, func(tx *store.Tx) error {
		hits, err := In(tx).FindText("cafe")
		if err != nil || len(hits) != 1 || hits[0].Place != InOtherLetters {
			t.Errorf("in other letters: %v, %v", hits, err)
		}
		hits, err = In(tx).FindText("roof")
		if err != nil || len(hits) != 1 || hits[0] != (TextHit{ID: id("long"), Place: ObservationWord, NameLength: len("long")}) {
			t.Errorf("at the start of a word: %v, %v", hits, err)
		}
		names, err := In(tx).NearestNames("longs", 3)
		if err != nil || !slices.Equal(names, []string{"long"}) {
			t.Errorf("nearest %q, %v", names, err)
		}
		return nil
	})
	storetest.Write(t, db, func(tx *store.Tx) error {
		if _, err := In(tx).DeleteObservations(id("long"), []string{filler}); err != nil {
			return err
		}
		_, err := In(tx).AppendObservations(id("short"), []string{filler})
		return err
	})
	expect("heron", "long", "short")
	expect("dem café", "short")
	storetest.Write(t, db, func(tx *store.Tx) error { return In(tx).DeleteEntityRows([]int64{id("short")}) })
	expect("dem café")
	expect("heron", "long")
}

func TestAnOlderSnapshotFindsTheLongTextThatItShows(t *testing.T) {
	db := openGraph(t)
	filler := strings.Repeat("filler ", maxIndexedLength)
	addPlain(t, db, NewEntity{Name: "old", Type: "x", Observations: []string{"green", filler}})
	foundNames(t, db, "green")
	storetest.Read(t, db, func(before *store.Tx) error {
		if _, err := In(before).CountEntities(nil); err != nil { // the snapshot begins with the first query
			return err
		}
		storetest.Write(t, db, func(tx *store.Tx) error {
			old, _, err := In(tx).EntityID("old")
			if err != nil {
				return err
			}
			if _, err := In(tx).DeleteObservations(old, []string{"green"}); err != nil {
				return err
			}
			_, err = In(tx).InsertEntity(NewEntity{Name: "new", Type: "x", Observations: []string{"green", filler}})
			return err
		})
		if got := foundNames(t, db, "green"); !slices.Equal(got, []string{"new"}) {
			t.Errorf("now finds %q", got)
		}
		if got, err := namesOf(In(before), "green"); err != nil || !slices.Equal(got, []string{"old"}) {
			t.Errorf("the snapshot finds %q, %v", got, err)
		}
		return nil
	})
}

func TestIndexDropsReplacedTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	var g textIndex
	g.places = map[int64]int{}
	texts := map[int64]string{}
	for step := range 30_000 {
		id := int64(r.IntN(300))
		if r.IntN(5) == 0 {
			g.remove(id)
			delete(texts, id)
			continue
		}
		e := Entity{ID: id, Name: fmt.Sprintf("n%d", step), Type: "t", Observations: []string{strings.Repeat("x", r.IntN(1500))}}
		g.put(foldEntity(nil, &e))
		texts[id] = e.Name
	}
	living := 0
	for _, d := range g.documents {
		living += len(d.text)
	}
	if g.size != living || len(g.documents) > 300 || len(g.signatures) > 300/64+1 {
		t.Errorf("%d bytes are counted for %d bytes of text, of %d documents", g.size, living, len(g.documents))
	}
	for id, name := range texts {
		var hits []TextHit
		n := newNeedle(name)
		g.find(n, func(h TextHit) { hits = append(hits, h) })
		if !slices.ContainsFunc(hits, func(h TextHit) bool { return h.ID == id && h.Place <= NameStart }) {
			t.Fatalf("entity %d, %s, is lost", id, name)
		}
	}
	for id := range int64(300) {
		g.remove(id)
	}
	if g.size != 0 {
		t.Errorf("an empty index keeps %d bytes", g.size)
	}
	g.find(newNeedle("x"), func(h TextHit) { t.Errorf("entity %d is still found", h.ID) })
}

func TestCancelledIndexFillContinues(t *testing.T) {
	db := openGraph(t)
	many := make([]NewEntity, 2*textBatch+5)
	for i := range many {
		many[i] = NewEntity{Name: fmt.Sprintf("part %d", i), Type: "x"}
	}
	addPlain(t, db, many...)
	ctx, cancel := context.WithCancel(context.Background())
	err := db.Read(ctx, func(tx *store.Tx) error {
		if _, err := In(tx).changeSequence(); err != nil {
			return err
		}
		cancel()
		_, err := In(tx).FindText("part")
		return err
	})
	if err == nil {
		t.Fatal("a cancelled search succeeded")
	}
	addPlain(t, db, NewEntity{Name: "part of it", Type: "x"})
	if got := foundNames(t, db, "part "); len(got) != len(many)+1 {
		t.Errorf("found %d of %d", len(got), len(many)+1)
	}
}

func TestSearchesAndWritesMayRunTogether(t *testing.T) {
	db := openGraph(t)
	addPlain(t, db, NewEntity{Name: "anchor", Type: "x"})
	var group sync.WaitGroup
	failures := make(chan error, 64)
	for w := range 2 {
		group.Go(func() {
			for i := range 60 {
				err := db.Write(context.Background(), func(tx *store.Tx) error {
					id, err := In(tx).InsertEntity(NewEntity{Name: fmt.Sprintf("w%d-%d", w, i), Type: "x", Observations: []string{"moving"}})
					if err != nil {
						return err
					}
					if i%2 == 1 {
						return In(tx).DeleteEntityRows([]int64{id - 1})
					}
					return nil
				})
				if err != nil {
					failures <- err
					return
				}
			}
		})
	}
	for range 3 {
		group.Go(func() {
			for range 60 {
				err := db.Read(context.Background(), func(tx *store.Tx) error {
					hits, err := In(tx).FindText("moving")
					if err != nil {
						return err
					}
					ids := make([]int64, len(hits))
					for i, h := range hits {
						ids[i] = h.ID
					}
					entities, err := In(tx).ReadEntities(ids, NoLimit)
					if err == nil && len(entities) != len(ids) {
						err = fmt.Errorf("%d hits, %d entities in the same snapshot", len(ids), len(entities))
					}
					return err
				})
				if err != nil {
					failures <- err
					return
				}
			}
		})
	}
	group.Wait()
	close(failures)
	for err := range failures {
		t.Error(err)
	}
	if got := foundNames(t, db, "anchor"); !slices.Equal(got, []string{"anchor"}) {
		t.Errorf("found %q", got)
	}
}
