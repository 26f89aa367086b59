package language

import (
	"slices"
	"strings"
	"testing"
)

func TestTheNearestNamesComeFirst(t *testing.T) {
	known := []string{"create_entities", "create_relations", "delete_entities", "search_nodes", "record_pocket_signal", "run_pocket_loop"}
	for name, tc := range map[string]struct {
		typed string
		want  []string
	}{
		"a letter is missing":        {"create_entites", []string{"create_entities"}},
		"another dash and case":      {"Search-Nodes", []string{"search_nodes"}},
		"a part of names":            {"pocket", []string{"run_pocket_loop", "record_pocket_signal"}},
		"a part too short to tell":   {"ent", nil},
		"nothing like it":            {"zebra_crossing", nil},
		"what is too long to be one": {strings.Repeat("create_entities", 10), nil},
	} {
		if got := NearestNames(tc.typed, known, 2); !slices.Equal(got, tc.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestDistanceCountsEdits(t *testing.T) {
	for pair, want := range map[[2]string]int{{"", "abc"}: 3, {"abc", "abc"}: 0, {"kitten", "sitting"}: 3, {"ab", "ba"}: 2} {
		if got := EditDistance(pair[0], pair[1]); got != want {
			t.Errorf("%q: %d", pair, got)
		}
	}
}

func TestOneThingIsSingular(t *testing.T) {
	for n, want := range map[int]string{0: "0 queries", 1: "1 query", 2: "2 queries"} {
		if got := FormatCount(n, "query", "queries"); got != want {
			t.Errorf("%d: %q", n, got)
		}
	}
}

func TestNamesAreLikeEachOtherByThePiecesOfTheirWords(t *testing.T) {
	for name, tc := range map[string]struct {
		a, b string
		want float64
	}{
		"the same":                       {"Holland Village", "holland-village", 1},
		"another order":                  {"Village Holland", "holland_village", 1},
		"accents do not count":           {"Zürich", "zurich", 1},
		"a letter is missing":            {"orchrd", "orchard", 10.0 / 15},
		"one word of two":                {"orchard", "Orchard Road", 16.0 / 21},
		"a short word has pieces":        {"a", "a b", 4.0 / 6},
		"nothing in common":              {"Bob", "qqqq", 0},
		"signs alone are like nothing":   {"++", "--", 0},
		"scripts without spaces as well": {"東京都", "東京", 4.0 / 7},
	} {
		if got := PiecesOf(tc.a).Likeness(PiecesOf(tc.b)); got != tc.want {
			t.Errorf("%s: %v, not %v", name, got, tc.want)
		}
	}
}

func TestWithinOneEdit(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"docker", "docker", true}, {"docker", "docer", true}, {"docker", "dockerr", true}, {"docker", "dicker", true},
		{"docker", "dokcer", true}, {"docker", "dokecr", false}, {"docker", "dock", false}, {"", "", true}, {"", "ab", false},
		{"größe", "grösse", false}, {"müller", "muller", true},
	} {
		if got := WithinOneEdit(test.a, test.b); got != test.want {
			t.Errorf("WithinOneEdit(%q, %q) = %v", test.a, test.b, got)
		}
		if got := WithinOneEdit(test.b, test.a); got != test.want {
			t.Errorf("WithinOneEdit(%q, %q) = %v", test.b, test.a, got)
		}
	}
}
