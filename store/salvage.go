package store

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"toolkit/store/internal/query"
)

// Gap is a run of rows that cannot be read, because the pages that hold them are
// damaged.
type Gap struct {
	Table string `json:"table"`
	// First and Last bound the rowids of what is lost; Last alone 0: nothing behind
	// First can be read, so that nobody knows how many rows there were; both 0: rows
	// in the middle of a table that is sought by its key, or all of it.
	First int64  `json:"first"`
	Last  int64  `json:"last"`
	Cause string `json:"cause"`
}

func (g Gap) String() string {
	if g.First == 0 && g.Last == 0 {
		return fmt.Sprintf("rows of %s could not be read: %s", g.Table, g.Cause)
	}
	if g.Last == 0 {
		return fmt.Sprintf("rows of %s from %d on could not be read: %s", g.Table, g.First, g.Cause)
	}
	if g.First == g.Last {
		return fmt.Sprintf("row %d of %s could not be read: %s", g.First, g.Table, g.Cause)
	}
	return fmt.Sprintf("rows %d to %d of %s could not be read: %s", g.First, g.Last, g.Table, g.Cause)
}

// EachRow calls f with the values of every row of a table, in the order of
// columns, as they are stored: nil, int64, float64, string or []byte. Rows come
// in the order of the key, or of the rowid. Damaged pages are skipped and
// returned as gaps; everything before and behind them is read.
func (i *Inspection) EachRow(ctx context.Context, t Table, f func(values []any) error) ([]Gap, error) {
	if i.server != nil {
		return nil, classify(eachStored(ctx, i.conn, true, len(t.Columns), f, t.selection(true, "")))
	}
	s := &salvage{ctx: ctx, conn: i.conn, table: t, f: f}
	err := s.run()
	return s.gaps, classify(err)
}

type salvage struct {
	ctx   context.Context
	conn  querier
	table Table
	f     func([]any) error
	gaps  []Gap
	err   error // of f, which ends everything
}

func (s *salvage) run() error {
	if !s.table.RowID || s.table.ByText {
		return s.byKey()
	}
	for next := int64(-1 << 63); ; {
		last, err := s.ascend(next)
		if s.err != nil || !damaged(err) {
			return errors.Join(s.err, err)
		}
		first := next
		if last != nil {
			first = *last + 1
		}
		after, found := s.beyond(first)
		gap := Gap{Table: s.table.Name, First: max(first, 1), Last: max(after-1, 1), Cause: err.Error()}
		if !found {
			gap.Last = s.highest()
		}
		s.gaps = append(s.gaps, gap)
		if !found {
			return nil
		}
		next = after
	}
}

// damaged reports whether an error means that pages are unreadable, rather than
// that reading has to end.
func damaged(err error) bool {
	err = classify(err)
	return errors.Is(err, ErrDamaged) || errors.Is(err, ErrUnreadable)
}

// ascend reads rows from a rowid on and returns the rowid of the last one read.
func (s *salvage) ascend(from int64) (last *int64, err error) {
	values, targets := scanTargets(len(s.table.Columns))
	var row int64
	err = asIs{s.ctx, s.conn}.Each(func(scan query.Scan) error {
		if err := scan(append([]any{&row}, targets...)...); err != nil {
			return err
		}
		at := row
		last = &at
		s.err = s.f(values)
		return s.err
	}, `SELECT rowid, `+exactColumns(s.table.Columns)+` FROM `+quoteName(s.table.Name)+` NOT INDEXED WHERE rowid >= ? ORDER BY rowid`, from)
	if s.err != nil {
		err = nil
	}
	return last, err
}

// beyond finds the first row after a damaged place: far enough ahead by ever
// longer steps, then as near as possible by halving.
func (s *salvage) beyond(first int64) (int64, bool) {
	if first < 1 {
		first = 1
	}
	reached, good := int64(0), int64(0)
	for step := int64(1); step <= s.horizon() && reached == 0; step *= 2 {
		if row, ok := s.probe(first + step); ok {
			reached, good = first+step, row
		}
	}
	if reached == 0 {
		return 0, false
	}
	for low, high := first, reached; low < high; {
		middle := low + (high-low)/2
		if row, ok := s.probe(middle); ok {
			high, good = middle, row
		} else {
			low = middle + 1
		}
	}
	return good, true
}

// horizon bounds the search: no table of ours has more rows.
func (s *salvage) horizon() int64 { return 1 << 40 }

// probe reads the first row at or after a rowid, whole.
func (s *salvage) probe(from int64) (row int64, ok bool) {
	_, targets := scanTargets(len(s.table.Columns))
	err := asIs{s.ctx, s.conn}.Each(func(scan query.Scan) error {
		ok = true
		return scan(append([]any{&row}, targets...)...)
	}, `SELECT rowid, `+exactColumns(s.table.Columns)+` FROM `+quoteName(s.table.Name)+` NOT INDEXED WHERE rowid >= ? ORDER BY rowid LIMIT 1`, from)
	return row, ok && err == nil
}

// highest is the greatest rowid of the table, or 0 if that cannot be read.
func (s *salvage) highest() (highest int64) {
	err := asIs{s.ctx, s.conn}.Each(func(scan query.Scan) error { return scan(&highest) },
		`SELECT rowid FROM `+quoteName(s.table.Name)+` NOT INDEXED ORDER BY rowid DESC LIMIT 1`)
	if err != nil {
		return 0
	}
	return highest
}

// byKey reads a table without rowids forwards up to a damaged place, and then
// backwards from the end to it.
func (s *salvage) byKey() error {
	read := map[string]bool{}
	key := s.keyOf()
	err := s.scan("", func(values []any) error {
		read[key(values)] = true
		return s.f(slices.Clone(values))
	})
	if s.err != nil || !damaged(err) {
		return errors.Join(s.err, err)
	}
	s.gaps = append(s.gaps, Gap{Table: s.table.Name, Cause: err.Error()})
	var behind [][]any
	backwards := s.scan(" DESC", func(values []any) error {
		if !read[key(values)] {
			behind = append(behind, slices.Clone(values))
		}
		return nil
	})
	if backwards != nil && !damaged(backwards) {
		return backwards
	}
	slices.Reverse(behind)
	for _, values := range behind {
		if err := s.f(values); err != nil {
			return err
		}
	}
	return nil
}

func (s *salvage) scan(direction string, f func([]any) error) error {
	err := eachStored(s.ctx, s.conn, false, len(s.table.Columns), func(values []any) error {
		s.err = f(values)
		return s.err
	}, s.table.selection(false, direction))
	if s.err != nil {
		err = nil
	}
	return err
}

// keyOf names a row by the values of its key.
func (s *salvage) keyOf() func([]any) string {
	var places []int
	for _, k := range s.table.orderedBy() {
		places = append(places, slices.Index(s.table.Columns, k))
	}
	return func(values []any) string {
		name := ""
		for _, p := range places {
			name += fmt.Sprintf("%T %v\x00", values[p], values[p])
		}
		return name
	}
}
