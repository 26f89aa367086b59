package graph

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"toolkit/internal/language"
	"toolkit/internal/storetest"
	"toolkit/store"
	"toolkit/store/kinds"
)

// observationsOf are the observations that a node shows.
func observationsOf(t testing.TB, db *store.DB, name string) []string {
	t.Helper()
	var shown []string
	storetest.Read(t, db, func(tx *store.Tx) error {
		id, found, err := In(tx).EntityID(name)
		if err != nil || !found {
			t.Errorf("%s: found %v, %v", name, found, err)
			return err
		}
		entities, err := In(tx).ReadEntities([]int64{id}, NoLimit)
		if err == nil {
			shown = entities[0].Observations
		}
		return err
	})
	return shown
}

func TestInsertEntityRefusesExistingName(t *testing.T) {
	db := openGraph(t)
	addPlain(t, db, NewEntity{Name: "a", Type: "x"})
	storetest.Write(t, db, func(tx *store.Tx) error {
		if _, err := In(tx).InsertEntity(NewEntity{Name: "a", Type: "y"}); !errors.Is(err, ErrExists) {
			t.Errorf("the second one gave %v", err)
		}
		_, err := In(tx).InsertEntity(NewEntity{Name: "A", Type: "after a refusal the transaction goes on"})
		return err
	})
	if got := foundNames(t, db, "a"); !slices.Equal(got, []string{"A", "a"}) {
		t.Errorf("found %q", got)
	}
}

func TestOnlyABrokenUniqueConstraintCountsAsExisting(t *testing.T) {
	db := openGraph(t)
	err := db.Write(context.Background(), func(tx *store.Tx) error {
		_, err := In(tx).InsertEntity(NewEntity{Name: "a", Type: "x", Kind: "no such kind"})
		return err
	})
	if err == nil || errors.Is(err, ErrExists) {
		t.Errorf("a broken CHECK gave %v", err)
	}
	err = db.Write(context.Background(), func(tx *store.Tx) error {
		_, err := In(tx).InsertRelation(1, 2, "dangling", false, nil, nil)
		return err
	})
	if err == nil || errors.Is(err, ErrExists) {
		t.Errorf("a broken reference gave %v", err)
	}
}

func TestObservationsAreAddedOnceAndDeletedByTheirWords(t *testing.T) {
	long := strings.Repeat("the same beginning, ", 20)
	db := openGraph(t)
	addPlain(t, db, NewEntity{Name: "a", Type: "x", Observations: []string{"twice", "twice", long + "1"}})
	storetest.Write(t, db, func(tx *store.Tx) error {
		id, _, err := In(tx).EntityID("a")
		if err != nil {
			return err
		}
		added, err := In(tx).AppendObservations(id, []string{"twice", long + "2", long + "2", "nul\x00a", "nul\x00b", "Twice"})
		if !slices.Equal(added, []string{long + "2", "nul\x00a", "nul\x00b", "Twice"}) {
			t.Errorf("added %q", added)
		}
		return err
	})
	storetest.Write(t, db, func(tx *store.Tx) error {
		id, _, err := In(tx).EntityID("a")
		if err != nil {
			return err
		}
		removed, err := In(tx).DeleteObservations(id, []string{"twice", "nul\x00a", "never", long})
		if !slices.Equal(removed, []string{"twice", "nul\x00a"}) {
			t.Errorf("removed %q", removed)
		}
		return err
	})
	if got := observationsOf(t, db, "a"); !slices.Equal(got, []string{long + "1", long + "2", "nul\x00b", "Twice"}) {
		t.Errorf("left are %q", got)
	}
}

// matchNodes are the nodes with a wording in their names, titles and narratives, and those
// with it in an observation.
func matchNodes(tx *store.Tx, wordings ...language.Wording) (named, observed []int64, err error) {
	parts := make([]string, len(wordings))
	for i, w := range wordings {
		parts[i] = store.MatchAnyWording(w, "")
	}
	if named, err = kinds.In(tx).MatchWords(kinds.EntityWords, strings.Join(parts, " AND "), false, 10); err != nil {
		return nil, nil, err
	}
	rows, err := kinds.In(tx).MatchWords(kinds.ObservationWords, strings.Join(parts, " AND "), true, 10)
	if err != nil {
		return nil, nil, err
	}
	nodes, err := In(tx).ReadFoundNodes(nil, rows, nil, 0)
	for _, n := range nodes {
		observed = append(observed, n.ID)
	}
	return named, observed, err
}

