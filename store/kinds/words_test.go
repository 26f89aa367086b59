package kinds_test

import (
	"fmt"
	"slices"
	"testing"

	"toolkit/internal/storetest"
	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/store/kinds"
)

func TestMatchWordsReturnsRowsOfTheRarestWordsFirstAndTheNewestOfEquals(t *testing.T) {
	db := storetest.Open(t)
	rows := map[string]int64{}
	storetest.Write(t, db, func(tx *store.Tx) (err error) {
		names := []string{"lake pike", "lake bass", "red otter", "lake boat"}
		for i := range 20 {
			names = append(names, fmt.Sprint("unrelated ", i))
		}
		for _, name := range names {
			if rows[name], err = graph.In(tx).InsertEntity(graph.NewEntity{Name: name, Type: "thing"}); err != nil {
				return err
			}
		}
		return nil
	})
	for _, c := range []struct {
		name, expression string
		newest           bool
		limit            int
		want             []string
	}{
		{"any of two words", `"lake" OR "otter"`, false, 10, []string{"red otter", "lake boat", "lake bass", "lake pike"}},
		{"the best two", `"lake" OR "otter"`, false, 2, []string{"red otter", "lake boat"}},
		{"a beginning", `"lake" OR "ott"*`, false, 1, []string{"red otter"}},
		{"the newest", `"lake" OR "otter"`, true, 3, []string{"lake boat", "red otter", "lake bass"}},
	} {
		var want []int64
		for _, name := range c.want {
			want = append(want, rows[name])
		}
		storetest.Read(t, db, func(tx *store.Tx) error {
			got, err := kinds.In(tx).MatchWords(kinds.EntityWords, c.expression, c.newest, c.limit)
			if !slices.Equal(got, want) {
				t.Errorf("%s: %v, want %v", c.name, got, want)
			}
			return err
		})
	}
}
