package graph

import (
	"slices"
	"testing"

	"toolkit/internal/toolstest"
)

func TestSearchReadsWordsAsEverySearchDoes(t *testing.T) {
	for about, cases := range toolstest.Wordings {
		t.Run(about, func(t *testing.T) {
			for _, c := range cases {
				b := newBench(t)
				b.text("create_entities", args{"entities": []args{
					{"name": "noise", "entityType": "x", "observations": []string{"We moved the table out", "Il pleut encore"}},
					{"name": "wanted", "entityType": "x", "observations": []string{c.Text}},
				}})
				if found := slices.Contains(b.names("search_nodes", args{"query": c.Query}), "wanted"); found != c.Found {
					t.Errorf("%q finds %q: %v", c.Query, c.Text, found)
				}
			}
		})
	}
}
