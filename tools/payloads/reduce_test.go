package payloads

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// randomObservations makes observations with many ties in time, priority and
// specificity.
func randomObservations(r *rand.Rand, n int) []observation {
	list := make([]observation, n)
	for i := range list {
		fields := object{}
		for range 1 + r.IntN(4) {
			name := []string{"a", "b", "c", "tags", "emails"}[r.IntN(5)]
			fields[name] = randomValue(r)
		}
		list[i] = observation{rank: rank{
			ID: fmt.Sprintf("obs_%d", i), ObservedAt: int64(r.IntN(6)), Sequence: int64(i + 1), Specificity: []float64{0.2, 0.8, 1}[r.IntN(3)], Priority: []int{0, 0, 100, 1000}[r.IntN(4)],
		}, Fields: fields}
	}
	return list
}

func randomValue(r *rand.Rand) any {
	switch r.IntN(6) {
	case 0:
		return json.Number([]string{"1", "1.0", "1e0", "2", "-3.5"}[r.IntN(5)])
	case 1:
		return nil
	case 2:
		list := []any{}
		for range r.IntN(4) {
			list = append(list, randomValue(r))
		}
		return slices.DeleteFunc(list, func(v any) bool { return v == nil })
	case 3:
		return object{"k": "v", "n": json.Number("7")}
	}
	return []string{"x", "y", "Z", ""}[r.IntN(4)]
}

var everyStrategy = policies{"a": highestPriority, "b": mostSpecific, "tags": mergeArray, "emails": mergeArray}

func TestReducingDoesNotDependOnTheOrderOfObservations(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 300 {
		list := randomObservations(r, 1+r.IntN(20))
		want := reduce(list, everyStrategy)
		for range 4 {
			r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			if got := reduce(list, everyStrategy); !sameTruth(got, want) {
				t.Fatalf("round %d: %s is not %s", round, text(got), text(want))
			}
		}
	}
}

func TestFoldingOneByOneEqualsReducingAll(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for round := range 500 {
		list := randomObservations(r, 1+r.IntN(20))
		want := reduce(list, everyStrategy)
		for range 3 {
			r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			s := state{}
			for _, o := range list {
				s.fold(o, everyStrategy)
				back, err := parseState(s.encode()) // as it is stored in between
				if err != nil {
					t.Fatal(err)
				}
				s = back
			}
			if got := s.truth(); !sameTruth(got, want) {
				t.Fatalf("round %d:\nfolded  %s\nreduced %s", round, text(got), text(want))
			}
		}
	}
}

func TestStrategiesChooseAsTheySay(t *testing.T) {
	observe := func(id string, at, seq int64, specificity float64, priority int, value any) observation {
		return observation{rank: rank{id, at, seq, specificity, priority}, Fields: object{"f": value}}
	}
	list := []observation{
		observe("trusted", 1, 1, 0.5, 100, "trusted"), observe("specific", 2, 2, 1, 0, "specific"),
		observe("late", 3, 3, 0.5, 0, "late"), observe("later", 3, 4, 0.5, 0, "later"),
	}
	for s, want := range map[strategy]string{lastWrite: "later", highestPriority: "trusted", mostSpecific: "specific"} {
		got := reduce(list, policies{"f": s})
		same(t, string(s), string(got.Values["f"])+got.Provenance["f"], `"`+want+`"`+want)
	}
	lists := []observation{
		observe("one", 1, 1, 1, 0, []any{"b", "a"}), observe("two", 2, 2, 1, 0, []any{"a", json.Number("1.0")}),
		observe("three", 3, 3, 1, 0, "c"), observe("four", 4, 4, 1, -1, []any{"never"}), observe("five", 5, 5, 1, 0, []any{json.Number("1")}),
	}
	got := reduce(lists, policies{"f": mergeArray})
	same(t, "the union", string(got.Values["f"])+" "+got.Provenance["f"], `["a","b","c",1] five,three,two,one`)
	same(t, "the fields", slices.Collect(maps.Keys(got.Values)), []string{"f"})
}
