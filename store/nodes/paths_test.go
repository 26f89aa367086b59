package nodes

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"toolkit/internal/storetest"
	"toolkit/store"
	"toolkit/store/internal/plantest"
)

var wide = PathBounds{Longest: 6, Relations: 1000, Paths: 3}

// related makes entities 0 to n-1 and relations between them, and returns their rows.
func related(t *testing.T, n int, relations ...[2]int) (*store.DB, []int64) {
	t.Helper()
	db := storetest.Open(t)
	ids := make([]int64, n)
	storetest.Write(t, db, func(tx *store.Tx) (err error) {
		for i := range ids {
			if ids[i], err = In(tx).InsertEntity(NewEntity{Name: fmt.Sprint("e", i), Type: "t"}); err != nil {
				return err
			}
		}
		for i, r := range relations {
			if _, err := In(tx).InsertRelation(ids[r[0]], ids[r[1]], fmt.Sprint("r", i), false, nil, nil); err != nil {
				return err
			}
		}
		return nil
	})
	return db, ids
}

func paths(t *testing.T, db *store.DB, ids []int64, from, to int, bounds PathBounds) (found Paths, chains [][]int) {
	t.Helper()
	storetest.Read(t, db, func(tx *store.Tx) (err error) {
		found, err = In(tx).Paths(ids[from], ids[to], bounds)
		return err
	})
	for _, chain := range found.Chains {
		numbers := make([]int, len(chain))
		for i, id := range chain {
			numbers[i] = slices.Index(ids, id)
		}
		chains = append(chains, numbers)
	}
	slices.SortFunc(chains, slices.Compare)
	return found, chains
}

func TestPathsAreTheShortestInEitherDirection(t *testing.T) {
	// Two ways of two relations, related twice at one place, and a longer one.
	db, ids := related(t, 9, [2]int{0, 1}, [2]int{2, 1}, [2]int{1, 2}, [2]int{3, 0}, [2]int{3, 2}, [2]int{0, 4}, [2]int{4, 5}, [2]int{5, 2}, [2]int{6, 6}, [2]int{7, 7})
	for _, c := range []struct {
		from, to int
		want     string
	}{
		{0, 2, "[[0 1 2] [0 3 2]]"}, {2, 0, "[[2 1 0] [2 3 0]]"}, {0, 1, "[[0 1]]"}, {1, 0, "[[1 0]]"}, {0, 0, "[[0]]"}, {3, 5, "[[3 2 5]]"}, {1, 5, "[[1 2 5]]"},
	} {
		found, chains := paths(t, db, ids, c.from, c.to, wide)
		if fmt.Sprint(chains) != c.want || found.More || found.End != "" {
			t.Errorf("from %d to %d: %v, %+v", c.from, c.to, chains, found)
		}
	}
	for _, to := range []int{6, 8} { // related to itself, and to nothing
		for _, ends := range [][2]int{{0, to}, {to, 0}} {
			if found, _ := paths(t, db, ids, ends[0], ends[1], wide); len(found.Chains) > 0 || found.End != Unconnected {
				t.Errorf("%v: %+v", ends, found)
			}
		}
	}
}

func TestASearchForPathsIsBounded(t *testing.T) {
	var line [][2]int
	for i := range 9 {
		line = append(line, [2]int{i, i + 1})
	}
	db, ids := related(t, 10, line...)
	if _, chains := paths(t, db, ids, 0, 6, wide); fmt.Sprint(chains) != "[[0 1 2 3 4 5 6]]" {
		t.Errorf("six relations: %v", chains)
	}
	if found, _ := paths(t, db, ids, 0, 7, wide); found.End != TooFar || len(found.Chains) > 0 {
		t.Errorf("seven relations: %+v", found)
	}

	// Two hubs that share four hundred neighbours.
	var hubs [][2]int
	for i := 2; i < 402; i++ {
		hubs = append(hubs, [2]int{0, i}, [2]int{i, 1})
	}
	db, ids = related(t, 402, hubs...)
	found, chains := paths(t, db, ids, 0, 1, PathBounds{Longest: 6, Relations: 10_000, Paths: 3})
	if len(chains) != 3 || !found.More || slices.ContainsFunc(chains, func(c []int) bool { return len(c) != 3 }) {
		t.Errorf("%d between hubs, more %v", len(chains), found.More)
	}
	if found, _ := paths(t, db, ids, 0, 1, PathBounds{Longest: 6, Relations: 50, Paths: 3}); found.End != TooMany || found.Entities > 60 {
		t.Errorf("with few relations: %+v", found)
	}
	if found, chains := paths(t, db, ids, 0, 1, PathBounds{Longest: 6, Relations: 600, Paths: 300}); len(chains) == 0 || !found.More {
		t.Errorf("found before the bound: %d, %+v", len(chains), found.More)
	}
}

func TestPathsAreReadFromIndexes(t *testing.T) {
	db := storetest.Open(t)
	for statement, index := range map[string]string{outwardQuery: "(from_id=?)", inwardQuery: "relations_to (to_id=?)"} {
		if plan := plantest.Plan(t, db, statement); !slices.ContainsFunc(plan, func(d string) bool { return strings.Contains(d, index) }) {
			t.Errorf("%v", plan)
		}
	}
}
