package pockets

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
)

// RepeatedRow is a row of a file with the same key as an earlier one and other values,
// of which only one can be stored.
type RepeatedRow struct {
	Row     int `json:"row"`     // numbered as in Problem
	Earlier int `json:"earlier"` // the row before it
	// Stands is the row whose values count: the later one, but the earlier one
	// where another data set has stated it.
	Stands int    `json:"stands"`
	Kind   string `json:"kind"`
}

// seenRow is a row of a file that another may overwrite.
type seenRow struct {
	dataset string
	row     int
	values  uint64 // a hash of them
}

// repeats finds rows of a file that overwrite each other, by what they are known by. Events
// have no values besides, and predictions are refused when they are stored.
type repeats map[string]seenRow

// rememberAndFindRepeat remembers the row of a kind that was added last to a part and compares it
// with an earlier one of the same key.
func (r repeats) rememberAndFindRepeat(p *FilePart, kind string, row int) (RepeatedRow, bool) {
	key, values := lastRow(&p.Batch, kind)
	if values == nil {
		return RepeatedRow{}, false
	}
	raw, err := json.Marshal(values)
	if err != nil {
		return RepeatedRow{}, false
	}
	hash := fnv.New64a()
	hash.Write(raw) //nolint:errcheck // never fails
	here := seenRow{p.Dataset.Name, row, hash.Sum64()}
	before, repeated := r[key]
	if !repeated {
		r[key] = here
		return RepeatedRow{}, false
	}
	found := RepeatedRow{Row: row, Earlier: before.row, Stands: row, Kind: kind}
	if before.dataset != here.dataset {
		found.Stands = before.row
	} else {
		r[key] = here
	}
	return found, before.values != here.values
}

// lastRow is the row that was added last to a batch, with what it is known by; nil for kinds
// whose rows cannot overwrite each other.
func lastRow(b *rowBatch, kind string) (key string, values any) {
	switch kind {
	case KindOutlet:
		o := b.Outlets[len(b.Outlets)-1]
		return o.ID, o
	case KindAtmosphere:
		r := b.Readings[len(b.Readings)-1]
		return fmt.Sprint(kind, r.Pocket, r.CapturedAt), r
	case KindQuality:
		q := b.Quality[len(b.Quality)-1]
		return fmt.Sprint(kind, q.Pocket, q.ComputedAt), q
	case KindLedger:
		e := b.Ledger[len(b.Ledger)-1]
		return fmt.Sprintf("%s %s %d %q %q", kind, e.Pocket, e.OccurredAt, e.Outlet, e.Entry), e
	}
	return "", nil
}
