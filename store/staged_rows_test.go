package store_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"toolkit/store"
	"toolkit/store/memories"
	"toolkit/store/readings"
	"toolkit/store/storetest"
)

func readingOf(dataset string, at int64, calm float64) func(*store.Tx) error {
	return func(tx *store.Tx) error {
		d, err := readings.In(tx).PutDataset(readings.Dataset{Name: dataset, Source: "s", License: "l"})
		if err != nil {
			return err
		}
		_, err = readings.In(tx).PutReading(readings.Reading{Pocket: "cluny", CapturedAt: at, Dataset: d.Seq, Calm: calm, PrimaryState: "calm"})
		return err
	}
}

// Whoever comes last corrects a reading of its own data set; of two data sets the
// first keeps its word.
func TestAStagedWriteOfPocketsLetsOthersWrite(t *testing.T) {
	const calmOf = `SELECT CAST(100 * calm AS INTEGER) FROM pocket_readings WHERE captured_at = %d`
	for name, tc := range map[string]struct {
		other func(*store.Tx) error
		want  map[int64]int // hundredths of calm, by time
	}{
		"rows of their own":                  {readingOf("a", 4, .4), map[int64]int{1: 20, 2: 20, 4: 40}},
		"a row that it corrects":             {readingOf("a", 1, .4), map[int64]int{1: 20, 2: 20}},
		"a row that it adds":                 {readingOf("a", 2, .4), map[int64]int{1: 20, 2: 20}},
		"a row that it adds, of another set": {readingOf("b", 2, .4), map[int64]int{1: 20, 2: 40}},
		"the data set that it adds":          {readingOf("c", 4, .4), map[int64]int{1: 20, 2: 20, 3: 20, 4: 40}},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "toolkit.db")
			db, other := storetest.Open(t, path), storetest.Open(t, path)
			store.Must(t, db.Write(t.Context(), readingOf("a", 1, .1)))
			runs := 0
			store.Must(t, db.WriteStaged(t.Context(), store.StagedPockets, func(tx *store.Tx) error {
				for _, put := range []func(*store.Tx) error{readingOf("a", 1, .2), readingOf("a", 2, .2), readingOf("c", 3, .2)} {
					if err := put(tx); err != nil {
						return err
					}
				}
				if runs++; runs == 1 {
					return other.Write(t.Context(), tc.other)
				}
				return nil
			}))
			for at, want := range tc.want {
				if got := store.Count(t, db, fmt.Sprintf(calmOf, at)); got != want {
					t.Errorf("the reading at %d is %d, want %d", at, got, want)
				}
			}
			if n := store.Count(t, db, `SELECT count(*) FROM pocket_readings r JOIN pocket_datasets d ON d.seq = r.dataset WHERE r.captured_at = 3 AND d.name = 'c'`); n != 1 {
				t.Error("the reading of the new data set is not its own")
			}
		})
	}
}

func TestAStagedWriteSealsAndRevealsPredictions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "toolkit.db")
	db, other := storetest.Open(t, path), storetest.Open(t, path)
	seal := func(key string) func(*store.Tx) error {
		return func(tx *store.Tx) error {
			d, err := readings.In(tx).PutDataset(readings.Dataset{Name: "a", Source: "s", License: "l"})
			if err == nil {
				_, _, err = readings.In(tx).SealPrediction(readings.Prediction{ID: key, Dataset: d.Seq, Pocket: "cluny", Generator: "g", Key: key, SealedAt: 1, RevealAt: 2, Payload: []byte(`{}`), Seal: key})
			}
			return err
		}
	}
	store.Must(t, db.Write(t.Context(), seal("before")))
	store.Must(t, db.WriteStaged(t.Context(), store.StagedPockets, func(tx *store.Tx) error {
		sealed, err := readings.In(tx).FindPredictions(readings.PredictionFilter{Generator: "g", To: 1}, 1)
		if err != nil {
			return err
		}
		score := .5
		if err := readings.In(tx).RevealPrediction(sealed[0].Seq, 3, []byte(`{}`), &score); err != nil {
			return err
		}
		if err := other.Write(t.Context(), seal("meanwhile")); err != nil {
			return err
		}
		return seal("staged")(tx)
	}))
	if n := store.Count(t, db, `SELECT 10 * count(*) + sum(revealed_at IS NOT NULL) FROM pocket_predictions`); n != 31 {
		t.Errorf("%d predictions, %d revealed; want 3 and 1", n/10, n%10)
	}
}

func golden(query string, docs ...int64) func(*store.Tx) error {
	return func(tx *store.Tx) error {
		_, err := memories.In(tx).InsertGoldenQuery(memories.GoldenQuery{Query: query, ExpectedDocs: docs})
		return err
	}
}

