package memory

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"toolkit/internal/storetest"
	"toolkit/store"
	"toolkit/store/internal/plantest"
)

// indexed enters a row with the given terms.
func indexed(t *testing.T, db *store.DB, m Indexed) (id int64) {
	t.Helper()
	storetest.Write(t, db, func(tx *store.Tx) (err error) {
		id, _, err = In(tx).IndexRow(m, len(strings.Fields(m.Terms)))
		return err
	})
	return id
}

func TestPositionsCountWithinASessionAndARowIsIndexedOnce(t *testing.T) {
	db := storetest.Open(t)
	for i, session := range []string{"a", "b", "a", "", ""} {
		indexed(t, db, Indexed{Source: SourceDialogue, RowID: int64(i + 1), SessionID: session, Terms: "word"})
	}
	again := Indexed{Source: SourceDialogue, RowID: 3, SessionID: "a", Terms: "word", Retired: true}
	if id := indexed(t, db, again); id != 3 {
		t.Errorf("id %d", id)
	}
	storetest.Read(t, db, func(tx *store.Tx) error {
		rows, err := In(tx).IndexedAfter(SourceDialogue, 0, 10)
		if err != nil {
			return err
		}
		var positions []int
		for _, m := range rows {
			positions = append(positions, m.Position)
		}
		if !slices.Equal(positions, []int{1, 1, 2, 1, 1}) || !rows[2].Retired {
			t.Errorf("%v %+v", positions, rows[2])
		}
		s, err := In(tx).Statistics(SourceDialogue, []string{"word", "other"})
		if err == nil && (s.Rows != 5 || s.Words != 5 || s.Body["word"] != 5 || s.Body["other"] != 0) {
			t.Errorf("%+v", s)
		}
		return err
	})
}

// On every engine a row of rarer words comes before one of frequent words, one of several
// words before one of them alone, and a short row before a long one.
func TestMatchReturnsRowsOfTheRarestWordsFirst(t *testing.T) {
	db := storetest.Open(t)
	const lake, longer, otter, both, boat, longest = 1, 2, 3, 4, 5, 6
	for i, row := range []Indexed{
		{SessionID: "odd", Terms: "lake pike"},
		{SessionID: "even", Terms: "lake perch bream tench"},
		{SessionID: "odd", Terms: "otter fish"},
		{SessionID: "even", Terms: "lake boat"},
		{SessionID: "odd", Terms: "boat oar", Day: "monday"},
		{SessionID: "even", Terms: "lake trout salmon carp eel char"},
	} {
		row.Source, row.RowID = SourceDialogue, int64(i+1)
		indexed(t, db, row)
	}
	for i := range 20 {
		indexed(t, db, Indexed{Source: SourceDialogue, RowID: int64(i + 7), SessionID: "other", Terms: "unrelated words"})
	}
	const words = `body : "otter" OR body : "boat" OR body : "lake"`
	for _, c := range []struct {
		name, expression string
		filter           Filter
		limit            int
		want             []int64
	}{
		{"any of three words", words, Filter{}, 10, []int64{both, otter, boat, lake, longer, longest}},
		{"the order of the words does not count", `body : "lake" OR body : "boat" OR body : "otter"`, Filter{}, 10, []int64{both, otter, boat, lake, longer, longest}},
		{"the best two", words, Filter{}, 2, []int64{both, otter}},
		{"of one session", words, Filter{SessionID: "odd"}, 10, []int64{otter, boat, lake}},
		{"the best of one session", words, Filter{SessionID: "even"}, 1, []int64{both}},
		{"in two columns", `body : "boat" OR day : "monday"`, Filter{}, 10, []int64{boat, both}},
		{"a rare word, or two together", `body : "otter" OR (body : "lake" AND (body : "boat" OR body : "oar"))`, Filter{}, 10, []int64{both, otter}},
		{"no row", `body : "heron"`, Filter{}, 10, []int64{}},
	} {
		storetest.Read(t, db, func(tx *store.Tx) error {
			got, err := In(tx).Match(SourceDialogue, c.expression, c.filter, c.limit)
			if !slices.Equal(got, c.want) {
				t.Errorf("%s: %v, want %v", c.name, got, c.want)
			}
			return err
		})
	}
}

func TestMergedWordsAreFoundAsBeforeInFewerPlaces(t *testing.T) {
	storetest.SkipUnlessSQLite(t, "its file is read or changed by hand")
	db := storetest.Open(t)
	for i := range 40 {
		indexed(t, db, Indexed{Source: SourceDialogue, RowID: int64(i + 1), SessionID: "a", Terms: "word number" + strconv.Itoa(i)})
	}
	look := func() (found []int64, parts int) {
		storetest.Read(t, db, func(tx *store.Tx) (err error) {
			if found, err = In(tx).Match(SourceDialogue, `body : "word"`, Filter{}, 100); err != nil {
				return err
			}
			return In(tx).sql.Row(`SELECT count(DISTINCT id >> 37) FROM memory_words_l0_data WHERE id > 10`).Scan(&parts)
		})
		return found, parts
	}
	before, parts := look()
	storetest.Write(t, db, func(tx *store.Tx) error { return In(tx).MergeWordIndexes() })
	after, merged := look()
	if len(before) != 40 || !slices.Equal(before, after) {
		t.Errorf("found %v before, %v after", before, after)
	}
	if parts <= 4 || merged > 2 {
		t.Errorf("%d parts became %d", parts, merged)
	}
}

