package pocketdata

import "reflect"

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

// rowKey is what two rows of a kind share of which one overwrites the other.
type rowKey struct {
	kind, pocket, outlet, entry string
	at                          int64
}

// place is where a row of a file is kept.
type place struct {
	part  *Part
	index int // in the batch's rows of the kind
	row   int
}

// repeats finds rows of a file that overwrite each other. Events have no values
// besides their key, and predictions are refused when they are stored.
type repeats map[rowKey]place

// note remembers the row of a kind that was added last to a part and compares it
// with an earlier one of the same key.
func (r repeats) note(p *Part, kind string, row int) (Repeat, bool) {
	key, newest, index := rowAt(&p.Batch, kind, last)
	if newest == nil {
		return Repeat{}, false
	}
	here := place{p, index, row}
	before, repeated := r[key]
	if !repeated {
		r[key] = here
		return Repeat{}, false
	}
	found := Repeat{Row: row, Earlier: before.row, Stands: row, Kind: kind}
	if before.part.Dataset.Name != p.Dataset.Name {
		found.Stands = before.row
	} else {
		r[key] = here
	}
	_, earlier, _ := rowAt(&before.part.Batch, kind, before.index)
	return found, !reflect.DeepEqual(earlier, newest)
}

// last is the index of the row that was added last.
const last = -1

// rowAt is a row of a batch with its key and index; nil for kinds whose rows
// cannot overwrite each other.
func rowAt(b *Batch, kind string, i int) (key rowKey, row any, index int) {
	switch kind {
	case Outlet:
		o, i := at(b.Outlets, i)
		return rowKey{kind: kind, outlet: o.ID}, o, i
	case Atmosphere:
		r, i := at(b.Readings, i)
		return rowKey{kind: kind, pocket: r.Pocket, at: r.CapturedAt}, r, i
	case Quality:
		q, i := at(b.Quality, i)
		return rowKey{kind: kind, pocket: q.Pocket, at: q.ComputedAt}, q, i
	case Ledger:
		e, i := at(b.Ledger, i)
		return rowKey{kind, e.Pocket, e.Outlet, e.Entry, e.OccurredAt}, e, i
	}
	return rowKey{}, nil, 0
}

func at[T any](rows []T, i int) (*T, int) {
	if i == last {
		i = len(rows) - 1
	}
	return &rows[i], i
}