// insight stores and indexes an insight and returns its id.
func insight(tx memories.Rows, content string) (int64, error) {
	i, err := tx.InsertInsight(memories.NewInsight{Content: content, Metadata: []byte(`{}`)})
	if err != nil {
		return 0, err
	}
	id, _, err := tx.Index(memories.Indexed{Source: memories.SourceInsight, RowID: i.ID, Terms: content}, 1)
	if err != nil {
		return 0, err
	}
	return i.ID, tx.InsertVectors("m", []memories.Vector{{MemoryID: id, Vector: []byte(content)}})
}

// What an import labels must be its own insights, though other ids than on the
// copy are theirs in the end.
func TestAStagedWriteOfGoldenQueriesKeepsItsInsightsTogether(t *testing.T) {
	path := filepath.Join(t.TempDir(), "toolkit.db")
	db, other := storetest.Open(t, path), storetest.Open(t, path)
	add := func(content string) func(*store.Tx) error {
		return func(tx *store.Tx) error { _, err := insight(memories.In(tx), content); return err }
	}
	store.Must(t, db.Write(t.Context(), add("maple")))
	store.Must(t, db.Write(t.Context(), golden("unlabelled")))
	runs := 0
	store.Must(t, db.WriteStaged(t.Context(), store.StagedGolden, func(tx *store.Tx) error {
		runs++
		id, err := insight(memories.In(tx), "birch")
		if err != nil {
			return err
		}
		if err := golden("which tree", id, 1)(tx); err != nil {
			return err
		}
		if err := memories.In(tx).LabelGoldenQuery(1, []int64{id}); err != nil {
			return err
		}
		return other.Write(t.Context(), add("alder"))
	}))
	if runs != 1 {
		t.Errorf("it ran %d times, though nobody changed the golden queries", runs)
	}
	for what, query := range map[string]string{
		"the label of the new query":   `SELECT count(*) FROM golden_queries q, json_each(q.expected_docs) d JOIN l2_insights i ON i.id = d.value WHERE q.query = 'which tree' AND i.content = CASE d.key WHEN 0 THEN 'birch' ELSE 'maple' END HAVING count(*) = 2`,
		"the label of the known query": `SELECT count(*) FROM golden_queries q, json_each(q.expected_docs) d JOIN l2_insights i ON i.id = d.value WHERE q.query = 'unlabelled' AND i.content = 'birch'`,
		"the row of search":            `SELECT count(*) FROM memory_rows r JOIN l2_insights i ON i.id = r.row_id WHERE i.content = 'birch' AND r.terms = 'birch' AND i.root_id = i.id`,
		"the words":                    `SELECT count(*) FROM memory_words_l2('birch') w JOIN memory_rows r ON r.id = w.rowid WHERE r.terms = 'birch'`,
		"the vector":                   `SELECT count(*) FROM memory_vectors v JOIN memory_rows r ON r.id = v.memory_id WHERE r.terms = 'birch' AND CAST(v.vector AS TEXT) = 'birch'`,
		"the statistics":               `SELECT count(*) FROM memory_statistics WHERE source = 'l2' AND rows = 3 AND words = 3`,
	} {
		if store.Count(t, db, query) == 0 {
			t.Errorf("%s is wrong", what)
		}
	}
	soundWords(t, path)
}

func TestAStagedWriteOfGoldenQueriesRunsAgainWhenTheyChanged(t *testing.T) {
	for name, other := range map[string]func(*store.Tx) error{
		"the same query":               golden("which tree"),
		"another query":                golden("which bird"),
		"an insight it names, deleted": func(tx *store.Tx) error { return memories.In(tx).DeleteInsight(&memories.Insight{ID: 1}, "wrong") },
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "toolkit.db")
			db, second := storetest.Open(t, path), storetest.Open(t, path)
			store.Must(t, db.Write(t.Context(), func(tx *store.Tx) error { _, err := insight(memories.In(tx), "maple"); return err }))
			runs := 0
			store.Must(t, db.WriteStaged(t.Context(), store.StagedGolden, func(tx *store.Tx) error {
				if runs++; runs == 1 {
					if err := second.Write(t.Context(), other); err != nil {
						return err
					}
				}
				known, err := memories.In(tx).GoldenQueryOf("which tree", "")
				if err != nil || known != nil {
					return err
				}
				missing, err := memories.In(tx).MissingInsights([]int64{1})
				if err != nil || len(missing) > 0 {
					return err
				}
				return golden("which tree", 1)(tx)
			}))
			if runs != 2 {
				t.Errorf("it ran %d times", runs)
			}
			if n := store.Count(t, db, `SELECT count(*) FROM golden_queries WHERE query = 'which tree'`); n > 1 {
				t.Errorf("%d queries of one text", n)
			}
		})
	}
}
