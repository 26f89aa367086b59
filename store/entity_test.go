package store

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"toolkit/store/internal/query"
)

// observationsOf are the observations that a node shows.
func observationsOf(t testing.TB, db *DB, name string) []string {
	t.Helper()
	var shown []string
	reading(t, db, func(tx *Tx) error {
		id, found, err := tx.EntityID(name)
		if err != nil || !found {
			t.Errorf("%s: found %v, %v", name, found, err)
			return err
		}
		entities, err := tx.ReadEntities([]int64{id}, Every)
		if err == nil {
			shown = entities[0].Observations
		}
		return err
	})
	return shown
}

func TestANameIsTakenOnce(t *testing.T) {
	db := openGraph(t)
	addPlain(t, db, NewEntity{Name: "a", Type: "x"})
	inWrite(t, db, func(tx *Tx) error {
		if _, err := tx.InsertEntity(NewEntity{Name: "a", Type: "y"}); !errors.Is(err, ErrExists) {
			t.Errorf("the second one gave %v", err)
		}
		_, err := tx.InsertEntity(NewEntity{Name: "A", Type: "after a refusal the transaction goes on"})
		return err
	})
	if got := foundNames(t, db, "a"); !slices.Equal(got, []string{"A", "a"}) {
		t.Errorf("found %q", got)
	}
}

func TestOnlyABrokenUniqueConstraintCountsAsExisting(t *testing.T) {
	db := openGraph(t)
	err := db.Write(context.Background(), func(tx *Tx) error {
		_, err := tx.InsertEntity(NewEntity{Name: "a", Type: "x", Kind: "no such kind"})
		return err
	})
	if err == nil || errors.Is(err, ErrExists) {
		t.Errorf("a broken CHECK gave %v", err)
	}
	err = db.Write(context.Background(), func(tx *Tx) error {
		_, err := tx.InsertRelation(1, 2, "dangling", false, nil, nil)
		return err
	})
	if err == nil || query.BrokenUnique(err) {
		t.Errorf("a broken reference gave %v", err)
	}
}

func TestObservationsAreAddedOnceAndDeletedByTheirWords(t *testing.T) {
	long := strings.Repeat("the same beginning, ", 20)
	db := openGraph(t)
	addPlain(t, db, NewEntity{Name: "a", Type: "x", Observations: []string{"twice", "twice", long + "1"}})
	inWrite(t, db, func(tx *Tx) error {
		id, _, err := tx.EntityID("a")
		if err != nil {
			return err
		}
		added, err := tx.AppendObservations(id, []string{"twice", long + "2", long + "2", "nul\x00a", "nul\x00b", "Twice"})
		if !slices.Equal(added, []string{long + "2", "nul\x00a", "nul\x00b", "Twice"}) {
			t.Errorf("added %q", added)
		}
		return err
	})
	inWrite(t, db, func(tx *Tx) error {
		id, _, err := tx.EntityID("a")
		if err != nil {
			return err
		}
		removed, err := tx.DeleteObservations(id, []string{"twice", "nul\x00a", "never", long})
		if !slices.Equal(removed, []string{"twice", "nul\x00a"}) {
			t.Errorf("removed %q", removed)
		}
		return err
	})
	if got := observationsOf(t, db, "a"); !slices.Equal(got, []string{long + "1", long + "2", "nul\x00b", "Twice"}) {
		t.Errorf("left are %q", got)
	}
}

func TestWordsFollowEveryChange(t *testing.T) {
	db := openGraph(t)
	var id int64
	inWrite(t, db, func(tx *Tx) (err error) {
		id, err = tx.InsertEntity(NewEntity{Name: "Ada Berlin", Type: "swimmer", Title: "Morning laps", Body: "currents", Observations: []string{"brews coffee"}})
		return err
	})
	expect := func(word string, named, observed bool) {
		t.Helper()
		reading(t, db, func(tx *Tx) error {
			hits, err := tx.FindWord(word, 10)
			if slices.Contains(hits.Named, id) != named || slices.Contains(hits.Observed, id) != observed || !hits.Complete {
				t.Errorf("%s: %+v", word, hits)
			}
			return err
		})
	}
	for _, word := range []string{"ADA", "berlin", "swimmers", "lap", "current"} {
		expect(word, true, false)
	}
	expect("brewing", false, true)
	inWrite(t, db, func(tx *Tx) error { return tx.SetTitle(id, "Evening sprints") })
	expect("lap", false, false)
	expect("sprint", true, false)
	expect("berlin", true, false)
	inWrite(t, db, func(tx *Tx) error {
		_, err := tx.DeleteObservations(id, []string{"brews coffee"})
		return err
	})
	expect("brewing", false, false)
	inWrite(t, db, func(tx *Tx) error { return tx.DeleteEntityRows([]int64{id}) })
	expect("ada", false, false)
}