func TestTheChangeFeedTellsOfVectorsAndOfRetiredRows(t *testing.T) {
	db := storetest.Open(t)
	first := indexed(t, db, Indexed{Source: SourceInsight, RowID: 1})
	second := indexed(t, db, Indexed{Source: SourceInsight, RowID: 2})
	writing := func(f func(tx *store.Tx) error) {
		t.Helper()
		storetest.Write(t, db, f)
	}
	writing(func(tx *store.Tx) error {
		return In(tx).InsertVectors("model", []store.Vector{{ID: first, Vector: []byte{1}}, {ID: second, Vector: []byte{2}}})
	})
	changes := func(retired bool, after int64) (list []store.Vector) {
		t.Helper()
		storetest.Read(t, db, func(tx *store.Tx) (err error) {
			list, err = In(tx).VectorChanges("model", SourceInsight, retired, after, 10)
			return err
		})
		return list
	}
	seen := changes(false, 0)
	if len(seen) != 2 || seen[0].Vector == nil || seen[1].Vector == nil || len(changes(false, seen[1].Seq)) != 0 {
		t.Fatalf("%+v", seen)
	}
	writing(func(tx *store.Tx) error { // what is there stays
		return In(tx).InsertVectors("model", []store.Vector{{ID: first, Vector: []byte{9}}})
	})
	if again := changes(false, seen[1].Seq); len(again) != 0 {
		t.Errorf("%+v", again)
	}
	indexed(t, db, Indexed{Source: SourceInsight, RowID: 1, Retired: true})
	if now := changes(false, seen[1].Seq); len(now) != 1 || now[0].ID != first || now[0].Vector != nil {
		t.Errorf("%+v", now)
	}
	if now := changes(true, 0); len(now) != 2 || now[1].ID != first || string(now[1].Vector) != "\x01" || now[0].Vector != nil {
		t.Errorf("%+v", now)
	}
}

// TestMemoryQueriesUseIndexes refuses any query of a search that reads a whole
// table.
func TestMemoryQueriesUseIndexes(t *testing.T) {
	db := storetest.Open(t)
	least := 0.5
	filters := []Filter{{}, {IncludeRetired: true}, {SessionID: "s", Speaker: "a", Tags: []string{"x", "y"}}, {CreatedAfter: time.Unix(1, 0), CreatedBefore: time.Unix(2, 0)}, {FidelityMin: &least, RewardMin: &least}}
	storetest.Read(t, db, func(tx *store.Tx) error {
		rows := In(tx)
		for _, source := range Sources {
			if _, err := rows.Statistics(source, []string{"a"}); err != nil {
				return err
			}
			for _, f := range filters {
				if _, err := rows.Filter(source, f, 5); err != nil {
					return err
				}
				if _, err := rows.Match(source, `body : "a"`, f, 5); err != nil {
					return err
				}
				if _, err := rows.IndexedNeighbours(source, []int64{1}, 2, f); err != nil {
					return err
				}
			}
			if _, err := rows.VectorChanges("m", source, false, 0, 5); err != nil {
				return err
			}
		}
		if _, err := rows.RowsAt([]int64{1}); err != nil {
			return err
		}
		if _, err := rows.Vectors("m", []int64{1}); err != nil {
			return err
		}
		_, _, err := rows.ListUnembedded("m", 0, 5)
		return err
	})
	// Lists, what subqueries found, and the full-text tables themselves.
	bounded := regexp.MustCompile(`^SCAN ((j|t|s|value)( |$)|\(subquery|json_each|.* VIRTUAL TABLE )`)
	plantest.RequireNoFullScans(t, db, plantest.RequireRecordedQueries(t, db, "", 30), func(query, detail string) bool {
		return bounded.MatchString(detail) || strings.Contains(query, " AND 0 ") // ends before it begins
	})
}

func TestIndexedNeighboursAreOrderedByTime(t *testing.T) {
	db := storetest.Open(t)
	created := []int64{50, 10, 40, 10, 30, 20, 60} // 2 and 4 at the same time
	for i, at := range created {
		indexed(t, db, Indexed{Source: SourceDialogue, RowID: int64(i + 1), SessionID: "a", Created: at, Terms: "word"})
		indexed(t, db, Indexed{Source: SourceDialogue, RowID: int64(i + 100), SessionID: "b", Created: at, Terms: "word"})
	}
	id := func(row int64) int64 { return 2*row - 1 } // every other is of session b
	storetest.Read(t, db, func(tx *store.Tx) error {
		for _, test := range []struct {
			wanted []int64
			reach  int
			want   map[int64]int // rows by their places
		}{
			{[]int64{id(6)}, 1, map[int64]int{id(4): 1, id(6): 2, id(5): 3}},
			{[]int64{id(2)}, 2, map[int64]int{id(2): 1, id(4): 2, id(6): 3}},
			{[]int64{id(4)}, 1, map[int64]int{id(2): 1, id(4): 2, id(6): 3}},
			{[]int64{id(2), id(7)}, 1, map[int64]int{id(2): 1, id(4): 2, id(1): 2 + positionGap, id(7): 3 + positionGap}},
			{[]int64{id(6), id(3)}, 1, map[int64]int{id(4): 1, id(6): 2, id(5): 3, id(3): 4, id(1): 5}},
		} {
			rows, err := In(tx).IndexedNeighbours(SourceDialogue, test.wanted, test.reach, Filter{})
			if err != nil {
				return err
			}
			places := map[int64]int{}
			for _, r := range rows {
				places[r.ID] = r.Position
			}
			if !maps.Equal(places, test.want) {
				t.Errorf("around %v: %v, want %v", test.wanted, places, test.want)
			}
		}
		turns, err := In(tx).CountTurnsUpTo([]int64{id(2), id(4), id(7)})
		if want := (map[int64]int{id(2): 1, id(4): 2, id(7): 7}); !maps.Equal(turns, want) {
			t.Errorf("turns %v, want %v", turns, want)
		}
		return err
	})
}
