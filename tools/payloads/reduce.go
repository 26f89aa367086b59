package payloads

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
)

// strategy is how the values of a field are reduced to one.
type strategy string

// Strategies. A field without a policy takes the last write.
const (
	lastWrite       strategy = "last_write"       // the latest observed
	highestPriority strategy = "highest_priority" // the most trusted source
	mostSpecific    strategy = "most_specific"    // the most specific observation
	mergeArray      strategy = "merge_array"      // the union of all values at the highest priority
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

// compare orders two observations under a strategy, the winner first: by the
// strategy's own key, then the later observed, then the later ingested, then by
// id. No two observations are equal, so the order in which they are given never
// matters.
func (s strategy) compare(a, b rank) int {
	key := 0
	switch s {
	case highestPriority, mergeArray:
		key = cmp.Compare(b.Priority, a.Priority)
	case mostSpecific:
		key = cmp.Compare(b.Specificity, a.Specificity)
	}
	return cmp.Or(key, cmp.Compare(b.ObservedAt, a.ObservedAt), cmp.Compare(b.Sequence, a.Sequence), strings.Compare(b.ID, a.ID))
}

// truth is what observations amount to: values and, for each, the ids of the
// observations it comes from, joined by commas.
type truth struct {
	Values     map[string]json.RawMessage
	Provenance map[string]string
}

// reduce computes the truth from all observations of an entity. It is a pure
// function: it reads no clock and no database, and the order of its input does
// not matter. The fold of fold.go arrives at the same, one observation at a
// time.
func reduce(observations []observation, p policies) truth {
	fields := map[string][]observation{}
	for _, o := range observations {
		for name, value := range o.Fields {
			if value != nil {
				fields[name] = append(fields[name], o)
			}
		}
	}
	t := truth{Values: map[string]json.RawMessage{}, Provenance: map[string]string{}}
	for name, stating := range fields {
		s := p.of(name)
		slices.SortFunc(stating, func(a, b observation) int { return s.compare(a.rank, b.rank) })
		if s == mergeArray {
			t.Values[name], t.Provenance[name] = union(name, stating)
			continue
		}
		t.Values[name], t.Provenance[name] = encodeJSON(stating[0].Fields[name]), stating[0].ID
	}
	return t
}

// union merges the values of a field at the highest priority, each once and in
// the order of their canonical text. An item comes from the first observation
// in order that has it.
func union(name string, ordered []observation) (json.RawMessage, string) {
	winners := map[string]observation{}
	values := map[string]any{}
	for _, o := range ordered {
		if o.Priority < ordered[0].Priority {
			break
		}
		for _, item := range items(o.Fields[name]) {
			text := string(canonical(item, exact))
			if _, taken := winners[text]; !taken {
				winners[text], values[text] = o, item
			}
		}
	}
	texts := make([]string, 0, len(values))
	for text := range values {
		texts = append(texts, text)
	}
	slices.Sort(texts)
	merged := make([]any, 0, len(texts))
	supplying := map[string]bool{}
	for _, text := range texts {
		merged = append(merged, values[text])
		supplying[winners[text].ID] = true
	}
	if len(texts) == 0 { // only empty lists: the first one says so
		supplying[ordered[0].ID] = true
	}
	var ids []string
	for _, o := range ordered {
		if supplying[o.ID] {
			ids = append(ids, o.ID)
		}
	}
	return encodeJSON(merged), strings.Join(ids, ",")
}
