package payloads

import (
	"cmp"
	"encoding/json"
	"iter"
	"maps"
	"slices"
	"strings"
)

// strategy is how the values of a field are reduced to one.
type strategy string

// Strategies decide among the observations of the highest priority. A field
// without a policy takes the last write.
const (
	lastWrite       strategy = "last_write"       // the latest observed
	highestPriority strategy = "highest_priority" // the same, since priority decides first in all
	mostSpecific    strategy = "most_specific"    // the most specific observation
	mergeArray      strategy = "merge_array"      // the union of all values
)

// policies are the strategies of an entity type by field.
type policies map[string]strategy

func (p policies) of(field string) strategy {
	if s, ok := p[field]; ok {
		return s
	}
	return lastWrite
}

// rank is what decides between observations.
type rank struct {
	ID          string  `json:"id"`
	ObservedAt  int64   `json:"at"`  // unix milliseconds
	Sequence    int64   `json:"seq"` // ingest order
	Specificity float64 `json:"spec"`
	Priority    int     `json:"prio"`
}

// observation is what one source said about an entity.
type observation struct {
	rank
	CreatedAt int64
	Fields    map[string]any
}

// compare orders two observations under a strategy, the winner first: by
// priority, then by the strategy's own key, then the later observed, then the
// later ingested, then by id. No two observations are equal, so the order in
// which they are given never matters.
func (s strategy) compare(a, b rank) int {
	key := 0
	if s == mostSpecific {
		key = cmp.Compare(b.Specificity, a.Specificity)
	}
	return cmp.Or(cmp.Compare(b.Priority, a.Priority), key, a.compareTime(b))
}

// compareTime puts the later first.
func (r rank) compareTime(b rank) int {
	return cmp.Or(cmp.Compare(b.ObservedAt, r.ObservedAt), cmp.Compare(b.Sequence, r.Sequence), strings.Compare(b.ID, r.ID))
}

// truth is what observations amount to: values and, for each, the ids of the
// observations it comes from, joined by commas; and what came later with less
// weight and says something else.
type truth struct {
	Values     map[string]json.RawMessage
	Provenance map[string]string
	Conflicts  []conflict
}

// conflict is what a class of less weight says of a field since the value that
// stands was given: the documents since a correction, say.
type conflict struct {
	Field      string
	Value      json.RawMessage
	Provenance string
	Priority   int
	ObservedAt int64 // unix milliseconds, of the latest observation that says so
}

// reduce computes the truth from all observations of an entity. It is a pure
// function: it reads no clock and no database, and the order of its input does
// not matter. The fold of fold.go arrives at the same, one observation at a
// time.
func reduce(observations []observation, p policies) truth {
	fields := map[string][]observation{}
	for _, o := range observations {
		for name := range o.Fields {
			fields[name] = append(fields[name], o)
		}
	}
	t := truth{Values: map[string]json.RawMessage{}, Provenance: map[string]string{}}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		s := p.of(name)
		stating := withoutWithdrawn(name, fields[name])
		slices.SortFunc(stating, func(a, b observation) int { return s.compare(a.rank, b.rank) })
		var top claimed
		for class := range classesOf(stating) {
			says := s.amount(name, class)
			if class[0].Priority == stating[0].Priority {
				top = says
				t.Values[name], t.Provenance[name] = says.value(), strings.Join(says.sources(), ",")
			} else if c, found := says.against(name, top); found {
				t.Conflicts = append(t.Conflicts, c)
			}
		}
	}
	return t
}

// withoutWithdrawn leaves out what says nothing of a field: nulls, and the
// corrections before one that is null, which withdraws them.
func withoutWithdrawn(name string, all []observation) []observation {
	var withdrawal *rank
	for _, o := range all {
		if o.withdraws(name) && (withdrawal == nil || o.compareTime(*withdrawal) < 0) {
			withdrawal = &o.rank
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(o observation) bool {
		return o.Fields[name] == nil || o.Priority == correctionPriority && withdrawal != nil && withdrawal.compareTime(o.rank) < 0
	})
}

// withdraws reports whether an observation takes the corrections of a field back.
func (o observation) withdraws(name string) bool {
	value, stated := o.Fields[name]
	return stated && value == nil && o.Priority == correctionPriority
}

// classesOf are the runs of equal priority in ordered observations.
func classesOf(ordered []observation) iter.Seq[[]observation] {
	return func(yield func([]observation) bool) {
		for from := 0; from < len(ordered); {
			to := from + 1
			for to < len(ordered) && ordered[to].Priority == ordered[from].Priority {
				to++
			}
			if !yield(ordered[from:to]) {
				return
			}
			from = to
		}
	}
}

// amount is what the ordered observations of one class amount to: the first, or
// the union of their items, each once and in the order of its canonical text. An
// item comes from the first observation in order that has it.
func (s strategy) amount(name string, ordered []observation) claimed {
	says := claimed{Winner: ordered[0].rank, Merged: s == mergeArray}
	if !says.Merged {
		says.Value = encodeJSON(ordered[0].Fields[name])
		return says
	}
	taken := map[string]bool{}
	for _, o := range ordered {
		for _, item := range items(o.Fields[name]) {
			text := string(canonical(item, exact))
			if !taken[text] {
				taken[text] = true
				says.Items = append(says.Items, itemState{Text: text, Value: encodeJSON(item), Winner: o.rank})
			}
		}
	}
	slices.SortFunc(says.Items, func(a, b itemState) int { return strings.Compare(a.Text, b.Text) })
	return says
}
