package language

import (
	"slices"
	"strings"
	"testing"
)

func TestTheNearestNamesComeFirst(t *testing.T) {
	known := []string{"create_entities", "create_relations", "delete_entities", "search_nodes", "record-pocket-signal", "run-pocket-loop"}
	for name, tc := range map[string]struct {
		typed string
		want  []string
	}{
		"a letter is missing":        {"create_entites", []string{"create_entities"}},
		"another dash and case":      {"Search-Nodes", []string{"search_nodes"}},
		"a part of names":            {"pocket", []string{"run-pocket-loop", "record-pocket-signal"}},
		"a part too short to tell":   {"ent", nil},
		"nothing like it":            {"zebra_crossing", nil},
		"what is too long to be one": {strings.Repeat("create_entities", 10), nil},
	} {
		if got := Nearest(tc.typed, known, 2); !slices.Equal(got, tc.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestDistanceCountsEdits(t *testing.T) {
	for pair, want := range map[[2]string]int{{"", "abc"}: 3, {"abc", "abc"}: 0, {"kitten", "sitting"}: 3, {"ab", "ba"}: 2} {
		if got := Distance(pair[0], pair[1]); got != want {
			t.Errorf("%q: %d", pair, got)
		}
	}
}

func TestOneThingIsSingular(t *testing.T) {
	for n, want := range map[int]string{0: "0 queries", 1: "1 query", 2: "2 queries"} {
		if got := Count(n, "query", "queries"); got != want {
			t.Errorf("%d: %q", n, got)
		}
	}
}
