package pocketdata

import (
	"reflect"

	"toolkit/store"
)

// Repeat is a row of a file with the same key as an earlier one and other values,
// of which only one can be stored.
type Repeat struct {
	Row     int `json:"row"`     // numbered as in Problem
	Earlier int `json:"earlier"` // the row before it
	// Stands is the row whose values count: the later one, but the earlier one
	// where another data set has stated it.
	Stands int    `json:"stands"`
	Kind   string `json:"kind"`
}

// place is where a row of a file is kept.
type place struct {
	part  *Part
	index int // in the batch's rows of the kind
	row   int
}

// repeats finds rows of a file that overwrite each other. Events have no values
// besides their key, and predictions are refused when they are stored.
type repeats struct {
	seen map[any]place
}

type (
	readingKey struct {
		pocket string
		at     int64
	}
	qualityKey readingKey
	outletKey  string
	ledgerKey  struct {
		pocket        string
		at            int64
		outlet, entry string
	}
)

// note remembers the newest row of a kind in a part and compares it with an
// earlier one of the same key.
func (r *repeats) note(p *Part, kind string, row int) (Repeat, bool) {
	if r.seen == nil {
		r.seen = map[any]place{}
	}
	key, index := newest(&p.Batch, kind)
	if key == nil {
		return Repeat{}, false
	}
	here := place{p, index, row}
	before, repeated := r.seen[key]
	if !repeated {
		r.seen[key] = here
		return Repeat{}, false
	}
	found := Repeat{Row: row, Earlier: before.row, Stands: row, Kind: kind}
	if before.part.Dataset.Name != p.Dataset.Name {
		found.Stands = before.row
	} else {
		r.seen[key] = here
	}
	return found, !reflect.DeepEqual(rowAt(before, kind), rowAt(here, kind))
}

// newest is the key and the index of the row of a kind that was added last; nil
// for kinds whose rows cannot overwrite each other.
func newest(b *Batch, kind string) (key any, index int) {
	switch kind {
	case Outlet:
		index = len(b.Outlets) - 1
		return outletKey(b.Outlets[index].ID), index
	case Atmosphere:
		index = len(b.Readings) - 1
		return readingKey{b.Readings[index].Pocket, b.Readings[index].CapturedAt}, index
	case Quality:
		index = len(b.Quality) - 1
		return qualityKey{b.Quality[index].Pocket, b.Quality[index].ComputedAt}, index
	case Ledger:
		index = len(b.Ledger) - 1
		e := b.Ledger[index]
		return ledgerKey{e.Pocket, e.OccurredAt, e.Outlet, e.Entry}, index
	}
	return nil, 0
}

func rowAt(p place, kind string) any {
	switch b := &p.part.Batch; kind {
	case Outlet:
		return b.Outlets[p.index]
	case Atmosphere:
		return b.Readings[p.index]
	case Quality:
		return b.Quality[p.index]
	case Ledger:
		return b.Ledger[p.index]
	}
	return store.Attention{}
}
