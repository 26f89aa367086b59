package graph

import (
	"fmt"
	"slices"
	"testing"

	"toolkit/internal/toolstest"
)

func TestSearchReadsWordsAsEverySearchDoes(t *testing.T) {
	withNoise := func() *bench {
		b := newBench(t)
		b.text("create_entities", args{"entities": []args{{"name": "noise", "entityType": "x", "observations": []string{"We moved the table out", "Il pleut encore"}}}})
		return b
	}
	for about, cases := range toolstest.Wordings {
		t.Run(about, func(t *testing.T) {
			together := withNoise()
			for i, c := range cases {
				b := together
				if !c.Found {
					b = withNoise() // where nothing is found in its place
				}
				name := fmt.Sprint("wanted ", i)
				b.text("create_entities", args{"entities": []args{{"name": name, "entityType": "x", "observations": []string{c.Text}}}})
				if found := slices.Contains(b.names("search_nodes", args{"query": c.Query}), name); found != c.Found {
					t.Errorf("%q finds %q: %v", c.Query, c.Text, found)
				}
			}
		})
	}
}
