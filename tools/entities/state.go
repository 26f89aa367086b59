package entities

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"toolkit/tools"
)

// strategy is how one value is chosen of those that observations give a field.
type strategy string

// Strategies decide among the observations of the highest priority. A field
// without a policy takes the last write.
const (
	lastWrite       strategy = "last_write"       // the latest observed
	highestPriority strategy = "highest_priority" // the same, since priority decides first in all
	mostSpecific    strategy = "most_specific"    // the most specific observation
	mergeArray      strategy = "merge_array"      // the union of all values
	ownLastWrite    strategy = "own_last_write"   // the last write; what is said of a merged entity counts where nothing else is said
)

// mergedPriority is that of what is said of a merged entity, in a field of ownLastWrite.
const mergedPriority = -1

// policies are the strategies of an entity type by field.
type policies map[string]strategy

func (p policies) strategyFor(field string) strategy { return cmp.Or(p[field], lastWrite) }

// rank is what decides between observations.
type rank struct {
	ID          string  `json:"id"`
	ObservedAt  int64   `json:"at"`  // unix milliseconds
	Sequence    int64   `json:"seq"` // ingest order
	Specificity float64 `json:"spec"`
	Priority    int     `json:"prio"`
}

// compareRanks orders two observations under a strategy, the winner first: by
// priority, then by the strategy's own key, then the later observed, then the
// later ingested, then by id. No two observations are equal, so the order in
// which they are given never matters.
func (s strategy) compareRanks(a, b rank) int {
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

// observation is what one source said about an entity.
type observation struct {
	rank
	Fields    object
	Withdraws string // id of the correction that it takes back
	Merged    bool   // it was said of an entity that was merged into this one
}

// isWithdrawal reports whether an observation takes a correction back: it gives null, with
// the weight of one.
func (o observation) isWithdrawal() bool {
	if o.Priority == correctionPriority {
		for _, value := range o.Fields {
			if value == nil {
				return true
			}
		}
	}
	return false
}

// withdraws reports whether an observation takes back what a correction says of a field:
// the correction that it names, or all before it if it names none.
func (o observation) withdraws(c observation, field string) bool {
	value, facts := o.Fields[field]
	return facts && value == nil && c.Priority == correctionPriority && (o.Withdraws == c.ID || o.Withdraws == "" && o.compareTime(c.rank) < 0)
}

// state is the snapshot of an entity in a form that takes further observations, so that a
// write costs the same however much is known of an entity. Observations may come in any
// order. A withdrawal is the exception: what stood before it only the observations know.
type state map[string]fieldState

// fieldState is what is said of a field with each priority, the highest first: that one
// stands, the others tell what was said against it and what would stand without it.
type fieldState struct {
	Claims []fieldClaim `json:"c,omitempty"`
}

// fieldClaim is what the observations of one priority say of a field.
type fieldClaim struct {
	Value  json.RawMessage `json:"v,omitempty"`
	Winner rank            `json:"w"`
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

// currentClaim is what stands of a field, nil when nothing does.
func (s state) currentClaim(name string) *fieldClaim {
	if claims := s[name].Claims; len(claims) > 0 {
		return &claims[0]
	}
	return nil
}

// applyObservation takes one more observation into s, but for what the withdrawals take back of it. A
// null says nothing.
func (s state) applyObservation(o observation, withdrawals []observation, p policies) {
	for name, value := range o.Fields {
		if value == nil || slices.ContainsFunc(withdrawals, func(w observation) bool { return w.withdraws(o, name) }) {
			continue
		}
		f, r, chosen := s[name], o.rank, p.strategyFor(name)
		if o.Merged && chosen == ownLastWrite {
			r.Priority = mergedPriority
		}
		f.ensureClaimOfPriority(r.Priority).addValue(value, r, chosen)
		s[name] = f
	}
}

// ensureClaimOfPriority is what is said with a priority; a new one has no winner yet.
func (f *fieldState) ensureClaimOfPriority(priority int) *fieldClaim {
	at, known := slices.BinarySearchFunc(f.Claims, priority, func(c fieldClaim, priority int) int { return cmp.Compare(priority, c.Winner.Priority) })
	if !known {
		f.Claims = slices.Insert(f.Claims, at, fieldClaim{Winner: rank{Priority: priority}})
	}
	return &f.Claims[at]
}

func (c *fieldClaim) addValue(value any, r rank, s strategy) {
	wins := c.Winner.ID == "" || s.compareRanks(r, c.Winner) < 0
	if wins {
		c.Winner = r
	}
	if s == mergeArray {
		c.mergeItems(toList(value), r)
	} else if wins {
		c.Value = encodeJSON(value)
	}
}

// mergeItems takes the items of one observation into a merged array.
func (c *fieldClaim) mergeItems(list []any, r rank) {
	c.Merged = true
	for _, item := range list {
		text := string(encodeCanonicalJSON(item, exact))
		at, found := slices.BinarySearchFunc(c.Items, text, func(i itemState, t string) int { return strings.Compare(i.Text, t) })
		switch {
		case !found:
			c.Items = slices.Insert(c.Items, at, itemState{Text: text, Value: encodeJSON(item), Winner: r})
		case mergeArray.compareRanks(r, c.Items[at].Winner) < 0:
			c.Items[at].Value, c.Items[at].Winner = encodeJSON(item), r
		}
	}
}

// encodeValue returns what the observations amount to.
func (c *fieldClaim) encodeValue() json.RawMessage {
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

// listObservationIDs returns the ids of the observations a value comes from, in order.
func (c *fieldClaim) listObservationIDs() []string {
	if !c.Merged || len(c.Items) == 0 {
		return []string{c.Winner.ID}
	}
	return observationIDsOf(c.Items)
}

func observationIDsOf(list []itemState) []string {
	ranks := make([]rank, len(list))
	for i, item := range list {
		ranks[i] = item.Winner
	}
	slices.SortFunc(ranks, mergeArray.compareRanks)
	ids := make([]string, len(ranks))
	for i, r := range ranks {
		ids[i] = r.ID
	}
	return slices.Compact(ids)
}

// resolvedFields are what observations amount to: values and, for each, the ids of the
// observations it comes from, joined by commas; and what came later with less
// weight and says something else.
type resolvedFields struct {
	Values     map[string]json.RawMessage
	Provenance map[string]string
	Conflicts  []conflict
}

// conflict is what was said of a field with less weight since the value that stands
// was given: by the documents since a correction, say.
type conflict struct {
	Field          string    `json:"field"`
	Value          jsonValue `json:"value"`
	Provenance     string    `json:"provenance" jsonschema_description:"Observation id; ids of a merged array are joined by commas"`
	SourcePriority int       `json:"source_priority"`
	ObservedAt     string    `json:"observed_at"` // of the latest observation that says so
}

func (s state) resolveFields() resolvedFields {
	t := resolvedFields{Values: make(map[string]json.RawMessage, len(s)), Provenance: make(map[string]string, len(s))}
	for _, name := range slices.Sorted(maps.Keys(s)) {
		top := s.currentClaim(name)
		if top == nil {
			continue
		}
		t.Values[name], t.Provenance[name] = top.encodeValue(), strings.Join(top.listObservationIDs(), ",")
		for _, lower := range s[name].Claims[1:] {
			if lower.Winner.Priority == mergedPriority {
				continue // the name of a merged entity is no objection
			}
			if c, found := lower.conflictWith(name, *top); found {
				t.Conflicts = append(t.Conflicts, c)
			}
		}
	}
	return t
}

// equals compares values as they are written, provenance and conflicts.
func (t resolvedFields) equals(b resolvedFields) bool {
	return string(encodeJSON(t)) == string(encodeJSON(b))
}

// conflictWith is what c says against what stands, if it came in later: another value,
// or items that the standing list lacks. Case and outer space say nothing.
func (c *fieldClaim) conflictWith(name string, standing fieldClaim) (conflict, bool) {
	against := conflict{name, jsonValue{c.Value}, c.Winner.ID, c.Winner.Priority, tools.FormatTimestamp(c.Winner.ObservedAt)}
	if !c.Merged {
		return against, c.Winner.Sequence > standing.Winner.Sequence && !isSameContent(c.Value, standing.encodeValue())
	}
	lacking := slices.DeleteFunc(slices.Clone(c.Items), func(i itemState) bool {
		return i.Winner.Sequence < standing.Winner.Sequence ||
			slices.ContainsFunc(standing.Items, func(s itemState) bool { return isSameContent(i.Value, s.Value) })
	})
	if len(lacking) == 0 {
		return conflict{}, false
	}
	against.Value, against.Provenance = jsonValue{encodeItems(lacking)}, strings.Join(observationIDsOf(lacking), ",")
	return against, true
}

// isSameContent compares two values by what they say.
func isSameContent(a, b json.RawMessage) bool {
	return string(a) == string(b) || string(encodeCanonicalJSON(decodeValue(a), normalised)) == string(encodeCanonicalJSON(decodeValue(b), normalised))
}

// currentValues are the values that stand, as an object.
func (s state) currentValues() object {
	raw := make(map[string]json.RawMessage, len(s))
	for name := range s {
		if c := s.currentClaim(name); c != nil {
			raw[name] = c.encodeValue()
		}
	}
	return toObject(raw)
}
