package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// EachRow calls f with the values of every row of a table, in the order of columns, as they
// are stored: nil, int64, float64, string or []byte. Rows come in the order of the key, or of
// the rowid. On a damaged page it ends with an error for which [IsUnreadable] holds; the rows
// before it have been given, and in the order of a number as key those behind it, too.
func (i *Inspection) EachRow(ctx context.Context, t Table, f func(values []any) error) error {
	onServer := i.server != nil
	if onServer || !t.isNumbered() {
		return classify(eachStoredRow(ctx, i.conn, onServer, len(t.Columns), f, t.selection(onServer)))
	}
	column, last := slices.Index(t.Columns, t.Key[0]), int64(0)
	each := func(statement string) error {
		return classify(eachStoredRow(ctx, i.conn, false, len(t.Columns), func(values []any) error {
			last, _ = values[column].(int64)
			return f(values)
		}, statement))
	}
	damage := each(t.selection(false))
	var newest int64
	if IsUnreadable(damage) && i.conn.QueryRowContext(ctx, `SELECT max(rowid) FROM `+quoteName(t.Name)).Scan(&newest) != nil {
		return damage
	}
	// Ever longer steps leave a damaged page that holds many keys.
	for next := last + 1; IsUnreadable(damage) && next <= newest; next += 1 + (next-last)/8 {
		before := last
		err := each(strings.Replace(t.selection(false), ` ORDER BY `, fmt.Sprintf(` WHERE rowid >= %d ORDER BY `, next), 1))
		if err == nil || !IsUnreadable(err) {
			return cmp.Or(err, damage)
		}
		if last > before { // another page is damaged
			next = last
		}
	}
	return damage
}

// IsUnreadable reports whether an error means that a part of a file cannot be read, rather
// than that reading had to end.
func IsUnreadable(err error) bool { return errors.Is(err, ErrDamaged) || errors.Is(err, ErrUnreadable) }