func TestWordsFollowEveryChange(t *testing.T) {
	db := openGraph(t)
	var id int64
	storetest.Write(t, db, func(tx *store.Tx) (err error) {
		id, err = In(tx).InsertEntity(NewEntity{Name: "Ada Berlin", Type: "swimmer", Title: "Morning laps", Body: "currents", Observations: []string{"brews coffee"}})
		return err
	})
	expect := func(word string, named, observed bool) {
		t.Helper()
		storetest.Read(t, db, func(tx *store.Tx) error {
			inName, inObservation, err := matchNodes(tx, language.Wording{word})
			if slices.Contains(inName, id) != named || slices.Contains(inObservation, id) != observed {
				t.Errorf("%s: %v, %v", word, inName, inObservation)
			}
			return err
		})
	}
	for _, word := range []string{"ADA", "berlin", "swimmers", "lap", "current"} {
		expect(word, true, false)
	}
	expect("brewing", false, true)
	storetest.Write(t, db, func(tx *store.Tx) error { return In(tx).SetTitle(id, "Evening sprints") })
	expect("lap", false, false)
	expect("sprint", true, false)
	expect("berlin", true, false)
	storetest.Write(t, db, func(tx *store.Tx) error {
		_, err := In(tx).DeleteObservations(id, []string{"brews coffee"})
		return err
	})
	expect("brewing", false, false)
	storetest.Write(t, db, func(tx *store.Tx) error { return In(tx).DeleteEntityRows([]int64{id}) })
	expect("ada", false, false)
}

func TestMatchWordsAcceptsAnyText(t *testing.T) {
	db := openGraph(t)
	addPlain(t, db, NewEntity{Name: `say "hi"`, Type: "x", Observations: []string{"AND OR NOT NEAR"}})
	for _, text := range []string{`"`, `""`, "*", "NEAR(", "a AND b", "", " ", "\x00", "x\x00y", "{a}:", "\xff", "'"} {
		storetest.Read(t, db, func(tx *store.Tx) error {
			if _, _, err := matchNodes(tx, language.Wording{text}); err != nil {
				t.Errorf("%q: %v", text, err)
			}
			if _, _, err := matchNodes(tx, language.Wording{text}, language.Wording{"hi"}); err != nil {
				t.Errorf("%q and hi: %v", text, err)
			}
			return nil
		})
	}
	storetest.Read(t, db, func(tx *store.Tx) error {
		_, observed, err := matchNodes(tx, language.Wording{"near"})
		if len(observed) != 1 {
			t.Errorf("an operator is no word: %v", observed)
		}
		return err
	})
}

func TestDeletedEntityLeavesNoRows(t *testing.T) {
	db := openGraph(t)
	addPlain(t, db, NewEntity{Name: "a", Type: "x", Observations: []string{"one"}}, NewEntity{Name: "b", Type: "x"})
	storetest.Write(t, db, func(tx *store.Tx) error {
		rows := In(tx)
		a, _, err := rows.EntityID("a")
		if err != nil {
			return err
		}
		b, _, err := rows.EntityID("b")
		if err != nil {
			return err
		}
		for _, r := range [][2]int64{{a, b}, {b, a}, {a, a}} {
			if _, err := rows.InsertRelation(r[0], r[1], "knows", false, nil, nil); err != nil {
				return err
			}
		}
		return rows.DeleteEntityRows([]int64{a})
	})
	storetest.Read(t, db, func(tx *store.Tx) error {
		for table, want := range map[string]int{"entities": 1, "observations": 0, "relations": 0} {
			var n int
			if err := In(tx).sql.Row(`SELECT count(*) FROM ` + table).Scan(&n); err != nil {
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
	var told [][]store.Topic
	db.OnCommit(func(topics []store.Topic) { told = append(told, topics) })
	sequence := func(topic store.Topic) int64 {
		n, err := db.SumSequences(context.Background(), topic)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	addPlain(t, db, NewEntity{Name: "a", Type: "x"})
	graph, charts := sequence(store.TopicGraph), sequence(store.TopicCharts)
	storetest.Write(t, db, func(tx *store.Tx) error {
		rows := In(tx)
		id, _, err := rows.EntityID("a")
		if err != nil {
			return err
		}
		if _, err := rows.AppendObservations(id, nil); err != nil {
			return err
		}
		_, err = rows.DeleteObservations(id, []string{"never there"})
		return err
	})
	if sequence(store.TopicGraph) != graph {
		t.Error("a write that changed nothing advanced the graph")
	}
	storetest.Write(t, db, func(tx *store.Tx) error { In(tx).TouchCharts(); return nil })
	if sequence(store.TopicCharts) != charts+1 || sequence(store.TopicGraph) != graph {
		t.Error("touching charts advances charts alone")
	}
	if len(told) != 2 || !slices.Equal(told[0], []store.Topic{store.TopicGraph}) || !slices.Equal(told[1], []store.Topic{store.TopicCharts}) {
		t.Errorf("watchers were told %v", told)
	}
}
