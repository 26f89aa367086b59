package embed

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// filled returns an index of n random rows with ids 1 … n, and their vectors.
func filled(t testing.TB, n, dimension int) (*Index, map[int64][]float32) {
	t.Helper()
	r := rand.New(rand.NewPCG(uint64(n), uint64(dimension)))
	rows := make(map[int64][]float32, n)
	changes := make([]Change, n)
	for i := range changes {
		id := int64(i + 1)
		rows[id] = randomVector(r, dimension, true)
		changes[i] = Change{Seq: id, ID: id, Vector: rows[id]}
	}
	index := NewIndex(nil)
	if err := index.Sync(t.Context(), &memory{changes: changes}); err != nil {
		t.Fatal(err)
	}
	return index, rows
}

// exhaustive is the true answer.
func exhaustive(rows map[int64][]float32, query []float32, k int) []Hit {
	var hits []Hit
	for id, row := range rows {
		hits = append(hits, Hit{id, Cosine(query, row)})
	}
	slices.SortFunc(hits, func(a, b Hit) int {
		if a.Similarity != b.Similarity {
			if a.Similarity > b.Similarity {
				return -1
			}
			return 1
		}
		return int(b.ID - a.ID)
	})
	return hits[:min(k, len(hits))]
}

func stored(rows map[int64][]float32) func(context.Context, []int64) (map[int64][]float32, error) {
	return func(_ context.Context, ids []int64) (map[int64][]float32, error) {
		found := make(map[int64][]float32, len(ids))
		for _, id := range ids {
			if v, ok := rows[id]; ok {
				found[id] = v
			}
		}
		return found, nil
	}
}

// put and drop are changes as a source tells them.
func put(x *Index, id int64, vector []float32) { x.applyChanges([]Change{{ID: id, Vector: vector}}) }

func drop(x *Index, id int64) { x.applyChanges([]Change{{ID: id}}) }

func ids(hits []Hit) []int64 {
	found := make([]int64, len(hits))
	for i, hit := range hits {
		found[i] = hit.ID
	}
	return found
}

func TestSearchIsExactWhileTheIndexIsSmall(t *testing.T) {
	for _, n := range []int{1, 7, 300, exactRows, exactRows + 100} {
		index, rows := filled(t, n, 40)
		index.exact = stored(rows)
		r := rand.New(rand.NewPCG(1, 1))
		for range 20 {
			query := randomVector(r, 40, false)
			got, err := index.Search(t.Context(), query, 10, nil)
			if err != nil {
				t.Fatal(err)
			}
			if want := exhaustive(rows, query, 10); !cmp.Equal(ids(want), ids(got)) {
				t.Fatalf("%d rows: got %v, want %v", n, got, want)
			}
		}
	}
}

func TestSearchWithoutStoredVectorsIsCloseToExact(t *testing.T) {
	for _, n := range []int{500, 4000} {
		index, rows := filled(t, n, 256)
		r := rand.New(rand.NewPCG(2, 2))
		for range 20 {
			query := randomVector(r, 256, false)
			hits, err := index.Search(t.Context(), query, 10, nil)
			if err != nil || len(hits) != 10 {
				t.Fatalf("%d hits, %v", len(hits), err)
			}
			for _, hit := range hits {
				if want := Cosine(query, rows[hit.ID]); math.Abs(hit.Similarity-want) > 0.003 {
					t.Errorf("row %d: similarity %g, want %g", hit.ID, hit.Similarity, want)
				}
			}
		}
	}
}

