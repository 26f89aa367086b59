package graph

import (
	"fmt"
	"strconv"
	"testing"

	"toolkit/store"
	"toolkit/store/graph"
)

// sizes of the graphs that are measured, in entities.
var sizes = []int{100, 1_000, 10_000, 50_000}

// filled is a graph of n people with three observations each, every one related
// to the next.
func filled(b *testing.B, n int) *bench {
	b.Helper()
	vocabulary := []string{"brews", "pour-over", "coffee", "in", "the", "morning", "Lisbon", "project", "deadline", "uses", "SQLite", "and", "Go", "team", "meets", "weekly", "likes", "prefers", "dark", "roast"}
	word := func(i int) string { return vocabulary[i%len(vocabulary)] }
	g := newBench(b)
	g.write(func(tx *store.Tx) error {
		var last int64
		for i := range n {
			e := graph.NewEntity{Name: "Person " + strconv.Itoa(i), Type: "person"}
			for k := range 3 {
				e.Observations = append(e.Observations, fmt.Sprintf("%s %s %s number %d of %s the %s", word(i+k), word(i*7+k), word(i*3+k*5), i*3+k, word(i*11), word(i/20)))
			}
			id, err := graph.In(tx).InsertEntity(e)
			if err != nil {
				return err
			}
			if last != 0 {
				if _, err := graph.In(tx).InsertRelation(last, id, "knows", false, nil, nil); err != nil {
					return err
				}
			}
			last = id
		}
		return nil
	})
	g.text("search_nodes", args{"query": "Person 1", "limit": 1}) // fill the index
	return g
}

func BenchmarkSearchNodes(b *testing.B) {
	for _, n := range sizes {
		g := filled(b, n)
		for _, query := range []struct{ kind, text string }{
			{"substring", "number " + strconv.Itoa(n*2) + " of"},
			{"name", "Person " + strconv.Itoa(n/2)},
			{"word", strconv.Itoa(n * 2)},
			{"many", "son " + strconv.Itoa(max(n/1000, 1))}, // 111 hits in 10 000
			{"nothing", "xylophone"},
			{"question", "Who brewed coffee with number " + strconv.Itoa(n*2) + "?"},
		} {
			b.Run(fmt.Sprintf("%d/%s", n, query.kind), func(b *testing.B) {
				for b.Loop() {
					g.text("search_nodes", SearchNodesInput{Query: query.text})
				}
			})
		}
		b.Run(fmt.Sprintf("%d/common word, first 20", n), func(b *testing.B) {
			in := SearchNodesInput{Query: "coffee"}
			in.Limit = 20
			for b.Loop() {
				g.text("search_nodes", in)
			}
		})
		b.Run(fmt.Sprintf("%d/after a write", n), func(b *testing.B) {
			i := 0
			for b.Loop() {
				g.create(NewEntity{Name: "Written " + strconv.Itoa(i)})
				g.text("search_nodes", SearchNodesInput{Query: "Written " + strconv.Itoa(i)})
				i++
			}
		})
	}
}
