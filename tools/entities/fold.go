package entities

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// state is a truth that can take further observations: for each field the value
// of each class of weight and the observation that won it. A write therefore costs
// the same however much is known of an entity, and observations folded in any order
// give the same truth; a property test says so. One thing a state cannot do alone:
// what stood before a correction that is taken back only the other corrections
// know, see reconsider.
type state map[string]*fieldState

type fieldState struct {
	// Classes are what is said with each priority, the highest first; that one
	// stands, the others tell what was said against it and what would stand
	// without it. A field whose corrections were withdrawn may have none.
	Classes []fieldClaim `json:"c,omitempty"`
	// Withdrawn are the ids of the corrections that were taken back.
	Withdrawn []string `json:"n,omitempty"`
	// Cleared is the latest withdrawal that names no correction: it took all before it
	// back, as withdrawals did at first.
	Cleared *rank `json:"x,omitempty"`
}

// fieldClaim is what the observations of one priority say of a field.
type fieldClaim struct {
	Value  json.RawMessage `json:"v,omitempty"`
	Winner rank            `json:"w"`
	// First is the earliest time anything was observed: before it, a look into
	// the past need not search for it.
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

// UnmarshalJSON also reads the form of states made when one class was known.
func (f *fieldState) UnmarshalJSON(b []byte) error {
	type plain fieldState
	var stored struct {
		plain
		fieldClaim
	}
	if err := json.Unmarshal(b, &stored); err != nil {
		return err
	}
	*f = fieldState(stored.plain)
	if stored.fieldClaim.Winner.ID != "" {
		f.Classes = []fieldClaim{stored.fieldClaim}
	}
	return nil
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

// currentClaim is what stands of a field, nil when nothing does.
func (s state) currentClaim(name string) *fieldClaim {
	if f := s[name]; f != nil && len(f.Classes) > 0 {
		return &f.Classes[0]
	}
	return nil
}

// fold takes one more observation into s. It returns how many classes of fields
// are new. After a withdrawal reconsider is due.
func (s state) fold(o observation, p policies) (fresh int) {
	for name, value := range o.Fields {
		f := s[name]
		withdraws := value == nil && o.Priority == correctionPriority
		if !withdraws && (value == nil || f.isWithdrawn(o.rank)) {
			continue
		}
		if f == nil {
			f = &fieldState{}
			s[name] = f
		}
		if withdraws {
			f.noteWithdrawal(o)
			continue
		}
		c := f.class(o.rank)
		if c.Winner.ID == "" {
			fresh++
		}
		c.fold(value, o.rank, p.strategyFor(name))
	}
	return fresh
}

// noteWithdrawal takes note of corrections that do not count, whenever they come in.
func (f *fieldState) noteWithdrawal(o observation) {
	if o.Withdraws != "" {
		f.Withdrawn = append(f.Withdrawn, o.Withdraws)
	} else if f.Cleared == nil || o.compareTime(*f.Cleared) < 0 {
		f.Cleared = &o.rank
	}
}

// isWithdrawn reports whether an observation is a correction that was taken back.
func (f *fieldState) isWithdrawn(r rank) bool {
	return f != nil && r.Priority == correctionPriority &&
		(slices.Contains(f.Withdrawn, r.ID) || f.Cleared != nil && r.compareTime(*f.Cleared) > 0)
}

// reapplyCorrections decides fields of which a correction was taken back by the corrections
// that are left. It is given all of the entity that s has folded.
func (s state) reapplyCorrections(corrections []observation, p policies) {
	for name, f := range s {
		if f.Withdrawn == nil && f.Cleared == nil {
			continue
		}
		if len(f.Classes) > 0 && f.Classes[0].Winner.Priority == correctionPriority {
			f.Classes = f.Classes[1:]
		}
		for _, o := range corrections {
			if value := o.Fields[name]; value != nil && o.Priority == correctionPriority && !f.isWithdrawn(o.rank) {
				f.class(o.rank).fold(value, o.rank, p.strategyFor(name))
			}
		}
	}
}

// class is what is said with the priority of an observation; of a new one First
// is still to come.
func (f *fieldState) class(r rank) *fieldClaim {
	at, known := slices.BinarySearchFunc(f.Classes, r.Priority, func(c fieldClaim, priority int) int { return cmp.Compare(priority, c.Winner.Priority) })
	if !known {
		f.Classes = slices.Insert(f.Classes, at, fieldClaim{Winner: rank{Priority: r.Priority}, First: r.ObservedAt})
	}
	return &f.Classes[at]
}

func (c *fieldClaim) fold(value any, r rank, s strategy) {
	c.First = min(c.First, r.ObservedAt)
	wins := c.Winner.ID == "" || s.compare(r, c.Winner) < 0
	if wins {
		c.Winner = r
	}
	if s == mergeArray {
		c.merge(items(value), r)
	} else if wins {
		c.Value = encodeJSON(value)
	}
}

// merge takes the items of one observation into a merged array.
func (c *fieldClaim) merge(list []any, r rank) {
	c.Merged = true
	for _, item := range list {
		text := string(canonical(item, exact))
		at, found := slices.BinarySearchFunc(c.Items, text, func(i itemState, t string) int { return strings.Compare(i.Text, t) })
		switch {
		case !found:
			c.Items = slices.Insert(c.Items, at, itemState{Text: text, Value: encodeJSON(item), Winner: r})
		case mergeArray.compare(r, c.Items[at].Winner) < 0:
			c.Items[at].Value, c.Items[at].Winner = encodeJSON(item), r
		}
	}
}

// value is what the observations amount to.
func (c *fieldClaim) value() json.RawMessage {
	if !c.Merged {
		return c.Value
	}
	return encodeItems(c.Items)
}

func encodeItems(list []itemState) json.RawMessage {
	values := make([]json.RawMessage, len(list))
	for i, item := range list {
		values[i] = item.Value
	}
	return encodeJSON(values)
}

// sources are the ids of the observations a value comes from, in order.
func (c *fieldClaim) sources() []string {
	if !c.Merged || len(c.Items) == 0 {
		return []string{c.Winner.ID}
	}
	return sourcesOf(c.Items)
}

func sourcesOf(list []itemState) []string {
	ranks := make([]rank, len(list))
	for i, item := range list {
		ranks[i] = item.Winner
	}
	slices.SortFunc(ranks, mergeArray.compare)
	ids := make([]string, len(ranks))
	for i, r := range ranks {
		ids[i] = r.ID
	}
	return slices.Compact(ids)
}

// conflictWith is what c says against what stands, if it came in later: another value,
// or items that the standing list lacks. Case and outer space say nothing.
func (c *fieldClaim) conflictWith(name string, standing fieldClaim) (conflict, bool) {
	against := conflict{Field: name, Value: c.Value, Provenance: c.Winner.ID, Priority: c.Winner.Priority, ObservedAt: c.Winner.ObservedAt}
	if !c.Merged {
		return against, c.Winner.Sequence > standing.Winner.Sequence && !sameContent(c.Value, standing.value())
	}
	lacking := slices.DeleteFunc(slices.Clone(c.Items), func(i itemState) bool {
		return i.Winner.Sequence < standing.Winner.Sequence ||
			slices.ContainsFunc(standing.Items, func(s itemState) bool { return sameContent(i.Value, s.Value) })
	})
	if len(lacking) == 0 {
		return conflict{}, false
	}
	against.Value, against.Provenance = encodeItems(lacking), strings.Join(sourcesOf(lacking), ",")
	return against, true
}

// sameContent compares two values by what they say.
func sameContent(a, b json.RawMessage) bool {
	return string(a) == string(b) || string(canonical(decodeValue(a), normalised)) == string(canonical(decodeValue(b), normalised))
}

// reduce is what the state amounts to.
func (s state) reduce() reduction {
	t := reduction{Values: make(map[string]json.RawMessage, len(s)), Provenance: make(map[string]string, len(s))}
	for _, name := range slices.Sorted(maps.Keys(s)) {
		top := s.currentClaim(name)
		if top == nil {
			continue
		}
		t.Values[name], t.Provenance[name] = top.value(), strings.Join(top.sources(), ",")
		for _, lower := range s[name].Classes[1:] {
			if c, found := lower.conflictWith(name, *top); found {
				t.Conflicts = append(t.Conflicts, c)
			}
		}
	}
	return t
}

// values are the reduced values as an object.
func (s state) values() object {
	raw := make(map[string]json.RawMessage, len(s))
	for name := range s {
		if c := s.currentClaim(name); c != nil {
			raw[name] = c.value()
		}
	}
	return decodeValue(encodeJSON(raw)).(object)
}

// copyFields is what s knows of some fields, independent of s.
func (s state) copyFields(fields object) state {
	c := make(state, len(fields))
	for name := range fields {
		if f := s[name]; f != nil {
			g := *f
			g.Withdrawn, g.Classes = slices.Clone(f.Withdrawn), slices.Clone(f.Classes)
			for i := range g.Classes {
				g.Classes[i].Items = slices.Clone(g.Classes[i].Items)
			}
			c[name] = &g
		}
	}
	return c
}
