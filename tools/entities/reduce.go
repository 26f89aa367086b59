package entities

import (
	"cmp"
	"encoding/json"
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

func (p policies) strategyFor(field string) strategy { return cmp.Or(p[field], lastWrite) }

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
	Fields    map[string]any
	Withdraws string // id of the correction that it takes back
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

// reduction is what observations amount to: values and, for each, the ids of the
// observations it comes from, joined by commas; and what came later with less
// weight and says something else.
type reduction struct {
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
