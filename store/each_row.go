package store

import (
	"context"
	"errors"
)

// EachRow calls f with the values of every row of a table, in the order of columns, as they
// are stored: nil, int64, float64, string or []byte. Rows come in the order of the key, or of
// the rowid. A damaged page ends it with an error for which [CannotBeRead] holds; the rows
// before it have been given.
func (i *Inspection) EachRow(ctx context.Context, t Table, f func(values []any) error) error {
	onServer := i.server != nil
	return classify(eachStored(ctx, i.conn, onServer, len(t.Columns), f, t.selection(onServer)))
}

// CannotBeRead reports whether an error means that a part of a file cannot be read, rather
// than that reading had to end.
func CannotBeRead(err error) bool { return errors.Is(err, ErrDamaged) || errors.Is(err, ErrUnreadable) }
