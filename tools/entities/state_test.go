package entities

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"toolkit/internal/toolstest"
)

// randomObservations makes observations with many ties in time, priority and
// specificity. Corrections are as specific as can be; one that is null takes another
// back, or all before it.
func randomObservations(r *rand.Rand, n int) []observation {
	list := make([]observation, n)
	for i := range list {
		fields := object{}
		for range 1 + r.IntN(4) {
			name := []string{"a", "b", "c", "tags", "emails"}[r.IntN(5)]
			fields[name] = randomValue(r)
		}
		list[i] = observation{rank: rank{
			ID: fmt.Sprintf("obs_%d", i), ObservedAt: int64(r.IntN(6)), Sequence: int64(i + 1), Specificity: []float64{0.2, 0.8, 1}[r.IntN(3)],
			Priority: []int{documentPriority, documentPriority, updatePriority, correctionPriority}[r.IntN(4)],
		}, Fields: fields}
		if list[i].Priority == correctionPriority {
			list[i].Specificity = correctionSpecificity
			if r.IntN(3) > 0 { // of whatever is there, corrections or not
				list[i].Withdraws = fmt.Sprintf("obs_%d", r.IntN(n))
			}
		}
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

// reduce applies all observations but for what was taken back.
func reduce(list []observation, p policies) resolvedFields {
	withdrawals := slices.DeleteFunc(slices.Clone(list), func(o observation) bool { return !o.isWithdrawal() })
	s := state{}
	for _, o := range list {
		s.applyObservation(o, withdrawals, p)
	}
	return s.resolveFields()
}

// byDefinition finds values as the rules are written: of what counts of a field, what
// has the highest priority; the first in the order of the strategy, or all items.
func byDefinition(list []observation, p policies) string {
	values := map[string]any{}
	for _, name := range []string{"a", "b", "c", "tags", "emails"} {
		var counts []observation
		for _, o := range list {
			if o.Fields[name] != nil && !slices.ContainsFunc(list, func(w observation) bool { return takesBack(w, o, name) }) {
				counts = append(counts, o)
			}
		}
		if len(counts) == 0 {
			continue
		}
		slices.SortFunc(counts, func(x, y observation) int { return p.strategyFor(name).compareRanks(x.rank, y.rank) })
		values[name] = counts[0].Fields[name]
		if p.strategyFor(name) != mergeArray {
			continue
		}
		union := map[string]json.RawMessage{}
		for _, o := range slices.Backward(counts) {
			for _, item := range slices.Backward(toList(o.Fields[name])) {
				if o.Priority == counts[0].Priority {
					union[string(encodeCanonicalJSON(item, exact))] = encodeJSON(item)
				}
			}
		}
		all := []json.RawMessage{}
		for _, key := range slices.Sorted(maps.Keys(union)) {
			all = append(all, union[key])
		}
		values[name] = all
	}
	return string(encodeJSON(values))
}

func takesBack(w, o observation, name string) bool {
	value, says := w.Fields[name]
	return says && value == nil && w.Priority == correctionPriority && o.Priority == correctionPriority &&
		(w.Withdraws == o.ID || w.Withdraws == "" && w.compareTime(o.rank) < 0)
}

// What is reduced follows the definition, and applying one by one gives the same in any order,
// where a withdrawal begins anew.
func TestReducingFollowsTheDefinitionInEveryOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for round := range toolstest.RoundCount(150) {
		list := randomObservations(r, 1+r.IntN(20))
		want := reduce(list, everyStrategy)
		same(t, fmt.Sprint("round ", round), string(encodeJSON(want.Values)), byDefinition(list, everyStrategy))
		for range 3 {
			r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			var withdrawals []observation
			s := state{}
			for i, o := range list {
				if s.applyObservation(o, withdrawals, everyStrategy); o.isWithdrawal() {
					withdrawals = append(withdrawals, o)
					s = state{}
					for _, earlier := range list[:i+1] {
						s.applyObservation(earlier, withdrawals, everyStrategy)
					}
				}
				back, err := parseState(encodeJSON(s)) // as it is stored in between
				if err != nil {
					t.Fatal(err)
				}
				s = back
			}
			if got := s.resolveFields(); !got.equals(want) {
				t.Fatalf("round %d:\napplied %s\nreduced %s", round, text(got), text(want))
			}
		}
	}
}

func TestStrategiesChooseAsTheySay(t *testing.T) {
	observe := func(id string, at, seq int64, specificity float64, priority int, value any) observation {
		return observation{rank: rank{id, at, seq, specificity, priority}, Fields: object{"f": value}}
	}
	list := []observation{
		observe("specific", 2, 2, 1, 0, "specific"), observe("late", 3, 3, 0.5, 0, "late"), observe("later", 3, 4, 0.5, 0, "later"),
	}
	for s, want := range map[strategy]string{lastWrite: "later", highestPriority: "later", mostSpecific: "specific"} {
		got := reduce(list, policies{"f": s})
		same(t, string(s), string(got.Values["f"])+got.Provenance["f"], `"`+want+`"`+want)
		trusted := reduce(append(slices.Clone(list), observe("trusted", 1, 1, 0.5, 100, "trusted")), policies{"f": s})
		same(t, string(s)+" with an update", string(trusted.Values["f"])+trusted.Provenance["f"], `"trusted"trusted`)
		same(t, string(s)+" tells what documents say", string(trusted.Conflicts[0].Value.RawMessage)+trusted.Conflicts[0].Provenance, `"`+want+`"`+want)
	}
	lists := []observation{
		observe("one", 1, 1, 1, 0, []any{"b", "a"}), observe("two", 2, 2, 1, 0, []any{"a", json.Number("1.0")}),
		observe("three", 3, 3, 1, 0, "c"), observe("four", 4, 4, 1, -1, []any{"never"}), observe("five", 5, 5, 1, 0, []any{json.Number("1")}),
	}
	got := reduce(lists, policies{"f": mergeArray})
	same(t, "the union", string(got.Values["f"])+" "+got.Provenance["f"], `["a","b","c",1] five,three,two,one`)
	same(t, "the fields", slices.Collect(maps.Keys(got.Values)), []string{"f"})
}

// TestWithdrawingLetsTheOthersDecide also holds for the items of a list.
func TestWithdrawingLetsTheOthersDecide(t *testing.T) {
	at := func(id string, seq int64, priority int, value any) observation {
		return observation{rank: rank{id, seq, seq, 1, priority}, Fields: object{"f": value}}
	}
	back := func(id string, seq int64, of string) observation {
		w := at(id, seq, correctionPriority, nil)
		w.Withdraws = of
		return w
	}
	document, update, correction := at("d", 1, 0, "d"), at("u", 2, 100, "u"), at("c", 3, 1000, "c")
	second, third := at("c2", 4, 1000, "c2"), at("c3", 5, 1000, "c3")
	for name, c := range map[string]struct {
		observations []observation
		policy       strategy
		want         string
	}{
		"the correction stands":               {[]observation{document, update, correction}, lastWrite, `"c"`},
		"withdrawn, the update does":          {[]observation{document, update, correction, at("w", 4, 1000, nil)}, lastWrite, `"u"`},
		"a correction since stands":           {[]observation{document, correction, at("w", 4, 1000, nil), at("c2", 5, 1000, "c2")}, lastWrite, `"c2"`},
		"withdrawn before it was made":        {[]observation{document, correction, at("w", 2, 1000, nil)}, lastWrite, `"c"`},
		"the last, the one before does":       {[]observation{document, correction, second, back("w", 6, "c2")}, lastWrite, `"c"`},
		"both, the update does":               {[]observation{update, correction, second, back("w", 6, "c2"), back("v", 7, "c")}, lastWrite, `"u"`},
		"one in the middle, the last stands":  {[]observation{correction, second, third, back("w", 6, "c2")}, lastWrite, `"c3"`},
		"and then the last, the first does":   {[]observation{correction, second, third, back("w", 6, "c2"), back("v", 7, "c3")}, lastWrite, `"c"`},
		"a correction that is gone":           {[]observation{document, correction, back("w", 6, "c9")}, lastWrite, `"c"`},
		"a document names nothing":            {[]observation{document, back("w", 6, "d")}, lastWrite, `"d"`},
		"named before it came in":             {[]observation{back("w", 2, "c"), document, correction}, lastWrite, `"d"`},
		"the last items of a list":            {[]observation{at("c", 3, 1000, []any{"x", "y"}), at("c2", 4, 1000, []any{"y", "z"}), back("w", 6, "c2")}, mergeArray, `["x","y"]`},
		"nothing else is known":               {[]observation{correction, at("w", 4, 1000, nil)}, lastWrite, ``},
		"items since the withdrawal count":    {[]observation{document, at("c", 3, 1000, []any{"x", "y"}), at("w", 4, 1000, nil), at("c2", 5, 1000, "y")}, mergeArray, `["y"]`},
		"of a list, documents come back":      {[]observation{document, at("c", 3, 1000, []any{"x"}), at("w", 4, 1000, nil)}, mergeArray, `["d"]`},
		"null of a document says nothing":     {[]observation{document, at("n", 9, 0, nil)}, lastWrite, `"d"`},
		"null of an update withdraws nothing": {[]observation{document, correction, at("n", 9, 100, nil)}, lastWrite, `"c"`},
	} {
		same(t, name, string(reduce(c.observations, policies{"f": c.policy}).Values["f"]), c.want)
	}
}

func TestLaterValueOfLowerPriorityIsConflict(t *testing.T) {
	at := func(seq int64, priority int, value any) observation {
		return observation{rank: rank{fmt.Sprint("o", seq), seq, seq, 1, priority}, Fields: object{"f": value}}
	}
	correction := at(5, 1000, "right")
	for name, c := range map[string]struct {
		observations []observation
		policy       strategy
		want         string
	}{
		"what was corrected is none":          {[]observation{at(1, 0, "wrong"), correction}, lastWrite, ``},
		"a later document":                    {[]observation{correction, at(6, 0, "other")}, lastWrite, `"other" o6`},
		"the same in other case":              {[]observation{correction, at(6, 0, " RIGHT ")}, lastWrite, ``},
		"the latest of several":               {[]observation{correction, at(6, 0, "other"), at(7, 0, "more")}, lastWrite, `"more" o7`},
		"documents that came round":           {[]observation{correction, at(6, 0, "other"), at(7, 0, "right")}, lastWrite, ``},
		"an update and a document":            {[]observation{correction, at(6, 100, "u"), at(7, 0, "d")}, lastWrite, `"u" o6, "d" o7`},
		"items that the corrected list lacks": {[]observation{at(1, 0, []any{"old"}), at(5, 1000, []any{"a"}), at(6, 0, []any{"A", "b"})}, mergeArray, `["b"] o6`},
		"no items that it lacks":              {[]observation{at(1, 0, []any{"old"}), at(5, 1000, []any{"a"}), at(6, 0, []any{"a"})}, mergeArray, ``},
		"documents differ among themselves":   {[]observation{at(1, 0, "a"), at(2, 0, "b")}, lastWrite, ``},
	} {
		var got []string
		for _, c := range reduce(c.observations, policies{"f": c.policy}).Conflicts {
			got = append(got, string(c.Value.RawMessage)+" "+c.Provenance)
		}
		same(t, name, strings.Join(got, ", "), c.want)
	}
}
