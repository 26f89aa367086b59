package entities

import (
	"encoding/json"
	"runtime"
	"strings"
	"testing"
)

func TestArraysAreSortedOnlyWhereContentIsCompared(t *testing.T) {
	for _, tc := range []struct{ name, value, exact, normalised string }{
		{"an empty one", `[]`, `[]`, `[]`},
		{"in order already", `[1,"b"]`, `[1,"b"]`, `["b",1]`},
		{"within one another", `[[3,1],[2],[1,3,2]]`, `[[3,1],[2],[1,3,2]]`, `[[1,2,3],[1,3],[2]]`},
		{"of texts one of which begins the other", `["ab","a","a"]`, `["ab","a","a"]`, `["a","a","ab"]`},
		{"of objects", `[{"b":[2,1]},{"a":0}]`, `[{"b":[2,1]},{"a":0}]`, `[{"a":0},{"b":[1,2]}]`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			o, err := decodeObject(json.RawMessage(`{"v":` + tc.value + `}`))
			if err != nil {
				t.Fatal(err)
			}
			if got := string(canonical(o["v"], exact)); got != tc.exact {
				t.Errorf("exactly it is %s, want %s", got, tc.exact)
			}
			if got := string(canonical(o["v"], normalised)); got != tc.normalised {
				t.Errorf("as content it is %s, want %s", got, tc.normalised)
			}
		})
	}
}

func TestADeeplyNestedArrayIsNotCopiedAtEachLevel(t *testing.T) {
	const depth = 4000
	var v any = json.Number("1")
	for range depth {
		v = []any{v}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got := string(canonical(v, normalised))
	runtime.ReadMemStats(&after)
	if got != strings.Repeat("[", depth)+"1"+strings.Repeat("]", depth) {
		t.Error("the text is not the value")
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 100*depth*2 {
		t.Errorf("%d bytes were allocated for a text of %d", used, len(got))
	}
}