func TestAnythingIsAWordToLookFor(t *testing.T) {
	db := openGraph(t)
	addPlain(t, db, NewEntity{Name: `say "hi"`, Type: "x", Observations: []string{"AND OR NOT NEAR"}})
	for _, text := range []string{`"`, `""`, "*", "NEAR(", "a AND b", "", " ", "\x00", "x\x00y", "{a}:", "\xff", "'"} {
		reading(t, db, func(tx *Tx) error {
			if _, err := tx.FindWord(text, 5); err != nil {
				t.Errorf("%q: %v", text, err)
			}
			if _, err := tx.FindAllWords([]string{text, "hi"}, 5); err != nil {
				t.Errorf("%q and hi: %v", text, err)
			}
			return nil
		})
	}
	reading(t, db, func(tx *Tx) error {
		hits, err := tx.FindWord("near", 5)
		if len(hits.Observed) != 1 {
			t.Errorf("an operator is no word: %+v", hits)
		}
		return err
	})
}

func TestADeletedNodeLeavesNothingBehind(t *testing.T) {
	db := openGraph(t)
	addPlain(t, db, NewEntity{Name: "a", Type: "x", Observations: []string{"one"}}, NewEntity{Name: "b", Type: "x"})
	inWrite(t, db, func(tx *Tx) error {
		a, _, err := tx.EntityID("a")
		if err != nil {
			return err
		}
		b, _, err := tx.EntityID("b")
		if err != nil {
			return err
		}
		for _, r := range [][2]int64{{a, b}, {b, a}, {a, a}} {
			if _, err := tx.InsertRelation(r[0], r[1], "knows", false, nil, nil); err != nil {
				return err
			}
		}
		return tx.DeleteEntityRows([]int64{a})
	})
	reading(t, db, func(tx *Tx) error {
		for table, want := range map[string]int{"entities": 1, "observations": 0, "relations": 0} {
			var n int
			if err := tx.row(`SELECT count(*) FROM ` + table).Scan(&n); err != nil {
				return err
			}
			if n != want {
				t.Errorf("%s has %d rows, want %d", table, n, want)
			}
		}
		return nil
	})
}

func TestAWriteAdvancesTheTopicsItTouchedAndNoOthers(t *testing.T) {
	db := openGraph(t)
	var told [][]Topic
	db.OnCommit(func(topics []Topic) { told = append(told, topics) })
	sequence := func(topic Topic) int64 {
		n, err := db.Sequence(context.Background(), topic)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	addPlain(t, db, NewEntity{Name: "a", Type: "x"})
	graph, charts := sequence(TopicGraph), sequence(TopicCharts)
	inWrite(t, db, func(tx *Tx) error {
		id, _, err := tx.EntityID("a")
		if err != nil {
			return err
		}
		if _, err := tx.AppendObservations(id, nil); err != nil {
			return err
		}
		_, err = tx.DeleteObservations(id, []string{"never there"})
		return err
	})
	if sequence(TopicGraph) != graph {
		t.Error("a write that changed nothing advanced the graph")
	}
	inWrite(t, db, func(tx *Tx) error { tx.TouchCharts(); return nil })
	if sequence(TopicCharts) != charts+1 || sequence(TopicGraph) != graph {
		t.Error("touching charts advances charts alone")
	}
	if len(told) != 2 || !slices.Equal(told[0], []Topic{TopicGraph}) || !slices.Equal(told[1], []Topic{TopicCharts}) {
		t.Errorf("watchers were told %v", told)
	}
}
