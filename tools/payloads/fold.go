package payloads

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// state is a truth that can take further observations: for each field the value
// and the observation that won it. Folding observations in any order gives what
// reduce gives for all of them; a property test holds the two together. A write
// therefore costs the same however much is known of an entity.
type state map[string]*fieldState

type fieldState struct {
	Value  json.RawMessage `json:"v,omitempty"`
	Winner rank            `json:"w"`
	// First is the earliest time the field was observed: before it, a look into
	// the past need not search for the field.
	First int64 `json:"f"`
	// Items are the parts of a merged array, by canonical text.
	Items []itemState `json:"i,omitempty"`
	// Merged tells an empty union from a value.
	Merged bool `json:"m,omitempty"`
}

type itemState struct {
	Text   string          `json:"t"`
	Value  json.RawMessage `json:"v"`
	Winner rank            `json:"w"`
}

// parseState reads a stored state; nil is the state of an entity of which
// nothing is known.
func parseState(raw json.RawMessage) (state, error) {
	s := state{}
	if len(raw) == 0 {
		return s, nil
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, fmt.Errorf("reading a snapshot: %w", err)
	}
	return s, nil
}

func (s state) encode() json.RawMessage { return encodeJSON(s) }

// fold takes one more observation into s.
func (s state) fold(o observation, p policies) {
	for name, value := range o.Fields {
		if value == nil {
			continue
		}
		f, known := s[name]
		if !known {
			f = &fieldState{First: o.ObservedAt}
			s[name] = f
		}
		f.First = min(f.First, o.ObservedAt)
		if p.of(name) == mergeArray {
			f.merge(items(value), o.rank, known)
			continue
		}
		if !known || p.of(name).compare(o.rank, f.Winner) < 0 {
			f.Value, f.Winner = encodeJSON(value), o.rank
		}
	}
}

// merge takes the items of one observation into a merged array. Winner is the
// first observation in order at the highest priority.
func (f *fieldState) merge(list []any, r rank, known bool) {
	f.Merged = true
	switch {
	case !known || r.Priority > f.Winner.Priority:
		f.Items, f.Winner = nil, r
	case r.Priority < f.Winner.Priority:
		return
	case mergeArray.compare(r, f.Winner) < 0:
		f.Winner = r
	}
	for _, item := range list {
		text := string(canonical(item, exact))
		at, found := slices.BinarySearchFunc(f.Items, text, func(i itemState, t string) int { return strings.Compare(i.Text, t) })
		switch {
		case !found:
			f.Items = slices.Insert(f.Items, at, itemState{Text: text, Value: encodeJSON(item), Winner: r})
		case mergeArray.compare(r, f.Items[at].Winner) < 0:
			f.Items[at].Value, f.Items[at].Winner = encodeJSON(item), r
		}
	}
}

// value is the reduced value of a field.
func (f *fieldState) value() json.RawMessage {
	if !f.Merged {
		return f.Value
	}
	values := make([]json.RawMessage, len(f.Items))
	for i, item := range f.Items {
		values[i] = item.Value
	}
	return encodeJSON(values)
}

// sources are the ids of the observations a field comes from, in order.
func (f *fieldState) sources() []string {
	if !f.Merged || len(f.Items) == 0 {
		return []string{f.Winner.ID}
	}
	ranks := make([]rank, len(f.Items))
	for i, item := range f.Items {
		ranks[i] = item.Winner
	}
	slices.SortFunc(ranks, mergeArray.compare)
	ids := make([]string, len(ranks))
	for i, r := range ranks {
		ids[i] = r.ID
	}
	return slices.Compact(ids)
}

// truth is what the state amounts to.
func (s state) truth() truth {
	t := truth{Values: make(map[string]json.RawMessage, len(s)), Provenance: make(map[string]string, len(s))}
	for name, f := range s {
		t.Values[name], t.Provenance[name] = f.value(), strings.Join(f.sources(), ",")
	}
	return t
}

// values are the reduced values as an object.
func (s state) values() (object, error) {
	raw := make(map[string]json.RawMessage, len(s))
	for name, f := range s {
		raw[name] = f.value()
	}
	return decodeObject(encodeJSON(raw))
}

// copy is an independent state.
func (s state) copy() state {
	c := make(state, len(s))
	for name, f := range s {
		g := *f
		g.Items = slices.Clone(f.Items)
		c[name] = &g
	}
	return c
}
