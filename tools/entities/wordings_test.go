package entities

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
				b.keep("note", args{"text": "We moved the table out"})
				wanted := b.keep("note", args{"text": c.Text})
				if found := slices.Contains(ids(b.Call(retrieveName, args{"search": []string{c.Query}})), wanted); found != c.Found {
					t.Errorf("%q finds the record %q: %v", c.Query, c.Text, found)
				}
				entityList := b.Call(findName, args{"text": c.Query})["total"].(float64)
				if found := entityList > 0; found != c.Found {
					t.Errorf("%q finds the entity %q: %v", c.Query, c.Text, found)
				}
			}
		})
	}
}