func TestSearchBoundaries(t *testing.T) {
	index, _ := filled(t, 5, 8)
	query := []float32{1, 2, 3, 4, 5, 6, 7, 8}
	for _, c := range []struct{ k, want int }{{-1, 0}, {0, 0}, {1, 1}, {5, 5}, {6, 5}, {1 << 40, 5}} {
		hits, err := index.Search(t.Context(), query, c.k, nil)
		if err != nil || len(hits) != c.want || hits == nil {
			t.Errorf("k = %d: %v, %v; want %d hits", c.k, hits, err, c.want)
		}
	}
	empty := NewIndex(nil)
	if hits, err := empty.Search(t.Context(), query, 3, nil); err != nil || len(hits) != 0 || hits == nil {
		t.Errorf("an empty index gives %v, %v", hits, err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := index.Search(cancelled, query, 3, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled search gives %v", err)
	}
}

func TestVectorsThatCannotBeComparedAreRefused(t *testing.T) {
	nan := float32(math.NaN())
	for _, c := range []struct {
		name   string
		vector []float32
		want   string
	}{
		{"nil", nil, ErrNoDirection.Error()},
		{"empty", []float32{}, ErrNoDirection.Error()},
		{"zero", []float32{0, 0, 0}, ErrNoDirection.Error()},
		{"NaN", []float32{1, nan, 0}, ErrNoDirection.Error()},
		{"Inf", []float32{float32(math.Inf(1)), 0, 0}, ErrNoDirection.Error()},
		{"shorter", []float32{1, 0}, "invalid embedding dimension: 2, expected 3"},
		{"longer", []float32{1, 0, 0, 0}, "invalid embedding dimension: 4, expected 3"},
	} {
		index := NewIndex(nil)
		put(index, 1, []float32{1, 0, 0})
		put(index, 2, []float32{0, 1, 0})
		if _, err := index.Search(t.Context(), c.vector, 1, nil); err == nil || err.Error() != c.want {
			t.Errorf("%s: Search gives %v, want %s", c.name, err, c.want)
		}
		put(index, 1, c.vector) // the row no longer holds what was indexed
		hits, err := index.Search(t.Context(), []float32{1, 1, 0}, 5, nil)
		if err != nil || !cmp.Equal([]int64{2}, ids(hits)) {
			t.Errorf("%s as the vector of a row: %v, %v", c.name, hits, err)
		}
	}
}

func TestAnEmptiedIndexTakesAnotherDimension(t *testing.T) {
	index := NewIndex(nil)
	for dimension := 2; dimension < 5; dimension++ {
		put(index, 1, make([]float32, dimension))
		vector := make([]float32, dimension)
		vector[0] = 1
		put(index, 1, vector)
		if index.space.from != dimension || len(index.slots) != 1 {
			t.Fatalf("dimension %d, %d rows", index.space.from, len(index.slots))
		}
		drop(index, 1)
		drop(index, 1)
	}
}

func TestEqualSimilaritiesComeNewestFirst(t *testing.T) {
	for _, n := range []int{40, exactRows + 50, 9000, exactRows + 9} {
		index := NewIndex(nil)
		changes := make([]Change, n)
		for i := range changes {
			changes[i] = Change{Seq: int64(i + 1), ID: int64(i + 1), Vector: []float32{1, 1, 0}}
		}
		rand.New(rand.NewPCG(3, 3)).Shuffle(n, func(i, j int) { changes[i].ID, changes[j].ID = changes[j].ID, changes[i].ID })
		if err := index.Sync(t.Context(), &memory{changes: changes}); err != nil {
			t.Fatal(err)
		}
		for _, query := range [][]float32{{1, 1, 0}, {0, 0, 1}} {
			hits, err := index.Search(t.Context(), query, 4, nil)
			if want := []int64{int64(n), int64(n - 1), int64(n - 2), int64(n - 3)}; err != nil || !cmp.Equal(want, ids(hits)) {
				t.Errorf("%d equal rows, query %v: %v, %v; want %v", n, query, hits, err, want)
			}
		}
	}
}

func TestFiltersFindTheBestOfThePermitted(t *testing.T) {
	index, rows := filled(t, 5000, 32)
	index.exact = stored(rows)
	query := randomVector(rand.New(rand.NewPCG(4, 4)), 32, false)
	for name, permitted := range map[string]func(int64) bool{
		"one in a hundred": func(id int64) bool { return id%100 == 0 },
		"a half":           func(id int64) bool { return id > 2500 },
		"one":              func(id int64) bool { return id == 77 },
		"none":             func(int64) bool { return false },
	} {
		subset := make(map[int64][]float32)
		list := []int64{-5, 1 << 50} // unknown ids are ignored, double ones count once
		for id, row := range rows {
			if permitted(id) {
				subset[id] = row
				list = append(list, id, id)
			}
		}
		want := ids(exhaustive(subset, query, 10))
		hits, err := index.Search(t.Context(), query, 10, list)
		if err != nil || !slices.Equal(want, ids(hits)) {
			t.Errorf("%s: %v, %v; want %v", name, hits, err, want)
		}
	}
}

func TestRandomChangesLeaveTheIndexEqualToItsRows(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	index, rows := NewIndex(nil), make(map[int64][]float32)
	index.exact = stored(rows)
	for round := range 12 {
		for range 800 {
			id := r.Int64N(4000) - 1000 // negative ids, too
			if r.IntN(4) == 0 || round == 11 && r.IntN(3) > 0 {
				drop(index, id)
				delete(rows, id)
				continue
			}
			v := randomVector(r, 24, true)
			if !Normalize(v) {
				continue
			}
			put(index, id, v)
			rows[id] = v
		}
		if len(index.slots) != len(rows) {
			t.Fatalf("%d rows, want %d", len(index.slots), len(rows))
		}
		query := randomVector(r, 24, false)
		got, err := index.Search(t.Context(), query, 20, nil)
		if err != nil {
			t.Fatal(err)
		}
		if want := exhaustive(rows, query, 20); !cmp.Equal(ids(want), ids(got)) {
			t.Fatalf("round %d, %d rows: got %v, want %v", round, len(rows), ids(got), ids(want))
		}
	}
	for id := range rows {
		if !index.Contains(id) {
			t.Errorf("row %d is missing", id)
		}
		drop(index, id)
	}
	if len(index.slots) != 0 || index.Contains(1) {
		t.Errorf("%d rows are left", len(index.slots))
	}
}

func TestEveryRowOfALargeIndexFindsItself(t *testing.T) {
	index, rows := filled(t, exactRows-10, 24)
	index.exact = stored(rows)
	r := rand.New(rand.NewPCG(10, 10))
	for i := range 40 { // across the size at which the scan takes over
		id := int64(100_000 + 3*i)
		rows[id] = randomVector(r, 24, false)
		put(index, id, rows[id])
	}
	for i := range 80 {
		id := int64(100_000 + 3*(i%40))
		if i >= 40 {
			id = 1 + r.Int64N(exactRows-10)
		}
		hits, err := index.Search(t.Context(), rows[id], 1, nil)
		if err != nil || len(hits) != 1 || hits[0].ID != id {
			t.Errorf("row %d finds %v, %v", id, hits, err)
		}
	}
}

func TestShrunkenIndexFindsNewRows(t *testing.T) {
	index, rows := filled(t, 9000, 16)
	index.exact = stored(rows)
	for id := range rows {
		if id > 100 {
			drop(index, id)
			delete(rows, id)
		}
	}
	r := rand.New(rand.NewPCG(9, 9))
	for i := range 900 {
		id := int64(20_000 + 8*i)
		rows[id] = randomVector(r, 16, false)
		put(index, id, rows[id])
	}
	for range 30 {
		query := rows[int64(20_000+8*r.IntN(900))]
		hits, err := index.Search(t.Context(), query, 1, nil)
		if want := exhaustive(rows, query, 1); err != nil || !slices.Equal(ids(want), ids(hits)) {
			t.Fatalf("got %v, %v; want %v", hits, err, want)
		}
	}
}

func TestDeletedRowsAreNotFound(t *testing.T) {
	index, rows := filled(t, 50, 16)
	query := randomVector(rand.New(rand.NewPCG(6, 6)), 16, false)
	best := exhaustive(rows, query, 3)
	delete(rows, best[0].ID)              // deleted by another process
	rows[best[1].ID] = []float32{1, 2, 3} // re-embedded in another space
	index.exact = stored(rows)
	hits, err := index.Search(t.Context(), query, 3, nil)
	if err != nil || len(hits) != 3 || hits[0].ID != best[2].ID {
		t.Errorf("got %v, %v; want %d first", hits, err, best[2].ID)
	}
	failure := errors.New("disk")
	index.exact = func(context.Context, []int64) (map[int64][]float32, error) { return nil, failure }
	if _, err := index.Search(t.Context(), query, 3, nil); !errors.Is(err, failure) {
		t.Errorf("error %v, want it to wrap the reader's", err)
	}
}

func TestConcurrentUse(t *testing.T) {
	index, rows := filled(t, exactRows-50, 16)
	source := &memory{}
	for id, row := range rows {
		source.changes = append(source.changes, Change{Seq: int64(len(source.changes) + 1), ID: id + 10_000, Vector: row})
	}
	index.cursor.Store(0)
	var wait sync.WaitGroup
	for worker := range 6 {
		wait.Go(func() {
			r := rand.New(rand.NewPCG(uint64(worker), 7))
			for i := range 40 {
				id := r.Int64N(4000)
				switch i % 3 {
				case 0:
					put(index, id, randomVector(r, 16, false))
				case 1:
					drop(index, id)
				}
				if err := index.Sync(t.Context(), source); err != nil {
					t.Error(err)
				}
				hits, err := index.Search(t.Context(), randomVector(r, 16, false), 5, nil)
				if err != nil || len(hits) != 5 {
					t.Errorf("%d hits, %v", len(hits), err)
				}
			}
		})
	}
	wait.Wait()
	if !index.Contains(10_001) {
		t.Error("the source was not followed")
	}
}
