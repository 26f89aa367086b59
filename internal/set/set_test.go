package set

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestWhatStandsInAListIsKnownAndTheFirstOfEqualsStays(t *testing.T) {
	if got := slices.Sorted(maps.Keys(Words(" to\tbe or to "))); !slices.Equal(got, []string{"be", "or", "to"}) {
		t.Errorf("words: %q", got)
	}
	if got := By([]string{"a", "bb", "cc"}, func(s string) int { return len(s) }); !maps.Equal(got, map[int]bool{1: true, 2: true}) {
		t.Errorf("by: %v", got)
	}
	if got := Each([]string{"a", "bb", "cc"}, func(s string) int { return len(s) }); !slices.Equal(got, []int{1, 2, 2}) || Each(nil, strings.ToUpper) == nil {
		t.Errorf("each: %v", got)
	}
	for _, c := range []struct {
		name              string
		list, other, want []int
	}{
		{"no list is an empty one", nil, nil, []int{}},
		{"the first of equals stays in its place", []int{3, 1, 3, 2, 1}, nil, []int{3, 1, 2}},
		{"what stands in the other goes", []int{3, 1, 3, 2}, []int{1, 4}, []int{3, 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := slices.Clone(c.list)
			if got := Without(c.list, c.other); got == nil || !slices.Equal(got, c.want) || !slices.Equal(c.list, before) {
				t.Errorf("got %v, want %v; the list is %v", got, c.want, c.list)
			}
		})
	}
}

func TestEachElementBecomesWhatTheFunctionMakesOfIt(t *testing.T) {
	if got := Each([]string{"a", "bb", "a"}, func(s string) int { return len(s) }); !slices.Equal(got, []int{1, 2, 1}) {
		t.Errorf("each: %v", got)
	}
	if got := Each(nil, func(n int) int { return n }); got == nil || len(got) != 0 {
		t.Errorf("of nothing: %#v", got)
	}
}
